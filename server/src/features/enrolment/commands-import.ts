import { createHash } from 'node:crypto'
import { setImmediate as breathe } from 'node:timers/promises'
import { className } from '@podium/contract/classes'
import type { AnswerOf } from '@podium/contract/endpoint'
import { amountFields, type StudentFee } from '@podium/contract/enrolment-fee'
import type { ImportRowError, importStudents } from '@podium/contract/enrolment-import'
import { type ReadStudent, type RowCatalogue, readRow } from '@podium/contract/enrolment-row'
import type { StudentFields } from '@podium/contract/enrolment-student'
import { rupees } from '@podium/contract/money'
import { formatDay, type Season } from '@podium/contract/season'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { Db } from '#platform/database'
import { Refusal, refuseField } from '#platform/errors'
import { safeName } from '#platform/files'
import type { UploadedFile } from '#platform/input'
import type { SchoolScope } from '#platform/scope'
import { newId } from '#platform/secrets'
import { readSheet } from '#platform/spreadsheet'
import { cellText, columnName, type SheetRow } from '#platform/spreadsheet-rows'
import { hasClosed, readCatalogue, type SeasonCatalogue } from '../catalogue/queries.ts'
import { signedOff } from '../signoff/queries.ts'
import { findTaken, importUnderWay, type Named } from './queries-import.ts'
import { type Column, rawRow, readHead, totalFee } from './rules-import.ts'

/** A row as it will be saved: lists hold letters; `fee` is what the preview showed. */
export interface GoodRow {
  row: number
  fields: StudentFields
  fee: StudentFee
  /** The student of last season who is carried over */
  carriedFrom?: number
  /** The mobile that the school wrote, where the family has typed another one: only the school may join two families */
  familyMobile?: string
}

type Preview = Omit<AnswerOf<typeof importStudents>, 'importId' | 'fileName' | 'repeated' | 'state'>

/** Pages of a school office stay quick while a long file is checked. */
const rowsPerBreath = 200
const mostErrors = 5_000

function headOf(rows: readonly SheetRow[]): { columns: Column[]; rest: readonly SheetRow[] } {
  // A title or the school's name may stand above the head.
  for (const [at, row] of rows.slice(0, 10).entries()) {
    const columns = readHead(row.cells.map(cellText))
    if (columns) return { columns, rest: rows.slice(at + 1) }
  }
  throw new Refusal('enrolment.import_no_headings')
}

function errorAt(
  row: number,
  column: Column | undefined,
  field: string,
  cells: readonly string[],
  message: string,
) {
  return {
    row,
    column: column ? column.index + 1 : 0,
    columnName: column ? columnName(column.index) : '',
    heading: column?.heading ?? '',
    field,
    value: column ? [...(cells[column.index] ?? '')].slice(0, 60).join('') : '',
    message,
  } satisfies ImportRowError
}

export const placeKey = (fields: Pick<StudentFields, 'classId' | 'section' | 'rollno'>) =>
  `${fields.classId} ${fields.section} ${fields.rollno}`
const placeText = ({ classId, section }: Pick<StudentFields, 'classId' | 'section'>) =>
  `${className(classId)}${section === '-' ? '' : ` ${section}`}`

interface Checked {
  preview: Preview
  good: GoodRow[]
}

/** Checks all rows by the dialog's own rules, and against each other and the students that are there. Writes nothing. */
async function check(
  db: Db,
  scope: SchoolScope,
  now: Date,
  season: Season,
  catalogue: SeasonCatalogue,
  sheet: readonly SheetRow[],
): Promise<Checked> {
  const { columns, rest } = headOf(sheet)
  const columnOf = (field: string) => columns.find((column) => column.field === field)
  const closed = (letter: string) => {
    const day = catalogue.closesOn.get(letter)
    return day !== undefined && hasClosed(day, now) ? formatDay(day) : undefined
  }
  const signed = await signedOff(db, scope.schoolId, season)
  const offered: RowCatalogue = {
    offerTo: catalogue.offerTo,
    closed,
    signedOff: (letter) => signed.has(letter),
  }
  const errors: ImportRowError[] = []
  const passed: Array<{
    row: number
    cells: string[]
    checked: Extract<ReadStudent, { faults: readonly [] }>
  }> = []
  const firstAt = new Map<string, number>()
  for (const [index, { number: row, cells: raw }] of rest.entries()) {
    if (index % rowsPerBreath === rowsPerBreath - 1) await breathe()
    const cells = raw.map(cellText)
    const checked = readRow(rawRow(columns, cells), offered)
    for (const { field, message } of checked.faults)
      errors.push(errorAt(row, columnOf(field), field, cells, message))
    if (!checked.fields) continue
    const key = placeKey(checked.fields)
    const first = firstAt.get(key)
    if (first === undefined) {
      firstAt.set(key, row)
      passed.push({ row, cells, checked })
    } else {
      const { rollno } = checked.fields
      const message = `Roll no ${rollno} of ${placeText(checked.fields)} stands in row ${first} already.`
      errors.push(errorAt(row, columnOf('rollno'), 'rollno', cells, message))
    }
  }
  const { taken, sameName } = await findTaken(
    db,
    scope,
    season,
    passed.map(({ checked }) => checked.fields),
  )
  const good: GoodRow[] = []
  const likely: Preview['likely'] = []
  for (const [index, { row, cells, checked }] of passed.entries()) {
    const { fields, priced } = checked
    const owner = taken.get(index)
    if (owner !== undefined) {
      const message = `Roll no ${fields.rollno} of ${placeText(fields)} is taken by ${owner}.`
      errors.push(errorAt(row, columnOf('rollno'), 'rollno', cells, message))
      continue
    }
    const other = sameName.get(index)
    if (other) likely.push({ row, message: likelyText(fields, other) })
    good.push({ row, fields, fee: priced.fee })
  }
  errors.sort((a, b) => a.row - b.row || a.column - b.column)
  const badCount = new Set(errors.map((error) => error.row)).size
  return {
    good,
    preview: {
      rowCount: rest.length,
      goodCount: good.length,
      badCount,
      errorCount: errors.length,
      errors: errors.slice(0, mostErrors),
      columns: columns.map(({ index, heading, field }) => ({
        column: index + 1,
        heading,
        field: field ?? '',
      })),
      likely,
      ...amountFields(totalFee(good)),
      sample: good.slice(0, 20).map((row) => sampleOf(row, catalogue)),
    },
  }
}

