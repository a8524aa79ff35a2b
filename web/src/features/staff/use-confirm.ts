import { officeConfirm } from '@podium/contract/staff/calls'
import { useState } from 'react'
import { type Answer, CallError, call } from '#shell/call.ts'
import { translateSentence } from '#shell/language/sentences.ts'
import { refusalWithTime } from './try-again.ts'
import { words } from './words.ts'

interface Confirming {
  onDone: (answer: Answer<typeof officeConfirm>) => void
  /** The step ran out, or its five tries did. */
  onOver: (sentence: string) => void
}

/** Sends the second factor: `problem` belongs under the field. */
export function useConfirm({ onDone, onOver }: Confirming) {
  const t = words.use()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const confirm = async (code: string) => {
    if (busy) return
    setProblem(undefined)
    setBusy(true)
    try {
      onDone(await call(officeConfirm, { body: { code } }))
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause
      if (cause.code === 'office.step_over') onOver(cause.message)
      else setProblem(translateSentence(refusalWithTime(cause, t).message))
    } finally {
      setBusy(false)
    }
  }
  return { busy, problem, setProblem, confirm }
}
