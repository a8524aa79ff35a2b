import { className } from '@podium/contract/classes'
import { fromRupees, paise, rupees } from '@podium/contract/money'
import { sql } from 'kysely'
import { refuseRecentJoiner } from '#features/staff/queries'
import { audit } from '#platform/audit'
import type { OfficeScope, SchoolScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { changeRows, firstRow } from '#platform/db/rows'
import { notFound, orNotFound, Refusal } from '#platform/errors'
import { type FileStore, storeFile } from '#platform/files/files'
import type { StoredUpload } from '#platform/files/files-accept'
import { pageOfSeason } from '#platform/mail/mail-templates'
import { mailPerson } from '#platform/mail/mail-texts'
import { markPaid } from '#platform/paid-students'
import { isRequester } from './queries.ts'

interface Student {
  id: number
  school_id: number
  season: string
  active: boolean
  paid: boolean
  reg_amount: number
  reg_retained: number
  covered: boolean
  open: boolean
}

/** Locks the school, then the student. Another school's student is not found. */
async function lockStudent(tx: Tx, studentId: number, schoolId: number | undefined): Promise<Student> {
  const row = orNotFound(await firstRow(tx, 'students', { id: studentId }, ['school_id']))
  if (schoolId !== undefined && row.school_id !== schoolId) throw new Refusal('not_found')
  await sql`select id from schools where id = ${row.school_id} for no key update`.execute(tx)
  await sql`select id from students where id = ${studentId} for update`.execute(tx)
  const { rows } = await sql<Student>`
    select s.id, s.school_id, s.season, s.active, s.paid, s.reg_amount, s.reg_retained, z.state = 'open' as open,
      exists (select from payment_lines l where l.student_id = s.id and l.purpose = 'registration' and l.live) as covered
    from students s join seasons z on z.label = s.season where s.id = ${studentId}`.execute(tx)
  return orNotFound(rows[0])
}

/** Refuses if there is nothing to waive: deleted, paid, being verified, or free. */
function checkOwes(student: Student): void {
  if (!student.active) throw new Refusal('enrolment.deleted')
  if (student.paid) throw new Refusal('waivers.paid')
  if (student.covered) throw new Refusal('waivers.being_verified')
  if (student.reg_amount - student.reg_retained <= 0) throw new Refusal('waivers.nothing_due')
}

const subjectOf = (student: Pick<Student, 'id' | 'school_id' | 'season'>) => ({
  kind: 'student',
  id: student.id,
  schoolId: student.school_id,
  season: student.season,
})

/** Locks a student for whom a waiver can be requested. Same refusals as `askForWaiver`. */
export async function lockForWaiver(
  tx: Tx,
  scope: SchoolScope | OfficeScope,
  studentId: number,
): Promise<Student> {
  const student = await lockStudent(tx, studentId, scope.kind === 'school' ? scope.schoolId : undefined)
  checkOwes(student)
  if (!student.open) throw new Refusal('enrolment.season_closed')
  const before = await tx
    .selectFrom('waivers')
    .select('id')
    .where('student_id', '=', studentId)
    .where('state', 'in', ['asked', 'approved'])
    .executeTakeFirst()
  if (before) throw new Refusal('waivers.asked')
  return student
}

/**
 * Requests a waiver of a student's registration fee: a school for its own students, the office for any. Refuses a second
 * request (`waivers.asked`), and if nothing is due (`waivers.*`).
 */
export async function askForWaiver(
  tx: Tx,
  files: FileStore,
  scope: SchoolScope | OfficeScope,
  now: Date,
  request: { studentId: number; reason: string; evidence: StoredUpload; name: string },
): Promise<{ id: number }> {
  const student = await lockForWaiver(tx, scope, request.studentId)
  const evidence = await storeFile(tx, files, now, {
    schoolId: student.school_id,
    kind: 'waiver-evidence',
    name: evidenceName(request.name, request.evidence.extension),
    mediaType: request.evidence.mediaType,
    bytes: request.evidence.bytes,
    createdBy: scope.kind === 'school' ? scope.userId : scope.staffId,
  })
  const waiver = await tx
    .insertInto('waivers')
    .values({
      student_id: student.id,
      school_id: student.school_id,
      season: student.season,
      gross: student.reg_amount,
      retained: student.reg_retained,
      reason: request.reason,
      evidence_file_id: evidence,
      ...requesterOf(scope),
      asked_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .column('student_id')
        .where('state', 'in', [sql.lit('asked'), sql.lit('approved')])
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirstOrThrow(() => new Refusal('waivers.asked'))
  await audit(tx, now, scope, 'waiver.asked', subjectOf(student), { reason: request.reason })
  return { id: waiver.id }
}

/** The requester, for the two-person rule: an officer signed in as a school counts as the office. */
function requesterOf(scope: SchoolScope | OfficeScope) {
  const staff = scope.kind === 'office' ? scope.staffId : scope.acting?.staffId
  return staff === undefined && scope.kind === 'school'
    ? { asked_by_user: scope.userId, asked_by_staff: null }
    : { asked_by_user: null, asked_by_staff: staff ?? null }
}

function evidenceName(sent: string, extension: string): string {
  const bare = sent.replace(/\.[A-Za-z0-9]{1,8}$/, '')
  return `${bare === '' ? 'evidence' : bare}.${extension}`
}

/** Withdraws a school's request. Refuses a decided one, the office's, and another school's. */
export async function withdrawWaiver(
  tx: Tx,
  scope: SchoolScope,
  now: Date,
  { id, version }: { id: number; version: number },
): Promise<void> {
  const before = orNotFound(
    await firstRow(tx, 'waivers', { school_id: scope.schoolId, id }, ['asked_by_staff']),
  )
  if (before.asked_by_staff !== null && before.asked_by_staff !== scope.acting?.staffId)
    throw new Refusal('waivers.by_office')
  const [waiver] = await changeRows(tx, 'waivers', {
    where: { id, school_id: scope.schoolId, state: 'asked', version },
    set: { state: 'withdrawn', decided_at: now, version: sql`version + 1` },
    returning: ['student_id', 'school_id', 'season'],
  })
  if (!waiver) throw new Refusal('waivers.decided')
  await audit(tx, now, scope, 'waiver.withdrawn', subjectOf({ ...waiver, id: waiver.student_id }))
}

interface Decision {
  id: number
  version: number
}

/**
 * The statement that decides: only the first of two officers succeeds. The two-person rule excludes the requester, also with a
 * school account, and for approvals anyone who joined the office after the request.
 */
async function decide(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, version }: Decision,
  outcome: { state: 'approved' | 'declined'; decision: string },
) {
  const waiver = await tx
    .selectFrom('waivers as w')
    .leftJoin('users as u', 'u.id', 'w.asked_by_user')
    .select(['w.student_id', 'w.asked_by_staff', 'w.asked_at', 'w.state'])
    .select(isRequester(scope).as('own'))
    .where('w.id', '=', id)
    .executeTakeFirstOrThrow(notFound)
  if (waiver.state !== 'asked') throw new Refusal('waivers.decided')
  if (waiver.own) throw new Refusal('waivers.own')
  if (waiver.asked_by_staff !== null && outcome.state === 'approved')
    await refuseRecentJoiner(tx, scope, waiver.asked_at)
  const student = await lockStudent(tx, waiver.student_id, undefined)
  const [decided] = await changeRows(tx, 'waivers', {
    where: { id, state: 'asked', version },
    set: { ...outcome, decided_by: scope.staffId, decided_at: now, version: version + 1 },
    returning: ['gross', 'retained', 'asked_by_user'],
  })
  if (!decided) throw new Refusal('waivers.decided')
  return { student, ...decided }
}

/**
 * Waives the fee shown (`amount`, rupees). The student counts as paid; only locks for books remain. Same refusals as
 * `checkOwes`, and `waivers.amount_changed` if the amount has changed.
 */
export async function approveWaiver(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { amount: shown, ...decision }: Decision & { amount: number },
) {
  const { student } = await decide(tx, scope, now, decision, { state: 'approved', decision: '' })
  checkOwes(student)
  const amount = paise(student.reg_amount - student.reg_retained)
  if (fromRupees(shown) !== amount)
    throw new Refusal('waivers.amount_changed', { fields: { amount: rupees(amount) } })
  await changeRows(tx, 'waivers', {
    where: { id: decision.id },
    set: { gross: student.reg_amount, retained: student.reg_retained },
  })
  await markPaid(tx, sql`select ${student.id}::bigint`)
  await changeRows(tx, 'students', { where: { id: student.id }, set: { waived: true, updated_at: now } })
  await audit(tx, now, scope, 'waiver.approved', subjectOf(student), { regAmount: rupees(amount) })
}

/** Declines a waiver with a reason for the school; the fee stays due. */
export async function declineWaiver(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { reason, ...decision }: Decision & { reason: string },
) {
  const { student } = await decide(tx, scope, now, decision, { state: 'declined', decision: reason })
  await audit(tx, now, scope, 'waiver.declined', subjectOf(student), { reason })
  return student.school_id
}

interface WaiverRow {
  state: string
  decision: string
  class_id: number
  section: string
  season: string
  roll_no: number
  name: string
  email: string
  language: string
}

/** E-mails the decision to the requester, or else the coordinator; the student is named only by class and roll no. */
export async function mailDecision(tx: Tx, now: Date, id: number, page: string): Promise<void> {
  const { rows } = await sql<WaiverRow>`
    select w.state, w.decision, s.season, s.class_id, s.section, s.roll_no, u.name, u.email, u.language
    from waivers w join students s on s.id = w.student_id
      join lateral (
        select u.name, u.email, u.language from users u
        where u.disabled_at is null and u.school_id = w.school_id and (u.id = w.asked_by_user or u.coordinator)
        order by u.id = w.asked_by_user desc nulls last limit 1) u on true
    where w.id = ${id}`.execute(tx)
  const [row] = rows
  if (!row) return
  const section = row.section === '-' ? '' : ` ${row.section}`
  await mailPerson(tx, now, row, {
    key: `waiver-decided:${id}`,
    kind: 'waiver',
    mail: row.state === 'approved' ? 'waiver-approved' : 'waiver-rejected',
    values: {
      student: `${className(row.class_id)}${section}, ${row.roll_no}`,
      reason: row.decision,
      page: pageOfSeason(page, row.season),
    },
  })
}
