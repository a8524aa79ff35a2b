import type { ErrorCode } from '@podium/contract/errors'
import type {
  Incident,
  IncidentMail,
  IncidentRow,
  incidentSorts,
  natures,
} from '@podium/contract/privacy/calls-incidents'
import { type RawBuilder, sql } from 'kysely'
import { mayDo } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { searchWords } from '#platform/db/search-words'
import { orNotFound } from '#platform/errors'
import { mailSender } from '#platform/foundation'
import { oneLine } from '#platform/jobs/outbox'
import { letter } from '#platform/mail/mail-templates'
import { addressOf } from './queries-people.ts'

const pageSize = 50

export interface IncidentFilters {
  state: 'open' | 'closed' | 'all'
  nature: '' | (typeof natures)[number]
  search: string
  sort: (typeof incidentSorts)[number]
}

type Row = Omit<IncidentRow, 'foundAt' | 'closedAt'> & { foundAt: Date; closedAt: Date | null }

const columns = sql`
  i.id, i.title, i.nature, i.found_at as "foundAt", i.state, o.name as "openedBy", i.closed_at as "closedAt",
  c.children, c.people, c.told`

const sources = sql`
  incidents i join staff o on o.id = i.opened_by
  cross join lateral (
    select count(p.student_id)::int as children, count(p.user_id)::int as people, count(p.told_at)::int as told
    from incident_people p where p.incident_id = i.id) c`

const orders = { newest: sql`i.found_at desc, i.id desc`, title: sql`i.search_key, i.id` }

function chosen({ state, nature, search }: IncidentFilters): RawBuilder<unknown> {
  const words = searchWords(search)
  if (search !== '' && words.length === 0) return sql`false`
  const all: RawBuilder<unknown>[] = words.map((word) => sql`i.search_key like ${`%${word}%`}`)
  if (state !== 'all') all.push(sql`i.state = ${state}`)
  if (nature !== '') all.push(sql`i.nature = ${nature}`)
  return all.length === 0 ? sql`true` : sql.join(all, sql` and `)
}

const iso = (at: Date | null) => at?.toISOString() ?? null

/** All breaches that the filters leave. */
export async function allIncidents(
  db: Db | Tx,
  _scope: OfficeScope,
  filters: IncidentFilters,
  window: RawBuilder<unknown> = sql``,
): Promise<IncidentRow[]> {
  const { rows } = await sql<Row>`
    select ${columns} from ${sources} where ${chosen(filters)} order by ${orders[filters.sort]} ${window}`.execute(
    db,
  )
  return rows.map((row) => ({ ...row, foundAt: row.foundAt.toISOString(), closedAt: iso(row.closedAt) }))
}

/** One page of them, and how many there are. */
export async function listIncidents(
  db: Db,
  scope: OfficeScope,
  { page, ...filters }: IncidentFilters & { page: number },
) {
  const offset = (Math.max(1, page) - 1) * pageSize
  const data = await allIncidents(db, scope, filters, sql`limit ${pageSize} offset ${offset}`)
  const counted = await sql<{ total: number }>`
    select count(*)::int as total from incidents i where ${chosen(filters)}`.execute(db)
  return { data, total: counted.rows[0]?.total ?? 0, pageSize }
}

type Dates = 'foundAt' | 'closedAt' | 'openedAt' | 'sentAt'
type OneRow = Omit<Incident, Dates | 'notes' | 'preview' | 'can'> & {
  foundAt: Date
  closedAt: Date | null
  openedAt: Date
  sentAt: Date | null
}

/** One breach as the office sees it. */
export async function incidentOf(db: Db, scope: OfficeScope, id: number): Promise<Incident> {
  const { rows } = await sql<OneRow>`
    select ${columns}, i.version, i.happened, i.extent, i.measures, coalesce(b.name, '') as "closedBy",
      i.opened_at as "openedAt", i.mail, coalesce(s.name, '') as "sentBy", i.sent_at as "sentAt", w.waiting, w.unreachable
    from ${sources}
      cross join lateral (
        select count(*) filter (where ${addressOf} <> '')::int as waiting, count(*) filter (where ${addressOf} = '')::int as unreachable
        from incident_people p where p.incident_id = i.id and p.told_at is null) w
      left join staff b on b.id = i.closed_by left join staff s on s.id = i.sent_by
    where i.id = ${id}`.execute(db)
  const row = orNotFound(rows[0])
  const notes = await sql<{ id: number; text: string; by: string; at: Date }>`
    select n.id, n.text, s.name as by, n.at from incident_notes n join staff s on s.id = n.staff_id
    where n.incident_id = ${id} order by n.at, n.id`.execute(db)
  return {
    ...row,
    foundAt: row.foundAt.toISOString(),
    closedAt: iso(row.closedAt),
    openedAt: row.openedAt.toISOString(),
    sentAt: iso(row.sentAt),
    notes: notes.rows.map((note) => ({ ...note, at: note.at.toISOString() })),
    preview: row.mail && (await lettersOf(db, row.mail)),
    can: allowances(scope, row),
  }
}

/** The mail as it leaves in each language. */
export async function lettersOf(db: Db | Tx, { en, hi }: IncidentMail) {
  const sender = await mailSender(db)
  return {
    en: letter(sender, 'en', oneLine(en.subject), '', en.text),
    hi: letter(sender, 'hi', oneLine(hi.subject), '', hi.text),
  }
}

/** What somebody may do with a breach now, told before a button is pressed; the commands decide. */
function allowances(
  scope: OfficeScope,
  { state, mail, sentAt, waiting, unreachable }: OneRow,
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
