import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  type ConsoleMessage,
  chromium,
  type Page,
  type Request,
  type WebError,
} from 'playwright-core'
import { findChromium } from '../scripts/machine.ts'
import { dialog } from './accessible.ts'
import { later as ahead } from './shifted-clock.ts'

/**
 * Browser profiles. One that is emptied after its visitor is reused for the next one with the same options: its process
 * has already compiled the portal's scripts and axe, which is half the cost of a page's first load.
 */
interface Profile {
  context: BrowserContext
  /**
   * A page of the portal without scripts, which keeps the process alive; absent if the profile ends with its visitor.
   */
  idle?: Page
  key: string
  visits: number
}

/** Visitors after which a profile ends, so that its process's memory does not grow with the run. */
const maxVisits = 40

const freeProfiles: Profile[] = []

interface ProfileOptions {
  options: BrowserContextOptions
  /** Runs in each page before the page's own scripts. */
  script: string
  /** Whether the profile may be reused. */
  reuseProfile: boolean
}

/** Returns a clean profile. */
async function profileOf(
  browser: Browser,
  { options, script, reuseProfile }: ProfileOptions,
): Promise<Profile> {
  const key = JSON.stringify([options, script])
  const index = reuseProfile ? freeProfiles.findIndex((profile) => profile.key === key) : -1
  const [reused] = index < 0 ? [] : freeProfiles.splice(index, 1)
  if (reused) return { ...reused, visits: reused.visits + 1 }
  const context = await browser.newContext(options)
  await context.addInitScript(script)
  if (!reuseProfile) return { context, key, visits: 1 }
  const idle = await context.newPage()
  await idle.goto('/healthz')
  return { context, idle, key, visits: 1 }
}

/** Resolves to whether something is done within ten seconds: Chromium occasionally never answers. */
async function inTime(act: Promise<unknown>): Promise<boolean> {
  const enough = new AbortController()
  const late = setTimeout(10_000, false, { signal: enough.signal }).catch(() => false)
  const result = act.then(
    () => true,
    () => false,
  )
  const answer = await Promise.race([result, late])
  enough.abort()
  return answer
}

/** Removes everything a visitor has left: pages, all the portal's storage, and granted permissions. */
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
 * Ends a visit. Pages come to rest before they close: during a navigation Chromium may never answer. A profile that
 * can't be emptied is closed; if that hangs, it ends with the run.
 */
async function leave(profile: Profile): Promise<void> {
  const { context, idle, visits } = profile
  if (idle && visits < maxVisits && (await inTime(empty(context, idle)))) {
    freeProfiles.push(profile)
    return
  }
  await Promise.all(context.pages().map((page) => page.goto('about:blank').catch(() => undefined)))
  await inTime(context.close())
}

const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--process-per-site',
  // A page lives for seconds: optimising its code takes longer than it saves.
  '--js-flags=--no-opt --no-maglev',
]

let shared: Promise<Browser> | undefined

function browser(): Promise<Browser> {
  shared ??= chromium.launch({ executablePath: findChromium(), args: quiet })
  return shared
}

after(async () => {
  if (shared) await (await shared).close()
})

/**
 * Headers of a call that a test itself makes. It takes a connection of its own: one kept from the previous call may be
 * closed by the server after 20 idle seconds, just as a busy test sends into it.
 */
export const ownConnection = { connection: 'close' }

/** How long to wait for a page, in milliseconds: a machine ten times slower must not fail a test. */
export const patience = Number(process.env.E2E_PATIENCE ?? 120_000)

/** The two sizes at which every screen is checked. */
export const sizes = { desk: { width: 1366, height: 900 }, phone: { width: 360, height: 740 } } as const
export type Size = keyof typeof sizes

export interface Visit {
  size?: Size
  dark?: boolean
  /** Console messages that this visit expects: failing requests are always logged. */
  expected?: Pick<RegExp, 'test'>
  /** Milliseconds by which the browser's clock is ahead, like that of its portal. */
  later?: number
  /** The visitor may reuse an emptied profile and leave it for the next; nothing may be added to its context. */
  reuseProfile?: boolean
}

export interface Visitor {
  page: Page
  context: BrowserContext
  /** The pages' complaints so far */
  complaints: readonly string[]
  /** Fails on any complaint of the pages: exceptions, console errors, violations of the content policy. */
  close(): Promise<void>
}

