import { istTime } from '@podium/contract/season'
import { CallError } from '#shell/call.ts'
import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/staff.json'

/** Returns a refusal's message; for “too many tries” with the time, in IST, of the next try. */
export function refusalWithTime(refused: CallError, t: ReturnType<typeof words.use>): CallError {
  const seconds = refused.retryAfter
  if (refused.status !== 429 || seconds === undefined) return refused
  const minutes = t('minutes', { n: Math.max(1, Math.ceil(seconds / 60)) })
  const time = istTime(new Date(Date.now() + seconds * 1000))
  return new CallError(t('wait', { time, minutes }), refused.status, refused.code)
}

/** The words of the office's sign-in, set-up and overview. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/staff.json'))
