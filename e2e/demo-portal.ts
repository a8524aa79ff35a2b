import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test as plainTest } from 'node:test'
import type { Page } from 'playwright-core'
import { withLock } from '../scripts/lock.mjs'
import { entryOf } from '../server/src/platform/http/pages.ts'
import { accessible } from './accessible.ts'
import { fits, hold, ownConnection, patience, picture, type Size, sizes, visitor } from './browser.ts'
import { demoPassword, freshCode, officeKey, type StoredSession, sessions } from './people.ts'
import { type Portal, startPortal } from './program.ts'

// The demo world of a run. Run as a program it creates it.

/**
 * Creates the demo world in the folder named by E2E_WORLD, from which all portals of a run are copied, because seeding
 * is most of a portal's start. The first process creates it. Without the variable each portal creates its own.
 */
async function makeWorld(): Promise<string | undefined> {
  const world = process.env.E2E_WORLD
  if (!world) return
  await withLock(
    `${world}.lock`,
    () => undefined,
    async () => {
      if (existsSync(world)) return
      const first = await startPortal(`${world}.draft`)
      await first.stop()
      renameSync(first.dataDir, world)
    },
  )
  return world
}

/** Copies the run's shared world into a folder, if there is one. */
async function copyWorld(dataDir: string): Promise<void> {
  const world = await makeWorld()
  if (world) cpSync(world, dataDir, { recursive: true })
}

if (import.meta.main) await makeWorld()

const newFolder = () => mkdtempSync(join(tmpdir(), 'podium-e2e-'))
const remove = (folder: string) => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })

async function freshPortal(): Promise<Portal> {
  const dataDir = newFolder()
  try {
    await copyWorld(dataDir)
    const portal = await startPortal(dataDir)
    const stop = async () => {
      await portal.stop()
      remove(dataDir)
    }
    return { ...portal, stop }
  } catch (error) {
    remove(dataDir)
    throw error
  }
}

const started: Promise<Portal>[] = []

/**
 * Returns the portal shared by the tests of this process. Each test leaves what others need, or creates its own data.
 * E2E_URL names a running portal, for writing tests.
 */
export function portal(): Promise<Portal> {
  const running = process.env.E2E_URL
  if (running)
    return Promise.resolve({ url: running, dataDir: '', printed: () => '', stop: async () => undefined })
  const [first = freshPortal()] = started
  started[0] = first
  return first
}

const worlds: string[] = []

/** Returns a folder with the demo world, as left by its portal. */
export async function demoWorld(): Promise<string> {
  const dataDir = newFolder()
  worlds.push(dataDir)
  await copyWorld(dataDir)
  if (!existsSync(join(dataDir, 'postgres'))) await (await startPortal(dataDir)).stop()
  return dataDir
}

/** Returns a portal for one test, which continues with it in later months: each month stops the previous one. */
export async function portalThroughTheYear(): Promise<(later: number) => Promise<Portal>> {
  const dataDir = newFolder()
  let now: Portal | undefined
  after(async () => {
    await now?.stop()
    remove(dataDir)
  })
  await copyWorld(dataDir)
  return async (later) => {
    await now?.stop()
    now = await startPortal(dataDir, later)
    return now
  }
}

const otherPortals: Promise<Portal>[] = []

/** Returns an empty portal, as an operator starts it, for one test only. */
export async function emptyPortal(): Promise<Portal> {
  const dataDir = newFolder()
  worlds.push(dataDir)
  const empty = startPortal(dataDir, 0, 'off')
  otherPortals.push(empty)
  return empty
}

after(async () => {
  for (const portal of await Promise.all([...started, ...otherPortals])) await portal.stop()
  for (const folder of worlds) remove(folder)
})

