import * as z from 'zod/mini'
import { allowance, endpoint, type Issue } from '../endpoint.ts'
import { bodyId, olympiad, seasonLabel } from '../fields.ts'
import { officeMessages } from '../office/messages.ts'
import { maxSlabs, type ShareRule, shareRule } from './rules-fee.ts'
import { day, examModes, optionalDay, seasonStates, seasonValues } from './schemas.ts'

/** Slabs as a form holds them; '' until a field has a number. */
export interface SlabInput {
  from: number | ''
  share: number | ''
}

const isWhole = (typed: number | ''): typed is number => typed !== '' && Number.isInteger(typed)

function fromIssue(slabs: readonly SlabInput[], index: number): string | undefined {
  const from = slabs[index]?.from ?? ''
  if (!isWhole(from) || from < 1 || from > 1_000_000) return officeMessages.slabFromRequired
  if (index === 0) return from === 1 ? undefined : officeMessages.slabFirst
  const previous = slabs[index - 1]?.from ?? ''
  return isWhole(previous) && from <= previous ? officeMessages.slabRising : undefined
}

function shareIssue(slabs: readonly SlabInput[], index: number): string | undefined {
  const share = slabs[index]?.share ?? ''
  if (share === '' || share < 0) return officeMessages.amountRequired
  if (share > 100_000) return officeMessages.amountHigh
  if (Math.abs(share * 100 - Math.round(share * 100)) >= 1e-6) return officeMessages.amountDecimals
  const previous = index === 0 ? '' : (slabs[index - 1]?.share ?? '')
  return previous !== '' && share < previous ? officeMessages.slabShareFalls : undefined
}

/**
 * Checks slabs: the first starts at one student, each later one starts higher and gives no less, so that every number
 * of students has exactly one share. Paths begin with `slabs`.
 */
export function slabIssues(slabs: readonly SlabInput[]): Issue[] {
  if (slabs.length === 0) return [{ path: 'slabs', message: officeMessages.slabsRequired }]
  if (slabs.length > maxSlabs) return [{ path: 'slabs', message: officeMessages.slabsMany }]
  return slabs.flatMap((_, index) => {
    const issues: Issue[] = []
    const addIssue = (field: string, message: string | undefined) => {
      if (message !== undefined) issues.push({ path: `slabs.${index}.${field}`, message })
    }
    addIssue('from', fromIssue(slabs, index))
    addIssue('share', shareIssue(slabs, index))
    return issues
  })
}

/** Checks the share rule of a season, with paths as in the calls. */
export function shareIssues(share: ShareRule): Issue[] {
  if (share.kind !== 'slabs') return []
  return slabIssues(share.slabs).map(({ path, message }) => ({ path: `share.${path}`, message }))
}

/** Seasons, as the office manages them: prepared from the previous one, opened for schools, closed. */

const season = z.object({
  FYear: z.string(),
  state: z.enum(seasonStates),
  version: z.int(),
  feeDueOn: z.string(),
  resultsFrom: z.string(),
  dateChoiceDays: z.int(),
  share: shareRule,
  events: z.int(),
  /** Events that schools can't enter yet: no dates (offline) or no prices */
  incomplete: z.int(),
  /** Active students, how many of them are paid, and their schools */
  students: z.int(),
  paid: z.int(),
  schools: z.int(),
  /** Active enrolments, which keep their prices when prices change */
  enrolments: z.int(),
})
export type OfficeSeason = z.output<typeof season>

/** What schools pay into an account of its own. */
export const payable = ['registration', 'books'] as const

export const officeSeasons = endpoint('GET /api/office/catalogue/seasons', {
  summary: 'All seasons, newest first, and the one to prepare next.',
  answer: z.object({
    data: z.array(season),
    /** The season to create next and the one it is copied from; `from` is null if there is none at all */
    next: z.nullable(z.object({ FYear: z.string(), from: z.nullable(z.string()) })),
    /** What no bank account is entered for, also none that waits for its second person: schools can't pay it */
    noAccount: z.array(z.enum(payable)),
    can: z.object({ write: allowance, rules: allowance }),
  }),
})

/** A day of the previous season and its new day: 52 weeks later, the same weekday. */
const movedDay = z.object({ from: z.string(), to: z.string() })

