import { className } from '@podium/contract/classes'
import { formatRupees, rupeesOf } from '@podium/contract/money'
import {
  maxHits,
  type SearchHit,
  type SearchHitKind,
  shortestSearch,
} from '@podium/contract/office/calls-overview'
import { formatDay, seasonAt } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import { studentsNamed } from '#features/students/register/queries'
import { mayDo, type Permission } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { ReadDb } from '#platform/db/database'
import { hasWords, searchWords } from '#platform/db/list-queries'

/** SQL: prefix match, written so that a pattern index is used with any parameter. */
const begins = (column: RawBuilder<unknown>, text: string) =>
  sql`${column} ~>=~ ${text} and ${column} ~<~ ${`${text}\uffff`}`

const amount = (of: number) => formatRupees(rupeesOf(of))

/** Searches schools like the register; an exact code comes first, then names with this prefix. */
async function schools(db: ReadDb, text: string): Promise<SearchHit[]> {
  const [first] = searchWords(text)
  if (first === undefined) return []
  const { rows } = await sql<{ id: number; name: string; code: string; city: string }>`
    select o.id, o.name, o.code, o.city from schools o
    where o.merged_into is null and o.id = any(array(
      select coalesce(m.merged_into, m.id) from schools m where ${hasWords(text, sql`m.search_key`)}))
    order by lower(o.code) <> ${text.toLowerCase()}, o.name_key not like ${`${first}%`}, o.name_key, o.id
    limit ${maxHits}`.execute(db)
  return rows.map(({ id, name, code, city }) => entry('school', id, name, [code, city]))
}

async function students(db: ReadDb, text: string): Promise<SearchHit[]> {
  const rows = await studentsNamed(db, text, maxHits)
  return rows.map(({ id, name, classId, section, code, school, FYear }) =>
    entry('student', id, name, [`${className(classId)} ${section}`, code, school], FYear),
  )
}

interface PaymentRow {
  id: number
  reference: string
  receiptNo: string
  utr: string
  payable: number
  school: string
  season: string
  state: string
}

/** SQL: ids of payments by the prefix of a reference, receipt no or UTR, each with its own index. */
export function paymentsLike(text: string, limit = maxHits): RawBuilder<unknown> {
  const upper = text.toUpperCase()
  const part = (column: RawBuilder<unknown>, also = sql`true`) => sql`(
    select p.id from payments p where ${begins(column, upper)} and ${also} order by p.id desc limit ${limit})`
  return sql`${part(sql`upper(p.reference)`)} union ${part(sql`upper(p.receipt_no)`)} union ${part(sql`upper(p.utr)`, sql`p.utr <> ''`)}`
}

async function payments(db: ReadDb, text: string): Promise<SearchHit[]> {
  const { rows } = await sql<PaymentRow>`
    select p.id, p.reference, coalesce(p.receipt_no, '') as "receiptNo", p.utr, p.payable, o.name as school, p.season, p.state
    from payments p join schools o on o.id = p.school_id where p.id = any(array(${paymentsLike(text)}))
    order by p.id desc limit ${maxHits}`.execute(db)
  return rows.map((row) => {
    const facts = [row.receiptNo, row.utr, amount(row.payable), row.school].filter(Boolean)
    return entry('payment', row.id, row.reference, facts, row.season, row.state)
  })
}

interface LineRow {
  id: number
  utr: string
  day: string
  amount: number
  narration: string
  state: string
}

const viewOf = sql`case when l.state = 'open' then coalesce(l.guess, 'unknown') else l.state end`

/** SQL: ids of bank lines by the prefix of their UTR. */
export const bankLinesLike = (text: string, limit = maxHits): RawBuilder<unknown> => sql`(
  select l.id from bank_lines l where l.utr <> '' and ${begins(sql`upper(l.utr)`, text.toUpperCase())}
  order by l.id desc limit ${limit})`

async function bankLines(db: ReadDb, text: string): Promise<SearchHit[]> {
  const { rows } = await sql<LineRow>`
    select l.id, l.utr, l.day::text, l.amount, l.narration, ${viewOf} as state from bank_lines l
    where l.id = any(array(${bankLinesLike(text)})) order by l.id desc limit ${maxHits}`.execute(db)
  return rows.map((row) => {
    const facts = [formatDay(row.day), amount(row.amount), row.narration]
    return entry('bankLine', row.id, row.utr, facts, seasonAt(new Date(`${row.day}T06:00:00Z`)), row.state)
  })
}

/** SQL: ids of parcels by number, or by the prefix of the tracking number. */
export const packetsLike = (text: string, limit = maxHits): RawBuilder<unknown> => sql`
  select ${/^\d{1,9}$/.test(text) ? Number(text) : 0}::bigint union
  (select c.id from packets c where c.consignment_no <> '' and ${begins(sql`upper(c.consignment_no)`, text.toUpperCase())}
    order by c.id desc limit ${limit})`

async function packets(db: ReadDb, text: string): Promise<SearchHit[]> {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0
  const { rows } = await sql<{ id: number; no: string; courier: string; school: string; season: string }>`
    select p.id, p.consignment_no as no, p.courier_name as courier, o.name as school, p.season
    from packets p join schools o on o.id = p.school_id
    where p.id = any(array(${packetsLike(text)}))
    order by p.id <> ${number}, p.id desc limit ${maxHits}`.execute(db)
  return rows.map(({ id, no, courier, school, season }) =>
    entry('packet', id, String(id), [courier, no, school].filter(Boolean), season),
  )
}

/** School users by the prefix of their e-mail address. */
async function people(db: ReadDb, text: string): Promise<SearchHit[]> {
  if (/\s/.test(text)) return []
  const { rows } = await sql<{ id: number; name: string; email: string; school: string }>`
    select o.id, u.name, u.email, o.name as school from users u join schools o on o.id = u.school_id
    where ${begins(sql`lower(u.email)`, text.toLowerCase())} order by u.email limit ${maxHits}`.execute(db)
  return rows.map(({ id, name, email, school }) => entry('person', id, name, [email, school]))
}

function entry(
  kind: SearchHitKind,
  id: number,
  title: string,
  facts: string[],
  FYear = '',
  state = '',
): SearchHit {
  return { kind, id, title, facts, FYear, state }
}

interface Source {
  needs: Permission
  /** Minimum length of the search text */
  from: number
  find: (db: ReadDb, text: string) => Promise<SearchHit[]>
}

const sources: readonly Source[] = [
  { needs: 'schools.read', from: shortestSearch, find: schools },
  { needs: 'students.read', from: 3, find: students },
  { needs: 'payments.read', from: 4, find: payments },
  { needs: 'payments.read', from: 4, find: bankLines },
  { needs: 'dispatch.read', from: 1, find: packets },
  { needs: 'schools.read', from: 3, find: people },
]

/** Search results, kind by kind. Kinds that the role may not read are not searched. */
export async function findAnything(db: ReadDb, scope: OfficeScope, search: string): Promise<SearchHit[]> {
  const text = search.trim()
  const allowedSources = sources.filter(({ needs, from }) => mayDo(scope.role, needs) && text.length >= from)
  const found: SearchHit[] = []
  for (const { find } of allowedSources) found.push(...(await find(db, text)))
  return found
}
