import { createHash } from 'node:crypto'
import type { ParsedBody } from '@podium/contract/endpoint'
import type { WrittenLanguage } from '@podium/contract/languages'
import type { askDataRequest, checkDataRequest } from '@podium/contract/privacy/calls'
import { sql } from 'kysely'
import { refuseRecentJoiner } from '#features/staff/queries'
import { audit } from '#platform/audit'
import { type FamilyScope, type OfficeScope, type SchoolScope, systemScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { type RestoredErasure, recordErasures, restoredErasures } from '#platform/db/erased'
import { addRow } from '#platform/db/rows'
import { orNotFound, Refusal } from '#platform/errors'
import type { FileStore } from '#platform/files/files'
import { eraseChild } from './commands-erase.ts'
import { recordsOfChild, withCarriedRecords } from './queries-child.ts'
import { dueOn, notices, noticeVersion, openStates, refusalToCarryOut } from './rules.ts'

type Kind = 'export' | 'erase' | 'correct'

type RequestInput = ParsedBody<typeof askDataRequest>

interface Child {
  id: number
  school_id: number
  season: string
}

/**
 * Records a request. Refuses a second one of the same kind for a child while the first is open. The child is locked, so that
 * undoing their import does not remove them meanwhile.
 */
async function writeDown(
  tx: Tx,
  scope: OfficeScope | FamilyScope | SchoolScope,
  now: Date,
  child: Child,
  { kind, message, contact }: RequestInput,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into data_requests (kind, student_id, school_id, asked_through, asked_by_staff, asked_by_user, asked_at, due_on,
      message, contact)
    values (${kind}, ${child.id}, ${child.school_id}, ${scope.kind}, ${scope.kind === 'office' ? scope.staffId : null},
      ${scope.kind === 'school' ? scope.userId : null}, ${now}, ${dueOn(now)}, ${message}, ${contact})
    on conflict (student_id, kind) where state in ('asked', 'checked', 'working') do nothing
    returning id`.execute(tx)
  const id = rows[0]?.id
  if (id === undefined) throw new Refusal('privacy.open_already')
  await audit(tx, now, scope, 'data_request.asked', subjectOf(id, child), { kind })
  return id
}

const subjectOf = (id: number, child: { school_id: number; season?: string }) => ({
  kind: 'data_request',
  id,
  schoolId: child.school_id,
  ...(child.season === undefined ? {} : { season: child.season }),
})

/** Records a request that reached the office. */
export async function enterRequest(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  asking: RequestInput,
): Promise<number> {
  const child = await tx
    .selectFrom('students')
    .select(['id', 'school_id', 'season'])
    .where('id', '=', asking.studentId)
    .where('erased_at', 'is', null)
    .forKeyShare()
    .executeTakeFirst()
  return writeDown(tx, scope, now, orNotFound(child), asking)
}

/** A child of the caller's family link. */
async function ownChild(tx: Tx, scope: FamilyScope, id: number): Promise<Child> {
  const child = await tx
    .selectFrom('students')
    .select(['id', 'school_id', 'season'])
    .where('id', '=', id)
    .where('family_link_id', '=', scope.linkId)
    .where('school_id', '=', scope.schoolId)
    .where('active', '=', true)
    .forKeyShare()
    .executeTakeFirst()
  return orNotFound(child)
}

/** Records a parent's request from the family page. */
export async function askAsFamily(
  tx: Tx,
  scope: FamilyScope,
  now: Date,
  { studentId, kind, message }: Omit<RequestInput, 'contact'>,
): Promise<void> {
  const child = await ownChild(tx, scope, studentId)
  await writeDown(tx, scope, now, child, { studentId, kind, message, contact: '' })
}

/**
 * Gives or withdraws a parent's consent for a child, to the notice shown. Withdrawing also requests erasure (s. 8(7));
 * consenting again withdraws such a request if no one has checked it yet.
 */
export async function setConsent(
  tx: Tx,
  scope: FamilyScope,
  now: Date,
  consenting: { studentId: number; given: boolean; version: string; language: WrittenLanguage },
): Promise<void> {
  const { studentId, given, version, language } = consenting
  if (version !== noticeVersion) throw new Refusal('privacy.notice_changed')
  const child = await ownChild(tx, scope, studentId)
  const words = notices[language]
  await addRow(tx, 'consents', {
    student_id: child.id,
    school_id: child.school_id,
    notice_version: noticeVersion,
    notice_sha256: createHash('sha256')
      .update([words.title, ...words.paragraphs].join('\n'))
      .digest('hex'),
    language,
    method: 'family-code',
    state: given ? 'given' : 'withdrawn',
    at: now,
  })
  const subject = { kind: 'student', id: child.id, schoolId: child.school_id, season: child.season }
  await audit(tx, now, scope, given ? 'consent.given' : 'consent.withdrawn', subject, { version, language })
  if (given) {
    await takeBack(tx, scope, now, child)
    return
  }
  const open = await tx
    .selectFrom('data_requests')
    .select('id')
    .where('student_id', '=', child.id)
    .where('kind', '=', 'erase')
    .where('state', 'in', openStates)
    .executeTakeFirst()
  if (!open) await writeDown(tx, scope, now, child, { studentId, kind: 'erase', message: '', contact: '' })
}

/** Withdraws a family's unchecked request for erasure. */
async function takeBack(tx: Tx, scope: FamilyScope, now: Date, child: Child): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    update data_requests set state = 'withdrawn', decided_at = ${now}, version = version + 1
    where student_id = ${child.id} and kind = 'erase' and state = 'asked' and asked_through = 'family'
    returning id`.execute(tx)
  for (const { id } of rows)
    await audit(tx, now, scope, 'data_request.withdrawn', subjectOf(id, child), { kind: 'erase' })
}

interface LockedRequest {
  id: number
  kind: Kind
  state: string
  student_id: number
  school_id: number
  checkedBy: number | null
  checkedAt: Date | null
  records: number[]
}

async function lockRequest(tx: Tx, id: number, version: number): Promise<LockedRequest> {
  const { rows } = await sql<LockedRequest & { version: number }>`
    select id, kind, state, student_id, school_id, checked_by as "checkedBy", checked_at as "checkedAt", records, version
    from data_requests where id = ${id} for update`.execute(tx)
  const request = orNotFound(rows[0])
  if (request.version !== version) throw new Refusal('changed_meanwhile')
  return request
}

/** Records how it was verified that a parent asks, and fixes the records concerned. */
export async function checkRequest(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  checking: ParsedBody<typeof checkDataRequest>,
): Promise<void> {
  const { id, version, method, note } = checking
  const request = await lockRequest(tx, id, version)
  if (request.state !== 'asked') throw new Refusal('privacy.decided')
  const records = await recordsOfChild(tx, request.student_id)
  await sql`
    update data_requests set state = 'checked', records = ${records}::bigint[], check_method = ${method}, check_note = ${note},
      checked_by = ${scope.staffId}, checked_at = ${now}, version = version + 1
    where id = ${id}`.execute(tx)
  await audit(tx, now, scope, 'data_request.checked', subjectOf(id, request), { method })
}

/**
 * Carries out a checked request: grants the file, confirms the correction, or erases the child from the records found at the
 * check and those carried over from them since. Erasing needs a second person, who was in the office when the first checked.
 * Returns what was done.
 */
export async function carryOut(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  files: FileStore,
  { id, version }: { id: number; version: number },
): Promise<Kind> {
  const request = await lockRequest(tx, id, version)
  const refusal = refusalToCarryOut(request, scope.staffId)
  if (refusal) throw new Refusal(refusal)
  const erases = request.kind === 'erase'
  if (erases && request.checkedAt) await refuseRecentJoiner(tx, scope, request.checkedAt)
  const checked = request.records.map(Number)
  const records = erases ? await withCarriedRecords(tx, checked) : checked
  const outcome = erases ? await eraseChild(tx, files, now, records) : {}
  if (erases) await recordErasures(tx, now, id, records)
  await sql`
    update data_requests set state = 'done', decided_by = ${scope.staffId}, decided_at = ${now}, done_at = ${now},
      outcome = ${JSON.stringify(outcome)}::jsonb, version = version + 1
    where id = ${id}`.execute(tx)
  await audit(tx, now, scope, carriedOut[request.kind], subjectOf(id, request), outcome)
  return request.kind
}

const carriedOut = {
  export: 'data_request.granted',
  erase: 'data_request.erased',
  correct: 'data_request.corrected',
} as const

/** Declines a request with a reason, which the family can read. */
export async function decline(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, version, reason }: { id: number; version: number; reason: string },
): Promise<void> {
  const request = await lockRequest(tx, id, version)
  if (!openStates.some((state) => state === request.state)) throw new Refusal('privacy.decided')
  await sql`
    update data_requests set state = 'declined', decision = ${reason}, decided_by = ${scope.staffId}, decided_at = ${now},
      version = version + 1
    where id = ${id}`.execute(tx)
  await audit(tx, now, scope, 'data_request.declined', subjectOf(id, request), { kind: request.kind })
}

