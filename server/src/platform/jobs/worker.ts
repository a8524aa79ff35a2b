import type { Tx } from '../db/database.ts'

interface WorkerOptions {
  /** Does one round of work; resolves to true if there may be more. */
  turn: () => Promise<boolean>
  /** How often to look without being woken. */
  everyMs: number
  onError: (thrown: unknown) => void
}

export interface Worker {
  /** Looks now, without waiting. */
  wake(): void
  /** Looks now; resolves when nothing is left to do. */
  drain(): Promise<void>
  /** Finishes the current round and stops looking. */
  stop(): Promise<void>
  readonly stopped: boolean
}

/** Does rounds of work, one at a time, when woken and at intervals; an error ends the round but not the worker. */
export function startWorker({ turn, everyMs, onError }: WorkerOptions): Worker {
  let again = false
  let stopped = false
  let running: Promise<void> | undefined

  async function runRounds(): Promise<void> {
    do {
      again = false
      if (await turn()) again = true
    } while (again && !stopped)
  }

  function lookForWork(): Promise<void> {
    if (stopped) return running ?? Promise.resolve()
    again = true
    running ??= runRounds()
      .catch(onError)
      .finally(() => {
        running = undefined
      })
    return running
  }

  const timer = setInterval(() => void lookForWork(), everyMs)
  timer.unref()
  queueMicrotask(() => void lookForWork())
  return {
    wake: () => void lookForWork(),
    drain: lookForWork,
    async stop() {
      stopped = true
      clearInterval(timer)
      await running
    },
    get stopped() {
      return stopped
    },
  }
}

/** Transactions that have added a mail to the outbox or a job. */
const waking = new WeakSet<object>()

/** Marks a transaction as leaving work to do after its commit. */
export function markForWake(tx: Tx): void {
  waking.add(tx)
}

/** Whether the outbox and the job runner must be woken after this transaction's commit. */
export const needsWake = (tx: object): boolean => waking.has(tx)
