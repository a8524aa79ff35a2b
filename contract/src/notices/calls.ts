import * as z from 'zod/mini'
import { allowance, endpoint } from '../endpoint.ts'
import { bodyId, optionalText, pages, queryId, schoolName, seasonLabel } from '../fields.ts'
import { noticeAudiences, noticeFields } from './schemas.ts'

/** Notices of the foundation to schools: plain text, shown on the dashboard between two days (IST). */

export const noticeStates = ['live', 'planned', 'over'] as const
export type NoticeState = (typeof noticeStates)[number]

/** A part of a notice's text: words or an https link. */
interface TextPart {
  text: string
  link: boolean
}

/**
 * Splits plain text at its https addresses; nothing else becomes a link, not even http. Punctuation that ends a
 * sentence is not part of the address before it.
 */
export function linkParts(text: string): TextPart[] {
  const parts: TextPart[] = []
  let position = 0
  for (const match of text.matchAll(/\bhttps:\/\/[^\s<>"'«»]+/g)) {
    const address = match[0].replace(/[.,;:!?)\]}।]+$/, '')
    if (!URL.canParse(address)) continue
    if (match.index > position) parts.push({ text: text.slice(position, match.index), link: false })
    parts.push({ text: address, link: true })
    position = match.index + address.length
  }
  if (position < text.length) parts.push({ text: text.slice(position), link: false })
  return parts
}

/** A notice as a school sees it. The Hindi pair is empty if the office wrote none. */
const words = { title: z.string(), text: z.string(), titleHi: z.string(), textHi: z.string() }

const schoolNotice = z.object({
  id: z.int(),
  ...words,
  important: z.boolean(),
  /** First and last day of showing it */
  from: z.string(),
  until: z.string(),
  /** Whether the caller has read it in its current wording */
  read: z.boolean(),
})
export type SchoolNotice = z.output<typeof schoolNotice>

export const getNotices = endpoint('GET /api/ManageSchool/GetNotices', {
  summary: 'The notices a school sees now, in a season: important ones first.',
  query: z.strictObject({ FYear: seasonLabel, schId: z.optional(queryId) }),
  answer: z.object({ data: z.array(schoolNotice), unread: z.int() }),
})

export const readNotice = endpoint('POST /api/ManageSchool/ReadNotice', {
  summary: 'Marks a notice as read by the signed-in user.',
  body: z.strictObject({ id: bodyId, schId: z.optional(bodyId) }),
})

const officeNotice = z.object({
  id: z.int(),
  ...words,
  important: z.boolean(),
  audience: z.enum(noticeAudiences),
  states: z.array(z.string()),
  /** The school, for `school`; otherwise empty */
  ...schoolName,
  from: z.string(),
  until: z.string(),
  state: z.enum(noticeStates),
  /** When it was ended early; null if it was not */
  endedAt: z.nullable(z.string()),
  /** Active schools it is for, and how many of them have a user who has read its current wording */
  schools: z.int(),
  schoolsRead: z.int(),
  changedBy: z.string(),
  changedAt: z.string(),
  /** Sent back with a change */
  version: z.int(),
  can: z.object({ edit: allowance }),
})
export type OfficeNotice = z.output<typeof officeNotice>

export const officeNotices = endpoint('GET /api/office/notices/list', {
  summary: 'Notices by state, 50 a page: live ones by importance, planned ones by day.',
  query: z.strictObject({
    state: z._default(z.enum(noticeStates), 'live'),
    /** Part of a title or text, in either language */
    search: optionalText(100),
    page: z._default(queryId, 1),
  }),
  answer: z.object({
    data: z.array(officeNotice),
    ...pages,
    /** Counts of all notices, whatever is searched for */
    counts: z.object({ live: z.int(), planned: z.int(), over: z.int() }),
  }),
})

/** POST, because it writes to the audit log. */
export const exportNotices = endpoint('POST /api/office/notices/export', {
  summary:
    'All notices in a state that match the search, with their texts and how many schools have read them, as a spreadsheet.',
  body: z.strictObject({
    state: z.enum(noticeStates),
    search: optionalText(100),
    format: z.enum(['xlsx', 'csv']),
  }),
  answers: 'file',
})

export const saveNotice = endpoint('POST /api/office/notices/save', {
  summary: 'Creates a notice (id 0) or changes one that is not over.',
  body: z.strictObject({
    ...noticeFields.shape,
    id: bodyId,
    /** Version of the notice that was shown; left out for a new one */
    version: z.optional(bodyId),
  }),
  answer: z.object({ id: z.int() }),
})

export const endNotice = endpoint('POST /api/office/notices/end', {
  summary: 'Ends a notice now; a planned one is never shown.',
  body: z.strictObject({ id: bodyId, version: bodyId }),
})
