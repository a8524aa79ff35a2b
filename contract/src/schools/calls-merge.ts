import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { bodyId, optionalText, queryId, shownMark } from '../fields.ts'
import { likelySchool } from './calls-applications.ts'
import { schoolRecord } from './calls-record.ts'

/** Two entries of one school become one: what would move, what clashes and by which rule it is settled, and the merge. */

/** The details of which the office chooses one or the other, in the order of the record. */
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

/** What a school has that goes over, counted for both. */
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
  'visits',
  'nudges',
  'notes',
  'notices',
  'files',
  'history',
] as const
export type MergeKind = (typeof mergeKinds)[number]

/** Sums of all seasons, in rupees. `share` is what the schools keep of what is charged. */
export const mergeSums = ['charged', 'share', 'received', 'pending', 'due', 'credit'] as const
export type MergeSum = (typeof mergeSums)[number]

/** What can't stand beside each other in one school, and is settled by a rule. */
export const mergeClashes = [
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

/** What can't be settled by a rule: as long as there is any of it, the schools can't be merged. */
export const mergeBlocks = ['pending', 'library_prices', 'jobs', 'marks', 'unreleased', 'off'] as const
export type MergeBlock = (typeof mergeBlocks)[number]

const example = z.object({
  /** A child, a subject, a book … */
  what: z.string(),
  stays: z.string(),
  leaves: z.string(),
})
export type MergeExample = z.output<typeof example>

const found = { count: z.int(), examples: z.array(example) }
const both = { stays: z.int(), leaves: z.int() }

export const mergeCandidates = endpoint('GET /api/office/schools/mergeCandidates', {
  summary:
    'Schools that look like this one, or those that a search finds: one of them may be the same school.',
  query: z.strictObject({ id: queryId, search: optionalText(100) }),
  answer: z.object({ school: likelySchool, data: z.array(likelySchool) }),
})

export const previewMerge = endpoint('GET /api/office/schools/mergePreview', {
  summary:
    'Two schools side by side: what would move, what clashes, and what stands in the way of merging them.',
  query: z.strictObject({ stays: queryId, leaves: queryId }),
  answer: z.object({
    stays: schoolRecord,
    leaves: schoolRecord,
    seasons: z.array(z.string()),
    moves: z.array(z.object({ kind: z.enum(mergeKinds), ...both })),
    /** Null for who may not read payments */
    sums: z.nullable(z.array(z.object({ kind: z.enum(mergeSums), stays: z.number(), leaves: z.number() }))),
    clashes: z.array(z.object({ kind: z.enum(mergeClashes), ...found })),
    blocks: z.array(z.object({ kind: z.enum(mergeBlocks), ...found })),
    /** Goes back with the merge: what is merged is what was shown. */
    seen: z.string(),
  }),
})

export const mergeSchools = endpoint('POST /api/office/schools/merge', {
  summary:
    'Moves everything of one school to another in one transaction; can not be taken back. A large one is a job.',
  body: z.strictObject({
    stays: bodyId,
    staysVersion: bodyId,
    leaves: bodyId,
    leavesVersion: bodyId,
    seen: shownMark,
    /** The details that are taken from the school that leaves */
    take: z.array(z.enum(mergeFields)).check(z.maxLength(mergeFields.length)),
    /** The code of the school that leaves, typed by the officer */
    typed: optionalText(20),
  }),
  answer: z.object({
    /** Empty where it is done already */
    jobId: z.string(),
  }),
})

export const mergeJob = endpoint('GET /api/office/schools/mergeJob', {
  summary: 'How far the merging of two large schools is.',
  query: z.strictObject({ jobId: z.string().check(z.maxLength(60)) }),
  answer: z.object({
    state: z.enum(['waiting', 'running', 'done', 'failed', 'cancelled']),
    error: z.nullable(z.string()),
  }),
})
