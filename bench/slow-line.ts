// How long the first visit to a page takes on a slow connection with a slow phone (300 ms round trip, 1.6 Mbit/s, a
// quarter of this machine's speed), with the parts listed ahead in its HTML and, alternating, without. Needs a portal
// with the demo world (`npm start`): node bench/slow-line.ts [address]
import { type Browser, chromium } from 'playwright-core'
import { findChromium } from '../scripts/machine.ts'

const address = process.argv[2] ?? 'http://127.0.0.1:3000'
const rounds = 5

/** A page, its user, and an element that is there when it can be used. */
const pages = [
  { path: '/student?id=demo-family-of-two-kid', shown: '.lede' },
  { path: '/login', shown: '[name=password], [type=password]' },
  { path: '/dashboard', person: 'meera@podium.example', shown: '.next' },
  { path: '/student/entry', person: 'meera@podium.example', shown: 'main li, tbody tr' },
]

const line = { offline: false, latency: 300, downloadThroughput: 200_000, uploadThroughput: 95_000 }

const ahead = /<link rel="(?:modulepreload|preload)"[^>]*>(?=<)/g

async function signedIn(browser: Browser, person: string | undefined) {
  const context = await browser.newContext({
    baseURL: address,
    viewport: { width: 360, height: 740 },
    isMobile: true,
  })
  const page = await context.newPage()
  if (person) {
    const body = { emailId: person, password: 'Kalpanik-demo-42' }
    const { token, userDetails } = await (
      await context.request.post('/api/Account/Login', { data: body })
    ).json()
    await page.goto('/healthz')
    const session = JSON.stringify([
      ['token', token],
      ['user', JSON.stringify(userDetails)],
    ])
    await page.evaluate(`for (const [key, value] of ${session}) sessionStorage.setItem(key, value)`)
  }
  return page
}

/** Returns the milliseconds from pressing Enter to the page, with nothing of the portal cached. */
async function visit(browser: Browser, target: (typeof pages)[number], named: boolean): Promise<number> {
  const page = await signedIn(browser, target.person)
  if (!named) {
    await page.route(new URL(target.path, address).href, async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, body: (await answer.text()).replaceAll(ahead, '') })
    })
  }
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', line)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  const start = performance.now()
  await page.goto(target.path, { waitUntil: 'commit' })
  await page.locator(target.shown).first().waitFor()
  const took = performance.now() - start
  await page.context().close()
  return took
}

const median = (all: number[]) => Math.round(all.toSorted((a, b) => a - b)[all.length >> 1] ?? 0)

const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] })
console.log(`median of ${rounds} first visits, in ms: parts named ahead, not named, ratio`)
for (const page of pages) {
  const took: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    took[0].push(await visit(browser, page, true))
    took[1].push(await visit(browser, page, false))
  }
  const [named, unnamed] = [median(took[0]), median(took[1])]
  console.log(`${page.path.padEnd(36)} ${named} ${unnamed} ${(named / unnamed).toFixed(2)}`)
}
await browser.close()