/** Passes a parent's request to the school on to the foundation. A student of another school is `not_found`. */
export async function askAsSchool(
  tx: Tx,
  scope: SchoolScope,
  now: Date,
  asking: RequestInput,
): Promise<number> {
  const child = await tx
    .selectFrom('students')
    .select(['id', 'school_id', 'season'])
    .where('id', '=', asking.studentId)
    .where('school_id', '=', scope.schoolId)
    .where('erased_at', 'is', null)
    .forKeyShare()
    .executeTakeFirst()
  return writeDown(tx, scope, now, orNotFound(child), asking)
}

/** Withdraws a request entered by the school, before the foundation has checked it. */
export async function withdrawAsSchool(
  tx: Tx,
  scope: SchoolScope,
  now: Date,
  { id, version }: { id: number; version: number },
): Promise<void> {
  const { rows } = await sql<{ kind: string; state: string; version: number }>`
    select kind, state, version from data_requests
    where id = ${id} and school_id = ${scope.schoolId} and asked_through = 'school' for update`.execute(tx)
  const request = orNotFound(rows[0])
  if (request.version !== version) throw new Refusal('changed_meanwhile')
  if (request.state !== 'asked') throw new Refusal('privacy.decided')
  await sql`
    update data_requests set state = 'withdrawn', decided_at = ${now}, version = version + 1
    where id = ${id}`.execute(tx)
  const subject = subjectOf(id, { school_id: scope.schoolId })
  await audit(tx, now, scope, 'data_request.withdrawn', subject, { kind: request.kind })
}

