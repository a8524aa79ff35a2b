import { catalogueEvent, catalogueEvents } from '@podium/contract/catalogue/calls-events'
import { officeSeasons, openingPlan } from '@podium/contract/catalogue/calls-seasons'
import { useParams } from '@tanstack/react-router'
import { type Answer, CallError } from '#shell/call.ts'
import { defineWords } from '#shell/language/words.ts'
import { useEndpoint } from '#shell/query.ts'
import type en from '#words/en/catalogue.json'

/** Everything that shows seasons and events. */
export const catalogueCalls = [officeSeasons, openingPlan, catalogueEvents, catalogueEvent]

export type EventRecord = Answer<typeof catalogueEvent>

/** Loads the event in the URL. */
export function useEvent() {
  const params = useParams({ strict: false })
  const id = Number(params.eventYearId) || 0
  const eventQuery = useEndpoint(catalogueEvent, { query: { eventYearId: String(id) } })
  // Earlier data stays while the next loads, but it may be another event's.
  const data = eventQuery.data?.event.eventYearId === id ? eventQuery.data : undefined
  return { eventQuery, data }
}

/** The words of seasons, events and prices in the office. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/catalogue.json'))

/**
 * Translates an issue's path from the request to the form: the request leaves some lines out, which shifts the
 * indexes.
 */
function placeInForm(list: string, path: string, sentLines: readonly boolean[]): string {
  const match = new RegExp(`^${list}\\.(\\d+)(\\..*)$`).exec(path)
  if (!match) return path
  const places = [...sentLines.keys()].filter((index) => sentLines[index])
  return `${list}.${places[Number(match[1])] ?? 0}${match[2]}`
}

/** Returns a refusal with its issues at their places in the form. `sent` says which lines of `list` were sent. */
export function withFormPaths(list: string, cause: unknown, sentLines: readonly boolean[]): unknown {
  if (!(cause instanceof CallError)) return cause
  const issues = cause.issues.map(({ path, message }) => ({
    path: placeInForm(list, path, sentLines),
    message,
  }))
  return new CallError(cause.message, cause.status, cause.code, issues, cause.id)
}
