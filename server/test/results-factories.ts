import { resolveAnomalies, resultAnomalies } from '@podium/contract/results/calls-corrections'
import {
  approveResults,
  computeResults,
  importMarks,
  previewResults,
  releaseResults,
} from '@podium/contract/results/calls-office'
import { familyResults } from '@podium/contract/results/calls-public'
import type { EventRules, EventSection } from '@podium/contract/results/schemas'
import { seasonOfYear } from '@podium/contract/season'
import { writeXlsx } from 'hucre/xlsx'
import { defaultRules, withoutPools } from '#features/catalogue/rules'
import { newId } from '#platform/auth/secrets'
import { openSession } from '#platform/auth/session'
import { versionAsShown } from '../src/features/results/release/queries-school-preview.ts'
import { perDatabase, testDatabase } from './database.ts'
import { aDay, anOfficer, aSchool, aSeason, aTeacher } from './factories.ts'
import { addRow, addRows, changeRows } from './rows.ts'
import type { TestServer } from './server.ts'

/** Factories for tests of results: an event with its own season, candidates with roll numbers, files of marks. */

const threeSections: EventSection[] = [
  { name: 'Achievers section', maximum: 10 },
  { name: 'Reasoning', maximum: 40 },
  { name: 'Everyday', maximum: 50 },
]

interface EventTraits {
  letter?: string
  level?: number
  sections?: EventSection[]
  /** Differences from the default rules */
  rules?: Partial<EventRules>
}

const last = perDatabase(() => ({ year: 2029 }))

/** Creates an event in a season of its own, so that its ranks come only from the test. Maximum 100 marks by default. */
export async function anEvent(traits: EventTraits = {}) {
  await aSeason()
  const season = seasonOfYear(++last().year)
  const year = Number(season.slice(0, 4))
  await addRow('seasons', {
    label: season,
    state: 'open',
    fee_due_on: `${year}-11-30`,
    // Tests release before the season begins: no future day may be promised.
    results_from: '2026-11-01',
    created_at: aDay,
  })
  const { letter = 'M', level = 1, sections = threeSections } = traits
  const event = await addRow('events', {
    season,
    letter,
    level,
    mode: 'Offline',
    closes_on: `${year}-11-30`,
    maximum_marks: sections.reduce((sum, section) => sum + section.maximum, 0),
    sections: JSON.stringify(sections),
    // A few candidates are enough for an award, unless a test sets another minimum.
    rules: JSON.stringify({ ...withoutPools(defaultRules({ letter, level, sections })), ...traits.rules }),
  })
  return { ...event, sectionList: sections }
}
export type AnEvent = Awaited<ReturnType<typeof anEvent>>

interface CandidateTraits {
  schoolId?: number
  classId?: number
  name?: string
  enrolled?: boolean
}

let serial = 0

/** Creates paid students of an event with exam roll numbers, one for each of `traits`. */
export async function candidates(event: AnEvent, traits: CandidateTraits[]) {
  const { db } = await testDatabase()
  const fallback = traits.some(({ schoolId }) => schoolId === undefined) ? (await aSchool()).id : 0
  const students = await db
    .insertInto('students')
    .values(
      traits.map((candidate) => {
        const number = ++serial
        const name = candidate.name ?? `Anaya Misaal ${number}`
        return {
          school_id: candidate.schoolId ?? fallback,
          season: event.season,
          class_id: candidate.classId ?? 7,
          section: 'A',
          roll_no: number,
          name,
          name_key: name.toLowerCase(),
          paid: true,
          exam_roll_no: `R${String(number).padStart(6, '0')}`,
          created_at: aDay,
          updated_at: aDay,
        }
      }),
    )
    .returning(['id', 'school_id', 'class_id', 'name', 'exam_roll_no'])
    .execute()
  const enrolled = students.filter((_, index) => traits[index]?.enrolled !== false)
  if (enrolled.length > 0) {
    await addRows(
      'enrolments',
      enrolled.map(({ id, school_id, class_id }) => ({
        student_id: id,
        event_id: event.id,
        school_id,
        class_id,
        fee: 17_500,
        retained: 2_500,
        created_at: aDay,
      })),
    )
  }
  return students.map((student) => ({ ...student, roll: student.exam_roll_no ?? '' }))
}

export interface FileRow {
  roll: string
  /** P or A; default P */
  attendance?: string
  marks: (number | string)[]
  final?: number | string
  weight?: number | string
}

