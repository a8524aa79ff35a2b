import {
  cancelPapers,
  type PaperJob,
  paperFileOf,
  paperJobState,
} from '@podium/contract/exams/calls-attendance'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { count, Moment } from '#shell/format.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { endpointQuery, useEndpointMutation } from '#shell/query.ts'
import { useSession } from '#shell/session.ts'
import { useDownloads } from '#shell/use-downloads.ts'
import { Button } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { ProgressBar } from '#ui/progress.tsx'
import { sizeText } from '#ui/size-text.ts'
import { words } from './words.ts'

const looksEvery = 1_000
const isUnderWay = (state: string | undefined) => state === 'waiting' || state === 'running'

/** The papers of many schools: counted while they are made, fetched class by class as soon as each is ready. */
export function PapersJob() {
  const t = words.use()
  const say = useSentences()
  const stop = useEndpointMutation(cancelPapers, { invalidates: [paperJobState] })
  const [closed, setClosed] = useState<string>()
  const mayWrite = useSession()?.permissions?.includes('exams.write') ?? false
  const { data } = useQuery({
    ...endpointQuery(paperJobState, {}),
    refetchInterval: ({ state }) => (isUnderWay(state.data?.job?.state) ? looksEvery : false),
  })
  const job = data?.job
  if (!job || closed === job.jobId) return null
  const running = isUnderWay(job.state)
  const mayNot = mayWrite ? undefined : t('mayNotWrite')
  return (
    <div className="ep-job">
      <Panel
        title={t('jobTitle', { paper: t(job.kind) })}
        aside={
          running ? (
            <Button
              kind="text"
              busy={stop.isPending}
              disabled={mayNot}
              onClick={() => stop.mutate({ body: { jobId: job.jobId } })}
            >
              {t('stop')}
            </Button>
          ) : (
            <Button kind="text" onClick={() => setClosed(job.jobId)}>
              {t('hide')}
            </Button>
          )
        }
      >
        <div className="stack" aria-live="polite">
          {running && (
            <ProgressBar label={t('making')} total={Math.max(1, job.total)} done={job.done}>
              {t(job.as === 'schools' ? 'makingZip' : 'makingSays', {
                done: count(job.done),
                n: count(job.total),
              })}
            </ProgressBar>
          )}
          {job.state === 'failed' && <Note kind="bad">{say(job.error ?? '')}</Note>}
          {job.state === 'cancelled' && (
            <Note kind="info">{t(job.as === 'schools' ? 'stoppedZip' : 'stopped')}</Note>
          )}
          <Files job={job} mayNot={mayNot} />
          {job.files.length > 0 && (
            <p className="quiet">
              {t('keptUntil')} <Moment value={job.until} />
            </p>
          )}
        </div>
      </Panel>
    </div>
  )
}

function Files({ job, mayNot }: { job: PaperJob; mayNot: string | undefined }) {
  const t = words.use()
  const { busy, fetchFile } = useDownloads<number>()
  if (job.files.length === 0) return null
  return (
    <ul className="ep-files" aria-label={t('files')}>
      {job.files.map((file) => (
        <li key={file.classId}>
          <span>
            {file.name}{' '}
            <small>
              {t('studentsOf', { n: file.students })}, {sizeText(file.bytes)}
            </small>
          </span>
          <Button
            icon="download"
            busy={busy === file.classId}
            disabled={mayNot}
            aria-label={t('fetch', { name: file.name })}
            onClick={() =>
              void fetchFile(file.classId, paperFileOf, { body: { jobId: job.jobId, classId: file.classId } })
            }
          >
            {t(file.classId === 0 ? 'zip' : 'pdf')}
          </Button>
        </li>
      ))}
    </ul>
  )
}
