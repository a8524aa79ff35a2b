import { type Paise, rupees } from '../money.ts'

/** What a fee item is for, in the words of the calls, and the word that the database keeps. */
export const paymentKinds = ['Registration Fee', 'Book Fee', 'Library Book Fee'] as const
export type PaymentKind = (typeof paymentKinds)[number]
export const purposes = ['registration', 'books', 'library'] as const
export type Purpose = (typeof purposes)[number]

const kindOf: Readonly<Record<Purpose, PaymentKind>> = {
  registration: 'Registration Fee',
  books: 'Book Fee',
  library: 'Library Book Fee',
}

export function purposeOf(kind: PaymentKind): Purpose {
  return purposes.find((purpose) => kindOf[purpose] === kind) ?? 'registration'
}

export function paymentForOf(purpose: string): PaymentKind {
  return purpose === 'books' || purpose === 'library' ? kindOf[purpose] : 'Registration Fee'
}

/** Most UPI apps and banks refuse more than ₹1,00,000 at once: above it the bank transfer comes first. Rupees. */
export const upiLimit = 100_000

/** UTR numbers have 12 (UPI, IMPS) to 22 characters (RTGS). Anything else is pointed out, never refused. */
export function utrLooksRight(utr: string): boolean {
  return utr === '' || /^[A-Za-z0-9]{12,22}$/.test(utr)
}

/** A UTR without the spaces and dashes in which people write it. */
export function bareUtr(typed: string): string {
  return typed.replace(/[\s-]/g, '').toUpperCase()
}

export interface UpiPayment {
  /** The foundation's UPI id, `name@bank`. */
  payTo: string
  payeeName: string
  amount: Paise
  /** What the payer sees as the purpose. */
  note: string
  /** The reference by which the bank statement is matched. */
  reference: string
}

/**
 * The link that every UPI app understands, as text for a QR code or for a phone:
 * `upi://pay?pa=podium@bank&pn=…&am=12450.00&cu=INR&tn=…&tr=…`. Values are percent-encoded, with `@` kept, because
 * several apps do not decode `%40`.
 */
export function upiLink(payment: UpiPayment): string {
  const fields = {
    pa: payment.payTo,
    pn: payment.payeeName,
    am: rupees(payment.amount).toFixed(2),
    cu: 'INR',
    tn: payment.note,
    tr: payment.reference,
  }
  const query = Object.entries(fields).map(
    ([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%40', '@')}`,
  )
  return `upi://pay?${query.join('&')}`
}
