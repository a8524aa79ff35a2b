import * as z from 'zod/mini'
import { isClassId } from '../classes.ts'
import { endpoint } from '../endpoint.ts'
import { bodyId, queryId, seasonLabel } from '../fields.ts'
import { importProgress } from './calls-import.ts'
import { mostImportRows } from './calls-import-preview.ts'

const letters = z.array(z.string().check(z.maxLength(60))).check(z.maxLength(50))
const classId = z.int().check(z.refine(isClassId))
const section = z.string().check(z.maxLength(20))

/** What is decided for all, for some of a class, or for single children; classes are those of the new season. */
const options = z.strictObject({
  /** Books as last year where they are still to be had, or none */
  books: z._default(z.enum(['same', 'none']), 'same'),
  /** Subjects as last year where the new class offers them, or none */
  subjects: z._default(z.enum(['same', 'none']), 'same'),
  /** Children of a class who were in section `from` go to section `to` */
  sections: z._default(
    z.array(z.strictObject({ classId, from: section, to: section })).check(z.maxLength(500)),
    [],
  ),
  /** Subjects, by letter or name, of those children of a class who bring none along */
  choose: z._default(z.array(z.strictObject({ classId, subjectName: letters })).check(z.maxLength(20)), []),
  /** Changes to single children, by their id of last season */
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
      .check(z.maxLength(mostImportRows)),
    [],
  ),
})
export type CarryOptions = z.output<typeof options>
export type CarryOptionsInput = z.input<typeof options>

const asked = { FYear: seasonLabel, schId: z.optional(bodyId), options: z.prefault(options, {}) }

/** A student of this season who is, or may be, the same child. */
const otherStudent = z.object({
  id: z.int(),
  studentName: z.string(),
  className: z.string(),
  section: z.string(),
  rollNo: z.int(),
})

/**
 * What to look at, though it keeps nobody out: `roll` another roll no was given (`with`: whose the old one is),
 * `choose` no subject came along, `subjects` these are not offered to the new class, `closed` enrolment for these has
 * closed, `parent` the parent's e-mail or mobile is not valid and is left out, `deleted` deleted last season, `removed`
 * deleted in this season after it was carried over, `likely` somebody entered may be the same child.
 */
const look = z.object({
  kind: z.enum(['roll', 'choose', 'subjects', 'closed', 'parent', 'deleted', 'removed', 'likely']),
  with: z.string(),
})
export type CarryLook = z.output<typeof look>

const money = {
  regAmount: z.number(),
  bookAmount: z.number(),
  school_Expenses: z.number(),
  book_school_Expenses: z.number(),
}

/** A student of last season as it would be entered; amounts in rupees by this season's price list. */
const carryRow = z.object({
  /** Of last season */
  studentId: z.int(),
  studentName: z.string(),
  parentName: z.string(),
  parentMobileNo: z.string(),
  fromClassId: z.int(),
  fromSection: z.string(),
  fromRollNo: z.int(),
  /** `leaves`: from the last class; `there`: entered this season already */
  state: z.enum(['new', 'there', 'leaves']),
  /** In the new season; 0 for one who leaves */
  classId: z.int(),
  section: z.string(),
  rollNo: z.int(),
  /** Names and letters, joined by commas */
  subjectName: z.string(),
  eventLetter: z.string(),
  bookCount: z.int(),
  ...money,
  /** Subjects whose second level the child is invited to by last season's list of invitations, joined by commas */
  level2: z.string(),
  /** Proposed to be entered */
  proposed: z.boolean(),
  looks: z.array(look),
  /** What keeps the row from being entered, by field */
  issues: z.array(z.object({ path: z.string(), message: z.string() })),
  other: z.nullable(otherStudent),
})
export type CarryRow = z.output<typeof carryRow>

/** Refusals: enrolment.season_closed, access.other_school. */
export const previewCarryOver = endpoint('POST /api/ManageStudent/PreviewCarryOver', {
  summary: "Last season's students as they would be entered in this one, a class higher; nothing is saved.",
  body: z.strictObject(asked),
  bodyLimit: 1024 * 1024,
  answer: z.object({
    fromSeason: z.string(),
    /** Of this very list: what is confirmed must be what was seen */
    digest: z.string(),
    /** By class, section and roll no of the new season; those who leave at the end */
    rows: z.array(carryRow),
    /** What the classes of the rows can choose, by this season's price list; what has closed is left out */
    offers: z.array(
      z.object({
        classId: z.int(),
        subjects: z.array(
          z.object({ eventLetter: z.string(), subjectName: z.string(), eventFee: z.number() }),
        ),
      }),
    ),
    /** Of the rows that are proposed and have no issue */
    totals: z.object({
      enter: z.int(),
      /** With something to look at, or with an issue */
      look: z.int(),
      there: z.int(),
      leaves: z.int(),
      ...money,
    }),
  }),
})

/**
 * Refusals: enrolment.season_closed, enrolment.amounts_changed (the new amounts stand beside the message),
 * changed_meanwhile, enrolment.import_empty, input.invalid (issues by `take.<id>`). Said again with the same contents
 * it answers how far it is. CancelImport and ImportStatus take its `importId`, too.
 */
export const confirmCarryOver = endpoint('POST /api/ManageStudent/ConfirmCarryOver', {
  summary: 'Enters students of the previewed list, as counted work; asked again it tells how far it is.',
  body: z.strictObject({
    ...asked,
    digest: z.string().check(z.maxLength(60)),
    /** Ids of last season of those to be entered */
    take: z.array(bodyId).check(z.maxLength(mostImportRows)),
    /** What the screen showed for them, in rupees */
    regAmount: z.number(),
    bookAmount: z.number(),
  }),
  bodyLimit: 1024 * 1024,
  answer: importProgress,
})

export const carryOverOffer = endpoint('GET /api/ManageStudent/CarryOverOffer', {
  summary: 'Whether there is anybody to carry over from last season.',
  query: z.strictObject({ FYear: seasonLabel, schId: z.optional(queryId) }),
  answer: z.object({
    fromSeason: z.string(),
    /** Last season's active students who have a class to go to */
    students: z.int(),
    /** Those of them who are not entered this season yet */
    left: z.int(),
    /** The season is open, and most of them are left */
    offered: z.boolean(),
  }),
})
