import type { AnswerOf } from '@podium/contract/endpoint'
import { foldName } from '@podium/contract/names'
import type { Application, getApplication, LikelySchool } from '@podium/contract/schools/calls-applications'
import type { CallError } from '#shell/call.ts'

export type ApplicationDetail = AnswerOf<typeof getApplication>

/** The props of each decision dialog. */
export interface DecisionProps {
  detail: ApplicationDetail
  /** Called after a decision, with the message, and for an approval the school. */
  onDone: (message: string, school?: { schId: number; schCode: string }) => void
  /**
   * Handles refusals common to all dialogs, such as an application already decided. Returns false if the dialog must
   * show the refusal itself.
   */
  onRefused: (cause: CallError) => boolean
  onClose: () => void
}

/** The fields that an application and a known school share, in the order in which they are compared. */
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

/** `unknown`: one of the two is empty. */
type FieldComparison = 'same' | 'differs' | 'unknown'

const lastDigits = (text: string) => text.replace(/\D/g, '').slice(-10)

/** Compares a field, ignoring spelling (case, dots, accents) and the country code of a phone number. */
export function compareField(
  field: ComparedField,
  application: Application,
  school: LikelySchool,
): FieldComparison {
  const fold = field === 'phone' ? lastDigits : foldName
  const [applicationText, schoolText] = [fold(application[field]), fold(school[field])]
  if (applicationText === '' || schoolText === '') return 'unknown'
  return applicationText === schoolText ? 'same' : 'differs'
}

/** Returns the known school with the same UDISE code or affiliation number; these numbers are unique. */
export function findSameNumber(candidates: readonly LikelySchool[]): LikelySchool | undefined {
  return candidates.find(({ same }) => same.includes('udise') || same.includes('affiliation'))
}

export function differingFields(application: Application, school: LikelySchool): ComparedField[] {
  return comparedFields.filter((field) => compareField(field, application, school) === 'differs')
}
