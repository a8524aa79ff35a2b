import type { ClassFees } from '@podium/contract/catalogue/calls-events'
import { type BookKind, bookKinds, bookKindsOf, classes, isLittleStarClass } from '@podium/contract/classes'
import type { Issue } from '@podium/contract/endpoint'
import { officeMessages } from '@podium/contract/office/messages'
import {
  type EventRules,
  type EventSection,
  eventRules,
  eventSection,
} from '@podium/contract/results/schemas'
import { addDays, type Season, seasonYear } from '@podium/contract/season'
import { formatSentence } from '@podium/contract/sentences'

interface RuledEvent {
  letter: string
  level: number
  sections: readonly EventSection[]
}

const leadingOn = ['M', 'S', 'E']
const classesFrom = (first: number) => Array.from({ length: 13 - first }, (_, i) => first + i)
const titles = (scope: string, scopeHi: string) =>
  [1, 2, 3].map((place) => {
    const [title, titleHi] = [`${scope} award, place ${place}`, `${scopeHi} पुरस्कार, स्थान ${place}`]
    return {
      from: place,
      to: place,
      title,
      titleHi,
      amount: 0,
      message: title,
      messageHi: titleHi,
      couponLink: '' as const,
    }
  })
const prize = (from: number, to: number, amount: number, message: string, messageHi: string) => ({
  from,
  to,
  title: from === to ? `Olympiad prize ${from}` : `Olympiad prize ${from} to ${to}`,
  titleHi: from === to ? `ओलंपियाड पुरस्कार ${from}` : `ओलंपियाड पुरस्कार ${from} से ${to}`,
  amount,
  message,
  messageHi,
  couponLink: '' as const,
})

/** The default rules of an event; the office can change them for each event (docs/algorithms/ranks.md). */
export function defaultRules({ letter, level, sections }: RuledEvent): EventRules {
  return {
    tieBreak: sections.map((section) => section.name),
    medals: [
      { medal: 'Gold', classRank: 1, minimumPool: 5 },
      { medal: 'Silver', classRank: 2, minimumPool: 10 },
      { medal: 'Bronze', classRank: 3, minimumPool: 10 },
    ],
    ladders: [
      {
        kind: 'prize',
        by: 'olympiad',
        places: [
          prize(1, 1, 25_000, 'Prize of ₹25,000', '₹25,000 का पुरस्कार'),
          prize(2, 2, 15_000, 'Prize of ₹15,000', '₹15,000 का पुरस्कार'),
          prize(3, 3, 10_000, 'Prize of ₹10,000', '₹10,000 का पुरस्कार'),
          prize(4, 10, 1_000, 'Gift certificate of ₹1,000', '₹1,000 का गिफ़्ट वाउचर'),
        ],
      },
      // A rank among very few is no distinction, so the same minimum applies as for class medals.
      { kind: 'award', by: 'zonal', minimumPool: 10, places: titles('Zonal', 'क्षेत्रीय') },
      { kind: 'award', by: 'state', minimumPool: 10, places: titles('State', 'राज्य स्तरीय') },
    ],
    onePrize: true,
    nextLevel: leadingOn.includes(letter) ? nextLevelAfter(level) : null,
  }
}

function nextLevelAfter(level: number): EventRules['nextLevel'] {
  if (level === 1) {
    return {
      level: 2,
      classes: classesFrom(3),
      clauses: [
        { by: 'olympiad', upToRank: 1000, percent: 50, minimumPool: 0 },
        { by: 'class', upToRank: 1, percent: 75, minimumPool: 100 },
      ],
    }
  }
  if (level === 2) {
    const first = { by: 'olympiad', upToRank: 1, percent: 0, minimumPool: 0 } as const
    return { level: 3, classes: classesFrom(6), clauses: [first] }
  }
  return null
}

/** Parses the stored sections of an event. Throws if there are none, which is a bug. */
export function sectionsOf(stored: unknown): EventSection[] {
  if (!Array.isArray(stored)) throw new TypeError('the sections of an event are not a list')
  return stored.map((section) => eventSection.parse(section))
}

/** The rules without minimum pools for awards, as events with default rules had them before. */
export function withoutPools({ ladders, ...rules }: EventRules): EventRules {
  return { ...rules, ladders: ladders.map(({ kind, by, places }) => ({ kind, by, places })) }
}

/** The stored rules of an event, or the default rules. */
export function rulesOf(event: {
  letter: string
  level: number
  sections: unknown
  rules: unknown
}): EventRules {
  const { letter, level, rules } = event
  const written = typeof rules === 'object' && rules !== null && Object.keys(rules).length > 0
  return written
    ? eventRules.parse(rules)
    : withoutPools(defaultRules({ letter, level, sections: sectionsOf(event.sections) }))
}

