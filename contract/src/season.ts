/**
 * A season: the Indian financial year, 1 April to 31 March IST, labelled like `2026-27`.
 * Times are UTC instants; IST is always +05:30, without summer time.
 */
export type Season = string & { readonly __brand: 'season' }

const istOffset = 5.5 * 3_600_000
const label = /^(20\d\d)-(\d\d)$/
/** The first season of the product (specification, section 9). */
const firstSeasonYear = 2024

/** Parses a label; undefined if its two years are not consecutive. */
export function parseSeason(text: string): Season | undefined {
  const match = label.exec(text)
  if (!match) return undefined
  return (Number(match[1]) + 1) % 100 === Number(match[2]) ? (text as Season) : undefined
}

/** Returns the season that begins on 1 April of a year: 2026 → `2026-27`. */
export function seasonOfYear(year: number): Season {
  return `${year}-${String((year + 1) % 100).padStart(2, '0')}` as Season
}

/** Returns the year in which a season begins: `2026-27` → 2026. */
export function seasonYear(season: Season): number {
  return Number(season.slice(0, 4))
}

/** Returns the season of an instant, in IST: before April it has the previous year's label. */
export function seasonAt(instant: Date): Season {
  const ist = new Date(instant.getTime() + istOffset)
  const year = ist.getUTCFullYear()
  return seasonOfYear(ist.getUTCMonth() < 3 ? year - 1 : year)
}

/** Returns the previous season. */
export function seasonBefore(season: Season): Season {
  return seasonOfYear(seasonYear(season) - 1)
}

/** Returns the seasons from 2024-25 to the one of an instant, newest first. */
export function seasonsUpTo(instant: Date): Season[] {
  const seasons: Season[] = []
  for (let year = seasonYear(seasonAt(instant)); year >= firstSeasonYear; year--)
    seasons.push(seasonOfYear(year))
  return seasons
}

/** Returns the IST day of an instant, as `2026-11-21`. */
export function istDay(instant: Date): string {
  return new Date(instant.getTime() + istOffset).toISOString().slice(0, 10)
}

/** Returns the IST time of an instant, as `09:05 AM`. */
export function istTime(instant: Date): string {
  const ist = new Date(instant.getTime() + istOffset)
  const hours = ist.getUTCHours()
  const two = (n: number) => String(n).padStart(2, '0')
  return `${two(hours % 12 === 0 ? 12 : hours % 12)}:${two(ist.getUTCMinutes())} ${hours < 12 ? 'AM' : 'PM'}`
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Formats a day (`2026-11-21`) as the product shows it: `21-Nov-2026`. */
export function formatDay(day: string): string {
  const [year, month, date] = day.split('-')
  return `${date}-${months[Number(month) - 1]}-${year}`
}

/** Formats an instant in IST: `18-Nov-2026, 05:30 PM`. */
export const formatMoment = (instant: Date): string => `${formatDay(istDay(instant))}, ${istTime(instant)}`

/** Returns the days from one day to another, both like `2026-11-21`; negative if `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000)
}

/** Adds days to a day; a negative number goes back. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

/** Whether a text is a calendar day like `2026-11-21`. */
export function isDay(typed: string): boolean {
  const instant = Date.parse(`${typed}T00:00:00Z`)
  return /^\d{4}-\d\d-\d\d$/.test(typed) && !Number.isNaN(instant) && addDays(typed, 0) === typed
}

/** Returns the instant at which a day begins in IST, or so many minutes later. */
export function startOfDay(day: string, minutes = 0): Date {
  return new Date(Date.parse(`${day}T00:00:00Z`) - istOffset + minutes * 60_000)
}

/**
 * Reads a day as files write it, also with a time after it: `2026-12-10`, `10/12/2026`, `10-Dec-26`; undefined for anything
 * else. Of two numbers the first is the day, unless `order` is `mdy`.
 */
export function readDay(text: string, order = 'dmy'): string | undefined {
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})/.exec(text)
  const usual = /^(\d{1,2})[-/. ]+(\d{1,2}|[A-Za-z]{3,})[-/., ]+(\d{4}|\d{2})\b/.exec(text)
  const [year = '', second = '', first = ''] = iso ? iso.slice(1) : (usual?.slice(1).reverse() ?? [])
  const named = months.findIndex((name) => name.toLowerCase() === second.slice(0, 3).toLowerCase()) + 1
  const [month, date] =
    usual && !named && order === 'mdy' ? [first, second] : [String(named || second), first]
  const day = `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
  return day.startsWith('20') && isDay(day) ? day : undefined
}

/** Reads a time of day as files write it (`10:30`, `10:30 AM`, `9 pm`), in minutes after midnight, or undefined. */
export function readTime(text: string): number | undefined {
  const match = /^(\d{1,2})(?:[:.](\d{2}))?(?::\d{2})?\s*([ap])?\.?m?\.?$/i.exec(text.trim())
  if (!match) return undefined
  const [, hour = '', minute = '0', half] = match
  if (half === undefined && match[2] === undefined) return undefined
  const hours = half ? (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hour)
  if ((half && (Number(hour) < 1 || Number(hour) > 12)) || hours > 23 || Number(minute) > 59) return undefined
  return hours * 60 + Number(minute)
}
