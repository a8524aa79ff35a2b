// How long a page takes to appear on a fast connection with all its files cached: reloaded, and opened from the menu
// for the first time. Measured by the page's own clock, to the frame in which its heading appears. Needs one or two
// portals with the demo world (`npm start`), the second compared with the first: node bench/first-picture.ts [address]
// [address]
import { type Browser, chromium, type Page } from 'playwright-core'
import { findChromium } from '../scripts/machine.ts'

const addresses = process.argv.length > 2 ? process.argv.slice(2) : ['http://127.0.0.1:3000']
const rounds = 5

const anonymous = ['/login', '/student?id=demo-family-of-two-kid']
const loaded = ['/dashboard', '/student/entry', '/Importantlink/managepayment', '/result/viewresult']
const opened = ['Add Student', 'Manage Payments', 'View result', 'Staff', 'Book order']

const heading = `document.querySelector('main h1, h1')?.textContent`

/** Returns the milliseconds from the navigation to the heading. */
async function load(page: Page, path: string): Promise<number> {
  await page.goto(path)
  return page.evaluate(`new Promise((done) => {
    const look = () => (globalThis.shownAt ? done(shownAt) : requestAnimationFrame(look))
    look()
  })`)
}

/** Returns the milliseconds from the click on a menu link to another heading. */
const open = (page: Page, link: string): Promise<number> =>
  page.evaluate(`new Promise((done) => {
    const before = ${heading}, begun = performance.now()
    const look = () => {
      const now = ${heading}
      if (now && now !== before) done(performance.now() - begun)
      else requestAnimationFrame(look)
    }
    const links = [...document.querySelectorAll('nav a')]
    links.find((one) => one.textContent.trim() === '${link}').click()
    look()
  })`)

async function signIn(page: Page): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('E-mail').fill('meera@podium.example')
  await page.getByLabel('Password', { exact: true }).fill('Kalpanik-demo-42')
  await page.keyboard.press('Enter')
  await page.waitForURL(/dashboard/)
  await page.locator('.next').waitFor()
}

async function round(browser: Browser, baseURL: string): Promise<Map<string, number>> {
  const context = await browser.newContext({ baseURL, viewport: { width: 1366, height: 900 } })
  await context.addInitScript(`(function look() {
    if (document.querySelector('h1') && !document.querySelector('[aria-busy=true]')) shownAt = performance.now()
    else requestAnimationFrame(look)
  })()`)
  const page = await context.newPage()
  const took = new Map<string, number>()
  for (const path of anonymous) {
    await load(page, path)
    took.set(path, await load(page, path))
  }
  await signIn(page)
  for (const link of opened) {
    // What a page still downloads afterwards must not count for the next one.
    await page.waitForTimeout(1000)
    took.set(`menu: ${link}`, await open(page, link))
  }
  for (const path of loaded) {
    await load(page, path)
    took.set(path, await load(page, path))
  }
  await context.close()
  return took
}

const median = (all: number[]) => all.toSorted((a, b) => a - b)[all.length >> 1] ?? 0

const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] })
const all: Map<string, number>[][] = addresses.map(() => [])
for (let index = 0; index < rounds; index++)
  for (const [index, address] of addresses.entries()) all[index]?.push(await round(browser, address))
console.log(`median of ${rounds}, in ms: ${addresses.join(', ')}${addresses.length > 1 ? ', ratio' : ''}`)
for (const name of all[0]?.[0]?.keys() ?? []) {
  const medians = all.map((rounds) => median(rounds.map((took) => took.get(name) ?? Number.NaN)))
  const ratio = medians.length > 1 ? ((medians[1] ?? 0) / (medians[0] ?? 1)).toFixed(2) : ''
  console.log(name.padEnd(38), ...medians.map((took) => Math.round(took)), ratio)
}
await browser.close()
