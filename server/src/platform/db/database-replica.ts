import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { Refusal } from '../errors.ts'
import { type Db, openStandby, type ReadDb, type ReadTx } from './database.ts'

/** How old public data from a standby may be, in milliseconds. */
export const maxStaleness = 5_000
/** How long a reader waits for a standby to catch up with the primary as of the call's start, in milliseconds. */
const maxWait = 1_000
const pollInterval = 20
/** How often to ask the primary for its position while there are reads, in milliseconds. */
const markInterval = 1_000
/** How long to leave a standby alone that was behind or away, in milliseconds. */
const restTimes = { behind: 1_000, away: 5_000 }

/** Reads that a standby may answer. The primary answers whatever the standby can't, or fails at. */
export interface Reads {
  /**
   * For data that is the same for everyone and rarely changes: at most {@link maxStaleness} old. An answer that is not
   * `sure` (for example, that something doesn't exist) is checked on the primary.
   */
  lately<Answer>(ask: (db: ReadDb) => Promise<Answer>, sure?: (answer: Answer) => boolean): Promise<Answer>
  /**
   * For large reads: includes everything committed before the call began, on any instance, and so also what the reader
   * itself has just written. Runs in a transaction.
   */
  caughtUp<Answer>(ask: (tx: ReadTx) => Promise<Answer>): Promise<Answer>
  /** How many reads each has answered since the start; not counted without a standby. */
  readonly answered: { standby: number; primary: number }
  close(): Promise<void>
}

const onPrimary = <Answer>(db: Db, ask: (tx: ReadTx) => Promise<Answer>): Promise<Answer> =>
  db.transaction().setAccessMode('read only').execute(ask)

/** Returns reads for an installation without a standby: the primary answers all of them. */
export function primaryReads(db: Db): Reads {
  return {
    lately: (ask) => ask(db),
    caughtUp: (ask) => onPrimary(db, ask),
    answered: { standby: 0, primary: 0 },
    close: async () => undefined,
  }
}

interface StandbyOptions {
  url: string
  pooler: 'transaction' | undefined
  poolSize: number
  primary: Db
  /** A monotonic clock in milliseconds, with any origin */
  clock: () => number
  log: Logger
}

/** Why a standby does not answer; not an error of the call. */
class StandbyUnavailable extends Error {
  readonly rest: keyof typeof restTimes
  constructor(rest: keyof typeof restTimes, message: string) {
    super(message)
    this.rest = rest
  }
}

/**
 * The primary's log position `lsn` at time `at` or later. The position written, even if not yet on disk: so commits
 * that don't wait for the disk count too.
 */
interface Mark {
  at: number
  lsn: string
}

type Kind = 'lately' | 'caughtUp'

/**
 * Reads from the standby at `url`. Its position is checked on the connection that answers, in the same transaction: an
 * address may lead to several standbys, and each must prove its own.
 */
export function standbyReads({ url, pooler, poolSize, primary, clock, log }: StandbyOptions): Reads {
  const standby = openStandby({
    url,
    pooler,
    poolSize,
    dataDir: '',
    applicationName: 'podium-read',
    acquireTimeout: 1_000,
    onError: (error) => log.warn({ err: error }, 'standby'),
  })
  const answered = { standby: 0, primary: 0 }
  const restUntil: Record<Kind, number> = { lately: 0, caughtUp: 0 }
  let serving: boolean | undefined
  let marks: Mark[] = []
  let marking = false

  async function mark(): Promise<Mark> {
    const at = clock()
    const { rows } = await sql<{ lsn: string }>`
      select pg_current_wal_insert_lsn()::text as lsn`.execute(primary)
    const fresh = { at, lsn: rows[0]?.lsn ?? '' }
    marks = [...marks.filter((earlier) => earlier.at >= at - maxStaleness), fresh]
    return fresh
  }

  /**
   * Makes the primary write out what it holds in memory, which it may delay by five seconds if no commit waits for it.
   */
  const pushOut = () =>
    sql`select pg_logical_emit_message(true, 'podium', '')`.execute(primary).catch(() => undefined)

  /** Returns the oldest mark that is recent enough: a standby past it is up to date for `lately`. */
  async function recentMark(): Promise<Mark> {
    const now = clock()
    marks = marks.filter(({ at }) => at >= now - maxStaleness)
    const [oldest] = marks
    if (!oldest) return mark()
    if (!marking && now - (marks.at(-1)?.at ?? now) >= markInterval) {
      marking = true
      // If this fails, the next reader retries.
      void mark()
        .catch(() => undefined)
        .finally(() => {
          marking = false
        })
    }
    return oldest
  }

  async function fromStandby<Answer>(kind: Kind, ask: (tx: ReadTx) => Promise<Answer>): Promise<Answer> {
    const { lsn } = await (kind === 'lately' ? recentMark() : mark())
    const until = performance.now() + (kind === 'lately' ? 0 : maxWait)
    let pushed = false
    return standby.db
      .transaction()
      .setAccessMode('read only')
      .execute(async (tx) => {
        for (;;) {
          const { rows } = await sql<{ standby: boolean; passed: boolean | null }>`
            select pg_is_in_recovery() as standby,
            pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn as passed`.execute(tx)
          if (!rows[0]?.standby)
            throw new StandbyUnavailable('away', 'what DATABASE_READ_URL leads to is no standby')
          if (rows[0].passed) return ask(tx)
          if (performance.now() >= until) throw new StandbyUnavailable('behind', 'the standby is behind')
          if (!pushed) await pushOut()
          pushed = true
          await sleep(pollInterval)
        }
      })
  }

  function logState(error?: unknown): void {
    const now = error === undefined
    if (serving === now) return
    serving = now
    if (now) log.info('the standby answers reads')
    else log.warn({ err: error }, 'the standby does not answer: the primary does')
  }

  /** Tries the standby; undefined if the primary has to answer. */
  async function tryStandby<Answer>(
    kind: Kind,
    ask: (tx: ReadTx) => Promise<Answer>,
  ): Promise<{ answer: Answer } | undefined> {
    if (clock() < restUntil[kind]) return undefined
    try {
      const answer = await fromStandby(kind, ask)
      logState()
      return { answer }
    } catch (error) {
      if (error instanceof Refusal) throw error
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      // A statement that is too slow would be as slow on the primary.
      if (code === '57014') throw error
      const rest = error instanceof StandbyUnavailable ? error.rest : 'away'
      // One call that found no connection, or conflicted with the standby's replay, says nothing about the next.
      if (code !== '53300' && code !== '40001')
        for (const each of rest === 'away' ? (['lately', 'caughtUp'] as const) : [kind])
          restUntil[each] = clock() + restTimes[rest]
      logState(error)
      return undefined
    }
  }

  async function read<Answer>(
    kind: Kind,
    ask: (tx: ReadTx) => Promise<Answer>,
    fallback: () => Promise<Answer>,
    sure: (answer: Answer) => boolean = () => true,
  ): Promise<Answer> {
    const result = await tryStandby(kind, ask)
    if (result && sure(result.answer)) {
      answered.standby++
      return result.answer
    }
    answered.primary++
    return fallback()
  }

  return {
    answered,
    lately: (ask, sure) => read('lately', ask, () => ask(primary), sure),
    caughtUp: (ask) => read('caughtUp', ask, () => onPrimary(primary, ask)),
    close: () => standby.close(),
  }
}
