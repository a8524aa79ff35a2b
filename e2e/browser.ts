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
import { later as ahead } from './later.ts'

/**
 * Browser profiles. One that was emptied of what its visitor left serves the next who comes alike: its process has read
 * the portal's scripts and those of axe before, which is half of what a page's first load costs.
 */
interface Profile {
  context: BrowserContext
  /** A page of the portal without scripts, which keeps the process; none where the profile ends with its visitor. */
  idle?: Page
  key: string
  visits: number
}

/** So many visitors, and a profile ends: what its process keeps in memory does not grow with the run. */
const most = 40

const free: Profile[] = []

interface Wanted {
  options: BrowserContextOptions
  /** Runs in each of its pages before their own scripts. */
  script: string
  /** It may be one that was emptied, and will be again. */
  kept: boolean
}

/** A profile in which nobody has left anything. */
async function profileOf(browser: Browser, { options, script, kept }: Wanted): Promise<Profile> {
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
async function leave(profile: Profile): Promise<void> {
  const { context, idle, visits } = profile
  if (idle && visits < most && (await inTime(empty(context, idle)))) {
    free.push(profile)
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
  // A page lives for seconds: compiling its code well takes longer than it saves.
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

/** How long a page is waited for, in milliseconds: a machine that is ten times slower is no fault. */
export const patience = Number(process.env.E2E_PATIENCE ?? 120_000)

/** The two sizes at which every screen is looked at. */
export const sizes = { desk: { width: 1366, height: 900 }, phone: { width: 360, height: 740 } } as const
export type Size = keyof typeof sizes

export interface Visit {
  size?: Size
  dark?: boolean
  /** Messages of the console that this visit is about: failing requests log by themselves. */
  expected?: RegExp
  /** The browser's clock is ahead by so many milliseconds, as that of its portal. */
  later?: number
  /** The visitor may take over an emptied profile and leaves it to the next; nothing may be added to its context. */
  kept?: boolean
}

export interface Visitor {
  page: Page
  context: BrowserContext
  /** What the pages have complained of so far */
  complaints: readonly string[]
  /** Fails on whatever the pages complained of: exceptions, console errors, violations of the content policy. */
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

/** Writes down each message of success: it leaves after two seconds, which a slow machine may not be able to look at. */
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

/** Resolves with the words of a message once the page has shown it, also where it is gone by now. Each is told once. */
export async function told(page: Page, words: string | RegExp): Promise<string> {
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

/** Hears what the pages of a context complain of, until it is `deaf`. */
function listenTo(context: BrowserContext, origin: string, expected: RegExp | undefined) {
  const complaints: string[] = []
  const onError = (error: WebError) => complaints.push(String(error.error()))
  const onConsole = (message: ConsoleMessage) => {
    if (message.type() === 'error' && !expected?.test(message.text())) complaints.push(message.text())
  }
  // Nothing but the portal is ever asked for anything; the viewer of PDFs asks the browser itself.
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

/** A person with a browser profile that nobody has left anything in. */
export async function visitor(address: string, visit: Visit = {}): Promise<Visitor> {
  const { size = 'desk', dark = false, expected, later = 0, kept = false } = visit
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
    kept,
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

/** What a page asks for, which waits until it is let go or answered in the portal's place. */
interface Asked {
  url: string
  letGo(): Promise<unknown>
  answer(status: number, body: string | object): Promise<unknown>
}

/**
 * Holds what a page asks for at addresses of a pattern; resolves with what ends that and lets go what is held. Playwright's
 * own routes turn off what the browser keeps as well, so that each page that is loaded is read and compiled anew.
 */
export async function hold(page: Page, urlPattern: string, act: (asked: Asked) => unknown) {
  const session = await page.context().newCDPSession(page)
  // Of a page that has gone on nobody waits for the answer any more.
  const gone = () => undefined
  session.on('Fetch.requestPaused', ({ requestId, request: { url } }) =>
    act({
      url,
      letGo: () => session.send('Fetch.continueRequest', { requestId }).catch(gone),
      answer(responseCode, said) {
        const text = typeof said === 'string' ? said : JSON.stringify(said)
        const type = typeof said === 'string' ? 'text/html' : 'application/json'
        const responseHeaders = [{ name: 'content-type', value: type }]
        const body = Buffer.from(text).toString('base64')
        return session
          .send('Fetch.fulfillRequest', { requestId, responseCode, responseHeaders, body })
          .catch(gone)
      },
    }),
  )
  await session.send('Fetch.enable', { patterns: [{ urlPattern }] })
  return () => session.detach()
}

/**
 * Nothing sticks out sideways: of the window, or with a phone, where rows are cards, of a field over its neighbour. Nor is
 * there anything but emptiness to scroll to beneath the page.
 */
export async function fits(page: Page, state: string): Promise<void> {
  const { wider, longer, out, over } = await page.evaluate<{
    wider: number
    longer: number
    out: string
    over: string[]
  }>(`(() => {
    const fields = innerWidth > 720 ? [] : [...document.querySelectorAll('.cards :is(td, tbody th)')]
    const over = fields.filter((one) => one.clientWidth > 40 && one.scrollWidth > one.clientWidth + 1)
    return {
      wider: document.documentElement.scrollWidth - innerWidth,
      longer: document.documentElement.scrollHeight
        - Math.max(innerHeight, document.body.getBoundingClientRect().bottom + scrollY),
      out: [...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
        .map((one) => one.tagName + '.' + one.className).slice(0, 4).join(', '),
      over: over.slice(0, 3).map((one) => (one.dataset.l ?? '') + ': ' + one.innerText),
    }
  })()`)
  assert.ok(wider <= 0, `${state} is ${wider} px wider than the window: ${out}`)
  assert.ok(longer <= 1, `beneath ${state} are ${longer} px of nothing`)
  assert.deepEqual(over, [], `fields of ${state} are wider than their place`)
}

const folder = join(import.meta.dirname, '../artefacts/screens')

/** Of a longer page, this much is kept in a picture. */
const longest = 1600

const shutters = new WeakMap<Page, Promise<CDPSession>>()

/** Takes a picture as the browser has it, without the waiting and the slow packing of Playwright's own. */
async function shoot(page: Page, clip?: { width: number; height: number }): Promise<Buffer> {
  const shutter = shutters.get(page) ?? page.context().newCDPSession(page)
  shutters.set(page, shutter)
  const taken = (await shutter).send('Page.captureScreenshot', {
    format: 'png',
    optimizeForSpeed: true,
    ...(clip ? { captureBeyondViewport: true, clip: { x: 0, y: 0, scale: 1, ...clip } } : {}),
  })
  const enough = new AbortController()
  const late = setTimeout(patience, undefined, { signal: enough.signal }).catch(() => undefined)
  const answer = await Promise.race([taken, late])
  enough.abort()
  if (!answer) throw new Error('the browser takes no picture')
  return Buffer.from(answer.data, 'base64')
}

/** Keeps a picture in artefacts/screens: of the page from its top, or of the window where a dialog is open. */
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
