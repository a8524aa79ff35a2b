import { type BookKind, bookKinds, bookKindsOf } from '@podium/contract/classes'
import { type Paise, paise } from '@podium/contract/money'
import { istDay, type Season } from '@podium/contract/season'
import {
  feeShareOf,
  type OfferedSubject,
  retainedOf,
  type ShareRule,
  shareRule,
} from '@podium/contract/students/rules-fee'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Db, Tx } from '#platform/db/database'

/** An event as a class is offered it: its priced subject, and what the prices were computed from. */
export interface OfferedEvent extends OfferedSubject {
  eventId: number
  closesOn: string
  mode: 'Online' | 'Offline'
  /** The part of the price that is a late fee */
  late: Paise
  /** From which day (IST) on an entry costs how much more */
  lateRule: LateRule | null
  /** Per-head shares as the price list holds them, whatever the season's rule makes of them */
  base: Paise
  bookBase: Paise
}

export interface LateRule {
  from: string
  fee: Paise
}

/** The late fee of an entry that is made on this day (IST); docs/algorithms/fees.md. */
export function lateFeeOn(rule: LateRule | null, day: string): Paise {
  return rule && rule.from <= day ? rule.fee : paise(0)
}

/** The same of `events e`, in the statement that writes. */
export const lateFeeNow = (now: Date) =>
  sql`case when e.late_from <= ${istDay(now)}::date then e.late_fee else 0 end`

/** What the book of `book_choices b` costs by `event_fees f`. */
export const priceOfKind = sql.raw(
  `case b.kind ${bookKinds.map((kind) => `when '${kind}' then f.${kind.toLowerCase()}`).join(' ')} end`,
)

export interface SeasonCatalogue {
  open: boolean
  /** Schools may look at it: it is open or was */
  published: boolean
  share: ShareRule
  /** Letters of the season's subjects with the last day (IST) for entries */
  closesOn: ReadonlyMap<string, string>
  /** The name of a subject of the season; its letter where it is none */
  nameOf(letter: string): string
  /** What a class can enter, in the order of the subjects; under slabs with the share of a school's first child */
  offerTo(classId: number): readonly OfferedEvent[]
  /** The same for a school with so many children; of another rule it is the same for all */
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

/** A season's subjects, fees and books of all classes as of this moment, or undefined where there is no such season. */
export async function readCatalogue(
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

/** Lets a catalogue be asked for the share of a school with so many children. */
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

const keptFor = 10_000
const kept = new WeakMap<Db, Map<Season, { at: number; day: string; catalogue: SeasonCatalogue }>>()

/**
 * The catalogue as it was at most ten seconds (or `age` milliseconds) ago, mostly without asking the database. Good for what is shown and for a
 * first try; what is decided by it must stand in the guard of the statement that writes.
 */
export async function keptCatalogue(
  db: Db,
  season: Season,
  now: Date,
  age = keptFor,
): Promise<SeasonCatalogue | undefined> {
  let seasons = kept.get(db)
  if (!seasons) {
    seasons = new Map()
    kept.set(db, seasons)
  }
  const known = seasons.get(season)
  const day = istDay(now)
  if (known?.day === day && performance.now() - known.at < age) return known.catalogue
  const catalogue = await readCatalogue(db, season, now)
  if (catalogue) seasons.set(season, { at: performance.now(), day, catalogue })
  return catalogue
}

/** Whether a day that closes entries has passed in India. */
export function hasClosed(closesOn: string, now: Date): boolean {
  return closesOn < istDay(now)
}

/** Letters of the subjects whose last day has passed. */
export function closedLetters(catalogue: SeasonCatalogue, now: Date): ReadonlySet<string> {
  const letters = new Set<string>()
  for (const [letter, day] of catalogue.closesOn) if (hasClosed(day, now)) letters.add(letter)
  return letters
}
