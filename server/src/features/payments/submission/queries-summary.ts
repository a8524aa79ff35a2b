import { type Paise, paise, rupees, rupeesOf, sumPaise } from '@podium/contract/money'
import {
  type PaidEntry,
  type PaymentItem,
  paymentProof,
  paymentReceipt,
  type SentPayment,
} from '@podium/contract/payments/calls'
import {
  type PaymentKind,
  type Purpose,
  paymentForOf,
  purposes,
  upiLink,
} from '@podium/contract/payments/rules'
import { istDay, type Season } from '@podium/contract/season'
import { cachedCatalogue, slabReached } from '#features/catalogue/queries'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
import { readFoundation } from '#platform/foundation'
import {
  bankAccount,
  creditsOf,
  type DueItem,
  entriesOf,
  moneyAnswer,
  type SchoolPayment,
  schoolMoney,
  schoolPayments,
} from '../queries.ts'
import { referenceOf } from '../rules.ts'

const attachmentOf = ({ id, proof_name }: SchoolPayment) =>
  proof_name === '' ? '' : `${paymentProof.path}?id=${id}`

/** Bank details and the text of the QR code, both only from the office's settings (docs/security.md, T9). */
async function payTo(
  db: Db,
  now: Date,
  purpose: Purpose,
  pay: { amount: Paise; note: string; reference: string } | undefined,
) {
  const account = await bankAccount(db, purpose, now)
  const upi =
    account && account.upiId !== '' && pay
      ? upiLink({ payTo: account.upiId, payeeName: account.accountName, ...pay })
      : ''
  return {
    known: account !== undefined,
    fields: {
      accountName: account?.accountName ?? '',
      bankName: account?.bankName ?? '',
      accountNo: account?.accountNo ?? '',
      ifsc: account?.ifsc ?? '',
      upiId: account?.upiId ?? '',
      upi,
    },
  }
}

function sentOf(payment: SchoolPayment): SentPayment {
  return {
    id: payment.id,
    paymentDate: payment.paid_on,
    utr: payment.utr,
    remarks: payment.remarks,
    attechment: attachmentOf(payment),
    proofName: payment.proof_name,
    proofType: payment.proof_type,
    sentBy: payment.sent_by,
    creationDate: payment.submitted_at.toISOString(),
  }
}

function paidOf(payment: SchoolPayment): PaidEntry {
  const verified = payment.state === 'verified'
  return {
    id: payment.id,
    receiptNo: payment.receipt_no ?? '',
    payment: rupeesOf(payment.payable),
    paymentDate: payment.paid_on,
    remarks: payment.remarks,
    paymentStatus: verified ? 'Verified' : 'Rejected',
    attechment: attachmentOf(payment),
    creationDate: payment.submitted_at.toISOString(),
    paymentFor: paymentForOf(payment.purpose),
    utr: payment.utr,
    state: payment.state,
    reason: payment.reason,
    proofName: payment.proof_name,
    proofType: payment.proof_type,
    reference: payment.reference,
    receipt: payment.receipt_no === null ? '' : `${paymentReceipt.path}?id=${payment.id}`,
    cancelledOn: payment.reversed_at && istDay(payment.reversed_at),
    students: payment.students,
    withdrawn: payment.withdrawn,
  }
}

/** What the next payment starts with; nothing of money that the bank returned, which is sent by another transfer. */
function previousOf(latest: SchoolPayment | undefined): PaymentItem['previous'] {
  if (latest?.state !== 'rejected' || latest.reversed_at !== null) return null
  return latest.withdrawn ? sentOf(latest) : { ...sentOf(latest), attechment: '', proofName: '' }
}

/** Why the foundation rejected the last payment, if nothing was sent since. */
function rejectionOf(latest: SchoolPayment | undefined): PaymentItem['rejected'] {
  if (latest?.state !== 'rejected' || latest.withdrawn) return null
  return {
    id: latest.id,
    reason: latest.reason,
    payableAmount: rupeesOf(latest.payable),
    paymentDate: latest.paid_on,
    decidedOn: istDay(latest.reversed_at ?? latest.decided_at ?? latest.submitted_at),
  }
}

interface Context {
  db: Db
  scope: SchoolScope
  season: Season
  now: Date
  prefix: string
  purpose: Purpose
  paymentFor: PaymentKind
  /** The school's payments of this fee, newest first */
  payments: SchoolPayment[]
  /** The slab the school has reached */
  slab: PaymentItem['slab']
}

async function entries({ db, scope, purpose }: Context, ids: number[]) {
  if (purpose !== 'registration') return { entries: 0, entryFee: null, lateFee: 0 }
  const { entries, fee, late } = await entriesOf(db, scope, ids)
  return { entries, entryFee: fee === null ? null : rupeesOf(fee), lateFee: rupeesOf(late) }
}

