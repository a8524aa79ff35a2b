import type { Endpoint } from '@podium/contract/endpoint'
import { useState } from 'react'
import { toast } from '#ui/toast.tsx'
import { CallError } from './call.ts'
import { useSentences } from './language/sentences.ts'
import { useInvalidate } from './query.ts'

/** The way back that is offered beside what was done; `work` gives undefined where there is nothing to undo. */
interface Undo<T> {
  work: (answer: T) => (() => Promise<unknown>) | undefined
  done: string
  label: string
}

/**
 * Does something at the press of a button and says so; a refusal is said too. Either way what shows it (`invalidates`, as in
 * `useInvalidate`) is asked anew, and `busy` lasts until it is there. `act` answers whether it was done.
 */
export function useAct(invalidates?: readonly Endpoint[] | 'all') {
  const renew = useInvalidate(invalidates)
  const say = useSentences()
  const [busy, setBusy] = useState(false)
  async function act<T>(
    work: () => Promise<T>,
    done?: string | ((answer: T) => string),
    undo?: Undo<T>,
  ): Promise<boolean> {
    setBusy(true)
    try {
      const answer = await work()
      const back = undo?.work(answer)
      const takeBack = back && undo && { label: undo.label, act: () => void act(back, undo.done) }
      if (done !== undefined) toast.success(typeof done === 'string' ? done : done(answer), takeBack)
      return true
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      toast.error(say(cause.message))
      return false
    } finally {
      await renew()
      setBusy(false)
    }
  }
  return { busy, act }
}

/**
 * Does something at the press of a button whose page or dialog shows the refusal itself, at once: the `problem`. What shows it
 * is asked anew either way. `attempt` answers whether it was done, once that is there.
 */
export function useAttempt(invalidates?: readonly Endpoint[] | 'all') {
  const renew = useInvalidate(invalidates)
  const say = useSentences()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  async function attempt(work: () => Promise<unknown>): Promise<boolean> {
    setBusy(true)
    setProblem(undefined)
    try {
      await work()
      await renew()
      return true
    } catch (cause) {
      void renew()
      if (!(cause instanceof CallError)) throw cause
      setProblem(say(cause.message))
      return false
    } finally {
      setBusy(false)
    }
  }
  return { busy, problem, attempt }
}
