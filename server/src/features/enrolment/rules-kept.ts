import type { BookKind } from '@podium/contract/classes'
import type { Paise } from '@podium/contract/money'

interface Priced {
  price: Paise
  retained: Paise
}

/** What a student is enrolled at: fee and share by event, price and share of each chosen book. */
export interface KeptPrices {
  classId: number
  fees: ReadonlyMap<number, Priced>
  books: ReadonlyMap<number, Partial<Record<BookKind, Priced>>>
}

interface Offered extends Priced {
  eventId: number
  books: Partial<Record<BookKind, Priced>>
}

/**
 * What a class is offered, as one student of it has it: what is enrolled already keeps the price and the share with
 * which it was saved, whatever the list says now (docs/algorithms/fees.md). In another class nothing is kept.
 */
export function withKept<Event extends Offered>(
  offer: readonly Event[],
  classId: number,
  kept: KeptPrices | undefined,
): readonly Event[] {
  if (!kept || kept.classId !== classId) return offer
  return offer.map((event) => {
    const fee = kept.fees.get(event.eventId)
    if (!fee) return event
    return { ...event, ...fee, books: { ...event.books, ...kept.books.get(event.eventId) } }
  })
}
