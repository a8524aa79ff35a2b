import { useRouter } from '@tanstack/react-router'
import { useOfficeMe } from '#features/staff/use-office-me.ts'
import type { MenuEntry, MenuGroup } from '#shell/frame-types.ts'
import { officePaths } from '#shell/paths.ts'
import { useSession } from '#shell/session.ts'
import { words } from './words.ts'

/** What the sign-in must include for a page to be of use; pages not named here are open to every member of staff. */
const needs: Partial<Record<string, string>> = {
  [officePaths.applications]: 'schools.read',
  [officePaths.schools]: 'schools.read',
  [officePaths.students]: 'students.read',
  [officePaths.waivers]: 'waivers.read',
  [officePaths.payments]: 'payments.read',
  [officePaths.statements]: 'payments.read',
  [officePaths.receipts]: 'payments.read',
  [officePaths.credits]: 'payments.read',
  [officePaths.ledger]: 'payments.read',
  [officePaths.closing]: 'payments.read',
  [officePaths.bankAccounts]: 'payments.read',
  [officePaths.results]: 'results.read',
  [officePaths.nextLevel]: 'results.read',
  [officePaths.notices]: 'notices.read',
  [officePaths.catalogue]: 'catalogue.read',
  [officePaths.bookOrders]: 'dispatch.read',
  [officePaths.packets]: 'dispatch.read',
  [officePaths.questionPapers]: 'dispatch.read',
  [officePaths.awardsDue]: 'dispatch.read',
  [officePaths.schedules]: 'exams.read',
  [officePaths.attendance]: 'exams.read',
  [officePaths.questions]: 'questions.read',
  [officePaths.staff]: 'staff.manage',
  [officePaths.changes]: 'changes.read',
  [officePaths.mails]: 'mails.read',
  [officePaths.care]: 'care.read',
  [officePaths.dataRequests]: 'privacy.read',
  [officePaths.incidents]: 'incidents.read',
}

const roleWords = {
  owner: 'roleOwner',
  operations: 'roleOperations',
  accounts: 'roleAccounts',
  results: 'roleResults',
  viewer: 'roleViewer',
} as const

/** A role of the office in words; one that has none stays as it is. */
export function useRoleName(role: string): string {
  const t = words.use()
  const known = Object.entries(roleWords).find(([name]) => name === role)
  return known ? t(known[1]) : role
}

/** The office's menu; an entry appears once the route tree has its page. */
export function useOfficeMenu(): MenuGroup[] {
  const t = words.use()
  const router = useRouter()
  const user = useSession()
  const role = useRoleName(user?.role ?? '')
  const waiting = useOfficeMe().data?.waiting
  const known = new Set(Object.keys(router.routesByPath).map((path) => path.toLowerCase().replace(/\/$/, '')))
  const groups: MenuGroup[] = [
    { key: 'overview', entries: [{ to: officePaths.overview, label: t('overview'), icon: 'home' }] },
    {
      key: 'schools',
      label: t('groupSchools'),
      icon: 'school',
      entries: [
        { to: officePaths.applications, label: t('applications'), count: waiting?.applications },
        { to: officePaths.schools, label: t('schools'), count: waiting?.contacts },
        { to: officePaths.students, label: t('students') },
      ],
    },
    {
      key: 'money',
      label: t('groupMoney'),
      icon: 'rupee',
      entries: [
        { to: officePaths.payments, label: t('payments'), count: waiting?.payments },
        { to: officePaths.statements, label: t('statements'), count: waiting?.bankLines },
        { to: officePaths.receipts, label: t('receipts') },
        { to: officePaths.credits, label: t('credits'), count: waiting?.refunds },
        { to: officePaths.ledger, label: t('ledger') },
        { to: officePaths.closing, label: t('closing') },
        { to: officePaths.bankAccounts, label: t('bankAccounts'), count: waiting?.accounts },
        { to: officePaths.waivers, label: t('waivers'), count: waiting?.waivers },
      ],
    },
    {
      key: 'dispatch',
      label: t('groupDispatch'),
      icon: 'box',
      entries: [
        { to: officePaths.bookOrders, label: t('bookOrders') },
        { to: officePaths.packets, label: t('packets') },
        { to: officePaths.questionPapers, label: t('questionPapers') },
        { to: officePaths.awardsDue, label: t('awardsDue') },
      ],
    },
    {
      key: 'exams',
      label: t('groupExams'),
      icon: 'flag',
      entries: [
        { to: officePaths.exams, label: t('exams') },
        { to: officePaths.schedules, label: t('schedules') },
        { to: officePaths.attendance, label: t('attendance') },
        { to: officePaths.results, label: t('results') },
        { to: officePaths.nextLevel, label: t('nextLevel') },
        { to: officePaths.questions, label: t('questions') },
      ],
    },
    {
      key: 'office',
      label: t('groupOffice'),
      icon: 'settings',
      entries: [
        { to: officePaths.notices, label: t('notices') },
        { to: officePaths.catalogue, label: t('catalogue') },
        { to: officePaths.mails, label: t('mails') },
        { to: officePaths.staff, label: t('staff') },
        { to: officePaths.changes, label: t('changes') },
        { to: officePaths.jobs, label: t('jobs') },
        { to: officePaths.dataRequests, label: t('dataRequests') },
        { to: officePaths.incidents, label: t('incidents') },
        { to: officePaths.care, label: t('care') },
        { to: officePaths.settings, label: t('settings') },
        { to: officePaths.account, label: t('account') },
      ],
    },
  ]
  const offered = (entry: MenuEntry): MenuEntry => {
    const need = needs[entry.to]
    const may = need === undefined || user?.permissions?.includes(need)
    return may ? entry : { ...entry, count: undefined, disabled: t('notYourRole', { role }) }
  }
  return groups
    .map((group) => ({
      ...group,
      entries: group.entries.filter(({ to }) => known.has(to.toLowerCase())).map(offered),
    }))
    .filter((group) => group.entries.length > 0)
}
