import type { Endpoint } from '@podium/contract/endpoint'
import { useState } from 'react'
import { useSentences } from '#shell/language/sentences.ts'
import { Button } from '#ui/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '#ui/dialog.tsx'
import { toast } from '#ui/toast.tsx'
import { useInvalidate } from './query.ts'
import { useAct } from './use-action.ts'

/** What a dialog about several records of a list is given. */
export interface SeveralProps<Row> {
  rows: readonly Row[]
  onClose: () => void
  /** Something was done: what is left of the choice is not chosen any more. */
  onDone: () => void
}

interface Outcome<Done> {
  done: Done[]
  refused: { id: number; message: string }[]
}

interface Asked<Row, Done> {
  /** What is out of date afterwards; everything, unless said */
  invalidates?: readonly Endpoint[] | 'all'
  /** What a notice says when all were done */
  said: (done: Done[], asked: readonly Row[]) => string
}

/**
 * The same done with several records at once: the records as they were when the dialog opened, a key that makes a
 * repeated request safe, and what has become of them. A form gives its answer to `told`, a question asks by `confirm`.
 * While something was refused `outcome` says what (`RefusedDialog`). The lists behind are read anew meanwhile, so the
 * dialog stands beside its list, never in a row or a bar of it: what leaves the list would take the dialog along, unread.
 */
export function useBulkAction<Row, Done extends object>(
  { rows, onClose, onDone }: SeveralProps<Row>,
  { invalidates = 'all', said }: Asked<Row, Done>,
) {
  const renew = useInvalidate(invalidates)
  const { busy, act } = useAct()
  const [asked] = useState(rows)
  const [key] = useState(() => crypto.randomUUID())
  const [outcome, setOutcome] = useState<Outcome<Done>>()
  const told = (answer: Outcome<Done>) => {
    onDone()
    void renew()
    if (answer.refused.length > 0) return setOutcome(answer)
    toast.success(said(answer.done, asked))
    onClose()
  }
  const confirm = (ask: (idempotencyKey: string) => Promise<Outcome<Done>>) =>
    act(async () => told(await ask(key)))
  return { asked, key, told, confirm, busy, outcome }
}

interface RefusedProps {
  title: string
  /** How many were done, and how many were not */
  says: string
  refused: readonly { id: number; message: string }[]
  /** The name of a record by its id */
  nameOf: (id: number) => string
  understood: string
  onClose: () => void
}

/** What of many was done, and what could not be done and why, record by record. */
export function RefusedDialog({ title, says, refused, nameOf, understood, onClose }: RefusedProps) {
  const say = useSentences()
  return (
    <Dialog opened onClose={onClose} title={title} size="small">
      <DialogBody>
        <p aria-live="polite">{says}</p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list scrolls and must be reachable by keyboard */}
        <ul className="ruled long" aria-label={title} tabIndex={0}>
          {refused.map(({ id, message }) => (
            <li key={id} className="stack gap-1">
              <b>{nameOf(id)}</b>
              <span>{say(message)}</span>
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
