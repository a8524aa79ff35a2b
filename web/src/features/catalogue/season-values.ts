import { seasonValues } from '@podium/contract/catalogue-fields'
import type { ShareRule } from '@podium/contract/enrolment-fee'
import { catalogueMessages } from '@podium/contract/messages-catalogue'
import * as z from 'zod/mini'

/** What the form of a season holds: the share rule in two fields. */
export type SeasonTyped = {
  feeDueOn: string
  resultsFrom: string
  dateChoiceDays: number | ''
  kind: 'perHead' | 'percent'
  percent: number | ''
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
  }
}

const percent = z
  .number(catalogueMessages.percentRequired)
  .check(z.minimum(0, catalogueMessages.percentRequired), z.maximum(100, catalogueMessages.percentRequired))

/** The fields of a season's form, each with its own fault. */
export const seasonFields = {
  feeDueOn: seasonValues.feeDueOn,
  resultsFrom: seasonValues.resultsFrom,
  dateChoiceDays: seasonValues.dateChoiceDays,
  kind: z.enum(['perHead', 'percent']),
  percent: z.union([z.literal(''), percent], catalogueMessages.percentRequired),
}

export const percentGiven = z.refine<{ kind: string; percent: number | '' }>(
  (typed) => typed.kind !== 'percent' || typed.percent !== '',
  { error: catalogueMessages.percentRequired, path: ['percent'] },
)

export const seasonSchema = z.object(seasonFields).check(percentGiven)

/** The typed share as the rule that it is. */
export function shareOf(typed: { kind: 'perHead' | 'percent'; percent: number | '' }): ShareRule {
  return typed.kind === 'percent' ? { kind: 'percent', percent: Number(typed.percent) } : { kind: 'perHead' }
}
