import { bookNames, className } from '@podium/contract/classes'
import { type Paise, paise, rupees, rupeesOf } from '@podium/contract/money'
import type { Doubt, OfficePayment, OfficePaymentRow } from '@podium/contract/payments/calls-verification'
import { paymentForOf } from '@podium/contract/payments/rules'
import { parseSeason } from '@podium/contract/season'
import { sql } from 'kysely'
import { mayDo } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
import { instant } from '#platform/db/list-queries'
import { firstRow } from '#platform/db/rows'
import { orNotFound } from '#platform/errors'
import { readFoundation } from '#platform/foundation'
import { classOrder, paidCopies } from '../queries.ts'
import { receiptNumber } from '../rules.ts'
import {
  bankSigned,
  isOwnWithdrawal,
  isRejectedBefore,
  type QueueRow,
  recomputed,
  rowColumns,
  rowOf,
} from './queries.ts'

type Looked = 'nextReceiptNo' | 'doubtDetails' | 'bankLine' | 'covered' | 'copies' | 'can'

/** A payment with its amounts in paise. */
interface Row extends QueueRow, Omit<OfficePayment, keyof OfficePaymentRow | Looked> {
  proof_sha256: string
  recomputed: number
}

async function coveredBy(db: Db, id: number): Promise<OfficePayment['covered']> {
  const { rows } = await sql<Omit<OfficePayment['covered'][number], 'className'> & { classId: number }>`
    select s.id, s.name as "studentName", s.class_id as "classId", s.section, s.roll_no as "rollNo", l.gross, l.retained,
      case l.purpose when 'books' then s.book_count || case s.book_count when 1 then ' book' else ' books' end
        else s.subject_names end as covers
    from payment_lines l join students s on s.id = l.student_id
    where l.payment_id = ${id}
    order by ${classOrder}, s.section, s.roll_no, s.id`.execute(db)
  return rows.map(({ classId, ...row }) => ({
    ...row,
    className: className(classId),
    gross: rupeesOf(row.gross),
    retained: rupeesOf(row.retained),
  }))
}

async function copiesOf(db: Db, id: number): Promise<OfficePayment['copies']> {
  return (await paidCopies(db, id)).map((line) => ({
    id: line.id,
    className: className(line.class_id),
    subjectName: line.subject,
    bookCategory: bookNames[line.kind],
    quantity: line.quantity,
    gross: rupeesOf(line.gross),
    retained: rupeesOf(line.retained),
  }))
}

interface OtherPayment extends Omit<Doubt, 'kind' | 'paymentFor' | 'payableAmount'> {
  purpose: string
  sameProof: boolean
  sameUtr: boolean
  rejectedBefore: boolean
}

/** Other payments with the same proof or UTR, or rejected before this one, newest first, at most ten. */
async function doubtsOf(db: Db, row: Row): Promise<Doubt[]> {
  if (row.withdrawn) return []
  const { rows } = await sql<OtherPayment>`
    select q.id as "paymentId", o.code as "schCode", o.name as "schName", q.purpose, q.paid_on as "paymentDate", q.state,
      coalesce(q.receipt_no, '') as "receiptNo", q.proof_sha256 = ${row.proof_sha256} and q.proof_sha256 <> '' as "sameProof",
      q.utr = ${row.utr} and q.utr <> '' as "sameUtr", ${isRejectedBefore} as "rejectedBefore"
    from payments p join payments q on q.id <> p.id join schools o on o.id = q.school_id
    where p.id = ${row.id} and not ${isOwnWithdrawal(row.schoolId)}
      and (${isRejectedBefore} or (q.proof_sha256 = ${row.proof_sha256} and q.proof_sha256 <> '') or (q.utr = ${row.utr} and q.utr <> ''))
    order by q.id desc limit 10`.execute(db)
  const doubts = rows.flatMap(({ purpose, sameProof, sameUtr, rejectedBefore, ...other }): Doubt[] => {
    const doubt = { ...other, paymentFor: paymentForOf(purpose), payableAmount: null }
    return [
      ...(sameProof ? [{ ...doubt, kind: 'proof' as const }] : []),
      ...(sameUtr ? [{ ...doubt, kind: 'utr' as const }] : []),
      ...(rejectedBefore ? [{ ...doubt, kind: 'rejected' as const }] : []),
    ]
  })
  if (row.amountDiffers) doubts.push(amountDoubt(row, paise(row.recomputed)))
  return doubts
}

