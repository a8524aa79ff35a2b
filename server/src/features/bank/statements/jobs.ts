import { paise, rupeesOf } from '@podium/contract/money'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { creditsOf } from '#features/payments/queries'
import { planMatching } from '#features/payments/verification/commands'
import { officerScope } from '#platform/auth/job-requesters'
import type { OfficeScope } from '#platform/auth/scope'
import { yieldingToEventLoop } from '#platform/concurrency-limit'
import type { Db, Tx } from '#platform/db/database'
import type { Deps } from '#platform/deps'
import { Refusal } from '#platform/errors'
import type { Job, JobHandler } from '#platform/jobs/jobs'
import {
  dueItemsOf,
  knownSchools,
  payableSeasons,
  paymentItems,
  referencePrefixes,
} from '../matching/queries-candidates.ts'
import { matching } from '../matching/rules.ts'
import { type BankLine, type Match, MatchCandidates, SchoolPointers } from '../matching/rules-candidates.ts'
import { utrsIn } from '../matching/rules-text.ts'
import { applyRules } from '../rules/commands.ts'
import { bookLine, bookPlanned, refuseBooking } from './commands-book.ts'
import { bouncedOn } from './queries.ts'

/**
 * SQL: an earlier line with the same UTR and amount, in any account's statement. Shorter numbers (cheques, counters) do not
 * identify a transfer.
 */
const sameUtr = sql`
  case when length(ltrim(l.utr, '0')) >= 10 then (
    select min(e.id) from bank_lines e
    where e.utr <> '' and ltrim(e.utr, '0') = ltrim(l.utr, '0') and e.amount = l.amount
      and e.id < l.id and e.state <> 'discarded') end`

/** Open lines: all, or those suggested for these schools. */
async function openLines(
  db: Db | Tx,
  schoolIds?: readonly number[],
): Promise<(BankLine & { fresh: boolean })[]> {
  const those = schoolIds === undefined ? sql`` : sql`and l.guess_school_id = any(${schoolIds}::bigint[])`
  const { rows } = await sql<BankLine & { fresh: boolean }>`
    select l.id, l.day, l.amount, l.utr, l.narration, l.guess is null as fresh, ${sameUtr} as "sameAs",
      ${bouncedOn} as "bouncedOn"
    from bank_lines l where l.state = 'open' ${those} order by l.day, l.id`.execute(db)
  return rows.map((row) => ({ ...row, amount: paise(row.amount) }))
}

/** Loads everything these lines are matched against: possible schools, and what they owe and have paid. */
export async function candidatesFor(tx: Tx, lines: readonly BankLine[]): Promise<MatchCandidates> {
  // The dues of many schools take longer than the usual limit.
  await sql`set local statement_timeout = '60s'`.execute(tx)
  await sql`set local jit = off`.execute(tx)
  const schools = await knownSchools(tx)
  const pointers = await yieldingToEventLoop(SchoolPointers.of(schools))
  const seasons = await payableSeasons(tx)
  const { schoolIds, utrs } = await yieldingToEventLoop(namedIn(lines, pointers, await referencePrefixes(tx)))
  const payments = await paymentItems(tx, { schoolIds: [...schoolIds], utrs: [...utrs], seasons })
  for (const { schoolId } of payments) schoolIds.add(schoolId)
  const due = await dueItemsOf(tx, [...schoolIds], seasons)
  return new MatchCandidates(schools, [...payments, ...due], await creditsOf(tx), pointers)
}

/** Finds possible schools and UTRs of the lines, in steps. */
function* namedIn(lines: readonly BankLine[], pointers: SchoolPointers, prefixes: readonly string[]) {
  const schoolIds = new Set<number>()
  const utrs = new Set<string>()
  for (const { narration, utr } of lines) {
    for (const id of [...pointers.codes(narration, prefixes), ...pointers.names(narration)]) schoolIds.add(id)
    for (const item of [utr, ...utrsIn(utr, narration)]) if (item !== '') utrs.add(item)
    yield
  }
  return { schoolIds, utrs }
}

async function storeMatches(db: Db, matches: readonly (readonly [number, Match])[]): Promise<void> {
  const rows = matches.map(([id, { state, schoolId, ...proposal }]) => ({
    id,
    guess: state,
    school: schoolId,
    proposal,
  }))
  // The version changes if the match shown to officers changes; a line not matched before has shown nothing.
  await sql`
    update bank_lines l set guess = x.guess, proposal = x.proposal, guess_school_id = x.school,
      version = l.version + (l.guess is not null)::int
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x (id bigint, guess text, school bigint, proposal jsonb)
    where l.id = x.id and l.state = 'open' and l.booking is null
      and (l.guess, l.proposal, l.guess_school_id) is distinct
      from (x.guess, x.proposal, x.school)`.execute(db)
}

const matchStep = 500

