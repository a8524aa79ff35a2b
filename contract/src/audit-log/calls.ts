import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { optionalText, queryId } from '../fields.ts'
import { isDay } from '../season.ts'

/** The record of changes: who did what, when, from what to what. Of one record, and of everything with search. */

export const auditActors = ['office', 'account', 'family', 'system'] as const

/**
 * One field from what to what, ready to be read: names for numbers, amounts in rupees, days as they are shown.
 * Where `as` is `words`, `from` and `to` are codes with words of their own, several of them with commas between; where
 * it is `mails`, kinds of mail; where it is `names`, one of them may be `gone:` and the number of what was deleted.
 */
const auditChange = z.object({
  /** The field's key; after `=` a name that stands for itself; empty: the record as a whole */
  field: z.string(),
  from: z.string(),
  to: z.string(),
  /** Keys and names of what the field is in, the outermost first */
  within: z.optional(z.array(z.string())),
  as: z.optional(z.enum(['words', 'names', 'mails'])),
})
export type AuditChange = z.output<typeof auditChange>

export const auditLine = z.object({
  id: z.int(),
  at: z.string(),
  /** One of `auditActors` */
  actorKind: z.string(),
  actorName: z.string(),
  /** Whose account an officer used who acted for a school; empty else */
  actingFor: z.string(),
  action: z.string(),
  subjectKind: z.string(),
  subjectId: z.string(),
  /** What the record is called; empty where it has no name, `gone:` and its number where it was deleted */
  subjectName: z.string(),
  changes: z.array(auditChange),
  /** So many of the same act by one stroke, of which this is the newest; its `changes` are left out then */
  times: z.optional(z.int()),
})
export type AuditLine = z.output<typeof auditLine>

export const recordHistory = endpoint('GET /api/office/audit-log/record', {
  summary: 'What has happened to one record, the newest first, 20 at a time.',
  query: z.strictObject({
    /** As audit lines name it: `student`, `payment`, `packet` … */
    kind: z.string().check(z.regex(/^[a-z][a-z_-]{0,39}$/)),
    id: z.string().check(z.regex(/^[\w.:-]{1,80}$/)),
    /** Only lines before this one */
    before: z.optional(queryId),
  }),
  answer: z.object({ data: z.array(auditLine), more: z.boolean() }),
})

const code = z.string().check(z.regex(/^[a-z_.-]{0,60}$/))
const day = z.string().check(z.refine((typed) => typed === '' || isDay(typed), 'Please enter a day.'))

const filters = {
  /** Words of who did it, of old and new texts, of a school or a student, or the number of a payment or a parcel */
  search: optionalText(100),
  /** Name or e-mail of the person who did it */
  who: optionalText(100),
  by: z._default(z.enum(['', ...auditActors]), ''),
  /** `student.changed`, or all of a group: `student.` */
  action: z._default(code, ''),
  /** Kind of the record and its id */
  kind: z._default(code, ''),
  record: optionalText(80),
  /** Code of a school */
  school: optionalText(20),
  /** First and last day in IST */
  from: z._default(day, ''),
  until: z._default(day, ''),
}

export const changeList = endpoint('GET /api/office/audit-log/list', {
  summary: 'The record of changes that the filters leave, the newest first, 50 to a page, 10,000 at most.',
  query: z.strictObject({ ...filters, page: z._default(queryId, 1) }),
  answer: z.object({
    data: z.array(
      z.object({
        ...auditLine.shape,
        schoolId: z.nullable(z.int()),
        schCode: z.string(),
        schName: z.string(),
      }),
    ),
    total: z.int(),
    /** There are more than `total`, which can be reached by narrower filters */
    more: z.boolean(),
    pageSize: z.int(),
  }),
})
export type ChangeRow = z.output<typeof changeList.answer>['data'][number]

export const changeActions = endpoint('GET /api/office/audit-log/actions', {
  summary: 'What has ever been done, and the kinds of records that it was done to.',
  answer: z.object({ actions: z.array(z.string()), kinds: z.array(z.string()) }),
})

/** POST, because it leaves a line in the record itself. */
export const exportChanges = endpoint('POST /api/office/audit-log/export', {
  summary: 'The changes that the filters leave as a spreadsheet; refused above 20,000.',
  body: z.strictObject({ ...filters, format: z.enum(['xlsx', 'csv']) }),
  answers: 'file',
})
