import type { Endpoint } from '@podium/contract/endpoint'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from '#ui/toast.tsx'
import { CallError } from './call.ts'
import { useSentences } from './language/sentences.ts'

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
  renews?: readonly Endpoint[]
  /** What a notice says when all were done */
  said: (done: Done[], asked: readonly Row[]) => string
}

/**
 * The same done with several records at once: the records as they were when the dialog opened, a key that makes a
 * repeated request safe, and what has become of them. `act` is for a form, which shows its own refusals; `confirm` for a
 * question. While something was refused `outcome` says what (`RefusedDialog`), and `end` closes that. The lists behind
 * are read anew only then: an emptied list would take its dialogs along, unread.
 */
export function useSeveral<Row extends { id: number }, Done extends object>(
  { rows, onClose, onDone }: SeveralProps<Row>,
  { renews, said }: Asked<Row, Done>,
) {
  const client = useQueryClient()
  const say = useSentences()
  const [asked] = useState(rows)
  const [key] = useState(() => crypto.randomUUID())
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome<Done>>()
  const renew = (refetchType: 'active' | 'none') => {
    const filters = renews?.map(({ path }) => ({ queryKey: [path] })) ?? [{}]
    for (const one of filters) void client.invalidateQueries({ ...one, refetchType })
  }
  const end = () => {
    onDone()
    onClose()
    renew('active')
  }
  const act = async (ask: (idempotencyKey: string) => Promise<Outcome<Done>>) => {
    const answer = await ask(key)
    if (answer.refused.length === 0) {
      toast.success(said(answer.done, asked))
      end()
      return
    }
    renew('none')
    setOutcome(answer)
  }
  const confirm = async (ask: (idempotencyKey: string) => Promise<Outcome<Done>>) => {
    setBusy(true)
    try {
      await act(ask)
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      toast.error(say(cause.message))
    } finally {
      setBusy(false)
    }
  }
  return { asked, act, confirm, busy, outcome, end }
}
