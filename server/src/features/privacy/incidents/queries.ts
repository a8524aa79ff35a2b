import { className } from '@podium/contract/classes'
import type { ErrorCode } from '@podium/contract/errors'
import { emailPattern } from '@podium/contract/fields'
import {
  type AffectedForm,
  type AffectedPreview,
  type Incident,
  type IncidentMail,
  type IncidentPerson,
  type IncidentRow,
  type incidentNatures,
  type incidentSorts,
  maxAtOnce,
  type personStatuses,
} from '@podium/contract/privacy/calls-incidents'
import { formatDay, isDay, istDay, istTime } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import { mayDo } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { hasWords, instant, pageOf } from '#platform/db/list-queries'
import { orNotFound, Refusal } from '#platform/errors'
import { mailSender } from '#platform/foundation'
import { toOneLine } from '#platform/jobs/outbox'
import { renderMailText } from '#platform/mail/mail-templates'

/** SQL: the e-mail address of affected person `p`, '' without one: the family's for a student, their own for school staff. */
export const addressOf = sql<string>`coalesce((
  select lower(e.email) from (
    select u.email from users u where u.id = p.user_id
    union all select st.parent_email from students st where st.id = p.student_id) e
  where lower(e.email) ~ ${emailPattern.source} and length(e.email) <= 254), '')`

/** Rows `student_id, user_id`, one of them null; duplicates are possible. */
type People = RawBuilder<unknown>

interface AffectedPeople {
  people: People
  /** For the activity log: without the names of those found */
  what: Record<string, string | number | string[]>
  unknown: string[]
}

const children = (where: RawBuilder<unknown>) =>
  sql`select s.id as student_id, null::bigint as user_id from students s where s.erased_at is null and ${where}`
const peopleOfSchools = (where: RawBuilder<unknown>) =>
  sql`select null::bigint as student_id, u.id as user_id from users u where ${where}`
const ids = (list: readonly number[]) => sql`any(${[...list]}::bigint[])`

type By<Way extends AffectedForm['by']> = Extract<AffectedForm, { by: Way }>

async function byFilter(db: Db | Tx, { codes, season, classId, who }: By<'filter'>): Promise<AffectedPeople> {
  const typed = typedBetween(/[\s,;]+/, codes.toUpperCase())
  const { rows } = await sql<{ id: number; code: string }>`
    select coalesce(m.id, o.id) as id, upper(o.code) as code from schools o left join schools m on m.id = o.merged_into
    where upper(o.code) = any(${typed}::text[])`.execute(db)
  const known = new Set(rows.map(({ code }) => code))
  const chosenPeople = sql`${typed.length === 0 ? sql`true` : sql`s.school_id = ${ids(rows.map(({ id }) => id))}`}
    and ${season === '' ? sql`true` : sql`s.season = ${season}`} and ${classId === 0 ? sql`true` : sql`s.class_id = ${classId}`}`
  const some = children(chosenPeople)
  const narrowed = season !== '' || classId !== 0
  const staff = peopleOfSchools(
    narrowed
      ? sql`u.school_id in (select s.school_id from students s where ${chosenPeople})`
      : sql`u.school_id = ${ids(rows.map(({ id }) => id))}`,
  )
  return {
    people: who === 'children' ? some : who === 'people' ? staff : sql`${some} union all ${staff}`,
    what: { codes: [...known].sort(), season, ...(classId === 0 ? {} : { classId }), who },
    unknown: typed.filter((code) => !known.has(code)),
  }
}

async function byList(db: Db | Tx, { lines }: By<'list'>): Promise<AffectedPeople> {
  const typed = typedBetween(/[\n,;]+/, lines)
  const numbers = typed.filter((line) => /^\d{1,15}$/.test(line)).map(Number)
  const words = typed.map((line) => line.toUpperCase())
  const { rows } = await sql<{ entry: string; student_id: number | null; user_id: number | null }>`
    select s.id::text as entry, s.id as student_id, null::bigint as user_id from students s
      where s.id = ${ids(numbers)} and s.erased_at is null
    union all
    select s.exam_roll_no, s.id, null from students s
      where s.exam_roll_no = any(${words}::text[]) and s.erased_at is null
    union all
    select upper(u.email), null, u.id from users u
    where u.email = any(${typed.map((line) => line.toLowerCase())}::text[])`.execute(db)
  const known = new Set(rows.map(({ entry }) => entry))
  const of = (key: 'student_id' | 'user_id') => ids(rows.flatMap((row) => row[key] ?? []))
  return {
    people: sql`${children(sql`s.id = ${of('student_id')}`)} union all ${peopleOfSchools(sql`u.id = ${of('user_id')}`)}`,
    what: { lines: typed.length },
    unknown: typed.filter((line) => !known.has(line.toUpperCase())),
  }
}

