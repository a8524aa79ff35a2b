import * as z from 'zod/mini'
import { isClassId } from '../classes.ts'
import { endpoint } from '../endpoint.ts'
import { bodyId, queryId, seasonLabel, studentInClass } from '../fields.ts'
import { importProgress } from './calls-import.ts'
import { maxImportRows } from './calls-import-preview.ts'

const letters = z.array(z.string().check(z.maxLength(60))).check(z.maxLength(50))
const classId = z.int().check(z.refine(isClassId))
const section = z.string().check(z.maxLength(20))

/** Options for all students, for classes, or for single students; classes are those of the new season. */
const options = z.strictObject({
  /** Last year's books if still on offer, or none */
  books: z._default(z.enum(['same', 'none']), 'same'),
  /** Last year's subjects if the new class offers them, or none */
  subjects: z._default(z.enum(['same', 'none']), 'same'),
  /** Moves students of a class from section `from` to section `to` */
  sections: z._default(
    z.array(z.strictObject({ classId, from: section, to: section })).check(z.maxLength(500)),
    [],
  ),
  /** Subjects, by letter or name, for students of a class who keep none of last year's */
  choose: z._default(z.array(z.strictObject({ classId, subjectName: letters })).check(z.maxLength(20)), []),
  /** Changes to single students, by last season's id */
  rows: z._default(
    z
      .array(
        z.strictObject({
          studentId: bodyId,
          section: z.optional(section),
          rollno: z.optional(bodyId),
          subjectName: z.optional(letters),
        }),
      )
      .check(z.maxLength(maxImportRows)),
    [],
  ),
})
export type CarryOptions = z.output<typeof options>
export type CarryOptionsInput = z.input<typeof options>

const carryOverInput = { FYear: seasonLabel, schId: z.optional(bodyId), options: z.prefault(options, {}) }

/** A student of this season who is, or may be, the same student. */
const otherStudent = z.object({ id: z.int(), ...studentInClass })

/**
 * Hints, which do not prevent the entry: `roll`: another roll no was given (`with`: who has the old one);
 * `choose`: no subject was kept; `subjects`: these are not offered to the new class; `closed`: entries for these have
 * closed; `parent`: the parent's e-mail or mobile is invalid and left out; `deleted`: deleted last season; `removed`:
 * deleted this season after being carried over; `likely`: a student already entered may be the same one.
 */
const warning = z.object({
  kind: z.enum(['roll', 'choose', 'subjects', 'closed', 'parent', 'deleted', 'removed', 'likely']),
  with: z.string(),
})
export type CarryWarning = z.output<typeof warning>

const money = {
  regAmount: z.number(),
  bookAmount: z.number(),
  school_Expenses: z.number(),
  book_school_Expenses: z.number(),
}

/** A student of last season as they would be entered; amounts in rupees, by this season's prices. */
const carryRow = z.object({
  /** Last season's id */
  studentId: z.int(),
  studentName: z.string(),
  parentName: z.string(),
  parentMobileNo: z.string(),
  fromClassId: z.int(),
  fromSection: z.string(),
  fromRollNo: z.int(),
  /** `leaves`: was in the last class; `there`: already entered this season */
  state: z.enum(['new', 'there', 'leaves']),
  /** In the new season; 0 for a student who leaves */
  classId: z.int(),
  section: z.string(),
  rollNo: z.int(),
  /** Names and letters, separated by commas */
  subjectName: z.string(),
  eventLetter: z.string(),
  bookCount: z.int(),
  ...money,
  /** Subjects whose second level the student was invited to by last season's list, separated by commas */
  level2: z.string(),
  /** Whether entering is proposed */
  proposed: z.boolean(),
  warnings: z.array(warning),
  /** What prevents entering the row, by field */
  issues: z.array(z.object({ path: z.string(), message: z.string() })),
  other: z.nullable(otherStudent),
})
export type CarryRow = z.output<typeof carryRow>

/** Refuses with enrolment.season_closed, access.other_school. */
export const previewCarryOver = endpoint('POST /api/ManageStudent/PreviewCarryOver', {
  summary: "Last season's students as they would be entered in this one, a class higher; nothing is saved.",
  body: z.strictObject(carryOverInput),
  bodyLimit: 1024 * 1024,
  answer: z.object({
    fromSeason: z.string(),
    /** Identifies this list, so that what is confirmed is what was shown */
    digest: z.string(),
    /** By class, section and roll no of the new season; those who leave come last */
    rows: z.array(carryRow),
    /** What the classes can choose, at this season's prices; closed subjects are left out */
    offers: z.array(
      z.object({
        classId: z.int(),
        subjects: z.array(
          z.object({ eventLetter: z.string(), subjectName: z.string(), eventFee: z.number() }),
        ),
      }),
    ),
    /** Totals of the proposed rows without issues */
    totals: z.object({
      enter: z.int(),
      /** Rows with hints or issues */
      look: z.int(),
      there: z.int(),
      leaves: z.int(),
      ...money,
    }),
  }),
})

/**
 * Refuses with enrolment.season_closed, enrolment.amounts_changed (new amounts beside the message), changed_meanwhile,
 * enrolment.import_empty, input.invalid (issues by `take.<id>`). Called again with the same contents, it returns the
 * progress. CancelImport and ImportStatus take its `importId`, too.
 */
export const confirmCarryOver = endpoint('POST /api/ManageStudent/ConfirmCarryOver', {
  summary:
    'Enters students of the previewed list, as a background job; called again, it returns the progress.',
  body: z.strictObject({
    ...carryOverInput,
    digest: z.string().check(z.maxLength(60)),
    /** Last season's ids of the students to enter */
    take: z.array(bodyId).check(z.maxLength(maxImportRows)),
    /** The amounts shown for them, in rupees */
    regAmount: z.number(),
    bookAmount: z.number(),
  }),
  bodyLimit: 1024 * 1024,
  answer: importProgress,
})

export const carryOverOffer = endpoint('GET /api/ManageStudent/CarryOverOffer', {
  summary: 'Whether there are students to carry over from last season.',
  query: z.strictObject({ FYear: seasonLabel, schId: z.optional(queryId) }),
  answer: z.object({
    fromSeason: z.string(),
    /** Last season's active students who have a next class */
    students: z.int(),
    /** How many of them are not entered this season yet */
    left: z.int(),
    /** Entries of the season are open, and most of them are not entered yet */
    offered: z.boolean(),
  }),
})
