import type { BookOption, Subject } from '@podium/contract/catalogue/calls'
import type { ClassFees, OfficeEventRow } from '@podium/contract/catalogue/calls-events'
import {
  type EventFilters,
  filterEntries,
  type ListEntry,
  type ListFilters,
  type ListKind,
  matchesEventFilters,
} from '@podium/contract/catalogue/calls-lists'
import {
  feeShareOf,
  type OfferedSubject,
  retainedOf,
  type ShareRule,
  shareRule,
  slabOf,
} from '@podium/contract/catalogue/rules-fee'
import { type BookKind, bookKinds, bookKindsOf, className } from '@podium/contract/classes'
import { type Paise, paise, rupees } from '@podium/contract/money'
import { istDay, type Season } from '@podium/contract/season'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { Refusal } from '#platform/errors'
import { countHeads } from '#platform/paid-students'
import { catalogueEvents, pricesInOrder } from './events/queries.ts'
import { officeList } from './lists/queries.ts'

/** An event as offered to a class: its priced subject, and what the prices were computed from. */
export interface OfferedEvent extends OfferedSubject {
  eventId: number
  closesOn: string
  mode: 'Online' | 'Offline'
  /** The late fee included in the price */
  late: Paise
  /** The late fee and the IST day from which it applies */
  lateRule: LateRule | null
  /** Shares per student in the price list, before the season's rule */
  base: Paise
  bookBase: Paise
}

export interface LateRule {
  from: string
  fee: Paise
}

/** The late fee of an entry made on this IST day; docs/algorithms/fees.md. */
export function lateFeeOn(rule: LateRule | null, day: string): Paise {
  return rule && rule.from <= day ? rule.fee : paise(0)
}

/** The same in SQL, for `events e`. */
export const lateFeeNow = (now: Date) =>
  sql`case when e.late_from <= ${istDay(now)}::date then e.late_fee else 0 end`

/** SQL: the price of book `b` by the price list `f`. */
export const priceOfKind = sql.raw(
  `case b.kind ${bookKinds.map((kind) => `when '${kind}' then f.${kind.toLowerCase()}`).join(' ')} end`,
)

export interface SeasonCatalogue {
  open: boolean
  /** Visible to schools: open, or formerly open */
  published: boolean
  share: ShareRule
  /** The last IST day for entries, by subject letter */
  closesOn: ReadonlyMap<string, string>
  /** The name of a subject of the season, or the letter if there is none */
  nameOf(letter: string): string
  /** The events for a class, in subject order; with slabs, at the share of a school's first student */
  offerTo(classId: number): readonly OfferedEvent[]
  /** The same for a school with this many students; only slabs make a difference */
  at(heads: number): SeasonCatalogue
}

interface FeeRow {
  state: string
  share: unknown
  eventId: number | null
  letter: string
  name: string
  mode: 'Online' | 'Offline'
  closesOn: string
  lateFrom: string | null
  lateFee: number
  classId: number
  fee: number
  retained: number
  bookRetained: number
  cb: number | null
  pyqp: number | null
  geneX: number | null
  tb: number | null
  wb: number | null
}

function offered(row: FeeRow & { eventId: number }, rule: ShareRule, day: string): OfferedEvent {
  const books: Partial<Record<BookKind, { price: Paise; retained: Paise }>> = {}
  const bookBase = paise(row.bookRetained)
  for (const kind of bookKindsOf(row.classId)) {
    const amount = row[kind]
    if (amount === null) continue
    const price = paise(amount)
    books[kind] = { price, retained: retainedOf(rule, price, bookBase) }
  }
  const price = paise(row.fee)
  const base = paise(row.retained)
  const lateRule = row.lateFrom === null ? null : { from: row.lateFrom, fee: paise(row.lateFee) }
  const late = lateFeeOn(lateRule, day)
  return {
    letter: row.letter,
    name: row.name,
    eventId: row.eventId,
    closesOn: row.closesOn,
    mode: row.mode,
    price: paise(price + late),
    retained: feeShareOf(rule, price, base, 1),
    late,
    lateRule,
    base,
    bookBase,
    books,
  }
}

