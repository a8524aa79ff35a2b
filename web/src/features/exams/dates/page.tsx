import './dates.css'
import { type ExamDateSubject, getExamDates } from '@podium/contract/exams/calls'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { LoadProblem } from '#shell/load-problem.tsx'
import { paths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { EmptyState, Note } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { DateCard } from './date-card.tsx'
import { words } from './words.ts'

const openDialog = () => import('./how-dialog.tsx').then((m) => ({ default: m.HowDialog }))
const HowDialog = lazy(openDialog)

/** School/examdate: a card for each offline olympiad of the header's season, with its date and a pencil. */
export function ExamDatesPage() {
  const t = words.use()
  const season = useSeason()
  const dates = useEndpoint(getExamDates, { query: { FYear: season } })
  const [asking, setAsking] = useState(false)
  const subjects = dates.data?.data
  const fact = subjects?.length
    ? t('factChosen', {
        season,
        n: subjects.filter((one) => one.examDateId !== null).length,
        all: subjects.length,
      })
    : t('fact', { season })
  return (
    <>
      <PageHeader title={t('title')} fact={fact}>
        <Button icon="info" onClick={() => setAsking(true)} onPointerEnter={() => void openDialog()}>
          {t('how')}
        </Button>
      </PageHeader>
      {dates.isError && !subjects && (
        <Panel padded={false}>
          <LoadProblem error={dates.error} retry={() => dates.refetch()} />
        </Panel>
      )}
      {dates.isPending && <Skeleton shape="cards" rows={4} />}
      {subjects && <Cards subjects={subjects} season={season} old={dates.isPlaceholderData} />}
      {asking && (
        <Suspense>
          <HowDialog onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  )
}

interface CardsProps {
  subjects: readonly ExamDateSubject[]
  season: string
  /** Of the season before, while the new one loads */
  old: boolean
}

function Cards({ subjects, season, old }: CardsProps) {
  const t = words.use()
  if (subjects.length === 0) {
    return (
      <Panel>
        <EmptyState
          icon="calendar"
          title={t('emptyTitle')}
          actions={
            <Link to={paths.studentEntry} className={buttonClass('primary')}>
              {t('toStudents')}
            </Link>
          }
        >
          {t('emptyText')}
        </EmptyState>
      </Panel>
    )
  }
  const over = subjects.every((subject) => subject.can === 'exam.too_late')
  return (
    <div className="stack">
      <Note>{t(over ? 'noteOver' : 'note')}</Note>
      <ul className="exam-dates" aria-busy={old || undefined}>
        {subjects.map((subject) => (
          <DateCard key={`${season} ${subject.eventManagementId}`} subject={subject} />
        ))}
      </ul>
    </div>
  )
}
