import '#shell/layout-office.css'
import { formatNumber } from '@podium/contract/figures'
import { officeMe } from '@podium/contract/staff/calls'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useLocation, useRouter, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { closeQuestion, useIsAsking } from '#shell/confirm/asking.ts'
import { Frame } from '#shell/frame.tsx'
import { defineWords } from '#shell/language/words.ts'
import { NoPermissionPage, NotFound } from '#shell/load-problem.tsx'
import { officePaths } from '#shell/paths.ts'
import { endpointQuery } from '#shell/query.ts'
import { signedIn, updateSession, useSession } from '#shell/session.ts'
import type { MenuEntry, MenuGroup } from '#shell/side-menu.tsx'
import { signOut } from '#shell/sign-out.ts'
import { lazyDialog } from '#ui/lazy-part.ts'
import type en from '#words/en/office.json'

const minute = 60_000

/**
 * Loads the officer and the counts in the menu; refreshed every minute and on returning to the tab, because others
 * decide too. A changed role takes effect in the menu and on the buttons.
 */
function useOfficeMe() {
  const isSignedIn = useSession() !== undefined
  const me = useQuery({
    ...endpointQuery(officeMe),
    // The page is still drawn while signing out; the call would be refused then.
    enabled: isSignedIn,
    refetchOnWindowFocus: 'always',
    refetchInterval: minute,
  })
  const officer = me.data?.officer
  useEffect(() => {
    const stored = signedIn()
    if (!officer || !stored) return
    const { name: userName, role, permissions } = officer
    const same = stored.role === role && stored.permissions?.join() === permissions.join()
    if (!same || stored.userName !== userName) updateSession({ userName, role, permissions })
  }, [officer])
  return me
}

const words = defineWords<typeof en>(import.meta.glob('#words/*/office.json'))

