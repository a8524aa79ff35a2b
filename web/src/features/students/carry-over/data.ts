import type { AnswerOf } from '@podium/contract/endpoint'
import { parseSeason } from '@podium/contract/season'
import { confirmCarryOver, previewCarryOver } from '@podium/contract/students/calls-carry-over'
import { useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import { useEndpoint } from '#shell/query.ts'
import { rememberImport } from '../import/progress-state.ts'
import {
  type CarryChoice,
  carryTotals,
  isGood,
  isTicked,
  keepChoice,
  nothingDecided,
  readChoice,
} from './state.ts'

export type CarryPreview = AnswerOf<typeof previewCarryOver>

/** The list of a season as decided so far: previewed anew with each decision, kept as a draft, confirmed as it was seen. */
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
    /** A decision is on its way; figures are those from before it. */
    stale: preview.isPlaceholderData,
    problem,
    confirming,
    confirm,
  }
}
export type Carry = ReturnType<typeof useCarry>
