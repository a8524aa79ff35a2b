import { type RawBuilder, sql } from 'kysely'
import { codeHash, type Keys, newId, type SecretKeys, seal, unseal } from '#platform/auth/secrets'
import type { Db, Tx } from '#platform/db/database'
import type { Deps } from '#platform/deps'

/** SQL: encrypted or hashed with other keys. Values begin with the id of their keys; passwords end with it. */
const sealedElsewhere = (column: RawBuilder<unknown>, { id }: SecretKeys) =>
  sql<boolean>`(${column} <> '' and left(${column}, ${id.length + 1}::int) <> ${`${id}.`})`

/** What still needs the previous SECRET, or an older one. */
interface Leftovers {
  /** Passwords of users who have not signed in since; rehashed when they do */
  passwords: number
  /** Officers with old recovery codes, who must create new ones on their account page */
  recoveryCodes: number
  /** School links from before codes were stored: the school needs a new letter */
  schoolCodes: number
  /** Second factors and access codes not yet re-encrypted, or impossible to decrypt */
  sealed: number
}

/** Counts what would stop working without SECRET_PREVIOUS. */
export async function leftOf(db: Db, keys: SecretKeys): Promise<Leftovers> {
  const { id } = keys
  const hashedElsewhere = sql`disabled_at is null and right(password_hash, ${id.length + 1}::int) <> ${`$${id}`}`
  return db.transaction().execute(async (tx) => {
    // Scans over a million links; no one is waiting for it.
    await sql`set local statement_timeout = 0`.execute(tx)
    const { rows } = await sql<Leftovers>`
    select
      (select count(*) from users where ${hashedElsewhere}) + (select count(*) from staff where ${hashedElsewhere}) as passwords,
      (select count(*) from staff where disabled_at is null and exists (
        select from unnest(recovery_codes) code where ${sealedElsewhere(sql`code`, keys)})) as "recoveryCodes",
      (select count(*) from school_links where revoked_at is null and access_code_sealed = '') as "schoolCodes",
      (select count(*) from staff where ${sealedElsewhere(sql`totp_secret`, keys)})
        + (select count(*) from school_links where ${sealedElsewhere(sql`access_code_sealed`, keys)})
        + (select count(*) from family_links where ${sealedElsewhere(sql`access_code_sealed`, keys)})
        as sealed`.execute(tx)
    return rows[0] ?? { passwords: 0, recoveryCodes: 0, schoolCodes: 0, sealed: 0 }
  })
}

/** The job that re-encrypts and rehashes what depends on the previous SECRET. */
export const rotationJob = 'secret.rotation'

/** Enqueues the re-encryption if SECRET_PREVIOUS is set, unless it is pending or running. */
export async function planRotation({ db, keys, clock }: Pick<Deps, 'db' | 'keys' | 'clock'>): Promise<void> {
  if (!keys.previous) return
  // Two instances starting at once may both enqueue it; the second run finds nothing to do.
  await sql`
    insert into jobs (id, kind, state, created_at)
    select ${newId()}, ${rotationJob}, 'waiting', ${clock()}::timestamptz
    where not exists (select from jobs
    where kind = ${rotationJob} and state in ('waiting', 'running'))`.execute(db)
}

interface SecretCheck {
  factors: number
  /** Second factors that no secret decrypts; above 0 if SECRET is wrong */
  unopened: number
  /** What still needs SECRET_PREVIOUS, if it is set */
  left: Leftovers | undefined
}

/** Checks what the configured secrets can decrypt, for `npm run check`. */
export async function checkSecrets(db: Db, keys: Keys): Promise<SecretCheck> {
  const factors = await db
    .selectFrom('staff')
    .select('totp_secret')
    .where('totp_secret', 'is not', null)
    .execute()
  const unopened = factors.filter(({ totp_secret: sealed }) => opened(keys, sealed ?? '') === undefined)
  const left = keys.previous && (await leftOf(db, keys))
  return { factors: factors.length, unopened: unopened.length, left }
}

