import { bookNames, className } from '@podium/contract/classes'
import type { AnswerOf } from '@podium/contract/endpoint'
import type { ErrorCode } from '@podium/contract/errors'
import { emailPattern } from '@podium/contract/fields'
import { rupeesOf } from '@podium/contract/money'
import { paymentForOf } from '@podium/contract/payments/rules'
import {
  cancelStudent as cancel,
  correctStudent as correct,
  exportOfficeStudents,
  type FamilyOfStudent,
  moveStudent as move,
  officeStudent,
  officeStudents,
  previewMove as previewOfMove,
  type StudentEntryLine,
  showStudentContact,
  studentSubjects,
} from '@podium/contract/students/calls-register'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { visibleSet } from '#features/results/queries'
import { notifyOfExport } from '#features/staff/commands-owners'
import { audit } from '#platform/audit'
import { mayDo } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
import { instant } from '#platform/db/list-queries'
import type { Deps } from '#platform/deps'
import { orNotFound } from '#platform/errors'
import { command, serve, write } from '#platform/http/http'
import { nothingPayable } from '#platform/paid-students'
import { type ListColumn, sheetFile } from '#platform/sheets/spreadsheet-write'
import { correctStudent } from './commands-correct.ts'
import {
  cancelStudent,
  logMobileSearch,
  moveStudent,
  previewMove,
  refuseMobileSearch,
  showContact,
} from './commands-move.ts'
import * as queries from './queries.ts'

const columns: readonly ListColumn<queries.RegisterLine>[] = [
  { title: 'Season', width: 10, value: (row) => row.FYear },
  { title: 'School code', width: 12, value: (row) => row.schCode },
  { title: 'School', width: 36, value: (row) => row.schName },
  { title: 'City', value: (row) => row.city },
  { title: 'Class', width: 10, value: (row) => row.className },
  { title: 'Section', width: 8, value: (row) => row.section },
  { title: 'Roll No', kind: 'number', value: (row) => row.rollNo },
  { title: 'Exam Roll No', width: 16, value: (row) => row.examRollNo },
  { title: 'Student Name', width: 28, value: (row) => row.studentName },
  { title: 'Subjects', width: 36, value: (row) => row.subjects },
  { title: 'Registration fee', width: 16, value: (row) => feeWords[row.fee] },
  {
    title: 'Status',
    width: 10,
    value: (row) => (row.active ? 'Active' : row.cancelled ? 'Cancelled' : 'Deleted'),
  },
]

const feeWords = { due: 'Due', sent: 'Being verified', paid: 'Paid', waived: 'Waived' } as const

/** Routes for the office's register of students: search, view, correct, export. */
export function studentRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, keys, reads } = deps

  serve(app, deps, officeStudents, 'office:students.read', async ({ scope, query, now }) => {
    const byMobile = await refuseMobileSearch(deps, scope, query.search)
    const found = await queries.studentRegister(db, scope, query)
    if (byMobile) await db.transaction().execute((tx) => logMobileSearch(tx, scope, now, found.data))
    return found
  })

  serve(app, deps, studentSubjects, 'office:students.read', async ({ scope }) => ({
    data: await queries.allSubjects(db, scope),
  }))

  serve(app, deps, exportOfficeStudents, 'office:students.export', async ({ scope, body, now }) => {
    const { format, ...query } = body
    const byMobile = await refuseMobileSearch(deps, scope, query.search)
    const rows = await reads.caughtUp((tx) => queries.wholeStudentRegister(tx, scope, query))
    await db.transaction().execute(async (tx) => {
      const subject = { kind: 'students', id: 'all', season: query.FYear }
      await audit(tx, now, scope, 'students.exported', subject, {
        format,
        students: rows.length,
        filters: byMobile ? { ...query, search: '•••' } : query,
      })
      await notifyOfExport(tx, scope, now, 'the list of students', rows.length)
      if (byMobile) await logMobileSearch(tx, scope, now, rows)
    })
    return { file: sheetFile('Students', columns, rows, format) }
  })

  serve(app, deps, officeStudent, 'office:students.read', ({ scope, query, now }) =>
    studentRecord(db, scope, now, query.id),
  )

  write(
    app,
    deps,
    showStudentContact,
    'office:students.contact',
    (tx, { scope, body, now }) => showContact(tx, scope, now, body.id),
    { confidential: true },
  )

  write(app, deps, correct, 'office:students.write', (tx, { scope, body, now }) =>
    correctStudent(tx, scope, now, keys, body),
  )

  command(app, deps, cancel, 'office:students.write', cancelStudent)

  serve(app, deps, previewOfMove, 'office:students.write', ({ scope, query }) =>
    previewMove(db, scope, query.id, query.schCode),
  )

  write(app, deps, move, 'office:students.write', (tx, { scope, body, now }) =>
    moveStudent(tx, scope, now, keys, body),
  )
}

