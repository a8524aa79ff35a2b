import { Link } from '@tanstack/react-router'
import { paths } from '#shell/paths.ts'
import { Note } from '#ui/note.tsx'
import { ProgressBar } from '#ui/progress.tsx'
import {
  isMoving,
  rememberImport,
  useImportName,
  useImportProgress,
  useStartedImport,
} from './progress-state.ts'
import { importWords } from './words-progress.ts'

/** An import that runs or has just ended, above the list: how far it is, and the way back to it. */
export function ImportBanner() {
  const t = importWords.use()
  const nameOf = useImportName()
  const importId = useStartedImport()
  const { progress } = useImportProgress(importId)
  if (importId === '' || !progress || progress.state === 'checked') return null
  const { done, total, state, imported, refused, undone, undoable, source, rest } = progress
  const name = nameOf(progress)
  const show =
    source !== 'file' ? (
      <Link to={source === 'grid' ? paths.gridEntry : paths.carryOver} className="lk">
        {t('show')}
      </Link>
    ) : (
      <Link to={paths.importDesk} search={{ import: importId }} className="lk">
        {t('show')}
      </Link>
    )
  if (isMoving(state)) {
    return (
      <div className="mb-4">
        <ProgressBar label={t('progressLabel')} total={total} done={done} aside={show}>
          {t('bannerRunning', { name, done, total })}
        </ProgressBar>
      </div>
    )
  }
  if (undone) return null
  const bad = state === 'failed' || refused.length > 0
  const more = bad || undoable > 0 || rest !== ''
  return (
    <div className="mb-4">
      <Note kind={bad ? 'bad' : 'ok'}>
        <b>{t('bannerDone', { name })}</b>{' '}
        {state === 'failed'
          ? t('failed')
          : t(state === 'cancelled' ? 'cancelled' : 'entered', { n: imported })}{' '}
        {refused.length > 0 && `${t('refusedTitle', { n: refused.length })}. `}
        {rest !== '' && `${t('restWaits')} `}
        {more && show}{' '}
        <button type="button" className="lk" onClick={() => rememberImport(undefined)}>
          {t('dismiss')}
        </button>
      </Note>
    </div>
  )
}
