// Walks every screen of a portal with the demo world, which it starts itself unless E2E_URL names a running one.
// Nothing is written: calls that would change something are refused.
//   node bench/screens.ts pictures FOLDER   each screen at 360, 1366 and 1920 px, light and dark, as a PNG
//   node bench/screens.ts axe               each screen in each of its states, at 360 and 1366 px, light and dark, read by axe
//   BENCH_ONLY='^/office/payments'           only addresses that match this pattern; '^(?!/office)' are all except the office's
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { accessible, dialog } from '../e2e/accessible.ts'
import { fits } from '../e2e/browser.ts'
import { type Look, settled, walk } from '../e2e/demo-portal.ts'
import { lastSeason } from '../e2e/people.ts'

const [what = 'axe', folder = ''] = process.argv.slice(2)
const only = new RegExp(process.env.BENCH_ONLY ?? '')
if (what === 'pictures' && !folder) throw new Error('Say which folder the pictures go to')

const gate = [
  '/login',
  '/register',
  '/forgot',
  '/reset?token=x',
  '/invitation?token=x',
  '/office/login',
  '/no/such/page',
]
const family = ['/student?id=demo-family-of-two-kid', '/student?id=no-such-family', '/verify']
const schoolOf = {
  meera: [
    '/dashboard',
    '/School/Details',
    '/School/examdate',
    '/School/attendance',
    '/School/contact-details',
    '/School/staff',
    '/student/entry',
    '/student/lastseason',
    '/student/grid',
    '/student/signoff',
    '/student/datarequests',
    '/student/import',
    '/student/summery',
    '/student/UploadForm',
    '/student/finalsummery',
    '/books/order',
    '/books/summary',
    '/Importantlink/managepayment',
    '/Importantlink/trackorder',
    '/Importantlink/teacherquestion',
    '/Importantlink/QuctionStatus',
    '/Importantlink/examScheduleStatus',
  ],
  kiran: [
    '/dashboard',
    '/Importantlink/trackorder',
    '/Importantlink/examScheduleStatus',
    '/Importantlink/teacherquestion',
    `/result/viewresult?FYear=${lastSeason}`,
    `/result/medalist?FYear=${lastSeason}`,
    `/result/award?FYear=${lastSeason}`,
    `/result/prize?FYear=${lastSeason}`,
    '/result/nextlevel',
  ],
  manoj: ['/dashboard', '/student/entry', '/student/signoff', '/Importantlink/managepayment'],
  joyita: [
    '/dashboard',
    '/student/entry',
    '/books/order',
    '/result/viewresult',
    '/Importantlink/managepayment',
  ],
  waheeda: ['/dashboard'],
  naveen: ['/dashboard'],
} as const
const office = [
  '/office',
  '/office/account',
  '/office/reminders',
  '/office/applications',
  '/office/schools',
  '/office/schools/import',
  '/office/schools/letters',
  '/office/students',
  '/office/payments',
  '/office/payments?state=verified',
  '/office/statements',
  '/office/receipts',
  '/office/credits',
  '/office/ledger',
  '/office/closing',
  '/office/bank-accounts',
  '/office/waivers',
  '/office/book-orders',
  '/office/packets',
  '/office/question-papers',
  '/office/awards',
  '/office/schedules',
  '/office/attendance',
  `/office/results?season=${lastSeason}`,
  `/office/next-level?season=${lastSeason}`,
  '/office/questions',
  '/office/notices',
  '/office/catalogue',
  '/office/catalogue/lists',
  '/office/catalogue/open',
  '/office/staff',
  '/office/audit-log',
  '/office/mails',
  '/office/jobs',
  '/office/backups',
  '/office/data-requests',
  '/office/incidents?state=closed',
  '/office/settings',
]
/** Detail pages: the first link of a list that leads to one. */
const detailOf: Record<string, RegExp> = {
  '/office/schools': /^\/office\/schools\/\d+/,
  '/office/students': /^\/office\/students\/\d+/,
  '/office/packets': /^\/office\/packets\/\d+/,
  [`/office/results?season=${lastSeason}`]: /^\/office\/results\/\d+/,
  [`/office/next-level?season=${lastSeason}`]: /^\/office\/next-level\/\d+/,
  '/office/catalogue': /^\/office\/catalogue\/event\/\d+/,
  '/office/incidents?state=closed': /^\/office\/incidents\/\d+/,
}

