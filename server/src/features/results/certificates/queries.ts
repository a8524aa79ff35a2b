import type { WrittenLanguage } from '@podium/contract/languages'
import { maxCertificates } from '@podium/contract/results/calls-certificates'
import {
  type CertificateJob,
  type CertificateShape,
  certificateHours,
  maxBulkCertificates,
} from '@podium/contract/results/calls-certificates-bulk'
import { sql } from 'kysely'
import type { FamilyScope, OfficeScope, SchoolScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { orNotFound, Refusal } from '#platform/errors'
import { joinedSize } from '#platform/files/zip'
import type { Job } from '#platform/jobs/jobs'
import { type ReleasedResult, releasedResults, studentsOfFamily } from '../public-results/queries.ts'
import { type filterOf, parseResultId, tableOrder, visibleSet } from '../queries.ts'

export const certificatesKind = 'results.certificates'

/** Which certificates a job makes. */
export type BulkInput = {
  eventId: number
  /** Only this school */
  schoolId: number | null
  state: string
  classId: number
  action: 'medal' | 'prize' | 'award' | null
  language: WrittenLanguage
  as: CertificateShape
  /** Requested by the office: a ZIP then has a PDF for each school */
  office: boolean
  subjectName: string
}

/** A file created by a job, listed in its output. */
type MadeCertificates = { name: string; certificates: number; fileId: string; bytes: number }

export type BulkOutput = {
  /** The version of the results */
  setId: number
  /** What the files are named after, in the language of the certificates; absent in output of an earlier version of Podium */
  title?: string
  files: MadeCertificates[]
}

interface BulkJob {
  input: Record<string, unknown>
  output: Record<string, unknown> | null
}

export const inputOf = ({ input }: Pick<BulkJob, 'input'>) => input as BulkInput

export const outputOf = ({ output }: Pick<BulkJob, 'output'>) => output as BulkOutput | null

/** When the files of a job expire. */
const certificatesUntil = (startedAt: Date) => new Date(startedAt.getTime() + certificateHours * 3_600_000)

interface CertificateRow {
  studentId: number
  classId: number
  schoolId: number
  schoolCode: string
  schoolName: string
}

export interface PlannedFile {
  name: string
  studentIds: number[]
}

/** Certificates in one PDF, limited for a school's printer and for memory. */
const longestFile = 300

interface FileNames {
  /** Subject and season, so that the files of two subjects can be unzipped into one folder */
  title: string
  nameOfClass: (classId: number) => string
}

/**
 * The PDFs of a job in order: by class, or by school in an office ZIP, split if long. The same list gives the same files, so
 * that an interrupted job can continue.
 */
export function plannedFiles(
  rows: readonly CertificateRow[],
  input: BulkInput,
  { title, nameOfClass }: FileNames,
): PlannedFile[] {
  const bySchool = input.office && input.as === 'zip'
  const groups = Map.groupBy(rows, (row) => (bySchool ? row.schoolId : row.classId))
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const parts = Math.ceil(group.length / longestFile)
    const named = (part: string) =>
      // A long name of a school may be cut off at the end.
      (bySchool
        ? [title, first.schoolCode, part, first.schoolName]
        : [title, nameOfClass(first.classId), part]
      )
        .filter(Boolean)
        .join(' ')
    return Array.from({ length: parts }, (_, part) => ({
      name: `${named(parts > 1 ? `(${part + 1} of ${parts})` : '')}.pdf`,
      studentIds: group.slice(part * longestFile, (part + 1) * longestFile).map(({ studentId }) => studentId),
    }))
  })
}

/** Refuses missing results and absent students. */
function attended(row: ReleasedResult | undefined): ReleasedResult {
  const result = orNotFound(row)
  if (!result.present) throw new Refusal('results.absent')
  return result
}

