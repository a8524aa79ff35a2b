import { cancelImport } from '@podium/contract/enrolment-import'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import { useSentences } from '#shell/language/sentences.ts'
import { Button } from '#ui/button.tsx'
import { DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { Note } from '#ui/note.tsx'
import { ProgressBar } from '#ui/progress.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { ImportErrors } from './import-errors.tsx'
import { isMoving, rememberImport, useImportProgress } from './import-state.ts'
import { importWords } from './import-words.ts'

interface ImportRunningProps {
  importId: string
  onAgain: () => void
  onClose: () => void
}

/** How far the import is, and what came of it; it goes on when this is closed. */
export function ImportRunning({ importId, onAgain, onClose }: ImportRunningProps) {
  const t = importWords.use()
  const say = useSentences()
  const client = useQueryClient()
  const { progress, error } = useImportProgress(importId)
  const [stopping, setStopping] = useState(false)
  const [problem, setProblem] = useState<string>()
  const stop = async () => {
    setStopping(true)
    try {
      await call(cancelImport, { body: { importId } })
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      setProblem(say(cause.message))
    }
    await client.invalidateQueries()
    setStopping(false)
  }
  const moving = isMoving(progress?.state)
  const close = () => {
    // An import that is over has been seen; one that runs stays on the page.
    if (!moving) rememberImport(undefined)
    onClose()
  }
  return (
    <>
      <DialogBody>
        {(problem ?? error) && <Note kind="bad">{problem ?? say(error?.message ?? '')}</Note>}
        {!progress && !error && <Skeleton shape="text" rows={2} />}
        {progress && moving && (
          <>
            <ProgressBar label={t('progressLabel')} total={progress.total} done={progress.done}>
              {progress.state === 'waiting'
                ? t('waiting', { name: progress.fileName })
                : t('running', { done: progress.done, total: progress.total })}
            </ProgressBar>
            <p className="hint">{t('leave')}</p>
          </>
        )}
        {progress && !moving && (
          <div role="status">
            {progress.state === 'failed' ? (
              <Note kind="bad">
                {t('failed')} {say(progress.error)} {t('cancelled', { n: progress.imported })}
              </Note>
            ) : (
              <Note kind={progress.state === 'cancelled' ? 'due' : 'ok'}>
                {t(progress.state === 'cancelled' ? 'cancelled' : 'done', { n: progress.imported })}
              </Note>
            )}
          </div>
        )}
        {progress && progress.refused.length > 0 && (
          <ImportErrors errors={progress.refused} title={t('refusedTitle', { n: progress.refused.length })} />
        )}
      </DialogBody>
      <DialogFoot>
        {moving ? (
          <Button kind="danger" busy={stopping} onClick={() => void stop()}>
            {t('stop')}
          </Button>
        ) : (
          <Button onClick={onAgain}>{t('another')}</Button>
        )}
        <Button kind="primary" onClick={close}>
          {t('close')}
        </Button>
      </DialogFoot>
    </>
  )
}
