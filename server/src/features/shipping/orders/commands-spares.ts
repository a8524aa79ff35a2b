import type { Season } from '@podium/contract/season'
import type { SpareRule } from '@podium/contract/shipping/calls-orders'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { Refusal } from '#platform/errors'
import { readSpares } from './queries-spares.ts'

/**
 * Sets how many question papers more than children go out in a season, and marks every school that gets papers to be
 * counted anew. Refuses with `changed_meanwhile`.
 */
export async function saveSpares(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { season, version, percent, minimum }: SpareRule & { season: Season; version: number },
): Promise<void> {
  await sql`select label from seasons where label = ${season} for no key update`.execute(tx)
  const from = await readSpares(tx, season)
  if (from.version !== version) throw new Refusal('changed_meanwhile')
  await sql`
    insert into dispatch_spares (season, percent, minimum) values (${season}, ${percent}, ${minimum})
    on conflict (season) do update set percent = excluded.percent, minimum = excluded.minimum,
      version = dispatch_spares.version + 1`.execute(tx)
  // Later seasons without a rule of their own go by this one.
  await sql`
    insert into dispatch_stale (school_id, season)
    select n.school_id, n.season from dispatch_sums n
    where n.contents = 'papers' and n.season >= ${season} and not exists (
      select from dispatch_spares r where r.season > ${season} and r.season <= n.season)`.execute(tx)
  const to = { percent, minimum }
  await audit(
    tx,
    now,
    scope,
    'dispatch.spares_changed',
    { kind: 'dispatch', id: 'spares', season },
    { from: from.rule, to },
  )
}
