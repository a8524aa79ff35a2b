import { parseSeason, type Season, seasonAt, seasonsUpTo } from '@podium/contract/season'
import { useSyncExternalStore } from 'react'
import { storageKey } from './area.ts'

const key = storageKey('season')
const listeners = new Set<() => void>()

function stored(): Season | undefined {
  try {
    return parseSeason(sessionStorage.getItem(key) ?? '')
  } catch {
    return undefined
  }
}

let chosen: Season = stored() ?? seasonAt(new Date())

/** The season of the header, for this tab; the current one by the clock of India until another is chosen. */
export function currentSeason(): Season {
  return chosen
}

export function chooseSeason(season: Season): void {
  chosen = season
  try {
    sessionStorage.setItem(key, season)
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  for (const tell of listeners) tell()
}

const subscribe = (tell: () => void) => {
  listeners.add(tell)
  return () => listeners.delete(tell)
}

/** The season chosen in the header, live. */
export function useSeason(): Season {
  return useSyncExternalStore(subscribe, currentSeason)
}

/** The seasons to choose from, newest first. */
export function seasons(): Season[] {
  return seasonsUpTo(new Date())
}