const nameOf = (path: string) => path.replaceAll(/[^\w]+/g, '-').replaceAll(/^-|-$/g, '')
const widths = { 360: 740, 1366: 900, 1920: 1080 } as const
const colours = ['light', 'dark'] as const
const counts = { screens: 0, faults: [] as string[] }

/** Sets the page's size and colours, and resolves once it is drawn. */
async function turn(page: Page, width: keyof typeof widths, colorScheme: 'light' | 'dark'): Promise<void> {
  await Promise.all([
    page.emulateMedia({ colorScheme }),
    page.setViewportSize({ width, height: widths[width] }),
  ])
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
}

async function shoot(page: Page, state: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  for (const width of [360, 1366, 1920] as const)
    for (const colour of colours) {
      await turn(page, width, colour)
      await page.evaluate('scrollTo(0, 0)')
      const tall = Number(await page.evaluate('document.documentElement.scrollHeight'))
      const height =
        (await page.locator(dialog).count()) > 0
          ? widths[width]
          : Math.min(2400, Math.max(tall, widths[width]))
      const clip = { x: 0, y: 0, width, height }
      writeFileSync(
        join(folder, `${state}-${width}-${colour}.png`),
        await page.screenshot({ clip, fullPage: height > widths[width] }),
      )
    }
  await turn(page, 1366, 'light')
}

/**
 * Asserts that no date is broken over two lines, and no word is cut off; a queue may truncate texts that are shown in
 * full beside it.
 */
async function checkTypesetting(page: Page, state: string): Promise<void> {
  const found = await page.evaluate<string[]>(`(() => {
    const found = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      for (const { index, 0: day } of node.data.matchAll(/\\b\\d{2}-[A-Z][a-z]{2}-\\d{4}\\b/g)) {
        const range = document.createRange()
        range.setStart(node, index)
        range.setEnd(node, index + day.length)
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
        if (lines.size > 1) found.push('broken: ' + node.data.trim().slice(0, 80))
      }
      const around = node.parentElement
      const style = getComputedStyle(around)
      const hidden = style.overflowX === 'hidden' && style.clipPath === 'none' && around.clientWidth > 8
      if (hidden && around.scrollWidth > around.clientWidth + 1 && !around.closest('[title], .queue'))
        found.push('cut off: ' + around.tagName + '.' + around.className + ' ' + node.data.trim().slice(0, 60))
    }
    return [...new Set(found)]
  })()`)
  if (found.length > 0) throw new Error(`${state}: ${found.slice(0, 6).join(' | ')}`)
}

/**
 * Whether axe finds nothing in the whole page: `accessible` skips what it knows, and a rule about the whole may miss
 * that.
 */
const isFaultless = (page: Page) =>
  page.evaluate<boolean>(`(async () => {
    globalThis.knownShapes = new Set()
    const { violations } = await axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag22aa', 'best-practice'] })
    return violations.length === 0
  })()`)

async function read(page: Page, state: string): Promise<void> {
  for (const width of [1366, 360] as const)
    for (const colour of colours) {
      await turn(page, width, colour)
      for (const look of [fits, checkTypesetting, accessible])
        await look(page, `${state} (${width}, ${colour})`).catch(async ({ message }: Error) => {
          if (look === accessible && (await isFaultless(page))) return
          counts.faults.push(message)
          console.log(message)
        })
    }
  await turn(page, 1366, 'light')
}

async function see(page: Page, state: string): Promise<void> {
  counts.screens++
  await (what === 'pictures' ? shoot : read)(page, state)
}

/** Calls that read by POST, as the specification has some. */
const reading = /\/(Get|Search|Find|Preview)/i

/** Refuses calls that would change something, so that any button may be pressed. */
async function refuseWrites(page: Page): Promise<void> {
  await page.route('**/api/**', (route: Route) => {
    const request = route.request()
    const reads = request.method() === 'GET' || reading.test(new URL(request.url()).pathname)
    return reads ? route.continue() : route.fulfill({ status: 503, body: '' })
  })
}

/** Closes whatever is open, including the question whether to discard what was typed. */
async function closeDialogs(page: Page): Promise<void> {
  for (let n = 0; n < 4 && (await page.locator(dialog).count()) > 0; n++) {
    await page.keyboard.press('Escape')
    await page.waitForTimeout(100)
  }
}

