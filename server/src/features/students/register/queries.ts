import { className } from '@podium/contract/classes'
import { normaliseMobile } from '@podium/contract/fields'
import { foldName } from '@podium/contract/names'
import type { Season } from '@podium/contract/season'
import {
  maxCounted,
  maxExported,
  maxSearchResults,
  type StudentFee,
  type StudentListRow,
  type StudentSort,
} from '@podium/contract/students/calls-register'
import { type RawBuilder, sql } from 'kysely'
import { classOrder } from '#features/payments/queries'
import { registrationSent } from '#features/students/sign-off/queries'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, ReadDb, ReadTx, Tx } from '#platform/db/database'
import { Refusal } from '#platform/errors'

/** What somebody looks for; a child has all of it. */
interface Wanted {
  /** Beginnings of words of the folded name */
  words: string[]
  /** The parent's mobile, whole: found by its beginning, a masked number is told */
  mobile: string
  rollNo: number | undefined
  examRollNo: string
  schoolCode: string
  /** What was typed can be found nowhere */
  nothing: boolean
}

const none: Wanted = {
  words: [],
  mobile: '',
  rollNo: undefined,
  examRollNo: '',
  schoolCode: '',
  nothing: false,
}

const examRoll = /^[A-Z]{2,8}\d{2,8}-\d{1,2}-\d{3,}$/
const code = /^[A-Z]{2,8}\d{3,10}$/
/** Shorter numbers are roll nos; a mobile has ten to twelve digits, with whatever people write between them. */
const longestRoll = 6
const wholeMobile = /^\d{10,12}$/

/**
 * Reads a search: of a number alone a roll no or a mobile; else word by word an exam roll no (`VNK0417-07-012`), a
 * school's code (`VNK0417`), a roll no, or the beginning of a word of the name.
 */
export function readSearch(typed: string): Wanted {
  const text = typed.trim()
  if (text === '') return none
  if (/^[+\d\s().-]*\d[+\d\s().-]*$/.test(text)) {
    const digits = normaliseMobile(text).replace(/\D/g, '')
    if (digits.length <= longestRoll) return { ...none, rollNo: Number(digits) }
    return wholeMobile.test(digits) ? { ...none, mobile: digits } : { ...none, nothing: true }
  }
  const wanted: Wanted = { ...none, words: [] }
  for (const part of text.split(/\s+/)) readPart(wanted, part)
  const { words, rollNo, examRollNo, schoolCode } = wanted
  const empty = words.length === 0 && rollNo === undefined && examRollNo === '' && schoolCode === ''
  return { ...wanted, nothing: empty }
}

function readPart(wanted: Wanted, part: string): void {
  const upper = part.toUpperCase()
  if (examRoll.test(upper)) wanted.examRollNo = upper
  else if (code.test(upper)) wanted.schoolCode = upper
  else if (/^\d{1,6}$/.test(part)) wanted.rollNo = Number(part)
  else wanted.words.push(...foldName(part).split(' ').filter(Boolean))
}

/** All but the last three digits hidden: enough to tell one family from another on the telephone. */
export function maskMobile(mobile: string): string {
  return mobile === '' ? '' : `••• ••• ${mobile.slice(-3)}`
}

/** The first letter and the domain: `h•••@family.example`. */
export function maskEmail(address: string): string {
  const at = address.lastIndexOf('@')
  return at < 1 ? '' : `${address.slice(0, 1)}•••${address.slice(at)}`
}

const pageSize = 50

export interface StudentQuery {
  FYear?: Season | undefined
  search: string
  school: string
  classId: number
  subject: string
  fee: '' | StudentFee
  standing: 'active' | 'deleted' | 'all'
  sort: StudentSort
}

const sent = registrationSent('s')

/** Where the registration fee of `students s` stands. */
export const feeState = sql<StudentFee>`
  case when s.waived then 'waived' when s.paid then 'paid' when ${sent} then 'sent' else 'due' end`

