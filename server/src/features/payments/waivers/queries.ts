import { className } from '@podium/contract/classes'
import type { ParsedQuery } from '@podium/contract/endpoint'
import { rupeesOf } from '@podium/contract/money'
import type {
  OfficeWaiver,
  officeWaivers,
  SchoolWaiver,
  WaiverLine,
  WaiverState,
} from '@podium/contract/payments/calls-waivers'
import type { Season } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import { mayDo } from '#platform/auth/policy'
import type { OfficeScope, SchoolScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { hasWords, instant, pageOf } from '#platform/db/list-queries'
import { notFound } from '#platform/errors'

const pageSize = 50

/** A waiver with its amounts in paise. */
interface Row extends Omit<WaiverLine, 'className'> {
  classId: number
}

/** SQL: gross minus the school's share: the current amount until the decision, then the decided one. */
const amount = sql.raw(
  `case when w.state = 'asked' then s.reg_amount - s.reg_retained else w.gross - w.retained end`,
)

const columns = sql`
  w.id, w.version, s.id as "studentId", s.name as "studentName", s.class_id as "classId", s.section,
  s.roll_no as "rollNo", s.subject_names as subjects, w.state, ${amount} as amount,
  nullif(w.gross - w.retained, ${amount}) as "amountAsked", w.reason, f.name as "evidenceName",
  coalesce(u.name, a.name) as "requestedBy", ${instant('w.asked_at')} as "requestedAt", w.decision,
  ${instant('w.decided_at')} as "decidedAt"`

const sources = sql.raw(`
  waivers w join students s on s.id = w.student_id join files f on f.id = w.evidence_file_id
  left join users u on u.id = w.asked_by_user left join staff a on a.id = w.asked_by_staff`)

/** SQL: whether the officer requested waiver `w`, as an officer or, by e-mail address, with a school account `u`. */
export const isRequester = ({ staffId, email }: OfficeScope) => sql<boolean>`
  coalesce(w.asked_by_staff = ${staffId} or lower(u.email) = lower(${email}), false)`

const lineOf = <T extends Row>({ classId, ...row }: T) => ({
  ...row,
  className: className(classId),
  amount: rupeesOf(row.amount),
  amountAsked: row.amountAsked === null ? null : rupeesOf(row.amountAsked),
})

/** Waivers requested by or for a school in a season, newest first. */
export async function waiversOfSchool(db: Db, scope: SchoolScope, season: Season): Promise<SchoolWaiver[]> {
  const { rows } = await sql<Row & { by: number | null }>`
    select ${columns}, w.asked_by_staff as by from ${sources} where w.school_id = ${scope.schoolId} and w.season = ${season}
    order by w.id desc`.execute(db)
  return rows.map(({ by, ...row }) => {
    const line = lineOf(row)
    const mayWithdraw = by === null || by === scope.acting?.staffId
    const withdraw = line.state !== 'asked' ? 'waivers.decided' : mayWithdraw || 'waivers.by_office'
    return { ...line, can: { withdraw } }
  })
}

interface OfficeRow extends Row {
  FYear: string
  schId: number
  schCode: string
  schName: string
  by: number | null
  isOwn: boolean
  decidedBy: string
}

/** Filters of the office's waivers. */
type WaiverFilters = Omit<ParsedQuery<typeof officeWaivers>, 'page'>

const orders: Record<Exclude<WaiverFilters['sort'], ''>, RawBuilder<unknown>> = {
  amount: sql`${amount} desc, w.id`,
  name: sql`s.name_key, w.id`,
  school: sql`o.name, o.id, s.name_key, w.id`,
}

function orderOf({ state, sort }: WaiverFilters): RawBuilder<unknown> {
  if (sort !== '') return orders[sort]
  return state === 'asked' ? sql`w.asked_at, w.id` : sql`w.decided_at desc, w.id desc`
}

function chosen({ FYear, state, search }: WaiverFilters): RawBuilder<unknown> {
  return sql`w.season = ${FYear} and w.state = ${state} and ${hasWords(search, sql`s.name_key`, sql`o.search_key`)}`
}

const offices = sql.raw('join schools o on o.id = w.school_id left join staff d on d.id = w.decided_by')

async function waiversBy(
  db: Db | Tx,
  scope: OfficeScope,
  filters: WaiverFilters,
  window: RawBuilder<unknown>,
): Promise<OfficeWaiver[]> {
  const { rows } = await sql<OfficeRow>`
    select ${columns}, w.season as "FYear", o.id as "schId", o.code as "schCode", o.name as "schName",
      w.asked_by_staff as by, ${isRequester(scope)} as "isOwn", coalesce(d.name, '') as "decidedBy"
    from ${sources} ${offices} where ${chosen(filters)}
    order by ${orderOf(filters)} ${window}`.execute(db)
  return rows.map((row): OfficeWaiver => {
    const { by, isOwn, ...line } = row
    const may = mayDo(scope.role, 'waivers.decide') || 'access.denied'
    const open = line.state === 'asked' ? may : 'waivers.decided'
    const decide = open === true && isOwn ? 'waivers.own' : open
    return { ...lineOf(line), byOffice: by !== null, can: { decide } }
  })
}

/** All matching waivers. */
export async function allWaivers(
  tx: Tx,
  scope: OfficeScope,
  filters: WaiverFilters,
): Promise<OfficeWaiver[]> {
  return waiversBy(tx, scope, filters, sql``)
}

/** One page of matching waivers, and the count for each status in the season. */
export async function waiverQueue(db: Db, scope: OfficeScope, query: WaiverFilters & { page: number }) {
  const data = await waiversBy(db, scope, query, pageOf(query.page, pageSize))
  const found = await sql<{ total: number }>`
    select count(*) as total from ${sources} ${offices} where ${chosen(query)}`.execute(db)
  const counted = await sql<{ state: WaiverState; count: number }>`
    select state, count(*) as count from waivers where season = ${query.FYear} group by state`.execute(db)
  const of = (state: WaiverState) => counted.rows.find((row) => row.state === state)?.count ?? 0
  const counts = { asked: of('asked'), approved: of('approved'), declined: of('declined') }
  return { data, total: found.rows[0]?.total ?? 0, pageSize, counts }
}

/** The evidence file of a waiver, or not_found. */
export async function evidenceOf(db: Db, _scope: OfficeScope, id: number) {
  return db
    .selectFrom('waivers')
    .select(['evidence_file_id', 'student_id', 'school_id', 'season'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow(notFound)
}
