import type { AnswerOf } from '@podium/contract/endpoint'
import { rupeesOf } from '@podium/contract/money'
import { paymentForOf } from '@podium/contract/payments/rules'
import type {
  officeSchoolYears,
  SchoolContact,
  SchoolPerson,
  SchoolRecord,
} from '@podium/contract/schools/calls-record'
import type { Season } from '@podium/contract/season'
import { sql } from 'kysely'
import { visibleSet } from '#features/results/queries'
import { listsOfSchool } from '#features/students/sign-off/queries'
import { mayDo } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
import { instant } from '#platform/db/list-queries'
import { orNotFound } from '#platform/errors'
import { bounceOf } from '#platform/mail/bounces'
import { owed } from './queries.ts'

interface YearLine {
  season: string
  students: number
  subjects: number
  gross: number
  retained: number
  received: number
  pending: number
  due: number
}

/** By season, newest first: entries, amount charged, and amount received, in paise. */
async function yearLines(db: Db, id: number): Promise<YearLine[]> {
  const { rows } = await sql<YearLine>`
    with st as (
      select season, count(*) as students, sum(reg_amount + book_amount) as gross,
        sum(reg_retained + book_retained) as retained
      from students where school_id = ${id} and active group by season),
    sub as (
      select s.season, count(distinct e.event_id) as subjects
      from students s join enrolments e on e.student_id = s.id
      where s.school_id = ${id} and s.active group by s.season),
    lib as (
      select season, sum(quantity * price) as gross, sum(quantity * retained) as retained
      from library_lines where school_id = ${id} and active group by season),
    pay as (
      select season, coalesce(sum(payable) filter (where state = 'verified'), 0) as received,
        coalesce(sum(payable) filter (where state = 'pending'), 0) as pending
      from payments where school_id = ${id} group by season)
    select y.season, coalesce(st.students, 0) as students, coalesce(sub.subjects, 0) as subjects,
      coalesce(st.gross, 0) + coalesce(lib.gross, 0) as gross,
      coalesce(st.retained, 0) + coalesce(lib.retained, 0) as retained,
      coalesce(pay.received, 0) as received, coalesce(pay.pending, 0) as pending, ${owed(sql`y.season`)} as due
    from (select season from st union select season from lib union select season from pay) y
    join schools o on o.id = ${id}
    left join st on st.season = y.season left join sub on sub.season = y.season
    left join lib on lib.season = y.season left join pay on pay.season = y.season
    order by y.season desc`.execute(db)
  return rows
}

function moneyOf({ season, students, subjects, gross, retained, received, pending, due }: YearLine) {
  return {
    FYear: season,
    students,
    subjects,
    gross: rupeesOf(gross),
    retained: rupeesOf(retained),
    payable: rupeesOf(gross - retained),
    received: rupeesOf(received),
    pending: rupeesOf(pending),
    due: rupeesOf(due),
  }
}

type YearLists = AnswerOf<typeof officeSchoolYears>

async function newestPayments(db: Db, id: number) {
  const { rows } = await sql<
    Omit<NonNullable<YearLists['payments']>[number], 'paymentFor'> & { purpose: string }
  >`
    select id, season as "FYear", purpose, payable as "payableAmount", state, coalesce(receipt_no, '') as "receiptNo",
      ${instant('submitted_at')} as "creationDate" from payments
    where school_id = ${id} order by id desc limit 20`.execute(db)
  return rows.map(({ purpose, ...row }) => ({
    ...row,
    paymentFor: paymentForOf(purpose),
    payableAmount: rupeesOf(row.payableAmount),
  }))
}

async function newestPackets(db: Db, id: number) {
  const { rows } = await sql<YearLists['packets'][number]>`
    select p.id as "packetId", p.season as "FYear", p.contents, p.courier_name as "courierName",
      p.consignment_no as "consignmentNo", ${instant('p.created_at')} as "creationDate",
      coalesce((select t.status from packet_track t where t.packet_id = p.id order by t.at desc, t.id desc limit 1),
        'Packed') as "orderStatus"
    from packets p where p.school_id = ${id} order by p.created_at desc, p.id desc limit 20`.execute(db)
  return rows
}

/** The status of the school's results by event: withheld, released, or neither. */
async function resultsOf(db: Db, now: Date, id: number, season: Season) {
  const { rows } = await sql<
    Omit<NonNullable<YearLists['results']>[number], 'state'> & { out: boolean; withheld: boolean }
  >`
    select e.id as "eventYearId", s.name as "subjectName", e.level as "examLevel", c.students, v.id is not null as out,
      h.event_id is not null as withheld, coalesce(h.reason, '') as reason
    from (
      select n.event_id, count(*) as students from students t join enrolments n on n.student_id = t.id
      where t.school_id = ${id} and t.season = ${season} and t.active group by n.event_id) c
    join events e on e.id = c.event_id join subjects s on s.letter = e.letter
    left join lateral ${visibleSet(sql`e.id`, now)} v on true
    left join result_holds h on h.event_id = e.id and h.school_id = ${id}
    order by e.level, s.position`.execute(db)
  return rows.map(({ out, withheld, ...row }) => ({
    ...row,
    state: withheld ? ('withheld' as const) : out ? ('released' as const) : ('none' as const),
  }))
}