/** Returns a file of marks as CSV, with the columns that its rows use. */
export function marksCsv(event: AnEvent, rows: readonly FileRow[]): string {
  const withFinal = rows.some(({ final }) => final !== undefined)
  const withWeight = rows.some(({ weight }) => weight !== undefined)
  const line = (cells: (string | number)[]) => cells.join(',')
  const header = line([
    'Roll No',
    'Attendance',
    ...event.sectionList.map(({ name }) => name),
    ...(withFinal ? ['Final Score'] : []),
    ...(withWeight ? ['Weight'] : []),
  ])
  const lines = rows.map((row) =>
    line([
      row.roll,
      row.attendance ?? 'P',
      ...row.marks,
      ...(withFinal ? [row.final ?? ''] : []),
      ...(withWeight ? [row.weight ?? ''] : []),
    ]),
  )
  return `${[header, ...lines].join('\n')}\n`
}

/**
 * Returns a spreadsheet of these rows; cells by row and column (from 0) may be formulas, with or without a cached
 * result.
 */
export async function aWorkbook(
  rows: (string | number | null)[][],
  formulas: Record<string, { formula: string; result?: number }>,
): Promise<Uint8Array<ArrayBuffer>> {
  const cells = new Map(
    Object.entries(formulas).map(([at, { formula, result }]) => [
      at,
      result === undefined ? { formula } : { formula, formulaResult: result },
    ]),
  )
  return new Uint8Array(await writeXlsx({ sheets: [{ name: 'Marks', rows, cells }] }))
}

type Officer = Awaited<ReturnType<typeof anOfficer>>

/** Uploads a file of marks and waits until it is read. Returns the version's id and number. */
export async function importRows(server: TestServer, event: AnEvent, rows: readonly FileRow[], by?: Officer) {
  const { token } = by ?? (await anOfficer('results'))
  const file = { name: 'marks.csv', bytes: new TextEncoder().encode(marksCsv(event, rows)) }
  const body = await server.ask(
    importMarks,
    { eventYearId: String(event.id), again: 'true', reason: 'The key of one question was wrong.' },
    { token, file },
  )
  await server.jobs.drain()
  return { setId: body.setId, version: body.version, jobId: body.jobId, token }
}

/**
 * Imports rows, accepts their problems and computes the results. Returns the version and its results by roll number.
 */
export async function computeRows(
  server: TestServer,
  event: AnEvent,
  rows: readonly FileRow[],
  by?: Officer,
) {
  const imported = await importRows(server, event, rows, by)
  const { setId, token } = imported
  for (const kind of ['absent_marked', 'twice'] as const)
    await server.ask(resolveAnomalies, { setId, kind, note: 'looked at' }, { token })
  await server.ask(computeResults, { setId }, { token })
  await server.jobs.drain()
  return { ...imported, ...(await readPreview(server, setId, token)) }
}

async function readPreview(server: TestServer, setId: number, token: string) {
  const query = { setId: String(setId), pageSize: '500' }
  const body = await server.ask(previewResults, query, { token })
  const byRoll = new Map(body.data.map((row) => [row.nioRollNo, row]))
  const resultOf = ({ roll }: { roll: string }) => {
    const row = byRoll.get(roll)
    if (!row) throw new Error(`no result for ${roll}`)
    return row
  }
  return { rows: body.data, of: resultOf }
}

/** Returns a version of results as its screen currently shows it: what approving and releasing it sends. */
export const asShown = (server: TestServer, setId: number) => versionAsShown(server.deps.db, setId)

/**
 * Takes results all the way: imported and computed by one officer, approved by another, released at once or at a set
 * time.
 */
export async function releaseRows(
  server: TestServer,
  event: AnEvent,
  rows: readonly FileRow[],
  releaseAt?: string,
) {
  const computed = await computeRows(server, event, rows)
  const approver = await anOfficer('results')
  const { setId } = computed
  await server.ask(approveResults, await asShown(server, setId), approver)
  const when = releaseAt === undefined ? {} : { releaseAt }
  const body = { ...(await asShown(server, setId)), ...when }
  await server.ask(releaseResults, body, approver)
  await server.jobs.drain()
  return { ...computed, approver }
}

/** Imports a file with one student of the event and two unknown roll numbers. */
export async function importWithStrangers(server: TestServer) {
  const event = await anEvent()
  const [student] = await candidates(event, [{}])
  const rows = [
    { roll: student?.roll ?? '', marks: [1, 1, 1] },
    { roll: 'NOBODY-1', marks: [1, 1, 1] },
    { roll: 'NOBODY-2', marks: [1, 1, 1] },
  ]
  return { event, rows, ...(await importRows(server, event, rows)) }
}

