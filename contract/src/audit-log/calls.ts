import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { optionalText, queryId, schoolName } from '../fields.ts'
import { isDay } from '../season.ts'

/** The activity log: who changed what, when, and from what to what; of one record, or searched as a whole. */

export const auditActors = ['office', 'account', 'family', 'system'] as const

/**
 * One changed field, ready to show: names instead of ids, amounts in rupees, days as on screen.
 * If `as` is `words`, `from` and `to` are codes that have words of their own, separated by commas; if `mails`, kinds of
 * e-mail; if `names`, names, or `gone:` and the id of a deleted record; if `counted`, `0 of 1`.
 */
const auditChange = z.object({
  /** The field's key; after `=` a name shown as it is; empty: the record as a whole */
  field: z.string(),
  from: z.string(),
  to: z.string(),
  /** Keys and names of what contains the field, outermost first */
  within: z.optional(z.array(z.string())),
  as: z.optional(z.enum(['words', 'names', 'mails', 'counted'])),
})
export type AuditChange = z.output<typeof auditChange>

export const auditLine = z.object({
  id: z.int(),
  at: z.string(),
  /** One of `auditActors` */
  actorKind: z.string(),
  actorName: z.string(),
  /** The account an officer used when signed in as a school; otherwise empty */
  actingFor: z.string(),
  action: z.string(),
  subjectKind: z.string(),
  subjectId: z.string(),
  /** The record's name; empty if it has none, `gone:` and its id if it was deleted */
  subjectName: z.string(),
  changes: z.array(auditChange),
  /** How many lines of the same action were written at once; this is the newest, and `changes` is left out */
  times: z.optional(z.int()),
})
export type AuditLine = z.output<typeof auditLine>

export const recordHistory = endpoint('GET /api/office/audit-log/record', {
  summary: 'The history of one record, newest first, 20 at a time.',
  query: z.strictObject({
    /** As audit lines name the kind: `student`, `payment`, `packet` … */
    kind: z.string().check(z.regex(/^[a-z][a-z_-]{0,39}$/)),
    id: z.string().check(z.regex(/^[\w.:-]{1,80}$/)),
    /** Only lines older than this one */
    before: z.optional(queryId),
  }),
  answer: z.object({ data: z.array(auditLine), more: z.boolean() }),
})

const code = z.string().check(z.regex(/^[a-z_.-]{0,60}$/))
const day = z.string().check(z.refine((typed) => typed === '' || isDay(typed), 'Please enter a day.'))

const filters = {
  /** Words of a person's name, an old or new value, a school or a student, or the number of a payment or a parcel */
  search: optionalText(100),
  /** Name or e-mail of the person */
  who: optionalText(100),
  by: z._default(z.enum(['', ...auditActors]), ''),
  /** `student.changed`, or `student.` for the whole group */
  action: z._default(code, ''),
  /** Kind of the record and its id */
  kind: z._default(code, ''),
  record: optionalText(80),
  /** Code of a school */
  school: optionalText(20),
  /** First and last day, IST */
  from: z._default(day, ''),
  until: z._default(day, ''),
}

export const changeList = endpoint('GET /api/office/audit-log/list', {
  summary:
    'The activity log by the filters, newest first, 50 a page, at most 10,000 lines, or 1,000 with imports or of a search.',
  query: z.strictObject({ ...filters, page: z._default(queryId, 1) }),
  answer: z.object({
    data: z.array(z.object({ ...auditLine.shape, schoolId: z.nullable(z.int()), ...schoolName })),
    total: z.int(),
    /** More lines match than `total` counts; narrower filters reach them */
    more: z.boolean(),
    pageSize: z.int(),
  }),
})
export type ChangeRow = z.output<typeof changeList.answer>['data'][number]

export const changeActions = endpoint('GET /api/office/audit-log/actions', {
  summary: 'All actions in the log, and the kinds of records they were done to.',
  answer: z.object({ actions: z.array(z.string()), kinds: z.array(z.string()) }),
})

/** POST, because the export itself is written to the log. */
export const exportChanges = endpoint('POST /api/office/audit-log/export', {
  summary: 'The filtered activity log as a spreadsheet; refused above 20,000 lines.',
  body: z.strictObject({ ...filters, format: z.enum(['xlsx', 'csv']) }),
  answers: 'file',
})
