import {
  cancelOfficeCertificates,
  cancelSchoolCertificates,
  officeCertificateFile,
  officeCertificateJob,
  schoolCertificateFile,
  schoolCertificateJob,
} from '@podium/contract/results/calls-certificates-bulk'
import { useQuery } from '@tanstack/react-query'
import { count } from '#shell/format.tsx'
import { JobFiles, JobPanel, untilItEnds } from '#shell/jobs/job-panel.tsx'
import { endpointQuery, useEndpointMutation } from '#shell/query.ts'
import { useDownloads } from '#shell/use-downloads.ts'
import { certificateWords } from './words.ts'

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
  const { state, stop, file: fileOf } = ways[of]
  const stopping = useEndpointMutation(stop, { invalidates: [state] })
  const { data } = useQuery({ ...endpointQuery(state, {}), refetchInterval: untilItEnds })
  const { busy, fetchFile } = useDownloads<number>()
  const job = data?.job
  if (!job) return null
  const zip = job.as === 'zip'
  const { jobId } = job
  return (
    <JobPanel
      className="no-print"
      title={t('jobTitle', { subject: job.subjectName, season: job.season })}
      job={job}
      making={t('making')}
      says={t(zip ? 'makingZip' : 'makingClasses', { done: count(job.done), n: count(job.total) })}
      stopped={t(zip ? 'stoppedZip' : 'stoppedClasses')}
      mayNot={mayNot}
      stopping={stopping.isPending}
      onStop={() => stopping.mutate({ body: { jobId } })}
    >
      <JobFiles
        files={job.files.map(({ certificates: n, ...file }) => ({
          ...file,
          says: t('certificatesOf', { n }),
        }))}
        until={job.until}
        busy={busy}
        mayNot={mayNot}
        onFetch={(part) => void fetchFile(part, fileOf, { body: { jobId, part } })}
      />
    </JobPanel>
  )
}
