import { onSessionChange, signedIn, storageKey } from './session.ts'

/**
 * Drafts of one person that outlast a session which has run out: long work on a bad line, a form that was filled in over
 * lunch. Gone when they log out or somebody else signs in.
 */
const prefix = storageKey('own.')
const ownPrefix = () => `${prefix}${signedIn()?.userId ?? 0}.`

/** Storage can be switched off in a browser; then there are no drafts. */
function places(): Storage[] {
  try {
    return [sessionStorage, localStorage]
  } catch {
    return []
  }
}

export function readOwnDraft(key: string): unknown {
  // A dialog may be opened again before typing has paused.
  const waits = unwritten.get(key)
  if (waits) return waits.values
  try {
    const text = places().map((place) => place.getItem(ownPrefix() + key))
    return JSON.parse(text.find((one) => one !== null) ?? 'null')
  } catch {
    return undefined
  }
}

/** In this tab, where the same form in another has a draft of its own; or where the session is kept, which may be the device. */
type Where = 'tab' | 'session'

const writesAfter = 300
const unwritten = new Map<string, { values: unknown; timer: ReturnType<typeof setTimeout> }>()

/** Keeps it in this tab once typing pauses. */
export function keepOwnDraft(key: string, values: unknown): void {
  clearTimeout(unwritten.get(key)?.timer)
  const timer = setTimeout(() => writeOwnDraft(key, values, 'tab'), writesAfter)
  unwritten.set(key, { values, timer })
}

/** Keeps at once what waits for a pause: before a session is known to be over, after which nobody's drafts are kept. */
export function writeOwnDrafts(): void {
  for (const [key, { values }] of unwritten) writeOwnDraft(key, values, 'tab')
}

function forgetUnwritten(key: string): void {
  clearTimeout(unwritten.get(key)?.timer)
  unwritten.delete(key)
}

/** Keeps it; undefined discards it. False where the device has no room for it, or nobody is signed in. */
export function writeOwnDraft(key: string, values: unknown, where: Where): boolean {
  forgetUnwritten(key)
  if (!signedIn()) return false
  const name = ownPrefix() + key
  try {
    for (const place of places()) place.removeItem(name)
    if (values === undefined) return true
    const ofSession = places().find((one) => one.getItem(storageKey('token')) !== null)
    const place = (where === 'session' && ofSession) || places()[0]
    place?.setItem(name, JSON.stringify(values))
    return place !== undefined
  } catch {
    return false
  }
}

function drop(gone: (key: string) => boolean): void {
  for (const place of places())
    for (const key of Object.keys(place)) if (key.startsWith(prefix) && gone(key)) place.removeItem(key)
}

/** Whether something typed waits for its person to sign in again: values by name, not the id of an import that is followed. */
export const keepsOwnDraft = (): boolean =>
  places().some((place) =>
    Object.keys(place).some((key) => key.startsWith(prefix) && place.getItem(key)?.startsWith('{')),
  )

/** Forgets the drafts of everybody: at log-out, computers at schools are shared. */
export function dropOwnDrafts(): void {
  for (const key of unwritten.keys()) forgetUnwritten(key)
  drop(() => true)
}

function sweep(): void {
  if (signedIn()) drop((key) => !key.startsWith(ownPrefix()))
}
onSessionChange(sweep)
sweep()
