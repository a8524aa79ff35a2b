// Samples for calls on the big data set: ids and words that exist.

import { globSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Endpoint, Schema } from '@podium/contract/endpoint'
import { addDays, istDay, seasonAt } from '@podium/contract/season'
import { sql } from 'kysely'
import type { Db } from '../server/src/platform/db/database.ts'

/** One variant of a call: its label, and its query. */
export interface Question {
  label: string
  query: Readonly<Record<string, string>>
}

/**
 * Samples by field name, or by path and field: the value of a required field, and values to try in an optional one. An
 * empty list: never tried.
 */
export type Samples = Readonly<Record<string, readonly string[]>>

const contract = join(import.meta.dirname, '../contract/src')

function isEndpoint(value: unknown): value is Endpoint {
  return (
    typeof value === 'object' && value !== null && 'path' in value && 'query' in value && 'answers' in value
  )
}

/** Returns every call of the contract that reads and answers JSON, in order of paths. */
export async function readingCalls(): Promise<Endpoint[]> {
  const calls = new Map<string, Endpoint>()
  for (const file of globSync('**/*.ts', { cwd: contract })) {
    if (file.includes('.test.')) continue
    const module: Record<string, unknown> = await import(pathToFileURL(join(contract, file)).href)
    for (const value of Object.values(module))
      if (isEndpoint(value) && value.method === 'GET' && value.answers === 'json')
        calls.set(value.path, value)
  }
  return [...calls.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}

interface Field {
  name: string
  required: boolean
  /** The values of an enumeration except its default */
  choices: readonly string[]
}

/** The definition of a schema, as far as query fields have one. */
interface Definition {
  type: string
  innerType?: Schema
  in?: Schema
  entries?: Record<string, string>
  defaultValue?: unknown
  shape?: Record<string, Schema>
}

const definitionOf = (schema: Schema) => schema._zod.def as unknown as Definition

function fieldOf(name: string, schema: Schema): Field {
  const field: Field = { name, required: true, choices: [] }
  let current: Schema | undefined = schema
  let usual: unknown
  while (current) {
    const definition: Definition = definitionOf(current)
    if (definition.type === 'default' || definition.type === 'optional') field.required = false
    if (definition.type === 'default') usual = definition.defaultValue
    if (definition.type === 'enum')
      field.choices = Object.values(definition.entries ?? {}).filter((value) => value !== usual)
    current = definition.innerType ?? definition.in
  }
  return field
}

const fieldsOf = ({ query }: Endpoint) =>
  Object.entries(definitionOf(query).shape ?? {}).map(([name, schema]) => fieldOf(name, schema))

function triedIn({ path }: Endpoint, { name, choices }: Field, samples: Samples): readonly string[] {
  return samples[`${path} ${name}`] ?? (choices.length > 0 ? choices : (samples[name] ?? []))
}

/**
 * Returns all variants of a call: as first opened, each filter, search and sort order separately; with `pairs` also
 * searches within each filter and deep pages of each order. Undefined if `samples` lacks a required field.
 */
export function questionsOf(
  endpoint: Endpoint,
  samples: Samples,
  { pairs = true } = {},
): Question[] | undefined {
  const fields = fieldsOf(endpoint)
  const base: Record<string, string> = {}
  for (const field of fields.filter(({ required }) => required)) {
    const [first] = triedIn(endpoint, field, samples)
    if (first === undefined) return undefined
    base[field.name] = first
  }
  const tried = (field: Field) =>
    triedIn(endpoint, field, samples)
      .filter((value) => base[field.name] !== value)
      .map((value) => ({ field: field.name, value }))
  const alone = fields.flatMap(tried)
  const questions: Question[] = [{ label: '', query: base }]
  for (const { field, value } of alone)
    questions.push({ label: `${field}=${value}`, query: { ...base, [field]: value } })
  if (!pairs) return questions
  const words = alone.filter(({ field }) => field === 'search').slice(0, 2)
  for (const word of words)
    for (const filter of alone.filter(({ field }) => field !== 'search' && field !== 'page'))
      questions.push({
        label: `search=${word.value} ${filter.field}=${filter.value}`,
        query: { ...base, search: word.value, [filter.field]: filter.value },
      })
  const paged = fields.some(({ name }) => name === 'page')
  for (const order of alone.filter(({ field }) => field === 'sort' && paged))
    questions.push({
      label: `sort=${order.value} page=20`,
      query: { ...base, sort: order.value, page: '20' },
    })
  return questions
}

interface SampleIds {
  school: number
  code: string
  name: string
  state: string
  district: string
  student: number
  roll: string
  mobile: string
  event: number
  set: number
  payment: number
  receipt: string
  line: number
  utr: string
  packet: number
  consignment: string
  application: number
  result: string
  link: string
  other: string
  online: number
  certificate: string
  unplaced: number
  waiting: number
  waitingCode: string
}

/**
 * Returns samples: a school that has paid, chosen by its id modulo 100 (1 to 9: 150 students, 40 to 99: about twenty),
 * Mathematics and its results, and one of each other kind.
 */
export async function samplesOf(
  db: Db,
  now: Date,
  which = 5,
): Promise<{ samples: Samples; found: SampleIds; season: string }> {
  const season = seasonAt(now)
  const { rows } = await sql<SampleIds>`
    with school as (
      select o.* from schools o where o.id % 100 = ${which}::int and exists (select from results r where r.school_id = o.id)
      order by o.id limit 1),
    event as (select id from events where season = ${season} and letter = 'M' and level = 1),
    student as (
      select s.* from students s where s.school_id = (select id from school) and s.season = ${season} and s.paid and s.letters like 'M%'
        and s.family_link_id is not null order by s.id limit 1),
    payment as (select * from payments where state = 'verified' and utr <> '' order by id limit 1),
    line as (select * from bank_lines where state = 'open' order by id limit 1),
    waiting as (select * from result_sets where state = 'computed' order by id limit 1),
    packet as (select * from packets where consignment_no <> '' order by id limit 1)
    select (select id from school) as school, (select code from school) as code, (select name_key from school) as name,
      (select state from school) as state, (select district from school) as district, (select id from student) as student,
      (select exam_roll_no from student) as roll, (select parent_mobile from student) as mobile, (select id from event) as event,
      (select t.id from result_sets t where t.event_id = (select id from event) order by version desc limit 1) as set,
      (select id from payment) as payment, (select receipt_no from payment) as receipt, (select utr from payment) as utr,
      (select id from line) as line, (select id from packet) as packet, (select consignment_no from packet) as consignment,
      (select min(id) from applications) as application,
      (select r.set_id || '-' || r.student_id from results r where r.student_id = (select id from student) limit 1) as result,
      (select family_link_id from student) as link, (select code from schools where id = (select id + 1 from school)) as other,
      (select id from events where season = ${season} and mode = 'Online' order by id limit 1) as online, (select min(number) from certificates) as certificate,
      (select s.id from students s where s.season = ${season} and s.active and not s.paid order by s.id limit 1) as unplaced,
      (select id from waiting) as waiting,
      (select o.code from schools o where exists (
        select from results r where r.school_id = o.id and r.event_id = (select event_id from waiting) and r.set_id = (select id from waiting))
        order by o.id limit 1) as "waitingCode"`.execute(db)
  const [ids] = rows
  if (!ids?.school || !ids.student) throw new Error('the database is not the big data set')
  const today = istDay(now)
  const id = (value: number) => [String(value)]
  const samples: Samples = {
    FYear: [season],
    Fyear: [season],
    season: [season],
    search: [
      'sha',
      'sha aar',
      'ram vid mod',
      ids.code,
      ids.mobile,
      '42',
      ids.roll,
      ids.receipt,
      ids.consignment,
      ids.utr,
      'teacher',
      'a',
      'zzzz',
    ],
    page: ['20', '200'],
    state: [ids.state],
    district: [ids.district],
    school: [ids.code, ids.name],
    classId: ['7'],
    subject: ['M', 'K'],
    letter: ['M'],
    courier: ['1'],
    mailing: ['1'],
    statement: ['1'],
    who: ['officer 3', 'teacher 4', 'zzzz'],
    action: ['student.', 'student.imported', 'payment.verified', 'zzzz'],
    '/api/office/audit-log/list search': ['namunawala', ids.code, 'teacher 4 cancelled', 'zzzz'],
    '/api/office/audit-log/list kind': ['student', 'payment', 'zzzz'],
    '/api/office/audit-log/list from': [today, addDays(today, -30)],
    '/api/office/audit-log/list until': [addDays(today, -60), '2020-01-01'],
    '/api/office/receipts/list from': [addDays(today, -7)],
    '/api/office/receipts/list until': [addDays(today, -60)],
    '/api/office/mails/queue search': ['payment', 'teacher12', 'teacher125@bg.example', 'zzzz'],
    '/api/office/audit-log/record kind': ['student'],
    '/api/office/audit-log/record id': id(ids.student),
    '/api/office/catalogue/plan from': [season],
    '/api/office/views/list list': ['students'],
    record: id(ids.student),
    eventYearId: id(ids.event),
    setId: id(ids.set),
    resultId: [ids.result],
    schoolId: id(ids.school),
    schCode: [ids.code],
    packetId: id(ids.packet),
    '/api/office/Application id': id(ids.application),
    '/api/office/bank/line id': id(ids.line),
    // The data set has no incident.
    '/api/office/incidents/one id': [],
    '/api/office/incidents/people id': [],
    '/api/office/payments/one id': id(ids.payment),
    '/api/office/schools/history id': id(ids.school),
    '/api/office/schools/importOne id': ['bigimport'],
    '/api/office/schools/importRows id': ['bigimport'],
    '/api/office/schools/mails id': id(ids.school),
    '/api/office/schools/mergeCandidates id': id(ids.school),
    '/api/office/schools/notes id': id(ids.school),
    '/api/office/schools/one id': id(ids.school),
    '/api/office/schools/years id': id(ids.school),
    '/api/office/staff/sessions id': ['3'],
    '/api/office/students/one id': id(ids.student),
    '/api/office/students/movePreview id': id(ids.unplaced),
    '/api/office/students/movePreview schCode': [ids.other],
    '/api/office/schedules/slots eventYearId': id(ids.online),
    target: id(ids.school),
    source: id(ids.school + 1),
    nioRollNo: [ids.roll],
    '/api/office/results/previewCorrections setId': id(ids.waiting),
    '/api/office/results/previewSchools setId': id(ids.waiting),
    '/api/office/results/schoolPreview setId': id(ids.waiting),
    '/api/office/results/schoolPreview schCode': [ids.waitingCode],
    '/api/office/results/preview pageSize': [],
    '/api/office/results/anomalies pageSize': [],
    // Schools and families
    PacketId: id(ids.packet),
    GroupId: [ids.link],
    id: [`${ids.result}`],
    number: [ids.certificate],
    countryId: ['1'],
    '/api/Account/GetDistrict state': [ids.state],
  }
  return { samples, found: ids, season }
}