type StudentAnswer = AnswerOf<typeof officeStudent>

interface Row extends Omit<StudentAnswer['student'], 'className'> {
  nothing_payable: boolean
  marked: boolean
  carried_from: number | null
  link: string | null
}

/** A student's row with the school, or not_found. */
async function rowOf(db: Db, id: number): Promise<Row> {
  const { rows } = await sql<Row>`
    select s.id, s.version, s.season as "FYear", o.id as "schId", o.code as "schCode", o.name as "schName", o.city,
      s.name as "studentName", s.class_id as "classId", s.section, s.roll_no as "rollNo",
      coalesce(s.exam_roll_no, '') as "examRollNo", s.parent_name as "parentName", s.parent_email as "parentEmail",
      s.parent_mobile as "parentMobile", s.active, s.cancelled, ${queries.feeState} as fee, ${nothingPayable('s')} as nothing_payable,
      ${instant('s.created_at')} as "createdAt", ${instant('s.updated_at')} as "updatedAt",
      ${queries.hasResults} as marked, s.carried_from, s.family_link_id as link
    from students s join schools o on o.id = s.school_id where s.id = ${id}`.execute(db)
  return orNotFound(rows[0])
}

const inRupees = (money: boolean, amount: number) => (money ? rupeesOf(amount) : null)

async function entriesOf(db: Db, id: number, money: boolean): Promise<StudentEntryLine[]> {
  const { rows } = await sql<
    Omit<StudentEntryLine, 'fee' | 'lateFee' | 'retained'> & { price: number; late: number; retained: number }
  >`
    select e.id as "eventYearId", e.letter as "eventLetter", sub.name as "subjectName", e.mode as "examMode",
      coalesce(to_char(x.from_at at time zone 'Asia/Kolkata', 'YYYY-MM-DD'), chosen.held_on::text) as "examDate",
      n.fee as price, n.late_fee as late, n.retained
    from enrolments n join events e on e.id = n.event_id join subjects sub on sub.letter = e.letter
      left join participations p on p.school_id = n.school_id and p.event_id = n.event_id
      left join exam_dates chosen on chosen.id = p.exam_date_id
      left join exam_schedules x on x.event_id = e.id and x.student_id = n.student_id and x.schedule_status <> 'Cancelled'
    where n.student_id = ${id} order by sub.position, e.level, e.letter`.execute(db)
  return rows.map(({ price, late, ...row }) => ({
    ...row,
    fee: inRupees(money, price),
    lateFee: inRupees(money, late),
    retained: inRupees(money, row.retained),
  }))
}

async function booksOf(db: Db, id: number, money: boolean) {
  const { rows } = await sql<{ subject: string; kind: string; price: number; retained: number }>`
    select sub.name as subject, b.kind, b.price, b.retained
    from book_choices b join events e on e.id = b.event_id join subjects sub on sub.letter = e.letter
    where b.student_id = ${id} order by sub.position, b.kind`.execute(db)
  return rows.map(({ subject, kind, price, retained }) => ({
    subjectName: subject,
    bookCategory: Object.entries(bookNames).find(([name]) => name === kind)?.[1] ?? kind,
    price: inRupees(money, price),
    retained: inRupees(money, retained),
  }))
}

async function paymentsOf(db: Db, id: number) {
  const { rows } = await sql<
    Omit<NonNullable<StudentAnswer['payments']>[number], 'paymentFor'> & { purpose: string }
  >`
    select p.id, o.code as "schCode", p.purpose, l.gross - l.retained as amount, p.state,
      coalesce(p.receipt_no, '') as "receiptNo", ${instant('p.submitted_at')} as "creationDate"
    from payment_lines l join payments p on p.id = l.payment_id join schools o on o.id = p.school_id
    where l.student_id = ${id} order by p.id desc`.execute(db)
  return rows.map(({ purpose, ...row }) => ({
    ...row,
    paymentFor: paymentForOf(purpose),
    amount: rupeesOf(row.amount),
  }))
}

interface ResultRow {
  eventYearId: number
  subjectName: string
  out: boolean
  withheld: boolean
  medal: string | null
  rank: number | null
}

async function resultsOf(db: Db, now: Date, id: number) {
  const { rows } = await sql<ResultRow>`
    select e.id as "eventYearId", sub.name as "subjectName", r.student_id is not null as out,
      h.event_id is not null as withheld, r.medal, r.olympiad_rank as rank
    from enrolments n join events e on e.id = n.event_id join subjects sub on sub.letter = e.letter
      left join lateral ${visibleSet(sql`e.id`, now)} v on true
      left join results r on r.set_id = v.id and r.student_id = n.student_id
      left join result_holds h on h.event_id = e.id and h.school_id = n.school_id
    where n.student_id = ${id} order by sub.position, e.level`.execute(db)
  return rows.map(({ eventYearId, subjectName, out, withheld, medal, rank }) => ({
    eventYearId,
    subjectName,
    state: !out ? ('none' as const) : withheld ? ('withheld' as const) : ('released' as const),
    medal: out && !withheld ? (medal ?? '') : '',
    olympiadRank: out && !withheld ? rank : null,
  }))
}

