import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#platform/deps'
import { buildEdge } from '#platform/edge'
import { reportHealth } from '#platform/health'
import { servedRoutes } from '#platform/http'
import type { JobHandler } from '#platform/jobs'
import { openapi } from '#platform/openapi'
import { servePages } from '#platform/pages'
import { accountJobs } from './features/accounts/jobs.ts'
import { accountsRoutes } from './features/accounts/routes.ts'
import { schoolLetterRoutes } from './features/accounts/routes-letters.ts'
import { schoolLinkRoutes } from './features/accounts/routes-school-links.ts'
import { bookRoutes } from './features/books/routes.ts'
import { careJobs } from './features/care/jobs.ts'
import { careRoutes } from './features/care/routes.ts'
import { officeCatalogueRoutes } from './features/catalogue/routes-office.ts'
import { changesRoutes } from './features/changes/routes.ts'
import { cockpitJobs } from './features/cockpit/jobs.ts'
import { cockpitRoutes } from './features/cockpit/routes.ts'
import { colleagueRoutes } from './features/colleagues/routes.ts'
import { officeColleagueRoutes } from './features/colleagues/routes-office.ts'
import { contactRoutes } from './features/contacts/routes.ts'
import { dashboardRoutes } from './features/dashboard/routes.ts'
import { demoRoutes } from './features/demo/routes.ts'
import { dispatchJobs } from './features/dispatch/jobs.ts'
import { dispatchRoutes } from './features/dispatch/routes.ts'
import { enrolmentJobs } from './features/enrolment/jobs.ts'
import { enrolmentRoutes } from './features/enrolment/routes.ts'
import { catalogueRoutes } from './features/enrolment/routes-catalogue.ts'
import { importRoutes } from './features/enrolment/routes-import.ts'
import { examJobs } from './features/exams/jobs.ts'
import { examRoutes } from './features/exams/routes.ts'
import { officeExamRoutes } from './features/exams/routes-office.ts'
import { examPaperRoutes } from './features/exams/routes-papers.ts'
import { familyRoutes } from './features/families/routes.ts'
import { officeFamilyRoutes } from './features/families/routes-office.ts'
import { familySlipRoutes } from './features/families/routes-slips.ts'
import { pageLook } from './features/foundation/routes.ts'
import { incidentRoutes } from './features/incidents/routes.ts'
import { mailRoutes } from './features/mails/routes.ts'
import { nextLevelJobs } from './features/next-level/jobs.ts'
import { nextLevelRoutes } from './features/next-level/routes.ts'
import { noticeRoutes } from './features/notices/routes.ts'
import { paperJobs } from './features/paper/jobs.ts'
import { paperRoutes } from './features/paper/routes.ts'
import { paymentJobs } from './features/payments/jobs.ts'
import { paymentRoutes } from './features/payments/routes.ts'
import { placesRoutes } from './features/places/routes.ts'
import { privacyRoutes } from './features/privacy/routes.ts'
import { questionRoutes } from './features/questions/routes.ts'
import { officeQuestionRoutes } from './features/questions/routes-office.ts'
import { resultJobs } from './features/results/jobs.ts'
import { certificateJobs } from './features/results/jobs-bulk.ts'
import { resultRoutes } from './features/results/routes.ts'
import { scheduleRoutes } from './features/schedules/routes.ts'
import { officeScheduleRoutes } from './features/schedules/routes-office.ts'
import { schoolJobs } from './features/schools/jobs.ts'
import { schoolRoutes } from './features/schools/routes.ts'
import { schoolImportRoutes } from './features/schools/routes-import.ts'
import { schoolMergeRoutes } from './features/schools/routes-merge.ts'
import { schoolRecordRoutes } from './features/schools/routes-record.ts'
import { schoolRegisterRoutes } from './features/schools/routes-register.ts'
import { schoolDetailsRoutes } from './features/schools/routes-school.ts'
import { rotationJobs } from './features/secret-rotation/jobs.ts'
import { settingsRoutes } from './features/settings/routes.ts'
import { signOffRoutes } from './features/signoff/routes.ts'
import { staffRoutes } from './features/staff/routes.ts'
import { staffPeopleRoutes } from './features/staff/routes-people.ts'
import { studentRoutes } from './features/students/routes.ts'
import { viewRoutes } from './features/views/routes.ts'
import { visitRoutes } from './features/visits/routes.ts'
import { waiverRoutes } from './features/waivers/routes.ts'

const web = join(import.meta.dirname, '../../web/dist')

/** Builds the server from its dependencies: the table of contents. Each feature registers its calls on one line. */
export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const app = await buildEdge(deps)
  reportHealth(app, deps.db)
  app.get('/api/openapi.json', async () => openapi(servedRoutes(app)))
  staffRoutes(app, deps)
  staffPeopleRoutes(app, deps)
  visitRoutes(app, deps)
  changesRoutes(app, deps)
  cockpitRoutes(app, deps)
  mailRoutes(app, deps)
  settingsRoutes(app, deps)
  careRoutes(app, deps)
  privacyRoutes(app, deps)
  incidentRoutes(app, deps)
  schoolRoutes(app, deps)
  schoolRegisterRoutes(app, deps)
  schoolRecordRoutes(app, deps)
  schoolMergeRoutes(app, deps)
  schoolImportRoutes(app, deps)
  schoolLinkRoutes(app, deps)
  schoolLetterRoutes(app, deps)
  colleagueRoutes(app, deps)
  officeColleagueRoutes(app, deps)
  schoolDetailsRoutes(app, deps)
  studentRoutes(app, deps)
  officeFamilyRoutes(app, deps)
  nextLevelRoutes(app, deps)
  waiverRoutes(app, deps)
  paymentRoutes(app, deps)
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
  dashboardRoutes(app, deps)
  contactRoutes(app, deps)
  examRoutes(app, deps)
  officeExamRoutes(app, deps)
  examPaperRoutes(app, deps)
  dispatchRoutes(app, deps)
  scheduleRoutes(app, deps)
  officeScheduleRoutes(app, deps)
  questionRoutes(app, deps)
  officeQuestionRoutes(app, deps)
  familyRoutes(app, deps)
  familySlipRoutes(app, deps)
  noticeRoutes(app, deps)
  viewRoutes(app, deps)
  demoRoutes(app, deps)
  await servePages(app, web, pageLook(deps))
  return app
}

/** Long work by its kind; each feature adds its own. */
export function jobHandlers(deps: Deps): Readonly<Record<string, JobHandler>> {
  return {
    ...accountJobs(deps),
    ...cockpitJobs(deps),
    ...careJobs(deps),
    ...enrolmentJobs(deps),
    ...paperJobs(deps),
    ...paymentJobs(deps),
    ...resultJobs(deps),
    ...nextLevelJobs(deps),
    ...dispatchJobs(),
    ...examJobs(deps),
    ...schoolJobs(deps),
    ...rotationJobs(deps),
  }
}

/** The kinds of long work that a teacher asks for and waits for. */
export function askedBySchools(deps: Deps): string[] {
  return Object.keys({ ...enrolmentJobs(deps), ...paperJobs(deps), ...certificateJobs(deps) })
}