/** The people selected by a form. */
export const selectAffected = (db: Db | Tx, form: AffectedForm): Promise<AffectedPeople> =>
  form.by === 'list' ? byList(db, form) : byFilter(db, form)

/** How many people these are, and how many are new to a breach. Refuses more than `maxAtOnce`. */
export async function countAffected(db: Db | Tx, incidentId: number, people: People) {
  const { rows } = await sql<Omit<AffectedPreview, 'unknown' | 'sample'>>`
    select count(p.student_id)::int as children, count(p.user_id)::int as people,
      count(distinct coalesce(st.school_id, u.school_id))::int as schools,
      count(*) filter (where ${addressOf} = '')::int as unreachable,
      count(*) filter (where not exists (
        select from incident_people i where i.incident_id = ${incidentId}
          and (i.student_id = p.student_id or i.user_id = p.user_id)))::int as added
    from (select distinct student_id, user_id from (${people}) w) p
      left join students st on st.id = p.student_id left join users u on u.id = p.user_id`.execute(db)
  const counted = rows[0] ?? { children: 0, people: 0, schools: 0, unreachable: 0, added: 0 }
  if (counted.children + counted.people > maxAtOnce) throw new Refusal('incident.too_many')
  return counted
}

interface PersonLine {
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

/** Class, season and school of a student, or school of a staff member, as text. */
const placeOf = ({ classId, season, school }: PersonLine): string =>
  [classId === null ? '' : className(classId), season ?? '', school].filter(Boolean).join(', ')

/** A preview of who would be added: the count, the first few, and unknown values among those entered. */
export async function findAffected(db: Db, incidentId: number, form: AffectedForm): Promise<AffectedPreview> {
  const { people, unknown } = await selectAffected(db, form)
  const counted = await countAffected(db, incidentId, people)
  const { rows } = await sql<PersonLine>`
    select ${shown} from (
      select distinct student_id, user_id from (${people}) w order by student_id desc nulls last, user_id limit 10) p ${joined}`.execute(
    db,
  )
  const sample = rows.map((row) => ({ kind: row.kind, name: row.name, place: placeOf(row) }))
  return { ...counted, unknown: unknown.slice(0, 50), sample }
}

interface PeopleFilters {
  id: number
  status: (typeof personStatuses)[number]
  search: string
}

const statusConditions = {
  '': sql`true`,
  waiting: sql`p.notified_at is null and ${addressOf} <> ''`,
  unreachable: sql`p.notified_at is null and ${addressOf} = ''`,
  notified: sql`p.notified_at is not null`,
}

function chosenPeople({ id, status, search }: PeopleFilters): RawBuilder<unknown> {
  const has = hasWords(search, sql`st.name_key`, sql`lower(u.name)`, sql`o.search_key`)
  return sql`p.incident_id = ${id} and ${statusConditions[status]} and ${has}`
}

/** One page of affected people, with the status of their e-mail. */
export async function peopleOf(db: Db, _scope: OfficeScope, query: PeopleFilters & { page: number }) {
  const { rows } = await sql<PersonLine & Omit<IncidentPerson, 'place'>>`
    select p.id, ${shown}, p.student_id as "studentId", ${addressOf} <> '' as mail, ${instant('p.notified_at')} as "notifiedAt",
      p.notified_via as via, p.notified_note as note,
      case when p.mail_key = '' then '' when m.id is null or m.done_at is not null then 'sent'
        when m.failed_at is not null then 'failed' else 'waiting' end as delivery
    from incident_people p ${joined} left join outbox m on m.key = p.mail_key and p.mail_key <> ''
    where ${chosenPeople(query)} order by p.id ${pageOf(query.page, pageSize)}`.execute(db)
  const counted = await sql<{ n: number }>`
    select count(*)::int as n from incident_people p ${joined} where ${chosenPeople(query)}`.execute(db)
  const data = rows.map((row) => ({ ...row, place: placeOf(row) }))
  return { data, total: counted.rows[0]?.n ?? 0, pageSize }
}

/** An instant as `21-Nov-2026 02:30 PM` in IST. */
export const momentText = (instant: string | Date): string => {
  const at = new Date(instant)
  return `${formatDay(istDay(at))} ${istTime(at)}`
}

/** The instant of a day and time in IST; an invalid date if there is no such day. */
export const momentOf = (day: string, time: string): Date =>
  new Date(isDay(day) ? `${day}T${time}:00+05:30` : Number.NaN)

/** Splits the text at these separators, without duplicates. */
const typedBetween = (signs: RegExp, typed: string): string[] => [
  ...new Set(
    typed
      .split(signs)
      .map((item) => item.trim())
      .filter(Boolean),
  ),
]

const pageSize = 50

interface IncidentFilters {
  state: 'open' | 'closed' | 'all'
  nature: '' | (typeof incidentNatures)[number]
  search: string
  sort: (typeof incidentSorts)[number]
}

const columns = sql`
  i.id, i.title, i.nature, ${instant('i.found_at')} as "foundAt", i.state, o.name as "openedBy",
  ${instant('i.closed_at')} as "closedAt", c.children, c.people, c.notified`

const sources = sql`
  incidents i join staff o on o.id = i.opened_by
  cross join lateral (
    select count(p.student_id)::int as children, count(p.user_id)::int as people, count(p.notified_at)::int as notified
    from incident_people p where p.incident_id = i.id) c`

const orders = { newest: sql`i.found_at desc, i.id desc`, title: sql`i.search_key, i.id` }

function chosen({ state, nature, search }: IncidentFilters): RawBuilder<unknown> {
  const all = [hasWords(search, sql`i.search_key`)]
  if (state !== 'all') all.push(sql`i.state = ${state}`)
  if (nature !== '') all.push(sql`i.nature = ${nature}`)
  return sql.join(all, sql` and `)
}

/** All breaches that match the filters. */
export async function allIncidents(
  db: Db | Tx,
  _scope: OfficeScope,
  filters: IncidentFilters,
  window: RawBuilder<unknown> = sql``,
): Promise<IncidentRow[]> {
  const { rows } = await sql<IncidentRow>`
    select ${columns} from ${sources} where ${chosen(filters)}
    order by ${orders[filters.sort]} ${window}`.execute(db)
  return rows
}

/** One page of breaches, and the total. */
export async function listIncidents(
  db: Db,
  scope: OfficeScope,
  { page, ...filters }: IncidentFilters & { page: number },
) {
  const data = await allIncidents(db, scope, filters, pageOf(page, pageSize))
  const counted = await sql<{ total: number }>`
    select count(*)::int as total from incidents i where ${chosen(filters)}`.execute(db)
  return { data, total: counted.rows[0]?.total ?? 0, pageSize }
}

type IncidentDetail = Omit<Incident, 'notes' | 'preview' | 'can'>

/** One breach as the office sees it. */
export async function incidentOf(db: Db, scope: OfficeScope, id: number): Promise<Incident> {
  const { rows } = await sql<IncidentDetail>`
    select ${columns}, i.version, i.happened, i.extent, i.measures, coalesce(b.name, '') as "closedBy",
      ${instant('i.opened_at')} as "openedAt", i.mail, coalesce(s.name, '') as "sentBy", ${instant('i.sent_at')} as "sentAt",
      w.waiting, w.unreachable
    from ${sources}
      cross join lateral (
        select count(*) filter (where ${addressOf} <> '')::int as waiting, count(*) filter (where ${addressOf} = '')::int as unreachable
        from incident_people p where p.incident_id = i.id and p.notified_at is null) w
      left join staff b on b.id = i.closed_by left join staff s on s.id = i.sent_by
    where i.id = ${id}`.execute(db)
  const row = orNotFound(rows[0])
  const notes = await sql<Incident['notes'][number]>`
    select n.id, n.text, s.name as by, ${instant('n.at')} as at from incident_notes n join staff s on s.id = n.staff_id
    where n.incident_id = ${id} order by n.at, n.id`.execute(db)
  return {
    ...row,
    notes: notes.rows,
    preview: row.mail && (await lettersOf(db, row.mail)),
    can: allowances(scope, row),
  }
}

/** The e-mail as sent in each language. */
export async function lettersOf(db: Db | Tx, { en, hi }: IncidentMail) {
  const sender = await mailSender(db)
  return {
    en: renderMailText(sender, 'en', '', { subject: toOneLine(en.subject), body: en.text }, {}),
    hi: renderMailText(sender, 'hi', '', { subject: toOneLine(hi.subject), body: hi.text }, {}),
  }
}

/** What a user may do with a breach now, for showing buttons; the commands decide. */
function allowances(
  scope: OfficeScope,
  { state, mail, sentAt, waiting, unreachable }: IncidentDetail,
): Incident['can'] {
  type May = true | ErrorCode
  const refused = (no: boolean, code: ErrorCode): May => (no ? code : true)
  const first = (...reasons: May[]): May => reasons.find((reason) => reason !== true) ?? true
  const write = refused(!mayDo(scope.role, 'incidents.write'), 'access.denied')
  const decide = refused(!mayDo(scope.role, 'incidents.decide'), 'access.denied')
  const open = refused(state !== 'open', 'incident.closed')
  const written = refused(mail === null, 'incident.mail_missing')
  return {
    change: first(write, open),
    write: first(write, open, refused(sentAt !== null, 'incident.sent')),
    send: first(decide, open, written, refused(waiting === 0, 'incident.nobody_to_tell')),
    close: first(decide, open, refused(waiting + unreachable > 0, 'incident.people_waiting')),
    reopen: first(decide, refused(state === 'open', 'incident.open')),
  }
}
