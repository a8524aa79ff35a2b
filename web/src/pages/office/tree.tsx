import { createRootRoute, createRoute, redirect } from '@tanstack/react-router'
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
  officeFilters,
  previewFilters,
  listFilters as roundFilters,
} from '#features/results/office-filters.ts'
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
import { peopleFilters as staffFilters } from '#features/staff/people/filters.ts'
import { studentListFilters } from '#features/students/register/filters.ts'
import { requireSignIn } from '#shell/guard.ts'
import { officePaths } from '#shell/paths.ts'
import { page, routesIn } from '#shell/router.ts'
import { seasonInAddress, syncSeason } from '#shell/season.ts'
import { signedIn } from '#shell/session.ts'

const root = createRootRoute({ notFoundComponent: page(() => import('./layout.tsx'), 'OfficeNotFound') })

/** The frame of every office page. */
const officeArea = createRoute({
  getParentRoute: () => root,
  id: 'office-area',
  ...seasonInAddress,
  beforeLoad: (opened) => {
    requireSignIn(opened)
    syncSeason(opened)
  },
  component: page(() => import('./layout.tsx'), 'Layout'),
})

/** The pages of «Settings», with their side tabs. */
const settingsArea = createRoute({
  getParentRoute: () => officeArea,
  id: 'settings-area',
  component: page(() => import('./layout.tsx'), 'SettingsLayout'),
})

interface SignInSearch {
  /** The page to open after signing in. */
  returnurl?: string
  /** The session ended on the server. */
  ended?: true
  /** The office has just been set up. */
  ready?: true
}

const login = createRoute({
  getParentRoute: () => root,
  path: officePaths.login,
  validateSearch: ({ returnurl, ended, ready }: Record<string, unknown>): SignInSearch => ({
    ...(typeof returnurl === 'string' ? { returnurl } : {}),
    ...(ended ? { ended: true } : {}),
    ...(ready ? { ready: true } : {}),
  }),
  beforeLoad: () => {
    if (signedIn()) throw redirect({ to: officePaths.overview })
  },
  component: page(() => import('#features/staff/sign-in-page.tsx'), 'SignInPage'),
})

const join = createRoute({
  getParentRoute: () => root,
  path: officePaths.join,
  validateSearch: ({ token }: Record<string, unknown>): { token?: string } =>
    token === undefined ? {} : { token: String(token) },
  component: page(() => import('#features/staff/join-page.tsx'), 'JoinPage'),
})

const due = () => import('#features/shipping/orders/page.tsx')

const inOffice = routesIn(officeArea, officePaths)
const inSettings = routesIn(settingsArea, officePaths)

/**
 * The office's route tree: each address with its page, and the filters that the address keeps. A page without a
 * sign-in is in `root`. Menu entries are in layout.tsx.
 */
