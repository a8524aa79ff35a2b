import { setImmediate } from 'node:timers/promises'
import { Refusal } from './errors.ts'

/**
 * Lets `atOnce` do something costly at a time and `longest` more wait for it; who comes then is refused as `busy`.
 * Answers a function that waits for one's turn and gives the one that ends it, which may be called again without harm.
 */
export function turns(atOnce: number, longest: number): () => Promise<() => void> {
  let running = 0
  const waiting: Array<() => void> = []
  return async () => {
    if (running >= atOnce) {
      if (waiting.length >= longest) throw new Refusal('busy', { retryAfter: 5 })
      // Whoever ends its turn hands it on: `running` stays as it is.
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

/** Waits for one's turn, does the work and hands the turn on. */
export async function inTurn<Done>(turn: ReturnType<typeof turns>, work: () => Promise<Done>): Promise<Done> {
  const end = await turn()
  try {
    return await work()
  } finally {
    end()
  }
}

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
