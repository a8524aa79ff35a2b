import type { Incident, IncidentRow, IncidentWords, incidentSorts, natures } from '@podium/contract/incidents'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '#platform/database'
import { found } from '#platform/errors'
import { readJob } from '#platform/jobs'
import type { OfficeScope } from '#platform/scope'
import { searchWords } from '../schools/queries-register.ts'
import { allowances } from './queries-can.ts'
import { clocksOf, type KeptReport, wordFields } from './rules.ts'

const pageSize = 50

export interface IncidentFilters {
  state: 'open' | 'closed' | 'all'
  nature: '' | (typeof natures)[number]
  search: string
  sort: (typeof incidentSorts)[number]
}

interface Row {
  id: number
  title: string
  drill: boolean
  nature: (typeof natures)[number]
  foundAt: Date
  state: 'open' | 'closed'
  children: number
  people: number
  told: number
  openedBy: string
  closedAt: Date | null
  reports: (Omit<KeptReport, 'at'> & { at: string })[]
}

const columns = sql`
  i.id, i.title, i.drill, i.nature, i.found_at as "foundAt", i.state, o.name as "openedBy", i.closed_at as "closedAt",
  c.children, c.people, c.told, coalesce(r.reports, '[]') as reports`

const sources = sql`
  incidents i join staff o on o.id = i.opened_by
  cross join lateral (
    select count(p.student_id)::int as children, count(p.user_id)::int as people,
      count(p.told_at)::int as told
    from incident_people p where p.incident_id = i.id) c
  cross join lateral (
    select jsonb_agg(jsonb_build_object('clock', n.clock, 'outcome', n.outcome, 'at', n.at, 'note', n.note, 'by', s.name)) as reports
    from incident_reports n join staff s on s.id = n.staff_id where n.incident_id = i.id) r`

/** The end of the next clock that nobody has stopped: what is due first. */
const nextDue = sql`(
  select min(i.found_at + h.hours) from (values ('cert', interval '6 hours'), ('board', interval '72 hours')) h (clock, hours)
  where i.state = 'open' and not exists (
    select from incident_reports n where n.incident_id = i.id and n.clock = h.clock))`

const orders = {
  newest: sql`i.found_at desc, i.id desc`,
  due: sql`${nextDue} nulls last, i.found_at desc, i.id desc`,
  title: sql`i.search_key, i.id`,
}

function chosen({ state, nature, search }: IncidentFilters): RawBuilder<unknown> {
  const words = searchWords(search)
  if (search !== '' && words.length === 0) return sql`false`
  const all: RawBuilder<unknown>[] = words.map((word) => sql`i.search_key like ${`%${word}%`}`)
  if (state !== 'all') all.push(sql`i.state = ${state}`)
  if (nature !== '') all.push(sql`i.nature = ${nature}`)
  return all.length === 0 ? sql`true` : sql.join(all, sql` and `)
}

const reportsOf = ({ reports }: Row): KeptReport[] =>
  reports.map((report) => ({ ...report, at: new Date(report.at) }))

function rowOf(row: Row, now: Date): IncidentRow {
  const { foundAt, closedAt, reports: _, ...rest } = row
  return {
    ...rest,
    foundAt: foundAt.toISOString(),
    closedAt: closedAt?.toISOString() ?? null,
    clocks: clocksOf(foundAt, reportsOf(row), now),
  }
}

/** All breaches that the filters leave. */
export async function allIncidents(
  db: Db | Tx,
  _scope: OfficeScope,
  now: Date,
  filters: IncidentFilters,
  window: RawBuilder<unknown> = sql``,
): Promise<IncidentRow[]> {
  const { rows } = await sql<Row>`
    select ${columns} from ${sources} where ${chosen(filters)} order by ${orders[filters.sort]} ${window}`.execute(
    db,
  )
  return rows.map((row) => rowOf(row, now))
}

/** One page of them, how many there are, and how many of all have a clock that has run out. */
export async function listIncidents(
  db: Db,
  scope: OfficeScope,
  now: Date,
  { page, ...filters }: IncidentFilters & { page: number },
) {
  const offset = (Math.max(1, page) - 1) * pageSize
  const data = await allIncidents(db, scope, now, filters, sql`limit ${pageSize} offset ${offset}`)
  const counted = await sql<{ total: number; late: number }>`
    select (select count(*)::int from incidents i where ${chosen(filters)}) as total,
      (select count(*)::int from incidents i where ${nextDue} < ${now}) as late`.execute(db)
  return { data, total: 0, late: 0, ...counted.rows[0], pageSize }
}

