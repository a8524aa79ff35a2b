import { className } from '@podium/contract/classes'
import type { ParsedQuery } from '@podium/contract/endpoint'
import { normaliseMobile } from '@podium/contract/fields'
import { foldName } from '@podium/contract/names'
import {
  maxCounted,
  maxExported,
  maxSearchResults,
  type officeStudents,
  type StudentFee,
  type StudentListRow,
} from '@podium/contract/students/calls-register'
import { type RawBuilder, sql } from 'kysely'
import { classOrder } from '#features/payments/queries'
import { registrationSent } from '#features/students/sign-off/queries'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, ReadDb, ReadTx, Tx } from '#platform/db/database'
import { hasWords } from '#platform/db/list-queries'
import { Refusal } from '#platform/errors'

/** A parsed search; a student must match all of it. */
interface ParsedSearch {
  /** Prefixes of words of the folded name */
  words: string[]
  /** The parent's whole mobile, because a prefix search would reveal masked numbers */
  mobile: string
  rollNo: number | undefined
  examRollNo: string
  schoolCode: string
  /** The search can't match anything */
  nothing: boolean
}

const none: ParsedSearch = {
  words: [],
  mobile: '',
  rollNo: undefined,
  examRollNo: '',
  schoolCode: '',
  nothing: false,
}

const examRoll = /^[A-Z]{2,8}\d{2,8}-\d{1,2}-\d{3,}$/
const code = /^[A-Z]{2,8}\d{3,10}$/
/** Numbers up to this length are roll nos; a mobile has ten to twelve digits, ignoring punctuation. */
const longestRoll = 6
const wholeMobile = /^\d{10,12}$/

/**
 * Parses a search. A number alone is a roll no or a mobile; otherwise each word is an exam roll no (`VNK0417-07-012`), a school
 * code (`VNK0417`), a roll no, or the prefix of a word of the name.
 */
export function readSearch(typed: string): ParsedSearch {
  const text = typed.trim()
  if (text === '') return none
  if (/^[+\d\s().-]*\d[+\d\s().-]*$/.test(text)) {
    const digits = normaliseMobile(text).replace(/\D/g, '')
    if (digits.length <= longestRoll) return { ...none, rollNo: Number(digits) }
    return wholeMobile.test(digits) ? { ...none, mobile: digits } : { ...none, nothing: true }
  }
  const wanted: ParsedSearch = { ...none, words: [] }
  for (const part of text.split(/\s+/)) readPart(wanted, part)
  const { words, rollNo, examRollNo, schoolCode } = wanted
  const empty = words.length === 0 && rollNo === undefined && examRollNo === '' && schoolCode === ''
  return { ...wanted, nothing: empty }
}

function readPart(wanted: ParsedSearch, part: string): void {
  const upper = part.toUpperCase()
  if (examRoll.test(upper)) wanted.examRollNo = upper
  else if (code.test(upper)) wanted.schoolCode = upper
  else if (/^\d{1,6}$/.test(part)) wanted.rollNo = Number(part)
  else wanted.words.push(...foldName(part).split(' ').filter(Boolean))
}

/** Hides all but the last three digits: enough to distinguish families on the phone. */
export function maskMobile(mobile: string): string {
  return mobile === '' ? '' : `••• ••• ${mobile.slice(-3)}`
}

/** The first letter and the domain: `h•••@family.example`. */
export function maskEmail(address: string): string {
  const at = address.lastIndexOf('@')
  return at < 1 ? '' : `${address.slice(0, 1)}•••${address.slice(at)}`
}

const pageSize = 50

type StudentQuery = Omit<ParsedQuery<typeof officeStudents>, 'page'>

const sent = registrationSent('s')

/** SQL: the status of the registration fee of `students s`. */
export const feeState = sql<StudentFee>`
  case when s.waived then 'waived' when s.paid then 'paid' when ${sent} then 'sent' else 'due' end`