function likelyText(fields: StudentFields, { section, rollNo }: Named): string {
  const where = placeText({ classId: fields.classId, section })
  return `${fields.studentName} of ${where}, roll no ${rollNo}, has the same name.`
}

function sampleOf({ row, fields, fee }: GoodRow, catalogue: SeasonCatalogue): Preview['sample'][number] {
  const names = new Map(catalogue.offerTo(fields.classId).map(({ letter, name }) => [letter, name]))
  return {
    row,
    className: className(fields.classId),
    section: fields.section,
    rollNo: fields.rollno,
    studentName: fields.studentName,
    subjectName: fields.subjectName.map((letter) => names.get(letter) ?? letter).join(','),
    bookCount: [fields.cb, fields.pyqp, fields.geneX, fields.tb, fields.wb].flat().length,
    regAmount: rupees(fee.regAmount),
    bookAmount: rupees(fee.bookAmount),
  }
}

/**
 * Reads and checks a file of students and keeps its good rows for 30 days. The same file sent again is the same import,
 * checked anew; one that is being imported is left alone and answered as it was.
 */
export async function checkImport(db: Db, scope: SchoolScope, now: Date, season: Season, file: UploadedFile) {
  const catalogue = await readCatalogue(db, season)
  if (!catalogue) throw refuseField('FYear', 'Season is not valid.')
  if (!catalogue.open) throw new Refusal('enrolment.season_closed')
  const sheet = await readSheet(file.bytes, file.name)
  const { preview, good } = await check(db, scope, now, season, catalogue, sheet)
  const sha256 = createHash('sha256').update(file.bytes).digest('hex')
  const fileName = safeName(file.name, 'students')
  const id = newId()
  return db.transaction().execute(async (tx) => {
    await sql`delete from student_imports where created_at < ${now}::timestamptz - interval '30 days'`.execute(
      tx,
    )
    const { rows } = await sql<{ id: string }>`
      insert into student_imports as i (id, school_id, season, file_name, sha256, row_count, good_count, good_rows, preview, created_by, created_at)
      values (${id}, ${scope.schoolId}, ${season}, ${fileName}, ${sha256}, ${preview.rowCount}, ${preview.goodCount},
        ${JSON.stringify(good)}::jsonb, ${JSON.stringify(preview)}::jsonb, ${scope.userId}, ${now}::timestamptz)
      on conflict (school_id, season, sha256) do update
        set file_name = excluded.file_name, row_count = excluded.row_count, good_count = excluded.good_count, good_rows = excluded.good_rows,
          preview = excluded.preview, created_by = excluded.created_by, created_at = excluded.created_at,
          job_id = null, confirmed_at = null, undone_at = null, done = 0, imported = 0, refused = '[]'
        where not exists (select from jobs j where j.id = i.job_id and j.state in ('waiting', 'running'))
      returning id`.execute(tx)
    const kept = rows[0]
    if (!kept) return importUnderWay(tx, scope, season, sha256)
    const repeated = kept.id !== id
    const change = { file: fileName, rows: preview.rowCount, good: preview.goodCount, repeated }
    await audit(tx, now, scope, 'import.checked', { kind: 'import', id: kept.id, season }, change)
    return { importId: kept.id, fileName, repeated, state: 'checked' as const, ...preview }
  })
}
