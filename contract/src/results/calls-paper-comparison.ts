import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { bodyId, queryId, shownMark, text } from '../fields.ts'

/** The raw marks of a class on one of an event's dates. */
const paper = z.object({
  ordinal: z.number(),
  heldOn: z.string(),
  /** Who sat, and from how many schools */
  sat: z.number(),
  schools: z.number(),
  mean: z.number(),
  deviation: z.number(),
  /** A tenth, a quarter, half, three quarters and nine tenths have no more than this. */
  p10: z.number(),
  lower: z.number(),
  median: z.number(),
  upper: z.number(),
  p90: z.number(),
})
export type Paper = z.infer<typeof paper>

const comparedClass = z.object({
  classId: z.number(),
  className: z.string(),
  papers: z.array(paper),
  /** Difference of the means in deviations, the first date less the second; null where too few sat to tell. */
  effect: z.nullable(z.number()),
  differs: z.boolean(),
})

export const resultPapers = endpoint('GET /api/office/results/papers', {
  summary: "The papers of an event's dates compared, class by class, and what was decided where they differ.",
  query: z.strictObject({ setId: queryId }),
  answer: z.object({
    /** Empty where all sat on one date. */
    classes: z.array(comparedClass),
    differ: z.boolean(),
    decision: z.nullable(z.object({ note: z.string(), by: z.string(), at: z.string() })),
    /** Goes back with a decision */
    seen: z.string(),
    /** True, or the code of the reason why not. */
    canDecide: z.union([z.literal(true), z.string()]),
  }),
})

export const decidePapers = endpoint('POST /api/office/results/decidePapers', {
  summary:
    'Records, with a reason, that the marks of both dates stand beside each other though the papers differ.',
  body: z.strictObject({ setId: bodyId, seen: shownMark, note: text('Please say why.', 500) }),
})
