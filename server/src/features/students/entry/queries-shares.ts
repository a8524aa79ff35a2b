import type { Season } from '@podium/contract/season'
import { priceChoice, type StudentFee } from '@podium/contract/students/rules-fee'
import type { StudentFields } from '@podium/contract/students/schemas'
import type { SeasonCatalogue } from '#features/catalogue/queries'
import { forSchool } from '#features/catalogue/queries-heads'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'

interface Row {
  fields: StudentFields
  fee: StudentFee
  /** The student who is changed; keeps the share that it has */
  change?: unknown
}

/**
 * Rows that enter children, with the share that the school comes to with all of them. Under a rule without slabs they
 * are as they were.
 */
export async function withShares<One extends Row>(
  db: Db | Tx,
  scope: SchoolScope,
  { season, catalogue }: { season: Season; catalogue: SeasonCatalogue },
  rows: readonly One[],
): Promise<One[]> {
  if (catalogue.share.kind !== 'slabs') return [...rows]
  const entering = rows.filter(({ change }) => change === undefined)
  const reached = await forSchool(db, catalogue, scope, season, entering.length)
  return rows.map((row) => {
    if (row.change !== undefined) return row
    const { subjectName: subjects, cb, pyqp, geneX, tb, wb, classId } = row.fields
    const choice = { subjects, books: { cb, pyqp, geneX, tb, wb } }
    return { ...row, fee: priceChoice(reached.offerTo(classId), choice).fee }
  })
}
