import { mostUnpaid, type OrderState } from '@podium/contract/books/calls-orders'
import type { ErrorCode } from '@podium/contract/errors'

/** What decides whether a line of the library order may still be changed. */
export interface Standing {
  paymentId: number | null
  paid: boolean
  /** The last day for the subject has passed */
  closed: boolean
}

type Reason = Extract<ErrorCode, `books.${string}`>

export function stateOf({ paid, paymentId }: Pick<Standing, 'paid' | 'paymentId'>): OrderState {
  if (paid) return 'paid'
  return paymentId === null ? 'unpaid' : 'sent'
}

/** Why a line can't be taken back, or undefined. What nobody has paid for can be, after the last day too. */
export function reasonAgainstDelete(line: Pick<Standing, 'paid' | 'paymentId'>): Reason | undefined {
  const state = stateOf(line)
  if (state === 'paid') return 'books.paid'
  return state === 'sent' ? 'books.sent' : undefined
}

/** Why a line can't be changed, or undefined: paid, being verified, closed. */
export function reasonAgainstEdit(line: Standing, seasonOpen: boolean): Reason | undefined {
  const fixed = reasonAgainstDelete(line)
  if (fixed) return fixed
  if (!seasonOpen) return 'books.season_closed'
  return line.closed ? 'books.closed' : undefined
}

/** What a school may do with a line: true, or the code of the reason why not. */
export function allowances(line: Standing, seasonOpen: boolean) {
  return {
    edit: reasonAgainstEdit(line, seasonOpen) ?? (true as const),
    delete: reasonAgainstDelete(line) ?? (true as const),
  }
}

/** Whether a line may be added: the season is open, and some subject of it still takes orders. */
export function mayAdd(seasonOpen: boolean, subjectsOpen: number): true | Reason {
  if (!seasonOpen) return 'books.season_closed'
  return subjectsOpen === 0 ? 'books.closed' : true
}

/** One payment covers all that is unpaid, so that much is bounded. `others` are the copies of the other lines. */
export function tooMany(others: number, quantity: number): boolean {
  return others + quantity > mostUnpaid
}
