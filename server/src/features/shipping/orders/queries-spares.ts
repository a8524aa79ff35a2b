import type { Season } from '@podium/contract/season'
import type { SpareRule } from '@podium/contract/shipping/calls-orders'
import type { Db, Tx } from '#platform/db/database'

export interface Spares {
  rule: SpareRule
  setFor: string | null
  version: number
}

/** The rule for spare papers of a season: its own, or that of the newest season before it; none where there is neither. */
export async function readSpares(db: Db | Tx, season: Season): Promise<Spares> {
  const row = await db
    .selectFrom('dispatch_spares')
    .select(['season', 'percent', 'minimum', 'version'])
    .where('season', '<=', season)
    .orderBy('season', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return { rule: { percent: 0, minimum: 0 }, setFor: null, version: 0 }
  const { percent, minimum } = row
  return { rule: { percent, minimum }, setFor: row.season, version: row.season === season ? row.version : 0 }
}
