import { useDownloads } from '#shell/use-downloads.ts'
import './certificates.css'
import {
  type CertificateJob,
  cancelOfficeCertificates,
  cancelSchoolCertificates,
  officeCertificateFile,
  officeCertificateJob,
  schoolCertificateFile,
  schoolCertificateJob,
} from '@podium/contract/results/calls-certificates-bulk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { count, Moment } from '#shell/format.tsx'
import { useSentences } from '#shell/language/sentences.ts'
import { endpointQuery, useEndpointMutation } from '#shell/query.ts'
import { Button } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { ProgressBar } from '#ui/progress.tsx'
import { sizeText } from '#ui/size-text.ts'
import { certificateWords } from './words.ts'

const looksEvery = 1_000
const isUnderWay = (state: string | undefined) => state === 'waiting' || state === 'running'

const ways = {
  school: { state: schoolCertificateJob, stop: cancelSchoolCertificates, file: schoolCertificateFile },
  office: { state: officeCertificateJob, stop: cancelOfficeCertificates, file: officeCertificateFile },
} as const

interface JobProps {
  of: keyof typeof ways
  /** Why files can not be fetched by this person. */
  mayNot?: string | undefined
}

/** Certificates that are being made, counted; their files as soon as they are ready. Nothing where nobody asked within a day. */
export function CertificatesJob({ of, mayNot }: JobProps) {
  const t = certificateWords.use()
  const say = useSentences()
  const { state, stop } = ways[of]
  const stopping = useEndpointMutation(stop, { invalidates: [state] })
  const [closed, setClosed] = useState<string>()
  const { data } = useQuery({
    ...endpointQuery(state, {}),
    refetchInterval: (query) => (isUnderWay(query.state.data?.job?.state) ? looksEvery : false),
  })
  const job = data?.job
  if (!job || closed === job.jobId) return null
  const running = isUnderWay(job.state)
  return (
    <Panel
      className="no-print"
      title={t('jobTitle', { subject: job.subjectName, season: job.season })}
      aside={
        running ? (
          <Button
            kind="text"
            busy={stopping.isPending}
            disabled={mayNot}
            onClick={() => stopping.mutate({ body: { jobId: job.jobId } })}
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
            {t(job.as === 'zip' ? 'makingZip' : 'makingClasses', {
              done: count(job.done),
              n: count(job.total),
            })}
          </ProgressBar>
        )}
        {job.state === 'failed' && <Note kind="bad">{say(job.error ?? '')}</Note>}
        {job.state === 'cancelled' && (
          <Note kind="info">{t(job.as === 'zip' ? 'stoppedZip' : 'stoppedClasses')}</Note>
        )}
        <Files job={job} of={of} mayNot={mayNot} />
        {job.files.length > 0 && (
          <p className="quiet">
            {t('keptUntil')} <Moment value={job.until} />
          </p>
        )}
      </div>
    </Panel>
  )
}

function Files({ job, of, mayNot }: JobProps & { job: CertificateJob }) {
  const t = certificateWords.use()
  const { busy, fetchFile } = useDownloads<number>()
  if (job.files.length === 0) return null
  return (
    <ul className="res-files" aria-label={t('files')}>
      {job.files.map((file) => (
        <li key={file.part}>
          <span>
            {file.name}{' '}
            <small>
              {t('certificatesOf', { n: file.certificates })}, {sizeText(file.bytes)}
            </small>
          </span>
          <Button
            icon="download"
            busy={busy === file.part}
            disabled={mayNot}
            aria-label={t('fetch', { name: file.name })}
            onClick={() =>
              void fetchFile(file.part, ways[of].file, { body: { jobId: job.jobId, part: file.part } })
            }
          >
            {file.part === 0 ? 'ZIP' : 'PDF'}
          </Button>
        </li>
      ))}
    </ul>
  )
}
