import type { ResultSet } from '@podium/contract/results/calls-office'
import { ProgressBar } from '#ui/progress.tsx'
import { Rich } from './rich.tsx'
import { officeWords } from './words-office.ts'

/** How far the reading of a file is, in counts; a spreadsheet's rows are only known at its end. */
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
        done={job.total > 0 ? job.done : 0}
      >
        <Rich text={text} /> {t('leaveFreely')}
      </ProgressBar>
    </div>
  )
}