/** Returns a page of the problems found in a version's file. */
export const anomaliesOf = (server: TestServer, setId: number, token: string, query: object = {}) =>
  server.ask(resultAnomalies, { setId: String(setId), ...query }, { token })

/** Creates a round of invitations to the second level for a version's event; schools answer until 15-Dec-2026. */
export async function aNextLevelRound({ id, season }: AnEvent, setId: number): Promise<void> {
  const round = { event_id: id, season, level: 2, set_id: setId, answer_by: '2026-12-15', made_at: aDay }
  await addRow('next_level_rounds', round)
}

/** Returns the body of `Search_School_Result` for an event. */
export function searchBody(event: AnEvent, more: object = {}) {
  return {
    fyear: event.season,
    eventYearId: event.id,
    eventLetter: event.letter,
    examLevel: event.level,
    ...more,
  }
}

/** Creates a school whose Class 7 (two students) and Class 8 (one) sat an event on the day before, with a teacher. */
export async function aClassThatSat(heldOn = '2026-11-20') {
  const event = await anEvent()
  const { id: schoolId } = await aSchool()
  const students = await candidates(event, [{ schoolId }, { schoolId }, { schoolId, classId: 8 }])
  await addRow('exam_dates', { event_id: event.id, ordinal: 1, held_on: heldOn })
  const { id: eventManagementId } = await addRow('participations', {
    school_id: schoolId,
    event_id: event.id,
    created_at: aDay,
  })
  const teacher = await aTeacher({ schoolId })
  return { event, schoolId, students, teacher, list: { eventManagementId, classId: 7, version: 0 } }
}

/** Factories for tests of what leaves the school: pages with links, families, certificates. */

/** Marks of six students in one class, best first, out of 100; the last one was absent. */
const marksOfSix = [
  [10, 40, 40],
  [9, 35, 36],
  [8, 30, 32],
  [7, 20, 13],
  [1, 10, 10],
]

/** Creates six students of one school and one of another in an event, and releases it. */
export async function aReleasedEvent(server: TestServer, traits: Parameters<typeof anEvent>[0] = {}) {
  const event = await anEvent(traits)
  const [school, otherSchool] = [await aSchool({ name: 'Udaharan Vidyalaya' }), await aSchool()]
  const names = ['Asha Namunawala', 'किरण नमूनावाला', 'Chetan', 'Dev K. Misaal', 'Esha Misaal', 'Farah Misaal']
  const students = await candidates(event, [
    ...names.map((name) => ({ name, schoolId: school.id })),
    { name: 'Zoya Kalpanik', schoolId: otherSchool.id },
  ])
  const marks = [...marksOfSix, ['', '', ''], [10, 40, 50]]
  const rows = students.map(({ roll }, i) => ({
    roll,
    attendance: i === 5 ? 'A' : 'P',
    marks: marks[i] ?? [],
  }))
  const { setId } = await releaseRows(server, event, rows)
  const idOf = (index: number) => `${setId}-${students[index]?.id}`
  const teacher = await aTeacher({ schoolId: school.id })
  return { event, school, other: otherSchool, students, rows, setId, idOf, teacher }
}

type Student = { id: number; school_id: number }

/** Creates a family's link for these students in a season, as the school does, and a session opened with its code. */
export async function aFamilyOf(
  server: TestServer,
  children: readonly Student[],
  season: string,
  mobile = '',
): Promise<{ token: string; linkId: string }> {
  const { db } = server.deps
  const linkId = newId()
  await addRow('family_links', {
    id: linkId,
    school_id: children[0]?.school_id ?? 0,
    season,
    parent_mobile: mobile,
    access_code_hash: '',
    access_code_sealed: '',
    created_at: aDay,
  })
  for (const { id } of children) await changeRows('students', { id }, { family_link_id: linkId })
  const token = await db
    .transaction()
    .execute((tx) =>
      openSession(tx, aDay, { kind: 'family', familyLinkId: linkId, source: '127.0.0.1', agent: 'test' }),
    )
  return { token, linkId }
}

/** Returns the results that a family sees. */
export async function readBy(server: TestServer, token: string) {
  const body = await server.ask(familyResults, {}, { token })
  return body.data
}

export type AReleasedEvent = Awaited<ReturnType<typeof aReleasedEvent>>
