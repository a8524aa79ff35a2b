import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import {
  bodyId,
  jobProgress,
  optionalText,
  queryId,
  schoolName,
  seasonLabel,
  shownMark,
  text,
} from '../fields.ts'
import { eventQuery, resultRow, searchResults } from './calls.ts'
import { correction, page, pageSize } from './calls-corrections.ts'
import { eventRules, eventSection, resultExplanation } from './schemas.ts'

/**
 * A version of an event's results. States: importing → imported → computed → approved → released → superseded;
 * a failed import is `failed`, a version replaced by a newer import or release is `superseded`.
 */
const resultSetStates = [
  'importing',
  'imported',
  'computing',
  'computed',
  'approved',
  'released',
  'superseded',
  'failed',
] as const
const resultSetState = z.enum(resultSetStates)

const allowed = z.union([z.literal(true), z.string()])

export const resultJob = z.object({ jobId: z.string(), kind: z.string(), ...jobProgress })

export const resultSet = z.object({
  setId: z.number(),
  version: z.number(),
  state: resultSetState,
  rows: z.number(),
  /** Why it corrects the earlier version; empty for the first one. */
  reason: z.string(),
  /** Why its marks were imported before the last exam date; empty if they were not. */
  earlyReason: z.string(),
  rulesVersion: z.number(),
  fileName: z.string(),
  importedBy: z.string(),
  importedAt: z.string(),
  computedBy: z.string(),
  computedAt: z.nullable(z.string()),
  approvedBy: z.string(),
  approvedAt: z.nullable(z.string()),
  /** When schools see it, past or future; null if not set. */
  releaseAt: z.nullable(z.string()),
  releasedAt: z.nullable(z.string()),
  openAnomalies: z.number(),
  openBlocking: z.number(),
  /** Sent back with an approval or a release, so that the decision is on what was shown. */
  seen: z.string(),
  /** The running job, or the last one. */
  job: z.nullable(resultJob),
  /** What the caller may do with it: true, or the code of the reason they may not. */
  can: z.object({ compute: allowed, approve: allowed, release: allowed, withdraw: allowed }),
})
export type ResultSet = z.infer<typeof resultSet>

const officeEvent = z.object({
  eventYearId: z.number(),
  season: z.string(),
  subjectName: z.string(),
  eventLetter: z.string(),
  examLevel: z.number(),
  maximumMarks: z.number(),
  sections: z.array(eventSection),
  rulesVersion: z.number(),
  holds: z.number(),
  /** Null if no exam day is set. */
  lastExamOn: z.nullable(z.string()),
  /** The day from which schools expect results. */
  resultsFrom: z.string(),
  /** The version schools see now, and the newest one that is neither superseded nor failed. */
  visible: z.nullable(z.object({ setId: z.number(), version: z.number(), releaseAt: z.string() })),
  newest: z.nullable(
    z.object({
      setId: z.number(),
      version: z.number(),
      state: resultSetState,
      releaseAt: z.nullable(z.string()),
    }),
  ),
})

export const officeResultEvents = endpoint('GET /api/office/results/events', {
  summary: 'The events of a season with the state of their results.',
  query: z.strictObject({ season: seasonLabel }),
  answer: z.object({ data: z.array(officeEvent) }),
})

export const exportResultEvents = endpoint('POST /api/office/results/exportEvents', {
  summary: 'The same list as a spreadsheet.',
  body: z.strictObject({ season: seasonLabel, format: z.enum(['xlsx', 'csv']) }),
  answers: 'file',
})

export const officeResultEvent = endpoint('GET /api/office/results/event', {
  summary: 'One event with its rules and every version of its results, newest first.',
  query: eventQuery,
  answer: z.object({
    event: officeEvent,
    rules: eventRules,
    sets: z.array(resultSet),
    can: z.object({ import: allowed, correct: allowed, saveRules: allowed }),
  }),
})

export const saveResultRules = endpoint('POST /api/office/results/saveRules', {
  summary: 'Replaces the rules of an event; versions computed before must be computed again.',
  body: z.strictObject({
    eventYearId: bodyId,
    rulesVersion: bodyId,
    rules: eventRules,
    /** Why the rules were changed */
    note: optionalText(500),
  }),
  answer: z.object({ rulesVersion: z.number() }),
})