/** A released result of the caller's school by its id; `not_found` if it is withheld or not released. */
export async function resultOfSchool(
  db: Db | Tx,
  scope: SchoolScope,
  now: Date,
  resultId: string,
): Promise<ReleasedResult> {
  const { setId, studentId } = parseResultId(resultId)
  const { rows } = await sql<ReleasedResult>`
    ${releasedResults(now)} and r.set_id = ${setId} and r.student_id = ${studentId}
      and r.school_id = ${scope.schoolId}`.execute(db)
  return attended(rows[0])
}

/** A released result of one of the caller's children. */
export async function resultOfFamily(
  db: Db | Tx,
  scope: FamilyScope,
  now: Date,
  resultId: string,
): Promise<ReleasedResult> {
  const { setId, studentId } = parseResultId(resultId)
  const { rows } = await sql<ReleasedResult>`
    with ${studentsOfFamily(scope)}
    ${releasedResults(now)} and r.set_id = ${setId} and r.student_id = ${studentId}
      and r.student_id in (select id from kin)`.execute(db)
  return attended(rows[0])
}

const won = { medal: sql`and r.medal <> ''`, prize: sql`and r.prize <> ''`, award: sql`and r.award <> ''` }

/** The released results of the caller's school with these filters, without absent students, in table order. */
export async function resultsOfSchool(
  db: Db | Tx,
  scope: SchoolScope,
  now: Date,
  filter: ReturnType<typeof filterOf>,
): Promise<[ReleasedResult, ...ReleasedResult[]]> {
  const { season, eventId, letter, level, classId, action } = filter
  const { rows } = await sql<ReleasedResult>`
    ${releasedResults(now)} and r.school_id = ${scope.schoolId} and r.event_id = ${eventId} and r.present
      and e.season = ${season} and e.letter = ${letter} and e.level = ${level}
      ${classId === 0 ? sql`` : sql`and r.class_id = ${classId}`}
      ${action === undefined ? sql`` : won[action]}
    order by ${tableOrder} limit ${maxCertificates + 1}`.execute(db)
  const [first, ...others] = rows
  if (first === undefined) throw new Refusal('results.no_certificates')
  if (rows.length > maxCertificates) throw new Refusal('results.too_many_certificates')
  return [first, ...others]
}

/** Results of these students and events, in the given order, without withheld or withdrawn ones. */
export async function resultsOfStudents(
  db: Db | Tx,
  _scope: OfficeScope,
  now: Date,
  meant: readonly { eventId: number; studentId: number }[],
): Promise<ReleasedResult[]> {
  const { rows } = await sql<ReleasedResult & { place: number }>`
    with meant as (
      select * from unnest(${meant.map(({ eventId }) => eventId)}::bigint[], ${meant.map(({ studentId }) => studentId)}::bigint[])
        with ordinality as u (event_id, student_id, place))
    select x.* from (${releasedResults(now)} and (r.event_id, r.student_id) in (select event_id, student_id from meant)) x
      join meant m on m.event_id = x.event_id and m.student_id = x.student_id
    order by m.place`.execute(db)
  return rows
}

/** The released version and the matching students in file order, without absent and erased students and withheld schools. */
export async function plannedCertificates(db: Db | Tx, now: Date, input: BulkInput) {
  const { eventId, schoolId, state, classId, action, office, as } = input
  const { rows: sets } = await sql<{ id: number }>`
    select v.id from events e join lateral ${visibleSet(sql`e.id`, now)} v on true
    where e.id = ${eventId}`.execute(db)
  const setId = orNotFound(sets[0], 'results.no_certificates').id
  const order = office && as === 'zip' ? sql`h.code, ${tableOrder}` : sql`${tableOrder}, r.student_id`
  const { rows } = await sql<CertificateRow>`
    select r.student_id as "studentId", r.class_id as "classId", r.school_id as "schoolId", h.code as "schoolCode",
      h.name as "schoolName"
    from results r join schools h on h.id = r.school_id
    where r.set_id = ${setId} and r.event_id = ${eventId} and r.present and r.exam_roll_no <> ''
      and not exists (select from result_holds k where k.event_id = r.event_id and k.school_id = r.school_id)
      ${schoolId === null ? sql`` : sql`and r.school_id = ${schoolId}`}
      ${state === '' ? sql`` : sql`and h.state = ${state}`}
      ${classId === 0 ? sql`` : sql`and r.class_id = ${classId}`}
      ${action === null ? sql`` : won[action]}
    order by ${order} limit ${maxBulkCertificates + 1}`.execute(db)
  if (rows.length === 0) throw new Refusal('results.no_certificates')
  if (rows.length > maxBulkCertificates) throw new Refusal('results.too_many_bulk')
  return { setId, rows }
}

