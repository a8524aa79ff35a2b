import type { WrittenLanguage } from '@podium/contract/languages'
import { formatRupees } from '@podium/contract/money'
import type { PaymentKind } from '@podium/contract/payments/rules'
import { formatDay } from '@podium/contract/season'
import { formatSentence } from '@podium/contract/sentences'
import { sql } from 'kysely'
import { namesIn } from '#features/catalogue/lists/queries'
import type { Tx } from '#platform/db/database'
import type { Attachment } from '#platform/jobs/outbox'
import { mailWord, pageOfSeason } from '#platform/mail/mail-templates'
import { mailPeople } from '#platform/mail/mail-texts'

/** A payment with the data for its e-mails. */
export interface MailedPayment {
  id: number
  schoolId: number
  /** Null if the school did not send it */
  submittedBy: number | null
  paymentFor: PaymentKind
  /** Rupees */
  amount: number
  season: string
  /** Of the payment, for a decision that can be made more than once */
  version?: number
}

/** The recipients: the school's coordinators and, unless they have left it, the user who sent the payment; otherwise all its users. */
async function recipients(tx: Tx, payment: MailedPayment) {
  const people = await tx
    .selectFrom('users')
    .select(['id', 'name', 'email', 'language', 'coordinator'])
    .where('disabled_at', 'is', null)
    .where('school_id', '=', payment.schoolId)
    .orderBy('id')
    .execute()
  const concerned = people.filter(({ id, coordinator }) => coordinator || id === payment.submittedBy)
  return concerned.length > 0 ? concerned : people
}

async function mailAll(
  tx: Tx,
  now: Date,
  payment: MailedPayment,
  what: 'received' | 'verified' | 'rejected' | 'reopened' | 'reversed',
  valuesIn: (language: WrittenLanguage) => Promise<Record<string, string>> | Record<string, string>,
  attachments: Attachment[] = [],
): Promise<void> {
  const amount = formatRupees(payment.amount)
  await mailPeople(tx, now, await recipients(tx, payment), async (person, language) => ({
    key: `payment:${payment.id}:${what}:${person.id}${payment.version ? `:${payment.version}` : ''}`,
    kind: `payment-${what}`,
    mail: `payment-${what}`,
    values: {
      what: `${mailWord(language, payment.paymentFor)} ${payment.season}, ${amount}`,
      amount,
      ...(await valuesIn(language)),
    },
    ...(attachments.length > 0 ? { attachments } : {}),
  }))
}

/** E-mails that a school's payment details have arrived. `paymentDate` is a day, `2026-11-21`. */
export async function mailReceived(
  tx: Tx,
  now: Date,
  payment: MailedPayment & { paymentDate: string },
): Promise<void> {
  await mailAll(tx, now, payment, 'received', () => ({ day: formatDay(payment.paymentDate) }))
}

/** E-mails that a payment is verified, with the receipt attached. */
export async function mailVerified(
  tx: Tx,
  now: Date,
  payment: MailedPayment & { receiptNo: string },
  receipt: { fileId: string; filename: string },
): Promise<void> {
  const { receiptNo } = payment
  const attached = [{ ...receipt, mediaType: 'application/pdf' }]
  await mailAll(tx, now, payment, 'verified', () => ({ receiptNo }), attached)
}

export async function mailRejected(
  tx: Tx,
  now: Date,
  payment: MailedPayment & { reason: string; paymentsPage: string },
): Promise<void> {
  const { reason } = payment
  const paymentsPage = pageOfSeason(payment.paymentsPage, payment.season)
  await mailAll(tx, now, payment, 'rejected', async (language) => ({
    reason: (await namesIn(tx, language))(reason),
    paymentsPage,
  }))
}

/** E-mails that a rejection is undone: the payment is being verified again, and nothing is to be paid or sent. */
export async function mailReopened(tx: Tx, now: Date, payment: MailedPayment): Promise<void> {
  await mailAll(tx, now, payment, 'reopened', () => ({}))
}

/**
 * E-mails that the bank returned the money of a verified payment; an officer's own reason is added. An e-mail with the receipt
 * that has not left, or failed, is deleted: nobody gets it as valid any more.
 */
export async function mailReversed(
  tx: Tx,
  now: Date,
  payment: MailedPayment & { reason: string; returnedOn: string; receiptNo: string; paymentsPage: string },
): Promise<void> {
  const { reason, receiptNo } = payment
  await sql`
    delete from outbox where school_id = ${payment.schoolId} and kind = 'payment-verified' and done_at is null
      and starts_with(key, ${`payment:${payment.id}:verified:`})`.execute(tx)
  const paymentsPage = pageOfSeason(payment.paymentsPage, payment.season)
  const day = formatDay(payment.returnedOn)
  const isOffered = reason === formatSentence('returnedByBank', { day })
  await mailAll(tx, now, payment, 'reversed', async (language) => ({
    reason: isOffered ? '' : (await namesIn(tx, language))(reason),
    day,
    receiptNo,
    paymentsPage,
  }))
}
