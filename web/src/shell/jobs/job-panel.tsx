import { type ReactNode, useState } from 'react'
import { Button } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { formatBytes } from '#ui/numbers.ts'
import { Panel } from '#ui/panel.tsx'
import { ProgressBar } from '#ui/progress.tsx'
import type en from '#words/en/jobs.json'
import { Moment } from '../format.tsx'
import { useSentences } from '../language/sentences.ts'
import { defineWords } from '../language/words.ts'

const words = defineWords<typeof en>(import.meta.glob('#words/*/jobs.json'))

const pollInterval = 1_000
export const isInProgress = (state: string | undefined) => state === 'waiting' || state === 'running'

/** For `refetchInterval` of a call that returns a job: polls every second until the job has ended. */
export const pollUntilEnded = ({
  state,
}: {
  state: { data?: { job: { state: string } | null } | undefined }
}) => isInProgress(state.data?.job?.state) && pollInterval

interface JobPanelProps {
  className: string
  title: string
  job: { jobId: string; state: string; total: number; done: number; error: string | null }
  /** Texts: what is being made, the same with its progress, and what remains of a stopped job */
  making: string
  progressText: string
  stopped: string
  /** Why this user can't stop it */
  disabledReason: string | undefined
  stopping: boolean
  onStop: (jobId: string) => void
  children: ReactNode
}

/** A job that makes files: shows its progress, can be stopped, and hidden once it has ended. */
export function JobPanel({ job, disabledReason, ...props }: JobPanelProps) {
  const t = words.use()
  const translate = useSentences()
  const [hidden, setHidden] = useState<string>()
  if (hidden === job.jobId) return null
  const running = isInProgress(job.state)
  return (
    <Panel
      className={props.className}
      title={props.title}
      aside={
        running ? (
          <Button
            kind="text"
            busy={props.stopping}
            disabled={disabledReason}
            onClick={() => props.onStop(job.jobId)}>
            {t('stop')}
          </Button>
        ) : (
          <Button kind="text" onClick={() => setHidden(job.jobId)}>
            {t('hide')}
          </Button>
        )
      }>
      <div className="stack" aria-live="polite">
        {running && (
          <ProgressBar label={props.making} total={Math.max(1, job.total)} done={job.done}>
            {props.progressText}
          </ProgressBar>
        )}
        {job.state === 'failed' && <Note kind="bad">{translate(job.error ?? '')}</Note>}
        {job.state === 'cancelled' && <Note kind="info">{props.stopped}</Note>}
        {props.children}
      </div>
    </Panel>
  )
}

interface JobFilesProps {
  /** 0 is the ZIP of all; `contents` is what the file holds */
  files: ReadonlyArray<{ part: number; name: string; contents: string; bytes: number }>
  until: string
  busy: number | undefined
  disabledReason?: string | undefined
  onFetch: (part: number) => void
}

/** The files a job has made so far. */
export function JobFiles({ files, until, busy, disabledReason, onFetch }: JobFilesProps) {
  const t = words.use()
  if (files.length === 0) return null
  return (
    <>
      <ul className="ruled long" aria-label={t('files')}>
        {files.map(({ part, name, contents, bytes }) => (
          <li key={part} className="row between one-line gap-4">
            <span>
              {name}{' '}
              <small className="quiet">
                {contents}, {formatBytes(bytes)}
              </small>
            </span>
            <Button
              icon="download"
              busy={busy === part}
              disabled={disabledReason}
              aria-label={t('fetch', { name })}
              onClick={() => onFetch(part)}>
              {t(part === 0 ? 'zip' : 'pdf')}
            </Button>
          </li>
        ))}
      </ul>
      <p className="quiet">
        {t('keptUntil')} <Moment value={until} />
      </p>
    </>
  )
}
