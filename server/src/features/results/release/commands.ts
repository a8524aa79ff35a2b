import { istDay } from '@podium/contract/season'
import { sql } from 'kysely'
import { readersOf } from '#features/accounts/queries'
import { namesFor } from '#features/catalogue/lists/queries'
import { audit } from '#platform/audit'
import type { OfficeScope, Scope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { firstRow } from '#platform/db/rows'
import { orNotFound, Refusal } from '#platform/errors'
import { enqueueJob } from '#platform/jobs/jobs'
import { mailPeople } from '#platform/mail/mail-texts'
import { revokeOutdated } from '../certificates/commands.ts'
import { statusOfSet } from '../commands.ts'
import { examsToCome, refuseWithout } from '../marks/commands.ts'
import { type AnnouncedSet, refuseChangedSince, visibleResult } from '../queries.ts'
import { lockSeen } from './queries-school-preview.ts'

export const announceKind = 'results.announce'

const subject = (setId: number) => ({ kind: 'result_set', id: setId })

/**
 * Releases an approved version at `releaseAt`, or at once. Refuses a past time, and one before the last exam date. Before the
 * day from which schools expect results it needs a reason (`early`). Schools see it from that instant by the clock
 * (`visibleSet` in queries.ts); the job enqueued here updates the states and sends the e-mails.
 */
export async function releaseSet(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  input: { setId: number; seen: string; releaseAt?: Date | undefined; early?: string },
): Promise<Date> {
  const { setId } = input
  const releaseAt = input.releaseAt ?? now
  if (releaseAt < now) throw new Refusal('results.release_past')
  const refuseOther = await lockSeen(tx, setId, input.seen)
  const released = await tx
    .updateTable('result_sets')
    .set({ release_at: releaseAt })
    .where('id', '=', setId)
    .where('state', '=', 'approved')
    .where((set) => set.or([set('release_at', 'is', null), set('release_at', '>', now)]))
    .returning('event_id')
    .executeTakeFirst()
  if (!released) {
    const { state } = await statusOfSet(tx, setId)
    const early = ['importing', 'imported', 'computing', 'computed'].includes(state)
    throw new Refusal(early ? 'results.not_approved' : 'results.wrong_state')
  }
  refuseOther()
  if ((await statusOfSet(tx, setId)).outdated) throw new Refusal('results.rules_changed')
  await refuseChangedSince(tx, now, setId)
  if (await examsToCome(tx, releaseAt, released.event_id)) throw new Refusal('results.exams_to_come')
  const early = (await isBeforePromised(tx, released.event_id, releaseAt)) ? (input.early ?? '') : undefined
  if (early === '') refuseWithout('early', 'results.early_release')
  const earlyReason = early === undefined ? {} : { early }
  if (releaseAt > now) {
    const change = { releaseAt: releaseAt.toISOString(), ...earlyReason }
    await audit(tx, now, scope, 'results.release_scheduled', subject(setId), change)
  } else {
    await publish(tx, scope, now, setId, earlyReason)
  }
  await enqueueJob(tx, now, {
    kind: announceKind,
    input: { setId },
    createdBy: scope.staffId,
    dueAt: releaseAt,
  })
  return releaseAt
}

/** Whether the time is before the day from which schools expect results. */
async function isBeforePromised(tx: Tx, eventId: number, at: Date): Promise<boolean> {
  const season = await tx
    .selectFrom('events')
    .innerJoin('seasons', 'seasons.label', 'events.season')
    .select('results_from')
    .where('events.id', '=', eventId)
    .executeTakeFirstOrThrow()
  return istDay(at) < season.results_from
}

/**
 * Marks an approved version as released once its time has passed, and the previous one as superseded. Idempotent. Returns
 * whether the version is released now.
 */
export async function publish(
  tx: Tx,
  scope: Scope,
  now: Date,
  setId: number,
  earlyReason: { early?: string } = {},
): Promise<boolean> {
  const { rows } = await sql<{ event_id: number; version: number }>`
    update result_sets set state = 'released', released_at = release_at
    where id = ${setId} and state = 'approved' and release_at <= ${now}
    returning event_id, version`.execute(tx)
  const set = rows[0]
  if (!set) {
    const known = await firstRow(tx, 'result_sets', { id: setId }, ['state'])
    return known?.state === 'released'
  }
  await sql`
    update result_sets set state = 'superseded'
    where event_id = ${set.event_id} and version < ${set.version} and state = 'released'`.execute(tx)
  const revoked = await revokeOutdated(tx, now, { id: setId, eventId: set.event_id, version: set.version })
  await audit(tx, now, scope, 'results.released', subject(setId), {
    version: set.version,
    ...earlyReason,
    ...(revoked.length === 0 ? {} : { revokedCertificates: revoked }),
  })
  return true
}

/** Withdraws a scheduled release; the version stays approved. */
export async function withdrawRelease(tx: Tx, scope: OfficeScope, now: Date, setId: number): Promise<void> {
  const withdrawn = await tx
    .updateTable('result_sets')
    .set({ release_at: null })
    .where('id', '=', setId)
    .where('state', '=', 'approved')
    .where('release_at', '>', now)
    .returning('id')
    .executeTakeFirst()
  if (!withdrawn) await statusOfSet(tx, setId)
  orNotFound(withdrawn, 'results.not_scheduled')
  await audit(tx, now, scope, 'results.release_withdrawn', subject(setId))
}

interface WithheldSchool {
  eventId: number
  schCode: string
}

async function named(tx: Tx, { eventId, schCode }: WithheldSchool) {
  const row = await tx
    .selectFrom('schools')
    .innerJoin('events', (join) => join.on('events.id', '=', eventId))
    .select(['schools.id as schoolId', 'events.season'])
    .where('schools.code', '=', schCode)
    .executeTakeFirst()
  return orNotFound(row)
}

/** Withholds a school's results in an event, in all versions; repeating it changes the reason. */
export async function holdSchool(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  input: WithheldSchool & { reason: string },
): Promise<void> {
  const { schoolId, season } = await named(tx, input)
  const hold = { reason: input.reason, held_by: scope.staffId, held_at: now }
  await tx
    .insertInto('result_holds')
    .values({ event_id: input.eventId, school_id: schoolId, ...hold })
    .onConflict((conflict) => conflict.columns(['event_id', 'school_id']).doUpdateSet(hold))
    .execute()
  const subject = { kind: 'event', id: input.eventId, schoolId, season }
  await audit(tx, now, scope, 'results.held', subject, { reason: input.reason })
}

/** Stops withholding a school's results. Returns the school's id; `not_found` if nothing is withheld. */
export async function unholdSchool(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  input: WithheldSchool,
): Promise<number> {
  const { schoolId, season } = await named(tx, input)
  const freed = await tx
    .deleteFrom('result_holds')
    .where('event_id', '=', input.eventId)
    .where('school_id', '=', schoolId)
    .returning('reason')
    .executeTakeFirst()
  const { reason } = orNotFound(freed)
  const subject = { kind: 'event', id: input.eventId, schoolId, season }
  await audit(tx, now, scope, 'results.unheld', subject, { reason })
  return schoolId
}

/** The address of a school's results page, with an event chosen. */
function resultsPage(publicUrl: string, { season, eventId, level }: AnnouncedSet): string {
  const { href } = new URL(`/result/viewresult?FYear=${season}&eventYearId=${eventId}`, publicUrl)
  return level === 1 ? href : `${href}&examLevel=${level}`
}

/**
 * The schools to notify of a released version: all with results in it or, after a correction, those with changed results.
 * Withheld schools are notified when their results are no longer withheld.
 */
export async function schoolsToNotify(db: Db | Tx, setId: number): Promise<number[]> {
  const { rows } = await sql<{ school_id: number }>`
    with this as (select id, event_id, version from result_sets where id = ${setId}),
    before as (
      select s.id from result_sets s, this
      where s.event_id = this.event_id and s.version < this.version and s.released_at is not null
      order by s.version desc limit 1),
    mine as (select * from results where set_id = ${setId}),
    theirs as (select * from results where set_id = (select id from before)),
    changed as (
      select coalesce(mine.school_id, theirs.school_id) as school_id
      from mine full join theirs on theirs.student_id = mine.student_id
      where (${visibleResult('mine')}) is distinct from (${visibleResult('theirs')}))
    select distinct school_id from changed
    where not exists (
      select from result_holds h, this where h.event_id = this.event_id and h.school_id = changed.school_id)
    order by school_id`.execute(db)
  return rows.map((row) => row.school_id)
}

/** E-mails the recipients of these schools that the version is released; once each, however often it is called. */
export async function mailReleased(
  tx: Tx,
  now: Date,
  publicUrl: string,
  set: AnnouncedSet,
  schools: readonly number[],
): Promise<void> {
  if (schools.length === 0) return
  const people = await readersOf(tx, schools)
  const nameFor = await namesFor(tx, people)
  const page = resultsPage(publicUrl, set)
  await mailPeople(tx, now, people, ({ id }, language) => ({
    key: `results:${set.setId}:${id}`,
    kind: 'results-released',
    mail: set.reason === '' ? 'results-released' : 'results-corrected',
    values: {
      what: nameFor(language, set.subjectName),
      season: set.season,
      version: set.version,
      reason: set.reason,
      resultsPage: page,
    },
  }))
}
