import { type ComponentType, lazy, Suspense } from 'react'
import { NothingHere } from './nothing-here.tsx'

/**
 * The family's addresses are few and public, so there is no router: the path names the page. A page is one line here,
 * `'/student': lazy(() => import('#features/families/student-page.tsx').then((m) => ({ default: m.StudentPage })))`;
 * its component reads the rest of the address (`?id=`) itself. The longest match wins.
 */
const pages: Record<string, ComponentType> = {
  '/r': lazy(() => import('./result.tsx')),
  '/verify': lazy(() => import('./result-verify.tsx')),
}

export function Page() {
  const path = window.location.pathname.toLowerCase().replace(/\/+$/, '')
  const own = Object.keys(pages)
    .filter((start) => path === start || path.startsWith(`${start}/`))
    .sort((a, b) => b.length - a.length)[0]
  const Found = (own && pages[own]) || NothingHere
  return (
    <Suspense>
      <Found />
    </Suspense>
  )
}
