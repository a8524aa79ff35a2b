import { signInOptions } from '@podium/contract/accounts/calls'
import { useRouter } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { Frame } from './frame.tsx'
import { useSchoolMenu } from './menu-school.ts'
import { paths } from './paths.ts'
import { useEndpoint } from './query.ts'
import { useSession } from './session.ts'
import { signOut } from './sign-out.ts'
import { words } from './words.ts'

const VisitBanner = lazy(() => import('./act-as-school-banner.tsx').then((m) => ({ default: m.VisitBanner })))

/** The school's frame around every page for signed-in people. */
export function SchoolLayout() {
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
  const school = user?.schName && user.schCode ? { name: user.schName, code: user.schCode } : undefined
  const actions = [
    { to: paths.gridEntry, label: t('doGrid') },
    { to: paths.importDesk, label: t('doImport') },
    { to: paths.managePayment, label: t('doPay') },
  ]
  const inSchool = Boolean(user?.schId)
  return (
    <Frame
      groups={groups}
      pages={inSchool ? [...groups, { key: 'actions', label: t('doActions'), entries: actions }] : groups}
      students={inSchool}
      start={paths.dashboard}
      userName={user?.userName ?? ''}
      school={school}
      menuNote={user?.schId ? undefined : t('needsSchool')}
      phone={support.data?.supportPhone}
      banner={
        user?.visit && (
          <Suspense>
            <VisitBanner user={user} visit={user.visit} />
          </Suspense>
        )
      }
      onSignOut={(everywhere) => void leave(everywhere)}
    />
  )
}
