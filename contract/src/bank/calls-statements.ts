import * as z from 'zod/mini'
import { allowance, endpoint } from '../endpoint.ts'
import { bodyId, jobProgress, text } from '../fields.ts'
import { messages } from '../messages.ts'
import { hasWholePaise } from '../money.ts'
import { officeMessages } from '../office/messages.ts'

/** Maps columns of a statement to their meaning; columns count from 0, −1 if there is none. */
export const statementColumns = ['day', 'narration', 'utr', 'credit', 'debit', 'amount', 'sign'] as const
export type StatementColumn = (typeof statementColumns)[number]

export const dayOrders = ['dmy', 'mdy', 'ymd'] as const
export type DayOrder = (typeof dayOrders)[number]

const column = z.int().check(z.minimum(-1), z.maximum(199))

export const statementMapping = z.strictObject({
  day: column,
  narration: column,
  utr: column,
  /** Money in and money out in separate columns, or … */
  credit: column,
  debit: column,
  /** … one column with a sign, or with a word (CR, DR) beside it */
  amount: column,
  sign: column,
  order: z.enum(dayOrders),
})
export type StatementMapping = z.output<typeof statementMapping>

/** The mapping as a query parameter: `day.narration.utr.credit.debit.amount.sign.order`. */
export function mappingText(mapping: StatementMapping): string {
  return [...statementColumns.map((name) => mapping[name]), mapping.order].join('.')
}

const mappingQuery = z.pipe(
  z.string().check(z.regex(/^(?:-?\d{1,3}\.){7}(?:dmy|mdy|ymd)$/)),
  z.pipe(
    z.transform((text: string) => {
      const parts = text.split('.')
      return {
        ...Object.fromEntries(statementColumns.map((name, index) => [name, Number(parts[index])])),
        order: parts.at(-1),
      }
    }),
    statementMapping,
  ),
)

const account = z.object({ accountNo: z.string(), bankName: z.string() })

export const bankStatements = endpoint('GET /api/office/bank/statements', {
  summary: 'Imported statements, newest first, and the accounts they can belong to.',
  answer: z.object({
    data: z.array(
      z.object({
        id: z.int(),
        accountNo: z.string(),
        fileName: z.string(),
        firstDay: z.string(),
        lastDay: z.string(),
        lines: z.int(),
        fresh: z.int(),
        outgoing: z.int(),
        amount: z.number(),
        importedBy: z.string(),
        importedAt: z.string(),
        /** How many of its own lines are undecided */
        waiting: z.int(),
        /** Money in and out of the whole file, known lines included; null for old imports, which did not store it */
        incoming: z.nullable(z.number()),
        outgoingAmount: z.nullable(z.number()),
        /** Balances before and after; null if the file has none and nobody has entered them */
        opening: z.nullable(z.number()),
        closing: z.nullable(z.number()),
        balancesRead: z.boolean(),
        reconciledBy: z.string(),
        reconciledAt: z.nullable(z.string()),
      }),
    ),
    accounts: z.array(account),
    can: z.object({ import: allowance, reopen: allowance }),
  }),
})

const balance = z
  .number(messages.amountInvalid)
  .check(
    z.minimum(-1e9, messages.amountInvalid),
    z.maximum(1e9, messages.amountInvalid),
    z.refine(hasWholePaise, messages.amountInvalid),
  )

export const reconcileStatement = endpoint('POST /api/office/bank/reconcile', {
  summary:
    "Closes a statement: opening balance + in − out must be its closing balance, with no undecided lines. Its lines can't be changed afterwards.",
  body: z.strictObject({
    id: bodyId,
    /** If the file has no balances */
    opening: z.optional(balance),
    closing: z.optional(balance),
  }),
  answer: z.object({ id: z.int() }),
})

export const reopenStatement = endpoint('POST /api/office/bank/reopenStatement', {
  summary: 'Reopens a reconciled statement, with a reason.',
  body: z.strictObject({ id: bodyId, reason: text(messages.reasonRequired, 300) }),
  answer: z.object({ id: z.int() }),
})

const readLine = z.object({
  row: z.int(),
  day: z.string(),
  amount: z.number(),
  utr: z.string(),
  narration: z.string(),
})

export const previewStatement = endpoint('POST /api/office/bank/look', {
  summary: 'Reads a statement without saving it: its headings, the guessed columns, and its first lines.',
  query: z.strictObject({ mapping: z.optional(mappingQuery) }),
  answer: z.object({
    headings: z.array(z.string()),
    /** Number of the heading row */
    headingRow: z.int(),
    mapping: statementMapping,
    /** Whether the mapping comes from an earlier statement with the same headings; otherwise it is a guess */
    remembered: z.boolean(),
    /** The first cells of each column */
    samples: z.array(z.array(z.string())),
    lines: z.int(),
    amount: z.number(),
    outgoing: z.int(),
    firstDay: z.string(),
    lastDay: z.string(),
    first: z.array(readLine),
    /** At most twenty rows that look like lines but could not be read */
    unread: z.array(z.object({ row: z.int(), text: z.string() })),
    unreadRows: z.int(),
    /** The account number, if the rows above the headings name one of ours */
    accountNo: z.string(),
  }),
  upload: true,
  bodyLimit: 20 * 1024 * 1024,
})
export type StatementPreview = z.output<(typeof previewStatement)['answer']>

export const importStatement = endpoint('POST /api/office/bank/import', {
  summary: 'Saves the new lines of a statement and starts comparing them with what is owed.',
  query: z.strictObject({ mapping: mappingQuery, accountNo: z.string().check(z.maxLength(40)) }),
  answer: z.object({
    id: z.int(),
    lines: z.int(),
    fresh: z.int(),
    known: z.int(),
    /** Lines booked earlier whose money this statement shows going back */
    bouncedLater: z.int(),
    jobId: z.string(),
  }),
  upload: true,
  bodyLimit: 20 * 1024 * 1024,
})

export const bankJob = endpoint('GET /api/office/bank/job', {
  summary: 'Progress and result of comparing or booking lines.',
  query: z.strictObject({ jobId: z.string().check(z.maxLength(40)) }),
  answer: z.object({
    job: z.object({
      jobId: z.string(),
      kind: z.string(),
      ...jobProgress,
      /** For a booking job: how many were booked, and how many were no longer exact */
      booked: z.int(),
      skipped: z.int(),
      /** For a comparing job: how many open lines are now exact and likely */
      exact: z.int(),
      likely: z.int(),
    }),
  }),
})

/** What a narration must contain, ignoring case; a shorter text would match too much. */
const contains = text(officeMessages.textRequired, 100).check(z.minLength(4, officeMessages.textShort))

export const bankRules = endpoint('GET /api/office/bank/rules', {
  summary: 'Rules for lines that are always ignored, with the number of lines each has ignored.',
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
  summary: 'The open lines a rule would ignore now, and how many it would skip because they match a school.',
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
    'Adds a rule that ignores future lines whose narration contains this text and which match no school.',
  body: z.strictObject({ contains, reason: text(messages.reasonRequired, 300) }),
  answer: z.object({ id: z.int(), ignored: z.int() }),
})

export const revokeBankRule = endpoint('POST /api/office/bank/revokeRule', {
  summary: 'Revokes a rule; lines it has ignored stay ignored until they are reopened.',
  body: z.strictObject({ id: bodyId }),
  answer: z.object({ id: z.int() }),
})
