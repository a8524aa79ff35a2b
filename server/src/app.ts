import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { bookRoutes } from '#features/books/routes'
import { officeCatalogueRoutes, placesRoutes } from '#features/catalogue/routes'
import { paymentRoutes } from '#features/payments/routes'
import type { Deps } from '#platform/deps'
import { buildEdge } from '#platform/http/edge'
import { servedRoutes } from '#platform/http/http'
import { openapi } from '#platform/http/openapi'
import { servePages } from '#platform/http/pages'
import type { JobHandler } from '#platform/jobs/jobs'
import { reportHealth } from '#platform/telemetry/metrics'
import { demoRoutes } from './features/accounts/demo/routes.ts'
import { memberRoutes, officeMemberRoutes } from './features/accounts/invitations/routes.ts'
import { accountsRoutes } from './features/accounts/routes.ts'
import { auditLogRoutes } from './features/audit-log/routes.ts'
import { bankJobs } from './features/bank/statements/jobs.ts'
import { bankRoutes } from './features/bank/statements/routes.ts'
import { dashboardRoutes } from './features/dashboard/routes.ts'
import { examJobs } from './features/exams/attendance/jobs.ts'
import { attendanceRoutes, examPaperRoutes } from './features/exams/attendance/routes.ts'
import { examDateJobs } from './features/exams/dates/jobs.ts'
import { examRoutes, officeExamRoutes } from './features/exams/dates/routes.ts'
import { officeScheduleRoutes, scheduleRoutes } from './features/exams/schedules/routes.ts'
import { familyRoutes } from './features/families/page/routes.ts'
import { familySlipRoutes, officeFamilyRoutes } from './features/families/slips/routes.ts'
import { ledgerRoutes } from './features/ledger/routes.ts'
import { noticeRoutes } from './features/notices/routes.ts'
import { backupJobs, backupRoutes, overviewJobs, rotationJobs } from './features/office/backups/routes.ts'
import { mailRoutes } from './features/office/mails/routes.ts'
import { overviewRoutes } from './features/office/overview/routes.ts'
import { viewRoutes } from './features/office/saved-views/routes.ts'
import { brandingSource, settingsRoutes } from './features/office/settings/routes.ts'
import { paymentJobs } from './features/payments/jobs.ts'
import { waiverRoutes } from './features/payments/waivers/routes.ts'
import { incidentRoutes } from './features/privacy/incidents/routes.ts'
import { privacyRoutes } from './features/privacy/requests/routes.ts'
import { officeQuestionRoutes, questionRoutes } from './features/questions/routes.ts'
import { certificateJobs, resultJobs } from './features/results/jobs.ts'
import { nextLevelJobs } from './features/results/next-level/jobs.ts'
import { nextLevelRoutes } from './features/results/next-level/routes.ts'
import { publicResultRoutes } from './features/results/public-results/routes.ts'
import { resultRoutes } from './features/results/routes.ts'
import { schoolRoutes } from './features/schools/applications/routes.ts'
import { contactRoutes, schoolDetailsRoutes } from './features/schools/contacts/routes.ts'
import { schoolJobs } from './features/schools/import/jobs.ts'
import { schoolImportRoutes } from './features/schools/import/routes.ts'
import { accountJobs, schoolLetterRoutes, schoolLinkRoutes } from './features/schools/letters/routes.ts'
import { mailingJobs, schoolMailingRoutes } from './features/schools/mailings/routes.ts'
import { schoolMergeRoutes } from './features/schools/merge/routes.ts'
import { schoolNoteRoutes } from './features/schools/notes/routes.ts'
import { schoolRecordRoutes, schoolRegisterRoutes } from './features/schools/register/routes.ts'
import { awardRoutes, dispatchJobs, dispatchRoutes } from './features/shipping/routes.ts'
import {
  actAsSchoolRoutes,
  assignmentRoutes,
  staffPeopleRoutes,
  staffRoutes,
} from './features/staff/routes.ts'
import { catalogueRoutes, enrolmentRoutes } from './features/students/entry/routes.ts'
import { enrolmentJobs, importRoutes } from './features/students/import/routes.ts'
import { paperJobs, paperRoutes } from './features/students/lists/routes.ts'
import { studentRoutes } from './features/students/register/routes.ts'
import { signOffRoutes } from './features/students/sign-off/routes.ts'