const ofFee: Record<StudentFee, RawBuilder<unknown>> = {
  waived: sql`s.waived`,
  paid: sql`s.paid and not s.waived`,
  sent,
  due: sql`not s.paid and not (${sent})`,
}

/** SQL: the words of a folded name for text search; the index students_by_words has exactly this expression. */
const wordsOfName = sql`array_to_tsvector(string_to_array(s.name_key, ' '))`

/** SQL: prefix match that can use a pattern index with a parameter, unlike LIKE. */
const begins = (column: RawBuilder<unknown>, typed: string) =>
  sql`${column} ~>=~ ${typed} and ${column} ~<~ ${`${typed}\uffff`}`

/** SQL: always true, but allows an index that starts with the season. */
const ofAnySeason = sql`s.season = any(array(select label from seasons))`

function named(words: readonly string[]): RawBuilder<unknown>[] {
  const [only] = words
  if (only === undefined) return []
  // A single letter matches a tenth of all names: reading in name order finds them at once.
  if (words.length === 1 && [...only].length === 1)
    return [begins(sql`s.name_key`, only), sql`s.name_key >= ${only}`, ofAnySeason]
  // Folded words have only letters and digits, so no text search operators.
  return [sql`${wordsOfName} @@ ${words.map((word) => `'${word}':*`).join(' & ')}::tsquery`]
}

/** Schools by code, or by words of name, city and numbers, as in the register of schools. */
function ofSchools(typed: string): RawBuilder<unknown>[] {
  if (typed.trim() === '') return []
  return [
    sql`s.school_id = any(array(select w.id from schools w where ${hasWords(typed, sql`w.search_key`)}))`,
  ]
}

/** SQL: students of the school with this code, or of the school it was merged into. */
const ofCode = (code: string) => sql`(s.school_id = any(array(
  select coalesce(w.merged_into, w.id) from schools w where w.code = ${code}))
  or ${wordsOfName} @@ ${`'${foldName(code)}':*`}::tsquery)`

function searched(wanted: ParsedSearch): RawBuilder<unknown>[] {
  if (wanted.nothing) return [sql`false`]
  const conditions = named(wanted.words)
  if (wanted.mobile !== '')
    conditions.push(sql`s.parent_mobile <> ''`, sql`s.parent_mobile = ${wanted.mobile}`)
  if (wanted.rollNo !== undefined) conditions.push(sql`s.roll_no = ${wanted.rollNo}`)
  if (wanted.examRollNo !== '') conditions.push(sql`s.exam_roll_no = ${wanted.examRollNo}`, ofAnySeason)
  if (wanted.schoolCode !== '') conditions.push(ofCode(wanted.schoolCode))
  return conditions
}

function conditionsOf(query: StudentQuery): RawBuilder<unknown> {
  const { FYear, search, school, classId, subject, fee, status } = query
  const conditions = [...searched(readSearch(search)), ...ofSchools(school)]
  if (FYear !== undefined) conditions.push(sql`s.season = ${FYear}`)
  if (classId !== 0) conditions.push(sql`s.class_id = ${classId}`)
  if (subject !== '') conditions.push(sql`${subject} = any(string_to_array(s.letters, ','))`)
  if (fee !== '') conditions.push(ofFee[fee])
  if (status !== 'all') conditions.push(status === 'active' ? sql`s.active` : sql`not s.active`)
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
}

/** SQL order: names have an index within a season; across seasons without a search only ids do. */
function orderOf({ sort, school, search, FYear }: StudentQuery): RawBuilder<unknown> {
  const ofOneSchool = school.trim() !== '' || readSearch(search).schoolCode !== ''
  if (sort === 'class' && ofOneSchool)
    return sql`s.season desc, s.school_id, ${classOrder}, s.section, s.roll_no, s.id`
  if (FYear === undefined && search.trim() === '' && !ofOneSchool) return sql`s.id desc`
  return sql`s.name_key, s.id`
}