/** Loads a season's subjects, fees and books of all classes as of now; undefined if the season does not exist. */
export async function loadCatalogue(
  db: Db | Tx,
  season: Season,
  now: Date,
): Promise<SeasonCatalogue | undefined> {
  const { rows } = await sql<FeeRow>`
    select s.state, s.share_rule as share, e.id as "eventId", e.letter, sub.name, e.mode, e.closes_on as "closesOn",
      e.late_from as "lateFrom", e.late_fee as "lateFee", f.class_id as "classId", f.fee, f.retained, f.book_retained as "bookRetained",
      f.cb, f.pyqp, f.genex as "geneX", f.tb, f.wb
    from seasons s
      left join (events e join subjects sub on sub.letter = e.letter join event_fees f on f.event_id = e.id)
        on e.season = s.label and e.level = 1
    where s.label = ${season}
    order by sub.position, e.letter`.execute(db)
  const first = rows[0]
  if (!first) return undefined
  const share = z.parse(shareRule, first.share)
  const closesOn = new Map<string, string>()
  const names = new Map<string, string>()
  const byClass = new Map<number, OfferedEvent[]>()
  for (const row of rows) {
    const { eventId } = row
    if (eventId === null) continue
    closesOn.set(row.letter, row.closesOn)
    names.set(row.letter, row.name)
    const events = byClass.get(row.classId) ?? []
    events.push(offered({ ...row, eventId }, share, istDay(now)))
    byClass.set(row.classId, events)
  }
  return forHeads({
    open: first.state === 'open',
    published: first.state !== 'preparing',
    share,
    closesOn,
    nameOf: (letter) => names.get(letter) ?? letter,
    offerTo: (classId) => byClass.get(classId) ?? [],
  })
}

/** Adds `at`, which gives the shares for a school with a number of students. */
function forHeads(first: Omit<SeasonCatalogue, 'at'>): SeasonCatalogue {
  const { share, offerTo } = first
  if (share.kind !== 'slabs') {
    const same: SeasonCatalogue = { ...first, at: () => same }
    return same
  }
  const at = (heads: number): SeasonCatalogue => ({
    ...first,
    at,
    offerTo: (classId) =>
      offerTo(classId).map((event) => ({
        ...event,
        retained: feeShareOf(share, paise(event.price - event.late), event.base, heads),
      })),
  })
  return { ...first, at }
}

const maxCacheAge = 10_000
const cachedSeasons = new WeakMap<Db, Map<Season, { at: number; day: string; catalogue: SeasonCatalogue }>>()

/**
 * The catalogue from the cache, at most ten seconds (or `age` milliseconds) old. Use it for display and for a first attempt;
 * decisions must be repeated in the guard of the writing statement.
 */
export async function cachedCatalogue(
  db: Db,
  season: Season,
  now: Date,
  age = maxCacheAge,
): Promise<SeasonCatalogue | undefined> {
  let seasons = cachedSeasons.get(db)
  if (!seasons) {
    seasons = new Map()
    cachedSeasons.set(db, seasons)
  }
  const known = seasons.get(season)
  const day = istDay(now)
  if (known?.day === day && performance.now() - known.at < age) return known.catalogue
  const catalogue = await loadCatalogue(db, season, now)
  if (catalogue) seasons.set(season, { at: performance.now(), day, catalogue })
  return catalogue
}

/**
 * Runs `act` with the cached catalogue. Because that may be outdated, a refusal is retried once with a fresh one.
 */
export async function byPriceList<Done>(
  db: Db,
  season: Season,
  now: Date,
  act: (catalogue: SeasonCatalogue | undefined) => Promise<Done>,
): Promise<Done> {
  try {
    return await act(await cachedCatalogue(db, season, now))
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown
    return act(await cachedCatalogue(db, season, now, 0))
  }
}

/** Whether the last day for entries has passed in IST. */
export function hasClosed(closesOn: string, now: Date): boolean {
  return closesOn < istDay(now)
}

/** Letters of subjects whose last day has passed. */
export function closedLetters(catalogue: SeasonCatalogue, now: Date): ReadonlySet<string> {
  const letters = new Set<string>()
  for (const [letter, day] of catalogue.closesOn) if (hasClosed(day, now)) letters.add(letter)
  return letters
}