/** Checks every screen at both sizes, light and dark: shared by the tests of screens. */
export interface Look {
  size: Size
  page: Page
  /** Opens a page and waits for its title and content, and for a text. */
  open(path: string, text?: string | RegExp): Promise<void>
  /** Signs in a school's person, without the sign-in screens, and opens a page. */
  beSchool(person: string, path?: string, text?: string | RegExp): Promise<void>
  /** Signs in a member of the office, and opens a page. */
  beOffice(role: string, path?: string, text?: string | RegExp): Promise<void>
  /** Checks the current screen: it fits, axe finds nothing; and runs `also`. */
  see(state: string, also?: (page: Page) => Promise<void>): Promise<void>
  /** Console messages that are no complaint here: failing requests are always logged. */
  expects(messages: RegExp): void
}

/** Resolves when the page has finished loading. */
export async function settled(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor()
  // The first of these is gone when there are none.
  await page.locator('.skel, .hair, .spin, [aria-busy="true"]').first().waitFor({ state: 'detached' })
}

async function post(page: Page, path: string, data: object): Promise<Record<string, unknown>> {
  const answer = await page.context().request.post(path, { data, headers: ownConnection })
  assert.ok(answer.ok(), `${path}: ${answer.status()} ${await answer.text()}`)
  return answer.json()
}

async function schoolSession(page: Page, person: string): Promise<StoredSession> {
  const body = { emailId: `${person}@podium.example`, password: demoPassword }
  const { token, userDetails } = await post(page, '/api/Account/Login', body)
  return { token: String(token), user: JSON.stringify(userDetails) }
}

async function officeSession(page: Page, role: string): Promise<StoredSession> {
  const emailId = `${role}@podium.example`
  await post(page, '/api/office/SignIn', { emailId, password: demoPassword })
  const answer = await post(page, '/api/office/Confirm', { code: await freshCode(page, role) })
  const { token, officer } = answer
  assert.ok(officer, `${role} is not let in: ${JSON.stringify(answer)}`)
  const { staffId: userId, name: userName, ...rights } = officer as { staffId: number; name: string }
  const user = JSON.stringify({ userId, userName, ...rights })
  return { 'office.token': String(token), 'office.user': user }
}

/**
 * Makes the portal look as if both providers were configured: it has none, and a real one would contact them. Resolves
 * with a function that ends this.
 */
export function withProviders(page: Page): Promise<() => Promise<void>> {
  return hold(page, '*/Account/SignInOptions', async ({ url, answer }) => {
    const response = await page.context().request.get(url, { headers: ownConnection })
    await answer(200, { ...(await response.json()), google: true, facebook: true })
  })
}

/** When an officer last proved their identity, in milliseconds */
const proved = new Map<string, number>()

/** Proves the identity again if it was some time ago: a run of many walks takes longer than a proof lasts. */
async function proveAgain(page: Page, role: string, session: StoredSession): Promise<void> {
  const now = performance.now()
  const last = proved.get(role) ?? now
  proved.set(role, last)
  if (now - last < 4 * 60_000) return
  proved.set(role, now)
  const answer = await page
    .context()
    .request.post('/api/office/ConfirmAgain', {
      data: { password: demoPassword },
      headers: { ...ownConnection, authorization: `Bearer ${session['office.token']}` },
    })
  assert.ok(answer.ok(), `${role} can not prove it again: ${answer.status()} ${await answer.text()}`)
}

async function be(page: Page, who: string, make: () => Promise<StoredSession>): Promise<StoredSession> {
  const making = sessions.get(who) ?? make()
  sessions.set(who, making)
  const stored = await making.catch((error: unknown) => {
    // The next test asks again instead of failing for the same reason.
    sessions.delete(who)
    throw error
  })
  // An address of the portal without scripts of its own, but with the portal's storage.
  await page.goto('/healthz')
  await page.evaluate(
    `sessionStorage.clear(); for (const [key, value] of ${JSON.stringify(Object.entries(stored))}) sessionStorage.setItem(key, value)`,
  )
  return stored
}

