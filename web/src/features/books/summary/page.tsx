import { bookKindOf, getBookSummary } from '@podium/contract/books/calls'
import { bookKinds, classes } from '@podium/contract/classes'
import { useState } from 'react'
import { FigurePage } from '#shell/figure-page.tsx'
import { count } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { lazyDialog } from '#ui/lazy-part.ts'
import { Tile, Tiles } from '#ui/panel.tsx'
import { type Figure, useNames, words } from '../figure.ts'

const BookDialog = lazyDialog(() => import('./dialog.tsx'), 'BookDialog')

/** Sorts by class, the youngest first, then by kind of book. */
function placeOf(classId: number, category: string): number {
  const kind = bookKindOf(category)
  const classIndex = classes.findIndex((candidate) => candidate.classId === classId)
  return classIndex * bookKinds.length + (kind ? bookKinds.indexOf(kind) : 0)
}

/** books/summary: the books of a season by subject, class and category, and the students behind each figure (2.11). */
export function BookSummaryPage() {
  const t = words.use()
  const season = useSeason()
  const { ofClass, ofCategory } = useNames()
  const [open, setOpen] = useState<Figure>()
  const summary = useEndpoint(getBookSummary, { query: { Fyear: season } })
  const cards = summary.data?.data.map(({ subjectName, eventLetter, totalBooks, details }) => ({
    key: eventLetter,
    title: translateSentence(subjectName),
    total: totalBooks,
    lines: details.map(({ classId, bookCategory, total: n }) => ({
      key: `${classId} ${bookCategory}`,
      place: placeOf(classId, bookCategory),
      label: ofClass(classId),
      kind: ofCategory(bookCategory),
      count: n,
      hint: t('lineHint', { n }),
      onOpen: () => setOpen({ season, subjectName, classId, bookCategory }),
    })),
  }))
  return (
    <>
      <FigurePage
        title={t('title')}
        fact={t('fact', { season })}
        t={t}
        list={summary}
        cards={cards}
        heads={[t('class'), t('category'), t('books')]}
        empty={{ icon: 'book', text: t('emptyText', { season }) }}>
        <Tiles>
          <Tile
            label={t('totalBooks')}
            value={count(cards?.reduce((sum, { total }) => sum + total, 0) ?? 0)}
            meaning={t('totalHint', { n: cards?.length ?? 0 })}
          />
        </Tiles>
      </FigurePage>
      {open && <BookDialog figure={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}
