import { type ErrorCode, errors, sentenceOf } from '@podium/contract/errors'
import { useSentences } from '#shell/language/sentences.ts'
import { officeWords as words } from './words-office.ts'

const isCode = (code: string): code is ErrorCode => code in errors

/** What an answer says about a button (`true`, or the code of the reason why not) as the button's `disabled`. */
export function useReason(): (allowed: true | string) => false | string {
  const say = useSentences()
  const t = words.use()
  return (allowed) => {
    if (allowed === true) return false
    if (allowed === 'access.denied') return t('mayNot')
    return isCode(allowed) ? say(sentenceOf(allowed)) : allowed
  }
}
