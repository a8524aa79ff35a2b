import * as calls from '@podium/contract/schools/calls-applications'
import { sentences } from '@podium/contract/sentences'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { isFirst, mailColleagues } from '#features/accounts/registration/commands'
import { notifyOfExport } from '#features/staff/commands-owners'
import { audit } from '#platform/audit'
import { endInvitations } from '#platform/auth/invitations'
import { refuseOldProof } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { changeRows, findRow, firstRow } from '#platform/db/rows'
import type { Deps } from '#platform/deps'
import { orNotFound, Refusal } from '#platform/errors'
import { serve, write } from '#platform/http/http'
import { mailPerson } from '#platform/mail/mail-texts'
import { type ListColumn, sheetFile, timestampCell } from '#platform/sheets/spreadsheet-write'
import { makeSchool, proposeCode } from '../commands.ts'
import * as queries from './queries.ts'

const columns: readonly ListColumn<calls.Application>[] = [
  { title: 'School', width: 36, value: (row) => row.schName },
  { title: 'Address', width: 36, value: (row) => row.address },
  { title: 'City', value: (row) => row.city },
  { title: 'District', value: (row) => row.district },
  { title: 'State', value: (row) => row.state },
  { title: 'Country', width: 12, value: (row) => row.country },
  { title: 'Pin Code', width: 10, value: (row) => row.pinCode },
  { title: 'Phone', value: (row) => row.phone },
  { title: 'UDISE Code', value: (row) => row.udiseCode },
  { title: 'Affiliation No', value: (row) => row.affiliationNo },
  { title: 'Applicant', width: 24, value: (row) => row.applicantName },
  { title: 'Designation', value: (row) => row.applicantDesignation },
  { title: 'E-mail', width: 28, value: (row) => row.applicantEmail },
  { title: 'Mobile', value: (row) => row.applicantMobile },
  { title: 'Sent', width: 18, value: (row) => timestampCell(row.submittedAt) },
  { title: 'Asked back', width: 18, value: (row) => timestampCell(row.askedAt) },
  { title: 'Requested by', width: 24, value: (row) => row.askedBy },
  { title: 'Question', width: 40, value: (row) => row.question },
  { title: 'Answered', width: 18, value: (row) => timestampCell(row.answeredAt) },
  { title: 'Answer', width: 40, value: (row) => row.answer },
  { title: 'Decided', width: 18, value: (row) => timestampCell(row.decidedAt) },
  { title: 'Reason', width: 40, value: (row) => row.reason },
  { title: 'Assigned to', width: 24, value: (row) => row.assignee?.name ?? '' },
]

const titles = {
  submitted: 'Applications waiting',
  asked: 'Applications asked back',
  approved: 'Applications approved',
  rejected: 'Applications rejected',
} as const

/** Routes for the office's queue of applications to verify. */
export function schoolRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, deps, calls.listApplications, 'office:schools.read', ({ scope, query }) =>
    queries.findApplications(deps.db, scope, query),
  )

  write(app, deps, calls.exportApplications, 'office:schools.export', async (tx, { scope, body, now }) => {
    const { format, ...filters } = body
    const applications = await queries.allApplications(tx, scope, filters)
    const change = { format, applications: applications.length, filters }
    await audit(tx, now, scope, 'application.exported', { kind: 'application', id: 'all' }, change)
    await notifyOfExport(tx, scope, now, 'the applications of schools', applications.length)
    return { file: sheetFile(titles[body.state], columns, applications, format) }
  })

  serve(app, deps, calls.getApplication, 'office:schools.read', async ({ scope, query }) => {
    const application = await queries.readApplication(deps.db, scope, query.id)
    const isOpen = application.decidedAt === null
    return {
      application,
      school: isOpen ? null : await queries.schoolOfApplication(deps.db, scope, query.id),
      likely: isOpen ? await queries.findLikelySchools(deps.db, application) : [],
      proposedCode: isOpen ? await proposeCode(deps.db, application.schName) : '',
    }
  })

  const { publicUrl } = deps.settings
  write(app, deps, calls.approveApplication, 'office:schools.decide', (tx, { scope, body, now }) => {
    // A new school has no students whose data the applicant would see.
    if (body.schId !== undefined) refuseOldProof(scope, now)
    return approve(tx, scope, now, publicUrl, body)
  })

  write(app, deps, calls.rejectApplication, 'office:schools.decide', async (tx, { scope, body, now }) => {
    await reject(tx, scope, now, publicUrl, body)
    return {}
  })

  write(app, deps, calls.askBackApplication, 'office:schools.decide', async (tx, { scope, body, now }) => {
    await askBack(tx, scope, now, publicUrl, body)
    return {}
  })
}

interface Decision {
  id: number
  version: number
}

/** Decides an application in one guarded statement: of two officers, only the first succeeds. */
async function decide(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, version }: Decision,
  state: 'approved' | 'rejected',
  reason: string,
) {
  const [row] = await changeRows(tx, 'applications', {
    where: { id, version, state_of_review: ['submitted', 'asked'] },
    set: {
      state_of_review: state,
      reason,
      decided_by: scope.staffId,
      decided_at: now,
      version: sql`version + 1`,
    },
    returning: [
      'id',
      'user_id',
      'school_name',
      'name_key',
      'address',
      'city',
      'state',
      'district',
      'country',
      'pin_code',
      'phone',
      'udise_code',
      'affiliation_no',
      'state_of_review',
      'reason',
      'school_id',
      'submitted_at',
      'decided_by',
      'decided_at',
      'version',
      'question',
      'asked_at',
      'asked_by',
      'answer',
      'answered_at',
    ],
  })
  if (row) return row
  return notOpen(tx, id)
}

