import * as z from 'zod/mini'
import { isClassId } from '../classes.ts'
import { allowance, endpoint } from '../endpoint.ts'
import { bodyId, numeric, optionalText, queryId, seasonLabel, text } from '../fields.ts'
import { messages } from '../messages.ts'
import { sentences } from '../sentences.ts'

/**
 * The register of personal data breaches: what happened, who is affected, and the e-mail that notifies them. Days and
 * times are in IST.
 */

/** Confidentiality, integrity, loss, availability */
export const incidentNatures = ['disclosed', 'changed', 'lost', 'unavailable'] as const

/** Hours the law allows from finding a breach to its report: CERT-In (28-Apr-2022), Board (DPDP Rules, rule 7) */
export const reportHours = { cert: 6, board: 72 } as const

const moment = z.string()
const incidentVersion = { id: bodyId, version: bodyId }

export const incidentForm = z.strictObject({
  title: text(messages.noticeTitleRequired, 120),
  nature: z.enum(incidentNatures),
  foundDay: z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/, sentences.incidentMoment)),
  foundTime: z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, sentences.incidentMoment)),
  happened: text(sentences.incidentHappened, 4000),
  /** Which kinds of data, of about how many */
  extent: optionalText(2000),
  measures: optionalText(2000),
})

const row = z.object({
  id: z.int(),
  title: z.string(),
  nature: z.enum(incidentNatures),
  foundAt: moment,
  state: z.enum(['open', 'closed']),
  children: z.int(),
  people: z.int(),
  notified: z.int(),
  openedBy: z.string(),
  closedAt: z.nullable(moment),
})
export type IncidentRow = z.output<typeof row>

export const incidentSorts = ['newest', 'title'] as const
const filters = {
  state: z._default(z.enum(['open', 'closed', 'all']), 'open'),
  nature: z._default(z.enum(['', ...incidentNatures]), ''),
  /** Words of title and description; all must match */
  search: optionalText(100),
  sort: z._default(z.enum(incidentSorts), 'newest'),
}

export const incidentList = endpoint('GET /api/office/incidents/list', {
  summary: 'Personal data breaches that match the filters, 50 a page.',
  query: z.strictObject({ ...filters, page: z._default(queryId, 1) }),
  answer: z.object({ data: z.array(row), total: z.int(), pageSize: z.int() }),
})

export const exportIncidents = endpoint('POST /api/office/incidents/export', {
  summary: 'All breaches that match the filters, as a spreadsheet.',
  body: z.strictObject({ ...filters, format: z.enum(['xlsx', 'csv']) }),
  answers: 'file',
})

const mailText = z.object({ subject: z.string(), text: z.string() })
const inBoth = z.object({ en: mailText, hi: mailText })

const incident = z.object({
  ...row.shape,
  version: z.int(),
  happened: z.string(),
  extent: z.string(),
  measures: z.string(),
  closedBy: z.string(),
  openedAt: moment,
  /** People to notify by e-mail, and people without an e-mail */
  waiting: z.int(),
  unreachable: z.int(),
  notes: z.array(z.object({ id: z.int(), text: z.string(), by: z.string(), at: moment })),
  /** Null until it is written */
  mail: z.nullable(inBoth),
  /** As it will be sent, with greeting and closing */
  preview: z.nullable(inBoth),
  sentBy: z.string(),
  sentAt: z.nullable(moment),
  can: z.object({
    change: allowance,
    write: allowance,
    send: allowance,
    close: allowance,
    reopen: allowance,
  }),
})
export type Incident = z.output<typeof incident>

export const incidentDetails = endpoint('GET /api/office/incidents/one', {
  summary: 'A breach with everything recorded about it.',
  query: z.strictObject({ id: queryId }),
  answer: z.object({ incident }),
})

export const openIncident = endpoint('POST /api/office/incidents/open', {
  summary: 'Records a breach.',
  body: incidentForm,
  answer: z.object({ id: z.int() }),
})

export const changeIncident = endpoint('POST /api/office/incidents/change', {
  summary: 'Updates what is known about a breach.',
  body: z.strictObject({ ...incidentForm.shape, ...incidentVersion }),
})

export const noteIncident = endpoint('POST /api/office/incidents/note', {
  summary: 'Adds a note with its time: a step taken, or a report to CERT-In or the Board with its number.',
  body: z.strictObject({ id: bodyId, text: text(sentences.incidentNote, 2000) }),
})

export const closeIncident = endpoint('POST /api/office/incidents/close', {
  summary: 'Closes a breach with a final note, once everyone affected is notified.',
  body: z.strictObject({ ...incidentVersion, note: text(sentences.incidentNote, 2000) }),
})

export const reopenIncident = endpoint('POST /api/office/incidents/reopen', {
  summary: 'Reopens a closed breach, with a reason.',
  body: z.strictObject({ ...incidentVersion, reason: text(messages.reasonRequired, 500) }),
})

/** Most people added or e-mailed at once. */
export const maxAtOnce = 50_000

const classId = numeric(messages.classRequired).check(
  z.refine((id) => id === 0 || isClassId(id), messages.classRequired),
)

