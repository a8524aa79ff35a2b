import { Suspense } from 'react'
import { type Part, part } from '#ui/part.ts'

const NothingHere = part(() => import('./nothing-here.tsx').then((m) => ({ default: m.NothingHere })))

/**
 * The family's addresses are few and public, so there is no router: the path names the page. A page is one line here;
 * its component reads the rest of the address (`?id=`) itself. The longest match wins.
 */
const pages: Record<string, Part> = {
  '/student': part(() => import('./student-page.tsx')),
  '/r': part(() => import('./result.tsx')),
  '/verify': part(() => import('./result-verify.tsx')),
}

function pageAt(address: string): Part {
  const path = address.toLowerCase().replace(/\/+$/, '')
  const own = Object.keys(pages)
    .filter((start) => path === start || path.startsWith(`${start}/`))
    .sort((a, b) => b.length - a.length)[0]
  return (own && pages[own]) || NothingHere
}

const Found = pageAt(window.location.pathname)

export const loadPage = Found.load

export function Page() {
  return (
    <Suspense>
      <Found />
    </Suspense>
  )
}