/**
 * After a restore, erases again everyone whom the backup has brought back, each with an audit line, and closes requests that
 * are open in the backup. All in one transaction. Returns what was erased.
 */
export async function eraseAgain(db: Db, files: FileStore, now: Date): Promise<RestoredErasure[]> {
  const scope = systemScope('Restore')
  return db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    const back = await restoredErasures(tx)
    // A child may have several records that refer to each other, so all records of a request are erased together.
    for (const records of Map.groupBy(back, ({ requestId, at }) => `${requestId} ${at}`).values()) {
      const ids = records.map(({ studentId }) => studentId)
      await eraseChild(tx, files, now, ids, { evenLocked: true })
      for (const { studentId, schoolId, season } of records)
        await audit(tx, now, scope, 'student.erased_again', {
          kind: 'student',
          id: studentId,
          schoolId,
          season,
        })
      await closeRequest(tx, records)
    }
    return back
  })
}

/** Closes the original request if the backup has it; another request may have its id by now. */
async function closeRequest(tx: Tx, records: readonly RestoredErasure[]): Promise<void> {
  const [first] = records
  if (!first) return
  await sql`
    update data_requests set state = 'done', decided_at = ${first.at}::timestamptz, done_at = ${first.at}::timestamptz,
      version = version + 1
    where id = ${first.requestId} and kind = 'erase' and state in ('asked', 'checked') and asked_at < ${first.at}::timestamptz
      and student_id = any(${records.map(({ studentId }) => studentId)}::bigint[])`.execute(tx)
}
