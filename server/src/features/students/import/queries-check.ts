import { setImmediate as breathe } from 'node:timers/promises'
import { amountFields } from '@podium/contract/catalogue/rules-fee'
import { className } from '@podium/contract/classes'
import { rupees } from '@podium/contract/money'
import type { Season } from '@podium/contract/season'
import {
  type ImportPreview,
  type ImportRowError,
  maxNamed,
} from '@podium/contract/students/calls-import-preview'
import { type RowField, readRow, rowFields } from '@podium/contract/students/rules-row'
import { sql } from 'kysely'
import { closedLetters, type SeasonCatalogue } from '#features/catalogue/queries'
import { signedOff } from '#features/students/sign-off/queries'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
import { Refusal } from '#platform/errors'
import { columnName } from '#platform/sheets/spreadsheet-rows'
import { loadSavedPrices, studentColumns, withShares } from '../entry/queries.ts'
import { withEarlierPrices } from '../entry/rules.ts'
import { offeredOf } from '../grid/queries.ts'
import * as rules from './rules.ts'
import {
  type Choice,
  type ClassifiedRows,
  classifyRows,
  type Fault,
  type Line,
  type ValidRow,
} from './rules-classify.ts'

/** The user's settings for a file. */
export interface Settings {
  /** Field by column index; empty for unused */
  columns: Record<string, string>
  /** Corrected cells by `row:column` */
  cells: Record<string, string>
  /** By row */
  choices: Record<string, Choice>
  /** Alternative subject names not to be accepted, in lower case */
  notTaken: string[]
  /** Further sheets of the file, which are not read */
  otherSheets: string[]
}

/** The results of the check, without the import's name and progress. */
export type Findings = Omit<
  ImportPreview,
  'importId' | 'fileName' | 'season' | 'revision' | 'repeated' | 'before' | 'state'
>

/** Rows checked before other requests get a turn. */
const rowsPerBreath = 200
const maxErrors = 5_000
const maxSamples = 5

interface CheckInput {
  season: Season
  catalogue: SeasonCatalogue
  rows: readonly rules.TextRow[]
  settings: Settings
  /** The rest of an earlier import, in which missing students mean nothing */
  part?: boolean
}

export interface CheckResult {
  findings: Findings
  good: ValidRow[]
  /** Rows to be saved, corrected or decided */
  open: Set<number>
  columns: rules.Column[]
}

/** Checks all rows with the common row check, against each other, and against existing students. Writes nothing. */
export async function checkSheet(
  db: Db,
  scope: SchoolScope,
  now: Date,
  file: CheckInput,
): Promise<CheckResult> {
  const { catalogue, settings } = file
  const signed = await signedOff(db, scope.schoolId, file.season)
  const offered = { ...offeredOf(catalogue, signed, now), notTaken: new Set(settings.notTaken) }
  const rows = corrected(file.rows, settings)
  const chosen = new Map(
    Object.entries(settings.columns).map(([index, field]): [number, RowField | undefined] => [
      Number(index),
      rowFields.find((rowField) => rowField === field),
    ]),
  )
  const head = rules.readColumns(rows, await findMappings(db, scope), chosen, subjectNames(catalogue))
  const { columns } = head
  if (columns.length < rules.missingFields([]).length) throw new Refusal('enrolment.import_no_headings')
  if (head.rest.length === 0) throw new Refusal('enrolment.import_no_rows')
  const unmapped = rules.missingFields(columns)
  const dropped: Findings['dropped'] = []
  const rest = head.rest.filter(({ n: row, c: cells }) => {
    const text = unmapped.length > 0 ? undefined : rules.notAStudent(columns, cells)
    if (text !== undefined) dropped.push({ row, text })
    return text === undefined
  })
  if (rest.length === 0) throw new Refusal('enrolment.import_no_rows')
  const lines: Line[] = []
  for (const [index, { n: row, c: cells }] of (unmapped.length > 0 ? [] : rest).entries()) {
    if (index % rowsPerBreath === rowsPerBreath - 1) await breathe()
    const raw = rules.rawRow(columns, cells)
    lines.push({ row, raw, read: readRow(raw, offered) })
  }
  const known = lines.length > 0 ? await findKnown(db, scope, file.season) : []
  const savedPrices = await loadSavedPrices(
    db,
    scope.schoolId,
    known.map(({ id }) => id),
  )
  const classified = classifyRows({
    lines,
    known,
    catalogueOf: ({ id }) => ({
      ...offered,
      offerTo: (classId) => withEarlierPrices(catalogue.offerTo(classId), classId, savedPrices.get(id)),
    }),
    choices: new Map(Object.entries(settings.choices).map(([row, choice]) => [Number(row), choice])),
    used: new Set(columns.flatMap(({ field }) => field ?? [])),
    catalogue: offered,
    doors: { open: true, closed: closedLetters(catalogue, now), signedOff: signed },
  })
  if (file.part) classified.missing = []
  const good = await withShares(db, scope, file, classified.good)
  const errors = errorsOf(classified.faults, columns, new Map(rest.map((row) => [row.n, row.c])))
  return {
    columns,
    good,
    open: new Set(
      [...good, ...classified.faults, ...classified.questions.filter(({ choice }) => choice === '')].map(
        ({ row }) => row,
      ),
    ),
    findings: {
      rowCount: rest.length,
      ...countsOf(classified, errors),
      errors: errors.slice(0, maxErrors),
      columns: columns
        .filter(
          ({ heading, index }) => heading !== '' || rest.some(({ c }) => (c[index] ?? '').trim() !== ''),
        )
        .map((column) => columnShown(column, rest)),
      headRow: head.row,
      unmapped,
      outRows: classified.outRows,
      questions: classified.questions.slice(0, maxNamed),
      changes: classified.changes.slice(0, maxNamed),
      kept: classified.kept.slice(0, maxNamed),
      missing: classified.missing.slice(0, maxNamed),
      readAs: readAsOf(lines),
      notTaken: settings.notTaken,
      otherSheets: settings.otherSheets,
      dropped: dropped.slice(0, maxNamed),
      odd: classified.odd.slice(0, maxNamed),
      correctedCount: Object.keys(settings.cells).length,
      ...amountFields(rules.totalFee(good)),
      sample: good.slice(0, 20).map((row) => sampleOf(row, catalogue)),
    },
  }
}

