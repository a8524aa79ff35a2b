import type { AnswerOf } from '@podium/contract/endpoint'
import type { resultAnomalies } from '@podium/contract/results/calls-corrections'
import {
  officeResultEvent,
  officeResultEvents,
  type ResultSet,
  resultsSummary,
} from '@podium/contract/results/calls-office'
import { useQuery } from '@tanstack/react-query'
import { translateSentence } from '#shell/language/sentences.ts'
import { endpointQuery } from '#shell/query.ts'
import type { BadgeTone } from '#ui/badge.tsx'
import type { IconName } from '#ui/icon.tsx'
import type { OfficeStep } from './office-filters.ts'

export type OfficeEvent = AnswerOf<typeof officeResultEvent>
export type Anomaly = AnswerOf<typeof resultAnomalies>['data'][number]

/** The event's name in the reader's language, also when it must be typed to confirm a release. */
export const eventName = ({ subjectName, examLevel }: OfficeEvent['event']) =>
  translateSentence(subjectName) + (examLevel === 1 ? '' : ` ${examLevel}`)

/** Returns the version's job if it is waiting or running. */
export function jobOf(set: ResultSet | undefined) {
  const job = set?.job
  return job && (job.state === 'waiting' || job.state === 'running') ? job : undefined
}

const often = 800
const slowPollInterval = 20_000

/** Loads an event with its versions, and polls while a job is running. */
export function useOfficeEvent(eventYearId: number) {
  return useQuery({
    ...endpointQuery(officeResultEvent, { query: { eventYearId: String(eventYearId) } }),
    refetchInterval: ({ state }) => {
      const sets = state.data?.sets ?? []
      if (sets.some((set) => jobOf(set))) return often
      return sets.some(({ state: at, releaseAt }) => at === 'approved' && releaseAt)
        ? slowPollInterval
        : false
    },
  })
}

/** The queries to refresh after an action on an event, even if refused: the message says the latest state is shown. */
export const resultEventCalls = [officeResultEvent, officeResultEvents, resultsSummary]

export type ShownState = ResultSet['state'] | 'scheduled' | 'notStarted'

/** Returns the state as the office calls it: an approved version with a future release time is «Scheduled». */
export function shownState(
  set: { state: ResultSet['state']; releaseAt: string | null } | null | undefined,
): ShownState {
  if (!set) return 'notStarted'
  if (set.state !== 'approved' || !set.releaseAt) return set.state
  return new Date(set.releaseAt) > new Date() ? 'scheduled' : 'released'
}

export const stateBadges: Record<ShownState, readonly [BadgeTone, IconName]> = {
  notStarted: ['mute', 'circle'],
  importing: ['info', 'clock'],
  imported: ['info', 'upload'],
  computing: ['info', 'clock'],
  computed: ['due', 'clock'],
  approved: ['info', 'check'],
  scheduled: ['info', 'calendar'],
  released: ['ok', 'ok'],
  superseded: ['mute', 'struck'],
  failed: ['bad', 'warning'],
}

/** Returns the version that the steps work on: the newest that has neither failed nor been replaced. */
export function workingSet({ event, sets }: OfficeEvent): ResultSet | undefined {
  return sets.find(({ setId }) => setId === event.newest?.setId)
}

/** Returns the next step of a version. */
export function nextStep(set: ResultSet | undefined): OfficeStep {
  switch (set?.state) {
    case undefined:
    case 'importing':
    case 'failed':
    case 'superseded':
      return 'import'
    case 'imported':
      return set.openBlocking > 0 ? 'anomalies' : 'compute'
    case 'computing':
      return 'compute'
    case 'computed':
      return 'approve'
    case 'approved':
    case 'released':
      return 'release'
  }
}

export const hasResults = (set: ResultSet | undefined) =>
  set?.state === 'computed' || set?.state === 'approved' || set?.state === 'released'
