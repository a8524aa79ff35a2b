import { Suspense } from 'react'
import { FamilyPage } from '#features/families/page/page.tsx'
import { part } from '#ui/part.ts'

const results = () => import('#features/families/page/results-of-child.tsx')
const FamilyResults = part(() => results().then((m) => ({ default: m.FamilyResults })))

/** The results with all that shows them. The page waits for it: a card that grows moves the next one under a finger. */
const resultsAhead = () =>
  Promise.all([
    FamilyResults.load(),
    results().then((m) => Promise.all([m.resultsSettled(), m.resultWords.load()])),
  ])

/** `/student?id=<group id>`. */
export default function StudentPage() {
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