const clockAhead = (later: number) =>
  later === 0
    ? ''
    : `{
  const Real = Date
  globalThis.Date = class extends Real {
    constructor(...parts) { parts.length === 0 ? super(Real.now() + ${later}) : super(...parts) }
    static now() { return Real.now() + ${later} }
  }
}`

/** Records each success message: it disappears after two seconds, which may be too soon for a slow machine. */
const listening = `{
  globalThis.heard = []
  const hear = (node) => {
    for (const one of node.querySelectorAll?.('.toast') ?? []) heard.push(one.textContent)
    if (node.matches?.('.toast')) heard.push(node.textContent)
  }
  const observer = new MutationObserver((changes) => {
    for (const { addedNodes } of changes) addedNodes.forEach(hear)
  })
  observer.observe(document, { childList: true, subtree: true })
}`

/**
 * Resolves with the text of a message once the page has shown it, even if it is already gone. Each is returned once.
 */
export async function announced(page: Page, words: string | RegExp): Promise<string> {
  const fits = typeof words === 'string' ? `text.includes(${JSON.stringify(words)})` : `${words}.test(text)`
  const text = await page.evaluate<string>(`(async () => {
    const at = () => heard.findIndex((text) => ${fits})
    const until = performance.now() + ${patience}
    while (at() < 0 && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 50))
    return heard.splice(0, at() + 1).at(-1) ?? ''
  })()`)
  assert.notEqual(text, '', `the page said nothing like ${words}`)
  return text
}

/** Records the complaints of a context's pages, until `deaf` is called. */
function listenTo(context: BrowserContext, origin: string, expected: Visit['expected']) {
  const complaints: string[] = []
  const onError = (error: WebError) => complaints.push(String(error.error()))
  const onConsole = (message: ConsoleMessage) => {
    if (message.type() === 'error' && !expected?.test(message.text())) complaints.push(message.text())
  }
  // Requests may only go to the portal; the PDF viewer makes requests to the browser itself.
  const onRequest = (request: Request) => {
    const url = request.url()
    if (!url.startsWith(origin) && !/^(data|blob|chrome|chrome-extension):/.test(url))
      complaints.push(`asked ${url}`)
  }
  context.on('weberror', onError).on('console', onConsole).on('request', onRequest)
  const deaf = () => {
    context.off('weberror', onError).off('console', onConsole).off('request', onRequest)
  }
  return { complaints, deaf }
}

/** Opens a clean browser profile for a person. */
export async function visitor(address: string, visit: Visit = {}): Promise<Visitor> {
  const { size = 'desk', dark = false, expected, later = 0, reuseProfile = false } = visit
  const options = {
    baseURL: address,
    viewport: sizes[size],
    colorScheme: dark ? 'dark' : 'light',
    hasTouch: size === 'phone',
    isMobile: size === 'phone',
    locale: 'en-IN',
    timezoneId: 'Asia/Kolkata',
    acceptDownloads: true,
    reducedMotion: 'reduce',
  } as const
  const profile = await profileOf(await browser(), {
    options,
    script: listening + clockAhead(ahead + later),
    reuseProfile,
  })
  const { context } = profile
  const { complaints, deaf } = listenTo(context, new URL(address).origin, expected)
  const page = await context.newPage()
  page.setDefaultTimeout(patience)
  return {
    page,
    context,
    complaints,
    async close() {
      const heard = [...complaints]
      deaf()
      await leave(profile)
      assert.deepEqual(heard, [])
    },
  }
}

/** A page's request, held until it is released or answered in place of the portal. */
interface PageRequest {
  url: string
  letGo(): Promise<unknown>
  answer(status: number, body: string | object): Promise<unknown>
}

/**
 * Holds a page's requests to addresses of a pattern; resolves with a function that ends this and releases what is held.
 * Playwright's own routes also disable the browser's cache, so that each page loaded is read and compiled anew.
 */
export async function hold(
  page: Page,
  urlPattern: string,
  act: (request: PageRequest) => unknown = () => undefined,
) {
  const session = await page.context().newCDPSession(page)
  // After a navigation nobody waits for the answer.
  const ignore = () => undefined
  session.on('Fetch.requestPaused', ({ requestId, request: { url } }) =>
    act({
      url,
      letGo: () => session.send('Fetch.continueRequest', { requestId }).catch(ignore),
      answer(responseCode, content) {
        const text = typeof content === 'string' ? content : JSON.stringify(content)
        const type = typeof content === 'string' ? 'text/html' : 'application/json'
        const responseHeaders = [{ name: 'content-type', value: type }]
        const body = Buffer.from(text).toString('base64')
        return session
          .send('Fetch.fulfillRequest', { requestId, responseCode, responseHeaders, body })
          .catch(ignore)
      },
    }),
  )
  await session.send('Fetch.enable', { patterns: [{ urlPattern }] })
  return () => session.detach()
}

