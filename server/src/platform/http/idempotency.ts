import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { changeRows, firstRow } from '#platform/db/rows'
import type { Scope } from '../auth/scope.ts'
import type { Db, Tx } from '../db/database.ts'
import { Refusal } from '../errors.ts'
import { callerId } from './input.ts'

/** What of a call says whether it is a repeated one. */
interface KeyedCall {
  scope: Scope | undefined
  body: unknown
  request: { idempotencyKey: string | undefined }
}

/**
 * Runs a write once per caller and Idempotency-Key: a repeated request gets the first one's answer. The key is stored
 * in the write's transaction, so both are committed or rolled back together. The same key with another body: 422. A
 * second request during the first waits for its row and then gets its answer.
 */
export const idempotent = <Answer extends object>(
  tx: Tx,
  { scope, body, request, now }: KeyedCall & { now: Date },
  write: () => Promise<Answer>,
): Promise<Answer> => onceByKey(tx, now, callerId(scope), request.idempotencyKey, body, write)

async function onceByKey<Answer extends object>(
  tx: Tx,
  now: Date,
  caller: string,
  key: string | undefined,
  request: unknown,
  write: () => Promise<Answer>,
): Promise<Answer> {
  if (key === undefined) return write()
  const sha256 = hashOf(request)
  const inserted = await tx
    .insertInto('idempotency_keys')
    .values({ scope: caller, key, request_sha256: sha256, at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst()
  if (!inserted) {
    const earlier = await findFirstAnswer<Answer>(tx, caller, key, sha256)
    if (!earlier) throw new Refusal('request.in_progress')
    return earlier
  }
  const answer = await write()
  await changeRows(tx, 'idempotency_keys', {
    where: { scope: caller, key },
    set: { answer: JSON.stringify(answer) },
  })
  return answer
}

const hashOf = (request: unknown) => createHash('sha256').update(JSON.stringify(request)).digest('base64url')

async function findFirstAnswer<Answer>(db: Db | Tx, caller: string, key: string, sha256: string) {
  const row = await firstRow(db, 'idempotency_keys', { scope: caller, key }, ['request_sha256', 'answer'])
  if (!row || row.answer === null) return undefined
  if (row.request_sha256 !== sha256) throw new Refusal('request.repeated_differently')
  return row.answer as unknown as Answer
}

/** An Idempotency-Key with its caller and the hash of its request. */
export interface KeyedRequest {
  caller: string
  key: string
  sha256: string
}

/**
 * The same for a write that is a single statement without a transaction around it and inserts its key itself, with
 * `storeAnswer`. A write that is refused or finds its key taken may be a repeated request, which gets the first answer.
 */
export async function idempotentStatement<Answer extends object>(
  db: Db | Tx,
  scope: Scope,
  key: string | undefined,
  request: unknown,
  write: (keyed: KeyedRequest | undefined) => Promise<Answer>,
): Promise<Answer> {
  if (key === undefined) return write(undefined)
  const caller = callerId(scope)
  const sha256 = hashOf(request)
  try {
    return await write({ caller, key, sha256 })
  } catch (thrown) {
    const taken = isTakenKey(thrown)
    const earlier =
      taken || thrown instanceof Refusal ? await findFirstAnswer<Answer>(db, caller, key, sha256) : undefined
    if (earlier) return earlier
    throw taken ? new Refusal('request.in_progress') : thrown
  }
}

const isTakenKey = (thrown: unknown) =>
  thrown instanceof Error && 'constraint' in thrown && thrown.constraint === 'idempotency_keys_pkey'

/** The part of a statement that inserts its key with the answer as JSON. If the key is taken, the whole statement fails. */
export const storeAnswer = ({ caller, key, sha256 }: KeyedRequest, now: Date, answer: RawBuilder<unknown>) =>
  sql`insert into idempotency_keys (scope, key, request_sha256, at, answer)
    select ${caller}, ${key}, ${sha256}, ${now}::timestamptz, ${answer}`

/**
 * Checks whether a write may be made, before any costly work for it. If it may not because this request was already
 * written, returns the earlier answer; any other refusal is thrown.
 */
export async function checkOrReplay<Answer extends object>(
  db: Db,
  { scope, body, request: { idempotencyKey: key } }: KeyedCall,
  check: (tx: Tx) => Promise<unknown>,
): Promise<Answer | undefined> {
  return db.transaction().execute(async (tx) => {
    try {
      await check(tx)
      return undefined
    } catch (thrown) {
      const earlier =
        thrown instanceof Refusal && key !== undefined
          ? await findFirstAnswer<Answer>(tx, callerId(scope), key, hashOf(body))
          : undefined
      if (earlier) return earlier
      throw thrown
    }
  })
}

interface RefusedRecord {
  id: number
  message: string
}

/** The caller, and the Idempotency-Key by which a repeated request gets the first answers. */
interface BulkRequest {
  scope: Scope
  key: string | undefined
}

/**
 * Applies a write to several records, each in its own transaction and with its own audit lines. Refused records are
 * reported and left unchanged; the others are written. A record listed twice is written once. Everything the write
 * depends on must be in the record, because it is part of the idempotency check.
 */
export async function runBulk<Item extends { id: number }, Done extends object>(
  db: Db,
  now: Date,
  { scope, key }: BulkRequest,
  records: readonly Item[],
  write: (tx: Tx, record: Item) => Promise<Done>,
): Promise<{ done: Done[]; refused: RefusedRecord[] }> {
  const caller = callerId(scope)
  const done: Done[] = []
  const refused: RefusedRecord[] = []
  for (const record of new Map(records.map((entry) => [entry.id, entry])).values()) {
    try {
      const answer = await db
        .transaction()
        .execute((tx) =>
          onceByKey(tx, now, caller, key && `${key}:${record.id}`, record, () => write(tx, record)),
        )
      done.push(answer)
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown
      refused.push({ id: record.id, message: thrown.message })
    }
  }
  return { done, refused }
}

/**
 * Returns a fingerprint of what a screen shows: the same facts give the same one. The answer that a decision is based
 * on carries it, the decision sends it back, and the command recomputes it under its locks.
 */
export function fingerprint(facts: unknown): string {
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64url')
}

/** Refuses a decision based on anything other than what was shown: `changed_meanwhile`. */
export function refuseIfChanged(expected: string, facts: unknown): void {
  if (expected !== fingerprint(facts)) throw new Refusal('changed_meanwhile')
}
