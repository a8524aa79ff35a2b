import { createRoute, redirect } from '@tanstack/react-router'
import { scheduleFilters } from '#features/exams/schedules/filters.ts'
import { paymentFilters } from '#features/payments/submission/filters.ts'
import { resultFilters } from '#features/results/filters.ts'
import { contactFilters } from '#features/schools/contacts/filters.ts'
import { importFilters, studentFilters } from '#features/students/filters.ts'
import { pageFilters } from '#shell/filters.ts'
import { requireSchoolOrTeacher } from '#shell/guard.ts'
import { seasonFilters } from '#shell/own-season.tsx'
import { paths } from '#shell/paths.ts'
import { page } from '#shell/router.ts'
import { gateSearch, index, root, schoolArea, signedInArea } from './areas.tsx'

const dataRequests = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.dataRequests,
  validateSearch: pageFilters.validate,
  component: page(() => import('#features/privacy/requests/school-page.tsx'), 'SchoolRequestsPage'),
})

const pages = () => import('#features/results/page.tsx')

const resultIndex = createRoute({
  getParentRoute: () => schoolArea,
  path: '/result',
  beforeLoad: () => {
    throw redirect({ to: paths.viewResult, replace: true })
  },
})

const viewResult = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.viewResult,
  validateSearch: resultFilters.validate,
  component: page(pages, 'ViewResultPage'),
})

const medalList = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.medalList,
  validateSearch: resultFilters.validate,
  component: page(pages, 'MedalListPage'),
})

const awards = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.awards,
  validateSearch: resultFilters.validate,
  component: page(pages, 'AwardsPage'),
})

const prizes = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.prizes,
  validateSearch: resultFilters.validate,
  component: page(pages, 'PrizesPage'),
})

const nextLevel = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.nextLevel,
  component: page(() => import('#features/results/next-level/school-page.tsx'), 'SchoolInvitationsPage'),
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

const login = gate(paths.login)
const register = gate(paths.register)
const forgot = gate(paths.forgot)
const reset = gate(paths.reset)
const invitation = gate(paths.invitation)

/** The area's own address redirects to its first page (specification, 2.1), which checks access itself. */
const importantLinkIndex = createRoute({
  getParentRoute: () => signedInArea,
  path: '/Importantlink',
  beforeLoad: () => {
    throw redirect({ to: paths.managePayment, replace: true })
  },
})

const trackOrder = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.trackOrder,
  component: page(() => import('#features/shipping/tracking/page.tsx'), 'TrackOrderPage'),
})

/** The area's own address redirects to the details (specification, 2.1). */
const schoolIndex = createRoute({
  getParentRoute: () => schoolArea,
  path: '/School',
  beforeLoad: () => {
    throw redirect({ to: paths.schoolDetails, replace: true })
  },
})

const schoolDetails = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.schoolDetails,
  component: page(() => import('#features/schools/details/page.tsx'), 'SchoolDetailsPage'),
})

/** The area's own address redirects to the order (specification, 2.1). */
const bookIndex = createRoute({
  getParentRoute: () => schoolArea,
  path: '/books',
  beforeLoad: () => {
    throw redirect({ to: paths.bookOrder, replace: true })
  },
})

const bookSummary = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.bookSummary,
  component: page(() => import('#features/books/summary/page.tsx'), 'BookSummaryPage'),
})

/** Also open to users whose school is still being verified (specification, 2.1). */
const managePayment = createRoute({
  getParentRoute: () => signedInArea,
  path: paths.managePayment,
  validateSearch: paymentFilters.validate,
  beforeLoad: requireSchoolOrTeacher,
  component: page(() => import('#features/payments/submission/page.tsx'), 'ManagePaymentPage'),
})

const studentEntry = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.studentEntry,
  validateSearch: studentFilters.validate,
  component: page(() => import('#features/students/entry/students-page.tsx'), 'StudentsPage'),
})

