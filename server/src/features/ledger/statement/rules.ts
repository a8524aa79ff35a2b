import { className } from '@podium/contract/classes'
import type { StatementKind } from '@podium/contract/ledger/calls-statement'
import { type Paise, paise } from '@podium/contract/money'
import type { Purpose } from '@podium/contract/payments/rules'
import { istDay } from '@podium/contract/season'

/** One line of a school's account, without its balance; amounts in paise. */
export interface Movement {
  /** IST day */
  day: string
  kind: StatementKind
  purpose: Purpose
  /** Sort key within a day: 0 for fees, which come before payments, otherwise the instant in ms */
  at: number
  students: number
  items: number
  paymentId: number | null
  reference: string
  receiptNo: string
  reason: string
  /** False for a payment entered by the office from a bank line, which the school did not report */
  reported: boolean
  amount: Paise
  debit: Paise
  credit: Paise
}

export interface AccountLine extends Movement {
  balance: Paise
}

const none = {
  ...{ students: 0, items: 0, paymentId: null, reference: '', receiptNo: '', reason: '' },
  reported: true,
}
const zero = paise(0)

/** An empty line. */
const plain = { ...none, debit: zero, credit: zero }

/** The fees of one kind entered on one day; amounts in paise. */
export interface Charge {
  purpose: Purpose
  day: string
  students: number
  items: number
  gross: number
  retained: number
}

/** Two lines: the fees charged, and the share that the school keeps. */
export function chargeMovements({ gross, retained, ...charged }: Charge): Movement[] {
  const line = { ...none, ...charged, at: 0 }
  const owed = paise(gross)
  const share = paise(retained)
  const charge: Movement = { ...line, kind: 'charge', amount: owed, debit: owed, credit: zero }
  if (share === 0) return [charge]
  return [charge, { ...line, kind: 'share', amount: share, debit: zero, credit: share }]
}

/** Late fees of one day's entries, without a share for the school. */
export function lateMovement(late: {
  day: string
  students: number
  items: number
  amount: number
}): Movement {
  const amount = paise(late.amount)
  return {
    ...none,
    ...late,
    at: 0,
    kind: 'late',
    purpose: 'registration',
    amount,
    debit: amount,
    credit: zero,
  }
}

/** A payment with its decision; the amount in paise. */
export interface SentMoney {
  id: number
  purpose: Purpose
  reference: string
  payable: number
  state: 'pending' | 'verified' | 'rejected'
  reason: string
  withdrawn: boolean
  receipt_no: string | null
  submitted_at: Date
  decided_at: Date | null
  /** When the money was returned by the bank after verification */
  reversed_at?: Date | null
  /** Empty if entered by the office */
  sent_by?: string
}

/** Lines of a payment: one when sent, one when decided; it is credited once verified. */
export function paymentMovements(payment: SentMoney): Movement[] {
  const { purpose, reference } = payment
  const amount = paise(payment.payable)
  const reported = payment.sent_by !== ''
  const line = {
    ...none,
    purpose,
    reference,
    paymentId: payment.id,
    reported,
    amount,
    debit: zero,
    credit: zero,
  }
  const on = (at: Date) => ({ day: istDay(at), at: at.getTime() })
  const sent: Movement = { ...line, ...on(payment.submitted_at), kind: 'sent' }
  if (payment.state === 'pending' || payment.decided_at === null) return [sent]
  const decided = { ...line, ...on(payment.decided_at) }
  return [
    ...(reported ? [sent] : []),
    payment.state === 'verified' || payment.reversed_at
      ? { ...decided, kind: 'verified', receiptNo: payment.receipt_no ?? '', credit: amount }
      : payment.withdrawn
        ? { ...decided, kind: 'withdrawn' }
        : { ...decided, kind: 'rejected', reason: payment.reason },
    ...(payment.reversed_at
      ? [
          {
            ...{ ...line, ...on(payment.reversed_at), kind: 'reversed' as const, reason: payment.reason },
            ...{ receiptNo: payment.receipt_no ?? '', debit: amount },
          },
        ]
      : []),
  ]
}

