import type { Season } from '@podium/contract/season'
import { slabOf } from '@podium/contract/students/rules-fee'
import type { Db, Tx } from '#platform/db/database'
import { headsOf } from '#platform/share-slabs'
import type { SeasonCatalogue } from './queries.ts'

interface Of {
  schoolId: number
}

/**
 * The catalogue as a school has it that is about to enter so many more children. Asks the database only where the season
 * has slabs.
 */
export async function forSchool(
  db: Db | Tx,
  catalogue: SeasonCatalogue,
  scope: Of,
  season: Season,
  adding = 0,
): Promise<SeasonCatalogue> {
  if (catalogue.share.kind !== 'slabs') return catalogue
  return catalogue.at((await headsOf(db, scope, season)) + adding)
}

/** Where a school stands among the slabs of a season, in rupees; null where the season has none. */
export async function standingOf(db: Db | Tx, catalogue: SeasonCatalogue, scope: Of, season: Season) {
  if (catalogue.share.kind !== 'slabs') return null
  const heads = await headsOf(db, scope, season)
  const { slab, next } = slabOf(catalogue.share.slabs, heads)
  return { heads, share: slab?.share ?? 0, next: next ?? null }
}
