import { istDay } from '@podium/contract/season'
import { sql } from 'kysely'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { orNotFound } from '#platform/errors'
import { mailSender } from '#platform/foundation'
import type { AlarmName } from '#platform/http/limits'
import { enqueueMail } from '#platform/jobs/outbox'
import { ownersMail, type ToldToOwners } from '#platform/mail/mail-templates-staff'

/** From so many rows on a file of personal data is told to the owners. */
export const manyRows = 500

/**
 * Tells every owner of what an officer has done, the officer too where it is an owner: perhaps it was somebody else at
 * that session. In the transaction of the act; what has the same key is told once.
 */
export async function tellOwners(
  tx: Tx,
  { name: by }: Pick<OfficeScope, 'name'>,
  now: Date,
  key: string,
  told: ToldToOwners,
): Promise<void> {
  const owners = await tx
    .selectFrom('staff')
    .select(['id', 'name', 'email'])
    .where('role', '=', 'owner')
    .where('disabled_at', 'is', null)
    // Whoever has not taken up an invitation yet is no owner.
    .where('password_hash', 'is not', null)
    .orderBy('id')
    .execute()
  if (owners.length === 0) return
  const sender = await mailSender(tx)
  for (const { id, name, email } of owners)
    await enqueueMail(tx, now, {
      key: `owners:${told.what}:${key}:${id}`,
      kind: 'owners',
      to: { name, address: email },
      ...ownersMail(sender, name, by, told),
    })
}

/** The same of more than people do, once within the hour; `whose` is the officer, as `office:3`, where it is one's doing. */
export async function tellOfAlarm(tx: Tx, now: Date, alarm: AlarmName, whose: string): Promise<void> {
  const id = Number(whose.split(':')[1] ?? 0)
  const officer = await tx.selectFrom('staff').select('name').where('id', '=', id).executeTakeFirst()
  const key = `${alarm}:${id}:${now.getTime()}`
  await tellOwners(tx, { name: officer?.name ?? '' }, now, key, { what: 'alarm', alarm })
}

/** The same of a file of personal data, where it is a large one; of each list once a day and officer. */
export async function tellOfFile(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  list: string,
  rows: number,
): Promise<void> {
  if (rows < manyRows) return
  await tellOwners(tx, scope, now, `${list}:${scope.staffId}:${istDay(now)}`, {
    what: 'exported',
    list,
    rows,
  })
}

type OfResults = { what: 'approved' | 'release-withdrawn' | 'next-level' } | { what: 'released'; at: Date }

/** The same of the results of an event: those of a version, or who of them is invited to the next level. */
export async function tellOfResults(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  which: { setId: number } | { eventId: number },
  told: OfResults,
): Promise<void> {
  const event =
    'eventId' in which
      ? sql`${which.eventId}`
      : sql`(select v.event_id from result_sets v where v.id = ${which.setId})`
  const { rows } = await sql<{ id: number; name: string }>`
    select e.id, j.name || ', level ' || e.level || ', ' || e.season as name
    from events e join subjects j on j.letter = e.letter where e.id = ${event}`.execute(tx)
  const { id, name } = orNotFound(rows[0])
  await tellOwners(tx, scope, now, `${id}:${now.getTime()}`, { ...told, event: name })
}
