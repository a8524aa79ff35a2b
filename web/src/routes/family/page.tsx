import { type ComponentType, lazy, Suspense } from 'react'

const NothingHere = lazy(() => import('./nothing-here.tsx').then((m) => ({ default: m.NothingHere })))

/**
 * The family's addresses are few and public, so there is no router: the path names the page. A page is one line here;
 * its component reads the rest of the address (`?id=`) itself. The longest match wins.
 */
const pages: Record<string, ComponentType> = {
  '/student': lazy(() => import('./student-page.tsx')),
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
