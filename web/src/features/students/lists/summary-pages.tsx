import { classes } from '@podium/contract/classes'
import { getParticipationFinalSummary, getParticipationSummary } from '@podium/contract/students/calls'
import { type ComponentType, type ReactNode, useState } from 'react'
import { count, dayText } from '#shell/format.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { FiguresFrame, SeasonChoice, useFigureView, useOwnSeason } from '#shell/own-season.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { useSession } from '#shell/session.ts'
import { Button } from '#ui/button.tsx'
import { CountCards, CountTable } from '#ui/count-cards.tsx'
import { FilterRow } from '#ui/filter-row.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
import { PageHeader } from '#ui/panel.tsx'
import { type Figure, useClassName, words } from './words.ts'

interface SummarySubject {
  subjectName: string
  eventLetter: string
  totalStudent: number
  details: ReadonlyArray<{ classId: number; count: number }>
}

interface SummaryProps {
  title: string
  season: string
  /** Undefined while loading. */
  subjects: readonly SummarySubject[] | undefined
  /** True while cards of another season are shown because this one's are loading. */
  stale: boolean
  error: Error | null
  retry: () => unknown
  /** Opens when a figure is clicked. */
  dialog: ComponentType<{ figure: Figure; onClose: () => void }>
  /** Shown above the cards. */
  filters?: ReactNode
}

/**
 * Participation by class and subject, as one table or one card per subject, with the students behind each figure
 * (specification, 2.10).
 */
function Summary(props: SummaryProps) {
  const { title, season, subjects, stale, error, retry, dialog: StudentsDialog, filters } = props
  const t = words.use()
  const school = useSession()?.schName
  const nameOf = useClassName()
  const { view, choice } = useFigureView()
  const [open, setOpen] = useState<Figure>()
  const total = subjects?.reduce((sum, { totalStudent }) => sum + totalStudent, 0) ?? 0
  const hasSubjects = subjects !== undefined && subjects.length > 0
  const fact = hasSubjects && t('fact', { n: total, subjects: t('subjects', { n: subjects.length }), season })
  const shown = {
    heads: [t('class'), t('students')],
    written: count,
    cards: (subjects ?? []).map(({ subjectName, eventLetter, totalStudent, details }) => ({
      key: eventLetter,
      title: translateSentence(subjectName),
      total: totalStudent,
      lines: details.map(({ classId, count: n }) => ({
        key: String(classId),
        place: classes.findIndex((schoolClass) => schoolClass.classId === classId),
        label: nameOf(classId),
        count: n,
        hint: t('lineHint', { n }),
        onOpen: () => setOpen({ season, subjectName, eventLetter, classId }),
      })),
    })),
  }
  return (
    <>
      <PageHeader title={title} fact={!stale && fact}>
        {subjects?.length !== 0 && choice}
        {subjects?.length !== 0 && (
          <Button icon="print" disabled={!hasSubjects} onClick={() => window.print()}>
            {t('print')}
          </Button>
        )}
      </PageHeader>
      <p className="print-only">
        {school}, {dayText(new Date().toISOString())}
      </p>
      {filters}
      <FiguresFrame
        subjects={subjects}
        stale={stale}
        error={error}
        retry={retry}
        view={view}
        empty={{
          icon: 'users',
          title: t('emptyTitle'),
          text: t('emptyText', { season }),
          link: t('addStudents'),
        }}
      >
        {view === 'table' ? (
          <CountTable {...shown} caption={title} total={t('total')} />
        ) : (
          <CountCards {...shown} />
        )}
      </FiguresFrame>
      {open && <StudentsDialog figure={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}

const StudentsDialog = lazyDialog(() => import('./dialogs.tsx'), 'StudentsDialog')

/** student/summery: the participation of the season in the header. */
export function StudentReportPage() {
  const t = words.use()
  const season = useSeason()
  const { data, error, isPlaceholderData, refetch } = useEndpoint(getParticipationSummary, {
    query: { FYear: season },
  })
  const subjects = data?.data.map(({ details, ...of }) => ({
    ...of,
    details: details.map(({ classId, totalStudent }) => ({ classId, count: totalStudent })),
  }))
  return (
    <Summary
      title={t('reportTitle')}
      season={season}
      subjects={subjects}
      stale={isPlaceholderData}
      error={error}
      retry={refetch}
      dialog={StudentsDialog}
    />
  )
}

const FinalDialog = lazyDialog(() => import('./dialogs.tsx'), 'FinalDialog')

/** student/finalsummery: the participation of any season. `schId` carries the school's code (specification, 7). */
export function FinalSummaryPage() {
  const t = words.use()
  const ownSeason = useOwnSeason()
  const { season } = ownSeason
  const schId = useSession()?.schCode
  const { data, error, isPlaceholderData, refetch } = useEndpoint(getParticipationFinalSummary, {
    query: { FYear: season, ...(schId ? { schId } : {}) },
  })
  const subjects = data?.data.map(({ details, ...of }) => ({
    ...of,
    details: details.map(({ classId, studentCount }) => ({ classId, count: studentCount })),
  }))
  return (
    <Summary
      title={t('finalTitle')}
      season={season}
      subjects={subjects}
      stale={isPlaceholderData}
      error={error}
      retry={refetch}
      dialog={FinalDialog}
      filters={<FilterRow set={0} search={<SeasonChoice of={ownSeason} />} />}
    />
  )
}
