import type { AnswerOf } from '@podium/contract/endpoint'
import { parseSeason } from '@podium/contract/season'
import {
  type CarryOptionsInput,
  type CarryRow,
  confirmCarryOver,
  previewCarryOver,
} from '@podium/contract/students/calls-carry-over'
import { useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import { readOwnDraft, writeOwnDraft } from '#shell/own-draft.ts'
import { useEndpoint } from '#shell/query.ts'
import { rememberImport } from '../import/progress-state.ts'

type Options = Required<CarryOptionsInput>
export type CarryEdit = Options['rows'][number]

/** What the user has decided so far: the options for the call, and ticks that differ from the proposal. */
export interface CarryChoice {
  options: Options
  ticks: Readonly<Record<string, boolean>>
}

export const nothingDecided: CarryChoice = {
  options: { books: 'same', subjects: 'same', sections: [], choose: [], rows: [] },
  ticks: {},
}

const draftOf = (season: string) => `carry.${season}`

function isChoice(kept: unknown): kept is CarryChoice {
  if (typeof kept !== 'object' || kept === null || !('options' in kept) || !('ticks' in kept)) return false
  const { options } = kept
  return typeof options === 'object' && options !== null && 'rows' in options && Array.isArray(options.rows)
}

/** Returns the decisions made earlier in this tab for the season. */
function readChoice(season: string): CarryChoice {
  const kept = readOwnDraft(draftOf(season))
  return isChoice(kept) ? kept : nothingDecided
}

function keepChoice(season: string, choice: CarryChoice): void {
  writeOwnDraft(draftOf(season), choice === nothingDecided ? undefined : choice, 'tab')
}

/** Returns the choice with an edit to one student. Fields that are not named keep their earlier edits. */
export function withRow(choice: CarryChoice, edit: CarryEdit): CarryChoice {
  const before = choice.options.rows.find((row) => row.studentId === edit.studentId)
  const others = choice.options.rows.filter((row) => row !== before)
  return { ...choice, options: { ...choice.options, rows: [...others, { ...before, ...edit }] } }
}

/** Returns the choice with a new section for the students of a class who come from section `from`. */
export function withSection(choice: CarryChoice, classId: number, from: string, to: string): CarryChoice {
  const others = choice.options.sections.filter((one) => one.classId !== classId || one.from !== from)
  const sections = from === to ? others : [...others, { classId, from, to }]
  return { ...choice, options: { ...choice.options, sections } }
}

/** Returns the choice with subjects for the students of a class who bring none. */
export function withSubjects(choice: CarryChoice, classId: number, subjectName: string[]): CarryChoice {
  const others = choice.options.choose.filter((one) => one.classId !== classId)
  return { ...choice, options: { ...choice.options, choose: [...others, { classId, subjectName }] } }
}

export function withTicks(choice: CarryChoice, rows: readonly CarryRow[], ticked: boolean): CarryChoice {
  const ticks = { ...choice.ticks }
  for (const { studentId } of rows) ticks[studentId] = ticked
  return { ...choice, ticks }
}

/** Whether a row can be entered as it is. */
export const isGood = (row: CarryRow) => row.state === 'new' && row.issues.length === 0

/** Whether a row is ticked, with or without errors. */
export const isTicked = (row: CarryRow, { ticks }: CarryChoice) =>
  row.state === 'new' && (ticks[row.studentId] ?? row.proposed)

export const needsLook = (row: CarryRow) => row.state === 'new' && row.looks.length + row.issues.length > 0

export interface CarryTotals {
  enter: number
  look: number
  there: number
  leaves: number
  /** Ticked, but with an error */
  faulty: number
  untaken: number
  registration: number
  books: number
  kept: number
}

/** Counts and adds up (rupees) what would be entered now. */
export function carryTotals(rows: readonly CarryRow[], choice: CarryChoice): CarryTotals {
  const total = { enter: 0, look: 0, there: 0, leaves: 0, faulty: 0, untaken: 0 }
  const money = { registration: 0, books: 0, kept: 0 }
  for (const row of rows) {
    if (row.state !== 'new') {
      total[row.state]++
      continue
    }
    if (needsLook(row)) total.look++
    if (!isTicked(row, choice)) total.untaken++
    else if (!isGood(row)) total.faulty++
    else {
      total.enter++
      money.registration += row.regAmount
      money.books += row.bookAmount
      money.kept += row.school_Expenses + row.book_school_Expenses
    }
  }
  return { ...total, ...money }
}

export interface CarryClass {
  classId: number
  fromClassId: number
  rows: CarryRow[]
}

/** Groups the new rows by the class they go into, in the order of the list. */
export function classesOf(rows: readonly CarryRow[]): CarryClass[] {
  const groups = Map.groupBy(
    rows.filter((row) => row.state === 'new'),
    (row) => row.classId,
  )
  return [...groups].map(([classId, members]) => ({
    classId,
    fromClassId: members[0]?.fromClassId ?? classId,
    rows: members,
  }))
}

export type CarryPreview = AnswerOf<typeof previewCarryOver>

/** The carry-over of a season: previewed again after each decision, saved as a draft, confirmed exactly as shown. */
export function useCarry(season: string, enabled: boolean) {
  const [choice, setChoice] = useState(() => readChoice(season))
  const [problem, setProblem] = useState<CallError>()
  const [confirming, setConfirming] = useState(false)
  const FYear = parseSeason(season) ?? season
  const preview = useEndpoint(previewCarryOver, { body: { FYear, options: choice.options }, enabled })
  const found = preview.data
  const decide = (next: CarryChoice) => {
    setChoice(next)
    keepChoice(season, next)
  }
  const confirm = async () => {
    if (!found) return
    setConfirming(true)
    setProblem(undefined)
    const taken = found.rows.filter((row) => isGood(row) && isTicked(row, choice))
    const { registration, books } = carryTotals(found.rows, choice)
    try {
      const { importId } = await call(confirmCarryOver, {
        body: {
          FYear,
          options: choice.options,
          digest: found.digest,
          take: taken.map((row) => row.studentId),
          regAmount: registration,
          bookAmount: books,
        },
      })
      decide(nothingDecided)
      rememberImport(importId)
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      setProblem(cause)
      await preview.refetch()
    }
    setConfirming(false)
  }
  return {
    choice,
    decide,
    found,
    error: preview.error,
    reload: preview.refetch,
    /** True while a decision is being sent: the figures are still the earlier ones. */
    stale: preview.isPlaceholderData,
    problem,
    confirming,
    confirm,
  }
}
export type Carry = ReturnType<typeof useCarry>