const importDesk = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.importDesk,
  validateSearch: importFilters.validate,
  component: page(() => import('#features/students/import/page.tsx'), 'ImportPage'),
})

const finalSummary = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.finalSummary,
  validateSearch: seasonFilters.validate,
  component: page(() => import('#features/students/lists/summary-pages.tsx'), 'FinalSummaryPage'),
})

const examSchedule = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.examScheduleStatus,
  validateSearch: scheduleFilters.validate,
  component: page(() => import('#features/exams/schedules/page.tsx'), 'ExamSchedulePage'),
})

const examDate = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.examDate,
  validateSearch: seasonFilters.validate,
  component: page(() => import('#features/exams/dates/page.tsx'), 'ExamDatesPage'),
})

const contactDetails = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.contactDetails,
  validateSearch: contactFilters.validate,
  component: page(() => import('#features/schools/contacts/page.tsx'), 'ContactsPage'),
})

/** Also for users without a school yet; it shows them the next step. */
const dashboard = createRoute({
  getParentRoute: () => signedInArea,
  path: paths.dashboard,
  component: page(() => import('./dashboard-page.tsx'), 'DashboardPage'),
})

const uploadForm = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.uploadForm,
  component: page(() => import('#features/students/lists/upload-form-page.tsx'), 'UploadFormPage'),
})

const teacherQuestion = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.teacherQuestion,
  component: page(() => import('#features/questions/page.tsx'), 'TeacherQuestionPage'),
})

const studentSummary = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.studentSummary,
  component: page(() => import('#features/students/lists/summary-pages.tsx'), 'StudentReportPage'),
})

const staff = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.schoolStaff,
  component: page(() => import('#features/accounts/invitations/members-page.tsx'), 'StaffPage'),
})

const signOff = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.signOff,
  component: page(() => import('#features/students/sign-off/page.tsx'), 'SignOffPage'),
})

const schoolDetail = createRoute({
  getParentRoute: () => root,
  path: paths.schoolDetail,
  component: page(() => import('#features/accounts/registration/school-detail-page.tsx'), 'SchoolDetailPage'),
})

const questionStatus = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.questionPaperStatus,
  component: page(() => import('#features/shipping/tracking/page.tsx'), 'QuestionPapersPage'),
})

const gridEntry = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.gridEntry,
  component: page(() => import('#features/students/grid/page.tsx'), 'GridPage'),
})

const carryOver = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.carryOver,
  component: page(() => import('#features/students/carry-over/page.tsx'), 'CarryPage'),
})

const bookOrder = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.bookOrder,
  component: page(() => import('#features/books/orders/page.tsx'), 'BookOrderPage'),
})

const attendance = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.attendance,
  component: page(() => import('#features/exams/attendance/school-page.tsx'), 'AttendancePage'),
})

/**
 * The school portal's route tree. To add a page, export its route from a file beside this one and add a line here, in
 * `root` (public), `signedInArea` (signed in) or `schoolArea` (a registered school).
 */
export const tree = root.addChildren([
  index,
  // Public pages.
  login,
  register,
  forgot,
  reset,
  invitation,
  schoolDetail,
  ...topAreas,
  signedInArea.addChildren([
    // Pages for signed-in users.
    dashboard,
    managePayment,
    importantLinkIndex,
    schoolArea.addChildren([
      // Pages of a registered school.
      studentEntry,
      carryOver,
      gridEntry,
      importDesk,
      dataRequests,
      studentSummary,
      finalSummary,
      uploadForm,
      signOff,
      bookIndex,
      bookOrder,
      bookSummary,
      resultIndex,
      viewResult,
      medalList,
      awards,
      prizes,
      nextLevel,
      contactDetails,
      staff,
      schoolIndex,
      schoolDetails,
      examDate,
      attendance,
      trackOrder,
      questionStatus,
      examSchedule,
      teacherQuestion,
    ]),
  ]),
])
