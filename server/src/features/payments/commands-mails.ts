import type { PaymentKind } from '@podium/contract/payments/rules'
import { formatDay } from '@podium/contract/season'
import { formatSentence } from '@podium/contract/sentences'
import { namesIn } from '#features/catalogue/lists/queries'
import type { Tx } from '#platform/db/database'
import { mailSender } from '#platform/foundation'
import { type Attachment, enqueueMail } from '#platform/jobs/outbox'
import {
  type Language,
  languageOf,
  paymentReceivedMail,
  paymentRejectedMail,
  paymentReversedMail,
  paymentVerifiedMail,
  type RenderedMail,
  type Sender,
} from '#platform/mail/mail-templates'

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
}

/** The recipients: the user who sent the payment, and the school's coordinators. */
async function recipients(tx: Tx, payment: MailedPayment) {
  return tx
    .selectFrom('users')
    .select(['id', 'name', 'email', 'language'])
    .where('disabled_at', 'is', null)
    .where((where) =>
      where.or([
        where('id', '=', payment.submittedBy ?? 0),
        where.and([where('school_id', '=', payment.schoolId), where('coordinator', '=', true)]),
      ]),
    )
    .orderBy('id')
    .execute()
}

async function mailAll(
  tx: Tx,
  now: Date,
  payment: MailedPayment,
  what: 'received' | 'verified' | 'rejected' | 'reversed',
  write: (sender: Sender, language: Language, name: string) => RenderedMail | Promise<RenderedMail>,
  attachments: Attachment[] = [],
): Promise<void> {
  const sender = await mailSender(tx)
  for (const person of await recipients(tx, payment)) {
    await enqueueMail(tx, now, {
      key: `payment:${payment.id}:${what}:${person.id}`,
      kind: `payment-${what}`,
      to: { name: person.name, address: person.email },
      ...(await write(sender, languageOf(person), person.name)),
      ...(attachments.length > 0 ? { attachments } : {}),
    })
  }
}

export async function mailReceived(
  tx: Tx,
  now: Date,
  payment: MailedPayment & { paymentDate: string },
): Promise<void> {
  await mailAll(tx, now, payment, 'received', (sender, language, name) =>
    paymentReceivedMail(sender, language, { ...payment, name }),
  )
}

/** E-mails that a payment is verified, with the receipt attached. */
export async function mailVerified(
  tx: Tx,
  now: Date,
  payment: MailedPayment & { receiptNo: string },
  receipt: { fileId: string; filename: string },
): Promise<void> {
  await mailAll(
    tx,
    now,
    payment,
    'verified',
    (sender, language, name) => paymentVerifiedMail(sender, language, { ...payment, name }),
    [{ ...receipt, mediaType: 'application/pdf' }],
  )
}

export async function mailRejected(
  tx: Tx,
  now: Date,
  payment: MailedPayment & { reason: string; paymentsPage: string },
): Promise<void> {
  await mailAll(tx, now, payment, 'rejected', async (sender, language, name) => {
    const reason = (await namesIn(tx, language))(payment.reason)
    return paymentRejectedMail(sender, language, { ...payment, reason, name })
  })
}

/** E-mails that the bank returned the money of a verified payment; an officer's own reason is added. */
export async function mailReversed(
  tx: Tx,
  now: Date,
  payment: MailedPayment & { reason: string; returnedOn: string; receiptNo: string; paymentsPage: string },
): Promise<void> {
  const offered = formatSentence('returnedByBank', { day: formatDay(payment.returnedOn) })
  await mailAll(tx, now, payment, 'reversed', async (sender, language, name) => {
    const reason = payment.reason === offered ? '' : (await namesIn(tx, language))(payment.reason)
    return paymentReversedMail(sender, language, { ...payment, reason, name })
  })
}
