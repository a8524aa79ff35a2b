import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { bodyId, jobState, optionalText, queryId, shownMark } from '../fields.ts'
import { likelySchool } from './calls-applications.ts'
import { schoolRecord } from './calls-record.ts'

/** Merging two records of the same school: what would move, what conflicts and which rule settles it, and the merge. */

/** Details the office can take from either school, in the order of the record. */
export const mergeFields = [
  'schName',
  'schAddress',
  'city',
  'district',
  'state',
  'country',
  'pinCode',
  'mobile',
  'whatsAppNo',
  'landLineNo',
  'schFaxNo',
  'schEmail',
  'schWebSite',
  'udiseCode',
  'affiliationNo',
  'schGroupId',
] as const
export type MergeField = (typeof mergeFields)[number]

/** What moves from one school to the other, counted for both. */
export const mergeKinds = [
  'people',
  'contacts',
  'links',
  'students',
  'enrolments',
  'books',
  'library',
  'families',
  'events',
  'payments',
  'credits',
  'refunds',
  'bankLines',
  'waivers',
  'packets',
  'results',
  'questions',
  'imports',
  'actingSessions',
  'reminders',
  'notes',
  'notices',
  'files',
  'history',
] as const
export type MergeKind = (typeof mergeKinds)[number]

/** Sums over all seasons, in rupees. `share` is what the schools keep of the charges. */
export const mergeSums = ['charged', 'share', 'received', 'pending', 'due', 'credit'] as const
export type MergeSum = (typeof mergeSums)[number]

/** Conflicts that a rule settles. */
const mergeClashes = [
  'removed',
  'twins',
  'rolls',
  'events',
  'dates',
  'signed',
  'families',
  'library',
  'contacts',
  'invitations',
  'questions',
  'holds',
  'imports',
  'mappings',
  'coordinators',
  'offers',
  'moves',
  'ranks',
] as const
export type MergeClash = (typeof mergeClashes)[number]

/** Conflicts no rule can settle; the schools can't be merged while there are any. */
const mergeBlocks = ['pending', 'library_prices', 'jobs', 'marks', 'unreleased', 'off'] as const
export type MergeBlock = (typeof mergeBlocks)[number]

const example = z.object({
  /** A student, a subject, a book … */
  what: z.string(),
  target: z.string(),
  source: z.string(),
})
export type MergeExample = z.output<typeof example>

const countWithExamples = { count: z.int(), examples: z.array(example) }
const countOfEach = { target: z.int(), source: z.int() }

export const mergeCandidates = endpoint('GET /api/office/schools/mergeCandidates', {
  summary: 'Schools similar to this one, or search results: one of them may be the same school.',
  query: z.strictObject({ id: queryId, search: optionalText(100) }),
  answer: z.object({ school: likelySchool, data: z.array(likelySchool) }),
})

export const previewMerge = endpoint('GET /api/office/schools/mergePreview', {
  summary: 'Two schools side by side: what would move, what conflicts, and what prevents merging them.',
  query: z.strictObject({ target: queryId, source: queryId }),
  answer: z.object({
    target: schoolRecord,
    source: schoolRecord,
    seasons: z.array(z.string()),
    moves: z.array(z.object({ kind: z.enum(mergeKinds), ...countOfEach })),
    /** Null if the role may not read payments */
    sums: z.nullable(z.array(z.object({ kind: z.enum(mergeSums), target: z.number(), source: z.number() }))),
    clashes: z.array(z.object({ kind: z.enum(mergeClashes), ...countWithExamples })),
    blocks: z.array(z.object({ kind: z.enum(mergeBlocks), ...countWithExamples })),
    /** Sent back with the merge, so that what is merged is what was shown. */
    seen: z.string(),
  }),
})

export const mergeSchools = endpoint('POST /api/office/schools/merge', {
  summary:
    "Moves everything from one school to another in one transaction; can't be undone. A large one is a background job.",
  body: z.strictObject({
    target: bodyId,
    targetVersion: bodyId,
    source: bodyId,
    sourceVersion: bodyId,
    seen: shownMark,
    /** Details to take from the school that goes away */
    take: z.array(z.enum(mergeFields)).check(z.maxLength(mergeFields.length)),
    /** The code of the school that goes away, typed by the officer */
    typed: optionalText(20),
  }),
  answer: z.object({
    /** Empty if it is done already */
    jobId: z.string(),
  }),
})

export const mergeJob = endpoint('GET /api/office/schools/mergeJob', {
  summary: 'Progress of merging two large schools.',
  query: z.strictObject({ jobId: z.string().check(z.maxLength(60)) }),
  answer: z.object({ state: jobState, error: z.nullable(z.string()) }),
})
