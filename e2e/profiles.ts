import { setTimeout } from 'node:timers/promises'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

/**
 * Browser profiles. One that was emptied of what its visitor left serves the next who comes alike: its process has read
 * the portal's scripts and those of axe before, which is half of what a page's first load costs.
 */
export interface Profile {
  context: BrowserContext
  /** A page of the portal without scripts, which keeps the process; none where the profile ends with its visitor. */
  idle?: Page
  key: string
  visits: number
}

/** So many visitors, and a profile ends: what its process keeps in memory does not grow with the run. */
const most = 10

const free: Profile[] = []

interface Wanted {
  options: BrowserContextOptions
  /** Runs in each of its pages before their own scripts. */
  script: string
  /** It may be one that was emptied, and will be again. */
  kept: boolean
}

/** A profile in which nobody has left anything. */
export async function profileOf(browser: Browser, { options, script, kept }: Wanted): Promise<Profile> {
  const key = JSON.stringify([options, script])
  const at = kept ? free.findIndex((one) => one.key === key) : -1
  const [found] = at < 0 ? [] : free.splice(at, 1)
  if (found) return { ...found, visits: found.visits + 1 }
  const context = await browser.newContext(options)
  await context.addInitScript(script)
  if (!kept) return { context, key, visits: 1 }
  const idle = await context.newPage()
  await idle.goto('/healthz')
  return { context, idle, key, visits: 1 }
}

/** Resolves with whether something is done within ten seconds: Chromium now and then never answers. */
async function inTime(act: Promise<unknown>): Promise<boolean> {
  const enough = new AbortController()
  const late = setTimeout(10_000, false, { signal: enough.signal }).catch(() => false)
  const done = act.then(
    () => true,
    () => false,
  )
  const answer = await Promise.race([done, late])
  enough.abort()
  return answer
}

/** Nothing of what a visitor has left: pages, all that the portal's pages keep, and what they were allowed. */
async function empty(context: BrowserContext, idle: Page): Promise<void> {
  const pages = context.pages().filter((page) => page !== idle)
  await Promise.all(pages.map((page) => page.goto('/healthz').catch(() => undefined)))
  await Promise.all(pages.map((page) => page.close()))
  await idle.evaluate('localStorage.clear()')
  const session = await context.newCDPSession(idle)
  const { origin } = new URL(idle.url())
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await session.detach()
  await context.clearCookies()
  await context.clearPermissions()
}

/**
 * Ends a visit. A page comes to rest before it is closed: in the midst of a navigation Chromium may never answer. A
 * profile that can't be emptied is closed; should that hang, the end of the run takes it with it.
 */
export async function leave(profile: Profile): Promise<void> {
  const { context, idle, visits } = profile
  if (idle && visits < most && (await inTime(empty(context, idle)))) {
    free.push(profile)
    return
  }
  await Promise.all(context.pages().map((page) => page.goto('about:blank').catch(() => undefined)))
  await inTime(context.close())
}
