import { type BookSubject, bookKindOf, getBookSummary } from '@podium/contract/books/calls'
import { bookKinds, classes } from '@podium/contract/classes'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { count, dayText } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useFigureView } from '#shell/own-season.tsx'
import { paths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { useSession } from '#shell/session.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { CountCards, CountTable } from '#ui/count-cards.tsx'
import { EmptyState } from '#ui/note.tsx'
import { PageHeader, Panel, Tile, Tiles } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { type Figure, useNames, words } from '../figure.ts'

const BookDialog = lazy(() => import('./dialog.tsx').then((m) => ({ default: m.BookDialog })))

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
  const figures = (of: readonly BookSubject[]) => ({
    heads: [t('class'), t('category'), t('books')],
    written: count,
    cards: of.map(({ subjectName, eventLetter, totalBooks, details }) => ({
      key: eventLetter,
      title: translateSentence(subjectName),
      total: totalBooks,
      lines: details.map(({ classId, bookCategory, total: n }) => ({
        key: `${classId} ${bookCategory}`,
        place: placeOf(classId, bookCategory),
        label: ofClass(classId),
        kind: ofCategory(bookCategory),
        count: n,
        says: t('lineSays', { n }),
        onOpen: () => setOpen({ season, subjectName, classId, bookCategory }),
      })),
    })),
  })
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
      {summary.isError && !subjects ? (
        <Panel padded={false}>
          <LoadProblem error={summary.error} retry={() => summary.refetch()} />
        </Panel>
      ) : !subjects ? (
        <Skeleton shape={view === 'table' ? 'table' : 'cards'} />
      ) : subjects.length === 0 ? (
        <Panel padded={false}>
          <EmptyState
            icon="book"
            title={t('emptyTitle')}
            actions={
              <Link to={paths.studentEntry} className={buttonClass('secondary')}>
                {t('addStudents')}
              </Link>
            }
          >
            {t('emptyText', { season })}
          </EmptyState>
        </Panel>
      ) : (
        <div
          className={summary.isPlaceholderData ? 'dt stale' : undefined}
          aria-busy={summary.isPlaceholderData || undefined}
        >
          <Tiles>
            <Tile
              label={t('totalBooks')}
              value={count(total)}
              meaning={t('totalSays', { n: subjects.length })}
            />
          </Tiles>
          {view === 'table' ? (
            <CountTable {...figures(subjects)} caption={t('title')} total={t('total')} />
          ) : (
            <CountCards {...figures(subjects)} />
          )}
        </div>
      )}
      {open && (
        <Suspense>
          <BookDialog figure={open} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
    </>
  )
}
