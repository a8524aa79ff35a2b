import { type MouseEvent, useSyncExternalStore } from 'react'
import { paths } from '#shell/paths.ts'
import { readDraft, writeDraft } from '#shell/session.ts'

/** The search parameters of sign-in and registration. */
export interface GateSearch {
  /** Id of the school link in a scanned code */
  id?: string | undefined
  /** The page to open after sign-in */
  returnurl?: string | undefined
  /** Set on return from a provider: the provider, or the problem */
  provider?: (typeof providers)[number] | undefined
  problem?: (typeof problems)[number] | undefined
  /** Why the session ended: expired, with or without a saved draft, or ended because it was used twice */
  ended?: (typeof endings)[number] | undefined
}

const providers = ['google', 'facebook'] as const
const problems = ['cancelled', 'failed', 'unavailable', 'not-found', 'no-email'] as const

const endings = ['kept', 'yes', 'reused'] as const

/** The pages of this entry point; the browser loads any other. */
const ownPages: readonly string[] = [paths.login, paths.register, paths.forgot, paths.reset, paths.invitation]

interface GateLocation {
  path: string
  search: GateSearch
  /** Counts opened pages, so that opening a page again resets it. */
  visit: number
}

// The empty path redirects to the sign-in (specification, section 2.1).
if (location.pathname === '/') history.replaceState(null, '', `${paths.login}${location.search}`)

/**
 * Returns the token after the # of an e-mailed link, and removes it from the address at once. This tab keeps it, so that a
 * reload, as phones do by themselves, still opens the page.
 */
export function takeLinkToken(): string {
  const { hash, pathname } = location
  const key = `link.${pathname}`
  if (hash.length > 1) {
    writeDraft(key, hash.slice(1))
    history.replaceState(history.state, '', pathname)
  }
  const token = readDraft(key)
  return typeof token === 'string' ? token : ''
}

let visits = 0
let current = read()
const listeners = new Set<() => void>()

function read(): GateLocation {
  const params = new URLSearchParams(location.search)
  const path = location.pathname.toLowerCase().replace(/\/+$/, '')
  return {
    path,
    visit: visits++,
    search: {
      id: params.get('id') ?? undefined,
      returnurl: params.get('returnurl') ?? undefined,
      provider: providers.find((name) => name === params.get('provider')),
      problem: problems.find((name) => name === params.get('problem')),
      ended: endings.find((name) => name === params.get('ended')),
    },
  }
}

function update(): void {
  current = read()
  for (const notify of listeners) notify()
}

const subscribe = (listener: () => void) => {
  if (listeners.size === 0) addEventListener('popstate', update)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) removeEventListener('popstate', update)
  }
}

export const currentLocation = (): GateLocation => current

/** Returns the current page and its search parameters. */
export function useGateLocation(): GateLocation {
  return useSyncExternalStore(subscribe, currentLocation)
}

export function addressOf(to: string, search: GateSearch = {}): string {
  const definedPairs = Object.entries(search).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  )
  return definedPairs.length === 0 ? to : `${to}?${new URLSearchParams(definedPairs)}`
}

/** Opens a page: in place if it belongs to this entry point, otherwise by loading it. */
export function navigate(to: string, search: GateSearch = {}, replace = false): void {
  const address = addressOf(to, search)
  if (!ownPages.includes(to)) {
    if (replace) location.replace(address)
    else location.assign(address)
    return
  }
  if (replace) history.replaceState(null, '', address)
  else history.pushState(null, '', address)
  update()
  scrollTo(0, 0)
}

/** Props of a link between the pages of this entry point: `<a {...linkTo(paths.register, { id })}>`. */
export function linkTo(to: string, search: GateSearch = {}) {
  return {
    href: addressOf(to, search),
    onClick: (event: MouseEvent) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
      event.preventDefault()
      navigate(to, search)
    },
  }
}

/**
 * Returns the address if a redirect to it is safe: one of our own, except the pages before sign-in (docs/security.md,
 * T35).
 */
export function ownAddress(address: string | undefined): string | undefined {
  if (address === undefined || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(address)) return undefined
  const url = new URL(address, location.origin)
  const path = url.pathname.toLowerCase().replace(/\/+$/, '')
  const isKnownPage = Object.values<string>(paths).some((page) => page.toLowerCase() === path)
  return url.origin === location.origin && isKnownPage && path !== '' && !ownPages.includes(path)
    ? address
    : undefined
}
