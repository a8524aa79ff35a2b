import type { ResultSet } from '@podium/contract/results/calls-office'
import { Link } from '@tanstack/react-router'
import { BoldText } from '#shell/format.tsx'
import { buttonClass } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { ProgressBar } from '#ui/progress.tsx'
import { nextStep } from './office-event.ts'
import { type OfficeStep, officeFilters } from './office-filters.ts'
import { officeWords } from './office-parts.tsx'

/** Shows what was read from a file, with a link to the next step. */
export function ImportOutcome({ set, shown }: { set: ResultSet; shown: OfficeStep }) {
  const t = officeWords.use()
  const next = nextStep(set)
  return (
    <Note kind={set.openBlocking > 0 ? 'due' : 'ok'}>
      <BoldText
        text={t(set.openAnomalies > 0 ? 'read' : 'readClean', {
          file: set.fileName || t('byHand'),
          n: set.rows,
          version: set.version,
          open: set.openBlocking,
          all: set.openAnomalies,
        })}
      />{' '}
      {next !== 'release' && next !== shown && (
        <Link to="." search={officeFilters.validate({ step: next })}>
          {t('continue', { step: t(next) })}
        </Link>
      )}
    </Note>
  )
}

/** Focuses what replaces a pressed button, unless the focus has moved on meanwhile. */
const takeFocus = (element: HTMLElement | null) => {
  if (document.activeElement === document.body) element?.focus()
}

/** Links to the release step of an approved version. `focused`: it replaces the button that approved it. */
export function ReleaseLink({ focused = false }: { focused?: boolean }) {
  const t = officeWords.use()
  return (
    <Link
      to="."
      search={officeFilters.validate({ step: 'release' })}
      className={buttonClass('primary')}
      ref={focused ? takeFocus : null}>
      {t('continue', { step: t('release') })}
    </Link>
  )
}

/** Progress of an import, in rows. The total of a spreadsheet is known only at its end. */
export function JobProgress({ job, fileName }: { job: NonNullable<ResultSet['job']>; fileName: string }) {
  const t = officeWords.use()
  const text =
    job.state === 'waiting'
      ? t('jobWaiting', { file: fileName })
      : job.total > 0
        ? t('reading', { file: fileName, done: job.done, n: job.total })
        : t('readingSome', { file: fileName, done: job.done })
  return (
    <div aria-live="polite">
      <ProgressBar
        label={t('importing')}
        total={Math.max(job.total, job.done, 1)}
        done={job.total > 0 ? job.done : 0}>
        <BoldText text={text} /> {t('leaveFreely')}
      </ProgressBar>
    </div>
  )
}
