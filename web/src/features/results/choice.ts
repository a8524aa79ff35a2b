import { className, isClassId } from '@podium/contract/classes'
import type { AnswerOf } from '@podium/contract/endpoint'
import { type resultActions, resultEvents } from '@podium/contract/results/calls'
import { parseSeason } from '@podium/contract/season'
import { useQueries } from '@tanstack/react-query'
import { useFilters } from '#shell/filters.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { endpointQuery } from '#shell/query.ts'
import { seasons, useSeason } from '#shell/season.ts'
import { resultFilters } from './filters.ts'

export type ResultList = keyof typeof resultActions
export type ResultEvent = AnswerOf<typeof resultEvents>['data'][number]

/** What the search form shows, and what the table asks for once there is an event. */
export interface Choice {
  examLevel: '1' | '2'
  season: string
  event: ResultEvent | undefined
  classId: number
  page: number
}

const levelOf = ({ examLevel }: ResultEvent) => (examLevel === 2 ? '2' : '1')

/** Older seasons than these are not looked through for results to offer. */
const lookedThrough = 4

/**
 * What the address says; where it says no year, the header's with the first subject that has results of this
 * school, else that is out. Where nothing of it is out, `earlier` is the newest year that has results of this school. `choice` is undefined while that is being found out.
 */
export function useChoice() {
  const { values } = useFilters(resultFilters)
  const thisYear = useSeason()
  const asked = parseSeason(values.FYear)
  const given = asked !== undefined || values.eventYearId !== 0
  const season = asked ?? thisYear
  const wanted = given
    ? [season]
    : [season, ...seasons().filter((one) => one < season)].slice(0, lookedThrough)
  const answers = useQueries({
    queries: wanted.map((FYear) => endpointQuery(resultEvents, { query: { FYear } })),
  })
  const lists = answers.map(({ data, isPlaceholderData }) => (isPlaceholderData ? undefined : data?.data))
  const [first] = answers
  const [list, ...older] = lists
  const { classId, page, eventYearId } = values
  const event = eventYearId
    ? list?.find((one) => one.eventYearId === eventYearId)
    : (list?.find(({ mine }) => mine) ?? list?.find(({ released }) => released))
  const examLevel = eventYearId || !event ? values.examLevel : levelOf(event)
  const choice: Choice = { examLevel, season, event, classId, page }
  const earlier = older.findIndex((events) => events?.some(({ mine }) => mine))
  return {
    error: first?.error ?? undefined,
    retry: () => first?.refetch(),
    given,
    noEvents: given && list?.length === 0,
    earlier: earlier < 0 ? undefined : wanted[earlier + 1],
    choice: list ? choice : undefined,
  }
}

/** `all classes` or `Class 7`, for the line below the title. */
export function classFact(classId: number, all: string): string {
  return classId !== 0 && isClassId(classId) ? translateSentence(className(classId)) : all
}