/** On a desktop, pages are checked in light colours, on a phone in dark ones, so that axe reads both. */
const readIn = { desk: 'light', phone: 'dark' } as const

/**
 * Pictures are for people: PICTURES=read saves each screen as axe has read it, PICTURES=all in the other colours too.
 */
const pictures = process.env.PICTURES

async function pictureInOther(page: Page, name: string, read: 'light' | 'dark'): Promise<void> {
  const scheme = read === 'dark' ? 'light' : 'dark'
  await page.emulateMedia({ colorScheme: scheme })
  await picture(page, `${name}-${scheme}`)
  await page.emulateMedia({ colorScheme: read })
}

/** Returns the bundle of an address; undefined for the pages before the sign-in, which are always loaded. */
function bundleOf(address: string): string | undefined {
  const { pathname } = new URL(address, 'http://portal')
  const entry = entryOf(pathname)
  const apart = /^\/(demo|api|office\/(login|set-up|join))\b/.test(pathname)
  return apart || entry === 'gate.html' || entry === 'family.html' ? undefined : entry
}

/**
 * Goes to a page of the same bundle as a link would, without a reload, and resolves when that page is shown. False if
 * that is impossible: another bundle, the same page, or an open dialog.
 */
async function wentOn(page: Page, path: string): Promise<boolean> {
  const now = page.url()
  if (!/^https?:/.test(now) || !bundleOf(path) || bundleOf(path) !== bundleOf(now)) return false
  if (new URL(path, now).pathname === new URL(now).pathname) return false
  return page.evaluate<boolean>(`(async () => {
    const router = globalThis.__TSR_ROUTER__
    if (!router || document.querySelector('[role="dialog"], [role="alertdialog"]')) return false
    router.history.push(${JSON.stringify(path)}, {}, { ignoreBlocker: true })
    const there = () =>
      router.state.status === 'idle' && router.state.resolvedLocation?.href === router.history.location.href
    const until = performance.now() + ${patience}
    while (!there() && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 10))
    return there()
  })()`)
}

/** Sets the page's size and its colours, and resolves once it is drawn. */
async function turnTo(page: Page, size: Size): Promise<void> {
  // Both before it is drawn
  await Promise.all([page.emulateMedia({ colorScheme: readIn[size] }), page.setViewportSize(sizes[size])])
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
}

async function lookOnce(page: Page, size: Size, state: string): Promise<void> {
  await settled(page)
  await lookAsItIs(page, size, state)
}

/** Checks at both sizes a dialog whose answer the page beneath is waiting for, so that the page does not settle. */
export async function seeAsked(page: Page, size: Size, state: string): Promise<void> {
  for (const size of ['desk', 'phone'] as const) {
    await turnTo(page, size)
    await lookAsItIs(page, size, state)
  }
  await turnTo(page, size)
}

async function lookAsItIs(page: Page, size: Size, state: string): Promise<void> {
  await fits(page, `${state} (${size})`)
  const scheme = readIn[size]
  if (pictures) await picture(page, `${state}-${size}-${scheme}`)
  await accessible(page, `${state} (${size}, ${scheme})`)
  if (pictures === 'all') await pictureInOther(page, `${state}-${size}`, scheme)
}

/** Returns a walk at `size` that checks each screen at all sizes in `seen`. */
function reportViewing(page: Page, size: Size, seen: readonly Size[], expects: Look['expects']): Look {
  const open: Look['open'] = async (path, text) => {
    if (!(await wentOn(page, path))) await page.goto(path)
    await settled(page)
    if (text) await page.getByText(text).first().waitFor()
  }
  return {
    size,
    page,
    expects,
    open,
    async beSchool(person, path, text) {
      await be(page, person, () => schoolSession(page, person))
      if (path) await open(path, text)
    },
    async beOffice(role, path, text) {
      const stored = await be(page, officeKey(role), () => officeSession(page, role))
      await proveAgain(page, role, stored)
      if (path) await open(path, text)
    },
    async see(state, also) {
      for (const seenSize of seen) {
        if (seenSize !== size) await turnTo(page, seenSize)
        await lookOnce(page, seenSize, state)
        await also?.(page)
        if (seenSize !== size) await turnTo(page, size)
      }
    },
  }
}

