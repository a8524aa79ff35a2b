import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { allowance } from '../envelope.ts'
import { bodyId, text } from '../fields.ts'
import { messages } from '../messages.ts'

/** What a narration must contain, without case; shorter texts would ignore too much. */
const contains = text('Please enter a text.', 100).check(z.minLength(4, 'At least 4 characters.'))

export const bankRules = endpoint('GET /api/office/bank/rules', {
  summary: 'What is always ignored at the import of a statement, with how many lines each rule has ignored.',
  answer: z.object({
    data: z.array(
      z.object({
        id: z.int(),
        contains: z.string(),
        reason: z.string(),
        lines: z.int(),
        createdBy: z.string(),
        createdAt: z.string(),
        revokedBy: z.string(),
        revokedAt: z.nullable(z.string()),
      }),
    ),
    can: z.object({ decide: allowance }),
  }),
})
export type BankRule = z.output<typeof bankRules.answer>['data'][number]

export const previewBankRule = endpoint('GET /api/office/bank/rulePreview', {
  summary:
    'Which open lines a rule would ignore now, and how many it would leave because they point at a school.',
  query: z.strictObject({ contains }),
  answer: z.object({
    lines: z.int(),
    amount: z.number(),
    left: z.int(),
    first: z.array(z.object({ id: z.int(), day: z.string(), amount: z.number(), narration: z.string() })),
  }),
})

export const addBankRule = endpoint('POST /api/office/bank/rule', {
  summary:
    'Always ignores lines whose narration contains this text and that point at no school, from now on.',
  body: z.strictObject({ contains, reason: text(messages.reasonRequired, 300) }),
  answer: z.object({ id: z.int(), ignored: z.int() }),
})

export const revokeBankRule = endpoint('POST /api/office/bank/revokeRule', {
  summary:
    'Lines are not ignored by this rule any more; those that were stay so until they are opened again.',
  body: z.strictObject({ id: bodyId }),
  answer: z.object({ id: z.int() }),
})