/** Throws the reason why an application can't be decided: unknown, already decided, or answered meanwhile. */
async function notOpen(tx: Tx, id: number): Promise<never> {
  const now = orNotFound(
    await firstRow(tx, 'applications', { id }, ['decided_at', 'decided_by', 'state_of_review']),
  )
  if (now.decided_at === null) throw new Refusal('changed_meanwhile')
  const withdrawn = now.state_of_review === 'rejected' && now.decided_by === null
  throw new Refusal('application.decided', withdrawn ? { message: sentences.withdrawnBySchool } : {})
}

type ApplicationRow = Awaited<ReturnType<typeof decide>>

/** Creates a school from an application. */
function makeSchoolOf(tx: Tx, now: Date, application: ApplicationRow, chosenCode: string | undefined) {
  const { address, city, district, state, country, pin_code, phone, udise_code, affiliation_no } = application
  const place = { address, city, district, state, country, pin_code }
  const described = { name: application.school_name, ...place, phone, udise_code, affiliation_no }
  return makeSchool(tx, now, described, chosenCode)
}

/** Reads and locks an active school. */
async function knownSchool(tx: Tx, id: number) {
  const school = orNotFound(
    await firstRow(tx, 'schools', { id }, ['id', 'code', 'name', 'active'], { lock: true }),
  )
  if (!school.active) throw new Refusal('schools.inactive')
  return school
}

interface Approval extends Decision {
  schId?: number | undefined
  schCode?: string | undefined
}

/**
 * Approves an application: adds the applicant to an existing school (`schId`) or a new one with a new code, and notifies
 * them and their colleagues by e-mail. The first user of a school who can sign in becomes its coordinator.
 */
export async function approve(tx: Tx, scope: OfficeScope, now: Date, publicUrl: string, approval: Approval) {
  const application = await decide(tx, scope, now, approval, 'approved', '')
  const school =
    approval.schId === undefined
      ? await makeSchoolOf(tx, now, application, approval.schCode)
      : await knownSchool(tx, approval.schId)
  const colleagues = await tx
    .selectFrom('users')
    .select(['id', 'name', 'email', 'language', 'disabled_at'])
    .where('school_id', '=', school.id)
    .execute()
  const [user] = await changeRows(tx, 'users', {
    where: { id: application.user_id, school_id: null },
    set: { school_id: school.id, coordinator: isFirst(colleagues), version: sql`version + 1` },
    returning: ['id', 'name', 'email', 'language'],
  })
  if (!user) throw new Refusal('application.decided')
  await endInvitations(tx, scope, now, school.id, user, 'to them alone')
  await changeRows(tx, 'school_departures', {
    where: { user_id: user.id, school_id: school.id, returned_at: null },
    set: { returned_at: now },
  })
  await changeRows(tx, 'applications', { where: { id: application.id }, set: { school_id: school.id } })
  await audit(
    tx,
    now,
    scope,
    'application.approved',
    { kind: 'application', id: application.id, schoolId: school.id },
    { to: { school: school.code, made: approval.schId === undefined, user: user.id } },
  )
  await mailColleagues(tx, now, colleagues, {
    key: `application-joined:${application.id}`,
    colleague: user.name,
    school: school.name,
  })
  await mailPerson(tx, now, user, {
    key: `application-approved:${application.id}`,
    kind: 'application',
    mail: 'application-approved',
    values: { school: school.name, code: school.code, link: `${publicUrl}/login` },
  })
  return { schId: school.id, schCode: school.code }
}

/** Rejects an application with a reason for the applicant, who can submit the form again. */
export async function reject(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  publicUrl: string,
  rejection: Decision & { reason: string },
) {
  const application = await decide(tx, scope, now, rejection, 'rejected', rejection.reason)
  const user = await findRow(tx, 'users', { id: application.user_id }, ['name', 'email', 'language'])
  await audit(
    tx,
    now,
    scope,
    'application.rejected',
    { kind: 'application', id: application.id },
    { to: { reason: rejection.reason } },
  )
  await mailPerson(tx, now, user, {
    key: `application-rejected:${application.id}`,
    kind: 'application',
    mail: 'application-rejected',
    values: { school: application.school_name, reason: rejection.reason, link: `${publicUrl}/login` },
  })
}

/**
 * Asks the applicant for more information by e-mail and opens the form for the answer. A new question replaces the previous
 * one. Refuses a decided application, and one answered meanwhile.
 */
export async function askBack(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  publicUrl: string,
  { id, version, question }: Decision & { question: string },
): Promise<void> {
  const [application] = await changeRows(tx, 'applications', {
    where: { id, version, state_of_review: ['submitted', 'asked'] },
    set: {
      state_of_review: 'asked',
      question,
      asked_at: now,
      asked_by: scope.staffId,
      answer: '',
      answered_at: null,
      version: version + 1,
    },
    returning: ['user_id', 'school_name'],
  })
  if (!application) return notOpen(tx, id)
  const user = await findRow(tx, 'users', { id: application.user_id }, ['name', 'email', 'language'])
  await audit(tx, now, scope, 'application.asked', { kind: 'application', id }, { to: { question } })
  await mailPerson(tx, now, user, {
    key: `application-asked:${id}:${version}`,
    kind: 'application',
    mail: 'application-asked',
    values: { school: application.school_name, question, link: `${publicUrl}/school-detail` },
  })
}
