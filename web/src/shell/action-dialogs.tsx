import type { Endpoint } from '@podium/contract/endpoint'
import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { translateSentence, useSentences } from '#shell/language/sentences.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog, Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { Note } from '#ui/note.tsx'
import { toast } from '#ui/toast.tsx'
import { CallError } from './call.ts'
import { useInvalidate } from './query.ts'
import { type ActionOutcome, useAction, useAttempt, useClosing } from './use-action.ts'

type Question = Omit<ComponentProps<typeof ConfirmDialog>, 'opened' | 'onConfirm' | 'onCancel'>

/** Whether its component has gone from the page meanwhile; calls `then` when it goes. */
function useGone(then?: () => unknown) {
  const gone = useRef(false)
  const last = useRef(then)
  useEffect(() => {
    gone.current = false
    return () => {
      gone.current = true
      last.current?.()
    }
  }, [])
  return gone
}

interface ConfirmActionProps<T> extends Question, ActionOutcome<T> {
  /** If it is refused, the dialog stays open and says why. */
  act: () => Promise<T>
}

/** Asks before an action, and performs it. */
export function ConfirmAction<T>(props: ConfirmActionProps<T>) {
  const closing = useClosing(props.onClose)
  const { act, invalidates, done, onClose: _, onDone = closing.closeAfter, busy = false, ...rest } = props
  const { children, ...question } = rest
  const { busy: acting, problem, attempt } = useAttempt(invalidates)
  const unread = useRef<string>(undefined)
  useEffect(() => {
    unread.current = problem
  }, [problem])
  // The refetched page may have lost what the dialog belongs to, or its user has closed it while the call runs: the
  // refusal outlives it as a message.
  const gone = useGone(() => unread.current && toast.error(unread.current))
  const ask = () =>
    act().catch((cause) => {
      // After the session's end the sign-in says so.
      if (gone.current && cause instanceof CallError && cause.status !== 401)
        toast.error(translateSentence(cause.message))
      throw cause
    })
  const confirm = () =>
    attempt(ask, (answer) => {
      if (done !== undefined) toast.success(typeof done === 'string' ? done : done(answer))
      return onDone(answer)
    })
  const close = () => {
    unread.current = undefined
    closing.close()
  }
  return (
    <ConfirmDialog {...question} opened busy={busy || acting} onConfirm={confirm} onCancel={close}>
      <div className="stack gap-3">
        <div>{children}</div>
        {problem && <Note kind="bad">{problem}</Note>}
      </div>
    </ConfirmDialog>
  )
}

/** Props of a dialog about several records of a list. */
export interface BulkActionProps<Row> {
  rows: readonly Row[]
  onClose: () => void
  /** Something was done: clear the selection. */
  onDone: () => void
}

interface Outcome<Done> {
  done: Done[]
  refused: { id: number; message: string }[]
}

interface BulkActionOptions<Row, Done> {
  /** Calls that are out of date afterwards; default: all */
  invalidates?: readonly Endpoint[] | 'all'
  /** The message when all were done */
  doneText: (done: Done[], asked: readonly Row[]) => string
}

/**
 * Runs an action on several records: keeps the records as they were when the dialog opened, a key that makes a repeated
 * request safe, and the result. A form passes its answer to `showOutcome`, a question uses `confirm`. `outcome` has what was
 * refused (`RefusedDialog`). Lists are refetched meanwhile, so render the dialog beside its list, never in a row or
 * toolbar: a record that leaves the list would close the dialog unread.
 */
export function useBulkAction<Row, Done extends object>(
  { rows, onClose, onDone }: BulkActionProps<Row>,
  { invalidates = 'all', doneText }: BulkActionOptions<Row, Done>,
) {
  const invalidate = useInvalidate(invalidates)
  const { busy, act } = useAction()
  const [asked] = useState(rows)
  const [key] = useState(() => crypto.randomUUID())
  const [outcome, setOutcome] = useState<Outcome<Done>>()
  const gone = useGone()
  const showOutcome = (answer: Outcome<Done>) => {
    onDone()
    void invalidate()
    if (answer.refused.length > 0 && !gone.current) return setOutcome(answer)
    for (const why of new Set(answer.refused.map(({ message }) => message)))
      toast.error(translateSentence(why))
    if (answer.done.length > 0 || answer.refused.length === 0) toast.success(doneText(answer.done, asked))
    if (!gone.current) onClose()
  }
  const confirm = (ask: (idempotencyKey: string) => Promise<Outcome<Done>>) =>
    act(async () => {
      // Some may be done when a later call fails.
      const answer = await ask(key).catch((cause) => {
        void invalidate()
        throw cause
      })
      showOutcome(answer)
    })
  return { asked, key, showOutcome, confirm, busy, outcome }
}

interface RefusedProps {
  title: string
  /** Text with the number done and refused */
  summary: string
  refused: readonly { id: number; message: string }[]
  /** Returns the name of a record */
  nameOf: (id: number) => string
  understood: string
  onClose: () => void
}

/** Shows how many records were done, and which were refused and why. */
export function RefusedDialog({ title, summary, refused, nameOf, understood, onClose }: RefusedProps) {
  const translate = useSentences()
  return (
    <Dialog opened onClose={onClose} title={title} size="small">
      <DialogBody>
        <p aria-live="polite">{summary}</p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list scrolls and must be reachable by keyboard */}
        <ul className="ruled long" aria-label={title} tabIndex={0}>
          {refused.map(({ id, message }) => (
            <li key={id} className="stack gap-1">
              <b>{nameOf(id)}</b>
              <span>{translate(message)}</span>
            </li>
          ))}
        </ul>
      </DialogBody>
      <DialogFoot>
        <Button kind="primary" data-autofocus onClick={onClose}>
          {understood}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
