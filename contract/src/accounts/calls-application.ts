import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { bodyId } from '../fields.ts'
import { userDetails } from './calls.ts'
import { answered, checkPinCode, schoolDetails } from './schemas.ts'

/** The school detail form (specification, sections 2.6, 5). */

export const saveSchoolDetails = endpoint('POST /api/Account/SaveSchoolDetails', {
  summary: 'Submits the details of a school that is not registered yet; the office decides.',
  body: z
    .strictObject({
      ...schoolDetails,
      /** Not needed, the session identifies the user; another id is refused */
      teacherId: z.optional(z.nullable(bodyId)),
    })
    .check(checkPinCode),
  answer: z.object({ userDetails }),
})

export const getOwnApplication = endpoint('GET /api/Account/GetOwnApplication', {
  summary: "The user's latest application: waiting, or to be corrected after a question or a rejection.",
  answer: z.object({
    application: z.nullable(
      z.object({
        id: z.int(),
        version: z.int(),
        status: z.enum(['asked', 'rejected']),
        /** The office's question, or its reason for rejecting; empty if the user withdrew it */
        remark: z.string(),
        askedAt: z.nullable(z.string()),
        schName: z.string(),
        schAddress: z.string(),
        city: z.string(),
        state: z.string(),
        district: z.string(),
        country: z.string(),
        pinCode: z.string(),
        mobile: z.string(),
        udiseCode: z.string(),
        affiliationNo: z.string(),
      }),
    ),
    /** The application the office has not decided yet; null if there is none */
    waiting: z.nullable(
      z.object({
        schName: z.string(),
        schAddress: z.string(),
        city: z.string(),
        district: z.string(),
        state: z.string(),
        pinCode: z.string(),
        mobile: z.string(),
        sentAt: z.string(),
      }),
    ),
    /** The account's address, used to prefill an empty form */
    place: z.object({ country: z.string(), state: z.string(), city: z.string(), pinCode: z.string() }),
  }),
})

/** Refuses with application.question_open, application.not_waiting. */
export const withdrawApplication = endpoint('POST /api/Account/WithdrawApplication', {
  summary:
    "Withdraws the user's application while it waits; its details may be corrected and submitted again.",
  answer: z.object({ userDetails }),
})

export const answerAskedBack = endpoint('POST /api/Account/AnswerAskedBack', {
  summary: "Answers the office's question with corrected details; the application returns to the queue.",
  body: z.strictObject({ ...answered, id: bodyId, version: bodyId }).check(checkPinCode),
  answer: z.object({ userDetails }),
})
