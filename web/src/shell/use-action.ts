import type { Endpoint } from '@podium/contract/endpoint'
import { useId, useRef, useState } from 'react'
import { toast } from '#ui/toast.tsx'
import { CallError } from './call.ts'
import { canRepeat } from './call-once.ts'
import { useSentences } from './language/sentences.ts'
import { useInvalidate } from './query.ts'
import { words } from './words.ts'

/** What follows on the action of a dialog. */
export interface ActionOutcome<T> {
  /** Calls to refetch afterwards, refused or not. */
  invalidates?: readonly Endpoint[] | 'all' | undefined
  /** The success message. */
  done?: string | ((answer: T) => string) | undefined
  /** What happens next; by default the dialog closes. */
  onDone?: ((answer: T) => unknown) | undefined
  onClose: () => void
}

/**
 * The two ways a dialog closes: `close` by its user, `closeAfter` by the answer to its call. An answer that comes after
 * the user has closed the dialog closes nothing: another one may be open by then.
 */
export function useClosing(onClose: () => void) {
  const closed = useRef(false)
  return {
    close: () => {
      closed.current = true
      onClose()
    },
    closeAfter: () => {
      if (!closed.current) onClose()
    },
  }
}

/** Returns the text of a refusal: its sentence, and that nothing is lost if it only has to be sent again. */
export function useRefusalText() {
  const translate = useSentences()
  const t = words.use()
  return (cause: CallError) =>
    [translate(cause.message), canRepeat(cause) && t('nothingLost')].filter(Boolean).join(' ')
}

const failed = new Map<string, string>()

/** Closes the error of an action that is tried again, unless another one failed for the same reason. */
export function settle(action: string): void {
  const text = failed.get(action)
  failed.delete(action)
  if (text !== undefined && ![...failed.values()].includes(text)) toast.withdraw(text)
}

/** Shows why an action failed, until it is closed or, if it is named, settled. */
export function showError(text: string, action?: string): void {
  if (action !== undefined) {
    settle(action)
    failed.set(action, text)
  }
  toast.error(text)
}

/** The undo button beside a success message; `work` returns undefined if there is nothing to undo. */
interface Undo<T> {
  work: (answer: T) => (() => Promise<unknown>) | undefined
  done: string
  label: string
}

/**
 * Runs an action on a click and shows a message with the result or the refusal, which goes once an action of the same
 * `done` is tried again. In both cases it refetches `invalidates` (as `useInvalidate` takes it), until when it is `busy`.
 * `act` resolves to whether the action succeeded.
 */
export function useAction(invalidates?: readonly Endpoint[] | 'all') {
  const invalidate = useInvalidate(invalidates)
  const textOf = useRefusalText()
  const id = useId()
  const [busy, setBusy] = useState(false)
  async function act<T>(
    work: () => Promise<T>,
    done?: string | ((answer: T) => string),
    undo?: Undo<T>,
  ): Promise<boolean> {
    const action = `${id} ${typeof done === 'string' ? done : ''}`
    settle(action)
    setBusy(true)
    try {
      const answer = await work()
      const undoWork = undo?.work(answer)
      const undoButton = undoWork && undo && { label: undo.label, act: () => void act(undoWork, undo.done) }
      if (done !== undefined) toast.success(typeof done === 'string' ? done : done(answer), undoButton)
      return true
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      showError(textOf(cause), action)
      return false
    } finally {
      await invalidate()
      setBusy(false)
    }
  }
  return { busy, act }
}

/**
 * Runs an action whose page or dialog shows the refusal itself, as `problem` (or `error`, with its issues).
 * `invalidates` is refetched in both cases; `attempt` then calls `next` with the answer, and resolves to whether the
 * action succeeded. If another attempt has started meanwhile (another file was chosen), only that one's outcome counts.
 */
export function useAttempt(invalidates?: readonly Endpoint[] | 'all') {
  const invalidate = useInvalidate(invalidates)
  const textOf = useRefusalText()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<CallError>()
  const latest = useRef(0)
  async function attempt<T>(work: () => Promise<T>, next?: (answer: T) => unknown): Promise<boolean> {
    latest.current += 1
    const own = latest.current
    const isLatest = () => latest.current === own
    setBusy(true)
    setError(undefined)
    try {
      const answer = await work()
      await invalidate()
      if (isLatest()) await next?.(answer)
      return true
    } catch (cause) {
      void invalidate()
      if (!(cause instanceof CallError)) throw cause
      if (isLatest()) setError(cause)
      return false
    } finally {
      if (isLatest()) setBusy(false)
    }
  }
  return { busy, error, problem: error && textOf(error), attempt }
}