function corrected(rows: readonly rules.TextRow[], { cells }: Settings): readonly rules.TextRow[] {
  const byRow = new Map<number, Array<[number, string]>>()
  for (const [place, text] of Object.entries(cells)) {
    const [row, index] = place.split(':').map(Number)
    if (row === undefined || index === undefined) continue
    byRow.set(row, [...(byRow.get(row) ?? []), [index, text]])
  }
  if (byRow.size === 0) return rows
  return rows.map((row) => {
    const changes = byRow.get(row.n)
    if (!changes) return row
    const cellsNow = [...row.c]
    for (const [index, text] of changes) {
      while (cellsNow.length < index) cellsNow.push('')
      cellsNow[index] = text
    }
    return { n: row.n, c: cellsNow }
  })
}

export function* subjectNames(catalogue: SeasonCatalogue): Generator<string> {
  for (let classId = 1; classId <= 15; classId++)
    for (const { letter, name } of catalogue.offerTo(classId)) {
      yield letter
      yield name
    }
}

async function findMappings(db: Db, scope: SchoolScope): Promise<Map<string, rules.RememberedColumn[]>> {
  const { rows } = await sql<{ columns: rules.RememberedColumn[] }>`
    select columns from import_mappings where school_id = ${scope.schoolId}`.execute(db)
  return new Map(
    rows.map(({ columns }) => [rules.headingsKey(columns.map(({ heading }) => heading)), columns]),
  )
}

async function findKnown(db: Db, scope: SchoolScope, season: Season): Promise<rules.SavedRow[]> {
  const { rows } = await sql<rules.SavedRow>`
    select ${studentColumns}, st.import_version from students st
    where st.school_id = ${scope.schoolId} and st.season = ${season} and st.active
    order by st.class_id, st.section, st.roll_no`.execute(db)
  return rows
}

function errorsOf(
  faults: readonly Fault[],
  columns: readonly rules.Column[],
  cells: ReadonlyMap<number, readonly string[]>,
): ImportRowError[] {
  const columnOf = new Map(columns.map((column) => [column.field, column]))
  const name = columnOf.get('studentName')?.index ?? -1
  const errors = faults.map(({ row, field, message, suggestions }): ImportRowError => {
    const column = columnOf.get(field)
    return {
      row,
      column: column ? column.index + 1 : 0,
      columnName: column ? columnName(column.index) : '',
      heading: column?.heading ?? '',
      field,
      value: column ? (cells.get(row)?.[column.index] ?? '') : '',
      message,
      suggestions: [...suggestions],
      studentName: [...(cells.get(row)?.[name] ?? '')].slice(0, 60).join(''),
    }
  })
  return errors.sort((a, b) => a.row - b.row || a.column - b.column)
}

/** How often each alternative subject name was accepted, most frequent first. */
function readAsOf(lines: readonly Line[]): Findings['readAs'] {
  const found = new Map<string, { written: string; name: string; rows: number }>()
  for (const { read } of lines)
    for (const { written, name } of read.priced?.readAs ?? []) {
      const key = `${written.toLowerCase()} ${name}`
      const alias = found.get(key) ?? { written, name, rows: 0 }
      alias.rows++
      found.set(key, alias)
    }
  return [...found.values()].sort((a, b) => b.rows - a.rows)
}

function countsOf(classified: ClassifiedRows, errors: readonly ImportRowError[]) {
  const changedCount = classified.good.filter(({ change }) => change).length
  return {
    goodCount: classified.good.length,
    newCount: classified.good.length - changedCount,
    changedCount,
    sameCount: classified.sameCount,
    keptCount: classified.kept.length,
    askedCount: classified.questions.filter(({ choice }) => choice === '').length,
    outCount: classified.outCount,
    badCount: new Set(errors.map(({ row }) => row)).size,
    errorCount: errors.length,
    missingCount: classified.missing.length,
  }
}

function columnShown(
  { index, heading, field, by }: rules.Column,
  rest: readonly rules.TextRow[],
): Findings['columns'][number] {
  const samples = new Set<string>()
  for (const { c } of rest.slice(0, 100)) {
    const value = c[index]?.trim() ?? ''
    if (value !== '') samples.add([...value].slice(0, 40).join(''))
    if (samples.size === maxSamples) break
  }
  return {
    column: index + 1,
    columnName: columnName(index),
    heading,
    field: field ?? '',
    by,
    samples: [...samples],
  }
}

function sampleOf({ row, fields, fee }: ValidRow, catalogue: SeasonCatalogue): Findings['sample'][number] {
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
