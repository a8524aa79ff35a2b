import { cutText, latinDigits } from '@podium/contract/fields'
import type { AnomalyKind } from '@podium/contract/results/calls-corrections'
import type { EventSection } from '@podium/contract/results/schemas'
import { formatSentence, sentences } from '@podium/contract/sentences'
import { markUnit } from '../rules.ts'

type Cell = string | number | Date | null | undefined

/** The column indexes of a marks file; sections in the event's order. */
export interface MarkColumns {
  roll: number
  attendance: number
  sections: number[]
  finalScore: number | undefined
  weight: number | undefined
}

interface RowAnomaly {
  kind: AnomalyKind
  column: string
  value: string
  note: string
}

export type Treatment = 'left_out' | 'as_absent' | 'kept' | 'corrected'

/** A parsed row; scores in ten-thousandths of a mark. */
export interface MarkRow {
  n: number
  roll: string
  present: boolean
  marks: number[]
  raw: number
  final: number
  leftOut: boolean
  anomalies: RowAnomaly[]
}

/** For each kind: whether it blocks computing until reviewed, and what happens to the row. */
export const anomalyRules: Readonly<Record<AnomalyKind, { blocking: boolean; treatment: Treatment }>> = {
  unknown_roll: { blocking: true, treatment: 'left_out' },
  not_enrolled: { blocking: true, treatment: 'left_out' },
  twice: { blocking: true, treatment: 'left_out' },
  absent_marked: { blocking: true, treatment: 'as_absent' },
  above_maximum: { blocking: true, treatment: 'left_out' },
  unreadable: { blocking: true, treatment: 'left_out' },
  final_score: { blocking: true, treatment: 'left_out' },
  zero_marks: { blocking: false, treatment: 'kept' },
  missing: { blocking: false, treatment: 'left_out' },
  absent_reported: { blocking: true, treatment: 'kept' },
  present_reported: { blocking: true, treatment: 'as_absent' },
}

const fold = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, '')
const rollNames = new Set(['rollno', 'rollnumber', 'roll', 'examrollno', 'niorollno'])
const attendanceNames = new Set(['attendance', 'present'])
const finalNames = new Set(['finalscore', 'final'])
const weightNames = new Set(['weight', 'weights'])
/** Informational columns that are ignored. */
const ignoredNames = new Set([
  '',
  'sno',
  'studentname',
  'name',
  'class',
  'school',
  'schoolcode',
  'schoolname',
])

/** Finds the columns by the header row and lists unknown and missing ones. Section names take precedence. */
export function readHeader(
  cells: readonly Cell[],
  sections: readonly EventSection[],
): { columns: MarkColumns } | { unknown: string[]; missing: string[]; twice: string[] } {
  const at = new Map<string, number>()
  const unknown: string[] = []
  const twice: string[] = []
  const sectionNames = new Map(sections.map((section, index) => [fold(section.name), index]))
  for (const [index, cell] of cells.entries()) {
    const shown = textOf(cell)
    // The template shows the maximum beside each section.
    const name = fold(shown.replace(/\s*\(max\.? \d+\)$/i, ''))
    const section = sectionNames.get(name)
    const key =
      section !== undefined
        ? `section ${section}`
        : rollNames.has(name)
          ? 'roll'
          : attendanceNames.has(name)
            ? 'attendance'
            : finalNames.has(name)
              ? 'final'
              : weightNames.has(name)
                ? 'weight'
                : undefined
    if (key === undefined) {
      if (!ignoredNames.has(name)) unknown.push(shown)
    } else if (at.has(key)) twice.push(shown)
    else at.set(key, index)
  }
  const missing: string[] = []
  const need = (key: string, shown: string) => {
    const index = at.get(key)
    if (index === undefined) missing.push(shown)
    return index ?? -1
  }
  const columns: MarkColumns = {
    roll: need('roll', 'Roll No'),
    attendance: need('attendance', 'Attendance'),
    sections: sections.map((section, index) => need(`section ${index}`, section.name)),
    finalScore: at.get('final'),
    weight: at.get('weight'),
  }
  return unknown.length + missing.length + twice.length > 0 ? { unknown, missing, twice } : { columns }
}

function textOf(cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  return cell instanceof Date ? cell.toISOString().slice(0, 10) : latinDigits(String(cell)).trim()
}

