import { classes } from '@podium/contract/classes'
import { getParticipationFinalSummary, getParticipationSummary } from '@podium/contract/students/calls'
import { type ComponentProps, type ComponentType, type ReactNode, useState } from 'react'
import { FigurePage } from '#shell/figure-page.tsx'
import { translateSentence } from '#shell/language/sentences.ts'
import { SeasonChoice, useOwnSeason } from '#shell/own-season.tsx'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { useSession } from '#shell/session.ts'
import { FilterRow } from '#ui/filter-row.tsx'
import { lazyDialog } from '#ui/lazy-part.ts'
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
  list: ComponentProps<typeof FigurePage>['list']
  /** Undefined while loading. */
  subjects: readonly SummarySubject[] | undefined
  /** Opens when a figure is clicked. */
  dialog: ComponentType<{ figure: Figure; onClose: () => void }>
  /** Shown above the cards. */
  filters?: ReactNode
}

/** Participation by class and subject, with the students behind each figure (specification, 2.10). */
function Summary({ title, season, list, subjects, dialog: StudentsDialog, filters }: SummaryProps) {
  const t = words.use()
  const nameOf = useClassName()
  const [open, setOpen] = useState<Figure>()
  const total = subjects?.reduce((sum, { totalStudent }) => sum + totalStudent, 0) ?? 0
  const isShown = subjects && subjects.length > 0 && !list.isPlaceholderData
  const cards = subjects?.map(({ subjectName, eventLetter, totalStudent, details }) => ({
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
  }))
  return (
    <>
      <FigurePage
        title={title}
        fact={isShown && t('fact', { n: total, subjects: t('subjects', { n: subjects.length }), season })}
        t={t}
        list={list}
        cards={cards}
        heads={[t('class'), t('students')]}
        filters={filters}
        buttonsFirst
        empty={{ icon: 'users', text: t('emptyText', { season }) }}
      />
      {open && <StudentsDialog figure={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}

const StudentsDialog = lazyDialog(() => import('./dialogs.tsx'), 'StudentsDialog')

/** student/summery: the participation of the season in the header. */
export function StudentReportPage() {
  const t = words.use()
  const season = useSeason()
  const list = useEndpoint(getParticipationSummary, { query: { FYear: season } })
  const subjects = list.data?.data.map(({ details, ...of }) => ({
    ...of,
    details: details.map(({ classId, totalStudent }) => ({ classId, count: totalStudent })),
  }))
  return (
    <Summary
      title={t('reportTitle')}
      season={season}
      list={list}
      subjects={subjects}
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
  const list = useEndpoint(getParticipationFinalSummary, {
    query: { FYear: season, ...(schId ? { schId } : {}) },
  })
  const subjects = list.data?.data.map(({ details, ...of }) => ({
    ...of,
    details: details.map(({ classId, studentCount }) => ({ classId, count: studentCount })),
  }))
  return (
    <Summary
      title={t('finalTitle')}
      season={season}
      list={list}
      subjects={subjects}
      dialog={FinalDialog}
      filters={<FilterRow set={0} search={<SeasonChoice of={ownSeason} />} />}
    />
  )
}