/** A school's history by season. Null for what the role may not read. */
export async function schoolYears(db: Db, scope: OfficeScope, now: Date, id: number, season: Season) {
  const money = mayDo(scope.role, 'payments.read')
  const lines = await yearLines(db, id)
  return {
    seasons: lines.map(({ season: FYear, students, subjects }) => ({ FYear, students, subjects })),
    money: money ? lines.map(moneyOf) : null,
    payments: money ? await newestPayments(db, id) : null,
    packets: await newestPackets(db, id),
    lists: await listsOfSchool(db, id, season),
    results: mayDo(scope.role, 'results.read') ? await resultsOf(db, now, id, season) : null,
  }
}

/** The record of any school, or not_found. */
export async function schoolRecord(db: Db, _scope: OfficeScope, id: number): Promise<SchoolRecord> {
  const { rows } = await sql<Omit<SchoolRecord, 'mergedInto' | 'merged'>>`
    select id, version, code as "schCode", name as "schName", address as "schAddress", city, district, state, zone,
      country, pin_code as "pinCode", phone as mobile, udise_code as "udiseCode", affiliation_no as "affiliationNo",
      email as "schEmail", ${bounceOf('schools.email')} as bounced, group_id as "schGroupId", landline as "landLineNo", fax as "schFaxNo",
      website as "schWebSite", whatsapp as "whatsAppNo", ${instant('created_at')} as "createdAt", active,
      inactive_reason as "inactiveReason", ${instant('inactive_since')} as "inactiveSince"
    from schools where id = ${id}`.execute(db)
  return { ...orNotFound(rows[0]), ...(await mergesOf(db, id)) }
}

/** The school it was merged into, and those merged into it. */
async function mergesOf(db: Db, id: number): Promise<Pick<SchoolRecord, 'mergedInto' | 'merged'>> {
  const { rows } = await sql<{ id: number; schCode: string; schName: string; at: string; came: boolean }>`
    select o.id, o.code as "schCode", o.name as "schName", ${instant('o.merged_at')} as at, true as came
    from schools o where o.merged_into = ${id}
    union all
    select t.id, t.code, t.name, ${instant('o.merged_at')}, false from schools o join schools t on t.id = o.merged_into
    where o.id = ${id}
    order by at desc`.execute(db)
  const of = (wanted: boolean) =>
    rows.filter(({ came }) => came === wanted).map(({ came: _, ...school }) => school)
  return { mergedInto: of(false)[0] ?? null, merged: of(true) }
}

/** The users of a school, active or not, coordinator first. */
export async function schoolPeople(db: Db, _scope: OfficeScope, id: number): Promise<SchoolPerson[]> {
  const { rows } = await sql<SchoolPerson>`
    select u.id, u.version, u.name, u.email, ${bounceOf('u.email')} as bounced, u.mobile, u.designation, u.coordinator,
      u.disabled_at is not null as disabled,
      ${instant(sql`greatest(u.last_sign_in_at, (
        select max(s.last_seen_at) from sessions s
        where s.user_id = u.id and s.ended_at is null and s.acting_session_id is null))`)} as "lastSeen"
    from users u where u.school_id = ${id}
    order by u.coordinator desc, u.disabled_at is not null, u.name, u.id`.execute(db)
  return rows
}

/** The school's contacts of a season, preceded by those of any season that wait for confirmation. */
export async function schoolContacts(
  db: Db,
  _scope: OfficeScope,
  id: number,
  season: Season,
): Promise<SchoolContact[]> {
  const { rows } = await sql<SchoolContact>`
    select c.id, c.version, c.season as fyear, d.name as designation, t.name as title, c.name, c.email,
      ${bounceOf('c.email')} as bounced, c.alt_email as "altEmail", c.mobile, c.alt_mobile as altmobile, c.active,
      c.confirmed_at is not null as confirmed
    from contacts c join designations d on d.id = c.designation_id join titles t on t.id = c.title_id
    where c.school_id = ${id} and (c.season = ${season} or c.confirmed_at is null and c.active)
    order by c.confirmed_at is not null or not c.active, not c.active, d.position, c.id`.execute(db)
  return rows
}

/** The school's active link; undefined if there is none. */
export async function currentLink(db: Db, _scope: OfficeScope, id: number) {
  const row = await db
    .selectFrom('school_links')
    .select(['id', 'created_at', 'access_code_sealed'])
    .where('school_id', '=', id)
    .where('revoked_at', 'is', null)
    .orderBy(sql`came_from is not null`)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return (
    row && { id: row.id, createdAt: row.created_at.toISOString(), readable: row.access_code_sealed !== '' }
  )
}
