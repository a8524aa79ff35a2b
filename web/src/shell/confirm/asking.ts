import { makeListeners } from '#ui/listeners.ts'

/** The open question, shared by all calls that wait for it. */
interface OpenQuestion {
  answered: Promise<boolean>
  answer: (confirmed: boolean) => void
}

let open: OpenQuestion | undefined
const [useCurrent, notify] = makeListeners()

function setQuestion(next: OpenQuestion | undefined): void {
  open = next
  notify()
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

export const useIsAsking = (): boolean => useCurrent(() => open !== undefined)
