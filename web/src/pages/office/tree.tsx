import { applications } from './applications.tsx'
import { officeArea, root, settingsArea } from './areas.tsx'
import { attendance } from './attendance.tsx'
import { changes } from './audit-log.tsx'
import { care } from './backups.tsx'
import { statements } from './bank.tsx'
import { catalogue, catalogueEvent, catalogueLists, catalogueOpen } from './catalogue.tsx'
import { dataRequests } from './data-requests.tsx'
import { incident, incidents } from './incidents.tsx'
import { bankAccounts, closing, credits, ledger, receipts } from './ledger.tsx'
import { login } from './login.tsx'
import { mails } from './mails.tsx'
import { notices } from './notices.tsx'
import { overview, reminders } from './overview.tsx'
import { payments } from './payments.tsx'
import { questions } from './questions.tsx'
import { nextLevel, nextLevelEvent, resultEvent, results, schoolPreview } from './results.tsx'
import { schedules } from './schedules.tsx'
import { school, schoolImport, schoolLetters, schoolMerge, schools } from './schools.tsx'
import { setUp } from './set-up.tsx'
import { jobs, settings } from './settings.tsx'
import { awardsDue, bookOrders, packet, packets, questionPapers } from './shipping.tsx'
import { account, join, staff } from './staff.tsx'
import { student, students } from './students.tsx'
import { waivers } from './waivers.tsx'

/**
 * The route tree of the office. A page is a file beside this one that exports its route, and one line here: in `root`
 * (public: /office/login) or `officeArea`. Its menu entry stands in menu.ts.
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
