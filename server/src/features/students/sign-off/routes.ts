import type { AnswerOf, BodyOf } from '@podium/contract/endpoint'
import { type ErrorCode, sentenceOf } from '@podium/contract/errors'
import { messages } from '@podium/contract/messages'
import { foldName } from '@podium/contract/names'
import type { Season } from '@podium/contract/season'
import {
  getSignOffs,
  reopenList,
  type SignOffList,
  signOffLists,
} from '@podium/contract/students/calls-sign-off'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { SchoolScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import type { Deps } from '#platform/deps'
import { orNotFound, Refusal } from '#platform/errors'
import { serve, write } from '#platform/http/http'
import { settleNothingPayable, unsettleNothingPayable } from '#platform/paid-students'
import { findLists } from './queries.ts'

/**
 * Locks the school's lists: concurrent entries are waited for and counted, later ones see the result. `not_found` if one belongs
 * to another school; lists without students and history are left out.
 */
async function lockLists(tx: Tx, scope: SchoolScope, now: Date, ids: readonly number[]) {
  // Lock order: school, lists, students.
  await sql`select id from schools where id = ${scope.schoolId} for no key update`.execute(tx)
  const { rows } = await sql<{ id: number; season: Season }>`
    select p.id, e.season from participations p join events e on e.id = p.event_id
    where p.id in (${sql.join(ids)}) and p.school_id = ${scope.schoolId}
    order by p.id for update of p`.execute(tx)
  if (rows.length < ids.length) throw new Refusal('not_found')
  const lists = new Map<number, { season: Season; list: SignOffList }>()
  for (const season of new Set(rows.map((row) => row.season))) {
    const { data } = await findLists(tx, scope, now, season)
    for (const list of data) lists.set(list.eventManagementId, { season, list })
  }
  return lists
}

const missingOf = ({ checks }: SignOffList) =>
  Object.fromEntries(checks.map(({ kind, count }) => [kind, count]))

/** Why this list can't be signed off, while others may be. */
function reasonAgainst(list: SignOffList | undefined, students: number): ErrorCode | undefined {
  if (!list) return 'signoff.no_students'
  if (list.signedOff) return 'signoff.signed'
  if (list.canSign !== true) return list.canSign
  return students === list.totalStudent ? undefined : 'signoff.count_differs'
}

/**
 * Signs off lists under the name typed by the coordinator. Each list is signed off as a whole or returned with the reason;
 * `students` is the number shown for it.
 */
export async function signOff(
  tx: Tx,
  scope: SchoolScope,
  now: Date,
  { name, lists }: BodyOf<typeof signOffLists>,
): Promise<AnswerOf<typeof signOffLists>> {
  if (foldName(name) !== foldName(scope.name)) {
    const issues = [{ path: 'name', message: sentenceOf('signoff.name_differs') }]
    throw new Refusal('signoff.name_differs', { issues })
  }
  const shown = new Map(lists.map(({ eventManagementId, students }) => [eventManagementId, students]))
  const locked = await lockLists(tx, scope, now, [...shown.keys()])
  const done: { id: number }[] = []
  const refused: { id: number; message: string }[] = []
  const seasons = new Set<Season>()
  for (const [id, students] of shown) {
    const found = locked.get(id)
    const reason = reasonAgainst(found?.list, students)
    if (reason || !found) {
      refused.push({ id, message: sentenceOf(reason ?? 'not_found') })
      continue
    }
    await signOffList(tx, scope, now, found)
    seasons.add(found.season)
    done.push({ id })
  }
  for (const season of seasons) await settleNothingPayable(tx, now, { schoolId: scope.schoolId, season })
  return { done, refused }
}

async function signOffList(
  tx: Tx,
  scope: SchoolScope,
  now: Date,
  { season, list }: { season: Season; list: SignOffList },
): Promise<void> {
  const { eventManagementId: id, totalStudent: students, eventLetter: letter } = list
  const missing = missingOf(list)
  await sql`update participations set signed_off_at = ${now}::timestamptz where id = ${id}`.execute(tx)
  await sql`
    insert into sign_offs (participation_id, students, missing, signed_by, signed_by_name, signed_at)
    values (${id}, ${students}, ${JSON.stringify(missing)}::jsonb, ${scope.userId}, ${scope.name},
    ${now}::timestamptz)`.execute(tx)
  await audit(
    tx,
    now,
    scope,
    'list.signed_off',
    { kind: 'participation', id, season },
    { letter, students, missing },
  )
}

/** Reopens a list. The history keeps who did it, when and why. */
export async function reopen(
  tx: Tx,
  scope: SchoolScope,
  now: Date,
  { eventManagementId, reason }: { eventManagementId: number; reason: string },
): Promise<void> {
  const lists = await lockLists(tx, scope, now, [eventManagementId])
  const { season, list } = orNotFound(lists.get(eventManagementId))
  if (list.canReopen !== true) throw new Refusal(list.canReopen)
  if (!list.signedOff) throw new Refusal('signoff.not_signed')
  await sql`update participations set signed_off_at = null where id = ${eventManagementId}`.execute(tx)
  await sql`
    update sign_offs set reopened_by = ${scope.userId}, reopened_by_name = ${scope.name}, reopened_at = ${now}::timestamptz,
      reason = ${reason}
    where participation_id = ${eventManagementId} and reopened_at is null`.execute(tx)
  const subject = { kind: 'participation', id: eventManagementId, season }
  await audit(tx, now, scope, 'list.reopened', subject, { letter: list.eventLetter, reason })
  await unsettleNothingPayable(tx, { schoolId: scope.schoolId, season })
}

/** Routes for signing off and reopening a school's lists. */
export function signOffRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, getSignOffs, 'school', ({ scope, query, now }) => findLists(db, scope, now, query.FYear))

  write(app, deps, signOffLists, 'school', (tx, { scope, body, now }) => signOff(tx, scope, now, body))

  write(app, deps, reopenList, 'school', async (tx, { scope, body, now }) => {
    await reopen(tx, scope, now, body)
    return { message: messages.saved }
  })
}
