import { officerBehind, teacherBehind } from '#platform/auth/job-askers'
import type { Deps } from '#platform/deps'
import { dropDayOld, safeName, storeFile } from '#platform/files/files'
import { zip } from '#platform/files/zip'
import type { Job, JobHandlers, RunContext } from '#platform/jobs/jobs'
import { issueCertificates } from './commands.ts'
import {
  type CertificateIssuer,
  type Certified,
  certificatesFile,
  certifiedOf,
  issuerOf,
} from './documents.ts'
import {
  type BulkInput,
  type BulkOutput,
  certificatesKind,
  certifiedRows,
  inputOf,
  outputOf,
  type PlannedFile,
  plannedCertificates,
  plannedFiles,
} from './queries.ts'

type JobDeps = Pick<Deps, 'files' | 'settings'>

/** Certificates of long lists, file by file; started again it goes on after the files that are ready. */
export function certificateJobs(deps: JobDeps): JobHandlers {
  return { [certificatesKind]: (job, context) => run(deps, job, context) }
}

async function run(deps: JobDeps, job: Job, context: RunContext) {
  const { db, clock, progress, checkpoint } = context
  const input = inputOf(job)
  await dropDayOld(db, deps.files, certificatesKind, clock())
  const { setId, rows } = await plannedCertificates(db, clock(), input)
  const before = outputOf(job)
  // A correction in between: what was made may no longer hold.
  const output: BulkOutput = before?.setId === setId ? before : { setId, files: [] }
  const plan = plannedFiles(rows, input)
  let done = output.files.reduce((sum, { certificates }) => sum + certificates, 0)
  await progress(done, rows.length)
  for (const file of plan.slice(output.files.length)) {
    output.files.push(await make(deps, job, context, { setId, file, input }))
    done += file.studentIds.length
    await checkpoint({ ...output })
    await progress(done, rows.length)
  }
  return { ...output }
}

interface Making {
  setId: number
  file: PlannedFile
  input: BulkInput
}

async function make({ files, settings }: JobDeps, job: Job, context: RunContext, making: Making) {
  const { db, clock } = context
  const { setId, file, input } = making
  const by = job.schoolId === null ? officerBehind(context) : teacherBehind(context)
  const certified = await db.transaction().execute(async (tx) => {
    const [first, ...others] = await certifiedRows(tx, clock(), setId, file.studentIds)
    if (!first) return []
    const rows = [first, ...others] as const
    const numbers = await issueCertificates(tx, by, clock(), rows)
    return rows.map((row, index) => certifiedOf(row, numbers[index] ?? ''))
  })
  const pdf = await drawn(certified, await issuerOf({ db, files, settings }, input.language), file.name)
  const zipped = input.as === 'zip'
  const bytes = zipped
    ? zip(pdf ? [{ name: safeName(file.name), content: pdf }] : [])
    : (pdf ?? Buffer.alloc(0))
  const name = zipped ? `${file.name}.zip` : `Certificates ${input.subjectName} ${job.season} ${file.name}`
  const fileId = await db.transaction().execute((tx) =>
    storeFile(tx, files, clock(), {
      ...(job.schoolId === null ? {} : { schoolId: job.schoolId }),
      kind: certificatesKind,
      name,
      mediaType: zipped ? 'application/zip' : 'application/pdf',
      bytes,
    }),
  )
  return { name, certificates: certified.length, fileId, bytes: bytes.length }
}

/** Undefined where all of them have been held back meanwhile. */
async function drawn(certified: readonly Certified[], issuer: CertificateIssuer, name: string) {
  const [first, ...others] = certified
  if (!first) return undefined
  const { file } = await certificatesFile([first, ...others], issuer, name.replace(/\.pdf$/, ''))
  return Buffer.isBuffer(file.content) ? file.content : undefined
}
