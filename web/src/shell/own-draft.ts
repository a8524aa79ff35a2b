import { storageKey } from './area.ts'
import { onSessionChange, signedIn } from './session.ts'

/**
 * Drafts of one person that outlast a session which has run out: long work on a bad line. Kept where the session is kept,
 * in this tab or, for those who stay signed in, on this device. Gone when they log out or somebody else signs in.
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
  try {
    const text = places().map((place) => place.getItem(ownPrefix() + key))
    return JSON.parse(text.find((one) => one !== null) ?? 'null')
  } catch {
    return undefined
  }
}

/** Keeps it; undefined discards it. False where the device has no room for it, or nobody is signed in. */
export function writeOwnDraft(key: string, values: unknown): boolean {
  if (!signedIn()) return false
  const name = ownPrefix() + key
  try {
    for (const place of places()) place.removeItem(name)
    if (values === undefined) return true
    const place = places().find((one) => one.getItem(storageKey('token')) !== null) ?? places()[0]
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

/** Forgets the drafts of everybody: at log-out, computers at schools are shared. */
export const dropOwnDrafts = () => drop(() => true)

function sweep(): void {
  if (signedIn()) drop((key) => !key.startsWith(ownPrefix()))
}
onSessionChange(sweep)
sweep()
