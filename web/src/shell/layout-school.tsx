import { signInOptions } from '@podium/contract/accounts/calls'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, Suspense, startTransition, useState } from 'react'
import { lazyPart } from '#ui/lazy-part.ts'
import { Frame } from './frame.tsx'
import { NotFound } from './load-problem.tsx'
import { countGridRows } from './own-draft.ts'
import { paths } from './paths.ts'
import { useEndpoint } from './query.ts'
import { useSeason } from './season.ts'
import { useSession } from './session.ts'
import type { MenuEntry, MenuGroup } from './side-menu.tsx'
import { signOut } from './sign-out.ts'
import { words } from './words.ts'

const SignOutDialog = lazyPart(() => import('./leave-dialog.tsx'), 'SignOutDialog')
const ActAsSchoolBanner = lazyPart(() => import('./act-as-school-banner.tsx'), 'ActAsSchoolBanner')

/** The school's layout around every page for signed-in users, or around `instead` if there is no page. */
export function SchoolLayout({ instead }: { instead?: ReactNode }) {
  const groups = useSchoolMenu()
  const user = useSession()
  const t = words.use()
  const router = useRouter()
  const support = useEndpoint(signInOptions)
  const leave = async (everywhere: boolean) => {
    const { returnurl } = router.state.location.search as { returnurl?: string }
    const search = returnurl ? { returnurl } : {}
    await signOut(everywhere, () => router.navigate({ to: paths.login, search }))
  }
  const season = useSeason()
  const [asked, setAsked] = useState<{ everywhere: boolean; rows: number }>()
  const askToLeave = (everywhere: boolean) => {
    const rows = countGridRows(season)
    if (rows > 0) startTransition(() => setAsked({ everywhere, rows }))
    else void leave(everywhere)
  }
  const school = user?.schName && user.schCode ? { name: user.schName, code: user.schCode } : undefined
  const actions = [
    { to: paths.gridEntry, label: t('doGrid') },
    { to: paths.importDesk, label: t('doImport') },
    { to: paths.managePayment, label: t('doPay') },
  ]
  const inSchool = Boolean(user?.schId)
  const closed = useClosedReason()
  return (
    <>
      <Frame
        groups={groups}
        pages={inSchool ? [...groups, { key: 'actions', label: t('doActions'), entries: actions }] : groups}
        students={inSchool}
        start={paths.dashboard}
        userName={user?.userName ?? ''}
        school={school}
        menuNote={closed}
        phone={support.data?.supportPhone}
        banner={
          user?.acting && (
            <Suspense>
              <ActAsSchoolBanner user={user} acting={user.acting} />
            </Suspense>
          )
        }
        instead={instead}
        onSignOut={askToLeave}
      />
      <Suspense>
        {asked && (
          <SignOutDialog
            rows={asked.rows}
            onSignOut={() => void leave(asked.everywhere)}
            onStay={() => setAsked(undefined)}
          />
        )}
      </Suspense>
    </>
  )
}

/** Shown at an address without a page. */
export function SchoolNotFound() {
  return <NotFound frame={SchoolLayout} />
}

/** Why the pages of a school are not open yet: it is to be registered, or to be verified. */
function useClosedReason(): string | undefined {
  const t = words.use()
  const user = useSession()
  if (!user || user.schId) return undefined
  return t(user.teacherId ? 'needsVerification' : 'needsSchool')
}

/** The school's menu as in the specification (2.2); an entry appears once the route tree has its page. */
function useSchoolMenu(): MenuGroup[] {
  const t = words.use()
  const router = useRouter()
  const routePaths = new Set(Object.keys(router.routesByPath).map((path) => path.toLowerCase()))
  const reason = useClosedReason()
  const entry = (to: string, label: string): MenuEntry => ({ to, label, disabled: reason })
  const groups: MenuGroup[] = [
    { key: 'home', entries: [{ to: paths.dashboard, label: t('home'), icon: 'home' }] },
    {
      key: 'school',
      label: t('groupSchool'),
      icon: 'school',
      entries: [
        entry(paths.schoolDetails, t('schoolDetails')),
        entry(paths.examDate, t('examDate')),
        entry(paths.attendance, t('attendance')),
        entry(paths.contactDetails, t('contactDetail')),
        entry(paths.schoolStaff, t('schoolStaff')),
      ],
    },
    {
      key: 'students',
      label: t('groupStudents'),
      icon: 'users',
      entries: [
        entry(paths.studentEntry, t('addStudent')),
        entry(paths.studentSummary, t('studentReport')),
        entry(paths.finalSummary, t('studentSummary')),
        entry(paths.uploadForm, t('uploadForm')),
        entry(paths.signOff, t('signOff')),
        entry(paths.dataRequests, t('dataRequests')),
      ],
    },
    {
      key: 'books',
      label: t('groupBooks'),
      icon: 'book',
      entries: [entry(paths.bookOrder, t('bookOrder')), entry(paths.bookSummary, t('bookSummary'))],
    },
    {
      key: 'results',
      label: t('groupResults'),
      icon: 'medal',
      entries: [
        entry(paths.viewResult, t('viewResult')),
        entry(paths.medalList, t('medalList')),
        entry(paths.awards, t('awards')),
        entry(paths.prizes, t('prizes')),
        entry(paths.nextLevel, t('nextLevel')),
      ],
    },
    {
      key: 'payments',
      label: t('groupPayments'),
      icon: 'rupee',
      entries: [
        entry(paths.managePayment, t('managePayments')),
        entry(paths.questionPaperStatus, t('questionPaperStatus')),
        entry(paths.examScheduleStatus, t('examScheduleStatus')),
        entry(paths.trackOrder, t('trackOrder')),
        entry(paths.teacherQuestion, t('teacherQuestion')),
      ],
    },
  ]
  return groups
    .map((group) => ({
      ...group,
      entries: group.entries.filter(({ to }) => routePaths.has(to.toLowerCase())),
    }))
    .filter((group) => group.entries.length > 0)
}
