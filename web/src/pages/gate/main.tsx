import { placeNow, usePlace } from '#features/accounts/place.ts'
import { start } from '#shell/start.tsx'
import { type Part, part } from '#ui/part.ts'
import { Toaster } from '#ui/toast.tsx'

/**
 * The pages before signing in: a separate entry without router and query cache, because people see them first, on the
 * slowest phones. The rest of the school portal starts with a load of `school.html`.
 */
const pages: Record<string, Part> = {
  '/login': part(() => import('#features/accounts/sign-in/page.tsx').then((m) => ({ default: m.LoginPage }))),
  '/register': part(() =>
    import('#features/accounts/registration/page.tsx').then((m) => ({ default: m.RegisterPage })),
  ),
  '/forgot': part(() =>
    import('#features/accounts/sign-in/forgot-page.tsx').then((m) => ({ default: m.ForgotPage })),
  ),
  '/reset': part(() =>
    import('#features/accounts/sign-in/reset-page.tsx').then((m) => ({ default: m.ResetPage })),
  ),
  '/invitation': part(() =>
    import('#features/accounts/invitations/page.tsx').then((m) => ({ default: m.InvitationPage })),
  ),
}

const pageAt = (path: string) => pages[path] ?? pages['/login']

function Page() {
  const { path, visit } = usePlace()
  const Found = pageAt(path)
  return Found ? <Found key={visit} /> : null
}

void start(
  <>
    <Page />
    <Toaster />
  </>,
  async () => pageAt(placeNow().path)?.load(),
)
