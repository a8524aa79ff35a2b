import * as z from 'zod/mini'
import { type BookKind, bookKinds } from '../classes.ts'
import { endpoint } from '../endpoint.ts'
import {
  bodyId,
  jobProgress,
  olympiad,
  optionalText,
  pages,
  queryId,
  schoolName,
  seasonLabel,
} from '../fields.ts'
import { messages } from '../messages.ts'

/**
 * What has to be sent to schools and is not in a parcel yet: paid books, question papers with spares, and awards from
 * released results.
 */

const dueContents = ['books', 'papers', 'awards'] as const
export type DueContents = (typeof dueContents)[number]
/** Awards of results: medals, which are all alike, and awards made out to a student. */
export const awardKinds = ['gold', 'silver', 'bronze', 'prize', 'gift', 'award', 'certificate'] as const
/** What a line of a parcel contains: a kind of book, a question paper, a kind of award. */
const lineKinds = [...bookKinds, 'paper', ...awardKinds] as const
export type LineKind = (typeof lineKinds)[number]
export const otherItemNames: Record<Exclude<LineKind, BookKind>, { en: string; hi: string }> = {
  paper: { en: 'Question paper', hi: 'प्रश्नपत्र' },
  gold: { en: 'Gold medal', hi: 'स्वर्ण पदक' },
  silver: { en: 'Silver medal', hi: 'रजत पदक' },
  bronze: { en: 'Bronze medal', hi: 'कांस्य पदक' },
  prize: { en: 'Prize', hi: 'पुरस्कार' },
  gift: { en: 'Gift certificate', hi: 'गिफ़्ट वाउचर' },
  award: { en: 'Award', hi: 'सम्मान' },
  certificate: { en: 'Certificate', hi: 'प्रमाणपत्र' },
}

export const dueSorts = ['name', 'copies', 'place'] as const
export type DueSort = (typeof dueSorts)[number]

const idFilter = z._default(z.string().check(z.regex(/^\d{0,15}$/)), '')

/** Filters for schools and their lines; the same in lists, exports and packing. */
export const dueFilters = {
  FYear: seasonLabel,
  contents: z.enum(dueContents),
  /** Words of a school's name, city, code, pin code or phone */
  search: optionalText(100),
  state: optionalText(100),
  district: optionalText(100),
  /** Subject letter */
  letter: z._default(z.string().check(z.regex(/^[A-Z]?$/)), ''),
  classId: idFilter,
  kind: z._default(z.enum(['', ...bookKinds, ...awardKinds]), ''),
  /** `all`: also schools that have everything; `extra`: schools with awards withdrawn by a correction of results */
  show: z._default(z.enum(['due', 'all', 'extra']), 'due'),
  sort: z._default(z.enum(dueSorts), 'name'),
}

const counts = {
  /** Copies that are paid for, or papers for the entries */
  wanted: z.int(),
  packed: z.int(),
  due: z.int(),
  /** Spare question papers, included in `wanted` */
  spare: z.int(),
  /** Awards in parcels that belong to no one since a correction of the results */
  extra: z.int(),
}

const dueSchool = z.object({
  schoolId: z.int(),
  ...schoolName,
  city: z.string(),
  state: z.string(),
  active: z.boolean(),
  ...counts,
})
export type DueSchool = z.output<typeof dueSchool>

const sums = z.object({ schools: z.int(), ...counts })

export const officeDue = endpoint('GET /api/office/dispatch/due', {
  summary: 'The schools with something to send, 50 a page, with the totals.',
  query: z.strictObject({ ...dueFilters, page: z._default(queryId, 1) }),
  answer: z.object({
    data: z.array(dueSchool),
    ...pages,
    sums,
    /** Schools whose counts are still being updated */
    counting: z.int(),
  }),
})

const dueItem = z.object({
  eventYearId: z.int(),
  ...olympiad,
  classId: z.int(),
  className: z.string(),
  kind: z.enum(lineKinds),
  /** The name of the kind of book, or `Question paper` */
  bookCategory: z.string(),
  schools: z.int(),
  ...counts,
})
export type DueItem = z.output<typeof dueItem>

export const officeDueItems = endpoint('GET /api/office/dispatch/dueItems', {
  summary: 'The same by subject, class and kind: what to print and to take from the shelf.',
  query: z.strictObject(dueFilters),
  answer: z.object({ data: z.array(dueItem), sums, counting: z.int() }),
})

const dueChild = z.object({
  eventYearId: z.int(),
  classId: z.int(),
  kind: z.enum(awardKinds),
  studentName: z.string(),
  section: z.string(),
  rollNo: z.int(),
  /** The message of a prize, the title of an award; otherwise empty */
  title: z.string(),
  /** `gone`: in a parcel already, but no longer this student's */
  state: z.enum(['due', 'gone']),
})
export type DueChild = z.output<typeof dueChild>

