import { Button } from '#ui/button.tsx'
import { DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { ImportOutcome } from './import-outcome.tsx'
import { isMoving, rememberImport, useImportProgress } from './import-state.ts'
import { ImportStop } from './import-stop.tsx'
import { importWords } from './import-words.ts'

interface ImportRunningProps {
  importId: string
  onAgain: () => void
  onClose: () => void
}

/** How far the import is, and what came of it; it goes on when this is closed. */
export function ImportRunning({ importId, onAgain, onClose }: ImportRunningProps) {
  const t = importWords.use()
  const { progress } = useImportProgress(importId)
  const moving = isMoving(progress?.state)
  const close = () => {
    // An import that is over has been seen; one that runs stays on the page.
    if (!moving) rememberImport(undefined)
    onClose()
  }
  return (
    <>
      <DialogBody>
        <ImportOutcome importId={importId} />
      </DialogBody>
      <DialogFoot>
        {moving ? <ImportStop importId={importId} /> : <Button onClick={onAgain}>{t('another')}</Button>}
        <Button kind="primary" onClick={close}>
          {t('close')}
        </Button>
      </DialogFoot>
    </>
  )
}
