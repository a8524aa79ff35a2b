import { setImmediate } from 'node:timers/promises'

/** Milliseconds after which work lets go: less than a request takes. */
const most = 4

/**
 * Does work that is written in steps (a generator) and lets the calls of others in between every few milliseconds, so
 * that however much there is to do nobody waits for the whole of it.
 */
export async function yieldingToEventLoop<Result>(steps: Iterator<undefined, Result>): Promise<Result> {
  let began = performance.now()
  let step = steps.next()
  while (!step.done) {
    if (performance.now() - began > most) {
      await setImmediate()
      began = performance.now()
    }
    step = steps.next()
  }
  return step.value
}
