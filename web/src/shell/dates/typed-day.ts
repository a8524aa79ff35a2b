import { addDays, isDay } from '@podium/contract/season'
import { plainDigits } from '#ui/numbers.ts'

const english = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

const two = (n: number) => String(n).padStart(2, '0')

/** Returns `2026-11-21`, or undefined for a day that does not exist. */
function dayOf(year: number, month: number, date: number): string | undefined {
  const day = `${String(year).padStart(4, '0')}-${two(month)}-${two(date)}`
  return isDay(day) ? day : undefined
}

/** Returns the names of the months in a language, in the form used in headings. */
export function monthNames(language: string): string[] {
  const name = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' })
  return english.map((_, month) => name.format(Date.UTC(2026, month, 1)))
}

/** Folds to lower case, and ड़ to ड, because many keyboards have no dot. */
const folded = (name: string) => name.normalize('NFD').replaceAll('\u093c', '').toLowerCase()

/** Reads `Dec`, `december`, `दिसंबर`: an unambiguous beginning of a month's name; 0 for anything else. */
function monthOf(typed: string, language: string): number {
  for (const names of [english, monthNames(language)]) {
    const matches = names.filter((name) => folded(name).startsWith(folded(typed)))
    if (matches[0] !== undefined && matches.length === 1 && typed.length > 1)
      return names.indexOf(matches[0]) + 1
  }
  return 0
}

/** Reads a typed day: `24/12/2027`, `24-12-27`, `24 Dec 2027`, `24 दिसंबर 2027`, `2027-12-24`; else undefined. */
export function parseTypedDay(typed: string, language = 'en'): string | undefined {
  const parts = plainDigits(typed)
    .replace(/(\d)(?=\p{L})|([\p{L}\p{M}])(?=\d)/gu, '$& ')
    .split(/[\s./,-]+/)
    .filter(Boolean)
  const [first = '', second = '', third = '', ...more] = parts
  if (more.length > 0) return undefined
  if (/^\d{4}$/.test(first) && /^\d{1,2}$/.test(second) && /^\d{1,2}$/.test(third))
    return dayOf(Number(first), Number(second), Number(third))
  if (!/^\d{1,2}$/.test(first) || !/^(?:\d\d|\d{4})$/.test(third)) return undefined
  const month = /^\d{1,2}$/.test(second) ? Number(second) : monthOf(second, language)
  return dayOf(third.length === 2 ? 2000 + Number(third) : Number(third), month, Number(first))
}

/** Adds months to a day; in a shorter month, the last day. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0))
  last.setUTCDate(Math.min(date, last.getUTCDate()))
  return last.toISOString().slice(0, 10)
}

/** Returns the six weeks, from Sunday, that the page of a month shows. */
export function weeksOfMonth(day: string): string[][] {
  const first = `${day.slice(0, 8)}01`
  const sunday = addDays(first, -new Date(`${first}T00:00:00Z`).getUTCDay())
  return Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (_, index) => addDays(sunday, week * 7 + index)),
  )
}