export const officeDueOfSchool = endpoint('GET /api/office/dispatch/dueOfSchool', {
  summary: 'What a school must get, line by line, and how much is packed; for awards, the students.',
  query: z.strictObject({ FYear: seasonLabel, contents: z.enum(dueContents), schoolId: queryId }),
  answer: z.object({
    school: z.object({ schoolId: z.int(), schCode: z.string(), schName: z.string(), address: z.string() }),
    data: z.array(dueItem),
    /** Students with awards due, and those who lost one by a correction; certificates due are only counted */
    children: z.array(dueChild),
  }),
})

/** POST, because it writes to the audit log. */
export const exportDue = endpoint('POST /api/office/dispatch/exportDue', {
  summary:
    'Everything to send that matches the filters, by school, subject, class and kind, as a spreadsheet.',
  body: z.strictObject({ ...dueFilters, format: z.enum(['xlsx', 'csv']) }),
  answers: 'file',
})

/** Copies of one line in a parcel, as the office enters them. */
const copies = z
  .int(messages.copiesWhole)
  .check(z.minimum(0, messages.copiesWhole), z.maximum(100_000, messages.copiesWhole))

const maxInParcel = z._default(
  z.int(messages.mostCopies).check(z.minimum(0, messages.mostCopies), z.maximum(10_000, messages.mostCopies)),
  0,
)

/**
 * Packs what is due to one school: everything, or the copies in `lines`, in parcels of at most `most` copies each
 * (0: one parcel). Refuses with not_found, dispatch.nothing_due, dispatch.more_than_due.
 */
export const packSchool = endpoint('POST /api/office/dispatch/pack', {
  summary: 'Packs what is due to one school.',
  body: z.strictObject({
    FYear: seasonLabel,
    contents: z.enum(dueContents),
    schoolId: bodyId,
    lines: z.optional(
      z
        .array(
          z.strictObject({ eventYearId: bodyId, classId: bodyId, kind: z.enum(lineKinds), quantity: copies }),
        )
        .check(z.maxLength(1000)),
    ),
    most: maxInParcel,
  }),
  answer: z.object({ packetIds: z.array(z.int()) }),
})

/** Packs for all schools that match the filters, as a background job. */
export const packAll = endpoint('POST /api/office/dispatch/packAll', {
  summary: 'Packs the matching lines of every school that matches the filters.',
  body: z.strictObject({ ...dueFilters, most: maxInParcel }),
  answer: z.object({ jobId: z.string() }),
})

/** Spare papers: a percentage of a class's students, rounded up, and at least the minimum. */
export const spareRule = z.strictObject({
  percent: z
    .int(messages.sparePercent)
    .check(z.minimum(0, messages.sparePercent), z.maximum(50, messages.sparePercent)),
  minimum: z
    .int(messages.spareMinimum)
    .check(z.minimum(0, messages.spareMinimum), z.maximum(20, messages.spareMinimum)),
})
export type SpareRule = z.output<typeof spareRule>

/** Returns the number of spare papers for a class; none if it has no students. */
export const sparePapers = (students: number, { percent, minimum }: SpareRule): number =>
  students > 0 ? Math.max(Math.ceil((students * percent) / 100), minimum) : 0

export const officeSpares = endpoint('GET /api/office/dispatch/spares', {
  summary: 'How many spare question papers are sent in a season.',
  query: z.strictObject({ FYear: seasonLabel }),
  answer: z.object({
    rule: spareRule,
    /** The season the rule was set for; null if none was ever set, which means no spares */
    setFor: z.nullable(z.string()),
    /** Version of the season's own rule; 0 if it has none */
    version: z.int(),
  }),
})

/** Refuses with changed_meanwhile. */
export const saveSpares = endpoint('POST /api/office/dispatch/saveSpares', {
  summary: "Sets a season's rule for spare papers; packed ones stay, the rest is recalculated.",
  body: z.extend(spareRule, { FYear: seasonLabel, version: bodyId }),
})

const dispatchJob = z.object({
  jobId: z.string(),
  kind: z.string(),
  ...jobProgress,
  /** Result of the job: `packets`, `schools`, `skipped`; `unpacked` once it was undone */
  outcome: z.record(z.string(), z.number()),
  /** Its parcels if all of them are still packed, so that `undoPacking` unpacks them; otherwise 0 */
  undoable: z.int(),
})
export type DispatchJob = z.output<typeof dispatchJob>

const jobId = z.string().check(z.maxLength(40))

/** Without an id, the newest job of the last day, so that a page finds it again after being left. */
export const dispatchJobState = endpoint('GET /api/office/dispatch/job', {
  summary: 'Progress of packing for many schools.',
  query: z.strictObject({ jobId: z.optional(jobId) }),
  answer: z.object({ job: z.nullable(dispatchJob) }),
})

export const cancelDispatchJob = endpoint('POST /api/office/dispatch/cancelJob', {
  summary: 'Stops packing for many schools; what is packed stays packed.',
  body: z.strictObject({ jobId }),
})

/** Refuses with not_found, and with dispatch.moved_on unless all its parcels are still packed. */
export const undoPacking = endpoint('POST /api/office/dispatch/undoPacking', {
  summary:
    'Unpacks exactly the parcels that packing for many schools has made; their contents are due again.',
  body: z.strictObject({ jobId }),
  answer: z.object({ unpacked: z.int() }),
})
