import { className } from '@podium/contract/classes'
import type { PickForm, PickFound } from '@podium/contract/incidents-people'
import { mostPicked } from '@podium/contract/incidents-people'
import { sentences } from '@podium/contract/sentences'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '#platform/database'
import { Refusal, refuseField } from '#platform/errors'
import { codesIn, linesIn, momentOf } from './rules.ts'

/** What a pick means once its codes, names and times are looked up. */
export interface Meant {
  /** Rows `student_id, user_id`, one of both null; a person may stand in it twice */
  who: RawBuilder<unknown>
  /** As it is kept with the pick: no names of those found */
  what: Record<string, string | number | boolean | string[]>
  unknown: string[]
  unnamed: { action: string; lines: number }[]
}

const child = (where: RawBuilder<unknown>) =>
  sql`select s.id as student_id, null::bigint as user_id from students s where s.erased_at is null and ${where}`
const person = (where: RawBuilder<unknown>) =>
  sql`select null::bigint as student_id, u.id as user_id from users u where ${where}`

const ids = (list: readonly number[]) => sql`any(${[...list]}::bigint[])`

type Of<How extends PickForm['how']> = Extract<PickForm, { how: How }>

async function bySchools(db: Db | Tx, { codes, season, who }: Of<'schools'>): Promise<Meant> {
  const typed = codesIn(codes)
  if (typed.length === 0) throw refuseField('codes', sentences.incidentNobody)
  const { rows } = await sql<{ id: number; code: string }>`
    select coalesce(m.id, o.id) as id, o.code from schools o left join schools m on m.id = o.merged_into
    where upper(o.code) = any(${typed}::text[])`.execute(db)
  const known = new Set(rows.map(({ code }) => code.toUpperCase()))
  const schools = ids(rows.map(({ id }) => id))
  const children = child(
    season === '' ? sql`s.school_id = ${schools}` : sql`s.school_id = ${schools} and s.season = ${season}`,
  )
  const people = person(sql`u.school_id = ${schools}`)
  return {
    who: who === 'children' ? children : who === 'people' ? people : sql`${children} union all ${people}`,
    what: { codes: [...known].sort(), season, who },
    unknown: typed.filter((code) => !known.has(code)),
    unnamed: [],
  }
}

async function byList(db: Db | Tx, { lines }: Of<'list'>): Promise<Meant> {
  const typed = linesIn(lines)
  if (typed.length === 0) throw refuseField('lines', sentences.incidentNobody)
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
    who: sql`${child(sql`s.id = ${of('student_id')}`)} union all ${person(sql`u.id = ${of('user_id')}`)}`,
    what: { lines: typed.length },
    unknown: typed.filter((line) => !known.has(line.toUpperCase())),
    unnamed: [],
  }
}

/** Kinds of records whose lines name one person, or the children of one import. */
const naming = ['student', 'user', 'import', 'data_request', 'incident']

