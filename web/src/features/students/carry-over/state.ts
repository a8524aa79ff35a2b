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
import { readOwnDraft, saveOwnDraft } from '#shell/own-draft.ts'
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

function isChoice(value: unknown): value is CarryChoice {
  if (typeof value !== 'object' || value === null || !('options' in value) || !('ticks' in value))
    return false
  const { options } = value
  return typeof options === 'object' && options !== null && 'rows' in options && Array.isArray(options.rows)
}

/** Returns the decisions made earlier in this tab for the season. */
function readChoice(season: string): CarryChoice {
  const draft = readOwnDraft(draftOf(season))
  return isChoice(draft) ? draft : nothingDecided
}

function saveChoice(season: string, choice: CarryChoice): void {
  saveOwnDraft(draftOf(season), choice === nothingDecided ? undefined : choice, 'tab')
}

/** Returns the choice with an edit to one student. Fields that are not named keep their earlier edits. */
export function withEdit(choice: CarryChoice, edit: CarryEdit): CarryChoice {
  const before = choice.options.rows.find((row) => row.studentId === edit.studentId)
  const otherRows = choice.options.rows.filter((row) => row !== before)
  return { ...choice, options: { ...choice.options, rows: [...otherRows, { ...before, ...edit }] } }
}

/** Returns the choice with a new section for the students of a class who come from section `from`. */
export function withSection(choice: CarryChoice, classId: number, from: string, to: string): CarryChoice {
  const otherMoves = choice.options.sections.filter((move) => move.classId !== classId || move.from !== from)
  const sections = from === to ? otherMoves : [...otherMoves, { classId, from, to }]
  return { ...choice, options: { ...choice.options, sections } }
}

/** Returns the choice with subjects for the students of a class who bring none. */
export function withSubjects(choice: CarryChoice, classId: number, subjectName: string[]): CarryChoice {
  const otherChoices = choice.options.choose.filter((entry) => entry.classId !== classId)
  return { ...choice, options: { ...choice.options, choose: [...otherChoices, { classId, subjectName }] } }
}

export function withTicks(choice: CarryChoice, rows: readonly CarryRow[], ticked: boolean): CarryChoice {
  const ticks = { ...choice.ticks }
  for (const { studentId } of rows) ticks[studentId] = ticked
  return { ...choice, ticks }
}

/** Whether a row can be entered as it is. */
export const canEnter = (row: CarryRow) => row.state === 'new' && row.issues.length === 0

/** Whether a row is ticked, with or without errors. */
export const isTicked = (row: CarryRow, { ticks }: CarryChoice) =>
  row.state === 'new' && (ticks[row.studentId] ?? row.proposed)

export const needsReview = (row: CarryRow) =>
  row.state === 'new' && row.warnings.length + row.issues.length > 0

export interface CarryTotals {
  enter: number
  look: number
  there: number
  leaves: number
  /** Ticked, but with an error */
  withErrors: number
  unticked: number
  registration: number
  books: number
  schoolShare: number
}

/** Counts and adds up (rupees) what would be entered now. */
export function carryTotals(rows: readonly CarryRow[], choice: CarryChoice): CarryTotals {
  const total = { enter: 0, look: 0, there: 0, leaves: 0, withErrors: 0, unticked: 0 }
  const money = { registration: 0, books: 0, schoolShare: 0 }
  for (const row of rows) {
    if (row.state !== 'new') {
      total[row.state]++
      continue
    }
    if (needsReview(row)) total.look++
    if (!isTicked(row, choice)) total.unticked++
    else if (!canEnter(row)) total.withErrors++
    else {
      total.enter++
      money.registration += row.regAmount
      money.books += row.bookAmount
      money.schoolShare += row.school_Expenses + row.book_school_Expenses
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
  const previewQuery = useEndpoint(previewCarryOver, { body: { FYear, options: choice.options }, enabled })
  const preview = previewQuery.data
  const decide = (next: CarryChoice) => {
    setChoice(next)
    saveChoice(season, next)
  }
  const confirm = async () => {
    if (!preview) return
    setConfirming(true)
    setProblem(undefined)
    const entering = preview.rows.filter((row) => canEnter(row) && isTicked(row, choice))
    const { registration, books } = carryTotals(preview.rows, choice)
    try {
      const { importId } = await call(confirmCarryOver, {
        body: {
          FYear,
          options: choice.options,
          digest: preview.digest,
          take: entering.map((row) => row.studentId),
          regAmount: registration,
          bookAmount: books,
        },
      })
      decide(nothingDecided)
      rememberImport(importId)
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      setProblem(cause)
      await previewQuery.refetch()
    }
    setConfirming(false)
  }
  return {
    choice,
    decide,
    preview,
    error: previewQuery.error,
    reload: previewQuery.refetch,
    /** True while a decision is being sent: the figures are still the earlier ones. */
    stale: previewQuery.isPlaceholderData,
    problem,
    confirming,
    confirm,
  }
}
export type CarryOver = ReturnType<typeof useCarry>
