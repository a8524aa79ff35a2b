import { className } from '@podium/contract/classes'
import { emailPattern } from '@podium/contract/fields'
import {
  type AffectedForm,
  type AffectedFound,
  type IncidentPerson,
  mostAtOnce,
  type personStatuses,
} from '@podium/contract/privacy/calls-incidents'
import { type RawBuilder, sql } from 'kysely'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { searchWords } from '#platform/db/search-words'
import { Refusal } from '#platform/errors'
import { typedBetween } from './rules.ts'

const pageSize = 50

/** The address of one of those affected `p`, '' without one: a child's is its family's, somebody's of a school their own. */
export const addressOf = sql<string>`coalesce((
  select lower(e.email) from (
    select u.email from users u where u.id = p.user_id
    union all select st.parent_email from students st where st.id = p.student_id) e
  where lower(e.email) ~ ${emailPattern.source} and length(e.email) <= 254), '')`

/** Rows `student_id, user_id`, one of both null; somebody may stand in it twice. */
type People = RawBuilder<unknown>

interface Affected {
  people: People
  /** For the record: no names of those found */
  what: Record<string, string | number | string[]>
  unknown: string[]
}

const children = (where: RawBuilder<unknown>) =>
  sql`select s.id as student_id, null::bigint as user_id from students s where s.erased_at is null and ${where}`
const peopleOfSchools = (where: RawBuilder<unknown>) =>
  sql`select null::bigint as student_id, u.id as user_id from users u where ${where}`
const ids = (list: readonly number[]) => sql`any(${[...list]}::bigint[])`

type By<Way extends AffectedForm['by']> = Extract<AffectedForm, { by: Way }>

async function byFilter(db: Db | Tx, { codes, season, classId, who }: By<'filter'>): Promise<Affected> {
  const typed = typedBetween(/[\s,;]+/, codes.toUpperCase())
  const { rows } = await sql<{ id: number; code: string }>`
    select coalesce(m.id, o.id) as id, upper(o.code) as code from schools o left join schools m on m.id = o.merged_into
    where upper(o.code) = any(${typed}::text[])`.execute(db)
  const known = new Set(rows.map(({ code }) => code))
  const chosen = sql`${typed.length === 0 ? sql`true` : sql`s.school_id = ${ids(rows.map(({ id }) => id))}`}
    and ${season === '' ? sql`true` : sql`s.season = ${season}`} and ${classId === 0 ? sql`true` : sql`s.class_id = ${classId}`}`
  const some = children(chosen)
  const narrowed = season !== '' || classId !== 0
  const staff = peopleOfSchools(
    narrowed
      ? sql`u.school_id in (select s.school_id from students s where ${chosen})`
      : sql`u.school_id = ${ids(rows.map(({ id }) => id))}`,
  )
  return {
    people: who === 'children' ? some : who === 'people' ? staff : sql`${some} union all ${staff}`,
    what: { codes: [...known].sort(), season, ...(classId === 0 ? {} : { classId }), who },
    unknown: typed.filter((code) => !known.has(code)),
  }
}

async function byList(db: Db | Tx, { lines }: By<'list'>): Promise<Affected> {
  const typed = typedBetween(/[\n,;]+/, lines)
  const numbers = typed.filter((line) => /^\d{1,15}$/.test(line)).map(Number)
  const words = typed.map((line) => line.toUpperCase())
  const { rows } = await sql<{ said: string; student_id: number | null; user_id: number | null }>`
    select s.id::text as said, s.id as student_id, null::bigint as user_id from students s
      where s.id = ${ids(numbers)} and s.erased_at is null
    union all
    select s.exam_roll_no, s.id, null from students s
      where s.exam_roll_no = any(${words}::text[]) and s.erased_at is null
    union all
    select upper(u.email), null, u.id from users u where u.email = any(${typed.map((line) => line.toLowerCase())}::text[])`.execute(
    db,
  )
  const known = new Set(rows.map(({ said }) => said))
  const of = (key: 'student_id' | 'user_id') => ids(rows.flatMap((row) => row[key] ?? []))
  return {
    people: sql`${children(sql`s.id = ${of('student_id')}`)} union all ${peopleOfSchools(sql`u.id = ${of('user_id')}`)}`,
    what: { lines: typed.length },
    unknown: typed.filter((line) => !known.has(line.toUpperCase())),
  }
}

/** Whom a form means. */
export const affectedBy = (db: Db | Tx, form: AffectedForm): Promise<Affected> =>
  form.by === 'list' ? byList(db, form) : byFilter(db, form)