const ofFee: Record<StudentFee, RawBuilder<unknown>> = {
  waived: sql`s.waived`,
  paid: sql`s.paid and not s.waived`,
  sent,
  due: sql`not s.paid and not (${sent})`,
}

/** The words of a folded name as a text search reads them; the index students_by_words is of this. */
const wordsOfName = sql`array_to_tsvector(string_to_array(s.name_key, ' '))`

/** Begins with this, said so that an index of patterns finds it whatever the parameter: LIKE with one can't use it. */
const begins = (column: RawBuilder<unknown>, typed: string) =>
  sql`${column} ~>=~ ${typed} and ${column} ~<~ ${`${typed}\uffff`}`

/** Says nothing but lets an index that begins with the season be used where none is asked for. */
const ofAnySeason = sql`s.season = any(array(select label from seasons))`

function named(words: readonly string[]): RawBuilder<unknown>[] {
  const [only] = words
  if (only === undefined) return []
  // One letter alone begins the name of a tenth of all: in the order of names they are found at once.
  if (words.length === 1 && [...only].length === 1)
    return [begins(sql`s.name_key`, only), sql`s.name_key >= ${only}`, ofAnySeason]
  // Folded words are letters and digits: nothing in them that a text search takes for an operator.
  return [sql`${wordsOfName} @@ ${words.map((word) => `'${word}':*`).join(' & ')}::tsquery`]
}

/** Schools by code, or by words of name, city and numbers; as the register of schools finds them. */
function ofSchools(typed: string): RawBuilder<unknown>[] {
  const words = foldName(typed).split(' ').filter(Boolean)
  if (words.length === 0) return typed.trim() === '' ? [] : [sql`false`]
  const has = words.map((word) => sql`w.search_key like ${`%${word}%`}`)
  return [sql`s.school_id = any(array(select w.id from schools w where ${sql.join(has, sql` and `)}))`]
}

/** What looks like a school's code can be a name all the same. A school that was merged is looked for where it went. */
const ofCode = (code: string) => sql`(s.school_id = any(array(
  select coalesce(w.merged_into, w.id) from schools w where w.code = ${code}))
  or ${wordsOfName} @@ ${`'${foldName(code)}':*`}::tsquery)`

function searched(wanted: Wanted): RawBuilder<unknown>[] {
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
  const { FYear, search, school, classId, subject, fee, standing } = query
  const conditions = [...searched(readSearch(search)), ...ofSchools(school)]
  if (FYear !== undefined) conditions.push(sql`s.season = ${FYear}`)
  if (classId !== 0) conditions.push(sql`s.class_id = ${classId}`)
  if (subject !== '') conditions.push(sql`${subject} = any(string_to_array(s.letters, ','))`)
  if (fee !== '') conditions.push(ofFee[fee])
  if (standing !== 'all') conditions.push(standing === 'active' ? sql`s.active` : sql`not s.active`)
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
}

/** Names in order have an index within a season; of all seasons nothing but an id orders what is not searched for. */
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
      ${feeState} as fee, s.active, s.parent_name as parent, s.subject_names as subjects`

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
 * What is searched for: those who have it, put in order. Of what more have than are counted, the thousand that are found
 * first: who has typed a first name alone goes on typing, and putting all in order took seconds among a million.
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

/** The rows in order, counted only as far as a page asks for it. */
async function walkedRows(db: Db, query: StudentQuery, part: Part) {
  const { rows } = await rowsOf(db, query, part)
  const whole = part.offset === 0 && rows.length < part.limit
  return { rows, counted: whole ? rows.length : await countOf(db, query) }
}

/** How many they are, as far as it is worth counting: so many are found in the same time in a small and a large world. */
async function countOf(db: Db, query: StudentQuery): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (
      select from students s where ${conditionsOf(query)} limit ${maxCounted + 1}) few`.execute(db)
  return rows[0]?.total ?? 0
}

