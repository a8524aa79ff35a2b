import { rupees, rupeesOf } from '@podium/contract/money'
import { paymentForOf } from '@podium/contract/payments/rules'
import type { Season } from '@podium/contract/season'
import { sql } from 'kysely'
import {
  type DueClass,
  dueClasses,
  isWithdrawn,
  moneyAnswer,
  type SchoolPayment,
  schoolMoney,
  schoolPayments,
} from '#features/payments/queries'
import type { SchoolAccess } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
import { firstRow } from '#platform/db/rows'
import { orNotFound } from '#platform/errors'
import { type LedgerLine, ledgerLines, stillCharged } from '../queries.ts'
import * as rules from './rules.ts'

/** A source of account lines. A new kind of fee, contra entry or refund is one more of these. */
type Source = (db: Db, scope: SchoolAccess, season: Season) => Promise<rules.Movement[]>

const dayOf = (column: string) => sql`to_char(${sql.ref(column)} at time zone 'Asia/Kolkata', 'YYYY-MM-DD')`

/** Registration and book fees of active students, by day of entry. */
const studentFees: Source = async (db, scope, season) => {
  const { rows } = await sql<rules.Charge>`
    with entered as materialized (
      select s.id, s.active, s.letters, s.reg_amount, s.late_amount, s.reg_retained, s.book_count, s.book_amount, s.book_retained,
        ${dayOf('s.created_at')} as day from students s
      where s.school_id = ${scope.schoolId} and s.season = ${season})
    select 'registration' as purpose, s.day, count(*) as students, sum(cardinality(string_to_array(s.letters, ','))) as items,
      sum(s.reg_amount - s.late_amount) as gross, sum(s.reg_retained) as retained
    from entered s where s.letters <> '' and (s.active or ${stillCharged('registration')}) group by s.day
    union all
    select 'books', s.day, count(*), sum(s.book_count), sum(s.book_amount), sum(s.book_retained)
    from entered s where s.book_count > 0 and (s.active or ${stillCharged('books')}) group by s.day
    order by day, purpose desc`.execute(db)
  return rows.flatMap(rules.chargeMovements)
}

/** Late fees, by day of entry; the entries themselves are separate lines. */
const lateFees: Source = async (db, scope, season) => {
  const { rows } = await sql<{ day: string; students: number; items: number; amount: number }>`
    select ${dayOf('e.created_at')} as day, count(distinct s.id) as students, count(*) as items, sum(e.late_fee) as amount
    from students s join enrolments e on e.student_id = s.id
    where s.school_id = ${scope.schoolId} and s.season = ${season} and s.late_amount > 0 and e.late_fee > 0
      and (s.active or ${stillCharged('registration')})
    group by day
    order by day`.execute(db)
  return rows.map(rules.lateMovement)
}

/** Library copies by order date, without deleted ones. */
const libraryFees: Source = async (db, scope, season) => {
  const { rows } = await sql<rules.Charge>`
    select 'library' as purpose, ${dayOf('l.created_at')} as day, 0 as students, sum(l.quantity) as items,
      sum(l.quantity * l.price) as gross, sum(l.quantity * l.retained) as retained
    from library_lines l
    where l.school_id = ${scope.schoolId} and l.season = ${season} and l.active
    group by day
    order by day`.execute(db)
  return rows.flatMap(rules.chargeMovements)
}

/** The school's payments, oldest first, with their status, but not what each covers. */
const sentPayments: Source = async (db, scope, season) => {
  const { rows } = await sql<rules.SentMoney>`
    select p.id, p.purpose, p.reference, p.payable, p.state, p.reason, ${isWithdrawn} as withdrawn, p.receipt_no,
      p.submitted_at, p.decided_at, p.reversed_at, coalesce(u.name, '') as sent_by
    from payments p left join users u on u.id = p.submitted_by
    where p.school_id = ${scope.schoolId} and p.season = ${season}
    order by p.id`.execute(db)
  return rows.flatMap(rules.paymentMovements)
}

/** SQL: credit `c` was taken back because the bank has returned its money; no refund was paid. */
export const returnedCredit = sql`c.kind = 'refunded' and c.refund_id is null`

