import { parseSeason, type Season, seasonAt, seasonsUpTo } from '@podium/contract/season'
import { redirect, retainSearchParams, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { storageKey } from './session.ts'

const key = storageKey('season')

interface SeasonSearch {
  season?: Season
}

/** Returns the season last shown in this tab; otherwise the current one (IST). */
function lastSeason(): Season {
  try {
    return parseSeason(sessionStorage.getItem(key) ?? '') ?? seasonAt(new Date())
  } catch {
    return seasonAt(new Date())
  }
}

function remember(season: Season): void {
  try {
    sessionStorage.setItem(key, season)
  } catch {
    // Without storage only the address has it.
  }
}

/**
 * For routes whose pages show a season: it is in their address, so that a link shows everyone the same, and is kept
 * from page to page.
 */
export const seasonInAddress = {
  // Explicitly undefined if there is none: a missing key would keep the previous value.
  validateSearch: ({ season }: Record<string, unknown>): SeasonSearch => ({
    season: parseSeason(String(season ?? '')),
  }),
  search: { middlewares: [retainSearchParams<SeasonSearch>(['season'])] },
}

interface OpenedRoute {
  search: SeasonSearch
  location: { pathname: string; search: object; hash: string }
  /** The page is preloaded, not opened. */
  preload: boolean
}

/** Runs before such a page: remembers its season; a page opened without one gets this tab's last season. */
export function syncSeason({ search, location, preload }: OpenedRoute): void {
  if (preload) return
  if (search.season) {
    remember(search.season)
    return
  }
  const season = lastSeason()
  if (season === seasonAt(new Date())) return
  const { pathname: to, hash } = location
  throw redirect({ to, search: { ...location.search, season }, hash, replace: true })
}

/** The season of everything on the page, from its address. */
export function useSeason(): Season {
  const { season }: SeasonSearch = useSearch({ strict: false })
  return season ?? seasonAt(new Date())
}

/** Returns a function that changes the season in the address. */
export function useChooseSeason(): (season: Season) => void {
  const navigate = useNavigate()
  return (season) => {
    // Filters stay, but the page number and the open row belong to the other season's list.
    const search = ({ page: _, id: __, statement: ___, ...others }: Record<string, unknown>) => ({
      ...others,
      season,
    })
    void navigate({ to: '.', search: search as never, replace: true })
  }
}

/**
 * On the page of something that belongs to a season, makes the header show that one; choosing another one there opens
 * `list` in that season.
 */
export function useSeasonOf(season: string | undefined, list: string): void {
  const shownSeason = useSeason()
  const navigate = useNavigate()
  const choose = useChooseSeason()
  const target = parseSeason(season ?? '')
  const wasShown = useRef(false)
  useEffect(() => {
    if (target === undefined) return
    if (target === shownSeason) wasShown.current = true
    else if (wasShown.current) void navigate({ to: list, search: { season: shownSeason } as never })
    else choose(target)
  })
}

/** Seasons to choose from, newest first; includes prepared ones if they are known. */
export function seasons(prepared: readonly string[] = []): Season[] {
  const past = seasonsUpTo(new Date())
  const ahead = prepared
    .flatMap((label) => parseSeason(label) ?? [])
    .filter((season) => !past.includes(season))
  return [...ahead.sort().reverse(), ...past]
}
