import type { AnswerOf } from '@podium/contract/endpoint'
import type { getApplication } from '@podium/contract/schools/calls-applications'
import type { CallError } from '#shell/call.ts'

export type ApplicationDetail = AnswerOf<typeof getApplication>

/** What each dialog of a decision is given. */
export interface DecisionProps {
  detail: ApplicationDetail
  /** Decided; the sentence says it, and of what is approved where its school is. */
  onDone: (said: string, school?: { schId: number; schCode: string }) => void
  /** Refused for all: decided by somebody else meanwhile. False: the dialog shows the refusal itself. */
  onRefused: (cause: CallError) => boolean
  onClose: () => void
}
