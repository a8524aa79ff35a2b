import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { rankScopes, whyAnswer } from './schemas.ts'

/** A rank as it is told outside the school: `pool` is how many were ranked. */
export const shownRank = z.object({
  scope: z.enum(rankScopes),
  /** State or zone; empty for the class and for everywhere. */
  place: z.string(),
  rank: z.number(),
  pool: z.number(),
})
export type ShownRank = z.infer<typeof shownRank>

/** What the paper was, in every document and page outside the school. */
export const shownOlympiad = {
  subjectName: z.string(),
  eventLetter: z.string(),
  examLevel: z.number(),
  fyear: z.string(),
  littleStar: z.boolean(),
}

/** What was reached. Little stars have `stars` in place of scores and ranks. */
export const shownHonours = {
  /** '', 'Gold', 'Silver', 'Bronze' */
  medal: z.string(),
  prize: z.string(),
  award: z.string(),
  /** 1 to 5; null for all but little stars. */
  stars: z.nullable(z.number()),
  /** The next level that the student may go on to; null where not eligible or where the olympiad leads nowhere. */
  goesOnTo: z.nullable(z.number()),
  /** A correction after the release is a version above 1. */
  version: z.number(),
  releasedAt: z.string(),
}

/** What a public page shows of a child: never the whole name, roll number, section, mobile or e-mail. */
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

/** `<student>-<secret>`, as the results table hands it out. */
const linkId = z.string().check(z.regex(/^[0-9a-z]{1,12}-[0-9a-f]{32}$/, 'This link is not complete.'))

export const publicResult = endpoint('GET /api/ManageResult/PublicResult', {
  summary: 'A released result for whoever has its link.',
  query: z.strictObject({ id: linkId }),
  answer: z.object({
    /** 'awaited': not released, withdrawn or held back; 'over': the time in which links open it has passed. */
    state: z.enum(['released', 'awaited', 'over']),
    data: z.nullable(publicResultData),
  }),
})

/** What a certificate says, without the child: initials alone. */
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

/** As it is printed or typed: twelve letters and digits, dashes and blanks between them where somebody likes. */
const typedNumber = z
  .string()
  .check(z.minLength(1, 'Certificate number is required'), z.maxLength(40, 'Certificate number is too long'))

export const verifyCertificate = endpoint('GET /api/ManageResult/VerifyCertificate', {
  summary: 'Whether a certificate is genuine and what it certifies, without the name of the child.',
  query: z.strictObject({ number: typedNumber }),
  answer: z.object({
    /** 'unknown': no certificate has this number; 'suspended': the result behind it is not out at present;
     * 'replaced': a correction of the results has changed what it says, and another one has taken its place. */
    state: z.enum(['valid', 'suspended', 'replaced', 'unknown']),
    data: z.nullable(certificateData),
  }),
})

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
