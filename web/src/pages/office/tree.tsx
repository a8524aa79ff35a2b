import { createRoute } from '@tanstack/react-router'
import { changeFilters } from '#features/audit-log/filters.ts'
import { bankFilters } from '#features/bank/statements/filters.ts'
import { eventFilters, listFilters, seasonFilters } from '#features/catalogue/filters.ts'
import { paperFilters, scheduleFilters } from '#features/exams/office-filters.ts'
import { closingFilters, creditFilters, ledgerFilters, receiptFilters } from '#features/ledger/filters.ts'
import { noticeFilters } from '#features/notices/office-filters.ts'
import { jobFilters, mailFilters, overviewFilters } from '#features/office/filters.ts'
import { officePaymentFilters, waiverFilters } from '#features/payments/office-filters.ts'
import { incidentFilters, peopleFilters, requestFilters } from '#features/privacy/filters.ts'
import { questionFilters } from '#features/questions/office-filters.ts'
import {
  applicationFilters,
  importFilters,
  letterFilters,
  mailingFilters,
  mergeFilters,
  recordFilters,
  registerFilters,
} from '#features/schools/filters.ts'
import { dueFilters, packetFilters } from '#features/shipping/filters.ts'
import { studentListFilters } from '#features/students/register/filters.ts'
import { officePaths } from '#shell/paths.ts'
import { page } from '#shell/router.ts'
import { account, join, login, officeArea, root, settingsArea, staff } from './areas.tsx'
import { nextLevel, nextLevelEvent, resultEvent, results, schoolPreview } from './results.tsx'

const dataRequests = createRoute({
  getParentRoute: () => settingsArea,
  path: officePaths.dataRequests,
  validateSearch: requestFilters.validate,
  component: page(() => import('#features/privacy/requests/page.tsx'), 'RequestsPage'),
})

const schools = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.schools,
  validateSearch: registerFilters.validate,
  component: page(() => import('#features/schools/register/page.tsx'), 'SchoolRegisterPage'),
})

const school = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.school,
  validateSearch: recordFilters.validate,
  component: page(() => import('#features/schools/register/record-page.tsx'), 'SchoolRecordPage'),
})

const schoolMerge = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.schoolMerge,
  validateSearch: mergeFilters.validate,
  component: page(() => import('#features/schools/merge/page.tsx'), 'SchoolMergePage'),
})

const schoolImport = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.schoolImport,
  validateSearch: importFilters.validate,
  component: page(() => import('#features/schools/import/page.tsx'), 'SchoolImportPage'),
})

const schoolMailings = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.schoolMailings,
  validateSearch: mailingFilters.validate,
  component: page(() => import('#features/schools/mailings/page.tsx'), 'MailingsPage'),
})

const schoolLetters = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.schoolLetters,
  validateSearch: letterFilters.validate,
  component: page(() => import('#features/schools/letters/page.tsx'), 'LettersPage'),
})

const due = () => import('#features/shipping/orders/page.tsx')

const bookOrders = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.bookOrders,
  validateSearch: dueFilters.validate,
  component: page(due, 'BookOrdersPage'),
})

const questionPapers = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.questionPapers,
  validateSearch: dueFilters.validate,
  component: page(due, 'QuestionPapersDuePage'),
})

const awardsDue = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.awardsDue,
  validateSearch: dueFilters.validate,
  component: page(due, 'AwardsDuePage'),
})

const packets = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.packets,
  validateSearch: packetFilters.validate,
  component: page(() => import('#features/shipping/packets/page.tsx'), 'PacketsPage'),
})

const packet = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.packet,
  component: page(() => import('#features/shipping/packets/packet-page.tsx'), 'PacketPage'),
})

const getParentRoute = () => officeArea

const receipts = createRoute({
  getParentRoute,
  path: officePaths.receipts,
  validateSearch: receiptFilters.validate,
  component: page(() => import('#features/payments/receipts/page.tsx'), 'ReceiptsPage'),
})

const credits = createRoute({
  getParentRoute,
  path: officePaths.credits,
  validateSearch: creditFilters.validate,
  component: page(() => import('#features/bank/credits/page.tsx'), 'CreditsPage'),
})

const ledger = createRoute({
  getParentRoute,
  path: officePaths.ledger,
  validateSearch: ledgerFilters.validate,
  component: page(() => import('#features/ledger/page.tsx'), 'LedgerPage'),
})

const closing = createRoute({
  getParentRoute,
  path: officePaths.closing,
  validateSearch: closingFilters.validate,
  component: page(() => import('#features/ledger/closing/page.tsx'), 'ClosingPage'),
})

const bankAccounts = createRoute({
  getParentRoute: () => settingsArea,
  path: officePaths.bankAccounts,
  component: page(() => import('#features/payments/accounts/page.tsx'), 'AccountsPage'),
})

const catalogue = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.catalogue,
  validateSearch: seasonFilters.validate,
  component: page(() => import('#features/catalogue/seasons/page.tsx'), 'SeasonsPage'),
})

const catalogueOpen = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.catalogueOpen,
  component: page(() => import('#features/catalogue/seasons/open-page.tsx'), 'OpenSeasonPage'),
})

