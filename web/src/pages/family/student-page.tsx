import { Suspense } from 'react'
import { FamilyPage } from '#features/families/page/page.tsx'
import { lazyPart } from '#ui/lazy-part.ts'

const results = () => import('#features/families/page/results-of-child.tsx')
const FamilyResults = lazyPart(results, 'FamilyResults')

/** Downloads the results. The page waits for them: a card that grows would move the next one under a finger. */
const resultsAhead = () =>
  Promise.all([
    FamilyResults.load(),
    results().then((m) => Promise.all([m.whenResultsLoaded(), m.resultWords.load()])),
  ])

/** `/student?id=<group id>`. */
export function StudentPage() {
  return (
    <FamilyPage
      ahead={resultsAhead}
      results={(student) => (
        <Suspense fallback={<i className="wait" />}>
          <FamilyResults student={student} />
        </Suspense>
      )}
    />
  )
}