/** Presses each button of the page once, by its name without digits, and checks the dialogs that open. */
async function seeDialogs(page: Page, path: string, state: string): Promise<void> {
  const buttons = page.locator('main button:enabled:visible, header button:enabled:visible')
  const named = async () =>
    (await buttons.allInnerTexts()).map((text) =>
      text
        .replaceAll(/[\d₹,.]+/g, '')
        .trim()
        .slice(0, 40),
    )
  const done = new Set<string>(['', 'Sign out', 'Logout'])
  for (let presses = 0; presses < 25; presses++) {
    const names = await named()
    const index = names.findIndex((name) => !done.has(name))
    const name = names[index]
    if (name === undefined) return
    done.add(name)
    await buttons
      .nth(index)
      .click({ timeout: 2_000 })
      .catch(() => undefined)
    await page.waitForTimeout(300)
    if ((await page.locator(dialog).count()) > 0) await see(page, `${state}-${nameOf(name)}`)
    await closeDialogs(page)
    const moved = new URL(page.url()).pathname !== new URL(path, page.url()).pathname
    if (moved || (await page.locator(dialog).count()) > 0) {
      await page.goto(path)
      await settled(page)
    }
  }
}

/** Checks a page before its data has arrived, and when the server can't provide it. */
async function seeTroubles(page: Page, path: string, state: string): Promise<void> {
  const data = /\/api\/(?!office\/Me\b)/
  const heldRoutes: Route[] = []
  await page.route(data, (route) => void heldRoutes.push(route))
  await page.goto(path)
  await page
    .locator('h1')
    .first()
    .waitFor()
    .catch(() => undefined)
  await page.waitForTimeout(300)
  await see(page, `${state}-loading`)
  await page.unroute(data)
  for (const route of heldRoutes) await route.abort().catch(() => undefined)
  await page.route(data, (route) => route.fulfill({ status: 500, body: '<h1>Broken</h1>' }))
  await page.goto(path)
  await page
    .locator('h1')
    .first()
    .waitFor()
    .catch(() => undefined)
  await page.waitForTimeout(300)
  await see(page, `${state}-failing`)
  await page.unroute(data)
}

async function seePages(
  { page, open }: Look,
  who: string,
  paths: readonly string[],
  states: boolean,
): Promise<void> {
  for (const path of paths.filter((path) => only.test(path))) {
    const state = nameOf(`${who}-${path}`)
    try {
      await open(path)
      await see(page, state)
      const detail = detailOf[path]
      if (detail) {
        const links = "[...document.querySelectorAll('main a')].map((link) => link.getAttribute('href'))"
        const href = (await page.evaluate<string[]>(links)).find((link) => detail.test(link))
        if (href) await seePages({ page, open } as Look, `${who}-one`, [href], states)
        else console.log(`${path} has no link to one of its rows`)
        await open(path)
      }
      if (what === 'pictures' || !states) continue
      await seeDialogs(page, path, state)
      if (!path.includes('login')) await seeTroubles(page, path, state)
    } catch (error) {
      counts.faults.push(`${state}: ${String(error).slice(0, 300)}`)
      console.log(state, String(error).slice(0, 300))
    }
  }
}

const onDesk = { only: 'desk' } as const

test('every screen', { timeout: Number.POSITIVE_INFINITY }, async () => {
  await walk(async (look) => {
    look.page.setDefaultTimeout(20_000)
    look.expects(/./)
    await refuseWrites(look.page)
    await seePages(look, 'anyone', [...gate, ...family], true)
  }, onDesk)
  for (const language of what === 'axe' ? ([undefined, 'hi'] as const) : [undefined])
    await walk(
      async (look) => {
        look.page.setDefaultTimeout(20_000)
        look.expects(/./)
        const tongue = language ? '-hi' : ''
        for (const [person, paths] of Object.entries(schoolOf)) {
          await look.beSchool(person)
          await refuseWrites(look.page)
          await seePages(look, person + tongue, paths, !language)
        }
        for (const role of what === 'axe' && !language ? ['owner', 'viewer'] : ['owner']) {
          await look.page.unroute('**/api/**')
          await look.beOffice(role)
          await refuseWrites(look.page)
          await seePages(look, role + tongue, office, !language && role === 'owner')
        }
      },
      { ...onDesk, ...(language ? { language } : {}) },
    )
  console.log(`${counts.screens} screens and states, ${counts.faults.length} faults`)
  if (counts.faults.length > 0) throw new Error(counts.faults.join('\n'))
})
