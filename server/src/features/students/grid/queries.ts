import { setImmediate as breathe } from 'node:timers/promises'
import { amountFields, type PricedChoice, type StudentFee } from '@podium/contract/catalogue/rules-fee'
import { classes } from '@podium/contract/classes'
import type { AnswerOf } from '@podium/contract/endpoint'
import { foldName } from '@podium/contract/names'
import { formatDay, type Season } from '@podium/contract/season'
import { formatSentence, sentences } from '@podium/contract/sentences'
import type { checkRows, entryOffers, GridRow, GridRowFault } from '@podium/contract/students/calls-grid'
import {
  isOddName,
  placeKey,
  placeOfRow,
  placeText,
  type RawRow,
  type RowCatalogue,
  readRow,
  rollTakenMessage,
  rollTwiceMessage,
  rowFields,
} from '@podium/contract/students/rules-row'
import type { StudentFields, StudentPlace } from '@podium/contract/students/schemas'
import { sql } from 'kysely'
import {
  catalogueForSchool,
  hasClosed,
  loadCatalogue,
  optionsOf,
  type SeasonCatalogue,
  subjectOf,
} from '#features/catalogue/queries'
import { signedOff } from '#features/students/sign-off/queries'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { Refusal, refuseField } from '#platform/errors'
import { withShares } from '../entry/queries.ts'
import { wideColumns } from '../entry/rules.ts'
import { totalFee } from '../import/rules.ts'

/** The grid's price list: all classes with offers. */
export async function readOffers(
  db: Db,
  scope: SchoolScope,
  now: Date,
  season: Season,
): Promise<AnswerOf<typeof entryOffers>> {
  const listed = await loadCatalogue(db, season, now)
  const signed = await signedOff(db, scope.schoolId, season)
  if (!listed?.published) return { open: false, classes: [] }
  const catalogue = await catalogueForSchool(db, listed, scope, season, 1)
  const offered = classes.flatMap(({ classId }) => {
    const events = catalogue.offerTo(classId)
    if (events.length === 0) return []
    return {
      classId,
      subjects: events.map((event) => subjectOf(event, catalogue, now, signed)),
      books: optionsOf(events),
    }
  })
  return { open: offered.some(({ subjects }) => subjects.some(({ closed }) => !closed)), classes: offered }
}

/** The catalogue for the row check: prices, last days and lists the school has signed off. */
export function offeredOf(catalogue: SeasonCatalogue, signed: ReadonlySet<string>, now: Date): RowCatalogue {
  return {
    offerTo: catalogue.offerTo,
    closed: (letter) => {
      const day = catalogue.closesOn.get(letter)
      return day !== undefined && hasClosed(day, now) ? formatDay(day) : undefined
    },
    signedOff: (letter) => signed.has(letter),
  }
}

/** An existing student with a row's roll no, or its name in the class. */
interface ExistingStudent {
  at: number
  name: string
  section: string
  rollNo: number
  sameRoll: boolean
  sameName: boolean
  /** Letters and books, for comparison with `choiceText` */
  choice: string
}

async function findExisting(db: Db | Tx, scope: SchoolScope, season: Season, rows: readonly StudentFields[]) {
  const { rows: existing } = await sql<ExistingStudent>`
    select r.at::int - 1 as at, st.name, st.section, st.roll_no as "rollNo", st.name_key = r.name_key as "sameName",
      (st.section = r.section and st.roll_no = r.roll_no) as "sameRoll",
      concat_ws('|', st.letters, st.cb, st.pyqp, st.genex, st.tb, st.wb) as choice
    from unnest(${rows.map((row) => row.classId)}::int[], ${rows.map((row) => row.section)}::text[],
        ${rows.map((row) => row.rollno)}::int[], ${rows.map((row) => foldName(row.studentName))}::text[])
        with ordinality as r (class_id, section, roll_no, name_key, at)
      join students st on st.school_id = ${scope.schoolId} and st.season = ${season} and st.class_id = r.class_id and st.active
        and ((st.section = r.section and st.roll_no = r.roll_no) or st.name_key = r.name_key)`.execute(db)
  return existing
}

function rawOf(cells: readonly string[]): RawRow {
  const raw: Partial<Record<(typeof rowFields)[number], string>> = {}
  for (const [column, field] of rowFields.entries()) raw[field] = cells[column] ?? ''
  return raw
}