async function familyOf(db: Db, link: string | null, email: string): Promise<FamilyOfStudent | null> {
  if (link === null) return null
  const { rows } = await sql<{
    created_at: Date
    last: Date | null
    children: { id: number; name: string; classId: number }[]
  }>`
    select l.created_at, l.last_opened_at as last, coalesce((
        select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'classId', c.class_id) order by c.id)
        from students c where c.family_link_id = l.id and c.active), '[]') as children
    from family_links l where l.id = ${link} and l.revoked_at is null`.execute(db)
  const [row] = rows
  if (!row) return null
  return {
    createdAt: row.created_at.toISOString(),
    lastOpenedAt: row.last?.toISOString() ?? null,
    children: row.children.map((child) => ({
      id: child.id,
      studentName: child.name,
      className: className(child.classId),
    })),
    mail: emailPattern.test(email),
  }
}

async function waiverOf(db: Db, id: number) {
  const { rows } = await sql<NonNullable<StudentAnswer['waiver']>>`
    select w.state, w.reason, coalesce(u.name, a.name) as "requestedBy", ${instant('w.asked_at')} as "requestedAt",
      w.decision, ${instant('w.decided_at')} as "decidedAt"
    from waivers w left join users u on u.id = w.asked_by_user left join staff a on a.id = w.asked_by_staff
    where w.student_id = ${id} order by w.id desc limit 1`.execute(db)
  return rows[0] ?? null
}

/** Why a waiver can't be requested, by the status of the fee. */
function canRequestWaiver(row: Row, isRequested: boolean): true | ErrorCode {
  if (!row.active) return 'enrolment.deleted'
  if (isRequested) return 'waivers.asked'
  if (row.fee === 'due') return row.nothing_payable ? 'waivers.nothing_due' : true
  return row.fee === 'sent' ? 'waivers.being_verified' : 'waivers.paid'
}

function leaving(marked: boolean, verifying: boolean): true | ErrorCode {
  if (marked) return 'students.has_results'
  return verifying ? 'enrolment.locked' : true
}

/** The same student in the previous and next season, if carried over. */
async function seasonsOf(db: Db, { id, carried_from }: Row) {
  const { rows } = await sql<{ id: number; FYear: string; schCode: string; classId: number }>`
    select s.id, s.season as "FYear", o.code as "schCode", s.class_id as "classId"
    from students s join schools o on o.id = s.school_id
    where s.id = ${carried_from}
      or (s.active and s.carried_from = ${id} and s.season = any(array(select label from seasons)))
    order by s.season desc, s.id`.execute(db)
  return rows.map(({ classId, ...row }) => ({ ...row, className: className(classId) }))
}

/** A student's record for the office: parents' contact details masked, money and results only for roles that may read them. */
async function studentRecord(db: Db, scope: OfficeScope, now: Date, id: number) {
  const row = await rowOf(db, id)
  const { marked, carried_from: _, link, ...student } = row
  const money = mayDo(scope.role, 'payments.read')
  const waiver = await waiverOf(db, id)
  const verifying = (await queries.paidFor(db, id)).some(({ state }) => state === 'pending')
  const may = (permission: 'students.contact' | 'students.write' | 'students.codes') =>
    mayDo(scope.role, permission) || ('access.denied' as const)
  const correct = may('students.write') === true && !row.active ? 'enrolment.deleted' : may('students.write')
  return {
    student: {
      ...student,
      className: className(row.classId),
      parentEmail: queries.maskEmail(row.parentEmail),
      parentMobile: queries.maskMobile(row.parentMobile),
    },
    entries: await entriesOf(db, id, money),
    books: await booksOf(db, id, money),
    payments: money ? await paymentsOf(db, id) : null,
    results: mayDo(scope.role, 'results.read') ? await resultsOf(db, now, id) : null,
    waiver,
    family: await familyOf(db, link, row.parentEmail),
    seasons: await seasonsOf(db, row),
    can: {
      contact: may('students.contact'),
      correct,
      place: marked ? ('students.has_results' as const) : correct,
      codes: may('students.codes'),
      leave: correct === true ? leaving(marked, verifying) : correct,
      waive: mayDo(scope.role, 'waivers.ask')
        ? canRequestWaiver(row, waiver?.state === 'asked')
        : ('access.denied' as const),
    },
  }
}
