import { useEffect, useRef, useState } from 'react'
import { readDraft, writeDraft } from './session.ts'

interface Drafted<Values> {
  setValues: (values: Partial<Values>) => void
  reset: () => void
}

const writesAfter = 300

/** Keeps a form's values in the tab's storage while they are typed, and brings them back once. */
export function useDraft<Values>(key: string | undefined, form: Drafted<Values>) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef(form)
  latest.current = form
  const [restored, setRestored] = useState(false)

  useEffect(() => {
    if (!key) return
    const found = readDraft(key)
    if (typeof found === 'object' && found !== null) {
      latest.current.setValues(found as Partial<Values>)
      setRestored(true)
    }
    return () => clearTimeout(timer.current)
  }, [key])

  const keep = (values: Values) => {
    if (!key) return
    clearTimeout(timer.current)
    timer.current = setTimeout(() => writeDraft(key, values), writesAfter)
  }
  const drop = () => {
    clearTimeout(timer.current)
    if (key) writeDraft(key, undefined)
    setRestored(false)
  }
  const discard = () => {
    latest.current.reset()
    drop()
  }
  return { keep, drop, discard, restored }
}
