import { getBookSummary } from '@podium/contract/books/calls'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { count, dayText } from '#shell/format.tsx'
import { LoadProblem } from '#shell/load-problem.tsx'
import { paths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { useSession } from '#shell/session.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { CountCards } from '#ui/count-cards.tsx'
import { EmptyState } from '#ui/note.tsx'
import { PageHeader, Panel, Tile, Tiles } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { words } from '../words.ts'
import { type Figure, useNames } from './figure.ts'

const BookDialog = lazy(() => import('./dialog.tsx').then((m) => ({ default: m.BookDialog })))

/** books/summary: the books of a season by subject, class and category, and the students behind each figure (2.11). */
export function BookSummaryPage() {
  const t = words.use()
  const season = useSeason()
  const school = useSession()?.schName
  const { ofClass, ofCategory } = useNames()
  const [open, setOpen] = useState<Figure>()
  const summary = useEndpoint(getBookSummary, { query: { Fyear: season } })
  const subjects = summary.data?.data
  const total = subjects?.reduce((sum, { totalBooks }) => sum + totalBooks, 0) ?? 0
  const some = subjects !== undefined && subjects.length > 0
  return (
    <>
      <PageHeader title={t('title')} fact={t('fact', { season })}>
        {some && (
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
        <Skeleton shape="cards" />
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
          <CountCards
            heads={[t('class'), t('category'), t('books')]}
            cards={subjects.map(({ subjectName, eventLetter, totalBooks, details }) => ({
              key: eventLetter,
              title: subjectName,
              total: count(totalBooks),
              lines: details.map(({ classId, bookCategory, total: n }) => ({
                key: `${classId} ${bookCategory}`,
                label: ofClass(classId),
                kind: ofCategory(bookCategory),
                count: count(n),
                says: t('lineSays', { n }),
                onOpen: () => setOpen({ season, subjectName, classId, bookCategory }),
              })),
            }))}
          />
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
