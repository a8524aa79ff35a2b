import { officePaperSchools } from '@podium/contract/exams/calls-attendance'
import { officeExams } from '@podium/contract/exams/calls-office'
import { useFilters } from '#shell/filters.ts'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import { useSession } from '#shell/session.ts'
import { paperFilters } from './filters.ts'

/** The schools of the olympiad that the address names; the first of the season where it names none. */
export function usePapers() {
  const season = useSeason()
  const filters = useFilters(paperFilters)
  const exams = useEndpoint(officeExams, { query: { FYear: season } })
  const { event, search, state, page } = filters.values
  // What is printed is what the switch shows, also in the moment before the address follows.
  const { kind } = filters.shown
  const classId = /^\d{1,2}$/.test(filters.values.classId) ? filters.values.classId : ''
  const all = exams.data?.data ?? []
  const exam = all.find(({ eventYearId }) => eventYearId === event) ?? all[0]
  const asked = { FYear: season, eventYearId: exam?.eventYearId ?? 0, search, state, classId }
  const list = useEndpoint(officePaperSchools, {
    query: { ...asked, eventYearId: String(asked.eventYearId), page: String(page) },
    enabled: exam !== undefined,
  })
  const set = filters.countSet('search', 'state', 'classId')
  const mayWrite = useSession()?.permissions?.includes('exams.write') ?? false
  return { season, filters, exams, exam, kind, asked, list, set, mayWrite }
}

export type Papers = ReturnType<typeof usePapers>
