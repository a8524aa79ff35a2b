import { istTime } from '@podium/contract/season'
import { CallError } from '#shell/call.ts'
import type { words } from './words.ts'

type Say = ReturnType<typeof words.use>

/** The sentence of a refusal; «too many tries» with the time, in IST, from which one can try again. */
export function refusalWithTime(refused: CallError, t: Say): CallError {
  const seconds = refused.retryAfter
  if (refused.status !== 429 || seconds === undefined) return refused
  const minutes = t('minutes', { n: Math.max(1, Math.ceil(seconds / 60)) })
  const time = istTime(new Date(Date.now() + seconds * 1000))
  return new CallError(t('wait', { time, minutes }), refused.status, refused.code)
}
