import { useEffect, useRef, useState } from 'react'
import { keepOwnDraft, readOwnDraft, writeOwnDraft } from './own-draft.ts'

interface Drafted<Values> {
  setValues: (values: Partial<Values>) => void
  reset: () => void
}

/**
 * Keeps a form's values in the tab's storage while they are typed, and brings them back once: to the person who typed
 * them, also after a session that has run out.
 */
export function useDraft<Values>(key: string | undefined, form: Drafted<Values>) {
  const latest = useRef(form)
  latest.current = form
  const [restored, setRestored] = useState(false)

  useEffect(() => {
    if (!key) return
    const found = readOwnDraft(key)
    if (typeof found === 'object' && found !== null) {
      latest.current.setValues(found as Partial<Values>)
      setRestored(true)
    }
  }, [key])

  const keep = (values: Values) => {
    if (key) keepOwnDraft(key, values)
  }
  const drop = () => {
    if (key) writeOwnDraft(key, undefined, 'tab')
    setRestored(false)
  }
  const discard = () => {
    latest.current.reset()
    drop()
  }
  return { keep, drop, discard, restored }
}
