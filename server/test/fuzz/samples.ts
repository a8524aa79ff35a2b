import type { Schema } from '@podium/contract/endpoint'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { findRow } from '#platform/db/rows'
import type { Db } from '../../src/platform/db/database.ts'
import { thisSeason } from '../factories.ts'

/** Values of the fields of valid input, by field name, or by path and field. */
export type Samples = Readonly<Record<string, unknown>>

/** Values that are the same for all callers. */
const words: Samples = {
  FYear: thisSeason,
  Fyear: thisSeason,
  fyear: thisSeason,
  fYear: thisSeason,
  season: thisSeason,
  page: 1,
  version: 1,
  classId: 7,
  classCode: '7',
  section: 'A',
  letter: 'M',
  eventLetter: 'M',
  subject: 'M',
  subjectName: 'Mathematics',
  bookCategory: 'Comprehensive Book',
  examLevel: 1,
  quantity: 3,
  name: 'Tara Kalpanik',
  userName: 'Tara Kalpanik',
  studentName: 'Ishita Namunawala',
  search: 'a',
  schName: 'Udaharan Vidyalaya',
  schAddress: '4 Udaharan Street',
  address: '7 Misaal Road',
  city: 'Kalpanagar',
  district: 'Kalpanagar',
  state: 'Karnataka',
  country: 'India',
  pinCode: '560001',
  mobile: '9000000417',
  phone: '1800 000 0000',
  email: 'hema@school.example',
  altEmail: '',
  altmobile: '',
  contact: '',
  designation: 'Teacher',
  disclaimer: true,
  genderType: 2,
  desgId: 1,
  titleId: 1,
  countryId: 1,
  language: 'en',
  format: 'csv',
  kind: '',
  who: '',
  from: '',
  until: '',
  to: '',
  school: '',
  zone: '',
  how: '',
  show: '',
  sort: '',
  status: '',
  record: '',
  before: '',
  currency: 'INR',
  list: 'students',
  limit: 20,
  offset: 0,
  udiseCode: '',
  affiliationNo: '',
}

async function one(db: Db, questions: Readonly<Record<string, string>>): Promise<Record<string, unknown>> {
  const columns = Object.entries(questions).map(([name, question]) => `(${question}) as "${name}"`)
  const { rows } = await sql<Record<string, unknown>>`select ${sql.raw(columns.join(', '))}`.execute(db)
  return rows[0] ?? {}
}

/** Returns what a school may refer to: its own students, payments, parcels, results. */
export async function schoolSamples(db: Db, schoolId: number): Promise<Samples> {
  const own = `school_id = ${schoolId}`
  const student = `from students where ${own} and season = '${thisSeason}' and active`
  const result = `from results r join result_sets s on s.id = r.set_id where r.${own} and s.state = 'released' and r.present`
  const found = await one(db, {
    schId: `${schoolId}`,
    schCode: `select code from schools where id = ${schoolId}`,
    studentId: `select id ${student} and not paid order by id limit 1`,
    individualRegId: `select id ${student} order by id limit 1`,
    payment: `select id from payments where ${own} and state = 'verified' order by id limit 1`,
    packet: `select id from packets where ${own} order by id limit 1`,
    contact: `select id from contacts where ${own} order by id limit 1`,
    line: `select id from library_lines where ${own} order by id limit 1`,
    resultId: `select r.set_id || '-' || r.student_id ${result} order by 1 limit 1`,
    eventYearId: `select r.event_id ${result} order by 1 limit 1`,
    participation: `select id from participations where ${own} order by id limit 1`,
    notice: `select id from notices where audience = 'all' order by id limit 1`,
    // One that opens: ids are random, and a link whose students have all left does not open.
    link: `select family_link_id ${student} and family_link_id is not null order by id limit 1`,
  })
  const { payment, packet, contact, line, participation, notice, link } = found
  return {
    ...words,
    ...found,
    SchId: found.schId,
    schoolCode: found.schCode,
    '/api/ManageStudent/GetParticipation_Final_Summary schId': found.schCode,
    '/api/ManageStudent/GetParticipation_Summary schId': found.schCode,
    PacketId: packet,
    eventManagementId: participation,
    GroupId: link,
    groupId: link,
    '/api/ManageSchool/Get_PaymentProof id': payment,
    '/api/ManageSchool/Get_PaymentReceipt id': payment,
    '/api/ManageSchool/Set_ContactStatus id': contact,
    '/api/ManageSchool/ReadNotice id': notice,
    '/api/ManageBook/DeleteBookOrder id': line,
    '/api/Account/GetDistrict state': 'Karnataka',
  }
}

