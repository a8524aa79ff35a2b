import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { Page } from 'playwright-core'
import { withLock } from '../scripts/lock.mjs'
import { entryOf } from '../server/src/platform/http/pages.ts'
import { accessible } from './accessible.ts'
import { fits, hold, patience, picture, type Size, sizes, visitor } from './browser.ts'
import { demoPassword, freshCode, type Kept, officeKey, sessions } from './people.ts'
import { type Portal, startPortal } from './program.ts'

// The demo world of a run. Started as a program it makes it.

/**
 * The folder that E2E_WORLD names holds the demo world that all portals of a run are copies of, for its seed is most of a
 * portal's start. The first process that asks makes it. Without the name each portal makes its own.
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

/** Fills a folder with the world, where the run has one for all. */
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
 * The portal that the tests of this process share. Each leaves what others need, or makes its own. E2E_URL names one that
 * runs already, for writing tests.
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

/** A folder with the demo world, as its portal has left it. */
export async function demoWorld(): Promise<string> {
  const dataDir = newFolder()
  worlds.push(dataDir)
  await copyWorld(dataDir)
  if (!existsSync(join(dataDir, 'postgres'))) await (await startPortal(dataDir)).stop()
  return dataDir
}

/** A portal that a test has for itself, and with which it goes on in later months: each month the one before is stopped. */
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

const others: Promise<Portal>[] = []

/** A portal without anything in it, as an operator starts it; for the test alone that asks for it. */
export async function emptyPortal(): Promise<Portal> {
  const dataDir = newFolder()
  worlds.push(dataDir)
  const empty = startPortal(dataDir, 0, 'off')
  others.push(empty)
  return empty
}

after(async () => {
  for (const one of await Promise.all([...started, ...others])) await one.stop()
  for (const folder of worlds) remove(folder)
})

/** Looking at every screen at both sizes, light and dark: what the tests of screens share. */

export interface Look {
  size: Size
  page: Page
  /** Opens a page and waits for its title and content. */
  open(path: string): Promise<void>
  /** Becomes a person of a school, without the sign-in's screens. */
  beSchool(person: string): Promise<void>
  /** Becomes a member of the office. */
  beOffice(role: string): Promise<void>
  /** Looks at what is shown: fits, nothing found by axe; and what `also` asks of it. */
  see(state: string, also?: (page: Page) => Promise<void>): Promise<void>
}

/** Resolves when nothing on the page is on its way any more. */
export async function settled(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor()
  // The first of them is gone when there is none.
  await page.locator('.skel, .hair, .spin, [aria-busy="true"]').first().waitFor({ state: 'detached' })
}

async function post(page: Page, path: string, data: object): Promise<Record<string, unknown>> {
  const answer = await page.context().request.post(path, { data })
  assert.ok(answer.ok(), `${path}: ${answer.status()} ${await answer.text()}`)
  return answer.json()
}

async function schoolSession(page: Page, person: string): Promise<Kept> {
  const body = { emailId: `${person}@podium.example`, password: demoPassword }
  const { token, userDetails } = await post(page, '/api/Account/Login', body)
  return { token: String(token), user: JSON.stringify(userDetails) }
}

async function officeSession(page: Page, role: string): Promise<Kept> {
  const emailId = `${role}@podium.example`
  await post(page, '/api/office/SignIn', { emailId, password: demoPassword })
  const answer = await post(page, '/api/office/Confirm', { code: await freshCode(page, role) })
  const { token, officer } = answer
  assert.ok(officer, `${role} is not let in: ${JSON.stringify(answer)}`)
  const known = officer as { staffId: number; name: string; role: string; permissions: string[] }
  const user = {
    userId: known.staffId,
    userName: known.name,
    role: known.role,
    permissions: known.permissions,
  }
  return { 'office.token': String(token), 'office.user': JSON.stringify(user) }
}

/** A portal that has both providers set up: this one has none, and a real one would ask them. Resolves with what ends that. */
export function withProviders(page: Page): Promise<() => Promise<void>> {
  return hold(page, '*/Account/SignInOptions', async ({ url, answer }) => {
    const asked = await page.context().request.get(url)
    await answer(200, { ...(await asked.json()), google: true, facebook: true })
  })
}

/** When an officer has proved last who it is, in milliseconds */
const proved = new Map<string, number>()

/** Proves it again where that was a while ago: a run of many walks takes longer than a proof lasts. */
async function proveAgain(page: Page, role: string, kept: Kept): Promise<void> {
  const now = performance.now()
  const last = proved.get(role) ?? now
  proved.set(role, last)
  if (now - last < 4 * 60_000) return
  proved.set(role, now)
  const answer = await page.context().request.post('/api/office/ConfirmAgain', {
    data: { password: demoPassword },
    headers: { authorization: `Bearer ${kept['office.token']}` },
  })
  assert.ok(answer.ok(), `${role} can not prove it again: ${answer.status()} ${await answer.text()}`)
}

async function be(page: Page, who: string, make: () => Promise<Kept>): Promise<Kept> {
  const making = sessions.get(who) ?? make()
  sessions.set(who, making)
  const kept = await making
  // An address of the portal without scripts of its own: its storage is the portal's.
  await page.goto('/healthz')
  await page.evaluate(
    `sessionStorage.clear(); for (const [key, value] of ${JSON.stringify(Object.entries(kept))}) sessionStorage.setItem(key, value)`,
  )
  return kept
}

/** At a desk a page is looked at in light colours, with a phone in dark ones: between them axe has read both. */
const readIn = { desk: 'light', phone: 'dark' } as const

/** Pictures are for people: PICTURES=read keeps each screen as axe has read it, PICTURES=all in the other colours as well. */
const pictures = process.env.PICTURES

