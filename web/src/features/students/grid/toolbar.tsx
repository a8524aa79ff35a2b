import { useState } from 'react'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog, Dialog, DialogBody } from '#ui/dialog.tsx'
import { deleteRows, fillDown, insertRows, redo, undo, writtenRows } from './grid-sheet.ts'
import type { Grid } from './use-grid.ts'
import { gridWords } from './words.ts'

const keys = [
  'keyMove',
  'keyGo',
  'keyEdit',
  'keyClear',
  'keyClip',
  'keyFill',
  'keyUndo',
  'keyFault',
  'keyTake',
  'keyRow',
  'keyLeave',
] as const

interface GridToolbarProps {
  grid: Grid
  onPaste: () => void
}

/** What the keys do, as buttons, and the faults: how many, and the way to the next one. */
export function GridToolbar({ grid, onPaste }: GridToolbarProps) {
  const t = gridWords.use()
  const [opened, setOpened] = useState<'keys' | 'clear'>()
  const { sheet, checked } = grid
  const count = checked.faults.length
  const written = writtenRows(sheet.rows).length
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <div className="gr-tools" role="group" aria-label={t('tools')}>
      <Button
        icon="undo"
        disabled={sheet.past.length === 0 ? t('nothingToUndo') : undefined}
        onClick={() => grid.act(undo, t('undone'))}
        aria-keyshortcuts="Control+Z"
      >
        {t('undo')}
      </Button>
      <Button
        disabled={sheet.future.length === 0 ? t('nothingToRedo') : undefined}
        onClick={() => grid.act(redo, t('redone'))}
        aria-keyshortcuts="Control+Y"
      >
        {t('redo')}
      </Button>
      <Button onClick={() => grid.act(fillDown, t('filled'))} aria-keyshortcuts="Control+D">
        {t('fillDown')}
      </Button>
      <Button onClick={() => grid.act(insertRows)}>{t('insert')}</Button>
      <Button onClick={() => grid.act(deleteRows)}>{t('remove')}</Button>
      <Button onClick={onPaste}>{t('paste')}</Button>
      <Button
        kind="text"
        disabled={written === 0 ? t('nobody') : undefined}
        onClick={() => setOpened('clear')}
      >
        {t('clearAll')}
      </Button>
      <Button kind="text" onClick={() => setOpened('keys')}>
        {t('keys')}
      </Button>
      <span className={count > 0 ? 'gr-count bad' : 'gr-count'}>
        {count > 0 ? t('faults', { n: count }) : t('noFault')}
      </span>
      <Button
        disabled={count === 0 ? t('noFaults') : undefined}
        onClick={() => grid.goToFault(1)}
        aria-keyshortcuts="F8"
        shortcut="F8"
      >
        {t('nextFault')}
      </Button>
      {opened === 'keys' && (
        <Dialog opened onClose={() => setOpened(undefined)} title={t('keysTitle')} size="small">
          <DialogBody>
            <ul className="gr-keys">
              {keys.map((key) => (
                <li key={key}>{t(key)}</li>
              ))}
            </ul>
          </DialogBody>
        </Dialog>
      )}
      {opened === 'clear' && (
        <ConfirmDialog
          opened
          danger
          title={t('clearTitle', { n: written })}
          action={t('clearAll')}
          onConfirm={() => {
            grid.replace([], t('cleared'))
            setOpened(undefined)
          }}
          onCancel={() => setOpened(undefined)}
        >
          <p>{t('clearText')}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
