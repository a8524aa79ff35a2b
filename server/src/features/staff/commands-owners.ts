import { formatNumber } from '@podium/contract/figures'
import { formatMoment, istDay } from '@podium/contract/season'
import { sql } from 'kysely'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { orNotFound } from '#platform/errors'
import { mailSender } from '#platform/foundation'
import { type AlarmName, alarms } from '#platform/http/limits'
import { enqueueMail } from '#platform/jobs/outbox'
import { renderOfficeMail } from '#platform/mail/mail-templates'

/** Officers' actions that all owners are notified of. None contains data about a student. */
type OwnerNotification =
  | { what: 'invited' | 'role'; person: string; role: string }
  | { what: 'off' | 'on' | 'second-factor'; person: string; reason: string }
  | { what: 'approved' | 'release-withdrawn' | 'next-level'; event: string }
  | { what: 'released'; event: string; at: Date }
  | { what: 'erased'; request: string }
  | { what: 'retention' | 'backup' }
  | { what: 'exported'; list: string; rows: number }
  | { what: 'mailing'; subject: string; schools: number }
  | { what: `alarm-${AlarmName}`; points: number }

const shown = (value: string | number | Date): string => {
  if (value instanceof Date) return formatMoment(value)
  return typeof value === 'number' ? formatNumber(value) : value
}

/** Owners are notified of files of personal data with at least this many rows. */
export const manyRows = 500

/**
 * Notifies all owners of an officer's action, including the officer if an owner, because someone else might be using that
 * session. Runs in the transaction of the action; each key is notified once.
 */
export async function notifyOwners(
  tx: Tx,
  { name: by }: Pick<OfficeScope, 'name'>,
  now: Date,
  key: string,
  notification: OwnerNotification,
): Promise<void> {
  const owners = await tx
    .selectFrom('staff')
    .select(['id', 'name', 'email'])
    .where('role', '=', 'owner')
    .where('disabled_at', 'is', null)
    // Owners who have not accepted their invitation do not count.
    .where('password_hash', 'is not', null)
    .orderBy('id')
    .execute()
  if (owners.length === 0) return
  const sender = await mailSender(tx)
  const { what, ...facts } = notification
  const values = Object.fromEntries(Object.entries(facts).map(([key, value]) => [key, shown(value)]))
  for (const { id, name, email } of owners)
    await enqueueMail(tx, now, {
      key: `owners:${what}:${key}:${id}`,
      kind: 'owners',
      to: { name, address: email },
      ...renderOfficeMail(
        sender,
        `owners-${what}`,
        { name, by, ...values },
        by === '' ? 'alarm-closing' : 'owners-closing',
      ),
    })
}

/** Notifies owners of an unusual amount of activity, once an hour. `whose` is the officer, as `office:3`, if there is one. */
export async function notifyOfAlarm(tx: Tx, now: Date, alarm: AlarmName, whose: string): Promise<void> {
  const id = Number(whose.split(':')[1] ?? 0)
  const officer = await tx.selectFrom('staff').select('name').where('id', '=', id).executeTakeFirst()
  const key = `${alarm}:${id}:${now.getTime()}`
  await notifyOwners(tx, { name: officer?.name ?? '' }, now, key, {
    what: `alarm-${alarm}`,
    points: alarms[alarm].points,
  })
}

/** Notifies owners of a large file of personal data, once a day for each list and officer. */
export async function notifyOfExport(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  list: string,
  rows: number,
): Promise<void> {
  if (rows < manyRows) return
  await notifyOwners(tx, scope, now, `${list}:${scope.staffId}:${istDay(now)}`, {
    what: 'exported',
    list,
    rows,
  })
}

type ResultsAction =
  | { what: 'approved' | 'release-withdrawn' | 'next-level' }
  | { what: 'released'; at: Date }

/** Notifies owners about an event's results: a version, or its invitations to the next level. */
export async function notifyOfResults(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  which: { setId: number } | { eventId: number },
  action: ResultsAction,
): Promise<void> {
  const event =
    'eventId' in which
      ? sql`${which.eventId}`
      : sql`(select v.event_id from result_sets v where v.id = ${which.setId})`
  const { rows } = await sql<{ id: number; name: string }>`
    select e.id, j.name || ', level ' || e.level || ', ' || e.season as name
    from events e join subjects j on j.letter = e.letter where e.id = ${event}`.execute(tx)
  const { id, name } = orNotFound(rows[0])
  await notifyOwners(tx, scope, now, `${id}:${now.getTime()}`, { ...action, event: name })
}
