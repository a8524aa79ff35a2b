import type { ParsedQuery } from '@podium/contract/endpoint'
import { foldName } from '@podium/contract/names'
import type { Application, LikelySchool, listApplications } from '@podium/contract/schools/calls-applications'
import { sql } from 'kysely'
import { assigneeOf, isAssigned } from '#features/staff/queries'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { notFound } from '#platform/errors'
import { commonFacts, likelihood } from '../rules.ts'

const pageSize = 50

function applicationRows(db: Db | Tx) {
  return db
    .selectFrom('applications as a')
    .innerJoin('users as u', 'u.id', 'a.user_id')
    .leftJoin('staff as f', 'f.id', 'a.asked_by')
    .select(['a.id', 'a.version', 'a.school_name as schName', 'a.address', 'a.city', 'a.district', 'a.state'])
    .select(['a.country', 'a.pin_code as pinCode', 'a.phone', 'a.udise_code as udiseCode'])
    .select(['a.affiliation_no as affiliationNo', 'a.state_of_review as reviewState', 'a.reason'])
    .select(['a.submitted_at', 'a.decided_at', 'a.question', 'a.asked_at', 'a.answer', 'a.answered_at'])
    .select(['f.name as askedBy', 'u.name as applicantName', 'u.email as applicantEmail'])
    .select(['u.mobile as applicantMobile', 'u.designation as applicantDesignation'])
    .select(assigneeOf('application', 'a.id').as('assignee'))
}

type Row = Awaited<ReturnType<ReturnType<typeof applicationRows>['executeTakeFirstOrThrow']>>

function toApplication(found: Row): Application {
  const { submitted_at, decided_at, asked_at, answered_at, askedBy, reviewState, ...row } = found
  return {
    ...row,
    reviewState: reviewState as Application['reviewState'],
    submittedAt: submitted_at.toISOString(),
    decidedAt: decided_at?.toISOString() ?? null,
    askedAt: asked_at?.toISOString() ?? null,
    askedBy: askedBy ?? '',
    answeredAt: answered_at?.toISOString() ?? null,
  }
}

type ApplicationQuery = Omit<ParsedQuery<typeof listApplications>, 'page'>

const isOpen = (state: ApplicationQuery['state']) => state === 'submitted' || state === 'asked'

/** The applications that match a search, with any status. */
function foundApplications(db: Db | Tx, scope: OfficeScope, wanted: Omit<ApplicationQuery, 'state'>) {
  const like = `%${foldName(wanted.search)}%`
  return applicationRows(db)
    .where(isAssigned(scope, 'application', 'a.id', wanted.assigned))
    .$if(wanted.search !== '', (query) =>
      query.where(({ or, eb }) =>
        or([
          eb('a.name_key', 'like', like),
          eb('a.pin_code', '=', wanted.search),
          eb('u.email', '=', wanted.search.toLowerCase()),
        ]),
      ),
    )
}

/** Applications with this status: pending ones oldest first, decided ones newest first. */
function matchingApplications(db: Db | Tx, scope: OfficeScope, wanted: ApplicationQuery) {
  return foundApplications(db, scope, wanted)
    .where('a.state_of_review', '=', wanted.state)
    .$if(isOpen(wanted.state), (query) => query.orderBy('a.submitted_at').orderBy('a.id'))
    .$if(!isOpen(wanted.state), (query) => query.orderBy('a.decided_at', 'desc').orderBy('a.id', 'desc'))
}

/** One page of applications with this status. */
export async function findApplications(
  db: Db,
  scope: OfficeScope,
  wanted: ApplicationQuery & { page?: number | undefined },
) {
  const matching = matchingApplications(db, scope, wanted)
  const counted = await foundApplications(db, scope, wanted)
    .clearSelect()
    .select(({ fn }) => ['a.state_of_review as state', fn.countAll<number>().as('n')])
    .groupBy('a.state_of_review')
    .execute()
  const counts = { submitted: 0, asked: 0, approved: 0, rejected: 0 }
  for (const { state, n } of counted) counts[state as ApplicationQuery['state']] = n
  const rows = await matching
    .limit(pageSize)
    .offset((Math.max(1, wanted.page ?? 1) - 1) * pageSize)
    .execute()
  return { data: rows.map(toApplication), total: counts[wanted.state], counts }
}

/** All applications with this status that match a search, for export. */
export async function allApplications(
  tx: Tx,
  scope: OfficeScope,
  wanted: ApplicationQuery,
): Promise<Application[]> {
  await sql`set local statement_timeout = '30s'`.execute(tx)
  return (await matchingApplications(tx, scope, wanted).execute()).map(toApplication)
}

/** One application, or not_found. */
export async function readApplication(db: Db | Tx, _scope: OfficeScope, id: number): Promise<Application> {
  return toApplication(await applicationRows(db).where('a.id', '=', id).executeTakeFirstOrThrow(notFound))
}

/** The school of an approved application. */
export async function schoolOfApplication(db: Db, _scope: OfficeScope, id: number) {
  const found = await db
    .selectFrom('applications as a')
    .innerJoin('schools as s', 's.id', 'a.school_id')
    .select(['s.id as schId', 's.code as schCode'])
    .where('a.id', '=', id)
    .executeTakeFirst()
  return found ?? null
}

type Lookalike = Pick<Application, 'schName' | 'pinCode' | 'phone' | 'udiseCode' | 'affiliationNo'>

/** Existing schools that may be the applicant's, most likely first, at most ten. */
export async function findLikelySchools(db: Db | Tx, application: Lookalike): Promise<LikelySchool[]> {
  const { rows } = await sql<Omit<LikelySchool, 'same'>>`
    select s.id as "schId", s.code as "schCode", s.name as "schName", s.address, s.city, s.district, s.state,
      s.pin_code as "pinCode", s.phone, s.udise_code as "udiseCode", s.affiliation_no as "affiliationNo",
      (select count(*) from users u where u.school_id = s.id) as "staffCount"
    from schools s
    where s.merged_into is null and (s.pin_code = ${application.pinCode} or s.name_key = ${foldName(application.schName)}
      or (s.udise_code <> '' and s.udise_code = ${application.udiseCode})
      or (s.affiliation_no <> '' and s.affiliation_no = ${application.affiliationNo}))
    order by s.id limit 200`.execute(db)
  return rows
    .map((school) => ({
      ...school,
      same: commonFacts({ ...application, name: application.schName }, { ...school, name: school.schName }),
    }))
    .filter((school) => likelihood(school.same) > 0)
    .sort((a, b) => likelihood(b.same) - likelihood(a.same))
    .slice(0, 10)
}
