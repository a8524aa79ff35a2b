import { setImmediate } from 'node:timers/promises'
import { Refusal } from './errors.ts'

/**
 * Limits a costly operation to `maxRunning` running at a time, with up to `maxWaiting` more waiting; any beyond that are
 * refused as `busy`. Returns a function that waits for a free slot and resolves to the function that releases it, which
 * is safe to call twice.
 */
export function concurrencyLimit(maxRunning: number, maxWaiting: number): () => Promise<() => void> {
  let running = 0
  const waiting: Array<() => void> = []
  return async () => {
    if (running >= maxRunning) {
      if (waiting.length >= maxWaiting) throw new Refusal('busy', { retryAfter: 5 })
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
export async function withSlot<Done>(
  acquire: ReturnType<typeof concurrencyLimit>,
  work: () => Promise<Done>,
): Promise<Done> {
  const end = await acquire()
  try {
    return await work()
  } finally {
    end()
  }
}

/** Milliseconds of work before yielding; less than a request takes. */
const yieldAfterMs = 4

/**
 * Runs work written as steps (a generator) and yields to other calls every few milliseconds, so that a long computation
 * never blocks the process.
 */
export async function yieldingToEventLoop<Result>(steps: Iterator<undefined, Result>): Promise<Result> {
  let began = performance.now()
  let step = steps.next()
  while (!step.done) {
    if (performance.now() - began > yieldAfterMs) {
      await setImmediate()
      began = performance.now()
    }
    step = steps.next()
  }
  return step.value
}
