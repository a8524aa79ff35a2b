import { cancelPapers, paperFileOf, paperJobState } from '@podium/contract/exams/calls-attendance'
import { useQuery } from '@tanstack/react-query'
import { count } from '#shell/format.tsx'
import { JobFiles, JobPanel, untilItEnds } from '#shell/jobs/job-panel.tsx'
import { endpointQuery, useEndpointMutation } from '#shell/query.ts'
import { useSession } from '#shell/session.ts'
import { useDownloads } from '#shell/use-downloads.ts'
import { words } from './words.ts'

/** The papers of many schools: counted while they are made, fetched class by class as soon as each is ready. */
export function PapersJob() {
  const t = words.use()
  const stop = useEndpointMutation(cancelPapers, { invalidates: [paperJobState] })
  const mayWrite = useSession()?.permissions?.includes('exams.write') ?? false
  const { data } = useQuery({ ...endpointQuery(paperJobState, {}), refetchInterval: untilItEnds })
  const { busy, fetchFile } = useDownloads<number>()
  const job = data?.job
  if (!job) return null
  const mayNot = mayWrite ? undefined : t('mayNotWrite')
  const zip = job.as === 'schools'
  const { jobId } = job
  return (
    <JobPanel
      className="mb-4"
      title={t('jobTitle', { paper: t(job.kind) })}
      job={job}
      making={t('making')}
      says={t(zip ? 'makingZip' : 'makingSays', { done: count(job.done), n: count(job.total) })}
      stopped={t(zip ? 'stoppedZip' : 'stopped')}
      mayNot={mayNot}
      stopping={stop.isPending}
      onStop={() => stop.mutate({ body: { jobId } })}
    >
      <JobFiles
        files={job.files.map(({ classId: part, students: n, ...file }) => {
          return { ...file, part, says: t('studentsOf', { n }) }
        })}
        until={job.until}
        busy={busy}
        mayNot={mayNot}
        onFetch={(classId) => void fetchFile(classId, paperFileOf, { body: { jobId, classId } })}
      />
    </JobPanel>
  )
}