const presentWords = new Set(['p', 'present', 'yes', 'y', '1', 'true'])
const absentWords = new Set(['a', 'ab', 'absent', 'no', 'n', '0', 'false'])

/** Parses a number with at most four decimals to ten-thousandths; undefined for anything else, including formulas in CSV files. */
function readScore(cell: Cell): number | undefined {
  const text = textOf(cell)
  if (!/^[0-9]{1,5}(?:\.[0-9]{1,4}0*)?$/.test(text)) {
    // Programs write 12.30000000000000007 for 12.3, so tiny differences are ignored.
    if (typeof cell !== 'number' || cell < 0 || cell > 99_999) return undefined
    const units = Math.round(cell * markUnit)
    return Math.abs(units - cell * markUnit) < 1e-6 * markUnit ? units : undefined
  }
  return Math.round(Number(text) * markUnit)
}

/** Parses one row with its anomalies; an unusable row is `leftOut`. */
export function readMarks(
  n: number,
  cells: readonly Cell[],
  columns: MarkColumns,
  sections: readonly EventSection[],
): MarkRow {
  const anomalies: RowAnomaly[] = []
  const report = (kind: AnomalyKind, column: string, cell: Cell, note: string) =>
    anomalies.push({ kind, column, value: cutText(textOf(cell), 60), note })
  const roll = cutText(textOf(cells[columns.roll]).toUpperCase(), 60)
  if (roll === '') report('unreadable', 'Roll No', '', sentences.rollMissing)
  const attendance = cells[columns.attendance]
  const word = textOf(attendance).toLowerCase()
  const absent = absentWords.has(word)
  if (!absent && !presentWords.has(word))
    report('unreadable', 'Attendance', attendance, sentences.attendanceNeither)
  const before = anomalies.length
  const marks = sections.map((section, index) => {
    const cell = cells[columns.sections[index] ?? -1]
    const score = readScore(cell)
    if (absent) return score ?? 0
    if (score === undefined) report('unreadable', section.name, cell, sentences.notMarks)
    else if (score > section.maximum * markUnit)
      report('above_maximum', section.name, cell, formatSentence('maximumIs', { n: section.maximum }))
    return score ?? 0
  })
  const raw = marks.reduce((sum, mark) => sum + mark, 0)
  const marksFit = anomalies.length === before
  if (absent) {
    if (raw > 0)
      report('absent_marked', 'Attendance', attendance, formatSentence('marksBeside', { n: raw / markUnit }))
    const none = sections.map(() => 0)
    return { n, roll, present: false, marks: none, raw: 0, final: 0, leftOut: roll === '', anomalies }
  }
  const final = finalScore(marksFit ? raw : undefined, cells, columns, report)
  if (raw === 0 && anomalies.length === 0) report('zero_marks', '', '0', sentences.noMarkAtAll)
  const leftOut = anomalies.some(({ kind }) => anomalyRules[kind].treatment === 'left_out')
  return { n, roll, present: true, marks, raw, final, leftOut, anomalies }
}

/**
 * Raw score plus weights of correct answers, given as the total or as weights alone; just the raw score if neither is given. If a
 * mark is invalid there is no raw score to compare with, so only an unreadable cell is reported.
 */
function finalScore(
  raw: number | undefined,
  cells: readonly Cell[],
  columns: MarkColumns,
  report: (kind: AnomalyKind, column: string, cell: Cell, note: string) => void,
): number {
  const given = [
    { name: 'Final Score', at: columns.finalScore, base: 0 },
    { name: 'Weight', at: columns.weight, base: raw ?? 0 },
  ].flatMap(({ name, at, base }) => {
    const cell = at === undefined ? undefined : cells[at]
    if (at === undefined || textOf(cell) === '') return []
    const score = readScore(cell)
    return [{ name, cell, score: score === undefined ? undefined : base + score }]
  })
  for (const { name, cell, score } of given) {
    if (score === undefined) report('unreadable', name, cell, sentences.notScore)
    else if (raw === undefined) continue
    else if (score < raw || score >= raw + markUnit)
      report('final_score', name, cell, formatSentence('weightsAdd', { n: raw / markUnit }))
    else if (score !== given[0]?.score && given[0]?.score !== undefined)
      report('final_score', name, cell, sentences.scoresDiffer)
  }
  return given[0]?.score ?? raw ?? 0
}
