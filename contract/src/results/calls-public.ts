import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { rankScopes, resultExplanation } from './schemas.ts'

/** A rank as shown outside the school; `pool` is the number of students ranked. */
export const shownRank = z.object({
  scope: z.enum(rankScopes),
  /** State or zone; empty for the class and for all of the olympiad. */
  place: z.string(),
  rank: z.number(),
  pool: z.number(),
})
export type ShownRank = z.infer<typeof shownRank>

/** The olympiad, as named in all documents and pages outside the school. */
const shownOlympiad = {
  subjectName: z.string(),
  eventLetter: z.string(),
  examLevel: z.number(),
  fyear: z.string(),
  littleStar: z.boolean(),
}

/** What the student achieved. Little stars have `stars` instead of scores and ranks. */
const shownHonours = {
  /** '', 'Gold', 'Silver', 'Bronze' */
  medal: z.string(),
  prize: z.string(),
  award: z.string(),
  /** 1 to 5; null for everyone but little stars. */
  stars: z.nullable(z.number()),
  /** The next level the student qualified for; null if not eligible or if there is no next level. */
  goesOnTo: z.nullable(z.number()),
  /** Above 1 for a correction after the release. */
  version: z.number(),
  releasedAt: z.string(),
}

/** What a public page shows of a student: never the whole name, roll no, section, mobile or e-mail. */
const publicResultData = z.object({
  ...shownOlympiad,
  ...shownHonours,
  /** First name and initial: `Ishita N.` */
  name: z.string(),
  className: z.string(),
  schoolName: z.string(),
  city: z.string(),
  /** Null for little stars. */
  score: z.nullable(z.object({ rawMarks: z.number(), marks: z.number(), maximumMarks: z.number() })),
  ranks: z.array(shownRank),
})
export type PublicResult = z.infer<typeof publicResultData>

/** `<student>-<secret>`, as in the links of the results table. */
const linkId = z.string().check(z.regex(/^[0-9a-z]{1,12}-[0-9a-f]{32}$/, 'This link is not complete.'))

export const publicResult = endpoint('GET /api/ManageResult/PublicResult', {
  summary: 'A released result for anyone with its link.',
  query: z.strictObject({ id: linkId }),
  answer: z.object({
    /** 'awaited': not released, withdrawn or withheld; 'over': the link has expired. */
    state: z.enum(['released', 'awaited', 'over']),
    data: z.nullable(publicResultData),
  }),
})

/** What a certificate states; of the student only the initials. */
const certificateData = z.object({
  ...shownOlympiad,
  ...shownHonours,
  number: z.string(),
  kind: z.enum(['merit', 'participation']),
  initials: z.string(),
  schoolName: z.string(),
  city: z.string(),
  /** Empty for little stars. */
  ranks: z.array(shownRank),
})
export type CertificateFacts = z.infer<typeof certificateData>

/** A certificate number as printed or typed: twelve letters and digits, with any dashes and spaces between them. */
const typedNumber = z
  .string()
  .check(z.minLength(1, 'Certificate number is required'), z.maxLength(40, 'Certificate number is too long'))

export const verifyCertificate = endpoint('GET /api/ManageResult/VerifyCertificate', {
  summary: "Whether a certificate is genuine and what it certifies, without the student's name.",
  query: z.strictObject({ number: typedNumber }),
  answer: z.object({
    /**
     * 'unknown': no certificate has this number; 'suspended': its result is not released at present; 'replaced': a
     * newer certificate replaces it after a correction of the results.
     */
    state: z.enum(['valid', 'suspended', 'replaced', 'unknown']),
    data: z.nullable(certificateData),
  }),
})

/** A released result as the family reads it, with the reasons; never with the names of other students. */
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
  medalRules: resultExplanation.shape.medal.shape.rules,
  /** Rupees */
  prizeAmount: z.number(),
  won: resultExplanation.shape.prize.shape.won,
  /** Download address of a gift certificate: https, or empty. */
  couponLink: z.string(),
  eligibility: resultExplanation.shape.eligibility,
  /** Address of the public page: a path of this portal, for sharing. */
  resultLink: z.string(),
})
export type FamilyReleased = z.infer<typeof released>

const familyResult = z.object({
  ...shownOlympiad,
  /**
   * 'awaited': not released yet; 'withheld' for this school; 'absent': the child was absent; 'none': released,
   * without a result of this child.
   */
  state: z.enum(['released', 'awaited', 'withheld', 'absent', 'none']),
  /** The day the season's results are expected; null once it has passed. */
  expectedOn: z.nullable(z.string()),
  result: z.nullable(released),
})
export type FamilyResult = z.infer<typeof familyResult>

export const familyResults = endpoint('GET /api/ManageResult/FamilyResults', {
  summary: "The results of the family's children in this and earlier seasons, newest first.",
  answer: z.object({
    data: z.array(
      z.object({
        /** The child's id on the family's page. */
        individualRegId: z.number(),
        results: z.array(familyResult),
      }),
    ),
  }),
})