async function pictureInOther(page: Page, name: string, read: 'light' | 'dark'): Promise<void> {
  const other = read === 'dark' ? 'light' : 'dark'
  await page.emulateMedia({ colorScheme: other })
  await picture(page, `${name}-${other}`)
  await page.emulateMedia({ colorScheme: read })
}

/** The bundle that answers an address; none for the pages before the sign-in, which are always loaded. */
function bundleOf(address: string): string | undefined {
  const { pathname } = new URL(address, 'http://portal')
  const entry = entryOf(pathname)
  const apart = /^\/(demo|api|office\/(login|set-up|join))\b/.test(pathname)
  return apart || entry === 'gate.html' || entry === 'family.html' ? undefined : entry
}

/**
 * Goes on to a page of the same bundle as a link would, without loading all anew, and resolves when it is the page that
 * is shown. False where there is no such way: another bundle, the same page, or a dialog that stands before it.
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

/** Gives the page another size and its colours, and resolves when it is drawn so. */
async function turnTo(page: Page, size: Size): Promise<void> {
  // Both before it is drawn
  await Promise.all([page.emulateMedia({ colorScheme: readIn[size] }), page.setViewportSize(sizes[size])])
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
}

async function lookOnce(page: Page, size: Size, state: string): Promise<void> {
  await settled(page)
  await lookAsItIs(page, size, state)
}

/** Looks at both sizes at a dialog for whose answer the page beneath waits, so that it does not settle. */
export async function seeAsked(page: Page, size: Size, state: string): Promise<void> {
  for (const one of ['desk', 'phone'] as const) {
    await turnTo(page, one)
    await lookAsItIs(page, one, state)
  }
  await turnTo(page, size)
}

async function lookAsItIs(page: Page, size: Size, state: string): Promise<void> {
  await fits(page, `${state} (${size})`)
  const read = readIn[size]
  if (pictures) await picture(page, `${state}-${size}-${read}`)
  await accessible(page, `${state} (${size}, ${read})`)
  if (pictures === 'all') await pictureInOther(page, `${state}-${size}`, read)
}

/** A walk at `size`, each of whose screens is looked at in all of `seen`. */
function lookAt(page: Page, size: Size, seen: readonly Size[]): Look {
  return {
    size,
    page,
    async open(path) {
      if (!(await wentOn(page, path))) await page.goto(path)
      await settled(page)
    },
    async beSchool(person) {
      await be(page, person, () => schoolSession(page, person))
    },
    async beOffice(role) {
      const kept = await be(page, officeKey(role), () => officeSession(page, role))
      await proveAgain(page, role, kept)
    },
    async see(state, also) {
      for (const one of seen) {
        if (one !== size) await turnTo(page, one)
        await lookOnce(page, one, state)
        await also?.(page)
        if (one !== size) await turnTo(page, size)
      }
    },
  }
}

interface Walk {
  /** Messages of the console that this walk is about: failing requests log by themselves. */
  expected?: RegExp
  language?: 'hi'
  /** The walk is of this size alone. */
  only?: Size
  /** The way itself is taken with a phone, too: where people go it with one, or where it is another than at a desk. */
  twice?: boolean
}

/**
 * Takes a walk at a desk; each screen is looked at there and then, as it stands, in the size of a phone. The same
 * document serves both, for what differs by size differs by its styles.
 */
export async function walk(way: (look: Look) => Promise<void>, options: Walk = {}): Promise<void> {
  const { url } = await portal()
  const { expected, language, only, twice } = options
  const walkAt = async (size: Size, seen: readonly Size[]) => {
    const { page, context, complaints, close } = await visitor(url, {
      size,
      dark: readIn[size] === 'dark',
      kept: !language,
      ...(expected ? { expected } : {}),
    })
    if (language) await context.addCookies([{ name: 'language', value: language, url }])
    try {
      await way(lookAt(page, size, seen))
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

/** What the browser itself says of an answer that refuses. */
export const refused = /Failed to load resource: the server responded with a status of 4\d\d/
/** … and of one that never came or was broken. */
export const broken = /Failed to load resource/

/** The words of what has the cursor. */
export const focused = async (page: Page) =>
  String(await page.evaluate("document.activeElement?.innerText ?? ''")).trim()

/** Names of products, codes and dates that are the same in every language. */
const sameInHindi =
  /Podium|Google|Facebook|UPI|IFSC|NEFT|RTGS|English|UTR|Excel|CSV|Olympiad|OTP|\b\d\d-[A-Z][a-z]{2}-\d{4}\b/gi

/** No heading, no button and no choice has English words. */
export async function allHindi(page: Page): Promise<void> {
  assert.equal(await page.locator('html').getAttribute('lang'), 'hi')
  // Cards and switches carry names of people, which stay as they were entered.
  const words = await page
    .locator('h1, h2:not(li *), h3, button, thead th, label:not(li *), nav a, option')
    .allInnerTexts()
  const english = words.filter((text) => /[a-z]{3,}/i.test(text.replaceAll(sameInHindi, '')))
  assert.deepEqual(english, [])
}

/** Files that the tests of screens hand in. */

/** A list of students with one of each common fault. */
export const faultyFile = [
  'Student Name,Class,Section,Roll No,Subjects,Parent Mobile,House',
  'Aarohi Namunawala,4,Q,1,Mathematics,9000000001,Blue',
  'Kabir Udaharan,4,Q,1,Mathematics,12,Red',
  ',4,Q,3,Mathematics,,Red',
  'Ishita Kalpanik,14,A,x,Chess,,Green',
  'Devansh Misaal,4,Q,5,Mathematics,9000000005,Green',
].join('\n')

/** The smallest PDF that is one. */
export const slip = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n')