async function byActor(db: Db | Tx, pick: Of<'actor'>): Promise<Meant> {
  const { actor, wholeSchools } = pick
  const from = momentOf(pick.fromDay, pick.fromTime)
  const until = momentOf(pick.untilDay, pick.untilTime)
  if (Number.isNaN(from.getTime())) throw refuseField('fromDay', sentences.incidentMoment)
  if (Number.isNaN(until.getTime())) throw refuseField('untilDay', sentences.incidentMoment)
  if (until < from) throw refuseField('untilDay', sentences.incidentBackwards)
  const mine = sql`a.actor_kind = ${actor.kind} and a.actor_id = ${actor.id} and a.at >= ${from} and a.at < ${until}::timestamptz + interval '1 minute'`
  const named = (kind: string) =>
    sql`(select a.subject_id from audit a where ${mine} and a.subject_kind = ${kind})`
  const numbered = (kind: string) =>
    sql`(select a.subject_id::bigint from audit a where ${mine} and a.subject_kind = ${kind} and a.subject_id ~ '^[0-9]{1,15}$')`
  const parts = [
    child(sql`s.id in ${numbered('student')}`),
    child(sql`s.import_id in ${named('import')}`),
    child(sql`s.id in (select d.student_id from data_requests d where d.id in ${numbered('data_request')})`),
    person(sql`u.id in ${numbered('user')}`),
  ]
  if (wholeSchools) {
    const schools = sql`(select a.school_id from audit a where ${mine} and a.school_id is not null
      and not a.subject_kind = any(${naming}::text[]))`
    parts.push(child(sql`s.school_id in ${schools}`), person(sql`u.school_id in ${schools}`))
  }
  const { rows } = await sql<{ action: string; lines: number }>`
    select a.action, count(*)::int as lines from audit a
    where ${mine} and not a.subject_kind = any(${naming}::text[])
    group by a.action order by lines desc, a.action limit 30`.execute(db)
  const who = await sql<{ name: string }>`
    select name from ${sql.table(actor.kind === 'office' ? 'staff' : 'users')} where id = ${actor.id}`.execute(
    db,
  )
  const [one] = who.rows
  if (!one) throw new Refusal('not_found')
  return {
    who: sql.join(parts, sql` union all `),
    what: { actor: one.name, from: from.toISOString(), until: until.toISOString(), wholeSchools },
    unknown: [],
    unnamed: rows,
  }
}

/** What a pick means; refuses at its field what can't be looked up. */
export async function meantBy(db: Db | Tx, pick: PickForm): Promise<Meant> {
  if (pick.how === 'schools') return bySchools(db, pick)
  return pick.how === 'list' ? byList(db, pick) : byActor(db, pick)
}

interface Counted {
  children: number
  people: number
  schools: number
  unreachable: number
  added: number
}

/** How many a pick finds. */
export async function countMeant(db: Db | Tx, incidentId: number, { who }: Meant): Promise<Counted> {
  const { rows } = await sql<Counted>`
    select count(f.student_id)::int as children, count(f.user_id)::int as people,
      count(distinct coalesce(st.school_id, u.school_id))::int as schools,
      count(*) filter (where coalesce(u.email, st.parent_email, '') = '')::int as unreachable,
      count(*) filter (where not exists (
        select from incident_people p where p.incident_id = ${incidentId}
          and (p.student_id = f.student_id or p.user_id = f.user_id)))::int as added
    from (select distinct student_id, user_id from (${who}) w) f
      left join students st on st.id = f.student_id left join users u on u.id = f.user_id`.execute(db)
  const counted = rows[0] ?? { children: 0, people: 0, schools: 0, unreachable: 0, added: 0 }
  if (counted.children + counted.people > mostPicked) throw new Refusal('incident.too_many')
  return counted
}

interface Sampled {
  kind: 'child' | 'person'
  name: string
  classId: number | null
  season: string | null
  school: string
}

/** Who would be picked: how many, the first of them, and what is not known of it. */
export async function previewOf(db: Db, incidentId: number, pick: PickForm): Promise<PickFound> {
  const meant = await meantBy(db, pick)
  const counted = await countMeant(db, incidentId, meant)
  const { rows } = await sql<Sampled>`
    select case when f.student_id is null then 'person' else 'child' end as kind, coalesce(st.name, u.name) as name,
      st.class_id as "classId", st.season, coalesce(o.name, '') as school
    from (select distinct student_id, user_id from (${meant.who}) w order by student_id desc nulls last, user_id limit 10) f
      left join students st on st.id = f.student_id left join users u on u.id = f.user_id
      left join schools o on o.id = coalesce(st.school_id, u.school_id)`.execute(db)
  const sample = rows.map(({ kind, name, ...at }) => ({ kind, name, place: placeOf(at) }))
  return { ...counted, unknown: meant.unknown.slice(0, 50), unnamed: meant.unnamed, sample }
}

/** Where somebody belongs, in words: class, season and school of a child, school of a person. */
export const placeOf = ({ classId, season, school }: Omit<Sampled, 'kind' | 'name'>): string =>
  [classId === null ? '' : className(classId), season ?? '', school].filter(Boolean).join(', ')
