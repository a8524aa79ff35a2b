import type { CallError } from '#shell/call.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import type { words } from './words.ts'

/** The sentence of a refusal; «too many tries» with the time after which one can try again. */
export function sayRefusal(t: ReturnType<typeof words.use>, refused: CallError): string {
  const { status, retryAfter, message } = refused
  if (status !== 429 || retryAfter === undefined) return translateSentence(message)
  return retryAfter <= 90
    ? t('tooManySeconds', { n: retryAfter })
    : t('tooManyMinutes', { n: Math.ceil(retryAfter / 60) })
}
