import { type RawBuilder, sql } from 'kysely'
import type { SecretKeys } from '#platform/auth/secrets'
import type { Db } from '#platform/db/database'

/** Not made with these keys: what they have sealed or hashed begins with their id, passwords end with it. */
export const sealedElsewhere = (column: RawBuilder<unknown>, { id }: SecretKeys) =>
  sql<boolean>`(${column} <> '' and left(${column}, ${id.length + 1}::int) <> ${`${id}.`})`

/** What needs the SECRET before, or one still older. */
export interface Left {
  /** Of people who have not signed in since: hashed anew when they do */
  passwords: number
  /** Officers whose recovery codes are of before: they make new ones on their own page */
  recoveryCodes: number
  /** Links of schools that were made before codes were kept: the school needs a new letter */
  schoolCodes: number
  /** Second factors and access codes that the job has not sealed anew yet, or can't open */
  sealed: number
}

/** Counts what would not work any more without SECRET_PREVIOUS. */
export async function leftOf(db: Db, keys: SecretKeys): Promise<Left> {
  const { id } = keys
  const hashedElsewhere = sql`disabled_at is null and right(password_hash, ${id.length + 1}::int) <> ${`$${id}`}`
  return db.transaction().execute(async (tx) => {
    // Over a million links; nobody waits for it.
    await sql`set local statement_timeout = 0`.execute(tx)
    const { rows } = await sql<Left>`
    select
      (select count(*) from users where ${hashedElsewhere}) + (select count(*) from staff where ${hashedElsewhere}) as passwords,
      (select count(*) from staff where disabled_at is null and exists (
        select from unnest(recovery_codes) code where ${sealedElsewhere(sql`code`, keys)})) as "recoveryCodes",
      (select count(*) from school_links where revoked_at is null and access_code_sealed = '') as "schoolCodes",
      (select count(*) from staff where ${sealedElsewhere(sql`totp_secret`, keys)})
        + (select count(*) from school_links where ${sealedElsewhere(sql`access_code_sealed`, keys)})
        + (select count(*) from family_links where ${sealedElsewhere(sql`access_code_sealed`, keys)}) as sealed`.execute(
      tx,
    )
    return rows[0] ?? { passwords: 0, recoveryCodes: 0, schoolCodes: 0, sealed: 0 }
  })
}
