import { classes } from '@podium/contract/classes'
import { Link } from '@tanstack/react-router'
import { type ComponentType, type ReactNode, Suspense, useState } from 'react'
import { count, dayText } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { LoadProblem } from '#shell/load-problem.tsx'
import { useFigureView } from '#shell/own-season.tsx'
import { paths } from '#shell/paths.ts'
import { useSession } from '#shell/session.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { CountCards, CountTable } from '#ui/count-cards.tsx'
import { EmptyState } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { type Figure, useClassName } from './figure.ts'
import { words } from './words.ts'

export interface SummarySubject {
  subjectName: string
  eventLetter: string
  totalStudent: number
  details: ReadonlyArray<{ classId: number; count: number }>
}

interface SummaryProps {
  title: string
  season: string
  /** Undefined while they load. */
  subjects: readonly SummarySubject[] | undefined
  /** Cards of another season are shown while this one's load. */
  stale: boolean
  error: Error | null
  retry: () => unknown
  /** What opens behind a figure. */
  dialog: ComponentType<{ figure: Figure; onClose: () => void }>
  /** Above the cards. */
  filters?: ReactNode
}

/** How many take part, by class and subject, as one table or a card per subject; and the students behind each (specification, 2.10). */
export function Summary(props: SummaryProps) {
  const { title, season, subjects, stale, error, retry, dialog: StudentsDialog, filters } = props
  const t = words.use()
  const school = useSession()?.schName
  const nameOf = useClassName()
  const { view, choice } = useFigureView()
  const [open, setOpen] = useState<Figure>()
  const total = subjects?.reduce((sum, { totalStudent }) => sum + totalStudent, 0) ?? 0
  const some = subjects !== undefined && subjects.length > 0
  const fact = some && t('fact', { n: total, subjects: t('subjects', { n: subjects.length }), season })
  const figures = (of: readonly SummarySubject[]) => ({
    heads: [t('class'), t('students')],
    written: count,
    cards: of.map(({ subjectName, eventLetter, totalStudent, details }) => ({
      key: eventLetter,
      title: translateSentence(subjectName),
      total: totalStudent,
      lines: details.map(({ classId, count: n }) => ({
        key: String(classId),
        place: classes.findIndex((one) => one.classId === classId),
        label: nameOf(classId),
        count: n,
        says: t('lineSays', { n }),
        onOpen: () => setOpen({ season, subjectName, eventLetter, classId }),
      })),
    })),
  })
  return (
    <>
      <PageHeader title={title} fact={!stale && fact}>
        {subjects?.length !== 0 && choice}
        {subjects?.length !== 0 && (
          <Button icon="print" disabled={!some} onClick={() => window.print()}>
            {t('print')}
          </Button>
        )}
      </PageHeader>
      <p className="print-only">
        {school}, {dayText(new Date().toISOString())}
      </p>
      {filters}
      {error && !subjects ? (
        <Panel padded={false}>
          <LoadProblem error={error} retry={retry} />
        </Panel>
      ) : !subjects ? (
        <Skeleton shape={view === 'table' ? 'table' : 'cards'} />
      ) : subjects.length === 0 ? (
        <Panel padded={false}>
          <EmptyState
            icon="users"
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
        <div className={stale ? 'dt stale' : undefined} aria-busy={stale || undefined}>
          {view === 'table' ? (
            <CountTable {...figures(subjects)} caption={title} total={t('total')} />
          ) : (
            <CountCards {...figures(subjects)} />
          )}
        </div>
      )}
      {open && (
        <Suspense>
          <StudentsDialog figure={open} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
    </>
  )
}
