import { catalogueMessages } from '@podium/contract/catalogue/messages'
import type { ShareRule } from '@podium/contract/catalogue/rules-fee'
import { slabIssues, type TypedSlab } from '@podium/contract/catalogue/rules-slabs'
import { seasonValues } from '@podium/contract/catalogue/schemas'
import * as z from 'zod/mini'

/** What the form of a season holds: the share rule in three fields. */
export type SeasonTyped = {
  feeDueOn: string
  resultsFrom: string
  dateChoiceDays: number | ''
  kind: ShareRule['kind']
  percent: number | ''
  slabs: TypedSlab[]
}

interface Season {
  feeDueOn: string
  resultsFrom: string
  dateChoiceDays: number
  share: ShareRule
}

export function typedOf({ feeDueOn, resultsFrom, dateChoiceDays, share }: Season): SeasonTyped {
  return {
    feeDueOn,
    resultsFrom,
    dateChoiceDays,
    kind: share.kind,
    percent: share.kind === 'percent' ? share.percent : '',
    slabs: share.kind === 'slabs' ? share.slabs : [{ from: 1, share: '' }],
  }
}

const percent = z
  .number(catalogueMessages.percentRequired)
  .check(z.minimum(0, catalogueMessages.percentRequired), z.maximum(100, catalogueMessages.percentRequired))

const typedNumber = z.union([z.literal(''), z.number()], catalogueMessages.numberRequired)

/** The fields of a season's form, each with its own fault. */
export const seasonFields = {
  feeDueOn: seasonValues.feeDueOn,
  resultsFrom: seasonValues.resultsFrom,
  dateChoiceDays: seasonValues.dateChoiceDays,
  kind: z.enum(['perHead', 'percent', 'slabs']),
  percent: z.union([z.literal(''), percent], catalogueMessages.percentRequired),
  slabs: z.array(z.object({ from: typedNumber, share: typedNumber })),
}

export const percentGiven = z.refine<{ kind: string; percent: number | '' }>(
  (typed) => typed.kind !== 'percent' || typed.percent !== '',
  { error: catalogueMessages.percentRequired, path: ['percent'] },
)

/** Slabs are looked at only where they are the rule. */
export const slabsGiven = z.check<Pick<SeasonTyped, 'kind' | 'slabs'>>((payload) => {
  const { kind, slabs } = payload.value
  if (kind !== 'slabs') return
  for (const { path, message } of slabIssues(slabs))
    payload.issues.push({ code: 'custom', path: path.split('.'), message, input: slabs })
})

export const seasonSchema = z.object(seasonFields).check(percentGiven, slabsGiven)

/** The typed share as the rule that it is. */
export function shareOf({
  kind,
  percent,
  slabs,
}: Pick<SeasonTyped, 'kind' | 'percent' | 'slabs'>): ShareRule {
  if (kind === 'percent') return { kind, percent: Number(percent) }
  if (kind === 'perHead') return { kind }
  return { kind, slabs: slabs.map(({ from, share }) => ({ from: Number(from), share: Number(share) })) }
}
