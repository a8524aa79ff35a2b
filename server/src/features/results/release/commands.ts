import { istDay } from '@podium/contract/season'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { OfficeScope, Scope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { found, Refusal } from '#platform/errors'
import { enqueueJob } from '#platform/jobs/jobs'
import { revokeOutdated } from '../certificates/commands.ts'
import { standing } from '../commands.ts'
import { examsToCome, refuseWithout } from '../marks/commands.ts'
import { lockSeen } from './queries-seen.ts'

export const announceKind = 'results.announce'

const subject = (setId: number) => ({ kind: 'result_set', id: setId })

/**
 * Releases an approved version at `releaseAt`, at once without one; a time that is over is refused, and one before the
 * last exam date. Before the day from which schools expect results it needs a reason (`early`). Schools see it from that instant
 * by the clock alone (`visibleSet` in queries.ts); the job that is planned here tidies up the states and writes the mails.
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
    const { state } = await standing(tx, setId)
    const early = ['importing', 'imported', 'computing', 'computed'].includes(state)
    throw new Refusal(early ? 'results.not_approved' : 'results.wrong_state')
  }
  refuseOther()
  if (await examsToCome(tx, releaseAt, released.event_id)) throw new Refusal('results.exams_to_come')
  const early = (await isBeforePromised(tx, released.event_id, releaseAt)) ? (input.early ?? '') : undefined
  if (early === '') refuseWithout('early', 'results.early_release')
  const why = early === undefined ? {} : { early }
  if (releaseAt > now) {
    const change = { releaseAt: releaseAt.toISOString(), ...why }
    await audit(tx, now, scope, 'results.release_scheduled', subject(setId), change)
  } else {
    await publish(tx, scope, now, setId, why)
  }
  await enqueueJob(tx, now, {
    kind: announceKind,
    input: { setId },
    createdBy: scope.staffId,
    dueAt: releaseAt,
  })
  return releaseAt
}

/** Whether schools expect results of the event from a later day on. */
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
 * Marks an approved version whose time has come as released, and the one before it as superseded. Changes nothing a
 * second time. Answers whether the version is released now.
 */
export async function publish(
  tx: Tx,
  scope: Scope,
  now: Date,
  setId: number,
  why: { early?: string } = {},
): Promise<boolean> {
  const { rows } = await sql<{ event_id: number; version: number }>`
    update result_sets set state = 'released', released_at = release_at
    where id = ${setId} and state = 'approved' and release_at <= ${now}
    returning event_id, version`.execute(tx)
  const set = rows[0]
  if (!set) {
    const known = await tx
      .selectFrom('result_sets')
      .select('state')
      .where('id', '=', setId)
      .executeTakeFirst()
    return known?.state === 'released'
  }
  await sql`
    update result_sets set state = 'superseded'
    where event_id = ${set.event_id} and version < ${set.version} and state = 'released'`.execute(tx)
  const revoked = await revokeOutdated(tx, now, {
    id: setId,
    eventId: set.event_id,
    version: set.version,
  })
  await audit(tx, now, scope, 'results.released', subject(setId), {
    version: set.version,
    ...why,
    ...(revoked.length === 0 ? {} : { revokedCertificates: revoked }),
  })
  return true
}

/** Takes back a release whose time has not come; the version stays approved. */
export async function withdrawRelease(tx: Tx, scope: OfficeScope, now: Date, setId: number): Promise<void> {
  const withdrawn = await tx
    .updateTable('result_sets')
    .set({ release_at: null })
    .where('id', '=', setId)
    .where('state', '=', 'approved')
    .where('release_at', '>', now)
    .returning('id')
    .executeTakeFirst()
  if (!withdrawn) await standing(tx, setId)
  found(withdrawn, 'results.not_scheduled')
  await audit(tx, now, scope, 'results.release_withdrawn', subject(setId))
}