/** A row that can be entered, with the fee shown. */
export interface FreshRow {
  row: number
  fields: StudentFields
  fee: StudentFee
}

interface ReadRow {
  row: number
  /** Also set if something else in the row is wrong */
  place: StudentPlace | undefined
  /** Undefined if the row itself has an error */
  right: { fields: StudentFields; fee: StudentFee; choice: string } | undefined
}

/**
 * Checks rows of the grid with the common row check, against each other, and against existing students: new, existing, or
 * invalid. Writes nothing. Throws `enrolment.season_closed`.
 */
export async function checkGridRows(
  db: Db | Tx,
  scope: SchoolScope,
  now: Date,
  season: Season,
  rows: readonly GridRow[],
): Promise<{ answer: AnswerOf<typeof checkRows>; good: FreshRow[] }> {
  const catalogue = await loadCatalogue(db, season, now)
  if (!catalogue) throw refuseField('FYear', sentences.seasonNotValid)
  if (!catalogue.open) throw new Refusal('enrolment.season_closed')
  const signed = await signedOff(db, scope.schoolId, season)
  const { read, faults } = await readAll(rows, offeredOf(catalogue, signed, now))
  const passed = read.flatMap(({ right }) => right ?? [])
  const existing = await findExisting(
    db,
    scope,
    season,
    passed.map(({ fields }) => fields),
  )
  const atRoll = new Map(existing.filter(({ sameRoll }) => sameRoll).map((item) => [passed[item.at], item]))
  const named = new Map(
    existing.filter(({ sameName, sameRoll }) => sameName && !sameRoll).map((item) => [passed[item.at], item]),
  )
  const answer: AnswerOf<typeof checkRows> = {
    fresh: [],
    there: [],
    faults,
    likely: [],
    regAmount: 0,
    bookAmount: 0,
    school_Expenses: 0,
    book_school_Expenses: 0,
  }
  const good: FreshRow[] = []
  const fault = (row: number, message: string) =>
    faults.push({ row, field: 'rollno', message, suggestions: [] })
  /** The first valid row with each roll no */
  const firstAt = new Map<string, number>()
  for (const { row, place, right } of read) {
    const first = place && firstAt.get(placeKey(place))
    if (place && first !== undefined) fault(row, rollTwiceMessage(place, first))
    if (first !== undefined || !right) continue
    const { fields, fee, choice } = right
    const owner = atRoll.get(right)
    const other = named.get(right)
    if (owner && !owner.sameName) {
      fault(row, rollTakenMessage(fields, owner.name))
      continue
    }
    firstAt.set(placeKey(fields), row)
    if (owner) answer.there.push({ row, studentName: owner.name, differs: owner.choice !== choice })
    else {
      good.push({ row, fields, fee })
      answer.fresh.push(row)
      if (other) answer.likely.push({ row, message: sameNameText(fields, other) })
      if (isOddName(fields.studentName))
        answer.likely.push({ row, message: formatSentence('figuresInName', { name: fields.studentName }) })
    }
  }
  faults.sort((a, b) => a.row - b.row)
  const shared = await withShares(db, scope, { season, catalogue }, good)
  return { good: shared, answer: { ...answer, ...amountFields(totalFee(shared)) } }
}

/** Rows checked before other requests get a turn. */
const rowsPerBreath = 200

async function readAll(rows: readonly GridRow[], offered: RowCatalogue) {
  const faults: GridRowFault[] = []
  const all: ReadRow[] = []
  for (const [index, { row, cells }] of rows.entries()) {
    if (index % rowsPerBreath === rowsPerBreath - 1) await breathe()
    const raw = rawOf(cells)
    const read = readRow(raw, offered)
    const { faults: found, fields, priced } = read
    for (const { field, message, suggestions } of found)
      faults.push({ row, field, message, suggestions: [...suggestions] })
    const right = fields && { fields, fee: priced.fee, choice: choiceText(priced) }
    all.push({ row, place: placeOfRow(raw, read), right })
  }
  return { read: all, faults }
}

/** Letters and books as text, for comparison. */
function choiceText(priced: PricedChoice): string {
  const { letters, cb, pyqp, genex, tb, wb } = wideColumns(priced)
  return [letters, cb, pyqp, genex, tb, wb].join('|')
}

function sameNameText(fields: StudentFields, { section, rollNo }: ExistingStudent): string {
  const where = placeText({ classId: fields.classId, section })
  return formatSentence('sameName', { name: fields.studentName, place: where, roll: rollNo })
}
