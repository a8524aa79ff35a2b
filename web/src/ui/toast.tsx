import './toast.css'
import { useEffect, useState } from 'react'
import { Button, IconButton } from './button.tsx'
import { Icon } from './icon.tsx'
import { useKitWords } from './kit-words.ts'
import { makeListeners } from './listeners.ts'

/** How long a success message stays, in ms (specification, sections 2.9 and 9); longer while hovered. */
export const toastMs = 2000

/** How long a message with an undo button stays, in ms. */
export const undoMs = 10_000

/** The undo button, shown with the message */
interface Undo {
  label: string
  act: () => void
}

interface Toast {
  id: number
  kind: 'ok' | 'bad'
  text: string
  undo?: Undo | undefined
}

let toasts: readonly Toast[] = []
let lastId = 0
const [useCurrent, notify] = makeListeners()

function setToasts(next: readonly Toast[]) {
  toasts = next
  notify()
}

function add(kind: Toast['kind'], text: string, undo?: Undo) {
  // An action that was already undone has no message.
  if (text === '') return
  const isSame = (shown: Toast) => shown.kind === kind && shown.text === text
  // A permanent message is not repeated; a temporary one is shown again in place of the first.
  if (kind === 'bad' && toasts.some(isSame)) return
  lastId += 1
  setToasts([...toasts.filter((shown) => !isSame(shown)).slice(-4), { id: lastId, kind, text, undo }])
}

/** Short messages at the top right: plain text, no duplicates. Never the only place of important information. */
export const toast = {
  /** Disappears after 2 s, or 10 s with an undo button; stays while hovered or focused. */
  success: (text: string, undo?: Undo) => add('ok', text, undo),
  /** Stays until closed. */
  error: (text: string) => add('bad', text),
  /** Closes an error that has been resolved. */
  withdraw: (text: string) =>
    setToasts(toasts.filter((shown) => shown.kind !== 'bad' || shown.text !== text)),
  /** Closes all messages, at sign-out and for tests. */
  clear: () => setToasts([]),
}

function ToastItem({ id, kind, text, undo }: Toast) {
  const words = useKitWords()
  const [held, setHeld] = useState(false)
  const close = () => setToasts(toasts.filter((shown) => shown.id !== id))
  useEffect(() => {
    if (kind === 'bad' || held) return
    const timer = setTimeout(
      () => setToasts(toasts.filter((shown) => shown.id !== id)),
      undo ? undoMs : toastMs,
    )
    return () => clearTimeout(timer)
  }, [kind, held, id, undo])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only keeps the message, it does nothing else
    <div
      className={kind === 'bad' ? 'toast bad' : 'toast'}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}>
      <Icon name={kind === 'bad' ? 'warning' : 'ok'} />
      {/* The container is a polite live region: a second one inside would be read twice. */}
      <p role={kind === 'bad' ? 'alert' : undefined}>{text}</p>
      {undo && (
        <Button
          kind="text"
          icon="undo"
          onClick={() => {
            close()
            undo.act()
          }}>
          {undo.label}
        </Button>
      )}
      <IconButton icon="close" label={words.close} onClick={close} />
    </div>
  )
}

/** Shows the messages; rendered once in each shell. */
export function Toaster() {
  const words = useKitWords()
  const shown = useCurrent(() => toasts)
  return (
    <section className="toasts" aria-label={words.notifications} aria-live="polite">
      {shown.map((toast) => (
        <ToastItem key={toast.id} {...toast} />
      ))}
    </section>
  )
}
