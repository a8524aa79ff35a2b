import type { words } from './words.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** How long something waits, short: `5 min`, `3 h`, `2 d`. */
export function waitingTime(since: string, now: number, t: ReturnType<typeof words.use>): string {
  const passed = Math.max(0, now - new Date(since).getTime())
  if (passed < hour) return t('minutes', { n: Math.floor(passed / minute) })
  if (passed < day) return t('hours', { n: Math.floor(passed / hour) })
  return t('days', { n: Math.floor(passed / day) })
}
