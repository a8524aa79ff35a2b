import { type ErrorCode, errors, sentenceOf } from '@podium/contract/errors'
import { useSentences } from './language/sentences.ts'

const isCode = (code: string): code is ErrorCode => code in errors

/**
 * Converts an answer's permission (`true` or the code of a reason) to a button's `disabled`; `denied` says who is
 * allowed if the reason is the role.
 */
export function useDisabledReason(denied?: string): (allowed: true | string) => false | string {
  const translate = useSentences()
  return (allowed) => {
    if (allowed === true) return false
    if (allowed === 'access.denied' && denied !== undefined) return denied
    return isCode(allowed) ? translate(sentenceOf(allowed)) : allowed
  }
}