const match: JobHandler = async (job, { db, progress, clock, by }) => {
  const schoolIds = Array.isArray(job.input.schools) ? job.input.schools.map(Number) : undefined
  const lines = await openLines(db, schoolIds)
  await progress(0, lines.length)
  if (lines.length === 0) return { exact: 0, likely: 0, unknown: 0, already: 0, duplicate: 0, bounced: 0 }
  const candidates = await db.transaction().execute((tx) => candidatesFor(tx, lines))
  const matches = [...(await yieldingToEventLoop(matching(lines, candidates)))]
  for (let start = 0; start < matches.length; start += matchStep) {
    await storeMatches(db, matches.slice(start, start + matchStep))
    await progress(Math.min(matches.length, start + matchStep), matches.length)
  }
  // Rules only apply to newly imported lines: a line reopened by a person stays open.
  const fresh = lines.flatMap(({ id, fresh }) => (fresh ? [id] : []))
  const ignored = await db.transaction().execute((tx) => applyRules(tx, clock(), by, { lines: fresh }))
  const count = (state: string) => matches.filter(([, match]) => match.state === state).length
  return {
    exact: count('exact'),
    likely: count('likely'),
    unknown: count('unknown'),
    already: count('already'),
    duplicate: count('duplicate'),
    bounced: count('bounced'),
    ignored,
  }
}

/** The suggestion for a line: keys of items with their amounts, in paise */
const proposed = z.object({ parts: z.array(z.object({ key: z.string(), amount: z.int() })) })
const seenLines = z.array(z.object({ id: z.int(), version: z.int() }))

/** Books one exact line if it is still open with the suggestion shown; otherwise undefined. */
async function bookExact(
  db: Db,
  scope: OfficeScope,
  now: Date,
  { id, version }: z.output<typeof seenLines>[number],
): Promise<number[] | undefined> {
  const line = await db
    .selectFrom('bank_lines')
    .select('proposal')
    .where('id', '=', id)
    .where('version', '=', version)
    .where('state', '=', 'open')
    .where('guess', '=', 'exact')
    .where('booking', 'is', null)
    .executeTakeFirst()
  if (!line) return undefined
  const { parts } = z.parse(proposed, line.proposal)
  const shown = parts.map(({ key, amount }) => ({ key, amount: rupeesOf(amount) }))
  try {
    const booked = await db
      .transaction()
      .execute((tx) => bookLine(tx, scope, now, { id, version, parts: shown, credits: [], used: [] }))
    return booked.schools
  } catch (thrown) {
    // Decided or changed meanwhile: left for a person.
    if (thrown instanceof Refusal) return undefined
    throw thrown
  }
}

/** The schools of a line that an earlier attempt of the job has booked; empty if none has. */
async function bookedBefore(
  db: Db,
  scope: OfficeScope,
  job: Job,
  { id, version }: z.output<typeof seenLines>[number],
): Promise<number[]> {
  const rows = await db
    .selectFrom('bank_lines as line')
    .innerJoin('bank_line_payments as part', 'part.line_id', 'line.id')
    .innerJoin('payments as payment', 'payment.id', 'part.payment_id')
    .select('payment.school_id')
    .where('line.id', '=', id)
    .where('line.version', '=', version + 1)
    .where('line.state', '=', 'booked')
    .where('line.decided_by', '=', scope.staffId)
    .where('line.decided_at', '>', job.createdAt)
    .execute()
  return rows.map(({ school_id }) => school_id)
}

const book =
  (deps: Deps): JobHandler =>
  async (job, context) => {
    const { db, clock, progress } = context
    const lines = z.parse(seenLines, job.input.lines)
    const scope = officerScope(context)
    let booked = 0
    let skipped = 0
    const schools = new Set<number>()
    for (const line of lines) {
      const schoolIds =
        (await bookExact(db, scope, clock(), line)) ?? (await bookedBefore(db, scope, job, line))
      if (schoolIds.length > 0) booked++
      else skipped++
      for (const it of schoolIds) schools.add(it)
      if ((booked + skipped) % 20 === 0) await progress(booked + skipped, lines.length)
    }
    await db.transaction().execute((tx) => planMatching(tx, clock(), [...schools]))
    deps.wake()
    return { booked, skipped }
  }

/** Carries out a booking after the minute for undoing it. */
const runBooking =
  (deps: Deps): JobHandler =>
  async (job, context) => {
    const { db, clock } = context
    const scope = officerScope(context)
    const lineId = Number(job.input.lineId)
    try {
      await db.transaction().execute(async (tx) => {
        const schools = await bookPlanned(tx, scope, clock(), lineId, job.id)
        await planMatching(tx, clock(), schools)
      })
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown
      await db.transaction().execute((tx) => refuseBooking(tx, scope, clock(), lineId, job.id, thrown))
    }
    deps.wake()
    return {}
  }

/** Jobs that match and book bank lines. */
export function bankJobs(deps: Deps): Readonly<Record<string, JobHandler>> {
  return { 'bank-match': match, 'bank-book': book(deps), 'bank-book-line': runBooking(deps) }
}