interface Row extends Omit<StudentListRow, 'className' | 'mobile'> {
  mobile: string
  parent: string
  subjects: string
}

const columns = sql`
    s.id, s.season as "FYear", o.id as "schId", o.code as "schCode", o.name as "schName", o.city,
      s.name as "studentName", s.class_id as "classId", s.section, s.roll_no as "rollNo",
      coalesce(s.exam_roll_no, '') as "examRollNo", s.letters as "eventLetter", s.parent_mobile as mobile,
      ${feeState} as fee, s.active, s.cancelled, s.parent_name as parent, s.subject_names as subjects`

interface Part {
  limit: number
  offset: number
}

function rowsOf(db: ReadDb, query: StudentQuery, { limit, offset }: Part) {
  return sql<Row>`
    select ${columns} from students s join schools o on o.id = s.school_id
    where ${conditionsOf(query)} order by ${orderOf(query)} limit ${limit} offset ${offset}`.execute(db)
}

/**
 * Search results in order. If there are more matches than are counted, the first thousand found: a user who has typed only a
 * first name continues typing, and sorting all took seconds with a million students.
 */
async function searchedRows(db: Db, query: StudentQuery, part: Part) {
  const { rows: few } = await sql<{ id: number }>`
    select s.id from students s where ${conditionsOf(query)} limit ${maxSearchResults + 1}`.execute(db)
  const ids = few.slice(0, maxSearchResults).map(({ id }) => id)
  const { rows } = await sql<Row>`
    select ${columns} from students s join schools o on o.id = s.school_id
    where s.id = any(${ids}::bigint[])
    order by ${orderOf(query)} limit ${part.limit} offset ${part.offset}`.execute(db)
  return { rows, counted: few.length }
}

/** Rows in order without a search, counted only as far as the page needs. */
async function walkedRows(db: Db, query: StudentQuery, part: Part) {
  const { rows } = await rowsOf(db, query, part)
  const whole = part.offset === 0 && rows.length < part.limit
  return { rows, counted: whole ? rows.length : await countOf(db, query) }
}

