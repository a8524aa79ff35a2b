import { istDay, type Season } from '@podium/contract/season'
import type { PricedChoice, ShareRule } from '@podium/contract/students/rules-fee'
import type { StudentFields } from '@podium/contract/students/schemas'
import { type RawBuilder, sql } from 'kysely'
import { lateFeeNow, type OfferedEvent, priceOfKind } from '#features/catalogue/queries'
import { heldLists, listsOpen } from '#features/students/sign-off/queries'
import type { SchoolScope } from '#platform/auth/scope'
import type { Keys } from '#platform/auth/secrets'
import { keptBook, keptFee, keptLate } from './queries-stored-prices-guard.ts'

/** A student as checked and priced, ready to be written. */
export interface Draft {
  season: Season
  /** 0 for a new one */
  id: number
  version: number
  fields: StudentFields
  priced: PricedChoice
  /** What `priced` was computed from: the statement compares it with the price list of its own moment. */
  offer: readonly OfferedEvent[]
  share: ShareRule
  /** The import that is taken back: what the student cost before it is as good as the price list */
  putsBack?: string
}

/** A draft, and by whom and when it is written. */
export interface Writing {
  scope: SchoolScope
  keys: Keys
  now: Date
  draft: Draft
  /** Whether the session is alive */
  alive: RawBuilder<boolean>
}

function lines({ priced, offer }: Draft) {
  const eventOf = new Map(offer.map((event) => [event.letter, event]))
  const event = (letter: string) => {
    const found = eventOf.get(letter)
    if (!found) throw new Error(`priced, but not offered: ${letter}`)
    return found
  }
  const { registration, books } = priced
  return {
    events: registration.map((line) => event(line.letter).eventId),
    fees: registration.map((line) => line.price),
    retained: registration.map((line) => line.retained),
    lates: registration.map((line) => line.late),
    bases: registration.map((line) => event(line.letter).base),
    bookEvents: books.map((line) => event(line.letter).eventId),
    bookKinds: books.map((line) => line.kind),
    bookPrices: books.map((line) => line.price),
    bookRetained: books.map((line) => line.retained),
    bookBases: books.map((line) => event(line.letter).bookBase),
  }
}

/**
 * The guard of every save: each chosen event is the season's, offered to the class, still open on this day (IST), and
 * costs what was computed, by the list or as the student has it; the season is open and shares by the same rule; no list
 * that the student is to be in, or was in, is signed off. `gate` has one row if all of it holds.
 */
export function guard({ draft, scope, now, alive }: Writing): RawBuilder<unknown> {
  const l = lines(draft)
  const { classId } = draft.fields
  const events = sql`select unnest(${l.events}::bigint[])
        union select n.event_id from enrolments n where n.student_id = ${draft.id}`
  return sql`
    ${heldLists(scope, events)}, wanted as (
      select w.event_id, w.fee, w.retained, w.late
      from unnest(${l.events}::bigint[], ${l.fees}::int[], ${l.retained}::int[], ${l.lates}::int[], ${l.bases}::int[])
          as w (event_id, fee, retained, late, base)
        join events e on e.id = w.event_id and e.season = ${draft.season} and e.level = 1 and e.closes_on >= ${istDay(now)}::date
        left join event_fees f on f.event_id = e.id and f.class_id = ${classId} and f.fee = w.fee - w.late and f.retained = w.base
          and (w.late = ${lateFeeNow(now)} ${keptLate(draft)})
      where f.event_id is not null ${keptFee(draft)}
    ), wanted_books as (
      select b.event_id, b.kind, b.price, b.retained
      from unnest(${l.bookEvents}::bigint[], ${l.bookKinds}::text[], ${l.bookPrices}::int[], ${l.bookRetained}::int[], ${l.bookBases}::int[])
          as b (event_id, kind, price, retained, base)
        left join event_fees f on f.event_id = b.event_id and f.class_id = ${classId} and f.book_retained = b.base and ${priceOfKind} = b.price
      where f.event_id is not null ${keptBook(draft)}
    ), gate as (
      select from seasons s
      where s.label = ${draft.season} and s.state = 'open' and s.share_rule = ${JSON.stringify(draft.share)}::jsonb
        and (select count(*) from wanted) = ${l.events.length} and (select count(*) from wanted_books) = ${l.bookEvents.length}
        and ${listsOpen} and ${alive}
    )`
}
