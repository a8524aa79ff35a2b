import { Suspense } from 'react'
import { FamilyLayout } from '#shell/layout-family.tsx'
import { token } from '#shell/session.ts'
import { start } from '#shell/start.tsx'
import { type LazyPart, lazyPart } from '#ui/lazy-part.ts'

const NothingHere = lazyPart(() => import('./nothing-here.tsx'), 'NothingHere')

/**
 * The family's pages are few and public, so there is no router: the first part of the path selects the page.
 * A page is a line here; its component reads the rest of the address (`?id=`) itself.
 */
const pages: Record<string, LazyPart> = {
  '/student': lazyPart(() => import('./student-page.tsx'), 'StudentPage'),
  '/r': lazyPart(() => import('#features/families/public-results/page.tsx'), 'ResultPage'),
  '/verify': lazyPart(() => import('#features/families/public-results/verify-page.tsx'), 'VerifyPage'),
}

function pageAt(address: string): LazyPart {
  return pages[`/${address.toLowerCase().split('/')[1]}`] ?? NothingHere
}

const Found = pageAt(window.location.pathname)

void start(
  <FamilyLayout>
    <Suspense>
      <Found />
    </Suspense>
  </FamilyLayout>,
  Found.load,
  // A family that has entered its code sees the children at once.
  () => token() === '',
)
