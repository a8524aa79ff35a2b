import type { RowCatalogue } from '@podium/contract/students/rules-row'
import { useSentences } from '#shell/language/sentences.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { TextField } from '#ui/text-field.tsx'
import { blankRow, deleteRows, type GridField, gridFields, moveTo, writeCell } from './grid-sheet.ts'
import type { Grid } from './use-grid.ts'
import { gridWords, useGridHint, useGridLabels } from './words.ts'

const keyboards: Partial<Record<GridField, 'numeric' | 'tel' | 'email'>> = {
  rollno: 'numeric',
  parentMobileNo: 'tel',
  parentEmailId: 'email',
}

interface GridCardProps {
  index: number
  grid: Grid
  catalogue: RowCatalogue
  onNext: () => void
  onClose: () => void
}

/** One row, field below field, with each field's errors and suggestions to accept with a tap. */
export function GridCard({ index, grid, catalogue, onNext, onClose }: GridCardProps) {
  const t = gridWords.use()
  const translate = useSentences()
  const labels = useGridLabels()
  const hintOf = useGridHint(grid, catalogue)
  const row = grid.sheet.rows[index] ?? blankRow
  const remove = () => {
    grid.applyStep((now) => deleteRows(moveTo(now, { row: index, column: 0 })))
    onClose()
  }
  return (
    <Dialog opened onClose={onClose} title={t('editRow', { n: index + 1 })}>
      <DialogBody>
        {gridFields.map((field, column) => {
          const place = { row: index, column }
          const faults = grid.faultsAt(place)
          const suggestions = grid.suggestionsAt(place)
          const sameCount = suggestions.length > 0 ? grid.similarRowsAt(place).length : 0
          return (
            <div key={field} className="gr-field">
              <TextField
                label={labels[column] ?? ''}
                hint={hintOf(place)}
                error={
                  faults.length > 0 ? faults.map(({ message }) => translate(message)).join(' ') : undefined
                }
                inputMode={keyboards[field]}
                autoComplete="off"
                autoCapitalize={field === 'studentName' || field === 'parentName' ? 'words' : 'none'}
                maxLength={500}
                value={row[column] ?? ''}
                onChange={(event) => {
                  const { value } = event.currentTarget
                  grid.applyStep((now) => writeCell(now, place, value))
                }}
              />
              {suggestions.length > 0 && (
                <p className="gr-better">
                  {t('didYouMean')}
                  {suggestions.map((text, position) => (
                    <button
                      key={text}
                      type="button"
                      className="gr-take"
                      onClick={() => grid.accept(place, position)}>
                      {text}
                    </button>
                  ))}
                  {sameCount > 1 && (
                    <button type="button" className="gr-take" onClick={() => grid.acceptInAll(place)}>
                      {t('inAll', { text: suggestions[0] ?? '', n: sameCount })}
                    </button>
                  )}
                </p>
              )}
            </div>
          )
        })}
        <Button kind="danger" icon="delete" onClick={remove}>
          {t('rowDelete')}
        </Button>
      </DialogBody>
      <DialogFoot>
        <Button onClick={onNext}>{t('rowNext')}</Button>
        <Button kind="primary" onClick={onClose}>
          {t('rowDone')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
