import type { BookOption, Subject } from '@podium/contract/catalogue/calls'
import { type BookKind, bookKinds } from '@podium/contract/classes'
import { type Paise, rupees } from '@podium/contract/money'
import { hasClosed, type OfferedEvent, type SeasonCatalogue } from './queries.ts'

/** A late fee that begins after the last day for entries is none. */
function lateOf({ lateRule, closesOn }: OfferedEvent): Subject['late'] {
  if (!lateRule || lateRule.from > closesOn) return null
  return { from: lateRule.from, fee: rupees(lateRule.fee) }
}

const inRupees = (amount: Paise | undefined) => (amount === undefined ? null : rupees(amount))

/** A subject as the calls tell it, in rupees; `signed` holds the letters whose list the caller's school has signed off. */
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
  const kept = (kind: BookKind) => inRupees(event.books[kind]?.retained)
  const first = bookKinds.map(kept).find((amount) => amount !== null)
  return {
    subjectName: event.name,
    eventLetter: event.letter,
    cb: price('cb'),
    pyqp: price('pyqp'),
    geneX: price('geneX'),
    tb: price('tb'),
    wb: price('wb'),
    retainFee: first ?? 0,
    retainFees: { cb: kept('cb'), pyqp: kept('pyqp'), geneX: kept('geneX'), tb: kept('tb'), wb: kept('wb') },
  }
}

/** The books of those subjects that have any, as the calls tell them. */
export function optionsOf(events: readonly OfferedEvent[]): BookOption[] {
  return events.filter((event) => Object.keys(event.books).length > 0).map(optionOf)
}