function amountDoubt(row: Row, now: Paise): Doubt {
  return {
    kind: 'amount',
    paymentId: null,
    schCode: row.schCode,
    schName: row.schName,
    paymentFor: null,
    paymentDate: '',
    state: '',
    receiptNo: '',
    payableAmount: rupees(now),
  }
}

/** The open bank line that shows, or may show, the money of a pending payment. */
async function bankLineOf(db: Db, { id, state }: Row): Promise<OfficePayment['bankLine']> {
  if (state !== 'pending') return null
  const { rows } = await sql<{ id: number; day: string; amount: number; fileName: string; rowNo: number }>`
    select l.id, l.day, l.amount, s.file_name as "fileName", l.row_no as "rowNo"
    from ${bankSigned} b join bank_lines l on l.id = b.line_id join bank_statements s on s.id = l.statement_id
    where b.payment_id = ${id}`.execute(db)
  return rows[0] ? { ...rows[0], amount: rupeesOf(rows[0].amount) } : null
}

async function nextReceipt(db: Db, season: string): Promise<string> {
  const counter = await firstRow(db, 'counters', { name: `receipt:${season}` }, ['value'])
  const label = parseSeason(season)
  if (!label) throw new Error(`${season} is no season`)
  return receiptNumber((await readFoundation(db)).receipt_prefix, label, (counter?.value ?? 0) + 1)
}

/** One payment with everything an officer needs to decide: amounts, students, warnings. */
export async function officePaymentOf(db: Db, scope: OfficeScope, id: number): Promise<OfficePayment> {
  const { rows } = await sql<Row>`
    select ${rowColumns}, p.gross, p.retained, p.reference, p.utr, p.remarks, coalesce(f.name, '') as "proofName",
      coalesce(f.media_type, '') as "proofType", p.proof_sha256, coalesce(u.name, e.name, '') as "sentBy", p.reason,
      coalesce(d.name, '') as "decidedBy", ${instant('p.decided_at')} as "decidedAt",
      coalesce(r.name, '') as "reversedBy", ${instant('p.reversed_at')} as "reversedAt", ${recomputed} as recomputed,
      (select count(*) from enrolments e join payment_lines l on l.student_id = e.student_id
        where l.payment_id = p.id) as entries,
      (select coalesce(sum(s.late_amount), 0) from students s join payment_lines l on l.student_id = s.id
        where l.payment_id = p.id and p.purpose = 'registration') as "lateFee",
      (select coalesce(sum(s.book_count), 0) from students s join payment_lines l on l.student_id = s.id
        where l.payment_id = p.id)
      + (select coalesce(sum(quantity), 0) from payment_library_lines l where l.payment_id = p.id) as books
    from payments p
    join schools o on o.id = p.school_id
    left join ${bankSigned} b on b.payment_id = p.id
    left join files f on f.id = p.proof_file_id
    left join users u on u.id = p.submitted_by
    left join staff e on e.id = p.entered_by
    left join staff d on d.id = p.decided_by
    left join staff r on r.id = p.reversed_by
    where p.id = ${id}`.execute(db)
  const row = orNotFound(rows[0])
  const may = mayDo(scope.role, 'payments.decide') || 'access.denied'
  const isRejected = row.state === 'rejected' && !row.withdrawn && row.reversedAt === null
  const { proof_sha256: _, recomputed: __, ...shown } = row
  return {
    ...rowOf(shown),
    gross: rupeesOf(row.gross),
    retained: rupeesOf(row.retained),
    lateFee: rupeesOf(row.lateFee),
    entries: row.purpose === 'registration' ? row.entries : 0,
    books: row.purpose === 'registration' ? 0 : row.books,
    nextReceiptNo: await nextReceipt(db, row.FYear),
    doubtDetails: await doubtsOf(db, row),
    bankLine: await bankLineOf(db, row),
    covered: await coveredBy(db, id),
    copies: await copiesOf(db, id),
    can: {
      decide: row.state === 'pending' ? may : 'payments.decided',
      reopen: isRejected ? may : 'payments.decided',
    },
  }
}
