import { formatRupees } from '@podium/contract/money'
import { useState } from 'react'
import { useLeaveQuestion } from '#shell/form-dialog.tsx'
import { count } from '#shell/format.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { defineWords } from '#shell/language/words.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { MoneySum } from '#ui/money-sum.tsx'
import { Note } from '#ui/note.tsx'
import { TextArea } from '#ui/text-field.tsx'
import type keysInEnglish from '#words/en/students-grid-keys.json'
import type { CheckedEntry, Entry } from '../entry/use-entry.ts'
import { gridWords } from './words.ts'

const keyWords = defineWords<typeof keysInEnglish>(import.meta.glob('#words/*/students-grid-keys.json'))
const keys = ['move', 'go', 'edit', 'clear', 'clip', 'fill', 'undo', 'fault', 'take', 'row', 'leave'] as const

/** What the keys do in the grid. */
export function GridKeysDialog({ onClose }: { onClose: () => void }) {
  const t = keyWords.use()
  return (
    <Dialog opened onClose={onClose} title={t('title')} size="small">
      <DialogBody>
        <ul className="bullets stack gap-2">
          {keys.map((key) => (
            <li key={key}>{t(key)}</li>
          ))}
        </ul>
      </DialogBody>
    </Dialog>
  )
}

const maxNamed = 5

interface GridCheckDialogProps {
  season: string
  checked: CheckedEntry
  entry: Entry
  toFaults: () => void
}

/**
 * What the server found: new rows, rows already in the list, rows with errors; the three sums; and the confirmation.
 */
export function GridCheckDialog({ season, checked, entry, toFaults }: GridCheckDialogProps) {
  const t = gridWords.use()
  const translate = useSentences()
  const { fresh, there: existing, likely } = checked
  const faultyCount = new Set(checked.faults.map(({ row }) => row)).size
  const n = fresh.length
  const gross = checked.regAmount + checked.bookAmount
  const schoolShare = checked.school_Expenses + checked.book_school_Expenses
  const differing = existing.filter(({ differs }) => differs)
  const named = (names: readonly string[]) =>
    [
      ...names.slice(0, maxNamed),
      ...(names.length > maxNamed ? [t('moreNames', { n: names.length - maxNamed })] : []),
    ].join(', ')
  const figures: [string, number, string?][] = [
    [t('fresh', { n }), n],
    [t('alreadyInList'), existing.length],
    [t('faulty', { n: faultyCount }), faultyCount, faultyCount > 0 ? 'bad' : undefined],
  ]
  return (
    <Dialog
      opened
      onClose={entry.close}
      waits
      title={n > 0 ? t('foundTitle', { n }) : t('foundNobody')}
      fact={season}>
      <DialogBody>
        <dl className="im-counts row gap-6">
          {figures.map(([label, value, kind]) => (
            <div key={label} className={kind}>
              <dt>{label}</dt>
              <dd>{count(value)}</dd>
            </div>
          ))}
        </dl>
        {faultyCount > 0 && <Note kind="bad">{t('faultyText')}</Note>}
        {existing.length > 0 && (
          <Note>
            <p>
              {t('alreadyInListText', {
                n: existing.length,
                names: named(existing.map(({ studentName }) => studentName)),
              })}
            </p>
            {differing.length > 0 && (
              <p>
                {t('alreadyInListDiffers', { names: named(differing.map(({ studentName }) => studentName)) })}
              </p>
            )}
          </Note>
        )}
        {likely.length > 0 && (
          <Note kind="due">
            <b>{t('likelyTitle', { n: likely.length })}</b>
            {likely.slice(0, maxNamed).map((duplicate) => (
              <p key={duplicate.row}>
                {t('likely', { row: duplicate.row, message: translate(duplicate.message) })}
              </p>
            ))}
            {likely.length > maxNamed && <p>{t('moreNames', { n: likely.length - maxNamed })}</p>}
          </Note>
        )}
        {n > 0 && (
          <MoneySum
            as="lines"
            collected={formatRupees(gross)}
            schoolShare={formatRupees(schoolShare)}
            payable={formatRupees(gross - schoolShare)}
          />
        )}
      </DialogBody>
      <DialogFoot onCancel={faultyCount > 0 ? undefined : entry.close}>
        {faultyCount > 0 && (
          <Button onClick={toFaults} data-autofocus={n === 0 || undefined}>
            {t('toFaults')}
          </Button>
        )}
        {n === 0 && existing.length > 0 && (
          <Button kind="primary" onClick={entry.drop} data-autofocus={faultyCount === 0 || undefined}>
            {t('removeAlreadyInList', { n: existing.length })}
          </Button>
        )}
        {n > 0 && (
          <Button kind="primary" busy={entry.busy} onClick={() => void entry.enter()} data-autofocus>
            {t('enter', { n })}
          </Button>
        )}
      </DialogFoot>
    </Dialog>
  )
}

interface GridPasteDialogProps {
  onPaste: (text: string) => void
  onClose: () => void
}

/** A text field to paste into, for users without a keyboard. */
export function GridPasteDialog({ onPaste, onClose }: GridPasteDialogProps) {
  const t = gridWords.use()
  const [text, setText] = useState('')
  const { leave, question } = useLeaveQuestion(() => text.trim() !== '', onClose)
  return (
    <Dialog opened onClose={leave} title={t('paste')}>
      {question}
      <DialogBody>
        <TextArea
          label={t('pasteField')}
          hint={t('pasteText')}
          rows={8}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          data-autofocus
        />
      </DialogBody>
      <DialogFoot onCancel={onClose}>
        <Button
          kind="primary"
          disabled={text.trim() === '' ? t('nothingPasted') : undefined}
          onClick={() => onPaste(text)}>
          {t('pasteButton')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
