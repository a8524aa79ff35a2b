import { messages } from '@podium/contract/messages'
import { officeMessages } from '@podium/contract/office/messages'
import { saveResultRules } from '@podium/contract/results/calls-office'
import { rulesOfEvent, tryRules } from '@podium/contract/results/calls-what-if'
import { type EventRules, medals, rankScopes } from '@podium/contract/results/schemas'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import * as z from 'zod/mini'
import { type Answer, CallError, call } from '#shell/call.ts'
import { nothingSaved, usePortalForm } from '#shell/form-frame.tsx'
import { defineWords } from '#shell/language/words.ts'
import { useInvalidate } from '#shell/query.ts'
import { toast } from '#ui/toast.tsx'
import type en from '#words/en/catalogue-rules.json'
import { catalogueCalls } from '../data.ts'

/** The words for editing and trying an event's rules. */
export const rulesWords = defineWords<typeof en>(import.meta.glob('#words/*/catalogue-rules.json'))

type NumberInput = number | ''

type TypedPlace = {
  from: NumberInput
  to: NumberInput
  title: string
  titleHi: string
  amount: NumberInput
  message: string
  messageHi: string
  couponLink: string
}
export type TypedLadder = { kind: string; by: string; minimumPool: NumberInput; places: TypedPlace[] }
export type TypedClause = {
  by: string
  upToRank: NumberInput
  percent: NumberInput
  minimumPool: NumberInput
}

/** The rules of an event as the form holds them. */
export type TypedRules = {
  tieBreak: string[]
  medals: { medal: string; classRank: NumberInput; minimumPool: NumberInput }[]
  ladders: TypedLadder[]
  onePrize: boolean
  leadsOn: boolean
  level: string
  classes: string[]
  clauses: TypedClause[]
  note: string
}

export const newPlace = (after: number): TypedPlace => ({
  from: after + 1,
  to: after + 1,
  title: '',
  titleHi: '',
  amount: 0,
  message: '',
  messageHi: '',
  couponLink: '',
})
export const newClause = (): TypedClause => ({ by: 'olympiad', upToRank: '', percent: 0, minimumPool: 0 })

function typedRules(rules: EventRules): TypedRules {
  const { nextLevel, tieBreak, onePrize } = rules
  return {
    tieBreak: [...tieBreak],
    medals: rules.medals.map((medal) => ({ ...medal })),
    ladders: rules.ladders.map(({ kind, by, minimumPool, places }) => ({
      kind,
      by,
      minimumPool: minimumPool ?? 0,
      places: places.map((place) => ({ titleHi: '', messageHi: '', ...place })),
    })),
    onePrize,
    leadsOn: nextLevel !== null,
    level: String(nextLevel?.level ?? 2),
    classes: (nextLevel?.classes ?? []).map(String),
    clauses: nextLevel ? nextLevel.clauses.map((clause) => ({ ...clause })) : [newClause()],
    note: '',
  }
}

const rank = z
  .int(officeMessages.numberRequired)
  .check(z.minimum(1, officeMessages.numberRequired), z.maximum(1_000_000, officeMessages.numberRequired))
const pool = z.int(officeMessages.numberRequired).check(z.minimum(0, officeMessages.numberRequired))
const requiredText = z
  .string()
  .check(z.minLength(1, officeMessages.fillIn), z.maxLength(200, 'At most 200 characters.'))
const hindiText = z.string().check(z.maxLength(200, 'At most 200 characters.'))
const by = z.enum(rankScopes)

const place = z.object({
  from: rank,
  to: rank,
  title: requiredText,
  titleHi: hindiText,
  amount: z
    .number(officeMessages.amountRequired)
    .check(z.minimum(0, officeMessages.amountRequired), z.maximum(10_000_000, officeMessages.numberRequired)),
  message: requiredText,
  messageHi: hindiText,
  couponLink: z.union([z.literal(''), z.url({ protocol: /^https$/ })], messages.websiteInvalid),
})
const clause = z.object({
  by,
  upToRank: rank,
  percent: z
    .number(officeMessages.percentRequired)
    .check(z.minimum(0, officeMessages.percentRequired), z.maximum(100, officeMessages.percentRequired)),
  minimumPool: pool,
})

