import { index, root, schoolArea, signedInArea } from './areas.tsx'
import { attendance } from './attendance.tsx'
import { bookOrder } from './book-order.tsx'
import { bookIndex, bookSummary } from './book-summary.tsx'
import { carryOver } from './carry-over.tsx'
import { contactDetails } from './contact-details.tsx'
import { dashboard } from './dashboard.tsx'
import { dataRequests } from './data-requests.tsx'
import { examDate } from './exam-date.tsx'
import { examSchedule } from './exam-schedule.tsx'
import { finalSummary } from './final-summary.tsx'
import { forgot, invitation, login, register, reset } from './gate.tsx'
import { gridEntry } from './grid-entry.tsx'
import { importDesk } from './import-desk.tsx'
import { managePayment } from './manage-payment.tsx'
import { questionStatus } from './question-status.tsx'
import { awards, medalList, nextLevel, prizes, resultIndex, viewResult } from './results.tsx'
import { schoolDetail } from './school-detail.tsx'
import { schoolDetails, schoolIndex } from './school-details.tsx'
import { signOff } from './sign-off.tsx'
import { staff } from './staff.tsx'
import { studentEntry } from './student-entry.tsx'
import { studentSummary } from './student-summary.tsx'
import { teacherQuestion } from './teacher-question.tsx'
import { topAreas } from './top-areas.tsx'
import { importantLinkIndex, trackOrder } from './track-order.tsx'
import { uploadForm } from './upload-form.tsx'

/**
 * The route tree of the school portal. A page is a file beside this one that exports its route, and one line here:
 * in `root` (public), `signedInArea` (signed in) or `schoolArea` (a registered school).
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
    // Pages for signed-in people.
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
