import { useSyncExternalStore } from 'react'

/** The open question, shared by all calls that wait for it. */
interface OpenQuestion {
  answered: Promise<boolean>
  answer: (confirmed: boolean) => void
}

let open: OpenQuestion | undefined
const listeners = new Set<() => void>()

function setQuestion(next: OpenQuestion | undefined): void {
  open = next
  for (const listener of listeners) listener()
}

/** Asks the officer to confirm their identity (`ProofDialog`). Resolves to whether they did. */
export function askToConfirm(): Promise<boolean> {
  if (open) return open.answered
  let answer: OpenQuestion['answer'] = () => undefined
  const answered = new Promise<boolean>((resolve) => {
    answer = resolve
  })
  setQuestion({ answered, answer })
  return answered
}

/** Closes the question: confirmed or cancelled. */
export function closeQuestion(confirmed: boolean): void {
  const ended = open
  setQuestion(undefined)
  ended?.answer(confirmed)
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useIsAsking = (): boolean => useSyncExternalStore(subscribe, () => open !== undefined)