/** The number of matches up to a limit, so that counting takes the same time in any season. */
async function countOf(db: Db, query: StudentQuery): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (
      select from students s where ${conditionsOf(query)} limit ${maxCounted + 1}) few`.execute(db)
  return rows[0]?.total ?? 0
}

/** One page of the register of students; `total` is counted up to a limit, `more` says that there are more. */
export async function studentRegister(db: Db, _scope: OfficeScope, query: StudentQuery & { page: number }) {
  const seeks = query.school.trim() !== '' || query.search.trim().length > (query.FYear === undefined ? 0 : 1)
  const limit = seeks ? maxSearchResults : maxCounted
  const page = Math.min(Math.max(1, query.page), limit / pageSize)
  const part = { limit: pageSize, offset: (page - 1) * pageSize }
  const { rows, counted } = await (seeks ? searchedRows : walkedRows)(db, query, part)
  return {
    data: rows.map(({ parent: _, subjects: __, ...row }) => ({
      ...row,
      className: className(row.classId),
      mobile: maskMobile(row.mobile),
    })),
    total: Math.min(counted, limit),
    more: counted > limit,
    pageSize,
  }
}

/** A line of the export, without parents' details. */
export interface RegisterLine extends Omit<StudentListRow, 'mobile'> {
  subjects: string
}

/** All that the filters leave, for a file; refuses more than `maxExported` rows (docs/security.md, T20). */
export async function wholeStudentRegister(
  tx: ReadTx,
  _scope: OfficeScope,
  query: StudentQuery,
): Promise<RegisterLine[]> {
  await sql`set local statement_timeout = '30s'`.execute(tx)
  const { rows } = await rowsOf(tx, query, { limit: maxExported + 1, offset: 0 })
  if (rows.length > maxExported) throw new Refusal('students.too_many')
  return rows.map(({ parent: _, mobile: __, ...row }) => ({ ...row, className: className(row.classId) }))
}

/** A student in the header's search results. */
interface NamedStudent {
  id: number
  name: string
  classId: number
  section: string
  code: string
  school: string
  FYear: string
}

/** SQL: students `s` by name or exam roll no; undefined for a mobile, a roll no alone, or a school code alone. */
export function ofName(typed: string): RawBuilder<unknown> | undefined {
  const wanted = readSearch(typed)
  if (wanted.mobile !== '' || (wanted.words.length === 0 && wanted.examRollNo === '')) return
  return sql.join(searched(wanted), sql` and `)
}

/**
 * The first students by name or exam roll no, newest season first. A mobile finds none, because searching for one must be
 * logged, nor does a roll no alone, which identifies no one.
 */
export async function studentsNamed(db: ReadDb, typed: string, limit: number): Promise<NamedStudent[]> {
  const wanted = ofName(typed)
  if (wanted === undefined) return []
  const { rows } = await sql<NamedStudent>`
    with few as materialized (
      select s.id from students s where s.active and ${wanted} limit ${maxCounted})
    select s.id, s.name, s.class_id as "classId", s.section, o.code, o.name as school, s.season as "FYear"
    from students s join schools o on o.id = s.school_id where s.id = any(array(select id from few))
    order by s.season desc, s.name_key, s.id limit ${limit}`.execute(db)
  return rows
}

/** All subjects in catalogue order. */
export async function allSubjects(db: Db, _scope: OfficeScope) {
  return db.selectFrom('subjects').select(['letter', 'name']).orderBy('position').orderBy('letter').execute()
}

/** What a pending or verified payment covers for a student, minus the school's share, in paise. */
interface PaidLine {
  paymentId: number
  schoolId: number
  purpose: string
  state: 'pending' | 'verified'
  amount: number
}

/** A student's lines of pending or verified payments, by any school. */
export async function paidFor(db: Db | Tx, id: number): Promise<PaidLine[]> {
  const { rows } = await sql<PaidLine>`
    select p.id as "paymentId", p.school_id as "schoolId", l.purpose, p.state, l.gross - l.retained as amount
    from payment_lines l join payments p on p.id = l.payment_id
    where l.student_id = ${id} and l.live order by p.id`.execute(db)
  return rows
}

/** SQL: whether student `s` has results in a version that counts: not in one that was replaced or reopened before a release. */
export const hasResults = sql<boolean>`exists (
  select from results r join result_sets v on v.id = r.set_id
  where r.student_id = s.id and (v.state in ('computed', 'approved') or v.released_at is not null))`

/** SQL: the versions in this state that have marks of the student. */
const markedIn = (id: number, state: string) => sql`
  select s.id from result_sets s join enrolments n on n.event_id = s.event_id and n.student_id = ${id}
  where s.state = ${state} and exists (select from result_marks m where m.set_id = s.id and m.student_id = ${id})`

/**
 * Refuses a student whose results are or have been computed, from the school and class of that time. If they have not been, a
 * computation waits for the end of this transaction, and then sees what it has changed.
 */
export async function refuseResults(tx: Db | Tx, id: number): Promise<void> {
  await sql`${markedIn(id, 'imported')} for share of s`.execute(tx)
  const { rows } = await sql`
    select from students s where s.id = ${id} and (${hasResults} or exists (${markedIn(id, 'computing')}))`.execute(
    tx,
  )
  if (rows.length > 0) throw new Refusal('students.has_results')
}

/** The school with this code, or the one it was merged into; undefined if there is none. */
export async function schoolOfCode(db: Db | Tx, code: string) {
  const { rows } = await sql<{ id: number; code: string; name: string; city: string; active: boolean }>`
    select t.id, t.code, t.name, t.city, t.active from schools s join schools t on t.id = coalesce(s.merged_into, s.id)
    where s.code = ${code.trim().toUpperCase()}`.execute(db)
  return rows[0]
}
