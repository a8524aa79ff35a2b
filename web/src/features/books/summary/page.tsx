import { bookKindOf, getBookSummary } from '@podium/contract/books/calls'
import { bookKinds, classes } from '@podium/contract/classes'
import { useState } from 'react'
import { count, dayText } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { FiguresFrame, useFigureView } from '#shell/own-season.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { useSession } from '#shell/session.ts'
import { Button } from '#ui/button.tsx'
import { CountCards, CountTable } from '#ui/count-cards.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
import { PageHeader, Tile, Tiles } from '#ui/panel.tsx'
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
  const school = useSession()?.schName
  const { ofClass, ofCategory } = useNames()
  const { view, choice } = useFigureView()
  const [open, setOpen] = useState<Figure>()
  const summary = useEndpoint(getBookSummary, { query: { Fyear: season } })
  const subjects = summary.data?.data
  const total = subjects?.reduce((sum, { totalBooks }) => sum + totalBooks, 0) ?? 0
  const hasSubjects = subjects !== undefined && subjects.length > 0
  const shown = {
    heads: [t('class'), t('category'), t('books')],
    written: count,
    cards: (subjects ?? []).map(({ subjectName, eventLetter, totalBooks, details }) => ({
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
    })),
  }
  return (
    <>
      <PageHeader title={t('title')} fact={t('fact', { season })}>
        {hasSubjects && choice}
        {hasSubjects && (
          <Button icon="print" onClick={() => window.print()}>
            {t('print')}
          </Button>
        )}
      </PageHeader>
      <p className="print-only">
        {school}, {dayText(new Date().toISOString())}
      </p>
      <FiguresFrame
        subjects={subjects}
        stale={summary.isPlaceholderData}
        error={summary.error}
        retry={summary.refetch}
        view={view}
        empty={{
          icon: 'book',
          title: t('emptyTitle'),
          text: t('emptyText', { season }),
          link: t('addStudents'),
        }}
      >
        <Tiles>
          <Tile
            label={t('totalBooks')}
            value={count(total)}
            meaning={t('totalHint', { n: subjects?.length ?? 0 })}
          />
        </Tiles>
        {view === 'table' ? (
          <CountTable {...shown} caption={t('title')} total={t('total')} />
        ) : (
          <CountCards {...shown} />
        )}
      </FiguresFrame>
      {open && <BookDialog figure={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}