/** The permission a page needs; pages not listed are open to all officers. */
const needs: Partial<Record<string, string>> = {
  [officePaths.reminders]: 'schools.read',
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
  [officePaths.care]: 'backups.read',
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

/** Returns the name of a role; the role itself if it has none. */
function useRoleName(role: string): string {
  const t = words.use()
  const entry = Object.entries(roleWords).find(([name]) => name === role)
  return entry ? t(entry[1]) : role
}

/** The pages of «Settings»; the menu has one entry for all of them. */
const inSettings = [
  officePaths.settings,
  officePaths.bankAccounts,
  officePaths.staff,
  officePaths.mails,
  officePaths.dataRequests,
  officePaths.incidents,
  officePaths.changes,
  officePaths.jobs,
  officePaths.care,
] as const

/** Returns a function that drops pages which do not exist or which the role can't open. */
function useAvailableEntries() {
  const router = useRouter()
  const user = useSession()
  const paths = new Set(Object.keys(router.routesByPath).map((path) => path.toLowerCase().replace(/\/$/, '')))
  const offered = ({ to }: MenuEntry) => {
    const need = needs[to]
    return paths.has(to.toLowerCase()) && (need === undefined || (user?.permissions?.includes(need) ?? false))
  }
  return (groups: MenuGroup[]) =>
    groups
      .map((group) => ({ ...group, entries: group.entries.filter(offered) }))
      .filter((group) => group.entries.length > 0)
}

/** The pages of «Settings» as side tabs. */
function useSettingsTabs(): MenuEntry[] {
  const t = words.use()
  const waiting = useOfficeMe().data?.waiting
  const [tabs] = useAvailableEntries()([
    {
      key: 'settings',
      entries: [
        { to: officePaths.settings, label: t('general') },
        { to: officePaths.bankAccounts, label: t('bankAccounts'), count: waiting?.accounts },
        { to: officePaths.staff, label: t('staff') },
        { to: officePaths.mails, label: t('mails') },
        { to: officePaths.dataRequests, label: t('dataRequests') },
        { to: officePaths.incidents, label: t('incidents') },
        { to: officePaths.changes, label: t('changes') },
        { to: officePaths.jobs, label: t('jobs') },
        { to: officePaths.care, label: t('care') },
      ],
    },
  ])
  return tabs?.entries ?? []
}

/** The office's menu: everyday pages, in groups that fold. */
function useOfficeMenu(): MenuGroup[] {
  const t = words.use()
  const waiting = useOfficeMe().data?.waiting
  return useAvailableEntries()([
    {
      key: 'overview',
      entries: [{ to: officePaths.overview, label: t('overview'), jump: 'o', icon: 'home' }],
    },
    {
      key: 'schools',
      label: t('groupSchools'),
      icon: 'school',
      entries: [
        { to: officePaths.applications, label: t('applications'), jump: 'a', count: waiting?.applications },
        {
          to: officePaths.schools,
          label: t('schools'),
          jump: 's',
          count: waiting?.contacts,
          covers: [officePaths.schools],
        },
        { to: officePaths.students, label: t('students'), jump: 't', covers: [officePaths.students] },
        { to: officePaths.reminders, label: t('reminders'), jump: 'm' },
      ],
    },
    {
      key: 'money',
      label: t('groupMoney'),
      icon: 'rupee',
      entries: [
        { to: officePaths.payments, label: t('payments'), jump: 'p', count: waiting?.payments },
        { to: officePaths.statements, label: t('statements'), jump: 'b', count: waiting?.bankLines },
        { to: officePaths.receipts, label: t('receipts'), jump: 'i' },
        { to: officePaths.credits, label: t('credits'), jump: 'c', count: waiting?.refunds },
        { to: officePaths.ledger, label: t('ledger'), jump: 'l' },
        { to: officePaths.closing, label: t('closing'), jump: 'y' },
        { to: officePaths.waivers, label: t('waivers'), jump: 'w', count: waiting?.waivers },
      ],
    },
    {
      key: 'dispatch',
      label: t('groupDispatch'),
      icon: 'box',
      entries: [
        { to: officePaths.bookOrders, label: t('bookOrders'), jump: 'k' },
        { to: officePaths.questionPapers, label: t('questionPapers') },
        { to: officePaths.awardsDue, label: t('awardsDue') },
        { to: officePaths.packets, label: t('packets'), jump: 'd', covers: [officePaths.packets] },
      ],
    },
    {
      key: 'exams',
      label: t('groupExams'),
      icon: 'flag',
      entries: [
        { to: officePaths.schedules, label: t('schedules') },
        { to: officePaths.attendance, label: t('attendance'), jump: 'e' },
        { to: officePaths.results, label: t('results'), jump: 'r', covers: [officePaths.results] },
        { to: officePaths.nextLevel, label: t('nextLevel'), covers: [officePaths.nextLevel] },
        { to: officePaths.questions, label: t('questions'), jump: 'q' },
      ],
    },
    {
      key: 'office',
      label: t('groupOffice'),
      icon: 'settings',
      entries: [
        { to: officePaths.notices, label: t('notices'), jump: 'n' },
        { to: officePaths.catalogue, label: t('catalogue'), jump: 'f', covers: [officePaths.catalogue] },
        { to: officePaths.settings, label: t('settings'), count: waiting?.accounts, covers: inSettings },
      ],
    },
  ])
}

/** All office pages the palette can find: those in the menu and in «Settings», sub-pages, the officer's own account. */
function useOfficePages(): MenuGroup[] {
  const t = words.use()
  const may = useSession()?.permissions ?? []
  const entries = [
    { to: officePaths.schoolImport, label: t('doImport'), need: 'schools.write' },
    { to: officePaths.schoolLetters, label: t('doLetters'), need: 'schools.codes' },
    { to: officePaths.schoolMailings, label: t('doMail'), need: 'mailings.send' },
    { to: officePaths.statements, label: t('doStatement'), need: 'payments.decide' },
    { to: officePaths.catalogueOpen, label: t('doSeason'), need: 'catalogue.write' },
    { to: officePaths.catalogueLists, label: t('doLists'), need: 'catalogue.read' },
  ].filter(({ need }) => may.includes(need))
  const settings = useSettingsTabs().map((entry) =>
    entry.to === officePaths.settings ? { ...entry, label: t('settings') } : entry,
  )
  const menu = useOfficeMenu().map((group) => ({
    ...group,
    entries: group.entries.filter(({ to }) => to !== officePaths.settings),
  }))
  return [
    ...menu,
    { key: 'settings', label: t('settings'), entries: settings },
    { key: 'ways', entries },
    { key: 'account', entries: [{ to: officePaths.account, label: t('account') }] },
  ]
}

/** Whether the role lacks the permission for the current page or its parent. */
function useIsForbidden(): boolean {
  const user = useSession()
  const currentPath = useLocation({ select: ({ pathname }) => pathname.toLowerCase() })
  const needed = Object.entries(needs).filter(
    ([path]) => currentPath === path || currentPath.startsWith(`${path}/`),
  )
  return needed.some(([, need]) => need && user && !user.permissions?.includes(need))
}

/** The office's layout around every page, or around `instead` if there is no page. */
export function Layout({ instead }: { instead?: ReactNode }) {
  const t = words.use()
  const user = useSession()
  const router = useRouter()
  const leave = (everywhere: boolean) => signOut(everywhere, () => router.navigate({ to: officePaths.login }))
  return (
    <>
      <Frame
        groups={useOfficeMenu()}
        pages={useOfficePages()}
        account={{ to: officePaths.account, label: t('account') }}
        instead={useIsForbidden() ? <NoPermissionPage level={1} /> : instead}
        folds
        records
        seasons={useOfficeMe().data?.seasons}
        start={officePaths.overview}
        userName={user?.userName ?? ''}
        role={useRoleName(user?.role ?? '')}
        onSignOut={(everywhere) => void leave(everywhere)}
      />
      <Confirming />
    </>
  )
}

/** Shown at an address without a page. */
export function OfficeNotFound() {
  return <NotFound frame={Layout} />
}

/** The pages of «Settings» with their side tabs; each has its own address. */
export function SettingsLayout() {
  const t = words.use()
  const tabs = useSettingsTabs()
  const nav = useRef<HTMLElement>(null)
  // On a narrow screen the tabs are a row, and the current one may be out of view.
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div className="with-side">
      <nav className="side-tabs" ref={nav} aria-label={t('settings')}>
        {tabs.map(({ to, label, count }) => (
          <Link
            key={to}
            to={to}
            activeOptions={{ exact: to === officePaths.settings, includeSearch: false }}
            activeProps={{ 'aria-current': 'page' }}>
            {label}
            {count ? <span className="n">{formatNumber(count)}</span> : null}
          </Link>
        ))}
      </nav>
      <div>
        <Outlet />
      </div>
    </div>
  )
}

const ProofDialog = lazyDialog(() => import('#shell/confirm/proof-dialog.tsx'), 'ProofDialog')

/** Shows the dialog of `askToConfirm`; rendered once, in the office's layout. Leaving the page cancels it. */
function Confirming() {
  const asking = useIsAsking()
  const page = useRouterState({ select: ({ location }) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is what ends it
  useEffect(() => () => closeQuestion(false), [page])
  return asking && <ProofDialog />
}