interface Walk {
  language?: 'hi'
  /** Walks, and looks at screens, only at this size. */
  only?: Size
  /** Also walks with a phone: if people use one for this, or it works differently from a desktop. */
  twice?: boolean
}

type Way = (look: Look) => Promise<void>

/**
 * Walks at desktop size; each screen is also checked, in place, at phone size. One document serves both sizes, because
 * they differ only in styles.
 */
export async function walk(way: Way, { language, only, twice }: Walk = {}): Promise<void> {
  const { url } = await portal()
  const walkAt = async (size: Size, seen: readonly Size[]) => {
    const expected: RegExp[] = []
    const { page, context, complaints, close } = await visitor(url, {
      size,
      dark: readIn[size] === 'dark',
      reuseProfile: !language,
      expected: { test: (message) => expected.some((messages) => messages.test(message)) },
    })
    if (language) await context.addCookies([{ name: 'language', value: language, url }])
    try {
      await way(reportViewing(page, size, seen, (messages) => void expected.push(messages)))
    } catch (error) {
      console.error(`failed-${size}: at ${page.url()}, which complained of`, complaints)
      await picture(page, `failed-${size}`).catch(() => undefined)
      throw error
    }
    await close()
  }
  if (!only && !twice) return walkAt('desk', ['desk', 'phone'])
  const walks: Size[] = only ? [only] : ['desk', 'phone']
  const results = await Promise.allSettled(walks.map((size) => walkAt(size, [size])))
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

/** A test that is one walk. */
export function test(title: string, ...given: [Way] | [Walk, Way]): void {
  const [options, way]: [Walk, Way] = given.length === 1 ? [{}, given[0]] : given
  void plainTest(title, () => walk(way, options))
}

/** The browser's own message about a refusal. */
export const refused = /Failed to load resource: the server responded with a status of 4\d\d/
/** … and about a request that failed or was broken off. */
export const broken = /Failed to load resource/

/** Returns the text of the focused element. */
export const focused = async (page: Page) =>
  String(await page.evaluate("document.activeElement?.innerText ?? ''")).trim()

/** Names of products, codes and dates that are the same in every language. */
const sameInHindi =
  /Podium|Google|Facebook|UPI|IFSC|NEFT|RTGS|English|UTR|Excel|CSV|Olympiad|OTP|\b\d\d-[A-Z][a-z]{2}-\d{4}\b/gi

/** Asserts that no heading, button or option has English words. */
export async function allHindi(page: Page): Promise<void> {
  assert.equal(await page.locator('html').getAttribute('lang'), 'hi')
  // Cards and switches carry people's names, which stay as entered.
  const words = await page
    .locator('h1, h2:not(li *), h3, button, thead th, label:not(li *), nav a, option')
    .allInnerTexts()
  const english = words.filter((text) => /[a-z]{3,}/i.test(text.replaceAll(sameInHindi, '')))
  assert.deepEqual(english, [])
}

/** Files that the tests of screens upload. */

/** A list of students with one of each common error. */
export const faultyFile = [
  'Student Name,Class,Section,Roll No,Subjects,Parent Mobile,House',
  'Aarohi Namunawala,4,Q,1,Mathematics,9000000001,Blue',
  'Kabir Udaharan,4,Q,1,Mathematics,12,Red',
  ',4,Q,3,Mathematics,,Red',
  'Ishita Kalpanik,14,A,x,Chess,,Green',
  'Devansh Misaal,4,Q,5,Mathematics,9000000005,Green',
].join('\n')

/** The smallest valid PDF. */
export const slip = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n')