export async function familySamples(db: Db, link: string): Promise<Samples> {
  const child = `from students where family_link_id = '${link}' order by id limit 1`
  const found = await one(db, {
    individualRegId: `select id ${child}`,
    resultId: `select r.set_id || '-' || r.student_id from results r join students s on s.id = r.student_id
      join result_sets t on t.id = r.set_id
      where t.state = 'released' and r.present and s.parent_mobile = (select parent_mobile ${child}) order by 1 limit 1`,
  })
  return { ...words, ...found, GroupId: link, groupId: link }
}

/** Returns what the office may refer to: one of each kind, in the state that most calls need. */
export async function officeSamples(db: Db): Promise<Samples> {
  const first = (table: string, where = 'true') =>
    `select id from ${table} where ${where} order by id limit 1`
  const found = await one(db, {
    school: `select school_id from results order by set_id, student_id limit 1`,
    application: first('applications', `state_of_review = 'submitted'`),
    payment: first('payments', `state = 'verified'`),
    pending: first('payments', `state = 'pending'`),
    line: first('bank_lines', `state = 'open'`),
    statement: first('bank_statements'),
    student: first('students', `season = '${thisSeason}' and active and not paid`),
    event: first('events', `season = '${thisSeason}' and letter = 'M' and level = 1`),
    online: first('events', `season = '${thisSeason}' and mode = 'Online'`),
    released: first('result_sets', `state = 'released'`),
    releasedEvent: `select event_id from result_sets where state = 'released' order by id limit 1`,
    computed: first('result_sets', `state = 'computed'`),
    round: `select event_id from next_level_rounds order by 1 limit 1`,
    result: `select set_id || '-' || student_id from results order by 1 limit 1`,
    roll: `select exam_roll_no from students where exam_roll_no is not null order by id limit 1`,
    packet: first('packets'),
    incident: first('incidents'),
    notice: first('notices'),
    waiver: first('waivers', `state = 'asked'`),
    question: first('teacher_questions', `state = 'sent'`),
    request: first('data_requests'),
    officer: first('staff', `role = 'viewer'`),
    mail: first('outbox'),
    other: `select code from schools order by id desc limit 1`,
    courier: first('couriers'),
    districtless: first('states'),
  })
  const { school, event, released, releasedEvent } = found
  const { code } = await findRow(db, 'schools', { id: Number(school) }, ['code'])
  return {
    ...words,
    schoolId: school,
    schCode: code,
    studentId: found.student,
    eventYearId: event,
    eventManagementId: event,
    setId: released,
    packetId: found.packet,
    courierId: found.courier,
    resultId: found.result,
    nioRollNo: found.roll,
    target: school,
    source: Number(school) + 1,
    ids: [],
    ...paths(found, { code, releasedEvent }),
  }
}

function paths(found: Record<string, unknown>, { code, releasedEvent }: Record<string, unknown>): Samples {
  const ids: Readonly<Record<string, readonly string[]>> = {
    school: [
      'schools/one',
      'schools/years',
      'schools/history',
      'schools/mergeCandidates',
      'schools/invite',
      'schools/code',
      'schools/letter',
      'acting/start',
    ],
    application: ['Application', 'Application/AskBack', 'Application/Approve', 'Application/Reject'],
    payment: ['payments/one', 'payments/proof', 'payments/receipt'],
    pending: ['payments/verify', 'payments/reject'],
    line: ['bank/line', 'bank/book'],
    student: [
      'students/one',
      'students/movePreview',
      'students/move',
      'students/contact',
      'students/cancel',
      'students/familyCode',
      'students/familyMail',
      'students/familyRenew',
      'students/familyRevoke',
    ],
    incident: ['incidents/one', 'incidents/people'],
    notice: ['notices/end'],
    waiver: ['waivers/approve', 'waivers/decline', 'waivers/evidence'],
    question: ['questions/accept', 'questions/decline'],
    request: ['privacy/check', 'privacy/carryOut', 'privacy/decline', 'privacy/file'],
    officer: ['staff/sessions', 'staff/endSessions'],
  }
  const named = Object.entries(ids).flatMap(([what, calls]) =>
    calls.map((call) => [`/api/office/${call} id`, found[what]] as const),
  )
  const ofReleased = ['event', 'rules', 'holds', 'onRecord', 'template'].map(
    (call) => [`/api/office/results/${call} eventYearId`, releasedEvent] as const,
  )
  const ofRound = ['candidate', 'difference', 'list', 'mail', 'round', 'export'].map(
    (call) => [`/api/office/nextLevel/${call} eventYearId`, found.round] as const,
  )
  return {
    ...Object.fromEntries([...named, ...ofReleased, ...ofRound]),
    '/api/office/students/movePreview schCode': found.other,
    '/api/office/students/move schCode': found.other,
    '/api/office/schedules/slots eventYearId': found.online,
    '/api/office/schedules/export eventYearId': found.online,
    '/api/office/audit-log/record kind': 'student',
    '/api/office/audit-log/record id': found.student,
    '/api/office/results/schoolPreview schCode': code,
  }
}

