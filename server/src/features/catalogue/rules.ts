import type { ClassFees } from '@podium/contract/catalogue/calls-events'
import { catalogueMessages } from '@podium/contract/catalogue/messages'
import { type BookKind, bookKinds, bookKindsOf, classes, isLittleStarClass } from '@podium/contract/classes'
import type { Issue } from '@podium/contract/envelope'
import type { EventSection } from '@podium/contract/results/schemas'
import { addDays, type Season, seasonYear } from '@podium/contract/season'

/** A year later on the same weekday: 52 weeks. */
export const aYearLater = (day: string): string => addDays(day, 364)

/** First and last day (IST) of a season. */
export function seasonEdges(season: Season): { first: string; last: string } {
  const year = seasonYear(season)
  return { first: `${year}-04-01`, last: `${year + 1}-03-31` }
}

interface Dates {
  examMode: 'Online' | 'Offline'
  closesOn: string
  firstDate: string
  secondDate: string
}

/** What is wrong with an event's days: each within its season, in order; offline events offer two dates. */
export function dateIssues(season: Season, dates: Dates, prefix = ''): Issue[] {
  const { first, last } = seasonEdges(season)
  const { examMode, closesOn, firstDate, secondDate } = dates
  const issues: Issue[] = []
  const say = (field: keyof Dates, message: string) => issues.push({ path: prefix + field, message })
  for (const field of ['closesOn', 'firstDate', 'secondDate'] as const) {
    const day = dates[field]
    if (day !== '' && (day < first || day > last)) say(field, catalogueMessages.dayOutsideSeason)
  }
  if (issues.length > 0) return issues
  if (firstDate === '' && (examMode === 'Offline' || secondDate !== ''))
    say('firstDate', catalogueMessages.firstDateRequired)
  else if (firstDate !== '' && closesOn >= firstDate) say('closesOn', catalogueMessages.closesLate)
  if (secondDate === '' && examMode === 'Offline') say('secondDate', catalogueMessages.secondDateRequired)
  else if (secondDate !== '' && firstDate !== '' && secondDate <= firstDate)
    say('secondDate', catalogueMessages.secondDateEarly)
  return issues
}

/** What is wrong with a season's own days. */
export function seasonIssues(season: Season, values: { feeDueOn: string; resultsFrom: string }): Issue[] {
  const { first, last } = seasonEdges(season)
  const issues: Issue[] = []
  if (values.feeDueOn < first || values.feeDueOn > last)
    issues.push({ path: 'feeDueOn', message: catalogueMessages.dayOutsideSeason })
  if (values.resultsFrom < first)
    issues.push({ path: 'resultsFrom', message: catalogueMessages.resultsEarly })
  else if (values.resultsFrom <= values.feeDueOn)
    issues.push({ path: 'resultsFrom', message: catalogueMessages.resultsBeforeFees })
  return issues
}

/** What is wrong with an event's sections: at least one, no name twice. */
export function sectionIssues(sections: readonly EventSection[]): Issue[] {
  if (sections.length === 0) return [{ path: 'sections', message: catalogueMessages.sectionsRequired }]
  const seen = new Set<string>()
  return sections.flatMap(({ name }, index) => {
    const known = seen.has(name.toLowerCase())
    seen.add(name.toLowerCase())
    return known ? [{ path: `sections.${index}.name`, message: catalogueMessages.sectionTwice }] : []
  })
}

/** The tie-break list after the sections were changed: those renamed in place follow, those gone leave. */
export function tieBreakAfter(
  tieBreak: readonly string[],
  before: readonly EventSection[],
  after: readonly EventSection[],
): string[] {
  const names = after.map(({ name }) => name)
  const renamed = (name: string) => {
    if (names.includes(name) || before.length !== after.length) return name
    return names[before.findIndex((section) => section.name === name)] ?? name
  }
  return [...new Set(tieBreak.map(renamed).filter((name) => names.includes(name)))]
}

/** What is wrong with the prices of an event's classes. */
export function feeIssues(littleStar: boolean, rows: readonly ClassFees[]): Issue[] {
  if (rows.length === 0) return [{ path: 'classes', message: catalogueMessages.classesRequired }]
  const seen = new Set<number>()
  return rows.flatMap((row, index) => {
    const issues: Issue[] = []
    const say = (field: string, message: string) =>
      issues.push({ path: `classes.${index}.${field}`, message })
    if (seen.has(row.classId)) say('classId', catalogueMessages.classTwice)
    seen.add(row.classId)
    if (isLittleStarClass(row.classId) !== littleStar) say('classId', catalogueMessages.classOfOthers)
    if (row.retained > row.fee) say('retained', catalogueMessages.retainedHigh)
    const offered = bookKindsOf(row.classId)
    for (const kind of bookKinds)
      if (row[kind] !== null && !offered.includes(kind)) say(kind, catalogueMessages.bookOfOthers)
    return issues
  })
}

/** The prices of one class in paise, under the names of the calls. */
export type ClassPrices = Record<'fee' | 'retained' | 'bookRetained', number> &
  Record<BookKind, number | null>

export interface PriceChange {
  classId: number
  what: 'fee' | 'retained' | 'bookRetained' | BookKind | 'class'
  /** Paise; null: not offered */
  from: number | null
  to: number | null
}

const priced = ['fee', 'retained', ...bookKinds, 'bookRetained'] as const

/** Each price that differs, class by class; a class that comes or goes is one change. */
export function priceChanges(
  before: ReadonlyMap<number, ClassPrices>,
  after: ReadonlyMap<number, ClassPrices>,
): PriceChange[] {
  return classes.flatMap(({ classId }): PriceChange[] => {
    const [old, now] = [before.get(classId), after.get(classId)]
    if (!old && !now) return []
    if (!old || !now) return [{ classId, what: 'class', from: old?.fee ?? null, to: now?.fee ?? null }]
    return priced
      .filter((what) => old[what] !== now[what])
      .map((what) => ({ classId, what, from: old[what], to: now[what] }))
  })
}
