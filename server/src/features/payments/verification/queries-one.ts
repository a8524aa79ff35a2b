import { bookNames, className } from '@podium/contract/classes'
import { type Paise, paise, rupees, rupeesOf } from '@podium/contract/money'
import type { Doubt, OfficePayment } from '@podium/contract/payments/calls-verification'
import { paymentForOf } from '@podium/contract/payments/rules'
import { parseSeason } from '@podium/contract/season'
import { sql } from 'kysely'
import { mayDo } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
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

interface Row extends QueueRow {
  gross: number
  retained: number
  reference: string
  utr: string
  remarks: string
  proof_name: string
  proof_type: string
  proof_sha256: string
  sent_by: string
  reason: string
  decided_by: string | null
  decided_at: Date | null
  reversed_by: string | null
  reversed_at: Date | null
  recomputed: number
  late: number
  entries: number
  books: number
}

interface CoveredStudent {
  id: number
  name: string
  class_id: number
  section: string
  roll_no: number
  covers: string
  gross: number
  retained: number
}

async function coveredBy(db: Db, id: number): Promise<OfficePayment['covered']> {
  const { rows } = await sql<CoveredStudent>`
    select s.id, s.name, s.class_id, s.section, s.roll_no, l.gross, l.retained,
      case l.purpose when 'books' then s.book_count || case s.book_count when 1 then ' book' else ' books' end
        else s.subject_names end as covers
    from payment_lines l join students s on s.id = l.student_id
    where l.payment_id = ${id}
    order by ${classOrder}, s.section, s.roll_no, s.id`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    studentName: row.name,
    className: className(row.class_id),
    section: row.section,
    rollNo: row.roll_no,
    covers: row.covers,
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

interface OtherPayment {
  id: number
  code: string
  name: string
  purpose: string
  paid_on: string
  state: string
  receipt_no: string | null
  same_proof: boolean
  same_utr: boolean
  rejected_before: boolean
}

/** Other payments with the same proof or UTR, or rejected before this one, newest first, at most ten. */
async function doubtsOf(db: Db, row: Row): Promise<Doubt[]> {
  if (row.withdrawn) return []
  const { rows } = await sql<OtherPayment>`
    select q.id, o.code, o.name, q.purpose, q.paid_on, q.state, q.receipt_no,
      q.proof_sha256 = ${row.proof_sha256} and q.proof_sha256 <> '' as same_proof, q.utr = ${row.utr} and q.utr <> '' as same_utr,
      ${isRejectedBefore} as rejected_before
    from payments p join payments q on q.id <> p.id join schools o on o.id = q.school_id
    where p.id = ${row.id} and not ${isOwnWithdrawal(row.school_id)}
      and (${isRejectedBefore} or (q.proof_sha256 = ${row.proof_sha256} and q.proof_sha256 <> '') or (q.utr = ${row.utr} and q.utr <> ''))
    order by q.id desc limit 10`.execute(db)
  const of = (kind: 'proof' | 'utr' | 'rejected', other: OtherPayment): Doubt => ({
    kind,
    paymentId: other.id,
    schCode: other.code,
    schName: other.name,
    paymentFor: paymentForOf(other.purpose),
    paymentDate: other.paid_on,
    state: other.state,
    receiptNo: other.receipt_no ?? '',
    payableAmount: null,
  })
  const doubts = rows.flatMap((other) => [
    ...(other.same_proof ? [of('proof', other)] : []),
    ...(other.same_utr ? [of('utr', other)] : []),
    ...(other.rejected_before ? [of('rejected', other)] : []),
  ])
  if (row.amount_differs) doubts.push(amountDoubt(row, paise(row.recomputed)))
  return doubts
}

function amountDoubt(row: Row, now: Paise): Doubt {
  return {
    kind: 'amount',
    paymentId: null,
    schCode: row.code,
    schName: row.school,
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
  const counter = await db
    .selectFrom('counters')
    .select('value')
    .where('name', '=', `receipt:${season}`)
    .executeTakeFirst()
  const label = parseSeason(season)
  if (!label) throw new Error(`${season} is no season`)
  return receiptNumber((await readFoundation(db)).receipt_prefix, label, (counter?.value ?? 0) + 1)
}

/** One payment with everything an officer needs to decide: amounts, students, warnings. */
export async function officePaymentOf(db: Db, scope: OfficeScope, id: number): Promise<OfficePayment> {
  const { rows } = await sql<Row>`
    select ${rowColumns}, p.gross, p.retained, p.reference, p.utr, p.remarks, coalesce(f.name, '') as proof_name,
      coalesce(f.media_type, '') as proof_type, p.proof_sha256, coalesce(u.name, e.name, '') as sent_by,
      p.reason,
      d.name as decided_by, p.decided_at, r.name as reversed_by, p.reversed_at, ${recomputed} as recomputed,
      (select count(*) from enrolments e join payment_lines l on l.student_id = e.student_id
        where l.payment_id = p.id) as entries,
      (select coalesce(sum(s.late_amount), 0) from students s join payment_lines l on l.student_id = s.id
        where l.payment_id = p.id and p.purpose = 'registration') as late,
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
  const isRejected = row.state === 'rejected' && !row.withdrawn && row.reversed_at === null
  return {
    ...rowOf(row),
    gross: rupeesOf(row.gross),
    retained: rupeesOf(row.retained),
    lateFee: rupeesOf(row.late),
    entries: row.purpose === 'registration' ? row.entries : 0,
    books: row.purpose === 'registration' ? 0 : row.books,
    reference: row.reference,
    utr: row.utr,
    remarks: row.remarks,
    proofName: row.proof_name,
    proofType: row.proof_type,
    sentBy: row.sent_by,
    reason: row.reason,
    decidedBy: row.decided_by ?? '',
    decidedAt: row.decided_at?.toISOString() ?? null,
    reversedBy: row.reversed_by ?? '',
    reversedAt: row.reversed_at?.toISOString() ?? null,
    nextReceiptNo: await nextReceipt(db, row.season),
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
