import '../exams.css'
import { getExamDates } from '@podium/contract/exams/calls'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { LoadProblem } from '#shell/load-problem.tsx'
import { OwnSeason, useOwnSeason } from '#shell/own-season.tsx'
import { paths } from '#shell/paths.ts'
import { useEndpoint } from '#shell/query.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { FilterRow } from '#ui/filter-row.tsx'
import { EmptyState } from '#ui/note.tsx'
import { PageHeader, Panel } from '#ui/panel.tsx'
import { DatesTable } from './dates-table.tsx'
import { words } from './words.ts'

const openDialog = () => import('./how-dialog.tsx').then((m) => ({ default: m.HowDialog }))
const HowDialog = lazy(openDialog)

/** School/examdate: a row for each offline olympiad of a season, in which a date is chosen by one press. */
export function ExamDatesPage() {
  const t = words.use()
  const own = useOwnSeason()
  const { season } = own
  const dates = useEndpoint(getExamDates, { query: { FYear: season } })
  const [asking, setAsking] = useState(false)
  const subjects = dates.data?.data
  const n = subjects?.filter((one) => one.examDateId !== null).length ?? 0
  const chosen = subjects?.length ? t('factChosen', { n, all: subjects.length }) : ''
  const over = subjects?.length && subjects.every((subject) => subject.can === 'exam.too_late')
  return (
    <>
      <PageHeader
        title={t('title')}
        fact={
          <>
            {chosen} <span>{t(over ? 'noteOver' : 'note')}</span>
          </>
        }
      >
        <Button icon="info" onClick={() => setAsking(true)} onPointerEnter={() => void openDialog()}>
          {t('how')}
        </Button>
      </PageHeader>
      <FilterRow set={0} search={<OwnSeason of={own} />} />
      {dates.isError && !subjects ? (
        <Panel padded={false}>
          <LoadProblem error={dates.error} retry={() => dates.refetch()} />
        </Panel>
      ) : (
        <DatesTable
          subjects={subjects}
          season={season}
          old={dates.isPlaceholderData}
          empty={
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
          }
        />
      )}
      {asking && (
        <Suspense>
          <HowDialog onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  )
}