const planned = z.object({
  ...olympiad,
  examLevel: z.int(),
  examMode: z.enum(examModes),
  closesOn: movedDay,
  firstDate: z.nullable(movedDay),
  secondDate: z.nullable(movedDay),
  maximumMarks: z.int(),
  sections: z.int(),
  classes: z.string(),
  /** Lowest and highest fee of its classes, in rupees; null if it has no prices */
  feeFrom: z.nullable(z.number()),
  feeTo: z.nullable(z.number()),
  /** Number of book prices that are copied */
  bookPrices: z.int(),
  /** The late fee that is copied: start and amount; null if there is none, or it would start after entries close */
  late: z.nullable(z.object({ from: movedDay, fee: z.number() })),
  rulesVersion: z.int(),
  /** Its students in the previous season */
  students: z.int(),
})
export type PlannedEvent = z.output<typeof planned>

/** Something a person has to decide; it names the event, and the `day` if it is about one. */
const decision = z.object({
  kind: z.enum(['noDates', 'noPrices', 'holiday', 'noHolidays', 'noStudents']),
  eventLetter: z.string(),
  examLevel: z.int(),
  day: z.string(),
  /** Name of the holiday */
  name: z.string(),
})
export type OpeningDecision = z.output<typeof decision>

export const openingPlan = endpoint('GET /api/office/catalogue/plan', {
  summary: 'What a new season would copy from the previous one, and what has to be decided. Writes nothing.',
  query: z.strictObject({ from: seasonLabel }),
  answer: z.object({
    FYear: z.string(),
    from: z.string(),
    /** Identifies the data the plan was made from; opening is refused if they have changed since */
    token: z.string(),
    feeDueOn: movedDay,
    resultsFrom: movedDay,
    dateChoiceDays: z.int(),
    share: shareRule,
    events: z.array(planned),
    decisions: z.array(decision),
    holidays: z.array(z.object({ day: z.string(), name: z.string() })),
  }),
})

const openedEvent = z.strictObject({
  eventLetter: z.string().check(z.maxLength(2)),
  examLevel: z.int().check(z.minimum(1), z.maximum(3)),
  examMode: z.enum(examModes),
  closesOn: day,
  firstDate: optionalDay,
  secondDate: optionalDay,
  /** Added to the fee of each class, in rupees; may be negative */
  feeChange: z._default(z.number().check(z.minimum(-100_000), z.maximum(100_000)), 0),
})
export type OpenedEvent = z.output<typeof openedEvent>

export const openSeason = endpoint('POST /api/office/catalogue/open', {
  summary:
    'Creates a season from the previous one with these changes, in one transaction. Schools do not see it yet.',
  body: z.strictObject({
    from: seasonLabel,
    token: z.string().check(z.maxLength(64)),
    ...seasonValues,
    /** The events to copy; others are left out */
    events: z.array(openedEvent).check(z.maxLength(100)),
  }),
  answer: z.object({ FYear: z.string(), events: z.int() }),
})

/** Refuses with catalogue.season_exists if there is any season, and seasons other than the current and the next one. */
export const firstSeason = endpoint('POST /api/office/catalogue/first', {
  summary: 'Creates the first season of an installation, without events. Schools do not see it yet.',
  body: z.strictObject({ FYear: seasonLabel, ...seasonValues }),
})

export const saveSeason = endpoint('POST /api/office/catalogue/season', {
  summary: 'Changes the days and the share rule of a season; existing entries keep their share.',
  body: z.strictObject({ FYear: seasonLabel, version: bodyId, ...seasonValues }),
})

export const setSeasonState = endpoint('POST /api/office/catalogue/state', {
  summary: 'Opens a season for schools, or closes it.',
  body: z.strictObject({ FYear: seasonLabel, version: bodyId, state: z.enum(['open', 'closed']) }),
})

/** Refuses with catalogue.season_state, catalogue.season_used, changed_meanwhile, not_found. */
export const deleteSeason = endpoint('POST /api/office/catalogue/delete', {
  summary: 'Deletes a season in preparation that nothing uses yet, with its events and prices.',
  body: z.strictObject({ FYear: seasonLabel, version: bodyId }),
})