const typed = z.object({
  tieBreak: z.array(z.string()),
  medals: z.array(
    z.object({
      medal: z.enum(medals),
      classRank: rank,
      minimumPool: z.int(officeMessages.numberRequired).check(z.minimum(1, officeMessages.numberRequired)),
    }),
  ),
  ladders: z.array(
    z.object({ kind: z.enum(['prize', 'award']), by, minimumPool: pool, places: z.array(place) }),
  ),
  onePrize: z.boolean(),
  leadsOn: z.boolean(),
  level: z.enum(['2', '3']),
  classes: z.array(z.string()),
  clauses: z.array(clause),
  note: z.string().check(z.maxLength(500, 'At most 500 characters.')),
})

/** Validates the form's fields, each with its own error, and returns the rules and the note. */
const rulesSchema = z.pipe(
  typed,
  z.transform(
    ({ leadsOn, level, classes, clauses, note, ladders, ...rules }): { rules: EventRules; note: string } => ({
      rules: {
        ...rules,
        // 0 means no minimum and is left out, like an empty Hindi title, so that older rules compare as equal.
        ladders: ladders.map(({ minimumPool, places, ...ladder }) => ({
          ...ladder,
          ...(minimumPool > 0 ? { minimumPool } : {}),
          places: places.map(({ titleHi, messageHi, ...place }) => ({
            ...place,
            ...(titleHi.trim() === '' ? {} : { titleHi: titleHi.trim() }),
            ...(messageHi.trim() === '' ? {} : { messageHi: messageHi.trim() }),
          })),
        })),
        nextLevel: leadsOn ? { level: Number(level), classes: classes.map(Number), clauses } : null,
      },
      note,
    }),
  ),
)

export type RulesRecord = Answer<typeof rulesOfEvent>

export const rulesDraftKey = ({ eventYearId }: RulesRecord) => `rules.${eventYearId}`

/** What a button does with the typed rules. */
type SubmitIntent = 'save' | 'event' | 'season'

/** Moves an error to the form's field: the form has no `rules` level. */
function withFieldPaths(cause: unknown): unknown {
  if (!(cause instanceof CallError)) return cause
  const issues = cause.issues.map(({ path, message }) => ({ path: path.replace(/^rules\./, ''), message }))
  return new CallError(cause.message, cause.status, cause.code, issues, cause.id)
}

/** The form of an event's rules: saves them as a version, or tries them without saving. */
export function useRules(record: RulesRecord, shown: EventRules, onSaved: () => void) {
  const t = rulesWords.use()
  const invalidate = useInvalidate(catalogueCalls)
  const client = useQueryClient()
  const intent = useRef<SubmitIntent>('save')
  const [jobId, setJobId] = useState<string>()
  const { eventYearId, rulesVersion } = record
  const f = usePortalForm({
    schema: rulesSchema,
    initialValues: typedRules(shown),
    draftKey: rulesDraftKey(record),
    version: rulesVersion,
    save: async ({ rules, note }, { version }) => {
      const submitIntent = intent.current
      intent.current = 'save'
      try {
        if (submitIntent !== 'save') {
          setJobId((await call(tryRules, { body: { eventYearId, rules, on: submitIntent } })).jobId)
          throw nothingSaved()
        }
        const body = { eventYearId, rulesVersion: version, rules, note }
        const saved = await call(saveResultRules, { body })
        toast.success(t('saved', { n: saved.rulesVersion }))
      } catch (cause) {
        throw withFieldPaths(cause)
      }
      await Promise.all([client.invalidateQueries({ queryKey: [rulesOfEvent.path] }), invalidate()])
      onSaved()
    },
  })
  const attempt = (on: 'event' | 'season') => {
    intent.current = on
    void f.submit().finally(() => {
      intent.current = 'save'
    })
  }
  return { f, jobId, attempt, endTrial: () => setJobId(undefined) }
}

export type RulesForm = ReturnType<typeof useRules>['f']
