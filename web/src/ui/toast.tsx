import './toast.css'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { Button, IconButton } from './button.tsx'
import { Icon } from './icon.tsx'
import { useKitWords } from './kit-words.ts'

/** How long a message of success stays, in ms (specification, sections 2.9 and 9); it waits while it is pointed at. */
export const toastMs = 2000

/** How long one stays that can be undone. */
export const undoMs = 10_000

/** The way back, while the message is there */
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
const listeners = new Set<() => void>()

function put(next: readonly Toast[]) {
  toasts = next
  for (const tell of listeners) tell()
}

function add(kind: Toast['kind'], text: string, undo?: Undo) {
  // Of what a person has taken back there is nothing to say.
  if (text === '') return
  const same = (shown: Toast) => shown.kind === kind && shown.text === text
  // What stays until it is closed says it already; what was done twice is said twice, the second time in place of the first.
  if (kind === 'bad' && toasts.some(same)) return
  lastId += 1
  put([...toasts.filter((shown) => !same(shown)).slice(-4), { id: lastId, kind, text, undo }])
}

/** Short messages at the top right: plain text, no duplicates. Nothing important lives in one alone. */
export const toast = {
  /** Leaves after 2 s, or 10 s where it can be undone; waits while pointed at or focused. */
  success: (text: string, undo?: Undo) => add('ok', text, undo),
  /** Stays until closed. */
  error: (text: string) => add('bad', text),
  /** Closes an error that has been seen to. */
  withdraw: (text: string) => put(toasts.filter((shown) => shown.kind !== 'bad' || shown.text !== text)),
  /** Closes all, at sign-out and for tests. */
  clear: () => put([]),
}

const subscribe = (tell: () => void) => {
  listeners.add(tell)
  return () => listeners.delete(tell)
}

function ToastItem({ id, kind, text, undo }: Toast) {
  const words = useKitWords()
  const [held, setHeld] = useState(false)
  const close = () => put(toasts.filter((shown) => shown.id !== id))
  useEffect(() => {
    if (kind === 'bad' || held) return
    const timer = setTimeout(() => put(toasts.filter((shown) => shown.id !== id)), undo ? undoMs : toastMs)
    return () => clearTimeout(timer)
  }, [kind, held, id, undo])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointing only holds the message, it does nothing else
    <div
      className={kind === 'bad' ? 'toast bad' : 'toast'}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon name={kind === 'bad' ? 'warning' : 'ok'} />
      {/* The place itself is polite: a second one inside would be read twice. */}
      <p role={kind === 'bad' ? 'alert' : undefined}>{text}</p>
      {undo && (
        <Button
          kind="text"
          icon="undo"
          onClick={() => {
            close()
            undo.act()
          }}
        >
          {undo.label}
        </Button>
      )}
      <IconButton icon="close" label={words.close} onClick={close} />
    </div>
  )
}

/** Shows the messages; stands once in each shell. */
export function Toaster() {
  const words = useKitWords()
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <section className="toasts" aria-label={words.notifications} aria-live="polite">
      {shown.map((one) => (
        <ToastItem key={one.id} {...one} />
      ))}
    </section>
  )
}