/** One page of the register of students; `total` is counted so far, `more` says that there are more. */
export async function studentRegister(db: Db, _scope: OfficeScope, query: StudentQuery & { page: number }) {
  const seeks = query.school.trim() !== '' || query.search.trim().length > (query.FYear === undefined ? 0 : 1)
  const most = seeks ? maxSearchResults : maxCounted
  const page = Math.min(Math.max(1, query.page), most / pageSize)
  const part = { limit: pageSize, offset: (page - 1) * pageSize }
  const { rows, counted } = await (seeks ? searchedRows : walkedRows)(db, query, part)
  return {
    data: rows.map(({ parent: _, subjects: __, ...row }) => ({
      ...row,
      className: className(row.classId),
      mobile: maskMobile(row.mobile),
    })),
    total: Math.min(counted, most),
    more: counted > most,
    pageSize,
  }
}

/** What a file has of a child; of its parents nothing. */
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

/** A student as the search of the header shows one. */
interface NamedStudent {
  id: number
  name: string
  classId: number
  section: string
  code: string
  school: string
  FYear: string
}

/** Students `s` of a name or an exam roll no; undefined for a mobile, a roll no alone, and a code alone, which is the school. */
export function ofName(typed: string): RawBuilder<unknown> | undefined {
  const wanted = readSearch(typed)
  if (wanted.mobile !== '' || (wanted.words.length === 0 && wanted.examRollNo === '')) return
  return sql.join(searched(wanted), sql` and `)
}

/**
 * The first students of a name or an exam roll no, the newest season first. What is a mobile or a roll no alone finds none:
 * the one is looked for in the register, which writes it down, the other is no child's own.
 */
export async function studentsNamed(db: ReadDb, typed: string, most: number): Promise<NamedStudent[]> {
  const wanted = ofName(typed)
  if (wanted === undefined) return []
  const { rows } = await sql<NamedStudent>`
    with few as materialized (
      select s.id from students s where s.active and ${wanted} limit ${maxCounted})
    select s.id, s.name, s.class_id as "classId", s.section, o.code, o.name as school, s.season as "FYear"
    from students s join schools o on o.id = s.school_id where s.id = any(array(select id from few))
    order by s.season desc, s.name_key, s.id limit ${most}`.execute(db)
  return rows
}

/** All subjects in the catalogue's order. */
export async function allSubjects(db: Db, _scope: OfficeScope) {
  return db.selectFrom('subjects').select(['letter', 'name']).orderBy('position').orderBy('letter').execute()
}

/** What a live payment has paid, or says it has, for a child: less what the school keeps, in paise. */
interface PaidLine {
  paymentId: number
  schoolId: number
  purpose: string
  state: 'pending' | 'verified'
  amount: number
}

/** The live lines of a child, by whichever school. */
export async function paidFor(db: Db | Tx, id: number): Promise<PaidLine[]> {
  const { rows } = await sql<PaidLine>`
    select p.id as "paymentId", p.school_id as "schoolId", l.purpose, p.state, l.gross - l.retained as amount
    from payment_lines l join payments p on p.id = l.payment_id
    where l.student_id = ${id} and l.live order by p.id`.execute(db)
  return rows
}

/** Whether marks or results of the child were computed or imported. */
export async function hasResults(db: Db | Tx, id: number): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from results where student_id = ${id}) as has`.execute(db)
  return rows[0]?.has ?? false
}

/** The school of a code, which leads on where it was merged; undefined where there is none. */
export async function schoolOfCode(db: Db | Tx, code: string) {
  const { rows } = await sql<{ id: number; code: string; name: string; city: string; active: boolean }>`
    select t.id, t.code, t.name, t.city, t.active from schools s join schools t on t.id = coalesce(s.merged_into, s.id)
    where s.code = ${code.trim().toUpperCase()}`.execute(db)
  return rows[0]
}
