import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { bodyId, queryId, text } from './fields.ts'
import { sentences } from './sentences.ts'

/** How those affected by a breach are told: by mail, or otherwise where they have none. */

const seen = { id: bodyId, version: bodyId }

export const noteToldOtherwise = endpoint({
  method: 'POST',
  path: '/api/office/incidents/toldOtherwise',
  summary: 'Notes how those without an e-mail were told: by telephone, by letter, by their school.',
  body: z.strictObject({
    ...seen,
    /** Some of them, or nobody named: all who wait */
    people: z._default(z.array(bodyId).check(z.maxLength(200)), []),
    note: text(sentences.incidentHowTold, 500),
  }),
  answer: z.object({ told: z.int() }),
})

const required = (longest: number) => text(sentences.incidentWords, longest)
const told = z.strictObject({
  what: required(2000),
  consequences: required(1000),
  measures: required(1000),
  safety: required(1000),
  contact: required(500),
})
export const incidentWordsForm = z.strictObject({ en: told, hi: told })

export const saveIncidentWords = endpoint({
  method: 'POST',
  path: '/api/office/incidents/words',
  summary: 'Writes what those affected read about a breach, in English and Hindi.',
  body: z.strictObject({ ...seen, words: incidentWordsForm }),
})

const written = z.object({ subject: z.string(), text: z.string() })

export const incidentMails = endpoint({
  method: 'GET',
  path: '/api/office/incidents/mails',
  summary:
    'The mail of the first family and of the first person of a school who wait to be told, in both languages.',
  query: z.strictObject({ id: queryId }),
  answer: z.object({
    data: z.array(z.object({ kind: z.enum(['family', 'person']), en: written, hi: written })),
  }),
})

export const askIncidentSending = endpoint({
  method: 'POST',
  path: '/api/office/incidents/askSending',
  summary: 'Asks that those who wait be told by mail; somebody else approves it.',
  body: z.strictObject(seen),
})

export const withdrawIncidentSending = endpoint({
  method: 'POST',
  path: '/api/office/incidents/withdrawSending',
  summary: 'Takes back that the mails be sent, while nobody has approved it.',
  body: z.strictObject(seen),
})

export const approveIncidentSending = endpoint({
  method: 'POST',
  path: '/api/office/incidents/approveSending',
  summary: 'Approves the mails; they leave some at a time, each person is told once.',
  body: z.strictObject(seen),
})
