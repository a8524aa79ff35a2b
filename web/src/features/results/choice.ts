import { className, isClassId } from '@podium/contract/classes'
import type { AnswerOf } from '@podium/contract/endpoint'
import { type resultActions, resultEvents } from '@podium/contract/results/calls'
import { parseSeason } from '@podium/contract/season'
import { useQueries } from '@tanstack/react-query'
import { useFilters } from '#shell/filters.ts'
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

/** Older seasons than these are not looked through for something to show first. */
const lookedThrough = 4

/**
 * What the address says; where it says nothing, the first released subject of the header's season, or else of the newest
 * season that has one, so that a teacher sees something at once. `choice` is undefined while that is being found out.
 */
export function useChoice() {
  const { values } = useFilters(resultFilters)
  const header = useSeason()
  const asked = parseSeason(values.FYear)
  const given = asked !== undefined || values.eventYearId !== 0
  const wanted = given
    ? [asked ?? header]
    : [header, ...seasons().filter((season) => season !== header)].slice(0, lookedThrough)
  const answers = useQueries({
    queries: wanted.map((FYear) => endpointQuery(resultEvents, { query: { FYear } })),
  })
  const failed = answers.find(({ error, data }) => error && !data)
  const lists = answers.map(({ data, isPlaceholderData }) => (isPlaceholderData ? undefined : data?.data))
  const noEvents = given && lists[0]?.length === 0
  const known = { error: failed?.error ?? undefined, retry: () => failed?.refetch(), noEvents }
  const { classId, page } = values
  if (given) {
    const wantedEvent = values.eventYearId
    const event = lists[0]?.find((one) => (wantedEvent ? one.eventYearId === wantedEvent : one.released))
    const examLevel = wantedEvent || !event ? values.examLevel : levelOf(event)
    const choice: Choice = { examLevel, season: wanted[0] ?? header, event, classId, page }
    return { ...known, given, choice: lists[0] ? choice : undefined }
  }
  // Season by season: an answer counts once all before it are known to have nothing.
  for (const [n, list] of lists.entries()) {
    if (!list) return { ...known, given, choice: undefined }
    const event = list.find(({ released }) => released)
    if (!event) continue
    const choice: Choice = { examLevel: levelOf(event), season: wanted[n] ?? header, event, classId, page }
    return { ...known, given, choice }
  }
  const none: Choice = { examLevel: values.examLevel, season: header, event: undefined, classId, page }
  return { ...known, given, choice: none }
}

/** `all classes` or `Class 7`, for the line below the title. */
export function classFact(classId: number, all: string): string {
  return classId !== 0 && isClassId(classId) ? className(classId) : all
}