export const importMarks = endpoint('POST /api/office/results/import', {
  summary:
    'Imports a file of marks (CSV or XLSX: Roll No, Attendance, one column for each section, optionally Final Score or Weight) as a new version.',
  query: z.extend(eventQuery, {
    /** Reads the file of the newest version again, because students have been corrected since. */
    again: z.optional(z.enum(['true', 'false'])),
    /**
     * The number of the new version as shown to the user. Refused if it would get another: it could replace a version that
     * the user has not seen.
     */
    version: z.optional(queryId),
    /** Why a released version is corrected; shown to the schools whose results change. */
    reason: z._default(optionalText(300), ''),
    /** Why marks are imported before all exams of the event are over. */
    early: z._default(optionalText(300), ''),
  }),
  answer: z.object({
    setId: z.number(),
    version: z.number(),
    jobId: z.string(),
    /** The newest version was read from exactly this file, so nothing was done. */
    same: z.boolean(),
  }),
  largeUpload: true,
  bodyLimit: 100 * 1024 * 1024,
})

const setBody = z.strictObject({ setId: bodyId })

export const computeResults = endpoint('POST /api/office/results/compute', {
  summary: 'Computes ranks, medals, prizes, awards and eligibility of a version; can be repeated.',
  body: setBody,
  answer: z.object({ jobId: z.string() }),
})

const chosenResults = {
  schCode: z.optional(z.string().check(z.maxLength(20))),
  classId: z.optional(queryId),
  action: z.optional(z.enum(['2', '3', '5'])),
}

export const previewResults = endpoint('GET /api/office/results/preview', {
  summary:
    'Computed results before their release: of one school as it will see them, or of all by olympiad rank.',
  query: z.strictObject({ setId: queryId, ...chosenResults, page, pageSize }),
  answer: z.object({
    data: z.array(z.extend(resultRow, { schCode: z.string(), schName: z.string() })),
    total: z.number(),
  }),
})

/** POST, because students' names and marks leave the portal, which is logged. */
export const exportPreview = endpoint('POST /api/office/results/exportPreview', {
  summary: 'The computed results that match the filters as a spreadsheet, in the order of the preview.',
  body: z.strictObject({
    setId: bodyId,
    ...chosenResults,
    classId: z.optional(bodyId),
    format: z.enum(['xlsx', 'csv']),
  }),
  answers: 'file',
})

export const resultsSummary = endpoint('GET /api/office/results/summary', {
  summary: 'Figures of a computed version, class by class, and its changes against the one schools see.',
  query: z.strictObject({ setId: queryId }),
  answer: z.object({
    classes: z.array(
      z.object({
        classId: z.number(),
        className: z.string(),
        present: z.number(),
        absent: z.number(),
        schools: z.number(),
        gold: z.number(),
        silver: z.number(),
        bronze: z.number(),
        prizes: z.number(),
        /** Rupees */
        prizeAmount: z.number(),
        awards: z.number(),
        nextLevel: z.number(),
        highest: z.number(),
      }),
    ),
    /** Rows of the marks that are not used as they were in the file, and paid students without one */
    rows: z.object({
      excluded: z.int(),
      /** With marks of an absent student */
      asAbsent: z.int(),
      /** Rows typed by hand, also for a missing student */
      corrected: z.int(),
      missing: z.int(),
    }),
    /** How much of it stays hidden because the schools' results are withheld */
    withheld: z.object({
      schools: z.number(),
      results: z.number(),
      absent: z.number(),
      medals: z.number(),
      prizes: z.number(),
      /** Rupees */
      prizeAmount: z.number(),
      awards: z.number(),
    }),
    /** Null if nothing is visible yet. */
    changes: z.nullable(
      z.object({ version: z.number(), added: z.number(), removed: z.number(), changed: z.number() }),
    ),
  }),
})

export const approveResults = endpoint('POST /api/office/results/approve', {
  summary:
    'Approves a computed version as it was shown; only by someone who has neither imported, checked nor computed it, nor set its rules.',
  body: z.strictObject({ ...setBody.shape, seen: shownMark }),
})

export const releaseResults = endpoint('POST /api/office/results/release', {
  summary: 'Releases an approved version, at once or at a set time.',
  body: z.strictObject({
    ...setBody.shape,
    seen: shownMark,
    releaseAt: z.optional(z.iso.datetime({ offset: true })),
    /** Why they are released before the day schools expect them. */
    early: optionalText(300),
  }),
  answer: z.object({ releaseAt: z.string() }),
})

export const withdrawRelease = endpoint('POST /api/office/results/withdraw', {
  summary: 'Withdraws a release whose time has not come.',
  body: setBody,
})

export const resultHolds = endpoint('GET /api/office/results/holds', {
  summary: 'The schools whose results in an event are withheld.',
  query: eventQuery,
  answer: z.object({
    data: z.array(
      z.object({ ...schoolName, reason: z.string(), withheldBy: z.string(), withheldAt: z.string() }),
    ),
  }),
})

const schoolCode = text('School code is required.', 20)

