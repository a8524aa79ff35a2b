import type { Endpoint } from '@podium/contract/endpoint'
import { useState } from 'react'
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
