import type { IncidentPerson, IncidentPick, personStandings } from '@podium/contract/incidents-people'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '#platform/database'
import type { OfficeScope } from '#platform/scope'
import { searchWords } from '../schools/queries-register.ts'
import { mailOf } from './queries.ts'
import { placeOf } from './queries-pick.ts'

const pageSize = 50

export interface PeopleFilters {
  id: number
  standing: (typeof personStandings)[number]
  search: string
}

const standings = {
  '': sql`true`,
  waiting: sql`p.told_at is null and ${mailOf} <> ''`,
  unreachable: sql`p.told_at is null and ${mailOf} = ''`,
  told: sql`p.told_at is not null`,
}

const sources = sql`
  incident_people p left join students st on st.id = p.student_id left join users u on u.id = p.user_id
  left join schools o on o.id = coalesce(st.school_id, u.school_id)`

function chosen({ id, standing, search }: PeopleFilters): RawBuilder<unknown> {
  const words = searchWords(search)
  if (search !== '' && words.length === 0) return sql`false`
  const each = words.map(
    (word) =>
      sql`and (st.name_key like ${`%${word}%`} or lower(u.name) like ${`%${word}%`} or o.search_key like ${`%${word}%`})`,
  )
  return sql`p.incident_id = ${id} and ${standings[standing]} ${sql.join(each, sql` `)}`
}

type Row = Omit<IncidentPerson, 'toldAt' | 'place' | 'delivery'> & {
  toldAt: Date | null
  classId: number | null
  season: string | null
  school: string
  mailKey: string
  delivery: string | null
}

/** One page of those affected, with how they were picked. */
export async function peopleOf(db: Db, _scope: OfficeScope, query: PeopleFilters & { page: number }) {
  const offset = (Math.max(1, query.page) - 1) * pageSize
  const { rows } = await sql<Row>`
    select p.id, case when p.student_id is null then 'person' else 'child' end as kind, coalesce(st.name, u.name) as name,
      st.class_id as "classId", st.season, coalesce(o.name, '') as school, o.id as "schId", p.student_id as "studentId",
      ${mailOf} <> '' as mail, p.told_at as "toldAt", p.told_by_way as way, p.told_note as note, p.mail_key as "mailKey",
      case when m.failed_at is not null and m.done_at is null then 'failed' when m.id is not null and m.done_at is null then 'waiting' end as delivery
    from ${sources} left join outbox m on m.key = p.mail_key and p.mail_key <> ''
    where ${chosen(query)} order by p.id limit ${pageSize} offset ${offset}`.execute(db)
  const counted = await sql<{ n: number }>`
    select count(*)::int as n from ${sources} where ${chosen(query)}`.execute(db)
  const data = rows.map(({ classId, season, school, toldAt, mailKey, delivery, ...row }) => ({
    ...row,
    place: placeOf({ classId, season, school }),
    toldAt: toldAt?.toISOString() ?? null,
    delivery: mailKey === '' ? '' : (delivery ?? 'sent'),
  }))
  return { data, total: counted.rows[0]?.n ?? 0, pageSize, picks: await picksOf(db, query.id) }
}

type PickRow = Omit<IncidentPick, 'what' | 'at'> & { what: Partial<IncidentPick['what']>; at: Date }

/** How those affected were picked, the first one first. */
export async function picksOf(db: Db | Tx, incidentId: number): Promise<IncidentPick[]> {
  const { rows } = await sql<PickRow>`
    select k.id, k.how, k.what, k.children, k.people, s.name as by, k.at
    from incident_picks k join staff s on s.id = k.staff_id where k.incident_id = ${incidentId} order by k.id`.execute(
    db,
  )
  const nothing = {
    codes: [],
    season: '',
    who: '',
    actor: '',
    from: '',
    until: '',
    wholeSchools: false,
    lines: 0,
  }
  return rows.map(({ what, at, ...row }) => ({ ...row, what: { ...nothing, ...what }, at: at.toISOString() }))
}

/** People of the office and of schools by words of their name or e-mail, at most 20. */
export async function actorsLike(db: Db, _scope: OfficeScope, search: string) {
  const words = search.toLowerCase().split(' ').filter(Boolean)
  if (words.length === 0) return []
  const has = sql.join(
    words.map((word) => sql`position(${word} in lower(w.name || ' ' || w.says)) > 0`),
    sql` and `,
  )
  const { rows } = await sql<{ kind: 'office' | 'account'; id: number; name: string; says: string }>`
    select * from (
      select 'office' as kind, f.id, f.name, f.email as says from staff f
      union all
      select 'account', u.id, u.name, u.email || coalesce(', ' || o.name, '') from users u left join schools o on o.id = u.school_id
    ) w where ${has} order by w.kind desc, w.name, w.id limit 20`.execute(db)
  return rows
}