/** The school's credits, and what was used or refunded. */
const credits: Source = async (db, scope, season) => {
  const { rows } = await sql<rules.CreditEntry>`
    select c.kind, c.amount, c.created_at as at, coalesce(r.utr, l.utr, nullif(c.note, ''), '') as utr,
      coalesce(p.receipt_no, '') as receipt_no,
      case when ${returnedCredit} then c.note else '' end as reason
    from school_credits c left join bank_lines l on l.id = c.line_id
    left join payments p on p.id = c.payment_id left join refunds r on r.id = c.refund_id
    where c.school_id = ${scope.schoolId} and c.season = ${season}
    order by c.id`.execute(db)
  return rows.map(rules.creditMovement)
}

const sources: readonly Source[] = [
  studentFees,
  lateFees,
  libraryFees,
  sentPayments,
  waivedFees,
  movedFees,
  credits,
]

/** The lines of a school's account in a season, in paise. */
async function accountLines(db: Db, scope: SchoolAccess, season: Season): Promise<rules.AccountLine[]> {
  const movements: rules.Movement[] = []
  for (const source of sources) movements.push(...(await source(db, scope, season)))
  return rules.accountOf(movements)
}

/** The account as answered by the call, in rupees, with totals. */
export async function accountAnswer(db: Db, scope: SchoolAccess, season: Season) {
  const lines = await accountLines(db, scope, season)
  const totals = rules.totalsOf(lines)
  return {
    money: moneyAnswer(await schoolMoney(db, scope, season)),
    data: lines.map(({ purpose, at: _, reported: __, ...line }) => ({
      ...line,
      paymentFor: paymentForOf(purpose),
      amount: rupees(line.amount),
      debit: rupees(line.debit),
      credit: rupees(line.credit),
      balance: rupees(line.balance),
    })),
    totals: {
      gross: rupeesOf(totals.gross),
      retained: rupeesOf(totals.retained),
      payable: rupeesOf(totals.payable),
      paid: rupeesOf(totals.paid),
      beingVerified: rupeesOf(totals.beingVerified),
      waived: rupeesOf(totals.waived),
      moved: rupeesOf(totals.moved),
      credit: rupeesOf(totals.credit),
      balance: rupeesOf(totals.balance),
    },
  }
}

/** The content of a fee statement; amounts in paise. */
export interface Statement {
  school: { name: string; code: string; city: string; state: string }
  season: Season
  due: readonly DueClass[]
  /** Newest first */
  payments: readonly SchoolPayment[]
  account: readonly rules.AccountLine[]
  ledger: readonly LedgerLine[]
}

/** What the school owes in a season, by class, and its payments. */
export async function statementOf(db: Db, scope: SchoolAccess, season: Season): Promise<Statement> {
  const school = orNotFound(
    await firstRow(db, 'schools', { id: scope.schoolId }, ['name', 'code', 'city', 'state']),
  )
  return {
    school,
    season,
    due: await dueClasses(db, scope, season),
    payments: await schoolPayments(db, scope, season),
    account: await accountLines(db, scope, season),
    ledger: await ledgerLines(db, scope, season),
  }
}

interface SchoolKey {
  readonly schoolId: number
}

/** Waived registration fees, a line for each student. Deleted students were not charged. */
async function waivedFees(db: Db, scope: SchoolKey, season: Season): Promise<rules.Movement[]> {
  const { rows } = await sql<Parameters<typeof rules.waivedMovement>[0]>`
    select s.class_id as "classId", s.section, s.roll_no as "rollNo", w.decided_at as at, w.gross - w.retained as amount
    from waivers w join students s on s.id = w.student_id and s.active
    where s.school_id = ${scope.schoolId} and w.season = ${season} and w.state = 'approved'
    order by w.decided_at, w.id`.execute(db)
  return rows.map(rules.waivedMovement)
}

/** Fees paid for students who moved to or from the school, a line each. Moves between merged schools do not count. */
async function movedFees(db: Db, scope: SchoolKey, season: Season): Promise<rules.Movement[]> {
  const { rows } = await sql<rules.MoveFee>`
    select s.class_id as "classId", s.section, s.roll_no as "rollNo", m.at, m.amount,
      m.to_school = ${scope.schoolId} as came
    from student_moves m join students s on s.id = m.student_id
    where (m.from_school = ${scope.schoolId} or m.to_school = ${scope.schoolId}) and m.season = ${season} and m.amount > 0
      and m.from_school <> m.to_school
    order by m.id`.execute(db)
  return rows.map(rules.movedMovement)
}