/** The released results of these students in a version, in the order of the ids. */
export async function certifiedRows(tx: Tx, now: Date, setId: number, students: readonly number[]) {
  const { rows } = await sql<ReleasedResult>`
    select x.* from (${releasedResults(now)} and r.set_id = ${setId} and r.student_id = any(${[...students]}::bigint[])) x
      join unnest(${[...students]}::bigint[]) with ordinality as u (id, place) on u.id = x.student_id
    order by u.place`.execute(tx)
  return rows
}

/** A certificates job as shown on its page, without what can be done with it. */
export function jobAnswer(job: Job): Omit<CertificateJob, 'can'> {
  const { id: jobId, state, done, total, error } = job
  const { subjectName, as } = inputOf(job)
  const output = outputOf(job)
  const made = output?.files ?? []
  const season = job.season ?? ''
  const whole = {
    part: 0,
    name: `${output?.title ?? `Certificates ${subjectName} ${season}`}.zip`,
    certificates: made.reduce((sum, { certificates }) => sum + certificates, 0),
    bytes: joinedSize(made.map(({ bytes }) => bytes)),
  }
  const files =
    as === 'zip'
      ? state === 'done' && made.length > 0
        ? [whole]
        : []
      : made.map(({ name, certificates, bytes }, index) => ({ part: index + 1, name, certificates, bytes }))
  const until = certificatesUntil(job.createdAt).toISOString()
  return { jobId, subjectName, season, as, until, state, done, total, error, files }
}

/** Refuses the files of a job that have expired, or whose results were withheld or corrected since. */
export async function checkFetchable(db: Db, now: Date, job: Job): Promise<void> {
  if (certificatesUntil(job.createdAt) < now) throw new Refusal('not_found')
  const allowed = await canDownload(db, now, job)
  if (allowed !== true) throw new Refusal(allowed)
}

/**
 * Whether the files of a job may be downloaded. The office's may have other schools too, so they are made again without
 * one that was withheld, or merged with a withheld one.
 */
export async function canDownload(db: Db, now: Date, job: Job): Promise<true | 'results.certificates_old'> {
  const { eventId, schoolId, state } = inputOf(job)
  const { rows } = await sql<{ id: number; withheld: boolean; outdated: boolean }>`
    select v.id, exists (
        select from result_holds h where h.event_id = e.id and h.school_id = ${job.schoolId}) as withheld,
      exists (
        select from result_holds h join schools o on h.school_id in (o.id, o.merged_into)
        where h.event_id = e.id and greatest(h.held_at, o.merged_at) >= ${job.createdAt}
          and (${schoolId}::bigint is null or o.id = ${schoolId}) and (${state} = '' or o.state = ${state})
          and exists (select from results r where r.set_id = v.id and r.school_id = h.school_id and r.present)) as outdated
    from events e join lateral ${visibleSet(sql`e.id`, now)} v on true where e.id = ${eventId}`.execute(db)
  const [out] = rows
  const isCurrent = out && !out.withheld && !out.outdated && out.id === outputOf(job)?.setId
  return isCurrent ? true : 'results.certificates_old'
}

export async function subjectOfEvent(db: Db | Tx, eventId: number) {
  const { rows } = await sql<{ name: string; season: string }>`
    select u.name, e.season from events e join subjects u on u.letter = e.letter
    where e.id = ${eventId}`.execute(db)
  return orNotFound(rows[0])
}