export const tree = root.addChildren([
  login,
  routesIn(root, officePaths)('setUp', () => import('#features/staff/set-up-page.tsx'), 'SetUpPage'),
  join,
  officeArea.addChildren([
    inOffice('overview', () => import('#features/office/overview/page.tsx'), 'OverviewPage'),
    inOffice(
      'reminders',
      () => import('#features/office/overview/reminders.tsx'),
      'RemindersPage',
      overviewFilters,
    ),
    settingsArea.addChildren([
      inSettings('settings', () => import('#features/office/settings/page.tsx'), 'SettingsPage'),
      inSettings('bankAccounts', () => import('#features/payments/accounts/page.tsx'), 'AccountsPage'),
      inSettings('staff', () => import('#features/staff/people/page.tsx'), 'PeoplePage', staffFilters),
      inSettings('mails', () => import('#features/office/mails/page.tsx'), 'MailsPage', mailFilters),
      inSettings(
        'dataRequests',
        () => import('#features/privacy/requests/page.tsx'),
        'RequestsPage',
        requestFilters,
      ),
      inSettings(
        'incidents',
        () => import('#features/privacy/incidents/page.tsx'),
        'IncidentsPage',
        incidentFilters,
      ),
      inSettings(
        'incident',
        () => import('#features/privacy/incidents/record-page.tsx'),
        'IncidentPage',
        peopleFilters,
      ),
      inSettings('changes', () => import('#features/audit-log/page.tsx'), 'ChangesPage', changeFilters),
      inSettings('jobs', () => import('#features/office/jobs/page.tsx'), 'JobsPage', jobFilters),
      inSettings('care', () => import('#features/office/backups/page.tsx'), 'BackupsPage'),
    ]),
    inOffice('account', () => import('#features/staff/account-page.tsx'), 'AccountPage'),
    inOffice(
      'notices',
      () => import('#features/notices/office-page.tsx'),
      'OfficeNoticesPage',
      noticeFilters,
    ),
    inOffice(
      'applications',
      () => import('#features/schools/applications/page.tsx'),
      'ApplicationsPage',
      applicationFilters,
    ),
    inOffice(
      'schools',
      () => import('#features/schools/register/page.tsx'),
      'SchoolRegisterPage',
      registerFilters,
    ),
    inOffice(
      'schoolImport',
      () => import('#features/schools/import/page.tsx'),
      'SchoolImportPage',
      importFilters,
    ),
    inOffice(
      'schoolLetters',
      () => import('#features/schools/letters/page.tsx'),
      'LettersPage',
      letterFilters,
    ),
    inOffice(
      'schoolMailings',
      () => import('#features/schools/mailings/page.tsx'),
      'MailingsPage',
      mailingFilters,
    ),
    inOffice(
      'school',
      () => import('#features/schools/register/record-page.tsx'),
      'SchoolRecordPage',
      recordFilters,
    ),
    inOffice(
      'schoolMerge',
      () => import('#features/schools/merge/page.tsx'),
      'SchoolMergePage',
      mergeFilters,
    ),
    inOffice(
      'students',
      () => import('#features/students/register/page.tsx'),
      'StudentRegisterPage',
      studentListFilters,
    ),
    inOffice('student', () => import('#features/students/register/record-page.tsx'), 'StudentRecordPage'),
    inOffice('waivers', () => import('#features/payments/waivers/page.tsx'), 'WaiversPage', waiverFilters),
    inOffice(
      'payments',
      () => import('#features/payments/verification/page.tsx'),
      'OfficePaymentsPage',
      officePaymentFilters,
    ),
    inOffice(
      'statements',
      () => import('#features/bank/statements/page.tsx'),
      'BankStatementsPage',
      bankFilters,
    ),
    inOffice(
      'receipts',
      () => import('#features/payments/receipts/page.tsx'),
      'ReceiptsPage',
      receiptFilters,
    ),
    inOffice('credits', () => import('#features/bank/credits/page.tsx'), 'CreditsPage', creditFilters),
    inOffice('ledger', () => import('#features/ledger/page.tsx'), 'LedgerPage', ledgerFilters),
    inOffice('closing', () => import('#features/ledger/closing/page.tsx'), 'ClosingPage', closingFilters),
    inOffice('results', () => import('#features/results/office-events-page.tsx'), 'OfficeResultsPage'),
    inOffice(
      'resultEvent',
      () => import('#features/results/office-event-page.tsx'),
      'OfficeResultEventPage',
      officeFilters,
    ),
    inOffice(
      'schoolPreview',
      () => import('#features/results/release/school-preview.tsx'),
      'SchoolPreviewPage',
      previewFilters,
    ),
    inOffice('nextLevel', () => import('#features/results/next-level/page.tsx'), 'NextLevelPage'),
    inOffice(
      'nextLevelEvent',
      () => import('#features/results/next-level/round-page.tsx'),
      'NextLevelRoundPage',
      roundFilters,
    ),
    inOffice('catalogue', () => import('#features/catalogue/seasons/page.tsx'), 'SeasonsPage', seasonFilters),
    inOffice('catalogueOpen', () => import('#features/catalogue/seasons/open-page.tsx'), 'OpenSeasonPage'),
    inOffice('catalogueLists', () => import('#features/catalogue/lists/page.tsx'), 'ListsPage', listFilters),
    inOffice(
      'catalogueEvent',
      () => import('#features/catalogue/events/page.tsx'),
      'CatalogueEventPage',
      eventFilters,
    ),
    inOffice('bookOrders', due, 'BookOrdersPage', dueFilters),
    inOffice('questionPapers', due, 'QuestionPapersDuePage', dueFilters),
    inOffice('awardsDue', due, 'AwardsDuePage', dueFilters),
    inOffice('packets', () => import('#features/shipping/packets/page.tsx'), 'PacketsPage', packetFilters),
    inOffice('packet', () => import('#features/shipping/packets/packet-page.tsx'), 'PacketPage'),
    inOffice('attendance', () => import('#features/exams/attendance/page.tsx'), 'PapersPage', paperFilters),
    inOffice(
      'schedules',
      () => import('#features/exams/schedules/office-page.tsx'),
      'SchedulesPage',
      scheduleFilters,
    ),
    inOffice(
      'questions',
      () => import('#features/questions/office-page.tsx'),
      'OfficeQuestionsPage',
      questionFilters,
    ),
  ]),
])
