import { useSyncExternalStore } from 'react'

/** The one question that is open, for all calls that wait for it. */
interface Asking {
  answered: Promise<boolean>
  answer: (confirmed: boolean) => void
}

let open: Asking | undefined
const listeners = new Set<() => void>()

function put(next: Asking | undefined): void {
  open = next
  for (const tell of listeners) tell()
}

/** Asks the officer to prove again who is there (`ProofDialog`). Answers whether that was done. */
export function askToConfirm(): Promise<boolean> {
  if (open) return open.answered
  let answer: Asking['answer'] = () => undefined
  const answered = new Promise<boolean>((resolve) => {
    answer = resolve
  })
  put({ answered, answer })
  return answered
}

/** Ends the question: confirmed, or closed. */
export function endAsking(confirmed: boolean): void {
  const ended = open
  put(undefined)
  ended?.answer(confirmed)
}

const subscribe = (tell: () => void) => {
  listeners.add(tell)
  return () => listeners.delete(tell)
}

export const useAsking = (): boolean => useSyncExternalStore(subscribe, () => open !== undefined)