/** The part of a schema of the contract that an input is made from. */
export interface Shape {
  type?: string
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: readonly Shape[]
  properties?: Readonly<Record<string, Shape>>
  required?: readonly string[]
  items?: Shape
  minItems?: number
  maxItems?: number
  minimum?: number
  pattern?: string
  format?: string
}

/** Returns a value for a field, by its name and the call's path; undefined if none is known. */
type SampleFor = (name: string) => unknown

const shapes = new WeakMap<Schema, Shape>()

/** Returns the shape of a schema's input, before transformation. */
export function shapeOf(schema: Schema): Shape {
  const shape =
    shapes.get(schema) ?? (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape)
  shapes.set(schema, shape)
  return shape
}

const formats: Readonly<Record<string, string>> = {
  date: '2026-11-21',
  'date-time': '2026-12-10T04:30:00Z',
  uri: 'https://foundation.example/coupon',
}

function textFor({ pattern, format }: Shape): string {
  const formatted = formats[format ?? '']
  if (formatted !== undefined) return formatted
  if (pattern?.startsWith('^\\d{4}-')) return '2026-11-21'
  if (pattern?.includes('[0-5]\\d')) return '10:30'
  if (pattern?.includes('[0-9]') || pattern?.includes('\\d')) return '1'
  return 'Said for the test'
}

/** Converts a sample to the field's type: ids are numbers in bodies and digits in queries. */
function typed(shape: Shape, value: unknown): unknown {
  if (shape.type === 'string' && typeof value === 'number') return String(value)
  if (shape.type === 'array' && !Array.isArray(value)) return [value]
  return value
}

const takes = (shape: Shape, value: unknown): boolean =>
  shape.enum === undefined ? shape.const === undefined || shape.const === value : shape.enum.includes(value)

/** Returns a valid value of a shape: the known one for its name, or else a guess from its type. */
function rightValue(shape: Shape, name: string, say: SampleFor, all: boolean): unknown {
  const sample = say(name)
  if (sample !== undefined && takes(shape, sample)) return typed(shape, sample)
  if (shape.const !== undefined) return shape.const
  if (shape.enum) return shape.enum.find((item) => item !== '') ?? ''
  const [first] = shape.anyOf ?? []
  if (first) return rightValue(first, name, say, all)
  if (shape.type === 'object') return rightFields(shape, say, all)
  if (shape.type === 'array')
    return shape.items && (shape.minItems ?? 0) > 0
      ? Array.from({ length: shape.minItems ?? 1 }, () => rightValue(shape.items ?? {}, name, say, all))
      : []
  if (shape.type === 'boolean') return true
  if (shape.type === 'integer' || shape.type === 'number') return Math.max(1, shape.minimum ?? 1)
  return textFor(shape)
}

/** Returns valid values of a shape's required fields; with `all`, of the optional ones too. */
export function rightFields(shape: Shape, say: SampleFor, all: boolean): Record<string, unknown> {
  const required = new Set(shape.required)
  const fields = Object.entries(shape.properties ?? {}).filter(([name]) => all || required.has(name))
  return Object.fromEntries(fields.map(([name, schema]) => [name, rightValue(schema, name, say, all)]))
}

/** Returns those of the given values that a shape has fields for. */
export function givenFields({ properties = {} }: Shape, given: Readonly<Record<string, unknown>>) {
  const declared = Object.entries(given).filter(([name]) => Object.hasOwn(properties, name))
  return Object.fromEntries(declared.map(([name, value]) => [name, typed(properties[name] ?? {}, value)]))
}
