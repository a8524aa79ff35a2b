import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { bodyId, text } from './fields.ts'
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
