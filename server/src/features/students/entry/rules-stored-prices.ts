import type { BookKind } from '@podium/contract/classes'
import { type Paise, paise } from '@podium/contract/money'

interface Priced {
  price: Paise
  retained: Paise
}

interface KeptFee extends Priced {
  /** The part of the price that is a late fee */
  late: Paise
  /** Entered under an earlier rule of the share than the season has now */
  earlierRule?: boolean
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
    fees: [...fees].map(([eventId, { price, retained, late }]) => ({ eventId, price, retained, late })),
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

interface Offered extends Omit<KeptFee, 'earlierRule'> {
  eventId: number
  books: Partial<Record<BookKind, Priced>>
}

/**
 * What a class is offered, as one student of it has it: what is enrolled already keeps the price and the share with
 * which it was saved, whatever the list says now (docs/algorithms/fees.md). In another class the fee is that of its
 * list; kept are the late fee, or that there was none, and the share of an entry that is older than the season's rule of
 * the share, up to the fee.
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
    const { earlierRule, ...stood } = fee
    if (kept.classId !== classId) {
      const { late } = fee
      const base = event.price - event.late
      const retained = earlierRule ? paise(Math.min(fee.retained, base)) : event.retained
      return { ...event, late, price: paise(base + late), retained }
    }
    return { ...event, ...stood, books: { ...event.books, ...kept.books.get(event.eventId) } }
  })
}
