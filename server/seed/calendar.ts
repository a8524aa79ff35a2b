import {
  addDays,
  daysBetween,
  istDay,
  type Season,
  seasonAt,
  seasonBefore,
  seasonYear,
} from '@podium/contract/season'
import { type SeasonDays, usualDays } from './catalogue.ts'

const dayMs = 86_400_000
/** How many days entries of the current season stay open after the demo was created, at least. */
const openFor = 30
/** Days between the close and the last day for choosing a date, which is 30 days before the first exam. */
const choosingFor = 12

/** A season of the demo world: its days, and the times of its story. */
export interface DemoSeason {
  label: Season
  days: SeasonDays
  /** Returns the time at this share of the season's story, from 0 to 1 */
  at(share: number): Date
  /** Returns a time on one of the following days, by the hour in India */
  on(day: string, hour: number): Date
}

const ofIndia = (day: string, hour: number) =>
  new Date(Date.parse(`${day}T00:00:00+05:30`) + Math.round(hour * 3_600_000))

/** Moves a time into that day's office hours, 10 to 17 in India, but not past `end`. Keeps the order. */
function inOfficeHours(moment: number, end: number): Date {
  const day = istDay(new Date(moment))
  const share = (moment - ofIndia(day, 0).getTime()) / dayMs
  return new Date(Math.min(ofIndia(day, 10 + 7 * share).getTime(), end))
}

const later = (a: string, b: string) => (a > b ? a : b)
const earlier = (a: string, b: string) => (a < b ? a : b)

/**
 * Returns the current season for any day: its story lies between its first day (at most 80 days ago) and now, and its
 * entries close on 30 November or, if that is near or past, in 30 days, but not after its last day.
 */
export function currentSeason(now: Date): DemoSeason {
  const label = seasonAt(now)
  const today = istDay(now)
  const year = seasonYear(label)
  const usual = usualDays(label)
  const closesOn = later(usual.closesOn, earlier(addDays(today, openFor), `${year + 1}-03-31`))
  const moved = daysBetween(usual.closesOn, closesOn)
  const days =
    moved === 0
      ? usual
      : {
          closesOn,
          firstExamOn: addDays(closesOn, choosingFor),
          resultsFrom: addDays(usual.resultsFrom, moved + choosingFor),
        }
  const begin = Math.max(ofIndia(`${year}-04-01`, 0).getTime(), now.getTime() - 80 * dayMs)
  return {
    label,
    days,
    at: (share) => inOfficeHours(begin + (now.getTime() - begin) * share, now.getTime()),
    on: ofIndia,
  }
}

/** Returns a past season: its story lies between 1 July and 25 November. */
function pastSeason(label: Season): DemoSeason {
  const year = seasonYear(label)
  const begin = ofIndia(`${year}-07-01`, 9).getTime()
  const end = ofIndia(`${year}-11-25`, 17).getTime()
  return {
    label,
    days: usualDays(label),
    at: (share) => inOfficeHours(begin + (end - begin) * share, end),
    on: ofIndia,
  }
}

/** Returns the three seasons of the demo world, newest first. */
export function seasonsOf(now: Date): [DemoSeason, DemoSeason, DemoSeason] {
  const current = currentSeason(now)
  const last = seasonBefore(current.label)
  return [current, pastSeason(last), pastSeason(seasonBefore(last))]
}