async function dueCard(context: Context, due: DueItem): Promise<PaymentItem> {
  const { db, now, scope, season, purpose, paymentFor, payments } = context
  const accepted = payments.filter((payment) => payment.state !== 'rejected')
  const reference = referenceOf(context.prefix, season, scope.schoolCode, purpose, accepted)
  const amount = paise(due.gross - due.retained)
  const note = `${paymentFor} ${season} ${scope.schoolCode}`
  const account = await payTo(db, now, purpose, { amount, note, reference })
  const pending = accepted.some((payment) => payment.state === 'pending')
  return {
    paymentFor,
    paymentStatus: 'Pending',
    payableAmount: rupees(amount),
    ...account.fields,
    paymentStatus_For_School: 0,
    individualRegIdList: due.ids,
    gross: rupeesOf(due.gross),
    retained: rupeesOf(due.retained),
    reference,
    students: purpose === 'library' ? 0 : due.ids.length,
    ...(await entries(context, due.ids)),
    books: due.books,
    slab: purpose === 'registration' ? context.slab : null,
    sent: null,
    previous: previousOf(payments[0]),
    rejected: rejectionOf(payments[0]),
    can: { submit: pending ? 'payments.pending_first' : account.known || 'payments.no_account' },
  }
}

async function pendingCard(context: Context, payment: SchoolPayment): Promise<PaymentItem> {
  return {
    paymentFor: context.paymentFor,
    paymentStatus: 'Pending',
    payableAmount: rupeesOf(payment.payable),
    ...(await payTo(context.db, context.now, context.purpose, undefined)).fields,
    paymentStatus_For_School: 1,
    individualRegIdList: payment.ids,
    gross: rupeesOf(payment.gross),
    retained: rupeesOf(payment.retained),
    reference: payment.reference,
    students: payment.students,
    ...(await entries(context, payment.ids)),
    books: context.purpose === 'registration' ? 0 : payment.books,
    slab: null,
    sent: sentOf(payment),
    previous: null,
    rejected: null,
    can: { submit: 'payments.already_sent' },
  }
}

async function paidCard(context: Context, verified: SchoolPayment[]): Promise<PaymentItem> {
  const total = (of: (payment: SchoolPayment) => number) =>
    rupees(sumPaise(verified.map((payment) => paise(of(payment)))))
  const ids = verified.flatMap((payment) => payment.ids)
  return {
    paymentFor: context.paymentFor,
    paymentStatus: 'Paid',
    payableAmount: total((payment) => payment.payable),
    ...(await payTo(context.db, context.now, context.purpose, undefined)).fields,
    paymentStatus_For_School: 0,
    individualRegIdList: ids,
    gross: total((payment) => payment.gross),
    retained: total((payment) => payment.retained),
    reference: verified[0]?.reference ?? '',
    students: verified.reduce((sum, payment) => sum + payment.students, 0),
    ...(await entries(context, ids)),
    books: context.purpose === 'registration' ? 0 : verified.reduce((sum, payment) => sum + payment.books, 0),
    slab: null,
    sent: null,
    previous: null,
    rejected: null,
    can: { submit: 'payments.already_sent' },
  }
}

/**
 * A school's payments page: for each fee what is due, being verified or paid, and the decided payments, newest first.
 */
export async function paymentSummaryOf(db: Db, scope: SchoolScope, season: Season, now: Date) {
  const all = await schoolPayments(db, scope, season)
  const catalogue = await cachedCatalogue(db, season, now)
  const slab = catalogue ? await slabReached(db, catalogue, scope, season) : null
  const money = await schoolMoney(db, scope, season)
  const { receipt_prefix: prefix } = await readFoundation(db)
  const dataList: PaymentItem[] = []
  for (const purpose of purposes) {
    const paymentFor = paymentForOf(purpose)
    const payments = all.filter((payment) => payment.purpose === purpose)
    const context: Context = { db, scope, season, now, prefix, purpose, paymentFor, payments, slab }
    const cards: PaymentItem[] = []
    const item = money.due.find((item) => item.purpose === purpose)
    if (item) cards.push(await dueCard(context, item))
    for (const payment of payments) {
      if (payment.state === 'pending') cards.push(await pendingCard(context, payment))
    }
    const verified = payments.filter((payment) => payment.state === 'verified')
    if (cards.length === 0 && verified.length > 0) cards.push(await paidCard(context, verified))
    dataList.push(...cards)
  }
  const credit = (await creditsOf(db, [scope.schoolId])).get(scope.schoolId) ?? 0
  return {
    dataList,
    money: moneyAnswer(money),
    credit: rupeesOf(credit),
    paidList: all.filter((payment) => payment.state !== 'pending').map(paidOf),
  }
}
