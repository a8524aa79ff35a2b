import * as z from 'zod/mini'
import { allowance, endpoint } from '../endpoint.ts'
import { bodyId, queryId, seasonLabel } from '../fields.ts'
import { writtenLanguages } from '../languages.ts'
import { familyCode, familyFields, groupId } from './schemas.ts'

/** The family's page: access code, the link's children, enrolment tickets (specification, sections 2.7, 4, 5, 7). */

export const verifyFamilyCode = endpoint('POST /api/ManageStudent/VerifyAccessCode', {
  summary: "Checks the access code of a family's link and opens a session of 30 minutes for this link only.",
  body: z.strictObject({ groupId, code: familyCode }),
  answer: z.object({
    /** For the Authorization header of the family's later calls */
    token: z.string(),
    /** Seconds until the session ends */
    expiresIn: z.number(),
  }),
})

const day = z.nullable(z.string())

/** One olympiad of a child with its date. Days as `2026-11-21`, instants in ISO 8601. */
const familyExam = z.object({
  eventLetter: z.string(),
  subjectName: z.string(),
  examMode: z.string(),
  /** The day the school has chosen; until then null, with both offered days below */
  examDate: day,
  firstDate: day,
  secondDate: day,
  /** The time of an online exam, once it is set */
  examFrom: z.nullable(z.string()),
  examTo: z.nullable(z.string()),
})
export type FamilyExam = z.output<typeof familyExam>

const familyStudent = z.object({
  individualRegId: z.number(),
  studentName: z.string(),
  m_F_Name: z.string(),
  mobileNo: z.string(),
  email: z.string(),
  class: z.string(),
  classId: z.number(),
  section: z.string(),
  rollNo: z.number(),
  schName: z.string(),
  /** Separated by commas */
  subjectName: z.string(),
  exams: z.array(familyExam),
  /** Assigned when the school's payment is verified; empty until then */
  examRollNo: z.string(),
  paymentStatus: z.boolean(),
  version: z.number(),
  /** Always empty: codes are compared on the server */
  authenticationCode: z.string(),
  can: z.object({ edit: allowance, rename: allowance }),
})
export type FamilyStudent = z.output<typeof familyStudent>

const foundation = z.object({
  name: z.string(),
  supportPhone: z.string(),
  supportHours: z.string(),
  supportHoursHi: z.string(),
  socialLinks: z.array(z.object({ name: z.string(), url: z.string() })),
})
export type FamilyFoundation = z.output<typeof foundation>

export const getFamilyStudents = endpoint('GET /api/ManageStudent/GET_StudentDetailsBy_GroupId', {
  summary:
    "The children of a family's link. Without the family's session: one row, with only the first letter of the first child's name.",
  query: z.strictObject({ GroupId: groupId, FYear: z.optional(seasonLabel) }),
  answer: z.object({
    /** Whether the access code was given; rows are incomplete until then */
    verified: z.boolean(),
    /** The link's season; empty before the access code */
    fYear: z.string(),
    /** Seconds until the session ends; 0 before the access code */
    expiresIn: z.number(),
    foundation,
    data: z.array(familyStudent),
  }),
})

export const closeFamilyPage = endpoint('POST /api/ManageStudent/CloseFamilyPage', {
  summary: "Ends the family's session.",
})

export const enrolmentTicket = endpoint('GET /api/ManageStudent/Get_EnrollmentTicket', {
  summary: "A child's enrolment ticket as PDF.",
  query: z.strictObject({ individualRegId: queryId, language: z.optional(z.enum(writtenLanguages)) }),
  answers: 'file',
})

export const editFamilyStudent = endpoint('POST /api/ManageStudent/Edit_StudentDetailsBy_GroupId', {
  summary: "Changes a child's name, parents, mobile number and e-mail.",
  body: z.strictObject({
    // Compared with the session and the row, never written
    groupId,
    fYear: seasonLabel,
    classId: bodyId,
    individualRegId: bodyId,
    ...familyFields.shape,
    /** Version of the edited row; refused if someone else has changed it since */
    version: z.optional(bodyId),
    /** For the e-mail about the change */
    language: z.optional(z.enum(writtenLanguages)),
  }),
})
