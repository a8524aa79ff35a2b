import { type Paise, rupees } from '../money.ts'

/** What a fee item is for, as in the calls, and the value the database stores. */
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

/** In rupees. Most UPI apps and banks refuse more than ₹1,00,000 at once; above it the bank transfer is shown first. */
export const upiLimit = 100_000

/** UTR numbers have 12 (UPI, IMPS) to 22 characters (RTGS). Others get a warning and are never refused. */
export function utrLooksRight(utr: string): boolean {
  return utr === '' || /^[A-Za-z0-9]{12,22}$/.test(utr)
}

/** Removes the spaces and dashes people write in a UTR. */
export function normaliseUtr(typed: string): string {
  return typed.replace(/[\s-]/g, '').toUpperCase()
}

interface UpiPayment {
  /** The foundation's UPI id, `name@bank`. */
  payTo: string
  payeeName: string
  amount: Paise
  /** The purpose shown to the payer. */
  note: string
  /** The reference to match on the bank statement. */
  reference: string
}

/**
 * Builds the link that every UPI app understands, for a QR code or a phone:
 * `upi://pay?pa=podium@bank&pn=…&am=12450.00&cu=INR&tn=…&tr=…`. Values are percent-encoded, except for `@`, because
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
