import type { BookKind } from '@podium/contract/classes'
import { type Paise, paise } from '@podium/contract/money'

interface Priced {
  price: Paise
  retained: Paise
}

interface KeptFee extends Priced {
  /** The part of the price that is a late fee */
  late: Paise
}

/** What a student is enrolled at: fee and share by event, price and share of each chosen book. */
export interface KeptPrices {
  classId: number
  fees: ReadonlyMap<number, KeptFee>
  books: ReadonlyMap<number, Partial<Record<BookKind, Priced>>>
}

/** The same as it is kept beside a change, to be put back by an undo. */
export interface StoredPrices {
  classId: number
  fees: Array<{ eventId: number; price: number; retained: number; late: number }>
  books: Array<{ eventId: number; kind: BookKind; price: number; retained: number }>
}

export function storedPrices({ classId, fees, books }: KeptPrices): StoredPrices {
  return {
    classId,
    fees: [...fees].map(([eventId, fee]) => ({ eventId, ...fee })),
    books: [...books].flatMap(([eventId, ofEvent]) =>
      Object.entries(ofEvent).map(([kind, priced]) => ({ eventId, kind: kind as BookKind, ...priced })),
    ),
  }
}

export function readPrices({ classId, fees, books }: StoredPrices): KeptPrices {
  const kept = new Map<number, Partial<Record<BookKind, Priced>>>()
  for (const { eventId, kind, price, retained } of books)
    kept.set(eventId, {
      ...kept.get(eventId),
      [kind]: { price: paise(price), retained: paise(retained) },
    })
  return {
    classId,
    fees: new Map(
      fees.map(({ eventId, price, retained, late }) => [
        eventId,
        { price: paise(price), retained: paise(retained), late: paise(late) },
      ]),
    ),
    books: kept,
  }
}

interface Offered extends KeptFee {
  eventId: number
  books: Partial<Record<BookKind, Priced>>
}

/**
 * What a class is offered, as one student of it has it: what is enrolled already keeps the price and the share with
 * which it was saved, whatever the list says now (docs/algorithms/fees.md). In another class nothing is kept but the
 * late fee, or that there was none: who was in time stays so.
 */
export function withKept<Event extends Offered>(
  offer: readonly Event[],
  classId: number,
  kept: KeptPrices | undefined,
): readonly Event[] {
  if (!kept) return offer
  return offer.map((event) => {
    const fee = kept.fees.get(event.eventId)
    if (!fee) return event
    if (kept.classId !== classId) {
      const { late } = fee
      return { ...event, late, price: paise(event.price - event.late + late) }
    }
    return { ...event, ...fee, books: { ...event.books, ...kept.books.get(event.eventId) } }
  })
}
