import { type ErrorCode, errors, sentenceOf } from '@podium/contract/errors'
import { useSentences } from './language/sentences.ts'

const isCode = (code: string): code is ErrorCode => code in errors

/**
 * What an answer says about a button (`true`, or the code of the reason why not) as the button's `disabled`; `denied` says
 * who may where the role is the reason.
 */
export function useReason(denied?: string): (allowed: true | string) => false | string {
  const say = useSentences()
  return (allowed) => {
    if (allowed === true) return false
    if (allowed === 'access.denied' && denied !== undefined) return denied
    return isCode(allowed) ? say(sentenceOf(allowed)) : allowed
  }
}
