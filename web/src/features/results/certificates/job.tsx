import type { BodyOf } from '@podium/contract/endpoint'
import type { WrittenLanguage } from '@podium/contract/languages'
import {
  type CertificateShape,
  cancelOfficeCertificates,
  cancelSchoolCertificates,
  certificateShapes,
  officeCertificateFile,
  officeCertificateJob,
  schoolCertificateFile,
  schoolCertificateJob,
  startSchoolCertificates,
} from '@podium/contract/results/calls-certificates-bulk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ConfirmAction } from '#shell/action-dialogs.tsx'
import { call } from '#shell/call.ts'
import { count } from '#shell/format.tsx'
import { JobFiles, JobPanel, pollUntilEnded } from '#shell/jobs/job-panel.tsx'
import { defineWords } from '#shell/language/words.ts'
import { endpointQuery } from '#shell/query.ts'
import { useAction } from '#shell/use-action.ts'
import { useDownloads } from '#shell/use-downloads.ts'
import { RadioField } from '#ui/check-field.tsx'
import { Note } from '#ui/note.tsx'
import type en from '#words/en/results-certificate.json'

export const certificateWords = defineWords<typeof en>(import.meta.glob('#words/*/results-certificate.json'))

const endpoints = {
  school: { state: schoolCertificateJob, stop: cancelSchoolCertificates, file: schoolCertificateFile },
  office: { state: officeCertificateJob, stop: cancelOfficeCertificates, file: officeCertificateFile },
} as const

interface JobProps {
  of: keyof typeof endpoints
  /** Why this person cannot download the files. */
  disabledReason?: string | undefined
}

/** Shows the progress of a certificates job and, once it is done, its files. Empty if none was started within a day. */
export function CertificatesJob({ of, disabledReason }: JobProps) {
  const t = certificateWords.use()
  const { state, stop, file: fileOf } = endpoints[of]
  const stopping = useAction([state])
  const { data } = useQuery({ ...endpointQuery(state, {}), refetchInterval: pollUntilEnded })
  const { busy, fetchFile } = useDownloads<number>()
  const job = data?.job
  if (!job) return null
  const zip = job.as === 'zip'
  const { jobId, can } = job
  const outdated = can.download === true ? undefined : t('outdated')
  return (
    <JobPanel
      className="no-print"
      title={t('jobTitle', { subject: job.subjectName, season: job.season })}
      job={job}
      making={t('making')}
      progressText={t(zip ? 'makingZip' : 'makingClasses', { done: count(job.done), n: count(job.total) })}
      stopped={t(zip ? 'stoppedZip' : 'stoppedClasses')}
      disabledReason={disabledReason}
      stopping={stopping.busy}
      onStop={() => void stopping.act(() => call(stop, { body: { jobId } }))}>
      {outdated && <Note kind="due">{outdated}</Note>}
      <JobFiles
        files={job.files.map(({ certificates: n, ...file }) => ({
          ...file,
          contents: t('certificatesOf', { n }),
        }))}
        until={job.until}
        busy={busy}
        disabledReason={outdated ?? disabledReason}
        onFetch={(part) => void fetchFile(part, fileOf, { body: { jobId, part } })}
      />
    </JobPanel>
  )
}

interface BulkProps {
  asked: Omit<BodyOf<typeof startSchoolCertificates>, 'as' | 'language'>
  language: WrittenLanguage
  onClose: () => void
}

/** Starts a job when there are more certificates than one file can hold. */
export function BulkDialog({ asked, language, onClose }: BulkProps) {
  const t = certificateWords.use()
  const [as, setAs] = useState<CertificateShape>('zip')
  return (
    <ConfirmAction
      title={t('makeTitle')}
      action={t('makeNow')}
      act={() => call(startSchoolCertificates, { body: { ...asked, language, as } })}
      invalidates={[schoolCertificateJob]}
      onClose={onClose}>
      <div className="stack">
        <p>{t('makeHint')}</p>
        <RadioField
          label={t('shape')}
          name="certificate-shape"
          value={as}
          choices={certificateShapes.map((value) => ({ value, label: t(`shape_${value}`) }))}
          onChange={(next) => setAs(next === 'classes' ? 'classes' : 'zip')}
        />
      </div>
    </ConfirmAction>
  )
}
