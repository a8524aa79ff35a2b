import { useSyncExternalStore } from 'react'

/** Which of the three bundles runs: written into its HTML file. Keys in the browser's storage carry it. */
type Area = 'school' | 'office' | 'family'

const given = document.documentElement.dataset.area
export const area: Area = given === 'office' || given === 'family' ? given : 'school'

/** Where this bundle's addresses begin: the empty path of the school portal, `/office` of the office. */
export const home: string = area === 'office' ? '/office' : '/'

/** A key in the browser's storage. The school's carry the specification's own names (`token`). */
export function storageKey(name: string): string {
  return area === 'school' ? name : `${area}.${name}`
}

/**
 * Who is signed in, as the answer to the sign-in told it. It decides what is offered, never what is allowed:
 * that is the server's.
 */
export interface SignedIn {
  userId: number
  userName: string
  /** No school id: the school is not registered yet, school pages lead to the dashboard. */
  schId?: number | null
  schCode?: string | null
  schName?: string | null
  /** Set while the foundation checks the school. */
  teacherId?: number | null
  /** The person's role, and which pages of the school it opens, as the server says (specification, section 3) */
  roleId?: number
  formPermissions?: readonly { route: string; allowed: boolean }[]
  /** Set while an officer of the foundation acts for the school, until this instant. */
  visit?: { officer: string; until: string }
  /** Office only: the role in words and what it may do. */
  role?: string
  permissions?: readonly string[]
}

const tokenKey = storageKey('token')
const userKey = storageKey('user')
const draftPrefix = storageKey('draft.')
const listeners = new Set<() => void>()

/** Storage can be switched off in a browser; then the session lasts as long as the page. */
function storages(): Storage[] {
  try {
    return [sessionStorage, localStorage]
  } catch {
    return []
  }
}

function readUser(): SignedIn | undefined {
  for (const storage of storages()) {
    const text = storage.getItem(userKey)
    if (!text) continue
    try {
      return JSON.parse(text)
    } catch {
      storage.removeItem(userKey)
    }
  }
  return undefined
}

let user = readUser()
let memoryToken = ''

function tell() {
  for (const listener of listeners) listener()
}

/** The token for the Authorization header; empty when nobody is signed in. */
export function token(): string {
  for (const storage of storages()) {
    const found = storage.getItem(tokenKey)
    if (found) return found
  }
  return memoryToken
}

export function signedIn(): SignedIn | undefined {
  return user
}

/** Keeps token and user: for this tab, or on this device with `stay`. */
export function startSession(given: string, who: SignedIn, stay = false): void {
  dropSession()
  const storage = storages()[stay ? 1 : 0]
  if (storage) {
    storage.setItem(tokenKey, given)
    storage.setItem(userKey, JSON.stringify(who))
  }
  memoryToken = given
  user = who
  tell()
}

/**
 * Takes up the token that the server gives in place of one; where it lies, other tabs find it too. Not where another one
 * is there by now: somebody has signed out or in, or another tab was faster.
 */
export function renewToken(before: string, next: string): void {
  if (token() !== before) return
  for (const storage of storages()) if (storage.getItem(tokenKey) === before) storage.setItem(tokenKey, next)
  if (memoryToken === before) memoryToken = next
}

/** Keeps a school's session that the office has opened, under the school's own keys: its portal finds it in this tab. */
export function startSchoolSession(given: string, who: SignedIn): void {
  for (const storage of storages()) {
    storage.removeItem('token')
    storage.removeItem('user')
  }
  const [tab] = storages()
  tab?.setItem('token', given)
  tab?.setItem('user', JSON.stringify(who))
}

/** Changes what is known of the user: after the school was registered, for one. */
export function updateSession(change: Partial<SignedIn>): void {
  if (!user) return
  user = { ...user, ...change }
  for (const storage of storages()) {
    if (storage.getItem(userKey)) storage.setItem(userKey, JSON.stringify(user))
  }
  tell()
}

function dropSession() {
  for (const storage of storages()) {
    storage.removeItem(tokenKey)
    storage.removeItem(userKey)
  }
  memoryToken = ''
  user = undefined
}

/** Forgets token, user and every draft (computers at schools are shared). */
export function endSession(): void {
  dropSession()
  for (const storage of storages()) {
    for (const key of Object.keys(storage)) if (key.startsWith(draftPrefix)) storage.removeItem(key)
  }
  tell()
}

export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The user record, live. */
export function useSession(): SignedIn | undefined {
  return useSyncExternalStore(onSessionChange, signedIn)
}

export function readDraft(key: string): unknown {
  try {
    const text = sessionStorage.getItem(draftPrefix + key)
    return text ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}

/** Keeps what was typed until it is saved or discarded; undefined discards it. */
export function writeDraft(key: string, values: unknown): void {
  try {
    if (values === undefined) sessionStorage.removeItem(draftPrefix + key)
    else sessionStorage.setItem(draftPrefix + key, JSON.stringify(values))
  } catch {
    // Without storage there are no drafts; the form itself still holds what was typed.
  }
}
