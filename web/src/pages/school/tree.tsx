import { type AnyRoute, createRootRoute, createRoute, redirect } from '@tanstack/react-router'
import { scheduleFilters } from '#features/exams/schedules/filters.ts'
import { paymentFilters } from '#features/payments/submission/filters.ts'
import { resultFilters } from '#features/results/filters.ts'
import { contactFilters } from '#features/schools/contacts/filters.ts'
import { importFilters, studentFilters } from '#features/students/filters.ts'
import { pageFilters, seasonFilters } from '#shell/filters.ts'
import { requireSchool, requireSchoolOrTeacher, requireSignIn } from '#shell/guard.ts'
import { paths } from '#shell/paths.ts'
import { page, routesIn } from '#shell/router.ts'
import { seasonInAddress, syncSeason } from '#shell/season.ts'

const root = createRootRoute({
  notFoundComponent: page(() => import('#shell/layout-school.tsx'), 'SchoolNotFound'),
})

interface GateSearch {
  id?: string
  returnurl?: string
  /** The session expired, with (`kept`) or without (`yes`) saved drafts; or it ended because its token was reused */
  ended?: 'kept' | 'yes' | 'reused'
}

/** Reads the search parameters of the sign-in and registration pages. */
const gateSearch = ({ id, returnurl, ended }: Record<string, unknown>): GateSearch => ({
  ...(typeof id === 'string' ? { id } : {}),
  ...(typeof returnurl === 'string' ? { returnurl } : {}),
  ...(ended === 'kept' || ended === 'yes' || ended === 'reused' ? { ended } : {}),
})

/** The root redirects to the sign-in and keeps the return address. */
const index = createRoute({
  getParentRoute: () => root,
  path: paths.root,
  validateSearch: gateSearch,
  beforeLoad: ({ search }) => {
    throw redirect({ to: paths.login, search })
  },
})

/** The layout of every page for signed-in users; parent of the dashboard. */
const signedInArea = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  ...seasonInAddress,
  beforeLoad: (opened) => {
    requireSignIn(opened)
    syncSeason(opened)
  },
  component: page(() => import('#shell/layout-school.tsx'), 'SchoolLayout'),
})

/** Pages that need a registered school; others are sent to the dashboard. */
const schoolArea = createRoute({
  getParentRoute: () => signedInArea,
  id: 'school',
  beforeLoad: requireSchool,
})

const results = () => import('#features/results/page.tsx')

const inSchool = routesIn(schoolArea, paths)

/** An area's own address redirects to its first page (specification, 2.1), which checks access itself. */
const firstOf = (area: AnyRoute, path: string, to: string) =>
  createRoute({
    getParentRoute: () => area,
    path,
    beforeLoad: () => {
      throw redirect({ to, replace: true })
    },
  })

/**
 * Top-level areas of the specification (2.1) that its own links never use: each redirects to its first page, and longer
 * addresses to the page of the same name. `shared` held a placeholder.
 */
const firstPages = {
  'manage-student': paths.studentEntry,
  'manage-book': '/books',
  'manage-result': '/result',
  'importaant-link': '/Importantlink',
  shared: paths.dashboard,
} as const

const topAreas = Object.entries(firstPages).map(([area, first]) =>
  createRoute({
    getParentRoute: () => root,
    path: `/${area}/$`,
    beforeLoad: ({ params, search }) => {
      throw redirect({ to: params._splat ? `/${params._splat}` : first, search, replace: true })
    },
  }),
)

/**
 * The pages before signing in are a separate entry (pages/gate): this router knows their addresses and loads that
 * entry.
 */
interface LeavingRoute {
  location: { href: string }
  preload: boolean
}
const leave = ({ location, preload }: LeavingRoute) => {
  if (!preload) throw redirect({ href: location.href, reloadDocument: true })
}

const gate = <Path extends string>(path: Path) =>
  createRoute({ getParentRoute: () => root, path, validateSearch: gateSearch, beforeLoad: leave })

/** Also open to users whose school is still being verified (specification, 2.1). */
const managePayment = createRoute({
  getParentRoute: () => signedInArea,
  path: paths.managePayment,
  validateSearch: paymentFilters.validate,
  beforeLoad: requireSchoolOrTeacher,
  component: page(() => import('#features/payments/submission/page.tsx'), 'ManagePaymentPage'),
})

