import { parseSeason, type Season, seasonAt, seasonsUpTo } from '@podium/contract/season'
import { redirect, retainSearchParams, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { storageKey } from './session.ts'

const key = storageKey('season')

interface SeasonSearch {
  season?: Season
}

/** The season that was looked at last in this tab; the current one by the clock of India before that. */
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
    // Without storage the address alone knows it.
  }
}

/**
 * For the areas of pages that show a season: it is in their address, so that a link shows the same to everybody, and goes
 * along from page to page.
 */
export const seasonInAddress = {
  // Said to be undefined where it is none: what is left out stays as it was written.
  validateSearch: ({ season }: Record<string, unknown>): SeasonSearch => ({
    season: parseSeason(String(season ?? '')),
  }),
  search: { middlewares: [retainSearchParams<SeasonSearch>(['season'])] },
}

interface Opened {
  search: SeasonSearch
  location: { pathname: string; search: object; hash: string }
  /** The page is downloaded ahead, not opened. */
  preload: boolean
}

/** Before a page of such an area: remembers its season; a page opened without one gets the last one of this tab. */
export function followSeason({ search, location, preload }: Opened): void {
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

/** Chooses the season, in the address of the page. */
export function useChooseSeason(): (season: Season) => void {
  const navigate = useNavigate()
  return (season) => {
    // The filters stay, but the page and the open row of the other season's list are not of this one's.
    const search = ({ page: _, id: __, statement: ___, ...others }: Record<string, unknown>) => ({
      ...others,
      season,
    })
    void navigate({ to: '.', search: search as never, replace: true })
  }
}

/**
 * On the page of something that belongs to a season, the header shows that one; whoever chooses another there gets the
 * list of that season.
 */
export function useSeasonOf(season: string | undefined, list: string): void {
  const here = useSeason()
  const navigate = useNavigate()
  const choose = useChooseSeason()
  const wanted = parseSeason(season ?? '')
  const shown = useRef(false)
  useEffect(() => {
    if (wanted === undefined) return
    if (wanted === here) shown.current = true
    else if (shown.current) void navigate({ to: list, search: { season: here } as never })
    else choose(wanted)
  })
}

/** The seasons to choose from, newest first; those that are prepared already where they are known. */
export function seasons(prepared: readonly string[] = []): Season[] {
  const past = seasonsUpTo(new Date())
  const ahead = prepared.flatMap((label) => parseSeason(label) ?? []).filter((one) => !past.includes(one))
  return [...ahead.sort().reverse(), ...past]
}
