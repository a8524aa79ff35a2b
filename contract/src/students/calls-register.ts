import * as z from 'zod/mini'
import { isClassId } from '../classes.ts'
import { endpoint } from '../endpoint.ts'
import { optionalText, queryId, seasonLabel } from '../fields.ts'

/** The office's register of students: the children of all schools, 50 to a page, and the same as a file. */

/** Where a child's registration fee stands. */
export const studentFees = ['due', 'sent', 'paid', 'waived'] as const
export type StudentFee = (typeof studentFees)[number]

export const studentStatuses = ['active', 'deleted', 'all'] as const
export const studentSorts = ['name', 'class'] as const
export type StudentSort = (typeof studentSorts)[number]

/** As many as the list counts; of more it says that there are more, and asks to narrow it down. */
export const mostCounted = 1000
/** As many as one file holds. */
export const mostExported = 5000

/** A class as digits; '' for all. */
const classFilter = z._default(
  z.pipe(
    z.string().check(z.regex(/^\d{0,2}$/)),
    z.pipe(
      z.transform((typed: string) => (typed === '' ? 0 : Number(typed))),
      z.int().check(z.refine((id) => id === 0 || isClassId(id))),
    ),
  ),
  0,
)

const filters = {
  /** Left out: all seasons */
  FYear: z.optional(seasonLabel),
  /** Beginnings of words of the name in any order; a roll no, an exam roll no, a school's code, or a parent's whole mobile */
  search: optionalText(100),
  /** Words of the school's name, its city or its code */
  school: optionalText(100),
  classId: classFilter,
  /** The letter of a subject */
  subject: z._default(z.string().check(z.regex(/^[A-Z]?$/)), ''),
  fee: z._default(z.enum(['', ...studentFees]), ''),
  standing: z._default(z.enum(studentStatuses), 'active'),
  /** By name; or school by school as its register stands, where a school is asked for */
  sort: z._default(z.enum(studentSorts), 'name'),
}

const row = z.object({
  id: z.int(),
  FYear: z.string(),
  schId: z.int(),
  schCode: z.string(),
  schName: z.string(),
  city: z.string(),
  studentName: z.string(),
  classId: z.int(),
  className: z.string(),
  section: z.string(),
  rollNo: z.int(),
  examRollNo: z.string(),
  eventLetter: z.string(),
  /** The parent's mobile but for its last digits; '' where there is none */
  mobile: z.string(),
  fee: z.enum(studentFees),
  active: z.boolean(),
})
export type StudentListRow = z.output<typeof row>

/** Refusals: students.mobile_search for who may not see mobiles. */
export const officeStudents = endpoint('GET /api/office/students/list', {
  summary: 'The students of all schools that the filters leave, 50 to a page; counted up to a thousand.',
  query: z.strictObject({ ...filters, page: z._default(queryId, 1) }),
  answer: z.object({
    data: z.array(row),
    total: z.int(),
    /** There are more than `total` */
    more: z.boolean(),
    pageSize: z.int(),
  }),
})

/** POST, because it leaves a line in the audit trail. */
export const exportOfficeStudents = endpoint('POST /api/office/students/export', {
  summary:
    'The students that the filters leave, as a spreadsheet of at most 5,000 rows; without their parents’ contact.',
  body: z.strictObject({ ...filters, format: z.enum(['xlsx', 'csv']) }),
  answers: 'file',
})

export const studentSubjects = endpoint('GET /api/office/students/subjects', {
  summary: 'All subjects by letter, to filter by.',
  answer: z.object({ data: z.array(z.object({ letter: z.string(), name: z.string() })) }),
})