/** Why these rules do not fit the event, or undefined. `path` is the field. */
export function unfitRule(
  rules: EventRules,
  sections: readonly EventSection[],
): { path: string; message: string } | undefined {
  const unknown = rules.tieBreak.find((name) => !sections.some((section) => section.name === name))
  if (unknown !== undefined)
    return { path: 'tieBreak', message: formatSentence('noSuchSection', { name: unknown }) }
  if (new Set(rules.tieBreak).size < rules.tieBreak.length)
    return { path: 'tieBreak', message: officeMessages.tieBreakTwice }
  if (new Set(rules.medals.map((medal) => medal.classRank)).size < rules.medals.length)
    return { path: 'medals', message: officeMessages.medalTwice }
  for (const [index, ladder] of rules.ladders.entries()) {
    let next = 1
    for (const place of ladder.places) {
      if (place.from !== next || place.to < place.from)
        return { path: `ladders.${index}.places`, message: officeMessages.placesGap }
      next = place.to + 1
    }
  }
  return undefined
}

/** The index in an event's sections of each tie-break, in order. */
export function tieBreakIndexes(rules: EventRules, sections: readonly EventSection[]): number[] {
  return rules.tieBreak.map((name) => {
    const index = sections.findIndex((section) => section.name === name)
    if (index < 0) throw new RangeError(`the event has no section ${name}`)
    return index
  })
}

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

/** Errors in an event's days: they must be within the season and in order; offline events need two dates. */
export function dateIssues(season: Season, dates: Dates, prefix = ''): Issue[] {
  const { first, last } = seasonEdges(season)
  const { examMode, closesOn, firstDate, secondDate } = dates
  const issues: Issue[] = []
  const addIssue = (field: keyof Dates, message: string) => issues.push({ path: prefix + field, message })
  for (const field of ['closesOn', 'firstDate', 'secondDate'] as const) {
    const day = dates[field]
    if (day !== '' && (day < first || day > last)) addIssue(field, officeMessages.dayOutsideSeason)
  }
  if (issues.length > 0) return issues
  if (firstDate === '' && (examMode === 'Offline' || secondDate !== ''))
    addIssue('firstDate', officeMessages.firstDateRequired)
  else if (firstDate !== '' && closesOn >= firstDate) addIssue('closesOn', officeMessages.closesLate)
  if (secondDate === '' && examMode === 'Offline') addIssue('secondDate', officeMessages.secondDateRequired)
  else if (secondDate !== '' && firstDate !== '' && secondDate <= firstDate)
    addIssue('secondDate', officeMessages.secondDateEarly)
  return issues
}

/** The job that tells schools of a moved exam date (`exams/dates/jobs.ts`), and its input; days as `2026-12-03`. */
export const dateMovedKind = 'exams.date_moved'
export type MovedDate = { dateId: number; from: string; to: string }

/** Errors in a season's own days. */
export function seasonIssues(season: Season, values: { feeDueOn: string; resultsFrom: string }): Issue[] {
  const { first, last } = seasonEdges(season)
  const issues: Issue[] = []
  if (values.feeDueOn < first || values.feeDueOn > last)
    issues.push({ path: 'feeDueOn', message: officeMessages.dayOutsideSeason })
  if (values.resultsFrom < first) issues.push({ path: 'resultsFrom', message: officeMessages.resultsEarly })
  else if (values.resultsFrom <= values.feeDueOn)
    issues.push({ path: 'resultsFrom', message: officeMessages.resultsBeforeFees })
  return issues
}

/** Errors in an event's sections: at least one, without duplicate names. */
export function sectionIssues(sections: readonly EventSection[]): Issue[] {
  if (sections.length === 0) return [{ path: 'sections', message: officeMessages.sectionsRequired }]
  const seen = new Set<string>()
  return sections.flatMap(({ name }, index) => {
    const known = seen.has(name.toLowerCase())
    seen.add(name.toLowerCase())
    return known ? [{ path: `sections.${index}.name`, message: officeMessages.sectionTwice }] : []
  })
}

/** The tie-break list after sections changed: renamed sections follow, removed ones are dropped. */
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

/** Errors in the prices of an event's classes. */
export function feeIssues(littleStar: boolean, rows: readonly ClassFees[]): Issue[] {
  if (rows.length === 0) return [{ path: 'classes', message: officeMessages.classesRequired }]
  const seen = new Set<number>()
  return rows.flatMap((row, index) => {
    const issues: Issue[] = []
    const addIssue = (field: string, message: string) =>
      issues.push({ path: `classes.${index}.${field}`, message })
    if (seen.has(row.classId)) addIssue('classId', officeMessages.classTwice)
    seen.add(row.classId)
    if (isLittleStarClass(row.classId) !== littleStar) addIssue('classId', officeMessages.classOfOthers)
    if (row.retained > row.fee) addIssue('retained', officeMessages.retainedHigh)
    const offered = bookKindsOf(row.classId)
    for (const kind of bookKinds)
      if (row[kind] !== null && !offered.includes(kind)) addIssue(kind, officeMessages.bookOfOthers)
    return issues
  })
}

/** The prices of one class in paise, named as in the calls. */
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

/** The price differences by class; an added or removed class is one change. */
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
