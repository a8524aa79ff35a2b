import type { Tx } from '../db/database.ts'

interface WorkerOptions {
  /** One round of work; true when there may be more at once. */
  turn: () => Promise<boolean>
  /** How often to look without being told. */
  everyMs: number
  onError: (thrown: unknown) => void
}

export interface Worker {
  /** Looks now, without waiting for it. */
  nudge(): void
  /** Looks now; resolves when nothing is left to do. */
  drain(): Promise<void>
  /** Finishes the round it is in and looks no more. */
  stop(): Promise<void>
  readonly stopped: boolean
}

/** Does rounds of work, one at a time, when told and every so often; an error ends the round and not the worker. */
export function startWorker({ turn, everyMs, onError }: WorkerOptions): Worker {
  let again = false
  let stopped = false
  let running: Promise<void> | undefined

  async function rounds(): Promise<void> {
    do {
      again = false
      if (await turn()) again = true
    } while (again && !stopped)
  }

  function look(): Promise<void> {
    if (stopped) return running ?? Promise.resolve()
    again = true
    running ??= rounds()
      .catch(onError)
      .finally(() => {
        running = undefined
      })
    return running
  }

  const timer = setInterval(() => void look(), everyMs)
  timer.unref()
  queueMicrotask(() => void look())
  return {
    nudge: () => void look(),
    drain: look,
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

/** Transactions that have put a mail into the outbox or planned work. */
const waking = new WeakSet<object>()

/** Notes that something waits to be done once the transaction is committed. */
export function wakesAfter(tx: Tx): void {
  waking.add(tx)
}

/** Whether outbox and jobs are to be woken now that the transaction is committed. */
export const wakes = (tx: object): boolean => waking.has(tx)
