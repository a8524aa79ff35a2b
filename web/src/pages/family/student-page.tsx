import { lazy, Suspense } from 'react'
import { FamilyPage } from '#features/families/page/page.tsx'

const FamilyResults = lazy(() =>
  import('#features/families/page/results-of-child.tsx').then((m) => ({ default: m.FamilyResults })),
)

/** `/student?id=<group id>`. */
export default function StudentPage() {
  return (
    <FamilyPage
      results={(student) => (
        <Suspense fallback={<i className="wait" />}>
          <FamilyResults student={student} />
        </Suspense>
      )}
    />
  )
}
