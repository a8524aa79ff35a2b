import { type Paise, rupees } from '../money.ts'

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