/** Students by school, season and class, and the users of their schools; an empty filter excludes no one. */
export const affectedFilter = z
  .strictObject({
    by: z.literal('filter'),
    /** School codes, separated by spaces, commas or lines */
    codes: optionalText(4000),
    season: z._default(z.union([z.literal(''), seasonLabel]), ''),
    /** 0 for all */
    classId: z._default(classId, 0),
    who: z._default(z.enum(['both', 'children', 'people']), 'children'),
  })
  .check(
    z.refine(({ codes, season, classId }) => codes !== '' || season !== '' || classId !== 0, {
      error: sentences.incidentNobody,
      path: ['codes'],
    }),
  )
export const affectedList = z.strictObject({
  by: z.literal('list'),
  /** Exam roll nos, student ids, e-mails of users of schools; one a line */
  lines: text(sentences.incidentNobody, 60_000),
})
const affectedForm = z.discriminatedUnion('by', [affectedFilter, affectedList])
export type AffectedForm = z.output<typeof affectedForm>

const affectedPreview = z.object({
  children: z.int(),
  people: z.int(),
  schools: z.int(),
  /** People without an e-mail */
  unreachable: z.int(),
  /** People not on the list yet */
  added: z.int(),
  /** Lines that match no one */
  unknown: z.array(z.string()),
  sample: z.array(z.object({ kind: z.enum(['child', 'person']), name: z.string(), place: z.string() })),
})
export type AffectedPreview = z.output<typeof affectedPreview>

export const findAffected = endpoint('POST /api/office/incidents/find', {
  summary: 'How many people would be added, and the first of them. Saves nothing.',
  bodyLimit: 256 * 1024,
  body: z.strictObject({ id: bodyId, who: affectedForm }),
  answer: affectedPreview,
})

export const addAffected = endpoint('POST /api/office/incidents/add', {
  summary: 'Adds affected people; no one is listed twice.',
  bodyLimit: 256 * 1024,
  body: z.strictObject({ ...incidentVersion, who: affectedForm }),
  answer: z.object({ added: z.int() }),
})

/** Some of them; if empty, everyone it applies to */
const somePeople = z._default(z.array(bodyId).check(z.maxLength(200)), [])

export const removeAffected = endpoint('POST /api/office/incidents/remove', {
  summary: 'Removes affected people, except those already notified.',
  body: z.strictObject({ ...incidentVersion, people: somePeople }),
  answer: z.object({ removed: z.int() }),
})

export const markNotifiedOtherwise = endpoint('POST /api/office/incidents/notifyOtherwise', {
  summary: 'Records how people without an e-mail were notified: by phone, by letter, through their school.',
  body: z.strictObject({
    ...incidentVersion,
    people: somePeople,
    note: text(sentences.howNotifiedRequired, 500),
  }),
  answer: z.object({ notified: z.int() }),
})

const person = z.object({
  id: z.int(),
  kind: z.enum(['child', 'person']),
  name: z.string(),
  place: z.string(),
  studentId: z.nullable(z.int()),
  /** Whether they have an e-mail */
  mail: z.boolean(),
  notifiedAt: z.nullable(moment),
  /** '', 'mail', 'otherwise' */
  via: z.string(),
  note: z.string(),
  /** Delivery of the e-mail: '', 'waiting', 'sent', 'failed' */
  delivery: z.string(),
})
export type IncidentPerson = z.output<typeof person>

export const personStatuses = ['', 'waiting', 'unreachable', 'notified'] as const

export const incidentPeople = endpoint('GET /api/office/incidents/people', {
  summary: 'The people affected by a breach, and when and how they were notified, 50 a page.',
  query: z.strictObject({
    id: queryId,
    status: z._default(z.enum(personStatuses), ''),
    search: optionalText(100),
    page: z._default(queryId, 1),
  }),
  answer: z.object({ data: z.array(person), total: z.int(), pageSize: z.int() }),
})

const toWrite = z.strictObject({
  subject: text(sentences.incidentWords, 150),
  text: text(sentences.incidentWords, 6000),
})
export const incidentMailForm = z.strictObject({ en: toWrite, hi: toWrite })
export type IncidentMail = z.output<typeof incidentMailForm>

/** The draft of the e-mail: what the law requires those affected to be told (DPDP Rules, rule 7). */
export const incidentMailBegun: IncidentMail = {
  en: {
    subject: 'About personal data with us',
    text: 'Data that we keep about you or your child was affected by an incident.\n\nWhat happened and when: \n\nWhich data it is about: \n\nWhat it may mean: \n\nWhat we have done: \n\nWhat you can do: \n\nWho answers your questions: ',
  },
  hi: {
    subject: 'हमारे पास रखे व्यक्तिगत डेटा के बारे में',
    text: 'हमारे पास रखा आपका या आपके बच्चे का डेटा एक घटना से प्रभावित हुआ।\n\nक्या हुआ और कब: \n\nकिस डेटा के बारे में: \n\nइसका क्या अर्थ हो सकता है: \n\nहमने क्या किया: \n\nआप क्या कर सकते हैं: \n\nआपके प्रश्नों का उत्तर कौन देता है: ',
  },
}

export const saveIncidentMail = endpoint('POST /api/office/incidents/mail', {
  summary: 'Saves the e-mail to those affected, in English and Hindi, until it is sent.',
  body: z.strictObject({ ...incidentVersion, mail: incidentMailForm }),
})

export const sendIncidentMail = endpoint('POST /api/office/incidents/send', {
  summary: 'Sends the e-mail to everyone affected who has not been notified, once to each address.',
  body: z.strictObject(incidentVersion),
  answer: z.object({ people: z.int(), mails: z.int() }),
})