/** A credit entry; the amount in paise, negative if used or refunded. */
export interface CreditEntry {
  kind: 'received' | 'used' | 'refunded' | 'cancelled'
  amount: number
  at: Date
  utr: string
  receipt_no: string
  /** Why it was taken back, if the bank has returned its money */
  reason: string
}

const creditKinds = { received: 'credit', used: 'used', refunded: 'refund', cancelled: 'cancelled' } as const

/** The line of a credit (money received but not owed) or of its contra entry. */
export function creditMovement({ kind, amount, at, utr, receipt_no, reason }: CreditEntry): Movement {
  const size = paise(Math.abs(amount))
  return {
    ...none,
    day: istDay(at),
    at: at.getTime(),
    kind: creditKinds[kind],
    purpose: 'registration',
    reference: utr,
    receiptNo: receipt_no,
    reason,
    amount: size,
    debit: amount < 0 ? size : zero,
    credit: amount > 0 ? size : zero,
  }
}

/** The lines in time order, each with the balance after it. */
export function accountOf(movements: readonly Movement[]): AccountLine[] {
  let balance = 0
  return [...movements]
    .sort((a, b) => (a.day === b.day ? a.at - b.at : a.day < b.day ? -1 : 1))
    .map((movement) => {
      balance += movement.debit - movement.credit
      return { ...movement, balance: paise(balance) }
    })
}

/** Totals of an account. `beingVerified` has been sent but is still part of the balance. */
export function totalsOf(lines: readonly AccountLine[]) {
  const sum = (of: (line: AccountLine) => number) => paise(lines.reduce((total, line) => total + of(line), 0))
  const amountOf = (kind: StatementKind) => (line: AccountLine) => (line.kind === kind ? line.amount : 0)
  const gross = paise(sum(amountOf('charge')) + sum(amountOf('late')))
  const [retained, verified] = [sum(amountOf('share')), sum(amountOf('verified'))]
  const paid = paise(verified - sum(amountOf('reversed')))
  const sent = sum(amountOf('sent'))
  const found = sum((line) => (line.kind === 'verified' && !line.reported ? line.amount : 0))
  const waived = sum(amountOf('waived'))
  const moved = paise(sum(amountOf('moved-in')) - sum(amountOf('moved-out')))
  const credit = paise(
    sum(amountOf('credit')) + sum(amountOf('cancelled')) - sum(amountOf('used')) - sum(amountOf('refund')),
  )
  const payable = paise(gross - retained)
  return {
    gross,
    retained,
    payable,
    paid,
    beingVerified: paise(sent - (verified - found) - sum(amountOf('rejected')) - sum(amountOf('withdrawn'))),
    waived,
    moved,
    credit,
    balance: paise(payable - paid - waived - moved - credit),
  }
}

/** Lines set against fees, each for one student, named by class, section and roll no. */

interface StudentLine {
  classId: number
  section: string
  rollNo: number
  at: Date
  amount: number
}

function lineOf({ classId, section, rollNo, at, amount }: StudentLine) {
  const place = section === '-' ? className(classId) : `${className(classId)} ${section}`
  return {
    ...plain,
    day: istDay(at),
    at: at.getTime(),
    purpose: 'registration' as const,
    students: 1,
    reference: `${place}, ${rollNo}`,
    amount: paise(amount),
  }
}

/** Credits a waived registration fee. */
export function waivedMovement(waived: StudentLine): Movement {
  return { ...lineOf(waived), kind: 'waived', credit: paise(waived.amount) }
}

export interface MoveFee extends StudentLine {
  /** Whether the student came from a school that had paid, or moved to one */
  came: boolean
}

/**
 * Credits what another school had paid for an incoming student. The other school's balance does not change: its money stays
 * with it.
 */
export function movedMovement({ came, ...moved }: MoveFee): Movement {
  const line = lineOf(moved)
  const amount = paise(moved.amount)
  return came ? { ...line, kind: 'moved-in', credit: amount } : { ...line, kind: 'moved-out', debit: amount }
}
