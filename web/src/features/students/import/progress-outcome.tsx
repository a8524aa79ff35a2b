import { useSentences } from '#shell/language/sentences.ts'
import { Note } from '#ui/note.tsx'
import { ProgressBar } from '#ui/progress.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { ImportErrors } from './progress-errors.tsx'
import { isMoving, useImportProgress } from './progress-state.ts'
import { ImportUndo } from './progress-undo.tsx'
import { useImportName } from './use-import-name.ts'
import { importWords } from './words-progress.ts'

/** How far an import is; once it has ended, what came of it, who could not be saved, and the way to take it back. */
export function ImportOutcome({ importId }: { importId: string }) {
  const t = importWords.use()
  const say = useSentences()
  const nameOf = useImportName()
  const { progress, error } = useImportProgress(importId)
  if (error) return <Note kind="bad">{say(error.message)}</Note>
  if (!progress) return <Skeleton shape="text" rows={2} />
  const { state, done, total, imported, changed, refused, undone, source } = progress
  const ended = source === 'file' ? 'done' : 'entered'
  if (isMoving(state)) {
    return (
      <>
        <ProgressBar label={t('progressLabel')} total={total} done={done}>
          {state === 'waiting' ? t('waiting', { name: nameOf(progress) }) : t('running', { done, total })}
        </ProgressBar>
        <p className="hint">{t('leave')}</p>
      </>
    )
  }
  return (
    <>
      <div role="status">
        {undone ? null : state === 'failed' ? (
          <Note kind="bad">
            {t('failed')} {say(progress.error)} {t('cancelled', { n: imported })}
          </Note>
        ) : (
          <Note kind={state === 'cancelled' ? 'due' : 'ok'}>
            {t(state === 'cancelled' ? 'cancelled' : ended, { n: imported })}
            {changed > 0 && <p>{t('changedToo', { n: changed })}</p>}
          </Note>
        )}
      </div>
      {refused.length > 0 && !undone && (
        <ImportErrors
          errors={refused}
          title={t('refusedTitle', { n: refused.length })}
          byName={source !== 'file'}
        />
      )}
      <ImportUndo progress={progress} />
    </>
  )
}
