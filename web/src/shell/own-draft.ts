import { onSessionChange, signedIn, storageKey } from './session.ts'

/**
 * A user's drafts that outlast an expired session: long work on a bad line, a form filled in over lunch. Deleted when
 * the user signs out or someone else signs in.
 */
const prefix = storageKey('own.')
const ownPrefix = () => `${prefix}${signedIn()?.userId ?? 0}.`

/** A browser can have storage disabled; there are no drafts then. */
function storages(): Storage[] {
  try {
    return [sessionStorage, localStorage]
  } catch {
    return []
  }
}

export function readOwnDraft(key: string): unknown {
  // A dialog may be reopened before typing has paused.
  const unsaved = waiting.get(key)
  if (unsaved) return unsaved.values
  try {
    const text = storages().map((place) => place.getItem(ownPrefix() + key))
    return JSON.parse(text.find((item) => item !== null) ?? 'null')
  } catch {
    return undefined
  }
}

/** The key of the rows that wait in the grid: one draft per school and season. */
export const gridDraftKey = (season: string) => `rows.${signedIn()?.schId ?? 0}.${season}`

/** Counts the rows that were typed into the grid and are not entered yet. */
export function countGridRows(season: string): number {
  const draft = readOwnDraft(gridDraftKey(season)) as { rows?: readonly string[][] } | null | undefined
  return draft?.rows?.filter((row) => row.some((text) => text.trim() !== '')).length ?? 0
}

/** `tab`: each tab has its own draft of a form; `session`: where the session is stored, maybe on the device. */
type DraftScope = 'tab' | 'session'

const writeDelay = 300
const waiting = new Map<string, { values: unknown; timer: ReturnType<typeof setTimeout>; save: () => void }>()

/** Saves a draft once typing pauses, and then says whether it could. */
export function saveOwnDraftSoon(
  key: string,
  values: unknown,
  scope: DraftScope = 'tab',
  then: (isSaved: boolean) => void = () => undefined,
): void {
  clearTimeout(waiting.get(key)?.timer)
  const save = () => then(saveOwnDraft(key, values, scope))
  waiting.set(key, { values, save, timer: setTimeout(save, writeDelay) })
}

/** Saves waiting drafts at once, while the session is still known; after it ends, no draft is saved. */
export function saveOwnDrafts(): void {
  for (const { save } of waiting.values()) save()
}

function cancelWaiting(key: string): void {
  clearTimeout(waiting.get(key)?.timer)
  waiting.delete(key)
}

/** Saves a draft; undefined discards it. Returns false if the device has no room or no one is signed in. */
export function saveOwnDraft(key: string, values: unknown, scope: DraftScope): boolean {
  cancelWaiting(key)
  if (!signedIn()) return false
  const name = ownPrefix() + key
  try {
    for (const place of storages()) place.removeItem(name)
    if (values === undefined) return true
    const ofSession = storages().find((storage) => storage.getItem(storageKey('token')) !== null)
    const place = (scope === 'session' && ofSession) || storages()[0]
    place?.setItem(name, JSON.stringify(values))
    return place !== undefined
  } catch {
    return false
  }
}

function removeDrafts(gone: (key: string) => boolean): void {
  for (const place of storages())
    for (const key of Object.keys(place)) if (key.startsWith(prefix) && gone(key)) place.removeItem(key)
}

/** Whether a draft is waiting for its user to sign in again; counts values by name, not the id of a followed import. */
export const hasOwnDraft = (): boolean =>
  storages().some((place) =>
    Object.keys(place).some((key) => key.startsWith(prefix) && place.getItem(key)?.startsWith('{')),
  )

/** Deletes the drafts of all users at sign-out, because school computers are shared. */
export function deleteOwnDrafts(): void {
  for (const key of waiting.keys()) cancelWaiting(key)
  removeDrafts(() => true)
}

function removeOthersDrafts(): void {
  if (signedIn()) removeDrafts((key) => !key.startsWith(ownPrefix()))
}
onSessionChange(removeOthersDrafts)
removeOthersDrafts()
