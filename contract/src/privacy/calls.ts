import * as z from 'zod/mini'
import { allowance, endpoint } from '../endpoint.ts'
import { bodyId, optionalText, queryId, text } from '../fields.ts'
import { writtenLanguages } from '../languages.ts'
import { sentences } from '../sentences.ts'

/** Families' requests about a child's data (export, erasure) with the legal deadline, and parents' consent. */

export const requestKinds = ['export', 'erase', 'correct'] as const
/** What a family can ask for on its own page; it corrects data there itself. */
const familyKinds = ['export', 'erase'] as const
const requestStates = ['asked', 'checked', 'done', 'declined', 'withdrawn'] as const
/** How it was verified that a parent is asking */
export const checkMethods = ['family-code', 'call-back', 'document', 'school'] as const

/** What an erasure changes or deletes, as counted in its outcome */
export const erasedKinds = [
  'students',
  'family_links',
  'sessions',
  'outbox',
  'tickets',
  'student_imports',
  'student_import_changes',
  'idempotency_keys',
  'files',
  'certificates',
  'results',
  'next_level_invitations',
  'result_anomalies',
  'waivers',
  'audit',
  'student_moves',
  'school_credits',
  'data_requests',
] as const

const wordsRequired = sentences.requestWords
export const noteRequired = sentences.requestNote
export const reasonRequired = sentences.requestReason

const day = z.string()
const moment = z.string()

const request = z.object({
  id: z.int(),
  kind: z.enum(requestKinds),
  studentId: z.int(),
  /** Empty once the child's data is erased */
  studentName: z.string(),
  place: z.string(),
  schoolId: z.int(),
  schName: z.string(),
  /** 'family', 'school', 'office' */
  requestedThrough: z.string(),
  requestedAt: moment,
  /** Last day by law */
  dueOn: day,
  late: z.boolean(),
  message: z.string(),
  contact: z.string(),
  state: z.enum(requestStates),
  checkMethod: z.string(),
  checkNote: z.string(),
  checkedBy: z.string(),
  checkedAt: z.nullable(moment),
  /** The child's records in all seasons, as found at the check; 0 before it */
  records: z.int(),
  decision: z.string(),
  decidedBy: z.string(),
  decidedAt: z.nullable(moment),
  /** What was done: counts by kind of data */
  outcome: z.record(z.string(), z.int()),
  version: z.int(),
  can: z.object({ check: allowance, carryOut: allowance, decline: allowance, file: allowance }),
})
export type DataRequest = z.output<typeof request>

export const dataRequests = endpoint('GET /api/office/privacy/list', {
  summary: "Requests about children's data, most urgent first, 50 a page.",
  query: z.strictObject({
    state: z._default(z.enum(['open', 'over', 'all']), 'open'),
    kind: z._default(z.enum(['', ...requestKinds]), ''),
    /** Requests about this student, for their record in the office */
    student: z.optional(queryId),
    /** Words of the student's name, or of the school's code or name */
    search: optionalText(100),
    page: z._default(queryId, 1),
  }),
  answer: z.object({ data: z.array(request), total: z.int(), pageSize: z.int(), late: z.int() }),
})

/** POST, because it writes to the audit log. */
export const exportDataRequests = endpoint('POST /api/office/privacy/export', {
  summary: "The first 10,000 requests that match the filters, with the list's columns, as a spreadsheet.",
  body: z.strictObject({
    state: z.enum(['open', 'over', 'all']),
    kind: z._default(z.enum(['', ...requestKinds]), ''),
    student: z.optional(bodyId),
    search: optionalText(100),
    format: z.enum(['xlsx', 'csv']),
  }),
  answers: 'file',
})

export const askForm = z.strictObject({
  studentId: bodyId,
  kind: z.enum(requestKinds),
  message: text(wordsRequired, 1000),
  /** How to reach the person who asks */
  contact: optionalText(200),
})

export const askDataRequest = endpoint('POST /api/office/privacy/ask', {
  summary: 'Records a request that reached the office by phone, letter or e-mail.',
  body: askForm,
  answer: z.object({ id: z.int() }),
})

export const checkForm = z.strictObject({
  id: bodyId,
  version: bodyId,
  method: z.enum(checkMethods),
  note: text(noteRequired, 500),
})

export const checkDataRequest = endpoint('POST /api/office/privacy/check', {
  summary: 'Records how it was verified that a parent of the child is asking.',
  body: checkForm,
})

export const carryOutRequest = endpoint('POST /api/office/privacy/carryOut', {
  summary:
    "Carries out a checked request: the child's data are available as a file, erased, or recorded as corrected. Erasing needs a second person.",
  body: z.strictObject({ id: bodyId, version: bodyId }),
})

