import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { allowance } from './envelope.ts'
import { bodyId, optionalText, queryId, text } from './fields.ts'
import { messages } from './messages.ts'
import { sentences } from './sentences.ts'

/**
 * The register of breaches of personal data: what happened, the clocks of the law that run from finding it (CERT-In 6
 * hours, Data Protection Board 72 hours), what was done, and the report. Days and times are those of India.
 */

/** Who could see it, it is wrong, it is gone, nobody can reach it */
export const natures = ['disclosed', 'changed', 'lost', 'unavailable'] as const
/** Hours from finding to the report */
export const clockHours = { cert: 6, board: 72 } as const
export type ClockName = keyof typeof clockHours
export const clockNames = ['cert', 'board'] as const

const moment = z.string()
const day = z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/, sentences.incidentMoment))
const time = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, sentences.incidentMoment))
const optionalDay = z._default(z.union([z.literal(''), day]), '')
const optionalTime = z._default(z.union([z.literal(''), time]), '')

export const incidentForm = z.strictObject({
  title: text(messages.noticeTitleRequired, 120),
  drill: z._default(z.boolean(), false),
  nature: z.enum(natures),
  foundDay: day,
  foundTime: time,
  /** Both or neither: when it began is not always known */
  beganDay: optionalDay,
  beganTime: optionalTime,
  happened: text(sentences.incidentHappened, 4000),
  extent: optionalText(2000),
  consequences: optionalText(2000),
  measures: optionalText(2000),
  safety: optionalText(2000),
  contact: optionalText(500),
})

const clock = z.object({
  name: z.enum(clockNames),
  dueAt: moment,
  /** Minutes until then by the server's clock, below 0 when it is over; counted to the report where there is one */
  left: z.int(),
  late: z.boolean(),
  /** '', 'made', 'needless' */
  outcome: z.string(),
  at: z.nullable(moment),
  note: z.string(),
  by: z.string(),
})
export type IncidentClock = z.output<typeof clock>

const counts = z.object({
  children: z.int(),
  people: z.int(),
  schools: z.int(),
  told: z.int(),
  /** To be told by mail, and those without an e-mail */
  waiting: z.int(),
  unreachable: z.int(),
})
export type IncidentCounts = z.output<typeof counts>

const row = z.object({
  id: z.int(),
  title: z.string(),
  drill: z.boolean(),
  nature: z.enum(natures),
  foundAt: moment,
  state: z.enum(['open', 'closed']),
  children: z.int(),
  people: z.int(),
  told: z.int(),
  clocks: z.array(clock),
  openedBy: z.string(),
  closedAt: z.nullable(moment),
})
export type IncidentRow = z.output<typeof row>

export const incidentSorts = ['newest', 'due', 'title'] as const
const filters = {
  state: z._default(z.enum(['open', 'closed', 'all']), 'open'),
  nature: z._default(z.enum(['', ...natures]), ''),
  /** Words of title and what happened; an incident has all of them */
  search: optionalText(100),
  sort: z._default(z.enum(incidentSorts), 'newest'),
}

export const incidentList = endpoint({
  method: 'GET',
  path: '/api/office/incidents/list',
  summary: 'Breaches of personal data that the filters leave, with their clocks, 50 to a page.',
  query: z.strictObject({ ...filters, page: z._default(queryId, 1) }),
  answer: z.object({ data: z.array(row), total: z.int(), pageSize: z.int(), late: z.int() }),
})

export const exportIncidents = endpoint({
  method: 'POST',
  path: '/api/office/incidents/export',
  summary: 'The breaches that the filters leave, all of them, as a spreadsheet.',
  body: z.strictObject({ ...filters, format: z.enum(['xlsx', 'csv']) }),
  answers: 'file',
})

const sending = z.object({
  /** '', 'asked', 'running', 'done', 'failed' */
  state: z.string(),
  askedBy: z.string(),
  askedAt: z.nullable(moment),
  approvedBy: z.string(),
  approvedAt: z.nullable(moment),
  done: z.int(),
  total: z.int(),
})

const words = z.object({
  what: z.string(),
  consequences: z.string(),
  measures: z.string(),
  safety: z.string(),
  contact: z.string(),
})
export type IncidentWords = z.output<typeof words>

const incident = z.object({
  ...row.shape,
  version: z.int(),
  beganAt: z.nullable(moment),
  happened: z.string(),
  extent: z.string(),
  consequences: z.string(),
  measures: z.string(),
  safety: z.string(),
  contact: z.string(),
  conclusion: z.string(),
  closedBy: z.string(),
  openedAt: moment,
  counts,
  words: z.object({ en: words, hi: words }),
  sending,
  can: z.object({
    change: allowance,
    askSend: allowance,
    approveSend: allowance,
    close: allowance,
    reopen: allowance,
  }),
})
export type Incident = z.output<typeof incident>

export const oneIncident = endpoint({
  method: 'GET',
  path: '/api/office/incidents/one',
  summary: 'One breach with all that is written down about it.',
  query: z.strictObject({ id: queryId }),
  answer: z.object({ incident }),
})

export const openIncident = endpoint({
  method: 'POST',
  path: '/api/office/incidents/open',
  summary: 'Enters a breach; the clocks of the law run from when it was found.',
  body: incidentForm,
  answer: z.object({ id: z.int() }),
})

const seen = { id: bodyId, version: bodyId }

export const changeIncident = endpoint({
  method: 'POST',
  path: '/api/office/incidents/change',
  summary: 'Writes down what has become known of a breach.',
  body: z.strictObject({ ...incidentForm.shape, ...seen }),
})

export const reportForm = z.strictObject({
  clock: z.enum(clockNames),
  outcome: z.enum(['made', 'needless']),
  day,
  time,
  note: text(sentences.incidentReportNote, 500),
})

export const noteIncidentReport = endpoint({
  method: 'POST',
  path: '/api/office/incidents/report',
  summary: 'Notes that a report was made in time or late, or why the law asks for none. Stops its clock.',
  body: z.strictObject({ ...reportForm.shape, ...seen }),
})

export const closeIncident = endpoint({
  method: 'POST',
  path: '/api/office/incidents/close',
  summary: 'Closes a breach with a conclusion, once both reports are noted and everybody affected was told.',
  body: z.strictObject({ ...seen, conclusion: text(sentences.incidentConclusion, 2000) }),
})

export const reopenIncident = endpoint({
  method: 'POST',
  path: '/api/office/incidents/reopen',
  summary: 'Takes up a closed breach again, with the reason.',
  body: z.strictObject({ ...seen, reason: text(messages.reasonRequired, 500) }),
})

/** POST, because it leaves a line in the record of changes. */
export const incidentFile = endpoint({
  method: 'POST',
  path: '/api/office/incidents/file',
  summary:
    'The report for the Board: all that is known, the figures of those affected and the timeline, without names.',
  body: z.strictObject({ id: bodyId, format: z.enum(['pdf', 'xlsx']) }),
  answers: 'file',
})
