import type { AnswerOf } from '@podium/contract/endpoint'
import { foldName } from '@podium/contract/names'
import type { Application, getApplication, LikelySchool } from '@podium/contract/schools/calls-applications'
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

/** What an application and a known school both say of a school, in the order in which one compares them. */
export const comparedFields = [
  'schName',
  'udiseCode',
  'affiliationNo',
  'address',
  'city',
  'district',
  'state',
  'pinCode',
  'phone',
] as const
export type ComparedField = (typeof comparedFields)[number]

/** `unknown`: one of the two does not say. */
type Likeness = 'same' | 'differs' | 'unknown'

const lastDigits = (text: string) => text.replace(/\D/g, '').slice(-10)

/** Whether a field says the same in both, without regard to spelling (case, dots, accents) and a phone's country code. */
export function likeness(field: ComparedField, application: Application, known: LikelySchool): Likeness {
  const fold = field === 'phone' ? lastDigits : foldName
  const [one, other] = [fold(application[field]), fold(known[field])]
  if (one === '' || other === '') return 'unknown'
  return one === other ? 'same' : 'differs'
}

/** The known school with the same UDISE code or affiliation number: there is one school of each number. */
export function sameNumber(likely: readonly LikelySchool[]): LikelySchool | undefined {
  return likely.find(({ same }) => same.includes('udise') || same.includes('affiliation'))
}

export function differingFields(application: Application, known: LikelySchool): ComparedField[] {
  return comparedFields.filter((field) => likeness(field, application, known) === 'differs')
}
