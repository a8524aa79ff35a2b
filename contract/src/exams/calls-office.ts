import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { bodyId, optionalText, queryId, seasonLabel } from '../fields.ts'
import { messages } from '../messages.ts'

/** A season's olympiads, for the office's filters and printed papers. */

const officeExam = z.object({
  eventYearId: z.int(),
  eventLetter: z.string(),
  subjectName: z.string(),
  examLevel: z.int(),
  examMode: z.enum(['Online', 'Offline']),
  firstDate: z.nullable(z.string()),
  secondDate: z.nullable(z.string()),
})
export type OfficeExam = z.output<typeof officeExam>

export const officeExams = endpoint('GET /api/office/exams/list', {
  summary: 'The olympiads of a season with their mode and dates.',
  query: z.strictObject({ FYear: seasonLabel }),
  answer: z.object({ data: z.array(officeExam) }),
})

/** Slots of online olympiads: created by the office, assigned to schools or imported, and e-mailed to schools. */

/** An instant with its zone, `2026-12-10T10:00:00+05:30`. */
const instant = z.iso.datetime({ offset: true, error: messages.slotTimeRequired })

const places = z
  .int(messages.slotPlaces)
  .check(z.minimum(1, messages.slotPlaces), z.maximum(100_000, messages.slotPlaces))

const slot = z.object({
  slotId: z.int(),
  /** Instants in UTC; screens show them in IST (+0530) */
  from: z.string(),
  to: z.string(),
  places: z.int(),
  /** Students who have the slot */
  taken: z.int(),
  schools: z.int(),
  version: z.int(),
})
export type ExamSlot = z.output<typeof slot>

const scheduleFigures = z.object({
  /** Paid students of the olympiad, and how many of them have no slot */
  students: z.int(),
  waiting: z.int(),
  /** Students whose school has not been notified of their slot, and the number of these schools */
  unnotified: z.int(),
  unnotifiedSchools: z.int(),
  notStarted: z.int(),
  inProgress: z.int(),
  completed: z.int(),
  missed: z.int(),
})
export type ScheduleFigures = z.output<typeof scheduleFigures>

export const officeSlots = endpoint('GET /api/office/schedules/slots', {
  summary: 'The slots of an online olympiad with the schools that have them, and the state of the schedule.',
  query: z.strictObject({ eventYearId: queryId }),
  answer: z.object({ data: z.array(slot), figures: scheduleFigures }),
})

/** POST, because it writes to the audit log. Refuses with not_found, schedules.not_online. */
export const exportSlots = endpoint('POST /api/office/schedules/export', {
  summary: 'The slots of an online olympiad with their places and schools, as a spreadsheet.',
  body: z.strictObject({ eventYearId: bodyId, format: z.enum(['xlsx', 'csv']) }),
  answers: 'file',
})

/**
 * Refuses with schedules.not_online, schedules.slot_known, schedules.slot_begun, schedules.too_few_places,
 * schedules.clash, changed_meanwhile. Changing a slot that has students reschedules them; one that has begun keeps its
 * start.
 */
export const saveSlot = endpoint('POST /api/office/schedules/slot', {
  summary:
    'Creates a slot (id 0) or changes one: its students are rescheduled, and their schools must be notified again.',
  body: z.strictObject({
    slotId: bodyId,
    version: z.optional(bodyId),
    eventYearId: bodyId,
    from: instant,
    to: instant,
    places,
  }),
  answer: z.object({ slotId: z.int() }),
})

export const deleteSlot = endpoint('POST /api/office/schedules/deleteSlot', {
  summary: 'Deletes a slot without students.',
  body: z.strictObject({ slotId: bodyId, version: bodyId }),
})

/** More slots than an olympiad has on most days; keeps one request short. */
export const maxSlots = 100

const chosenSlots = z
  .array(z.strictObject({ id: bodyId, version: bodyId }))
  .check(z.minLength(1), z.maxLength(maxSlots))

const severalDone = z.object({
  done: z.array(z.object({ id: z.int() })),
  /** Slots that could not be changed, and why */
  refused: z.array(z.object({ id: z.int(), message: z.string() })),
})

/** The furthest a slot can be moved, in days. */
export const maxDays = 180

/**
 * Each slot is refused on its own, with schedules.slot_begun, schedules.slot_known, schedules.too_few_places,
 * schedules.clash, changed_meanwhile or not_found.
 */
export const changeSlots = endpoint('POST /api/office/schedules/changeMany', {
  summary:
    'Moves slots by days, at the same hours, or changes their number of places, each on its own; students are rescheduled as with a single slot.',
  body: z
    .strictObject({
      slots: chosenSlots,
      /** Days to move by; negative: earlier */
      days: z
        .int(messages.slotDays)
        .check(z.minimum(-maxDays, messages.slotDays), z.maximum(maxDays, messages.slotDays)),
      /** If left out, unchanged */
      places: z.optional(places),
    })
    .check(
      z.refine(({ days, places }) => days !== 0 || places !== undefined, {
        path: ['days'],
        error: messages.slotsUnchanged,
      }),
    ),
  answer: severalDone,
})

/** Each slot is refused on its own, with schedules.slot_used, changed_meanwhile or not_found. */
export const deleteSlots = endpoint('POST /api/office/schedules/deleteMany', {
  summary: 'Deletes those of these slots that have no students.',
  body: z.strictObject({ slots: chosenSlots }),
  answer: severalDone,
})

/** Refuses with schedules.nobody, schedules.no_room or schedules.clash; no student gets a slot then. */
export const assignSlots = endpoint('POST /api/office/schedules/assign', {
  summary:
    'Assigns slots to paid students without one, school by school, keeping each school together if a slot has room.',
  body: z.strictObject({
    eventYearId: bodyId,
    /** School code; empty: all schools */
    schCode: optionalText(20),
    /** One slot; if left out, all slots of the olympiad, earliest first */
    slotId: z.optional(bodyId),
  }),
  answer: z.object({ students: z.int(), schools: z.int() }),
})

export const notifySchools = endpoint('POST /api/office/schedules/tell', {
  summary: 'E-mails every school with students whose slot it has not been notified of yet.',
  body: z.strictObject({ eventYearId: bodyId }),
  answer: z.object({ schools: z.int(), students: z.int() }),
})

export const scheduleOutcomes = [
  'new',
  'changed',
  'same',
  'over',
  'full',
  'clash',
  'unknown',
  'unclear',
] as const
export type ScheduleOutcome = (typeof scheduleOutcomes)[number]

const fileRow = z.object({
  row: z.int(),
  examRollNo: z.string(),
  studentName: z.string(),
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
  outcome: z.enum(scheduleOutcomes),
})
export type ScheduleFileRow = z.output<typeof fileRow>

/**
 * `over`: the slot has begun, or the student has taken or is taking the exam; `full`: the slot of these hours has no
 * free place; `clash`: the student has another online exam then; `unknown`: no paid student of this olympiad has the roll
 * no; `unclear`: no day, or no start before the end. With `apply` the new and changed rows are written. Refuses with
 * schedules.not_online, schedules.season_over, schedules.no_heads, sheet.*.
 */
export const scheduleFile = endpoint('POST /api/office/schedules/file', {
  summary:
    "Reads a file with each student's hours (CSV or XLSX: Exam Roll No, Date, From, To): first a preview, then written.",
  query: z.strictObject({ eventYearId: queryId, apply: z._default(z.enum(['', 'yes']), '') }),
  answer: z.object({ counts: z.record(z.string(), z.int()), rows: z.array(fileRow), applied: z.int() }),
  upload: true,
  bodyLimit: 6 * 1024 * 1024,
})