export const declineRequest = endpoint('POST /api/office/privacy/decline', {
  summary: 'Declines a request, with a reason shown to the family.',
  body: z.strictObject({ id: bodyId, version: bodyId, reason: text(reasonRequired, 500) }),
})

/** POST, because it writes to the audit log. */
export const dataFile = endpoint('POST /api/office/privacy/file', {
  summary: 'All data about the child of a granted request, as JSON or PDF, for 30 days.',
  body: z.strictObject({ id: bodyId, format: z.enum(['json', 'pdf']) }),
  answers: 'file',
})

/** The family's own calls, which need the access code. */

const familyChild = z.object({
  individualRegId: z.int(),
  studentName: z.string(),
  /** 'given', 'withdrawn', or '' if not answered yet */
  consent: z.string(),
  consentAt: z.nullable(moment),
  requests: z.array(
    z.object({
      id: z.int(),
      /** Includes `correct`, which is asked through the school or the office */
      kind: z.enum(requestKinds),
      requestedAt: moment,
      dueOn: day,
      state: z.enum(requestStates),
      decision: z.string(),
      /** Whether the file can be downloaded */
      ready: z.boolean(),
    }),
  ),
})
export type FamilyPrivacyChild = z.output<typeof familyChild>

export const familyPrivacy = endpoint('GET /api/ManageStudent/Get_Privacy', {
  summary: "The notice about children's data, each child's consent and requests.",
  query: z.strictObject({ language: z._default(z.enum(writtenLanguages), 'en') }),
  answer: z.object({
    notice: z.object({ version: z.string(), title: z.string(), paragraphs: z.array(z.string()) }),
    children: z.array(familyChild),
  }),
})

export const familyConsent = endpoint('POST /api/ManageStudent/SetConsent', {
  summary: 'A parent gives or withdraws consent for one child. Withdrawing also requests erasure.',
  body: z.strictObject({
    individualRegId: bodyId,
    given: z.boolean(),
    noticeVersion: z.string().check(z.maxLength(20)),
    language: z.enum(writtenLanguages),
  }),
})

export const familyAskData = endpoint('POST /api/ManageStudent/AskAboutData', {
  summary: "A parent requests a child's data, or its erasure.",
  body: z.strictObject({ individualRegId: bodyId, kind: z.enum(familyKinds), message: optionalText(1000) }),
})

export const familyDataFile = endpoint('GET /api/ManageStudent/Get_ChildData', {
  summary: 'All data about the child of a granted request, as PDF or JSON, for 30 days.',
  query: z.strictObject({
    id: queryId,
    format: z._default(z.enum(['json', 'pdf']), 'pdf'),
    /** Of the PDF */
    language: z._default(z.enum(writtenLanguages), 'en'),
  }),
  answers: 'file',
})

/**
 * Requests about children's data that a parent made to the school. The foundation answers them; the school sees those
 * it has entered, their state and legal deadline, and never the data.
 */

const whoRequired = sentences.requestWho

const line = z.object({
  id: z.int(),
  version: z.int(),
  kind: z.enum(requestKinds),
  /** Empty once the child's data is erased */
  studentName: z.string(),
  className: z.string(),
  section: z.string(),
  FYear: z.string(),
  message: z.string(),
  requestedBy: z.string(),
  requestedAt: z.string(),
  /** Last day by law, `2026-12-05` */
  dueOn: z.string(),
  late: z.boolean(),
  state: z.enum(requestStates),
  /** Why it was declined */
  decision: z.string(),
  decidedAt: z.nullable(z.string()),
  can: z.object({ withdraw: allowance }),
})
export type SchoolDataRequest = z.output<typeof line>

export const schoolDataRequests = endpoint('GET /api/ManageStudent/GetDataRequests', {
  summary: "Requests about children's data that the school has entered, open ones first, 50 a page.",
  query: z.strictObject({ page: z._default(queryId, 1) }),
  answer: z.object({ data: z.array(line), total: z.int(), pageSize: z.int(), open: z.int() }),
})

export const schoolAskForm = z.strictObject({
  studentId: bodyId,
  kind: z.enum(requestKinds),
  message: text(whoRequired, 1000),
  /** How the foundation can reach the parent */
  contact: optionalText(200),
})

export const askDataAsSchool = endpoint('POST /api/ManageStudent/AskForFamily', {
  summary: "Enters a parent's request about a child's data; a second open one of the same kind is refused.",
  body: schoolAskForm,
  answer: z.object({ id: z.int() }),
})

export const withdrawDataRequest = endpoint('POST /api/ManageStudent/WithdrawDataRequest', {
  summary: 'Withdraws a request the school has entered, while the foundation has not checked it.',
  body: z.strictObject({ id: bodyId, version: bodyId }),
})