const catalogueLists = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.catalogueLists,
  validateSearch: listFilters.validate,
  component: page(() => import('#features/catalogue/lists/page.tsx'), 'ListsPage'),
})

const catalogueEvent = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.catalogueEvent,
  validateSearch: eventFilters.validate,
  component: page(() => import('#features/catalogue/events/page.tsx'), 'CatalogueEventPage'),
})

const incidents = createRoute({
  getParentRoute: () => settingsArea,
  path: officePaths.incidents,
  validateSearch: incidentFilters.validate,
  component: page(() => import('#features/privacy/incidents/page.tsx'), 'IncidentsPage'),
})

const incident = createRoute({
  getParentRoute: () => settingsArea,
  path: officePaths.incident,
  validateSearch: peopleFilters.validate,
  component: page(() => import('#features/privacy/incidents/record-page.tsx'), 'IncidentPage'),
})

const students = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.students,
  validateSearch: studentListFilters.validate,
  component: page(() => import('#features/students/register/page.tsx'), 'StudentRegisterPage'),
})

const student = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.student,
  component: page(() => import('#features/students/register/record-page.tsx'), 'StudentRecordPage'),
})

const settings = createRoute({
  getParentRoute: () => settingsArea,
  path: officePaths.settings,
  component: page(() => import('#features/office/settings/page.tsx'), 'SettingsPage'),
})

const jobs = createRoute({
  getParentRoute: () => settingsArea,
  path: officePaths.jobs,
  validateSearch: jobFilters.validate,
  component: page(() => import('#features/office/jobs/page.tsx'), 'JobsPage'),
})

const overview = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.overview,
  component: page(() => import('#features/office/overview/page.tsx'), 'OverviewPage'),
})

const reminders = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.reminders,
  validateSearch: overviewFilters.validate,
  component: page(() => import('#features/office/overview/reminders.tsx'), 'RemindersPage'),
})

const waivers = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.waivers,
  validateSearch: waiverFilters.validate,
  component: page(() => import('#features/payments/waivers/page.tsx'), 'WaiversPage'),
})

const schedules = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.schedules,
  validateSearch: scheduleFilters.validate,
  component: page(() => import('#features/exams/schedules/office-page.tsx'), 'SchedulesPage'),
})

const questions = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.questions,
  validateSearch: questionFilters.validate,
  component: page(() => import('#features/questions/office-page.tsx'), 'OfficeQuestionsPage'),
})

const payments = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.payments,
  validateSearch: officePaymentFilters.validate,
  component: page(() => import('#features/payments/verification/page.tsx'), 'OfficePaymentsPage'),
})

const notices = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.notices,
  validateSearch: noticeFilters.validate,
  component: page(() => import('#features/notices/office-page.tsx'), 'OfficeNoticesPage'),
})

const mails = createRoute({
  getParentRoute: () => settingsArea,
  path: officePaths.mails,
  validateSearch: mailFilters.validate,
  component: page(() => import('#features/office/mails/page.tsx'), 'MailsPage'),
})

const statements = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.statements,
  validateSearch: bankFilters.validate,
  component: page(() => import('#features/bank/statements/page.tsx'), 'BankStatementsPage'),
})

const changes = createRoute({
  getParentRoute: () => settingsArea,
  path: officePaths.changes,
  validateSearch: changeFilters.validate,
  component: page(() => import('#features/audit-log/page.tsx'), 'ChangesPage'),
})

const attendance = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.attendance,
  validateSearch: paperFilters.validate,
  component: page(() => import('#features/exams/attendance/page.tsx'), 'PapersPage'),
})

const applications = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.applications,
  validateSearch: applicationFilters.validate,
  component: page(() => import('#features/schools/applications/page.tsx'), 'ApplicationsPage'),
})

const setUp = createRoute({
  getParentRoute: () => root,
  path: officePaths.setUp,
  component: page(() => import('#features/staff/set-up-page.tsx'), 'SetUpPage'),
})

const care = createRoute({
  getParentRoute: () => settingsArea,
  path: officePaths.care,
  component: page(() => import('#features/office/backups/page.tsx'), 'BackupsPage'),
})

/**
 * The office's route tree. To add a page, export its route from a file beside this one and add a line here, in `root`
 * (public: /office/login) or `officeArea`. Menu entries are in layout.tsx.
 */
export const tree = root.addChildren([
  login,
  setUp,
  join,
  officeArea.addChildren([
    overview,
    reminders,
    settingsArea.addChildren([
      settings,
      bankAccounts,
      staff,
      mails,
      dataRequests,
      incidents,
      incident,
      changes,
      jobs,
      care,
    ]),
    account,
    notices,
    applications,
    schools,
    schoolImport,
    schoolLetters,
    schoolMailings,
    school,
    schoolMerge,
    students,
    student,
    waivers,
    payments,
    statements,
    receipts,
    credits,
    ledger,
    closing,
    results,
    resultEvent,
    schoolPreview,
    nextLevel,
    nextLevelEvent,
    catalogue,
    catalogueOpen,
    catalogueLists,
    catalogueEvent,
    bookOrders,
    questionPapers,
    awardsDue,
    packets,
    packet,
    attendance,
    schedules,
    questions,
  ]),
])
