import { officeExams, officeSlots } from '@podium/contract/exams/calls-office'
import { formatMoment } from '@podium/contract/season'
import { useFilters } from '#shell/filters.ts'
import { useMay } from '#shell/guard.ts'
import { defineWords } from '#shell/language/words.ts'
import { useEndpoint } from '#shell/query.ts'
import { useSeason } from '#shell/season.ts'
import type en from '#words/en/exams-schedules-office.json'
import { scheduleFilters } from '../office-filters.ts'

/** Formats an instant as day and time in IST, for a list of choices. */
export const momentText = (instant: string): string => formatMoment(new Date(instant))

/** The words of the office's schedules of online olympiads. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/exams-schedules-office.json'))

/** Loads the season's online olympiads, and the slots of the one in the URL. */
export function useSchedule() {
  const season = useSeason()
  const filters = useFilters(scheduleFilters)
  const exams = useEndpoint(officeExams, { query: { FYear: season } })
  const online = exams.data?.data.filter(({ examMode }) => examMode === 'Online')
  const exam = online?.find(({ eventYearId }) => eventYearId === filters.values.event) ?? online?.[0]
  const slots = useEndpoint(officeSlots, {
    query: { eventYearId: String(exam?.eventYearId ?? 0) },
    enabled: exam !== undefined,
  })
  const mayWrite = useMay('exams.write')
  return { season, filters, exams, online, exam, slots, mayWrite }
}

export type Schedule = ReturnType<typeof useSchedule>
export type Exam = NonNullable<Schedule['exam']>

export const slotCalls = [officeSlots]