/** Changes the next answer from an address, as if another officer had been at work. */
export async function changeNext<Answer>(
  page: Page,
  address: RegExp,
  change: (answer: Answer) => unknown,
): Promise<void> {
  await page.route(
    address,
    async (route) => {
      const response = await route.fetch()
      const json = await response.json()
      change(json)
      await route.fulfill({ response, json })
    },
    { times: 1 },
  )
}

/** Loads what a page shows anew, as if the connection had been lost and found after a minute. */
export async function reconnect(page: Page): Promise<void> {
  await page.evaluate(`{
    const { now } = Date
    Date.now = () => now() + 60_000
    for (const name of ['offline', 'online']) window.dispatchEvent(new Event(name))
  }`)
}

/**
 * Asserts that nothing sticks out sideways: of the window or, on a phone, where rows are cards, of a field over its
 * neighbour, and no checkbox covers one; and that there is no empty space to scroll to below the page.
 */
export async function fits(page: Page, state: string): Promise<void> {
  const { wider, longer, out, over } = await page.evaluate<{
    wider: number
    longer: number
    out: string
    over: string[]
  }>(`(() => {
    const fields = innerWidth > 720 ? [] : [...document.querySelectorAll('.cards :is(td, tbody th)')]
    const box = (row, part) => row.querySelector(part)?.getBoundingClientRect()
    const covered = [...document.querySelectorAll('.cards tr.folded')].filter((row) => {
      const [check, beside] = [box(row, '.cb input'), box(row, '.beside')]
      return check && beside && beside.width > 0 && beside.right > check.left && beside.left < check.right
        && beside.bottom > check.top && beside.top < check.bottom
    })
    const over = fields.filter((one) => one.clientWidth > 40 && one.scrollWidth > one.clientWidth + 1)
    return {
      wider: document.documentElement.scrollWidth - innerWidth,
      longer: document.documentElement.scrollHeight
        - Math.max(innerHeight, document.body.getBoundingClientRect().bottom + scrollY),
      out: [...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
        .map((one) => one.tagName + '.' + one.className).slice(0, 4).join(', '),
      over: [...over, ...covered].slice(0, 3).map((one) => (one.dataset.l ?? '') + ': ' + one.innerText),
    }
  })()`)
  assert.ok(wider <= 0, `${state} is ${wider} px wider than the window: ${out}`)
  assert.ok(longer <= 1, `beneath ${state} are ${longer} px of nothing`)
  assert.deepEqual(over, [], `fields of ${state} are wider than their place`)
}

const folder = join(import.meta.dirname, '../artefacts/screens')

/** The maximum height of a picture of a longer page. */
const longest = 1600

const shutters = new WeakMap<Page, Promise<CDPSession>>()

/** Takes a screenshot directly from the browser, without Playwright's waiting and slow compression. */
async function shoot(page: Page, clip?: { width: number; height: number }): Promise<Buffer> {
  const shutter = shutters.get(page) ?? page.context().newCDPSession(page)
  shutters.set(page, shutter)
  const screenshot = (await shutter).send('Page.captureScreenshot', {
    format: 'png',
    optimizeForSpeed: true,
    ...(clip ? { captureBeyondViewport: true, clip: { x: 0, y: 0, scale: 1, ...clip } } : {}),
  })
  const enough = new AbortController()
  const late = setTimeout(patience, undefined, { signal: enough.signal }).catch(() => undefined)
  const answer = await Promise.race([screenshot, late])
  enough.abort()
  if (!answer) throw new Error('the browser takes no picture')
  return Buffer.from(answer.data, 'base64')
}

/** Saves a picture in artefacts/screens: of the page from its top, or of the window if a dialog is open. */
export async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${name}.png`)
  const { width = 0, height = 0 } = page.viewportSize() ?? {}
  const whole = Number(
    await page.evaluate(
      `document.querySelector('${dialog}') ? 0 : (window.scrollTo(0, 0), document.documentElement.scrollHeight)`,
    ),
  )
  writeFileSync(
    path,
    await shoot(page, whole > height ? { width, height: Math.min(longest, whole) } : undefined),
  )
}
