import { setImmediate } from 'node:timers/promises'
import { Refusal } from './errors.ts'

/**
 * Limits a costly operation to `atOnce` running at a time, with up to `longest` more waiting; any beyond that are
 * refused as `busy`. Returns a function that waits for a free slot and resolves to the function that releases it, which
 * is safe to call twice.
 */
export function turns(atOnce: number, longest: number): () => Promise<() => void> {
  let running = 0
  const waiting: Array<() => void> = []
  return async () => {
    if (running >= atOnce) {
      if (waiting.length >= longest) throw new Refusal('busy', { retryAfter: 5 })
      // The slot passes directly to the next one waiting, so `running` stays as it is.
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running++
    let ended = false
    return () => {
      if (ended) return
      ended = true
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}

/** Waits for a slot, does the work and releases the slot. */
export async function inTurn<Done>(turn: ReturnType<typeof turns>, work: () => Promise<Done>): Promise<Done> {
  const end = await turn()
  try {
    return await work()
  } finally {
    end()
  }
}

/** Milliseconds of work before yielding; less than a request takes. */
const most = 4

/**
 * Runs work written as steps (a generator) and yields to other calls every few milliseconds, so that a long computation
 * never blocks the process.
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