/** How many these are, and how many of them are new to a breach; refuses more than `mostAtOnce`. */
export async function countAffected(db: Db | Tx, incidentId: number, people: People) {
  const { rows } = await sql<Omit<AffectedFound, 'unknown' | 'sample'>>`
    select count(p.student_id)::int as children, count(p.user_id)::int as people,
      count(distinct coalesce(st.school_id, u.school_id))::int as schools,
      count(*) filter (where ${addressOf} = '')::int as unreachable,
      count(*) filter (where not exists (
        select from incident_people i where i.incident_id = ${incidentId}
          and (i.student_id = p.student_id or i.user_id = p.user_id)))::int as added
    from (select distinct student_id, user_id from (${people}) w) p
      left join students st on st.id = p.student_id left join users u on u.id = p.user_id`.execute(db)
  const counted = rows[0] ?? { children: 0, people: 0, schools: 0, unreachable: 0, added: 0 }
  if (counted.children + counted.people > mostAtOnce) throw new Refusal('incident.too_many')
  return counted
}

interface Shown {
  kind: 'child' | 'person'
  name: string
  classId: number | null
  season: string | null
  school: string
}

const shown = sql`
  case when p.student_id is null then 'person' else 'child' end as kind, coalesce(st.name, u.name) as name,
  st.class_id as "classId", st.season, coalesce(o.name, '') as school`
const joined = sql`
  left join students st on st.id = p.student_id left join users u on u.id = p.user_id
  left join schools o on o.id = coalesce(st.school_id, u.school_id)`

/** Where somebody belongs, in words: class, season and school of a child, school of a person. */
const placeOf = ({ classId, season, school }: Shown): string =>
  [classId === null ? '' : className(classId), season ?? '', school].filter(Boolean).join(', ')

/** Who would be added: how many, the first of them, and what is not known of what was typed. */
export async function findAffected(db: Db, incidentId: number, form: AffectedForm): Promise<AffectedFound> {
  const { people, unknown } = await affectedBy(db, form)
  const counted = await countAffected(db, incidentId, people)
  const { rows } = await sql<Shown>`
    select ${shown} from (
      select distinct student_id, user_id from (${people}) w order by student_id desc nulls last, user_id limit 10) p ${joined}`.execute(
    db,
  )
  const sample = rows.map((row) => ({ kind: row.kind, name: row.name, place: placeOf(row) }))
  return { ...counted, unknown: unknown.slice(0, 50), sample }
}

export interface PeopleFilters {
  id: number
  standing: (typeof personStatuses)[number]
  search: string
}

const standings = {
  '': sql`true`,
  waiting: sql`p.told_at is null and ${addressOf} <> ''`,
  unreachable: sql`p.told_at is null and ${addressOf} = ''`,
  told: sql`p.told_at is not null`,
}

function chosen({ id, standing, search }: PeopleFilters): RawBuilder<unknown> {
  const words = searchWords(search)
  if (search !== '' && words.length === 0) return sql`false`
  const each = words.map(
    (word) =>
      sql`and (st.name_key like ${`%${word}%`} or lower(u.name) like ${`%${word}%`} or o.search_key like ${`%${word}%`})`,
  )
  return sql`p.incident_id = ${id} and ${standings[standing]} ${sql.join(each, sql` `)}`
}

type Row = Shown & Omit<IncidentPerson, 'toldAt' | 'place'> & { toldAt: Date | null }

/** One page of those affected, with what has become of their mail. */
export async function peopleOf(db: Db, _scope: OfficeScope, query: PeopleFilters & { page: number }) {
  const offset = (Math.max(1, query.page) - 1) * pageSize
  const { rows } = await sql<Row>`
    select p.id, ${shown}, p.student_id as "studentId", ${addressOf} <> '' as mail, p.told_at as "toldAt",
      p.told_by_way as way, p.told_note as note,
      case when p.mail_key = '' then '' when m.id is null or m.done_at is not null then 'sent'
        when m.failed_at is not null then 'failed' else 'waiting' end as delivery
    from incident_people p ${joined} left join outbox m on m.key = p.mail_key and p.mail_key <> ''
    where ${chosen(query)} order by p.id limit ${pageSize} offset ${offset}`.execute(db)
  const counted = await sql<{ n: number }>`
    select count(*)::int as n from incident_people p ${joined} where ${chosen(query)}`.execute(db)
  const data = rows.map((row) => ({
    ...row,
    place: placeOf(row),
    toldAt: row.toldAt?.toISOString() ?? null,
  }))
  return { data, total: counted.rows[0]?.n ?? 0, pageSize }
}