export const holdResults = endpoint('POST /api/office/results/hold', {
  summary:
    "Withholds a school's results in an event. The reason stays in the office; the school sees that its results are being checked.",
  body: z.strictObject({ eventYearId: bodyId, schCode: schoolCode, reason: text('Please say why.', 500) }),
})

export const unholdResults = endpoint('POST /api/office/results/unhold', {
  summary: 'Shows a school its withheld results.',
  body: z.strictObject({ eventYearId: bodyId, schCode: schoolCode }),
})

export const explainResultForOffice = endpoint('GET /api/office/results/why', {
  summary: 'The reasons for a computed result, released or not.',
  query: z.strictObject({ resultId: z.string().check(z.regex(/^[0-9]{1,15}-[0-9]{1,15}$/)) }),
  answer: z.object({ why: resultExplanation }),
})

/** A school's result pages with a version that is not released, for the office only. */

const ofSchool = { setId: queryId, schCode: z.string().check(z.minLength(1), z.maxLength(20)) }

export const previewSchools = endpoint('GET /api/office/results/previewSchools', {
  summary: 'The schools with results in an unreleased version, by name, code or place.',
  query: z.strictObject({ setId: queryId, search: z._default(z.string().check(z.maxLength(100)), '') }),
  answer: z.object({
    /** The first 20 schools by code */
    data: z.array(
      z.object({ schCode: z.string(), schName: z.string(), district: z.string(), state: z.string() }),
    ),
  }),
})

/**
 * Answers what `searchResults` will answer after the release, so that the school's own screens can show it. `state` is
 * 'released', or 'withheld' without rows, as the school would see it; `releasedAt` is the time that is set, or null. Rows
 * have no working links: `resultLink` and `couponLink` are empty, `gift` says whether there will be a coupon link.
 */
export const schoolPreview = endpoint('GET /api/office/results/schoolPreview', {
  summary: "A school's results in an unreleased version, as its pages will show them.",
  query: z.strictObject({
    ...ofSchool,
    classId: z._default(queryId, 0),
    /** 2 medal, 3 prize, 5 award; absent: all */
    action: z.optional(z.enum(['2', '3', '5'])),
    offset: z._default(queryId, 0),
    limit: z._default(queryId, 50),
  }),
  answer: z.extend(searchResults.answer, {
    data: z.array(z.extend(resultRow, { gift: z.boolean() })),
    version: z.number(),
    school: z.object({ schCode: z.string(), schName: z.string() }),
    /** Whether the column 'Eligible For Level-2/3' is shown */
    leadsOn: z.boolean(),
  }),
})

export const previewCorrections = endpoint('GET /api/office/results/previewCorrections', {
  summary: 'The corrections a school would see once a version is released, that version’s first.',
  query: z.strictObject(ofSchool),
  answer: z.object({
    /** `releasedAt` is null for the version that is not released */
    data: z.array(z.extend(correction, { releasedAt: z.nullable(z.string()) })),
  }),
})

/** The raw marks of a class on one of an event's dates. */
const paper = z.object({
  ordinal: z.number(),
  heldOn: z.string(),
  /** How many students were present, and from how many schools */
  sat: z.number(),
  schools: z.number(),
  mean: z.number(),
  /** Percentiles: a tenth, a quarter, half, three quarters and nine tenths of the students have at most this. */
  p10: z.number(),
  lower: z.number(),
  median: z.number(),
  upper: z.number(),
  p90: z.number(),
})
export type Paper = z.infer<typeof paper>

const comparedClass = z.object({
  classId: z.number(),
  className: z.string(),
  papers: z.array(paper),
  /** Difference of the means in standard deviations, first date minus second; null if too few were present to tell. */
  effect: z.nullable(z.number()),
  differs: z.boolean(),
})

export const resultPapers = endpoint('GET /api/office/results/papers', {
  summary:
    "A comparison of the question papers of an event's dates, by class, and the decision if they differ.",
  query: z.strictObject({ setId: queryId }),
  answer: z.object({
    /** Empty if everyone took it on the same date. */
    classes: z.array(comparedClass),
    differ: z.boolean(),
    decision: z.nullable(z.object({ note: z.string(), by: z.string(), at: z.string() })),
    /** Sent back with a decision */
    seen: z.string(),
    /** True, or the code of the reason it can't be decided. */
    canDecide: z.union([z.literal(true), z.string()]),
  }),
})

export const decidePapers = endpoint('POST /api/office/results/decidePapers', {
  summary: 'Records, with a reason, that the marks of both dates are comparable although the papers differ.',
  body: z.strictObject({ setId: bodyId, seen: shownMark, note: text('Please say why.', 500) }),
})