/**
 * The school portal's route tree: each address with its page, and the filters that the address keeps. A page is in
 * `root` (public), `signedInArea` (signed in) or `schoolArea` (a registered school).
 */
export const tree = root.addChildren([
  index,
  // Public pages.
  gate(paths.login),
  gate(paths.register),
  gate(paths.forgot),
  gate(paths.reset),
  gate(paths.invitation),
  routesIn(root, paths)(
    'schoolDetail',
    () => import('#features/accounts/registration/school-detail-page.tsx'),
    'SchoolDetailPage',
  ),
  ...topAreas,
  signedInArea.addChildren([
    // Pages for signed-in users; the dashboard is also for users without a school yet and shows them the next step.
    routesIn(signedInArea, paths)('dashboard', () => import('./dashboard-page.tsx'), 'DashboardPage'),
    managePayment,
    firstOf(signedInArea, '/Importantlink', paths.managePayment),
    schoolArea.addChildren([
      // Pages of a registered school.
      inSchool(
        'studentEntry',
        () => import('#features/students/entry/students-page.tsx'),
        'StudentsPage',
        studentFilters,
      ),
      inSchool('carryOver', () => import('#features/students/carry-over/page.tsx'), 'CarryPage'),
      inSchool('gridEntry', () => import('#features/students/grid/page.tsx'), 'GridPage'),
      inSchool('importDesk', () => import('#features/students/import/page.tsx'), 'ImportPage', importFilters),
      inSchool(
        'dataRequests',
        () => import('#features/privacy/requests/school-page.tsx'),
        'SchoolRequestsPage',
        pageFilters,
      ),
      inSchool(
        'studentSummary',
        () => import('#features/students/lists/summary-pages.tsx'),
        'StudentReportPage',
      ),
      inSchool(
        'finalSummary',
        () => import('#features/students/lists/summary-pages.tsx'),
        'FinalSummaryPage',
        seasonFilters,
      ),
      inSchool('uploadForm', () => import('#features/students/lists/upload-form-page.tsx'), 'UploadFormPage'),
      inSchool('signOff', () => import('#features/students/sign-off/page.tsx'), 'SignOffPage'),
      firstOf(schoolArea, '/books', paths.bookOrder),
      inSchool('bookOrder', () => import('#features/books/orders/page.tsx'), 'BookOrderPage'),
      inSchool('bookSummary', () => import('#features/books/summary/page.tsx'), 'BookSummaryPage'),
      firstOf(schoolArea, '/result', paths.viewResult),
      inSchool('viewResult', results, 'ViewResultPage', resultFilters),
      inSchool('medalList', results, 'MedalListPage', resultFilters),
      inSchool('awards', results, 'AwardsPage', resultFilters),
      inSchool('prizes', results, 'PrizesPage', resultFilters),
      inSchool(
        'nextLevel',
        () => import('#features/results/next-level/school-page.tsx'),
        'SchoolInvitationsPage',
      ),
      inSchool(
        'contactDetails',
        () => import('#features/schools/contacts/page.tsx'),
        'ContactsPage',
        contactFilters,
      ),
      inSchool('schoolStaff', () => import('#features/accounts/invitations/members-page.tsx'), 'StaffPage'),
      firstOf(schoolArea, '/School', paths.schoolDetails),
      inSchool('schoolDetails', () => import('#features/schools/details/page.tsx'), 'SchoolDetailsPage'),
      inSchool('examDate', () => import('#features/exams/dates/page.tsx'), 'ExamDatesPage', seasonFilters),
      inSchool('attendance', () => import('#features/exams/attendance/school-page.tsx'), 'AttendancePage'),
      inSchool('trackOrder', () => import('#features/shipping/tracking/page.tsx'), 'TrackOrderPage'),
      inSchool(
        'questionPaperStatus',
        () => import('#features/shipping/tracking/page.tsx'),
        'QuestionPapersPage',
      ),
      inSchool(
        'examScheduleStatus',
        () => import('#features/exams/schedules/page.tsx'),
        'ExamSchedulePage',
        scheduleFilters,
      ),
      inSchool('teacherQuestion', () => import('#features/questions/page.tsx'), 'TeacherQuestionPage'),
    ]),
  ]),
])
