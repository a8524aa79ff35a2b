import { currentLocation, useGateLocation } from '#features/accounts/location.ts'
import { followOtherTabs } from '#shell/session.ts'
import { start } from '#shell/start.tsx'
import { type LazyPart, lazyPart } from '#ui/lazy-part.ts'
import { Toaster } from '#ui/toast.tsx'

/**
 * The pages before signing in: a separate entry without router and query cache, because people see them first, on the
 * slowest phones. The rest of the school portal starts with a load of `school.html`.
 */
const pages: Record<string, LazyPart> = {
  '/login': lazyPart(() => import('#features/accounts/sign-in/page.tsx'), 'LoginPage'),
  '/register': lazyPart(() => import('#features/accounts/registration/page.tsx'), 'RegisterPage'),
  '/forgot': lazyPart(() => import('#features/accounts/sign-in/forgot-page.tsx'), 'ForgotPage'),
  '/reset': lazyPart(() => import('#features/accounts/sign-in/reset-page.tsx'), 'ResetPage'),
  '/invitation': lazyPart(() => import('#features/accounts/invitations/page.tsx'), 'InvitationPage'),
}

const pageAt = (path: string) => pages[path] ?? pages['/login']

function Page() {
  const { path, visit } = useGateLocation()
  const Found = pageAt(path)
  return Found ? <Found key={visit} /> : null
}

followOtherTabs()

void start(
  <>
    <Page />
    <Toaster />
  </>,
  async () => pageAt(currentLocation().path)?.load(),
)