interface SchoolKey {
  schoolId: number
}

/**
 * The catalogue for a school that is about to add this many students. Queries the database only if the season has slabs.
 */
export async function catalogueForSchool(
  db: Db | Tx,
  catalogue: SeasonCatalogue,
  scope: SchoolKey,
  season: Season,
  adding = 0,
): Promise<SeasonCatalogue> {
  if (catalogue.share.kind !== 'slabs') return catalogue
  return catalogue.at((await countHeads(db, scope, season)) + adding)
}

/** The slab a school has reached in a season, in rupees; null if the season has no slabs. */
export async function slabReached(db: Db | Tx, catalogue: SeasonCatalogue, scope: SchoolKey, season: Season) {
  if (catalogue.share.kind !== 'slabs') return null
  const heads = await countHeads(db, scope, season)
  const { slab, next } = slabOf(catalogue.share.slabs, heads)
  return { heads, share: slab?.share ?? 0, next: next ?? null }
}

/** The entries of a list that match the filters. */
export async function listForFile(
  tx: Tx,
  scope: OfficeScope,
  kind: ListKind,
  wanted: ListFilters,
): Promise<ListEntry[]> {
  return filterEntries(await officeList(tx, scope, kind), wanted)
}

export type PricedClass = ClassFees & { className: string }

/** The events of a season that match the filters, each with prices in class order. */
export async function pricesForFile(
  tx: Tx,
  scope: OfficeScope,
  season: Season,
  wanted: EventFilters,
): Promise<Array<OfficeEventRow & { prices: PricedClass[] }>> {
  const events = (await catalogueEvents(tx, scope, season)).filter((event) =>
    matchesEventFilters(event, wanted),
  )
  const found = []
  for (const event of events) {
    const prices = await pricesInOrder(tx, event.eventYearId)
    found.push({ ...event, prices: prices.map((row) => ({ ...row, className: className(row.classId) })) })
  }
  return found
}

/** The late fee shown; none if it would begin after the last day for entries. */
function lateOf({ lateRule, closesOn }: OfferedEvent): Subject['late'] {
  if (!lateRule || lateRule.from > closesOn) return null
  return { from: lateRule.from, fee: rupees(lateRule.fee) }
}

const inRupees = (amount: Paise | undefined) => (amount === undefined ? null : rupees(amount))

/** A subject as answered by calls, in rupees. `signed`: letters of lists the school has signed off. */
export function subjectOf(
  event: OfferedEvent,
  catalogue: SeasonCatalogue,
  now: Date,
  signed: ReadonlySet<string>,
): Subject {
  return {
    eventYearId: event.eventId,
    eventLetter: event.letter,
    subjectName: event.name,
    eventFee: rupees(event.price),
    lateFee: rupees(event.late),
    late: lateOf(event),
    retainFee: rupees(event.retained),
    closesOn: event.closesOn,
    closed: !catalogue.open || hasClosed(event.closesOn, now),
    signedOff: signed.has(event.letter),
    examMode: event.mode,
  }
}

function optionOf(event: OfferedEvent): BookOption {
  const price = (kind: BookKind) => inRupees(event.books[kind]?.price)
  const retained = (kind: BookKind) => inRupees(event.books[kind]?.retained)
  const first = bookKinds.map(retained).find((amount) => amount !== null)
  return {
    subjectName: event.name,
    eventLetter: event.letter,
    cb: price('cb'),
    pyqp: price('pyqp'),
    geneX: price('geneX'),
    tb: price('tb'),
    wb: price('wb'),
    retainFee: first ?? 0,
    retainFees: {
      cb: retained('cb'),
      pyqp: retained('pyqp'),
      geneX: retained('geneX'),
      tb: retained('tb'),
      wb: retained('wb'),
    },
  }
}

/** The books of the subjects that have any, as answered by calls. */
export function optionsOf(events: readonly OfferedEvent[]): BookOption[] {
  return events.filter((event) => Object.keys(event.books).length > 0).map(optionOf)
}
