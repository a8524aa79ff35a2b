import { type FoundationLimits, limitsFrom } from '@podium/contract/office/rules-limits'
import { said } from '@podium/contract/sentences'
import type { Db, Tx } from './db/database.ts'
import { Refusal } from './errors.ts'

/** The limits that hold now: those that the office has moved, and those built in for the rest. */
export async function foundationLimits(db: Db | Tx): Promise<FoundationLimits> {
  const row = await db.selectFrom('foundation').select('limits').executeTakeFirst()
  return limitsFrom(row?.limits)
}

/** Refuses a proof that is larger than the office lets it be; before it is decoded. */
export async function refuseLargeProof(db: Db | Tx, bytes: Buffer): Promise<void> {
  const { proofMegabytes } = await foundationLimits(db)
  if (bytes.length > proofMegabytes * 1024 * 1024)
    throw new Refusal('file.too_large', { message: said('fileTooLarge', { n: proofMegabytes }) })
}

/** Refuses more students at once than the office lets them be. */
export async function refuseManyStudents(db: Db | Tx, students: number): Promise<void> {
  const { importRows } = await foundationLimits(db)
  if (students > importRows)
    throw new Refusal('input.invalid', { message: said('studentsTooMany', { n: importRows }) })
}
