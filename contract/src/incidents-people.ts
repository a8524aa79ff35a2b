import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { bodyId, optionalText, queryId, seasonLabel } from './fields.ts'
import { sentences } from './sentences.ts'

/** Who is affected by a breach: picked by schools, by what somebody saw or changed, or by a list. */

export const mostPicked = 50_000

const day = z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/, sentences.incidentMoment))
const time = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, sentences.incidentMoment))

export const pickForm = z.discriminatedUnion('how', [
  z.strictObject({
    how: z.literal('schools'),
    /** Codes of schools, with spaces, commas or lines between them */
    codes: optionalText(4000),
    /** Children of one season, or all that were ever held */
    season: z._default(z.union([z.literal(''), seasonLabel]), ''),
    who: z._default(z.enum(['both', 'children', 'people']), 'both'),
  }),
  z.strictObject({
    how: z.literal('actor'),
    actor: z.strictObject({ kind: z.enum(['office', 'account']), id: bodyId }),
    fromDay: day,
    fromTime: time,
    untilDay: day,
    untilTime: time,
    /** Everybody of the schools that the record names without naming a person */
    wholeSchools: z._default(z.boolean(), false),
  }),
  z.strictObject({
    how: z.literal('list'),
    /** Exam roll numbers, numbers of children, e-mails of people of schools; one on each line */
    lines: optionalText(60_000),
  }),
])
export type PickForm = z.output<typeof pickForm>

const found = z.object({
  children: z.int(),
  people: z.int(),
  schools: z.int(),
  /** Without an e-mail to be told by */
  unreachable: z.int(),
  /** Not yet among those affected */
  added: z.int(),
  /** What was typed and is not known */
  unknown: z.array(z.string()),
  /** What the record of changes says without naming a person, to be looked at: action and how often */
  unnamed: z.array(z.object({ action: z.string(), lines: z.int() })),
  sample: z.array(z.object({ kind: z.enum(['child', 'person']), name: z.string(), place: z.string() })),
})
export type PickFound = z.output<typeof found>

export const previewPick = endpoint({
  method: 'POST',
  path: '/api/office/incidents/preview',
  summary: 'Who would be picked: how many, and the first of them. Nothing is kept.',
  bodyLimit: 256 * 1024,
  body: z.strictObject({ id: bodyId, pick: pickForm }),
  answer: found,
})

export const addPick = endpoint({
  method: 'POST',
  path: '/api/office/incidents/pick',
  summary: 'Adds those who are picked to those affected; nobody stands among them twice.',
  bodyLimit: 256 * 1024,
  body: z.strictObject({ id: bodyId, version: bodyId, pick: pickForm }),
  answer: z.object({ added: z.int() }),
})

export const removePick = endpoint({
  method: 'POST',
  path: '/api/office/incidents/unpick',
  summary: 'Takes a pick back, with those whom no other pick names and nobody has told yet.',
  body: z.strictObject({ id: bodyId, version: bodyId, pickId: bodyId }),
})

const pick = z.object({
  id: z.int(),
  how: z.enum(['schools', 'actor', 'list']),
  /** In words and figures, for the screen to say */
  what: z.object({
    codes: z.array(z.string()),
    season: z.string(),
    who: z.string(),
    actor: z.string(),
    from: z.string(),
    until: z.string(),
    wholeSchools: z.boolean(),
    lines: z.int(),
  }),
  children: z.int(),
  people: z.int(),
  by: z.string(),
  at: z.string(),
})
export type IncidentPick = z.output<typeof pick>

const person = z.object({
  id: z.int(),
  kind: z.enum(['child', 'person']),
  name: z.string(),
  place: z.string(),
  schId: z.nullable(z.int()),
  studentId: z.nullable(z.int()),
  /** Can be told by mail */
  mail: z.boolean(),
  toldAt: z.nullable(z.string()),
  /** '', 'mail', 'otherwise' */
  way: z.string(),
  note: z.string(),
  /** Of the mail: '', 'waiting', 'sent', 'failed' */
  delivery: z.string(),
})
export type IncidentPerson = z.output<typeof person>

export const personStandings = ['', 'waiting', 'unreachable', 'told'] as const

export const incidentPeople = endpoint({
  method: 'GET',
  path: '/api/office/incidents/people',
  summary: 'Who is affected by a breach and when they were told, 50 to a page, and how they were picked.',
  query: z.strictObject({
    id: queryId,
    standing: z._default(z.enum(personStandings), ''),
    search: optionalText(100),
    page: z._default(queryId, 1),
  }),
  answer: z.object({
    data: z.array(person),
    total: z.int(),
    pageSize: z.int(),
    picks: z.array(pick),
  }),
})

export const incidentActors = endpoint({
  method: 'GET',
  path: '/api/office/incidents/actors',
  summary: 'People of the office and of schools by name or e-mail, to look for what they saw or changed.',
  query: z.strictObject({ search: optionalText(100) }),
  answer: z.object({
    data: z.array(
      z.object({ kind: z.enum(['office', 'account']), id: z.int(), name: z.string(), says: z.string() }),
    ),
  }),
})
