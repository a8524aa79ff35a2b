import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { shownHonours, shownOlympiad, shownRank } from './calls-public.ts'
import { whyAnswer } from './schemas-why.ts'

/** A released result as its family reads it, with the reasons; never with the names of others. */
const released = z.object({
  ...shownHonours,
  resultId: z.string(),
  className: z.string(),
  score: z.object({
    rawMarks: z.number(),
    marks: z.number(),
    maximumMarks: z.number(),
    percent: z.number(),
    sections: z.array(z.object({ name: z.string(), marks: z.number(), maximum: z.number() })),
  }),
  /** Empty for little stars. */
  ranks: z.array(shownRank),
  medalRules: whyAnswer.shape.medal.shape.rules,
  /** Rupees */
  prizeAmount: z.number(),
  won: whyAnswer.shape.prize.shape.won,
  /** Where a gift certificate is downloaded: https, or empty. */
  couponLink: z.string(),
  eligibility: whyAnswer.shape.eligibility,
  /** The public page: a path of this portal, to be shared. */
  resultLink: z.string(),
})
export type FamilyReleased = z.infer<typeof released>

const familyResult = z.object({
  ...shownOlympiad,
  /**
   * 'awaited': not out yet; 'held': out, but not for this school at present; 'absent': the child did not sit; 'none': out,
   * and nothing of this child in it.
   */
  state: z.enum(['released', 'awaited', 'held', 'absent', 'none']),
  /** The day on which the season's results are expected; null where that has passed. */
  expectedOn: z.nullable(z.string()),
  result: z.nullable(released),
})
export type FamilyResult = z.infer<typeof familyResult>

export const familyResults = endpoint('GET /api/ManageResult/FamilyResults', {
  summary: 'The results of the children of the family, this season’s and those before, newest first.',
  answer: z.object({
    data: z.array(
      z.object({
        /** The child as the student page of the family names it. */
        individualRegId: z.number(),
        results: z.array(familyResult),
      }),
    ),
  }),
})