interface OneRow extends Row {
  version: number
  beganAt: Date | null
  happened: string
  extent: string
  consequences: string
  measures: string
  safety: string
  contact: string
  conclusion: string
  closedBy: string
  openedAt: Date
  words: { en?: Partial<IncidentWords>; hi?: Partial<IncidentWords> }
  schools: number
  waiting: number
  unreachable: number
  askedById: number | null
  askedBy: string
  askedAt: Date | null
  approvedBy: string
  approvedAt: Date | null
  jobId: string | null
  tooNew: boolean
}

/** Whether a person `p` of those affected can be told by mail: `st` a child, `u` somebody of a school. */
export const mailOf = sql`coalesce(u.email, st.parent_email, '')`

async function rowOfOne(db: Db | Tx, scope: OfficeScope, id: number): Promise<OneRow> {
  const { rows } = await sql<OneRow>`
    select ${columns}, i.version, i.began_at as "beganAt", i.happened, i.extent, i.consequences, i.measures, i.safety,
      i.contact, i.conclusion, coalesce(b.name, '') as "closedBy", i.opened_at as "openedAt", i.words, w.*,
      i.send_asked_by as "askedById", coalesce(a.name, '') as "askedBy", i.send_asked_at as "askedAt",
      coalesce(v.name, '') as "approvedBy", i.send_approved_at as "approvedAt", i.job_id as "jobId",
      exists (select from staff me where me.id = ${scope.staffId} and me.created_at > i.send_asked_at) as "tooNew"
    from ${sources}
      cross join lateral (
        select count(distinct coalesce(st.school_id, u.school_id))::int as schools,
          count(*) filter (where p.told_at is null and ${mailOf} <> '')::int as waiting,
          count(*) filter (where p.told_at is null and ${mailOf} = '')::int as unreachable
        from incident_people p left join students st on st.id = p.student_id left join users u on u.id = p.user_id
        where p.incident_id = i.id) w
      left join staff b on b.id = i.closed_by left join staff a on a.id = i.send_asked_by
      left join staff v on v.id = i.send_approved_by
    where i.id = ${id}`.execute(db)
  return found(rows[0])
}

const wordsOf = (words: Partial<IncidentWords> | undefined): IncidentWords =>
  Object.fromEntries(wordFields.map((field) => [field, words?.[field] ?? ''])) as IncidentWords

/** One breach as the office sees it. */
export async function incidentOf(db: Db, scope: OfficeScope, now: Date, id: number): Promise<Incident> {
  const row = await rowOfOne(db, scope, id)
  const job = row.jobId === null ? undefined : await readJob(db, row.jobId)
  const sending =
    job?.state === 'waiting' || job?.state === 'running'
      ? 'running'
      : row.askedById !== null
        ? 'asked'
        : job?.state === 'failed' || job?.state === 'cancelled'
          ? 'failed'
          : job
            ? 'done'
            : ''
  const iso = (at: Date | null) => at?.toISOString() ?? null
  const base = rowOf(row, now)
  const { version, happened, extent, consequences, measures, safety, contact, conclusion, closedBy } = row
  const counts = {
    children: row.children,
    people: row.people,
    schools: row.schools,
    told: row.told,
    waiting: row.waiting,
    unreachable: row.unreachable,
  }
  return {
    id: row.id,
    title: row.title,
    drill: row.drill,
    nature: row.nature,
    foundAt: base.foundAt,
    state: row.state,
    children: row.children,
    people: row.people,
    told: row.told,
    clocks: base.clocks,
    openedBy: row.openedBy,
    closedAt: base.closedAt,
    version,
    beganAt: iso(row.beganAt),
    happened,
    extent,
    consequences,
    measures,
    safety,
    contact,
    conclusion,
    closedBy,
    openedAt: row.openedAt.toISOString(),
    counts,
    words: { en: wordsOf(row.words.en), hi: wordsOf(row.words.hi) },
    sending: {
      state: sending,
      askedBy: row.askedBy,
      askedAt: iso(row.askedAt),
      approvedBy: row.approvedBy,
      approvedAt: iso(row.approvedAt),
      done: job?.done ?? 0,
      total: job?.total ?? 0,
    },
    can: allowances(scope, {
      open: row.state === 'open',
      sending,
      askedById: row.askedById,
      tooNew: row.tooNew,
      words: row.words,
      clocks: base.clocks,
      ...counts,
    }),
  }
}
