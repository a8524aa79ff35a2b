import { type ComponentType, lazy } from 'react'
import { usePlace } from '#features/accounts/place.ts'
import { start } from '#shell/start.tsx'
import { Toaster } from '#ui/toast.tsx'

/**
 * The pages before the sign-in: an entry of their own, without router and query cache, because people meet them first,
 * on the slowest phones. All else of the school portal begins after a load of `school.html`.
 */
const pages: Record<string, ComponentType> = {
  '/login': lazy(() => import('./login.tsx')),
  '/register': lazy(() => import('./register.tsx')),
  '/forgot': lazy(() => import('./forgot.tsx')),
  '/reset': lazy(() => import('./reset.tsx')),
  '/invitation': lazy(() => import('./invitation.tsx')),
}

function Page() {
  const { path, visit } = usePlace()
  const Found = pages[path] ?? pages['/login']
  return Found ? <Found key={visit} /> : null
}

start(
  <>
    <Page />
    <Toaster />
  </>,
)
