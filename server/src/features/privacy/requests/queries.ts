import { className } from '@podium/contract/classes'
import type { ParsedQuery } from '@podium/contract/endpoint'
import { type ErrorCode, sentenceOf } from '@podium/contract/errors'
import type { DataRequest, dataRequests, FamilyPrivacyChild } from '@podium/contract/privacy/calls'
import { istDay } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import { mayDo } from '#platform/auth/policy'
import type { FamilyScope, OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { hasWords, instant, pageOf } from '#platform/db/list-queries'
import { fileIsOver, refusalToCarryOut } from './rules.ts'

const pageSize = 50
const maxCounted = 10_000

const stateConditions = {
  open: sql`r.state in ('asked', 'checked', 'working')`,
  over: sql`r.state in ('done', 'declined', 'withdrawn')`,
  all: sql`true`,
}

type RequestQuery = Omit<ParsedQuery<typeof dataRequests>, 'page'>

interface Row extends Omit<DataRequest, 'place' | 'late' | 'can'> {
  doneAt: Date | null
  tooNew: boolean
  checkedById: number | null
  classId: number
  section: string
  season: string
  erased: boolean
}

function conditionOf({ state, kind, student, search }: RequestQuery): RawBuilder<unknown> {
  const known = sql`case when st.erased_at is null then st.name_key end`
  const all = [stateConditions[state], hasWords(search, known, sql`o.search_key`)]
  if (kind !== '') all.push(sql`r.kind = ${kind}`)
  if (student !== undefined) all.push(sql`r.student_id = ${student}`)
  return sql.join(all, sql` and `)
}

async function requestsBy(
  db: Db | Tx,
  scope: OfficeScope,
  now: Date,
  query: RequestQuery,
  window: RawBuilder<unknown>,
): Promise<DataRequest[]> {
  const { rows } = await sql<Row>`
    select r.id, r.kind, r.student_id as "studentId", st.name as "studentName", st.class_id as "classId", st.section, st.season,
      st.erased_at is not null as erased, r.school_id as "schoolId", o.name as "schName", r.asked_through as "requestedThrough",
      ${instant('r.asked_at')} as "requestedAt", r.due_on::text as "dueOn", r.message, r.contact, r.state, r.check_method as "checkMethod",
      r.check_note as "checkNote", coalesce(c.name, '') as "checkedBy", r.checked_by as "checkedById", ${instant('r.checked_at')} as "checkedAt",
      r.decision, coalesce(d.name, '') as "decidedBy", ${instant('r.decided_at')} as "decidedAt", r.done_at as "doneAt", r.outcome, r.version,
      cardinality(r.records) as records,
      exists (select from staff me where me.id = ${scope.staffId} and me.created_at > r.checked_at) as "tooNew"
    from data_requests r join students st on st.id = r.student_id join schools o on o.id = r.school_id
      left join staff c on c.id = r.checked_by left join staff d on d.id = r.decided_by
    where ${conditionOf(query)}
    order by r.state in ('asked', 'checked', 'working') desc, r.due_on, r.id ${window}`.execute(db)
  return rows.map((row) => shownRow(scope, now, row))
}

/** All requests that match the filters, in the order of the list, for export. */
export const requestsForFile = (tx: Tx, scope: OfficeScope, now: Date, query: RequestQuery) =>
  requestsBy(tx, scope, now, query, sql`limit ${maxCounted}`)

/** One page of requests, by due date. */
export async function listRequests(
  db: Db,
  scope: OfficeScope,
  now: Date,
  query: RequestQuery & { page: number },
) {
  const page = Math.min(query.page, maxCounted / pageSize)
  const data = await requestsBy(db, scope, now, query, pageOf(page, pageSize))
  const counted = await sql<{ n: number; late: number }>`
    select count(*) as n, count(*) filter (where r.due_on < ${istDay(now)} and r.state in ('asked', 'checked', 'working')) as late
    from (
      select r.* from data_requests r join students st on st.id = r.student_id join schools o on o.id = r.school_id
      where ${conditionOf(query)} limit ${maxCounted}) r`.execute(db)
  const { n = 0, late = 0 } = counted.rows[0] ?? {}
  return { data, total: n, pageSize, late }
}

function shownRow(scope: OfficeScope, now: Date, row: Row): DataRequest {
  const { doneAt, checkedById, tooNew, classId, section, season, erased, ...plain } = row
  const open = row.state === 'asked' || row.state === 'checked'
  const place = `${className(classId)}${section === '-' ? '' : ` ${section}`}, ${season}`
  const allow = (refusal: ErrorCode | undefined): true | string => {
    if (!mayDo(scope.role, 'privacy.write')) return sentenceOf('access.denied')
    return refusal === undefined ? true : sentenceOf(refusal)
  }
  const newcomer = row.kind === 'erase' && tooNew ? 'second.too_new' : undefined
  const carryOut = refusalToCarryOut({ ...row, checkedBy: checkedById }, scope.staffId) ?? newcomer
  const granted = row.kind === 'export' && row.state === 'done'
  return {
    ...plain,
    // Free text can identify parents and how to reach them.
    ...(mayDo(scope.role, 'students.contact') ? {} : { message: '', contact: '', checkNote: '' }),
    studentName: erased ? '' : row.studentName,
    place,
    late: open && row.dueOn < istDay(now),
    can: {
      check: allow(row.state === 'asked' ? undefined : 'privacy.decided'),
      carryOut: allow(carryOut),
      decline: allow(open ? undefined : 'privacy.decided'),
      file: allow(granted && !fileIsOver(now, doneAt) && !erased ? undefined : 'privacy.file_over'),
    },
  }
}

interface GrantedRequest {
  id: number
  studentId: number
  studentName: string
  schoolId: number
  doneAt: Date | null
  records: number[]
}

/** A granted request for a child's data: of the caller's family or, for the office, of any child. */
export async function grantedRequest(
  db: Db,
  scope: OfficeScope | FamilyScope,
  id: number,
): Promise<GrantedRequest | undefined> {
  const isAllowed =
    scope.kind === 'office'
      ? sql`true`
      : sql`st.family_link_id = ${scope.linkId} and st.school_id = ${scope.schoolId}`
  const { rows } = await sql<GrantedRequest>`
    select r.id, r.student_id as "studentId", st.name as "studentName", r.school_id as "schoolId", r.done_at as "doneAt", r.records
    from data_requests r join students st on st.id = r.student_id
    where r.id = ${id} and r.kind = 'export' and r.state = 'done' and st.erased_at is null
    and ${isAllowed}`.execute(db)
  return rows[0]
}

/** The children of a family link, with consent and requests about their data. */
export async function privacyOfFamily(db: Db, scope: FamilyScope, now: Date): Promise<FamilyPrivacyChild[]> {
  const { rows } = await sql<Omit<FamilyPrivacyChild, 'requests'>>`
    select st.id as "individualRegId", st.name as "studentName", coalesce(c.state, '') as consent,
      ${instant('c.at')} as "consentAt"
    from students st left join lateral (
      select state, at from consents c where c.student_id = st.id order by c.id desc limit 1) c on true
    where st.family_link_id = ${scope.linkId} and st.school_id = ${scope.schoolId} and st.active
    order by st.class_id, st.name, st.id`.execute(db)
  const ids = rows.map((child) => child.individualRegId)
  const requests = await sql<
    Omit<FamilyPrivacyChild['requests'][number], 'ready'> & { studentId: number; doneAt: Date | null }
  >`
    select id, student_id as "studentId", kind, ${instant('asked_at')} as "requestedAt", due_on::text as "dueOn", state, decision, done_at as "doneAt"
    from data_requests where student_id = any(${ids}::bigint[]) order by id desc limit 100`.execute(db)
  return rows.map((child) => ({
    ...child,
    requests: requests.rows
      .filter(({ studentId }) => studentId === child.individualRegId)
      .map(({ studentId: _, doneAt, ...request }) => ({
        ...request,
        ready: request.kind === 'export' && request.state === 'done' && !fileIsOver(now, doneAt),
      })),
  }))
}
