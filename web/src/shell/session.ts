import { makeListeners } from '#ui/listeners.ts'

/** Which of the three bundles is running; set in its HTML file. Part of the keys in the browser's storage. */
type Area = 'school' | 'office' | 'family'

const dataArea = document.documentElement.dataset.area
export const area: Area = dataArea === 'office' || dataArea === 'family' ? dataArea : 'school'

/** The root of this bundle's addresses: the empty path of the school portal, `/office` of the office. */
export const home: string = area === 'office' ? '/office' : '/'

/** Returns a key for the browser's storage. The school's keys have the specification's names (`token`). */
export function storageKey(name: string): string {
  return area === 'school' ? name : `${area}.${name}`
}

/** The signed-in user, from the answer to the sign-in. Decides what is offered; what is allowed, the server decides. */
export interface SignedIn {
  userId: number
  userName: string
  /** Without a school id the school is not registered yet; its pages redirect to the dashboard. */
  schId?: number | null
  schCode?: string | null
  schName?: string | null
  /** Set while the foundation verifies the school. */
  teacherId?: number | null
  /** The user's role, and the school pages open to it, from the server (specification, section 3) */
  roleId?: number
  formPermissions?: readonly { route: string; allowed: boolean }[]
  /** Set while an officer is signed in as the school, until this instant. */
  acting?: { officer: string; until: string }
  /** Office only: the role's name and its permissions. */
  role?: string
  permissions?: readonly string[]
}

const tokenKey = storageKey('token')
const userKey = storageKey('user')
const draftPrefix = storageKey('draft.')
const [useCurrent, notify, subscribe] = makeListeners()

export { subscribe as onSessionChange }

/** A browser can have storage disabled; the session then lasts as long as the page. */
function storages(): Storage[] {
  try {
    return [sessionStorage, localStorage]
  } catch {
    return []
  }
}

function forget(...keys: string[]) {
  for (const storage of storages()) for (const key of keys) storage.removeItem(key)
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

/** Whether someone else has signed in on another tab, or this tab's user out. */
let isLeft = (): boolean => false

/** Returns the token for the Authorization header; empty if no one is signed in, or another tab's user is. */
export function token(): string {
  if (isLeft()) return ''
  for (const storage of storages()) {
    const token = storage.getItem(tokenKey)
    if (token) return token
  }
  return memoryToken
}

export function signedIn(): SignedIn | undefined {
  return user
}

/** Whether the session ends when this tab is closed, and the drafts kept with it. */
export const endsWithTab = (): boolean => !storages()[1]?.getItem(tokenKey)

/** Stores token and user: for this tab, or on this device with `stay`. */
export function startSession(token: string, who: SignedIn, stay = false): void {
  left = false
  user = undefined
  dropSession()
  const storage = storages()[stay ? 1 : 0]
  storage?.setItem(tokenKey, token)
  storage?.setItem(userKey, JSON.stringify(who))
  memoryToken = token
  user = who
  notify()
}

/**
 * Replaces a token by the one the server sent, where it is stored, so that other tabs find it too. Does nothing if
 * another token is stored: someone has signed out or in, or another tab was faster.
 */
export function renewToken(previous: string, next: string): void {
  if (token() !== previous) return
  for (const storage of storages())
    if (storage.getItem(tokenKey) === previous) storage.setItem(tokenKey, next)
  if (memoryToken === previous) memoryToken = next
}

/** Stores the session of a school an officer has opened, under the school's own keys, for its portal in this tab. */
export function startSchoolSession(token: string, who: SignedIn): void {
  forget('token', 'user')
  const [tab] = storages()
  tab?.setItem('token', token)
  tab?.setItem('user', JSON.stringify(who))
}

/** Changes the stored user, e.g. after the school was registered. */
export function updateSession(change: Partial<SignedIn>): void {
  if (!user || isLeft()) return
  user = { ...user, ...change }
  for (const storage of storages())
    if (storage.getItem(userKey)) storage.setItem(userKey, JSON.stringify(user))
  notify()
}

function dropSession() {
  if (!isLeft()) forget(tokenKey, userKey)
  memoryToken = ''
  user = undefined
}

/** Clears token, user and all drafts (school computers are shared). */
export function endSession(): void {
  dropSession()
  forget(
    ...storages()
      .flatMap(Object.keys)
      .filter((key) => key.startsWith(draftPrefix)),
  )
  notify()
}

/** Ends a session that the server no longer knows. A family's drafts wait for it to enter its code again. */
export function loseSession(): void {
  if (area === 'family') {
    dropSession()
    notify()
  } else endSession()
}

let left = false

/**
 * Reloads this tab when another one has signed its user out or someone else in. A form may keep it from that, and the
 * browser may not tell: calls from here must not go on in another's name. Families' sessions belong to one tab anyway.
 */
export function followOtherTabs(): void {
  isLeft = () => {
    if (left || !user || storages().length === 0) return left
    const stored = readUser()
    return stored?.userId !== user.userId || stored.schId !== user.schId
  }
  addEventListener('storage', ({ key }) => {
    if (key !== userKey || left || !isLeft()) return
    left = true
    user = undefined
    location.reload()
  })
}

/** Returns the signed-in user and follows changes. */
export function useSession(): SignedIn | undefined {
  return useCurrent(signedIn)
}

export function readDraft(key: string): unknown {
  try {
    const text = sessionStorage.getItem(draftPrefix + key)
    return text ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}

/** Stores typed values until they are saved or discarded; undefined discards them. */
export function writeDraft(key: string, values: unknown): void {
  try {
    if (values === undefined) sessionStorage.removeItem(draftPrefix + key)
    else sessionStorage.setItem(draftPrefix + key, JSON.stringify(values))
  } catch {
    // Without storage there are no drafts; the form itself still has the values.
  }
}