interface SealedRow {
  id: string
  sealed: string
}

/** A table with encrypted texts, and how to write one back together with the hash of its code. */
interface Place {
  table: 'staff' | 'school_links' | 'family_links'
  column: 'totp_secret' | 'access_code_sealed'
  /** What the keyed hash of the code is bound to; absent if there is no hash beside the encrypted text. */
  boundTo?: (id: string) => string
}

const places: readonly Place[] = [
  { table: 'staff', column: 'totp_secret' },
  { table: 'school_links', column: 'access_code_sealed', boundTo: (id) => `school-link:${id}` },
  { table: 'family_links', column: 'access_code_sealed', boundTo: (id) => id },
]

const rowsAtATime = 500

/**
 * Decrypts with the previous SECRET, encrypts with the current one, and recomputes the hashes of access codes. Locked rows are
 * left to the next run; what no key decrypts stays as it is.
 */
export async function resealSecrets(
  db: Db,
  keys: Keys,
  step: (sealed: number) => Promise<void>,
): Promise<number> {
  let all = 0
  for (const place of places) {
    for (let round = 0; round < 3; round++) {
      const { sealed, found } = await sealRound(db, keys, place, (more) => step(all + more))
      all += sealed
      if (found === 0) break
    }
  }
  return all
}

async function sealRound(db: Db, keys: Keys, place: Place, step: (sealed: number) => Promise<void>) {
  let [sealed, found, last] = [0, 0, '']
  for (;;) {
    const rows = await db.transaction().execute(async (tx) => {
      const rows = await nextRows(tx, keys, place, last)
      sealed += await writeBack(tx, keys, place, rows)
      return rows
    })
    if (rows.length === 0) return { sealed, found }
    found += rows.length
    last = rows.at(-1)?.id ?? last
    await step(sealed)
  }
}

/** Locks the next rows encrypted with other keys, skipping rows locked by others. */
async function nextRows(tx: Tx, keys: Keys, { table, column }: Place, last: string): Promise<SealedRow[]> {
  // Scanning a million links for the remaining few can exceed the usual statement timeout.
  await sql`set local statement_timeout = 0`.execute(tx)
  const id = sql`id${sql.raw(table === 'staff' ? '::text' : '')}`
  const { rows } = await sql<SealedRow>`
    select ${id} as id, ${sql.ref(column)} as sealed from ${sql.table(table)}
    where ${sealedElsewhere(sql.ref(column), keys)} and ${id} > ${last}
    order by ${id} limit ${rowsAtATime} for no key update skip locked`.execute(tx)
  return rows
}

async function writeBack(tx: Tx, keys: Keys, place: Place, rows: readonly SealedRow[]): Promise<number> {
  const { table, column, boundTo } = place
  const fresh = rows.flatMap(({ id, sealed }) => {
    const plain = opened(keys, sealed)
    if (plain === undefined) return []
    return [{ id, sealed: seal(keys, plain), hash: boundTo ? codeHash(keys, boundTo(id), plain) : '' }]
  })
  if (fresh.length === 0) return 0
  const hash = boundTo ? sql`, access_code_hash = fresh.hash` : sql``
  await sql`
    update ${sql.table(table)} t set ${sql.ref(column)} = fresh.sealed${hash}
    from unnest(${fresh.map((item) => item.id)}::text[], ${fresh.map((item) => item.sealed)}::text[],
      ${fresh.map((item) => item.hash)}::text[]) as fresh (id, sealed, hash)
    where t.id = fresh.id${sql.raw(table === 'staff' ? '::bigint' : '')}`.execute(tx)
  return fresh.length
}

function opened(keys: Keys, sealed: string): string | undefined {
  try {
    return unseal(keys, sealed)
  } catch {
    // Encrypted with neither the current nor the previous SECRET; the final count reports it.
    return undefined
  }
}