const web = join(import.meta.dirname, '../../web/dist')

/**
 * Builds the server from its dependencies. Read it as a table of contents: each feature registers its calls on one
 * line.
 */
export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const app = await buildEdge(deps)
  reportHealth(app, deps.db)
  let document: Buffer | undefined
  app.get('/api/openapi.json', (_request, reply) => {
    // Made once: anyone may ask for it, as often as they like.
    document ??= Buffer.from(JSON.stringify(openapi(servedRoutes(app))))
    return reply.header('content-type', 'application/json; charset=utf-8').send(document)
  })
  staffRoutes(app, deps)
  staffPeopleRoutes(app, deps)
  actAsSchoolRoutes(app, deps)
  auditLogRoutes(app, deps)
  overviewRoutes(app, deps)
  mailRoutes(app, deps)
  settingsRoutes(app, deps)
  backupRoutes(app, deps)
  privacyRoutes(app, deps)
  incidentRoutes(app, deps)
  schoolRoutes(app, deps)
  schoolRegisterRoutes(app, deps)
  schoolRecordRoutes(app, deps)
  schoolNoteRoutes(app, deps)
  schoolMailingRoutes(app, deps)
  schoolMergeRoutes(app, deps)
  schoolImportRoutes(app, deps)
  schoolLinkRoutes(app, deps)
  schoolLetterRoutes(app, deps)
  memberRoutes(app, deps)
  officeMemberRoutes(app, deps)
  schoolDetailsRoutes(app, deps)
  studentRoutes(app, deps)
  officeFamilyRoutes(app, deps)
  nextLevelRoutes(app, deps)
  waiverRoutes(app, deps)
  paymentRoutes(app, deps)
  bankRoutes(app, deps)
  ledgerRoutes(app, deps)
  catalogueRoutes(app, deps)
  officeCatalogueRoutes(app, deps)
  enrolmentRoutes(app, deps)
  importRoutes(app, deps)
  signOffRoutes(app, deps)
  paperRoutes(app, deps)
  bookRoutes(app, deps)
  accountsRoutes(app, deps)
  placesRoutes(app, deps)
  resultRoutes(app, deps)
  publicResultRoutes(app, deps)
  dashboardRoutes(app, deps)
  contactRoutes(app, deps)
  examRoutes(app, deps)
  officeExamRoutes(app, deps)
  examPaperRoutes(app, deps)
  attendanceRoutes(app, deps)
  dispatchRoutes(app, deps)
  awardRoutes(app, deps)
  scheduleRoutes(app, deps)
  officeScheduleRoutes(app, deps)
  questionRoutes(app, deps)
  officeQuestionRoutes(app, deps)
  familyRoutes(app, deps)
  familySlipRoutes(app, deps)
  noticeRoutes(app, deps)
  viewRoutes(app, deps)
  assignmentRoutes(app, deps)
  demoRoutes(app, deps)
  await servePages(app, web, brandingSource(deps))
  return app
}

/** Returns the handlers of background jobs by kind; each feature adds its own. */
export function jobHandlers(deps: Deps): Readonly<Record<string, JobHandler>> {
  return {
    ...accountJobs(deps),
    ...mailingJobs(deps),
    ...overviewJobs(deps),
    ...backupJobs(deps),
    ...enrolmentJobs(deps),
    ...paperJobs(deps),
    ...paymentJobs(deps),
    ...bankJobs(deps),
    ...resultJobs(deps),
    ...nextLevelJobs(deps),
    ...dispatchJobs(),
    ...examJobs(deps),
    ...examDateJobs(deps),
    ...schoolJobs(deps),
    ...rotationJobs(deps),
  }
}

/** Returns the kinds of background jobs that teachers start and wait for. */
export function schoolJobKinds(deps: Deps): string[] {
  return Object.keys({ ...enrolmentJobs(deps), ...paperJobs(deps), ...certificateJobs(deps) })
}
