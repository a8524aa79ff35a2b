import assert from 'node:assert/strict'
import type { Page, Request } from 'playwright-core'
import { readManifest } from '../scripts/preload.ts'
import { hold } from './browser.ts'
import { refused, settled, test } from './demo-portal.ts'

/** How soon a page appears on a slow connection: its HTML must list all its parts. */

/** Keeps a page from loading what it wants a second and a half after its start: on a busy machine, before its first call. */
const withoutLater = `{
  const real = setTimeout
  globalThis.setTimeout = (run, delay, ...more) => (delay === 1500 ? 0 : real(run, delay, ...more))
}`

/**
 * Returns what a page requests while loading, and which parts, requested before its first call, its HTML does not list.
 */
async function asks(page: Page, path: string): Promise<{ asked: string[]; unnamed: string[] }> {
  const requested: string[] = []
  const hear = (request: Request) => requested.push(new URL(request.url()).pathname)
  await page.addInitScript(withoutLater)
  page.on('request', hear)
  const html = (await (await page.goto(path))?.text()) ?? ''
  await settled(page)
  page.off('request', hear)
  // Parts requested alongside the page's data may come later.
  const first = requested.findIndex((path) => path.startsWith('/api/'))
  const parts = requested
    .slice(0, first < 0 ? undefined : first)
    .filter((path) => path.startsWith('/assets/'))
  assert.ok(parts.length > 5, path)
  const named = (part: string) => html.includes(`href="${part}"`) || html.includes(`src="${part}"`)
  return { asked: requested, unnamed: parts.filter((part) => !named(part)) }
}

/** Returns the files of a language's words. */
const wordFiles = (language: string) =>
  ['family', 'school']
    .flatMap((bundle) => Object.entries(readManifest('web/dist', bundle)))
    .filter(([key]) => key.startsWith(`words/${language}/`) || key.startsWith(`_words-${language}-`))
    .map(([, { file }]) => `/${file}`)

for (const [language, otherLanguage] of [
  ['en', 'hi'],
  ['hi', 'en'],
] as const) {
  test(`a user who reads ${language} downloads no words of ${otherLanguage}, and a page preloads its own`, {
    only: 'phone',
    ...(language === 'hi' ? { language } : {}),
  }, async ({ page, beSchool, beOffice }) => {
    // This tells the server the language.
    await page.goto('/login')
    await settled(page)
    const others = wordFiles(otherLanguage)
    assert.ok(others.length > 50)
    const look = async (path: string) => {
      const { asked, unnamed } = await asks(page, path)
      assert.deepEqual(unnamed, [], path)
      assert.deepEqual(
        asked.filter((path) => others.includes(path)),
        [],
        path,
      )
    }
    await look('/login')
    await look('/student?id=demo-family-of-two-kid')
    await beSchool('meera')
    for (const path of ['/dashboard', '/Importantlink/managepayment']) await look(path)
    await beOffice('owner')
    for (const path of ['/office', '/office/schools/1']) await look(path)
  })
}

test('a page preloads its frame, its parts and its words, so that scripts discover none of them late', {
  only: 'phone',
}, async ({ page, beSchool, beOffice }) => {
  const unnamed = async (path: string) => (await asks(page, path)).unnamed
  for (const path of ['/login', '/student?id=demo-family-of-two-kid'])
    assert.deepEqual(await unnamed(path), [], path)
  await beSchool('meera')
  for (const path of ['/dashboard', '/Importantlink/managepayment'])
    assert.deepEqual(await unnamed(path), [], path)
  await beOffice('owner')
  for (const path of ['/office', '/office/schools/1']) assert.deepEqual(await unnamed(path), [], path)
})

test('the reason for a refused call is in Hindi, however late the sentences arrive', {
  only: 'phone',
  language: 'hi',
}, async ({ page }) => {
  await page.goto('/login')
  const held = Promise.withResolvers<() => Promise<unknown>>()
  const letGo = await hold(page, '*/assets/refusals-*.js', (request) => held.resolve(request.letGo))
  await page.locator('input[type=email]').fill('nobody@podium.example')
  await page.locator('input[type=password]').fill('not-the-password-1')
  const answered = page.waitForResponse(/Account\/Login$/)
  await page.locator('button[type=submit]').click()
  await answered
  await (await held.promise)()
  await page.getByText('ई-मेल या पासवर्ड सही नहीं है।').waitFor()
  assert.equal(await page.getByText('Invalid e-mail or password.').count(), 0)
  await letGo()
})

test('the reason for a refused file is in Hindi, also on a page that shows it itself', {
  only: 'phone',
  language: 'hi',
}, async ({ page, beSchool, open, expects }) => {
  expects(refused)
  const refusal = Promise.withResolvers<void>()
  await beSchool('meera')
  await page.goto('/register')
  const letGo = await hold(page, '*/assets/refusals-*.js', (request) => refusal.promise.then(request.letGo))
  await open('/student/import')
  const answered = page.waitForResponse(/ManageStudent\/ImportStudents/)
  const damaged = { name: 'list.xlsx', mimeType: 'text/plain', buffer: Buffer.from('no spreadsheet') }
  await page.locator('input[type=file]').setInputFiles(damaged)
  await answered
  refusal.resolve()
  await page.getByText('यह स्प्रेडशीट खराब है और पढ़ी नहीं जा सकती।').waitFor()
  await letGo()
})

test('the reason for a disabled button is in Hindi at once on a page opened later', {
  language: 'hi',
}, async ({ page, beOffice, open }) => {
  await beOffice('operations')
  const loaded = page.waitForResponse(/refusals-[^/]*\.js$/)
  await open('/office?season=2025-26')
  await (await loaded).finished()
  // Suppresses requests made a second later or more: what is known must suffice.
  await page.evaluate(`{
        const begin = setTimeout
        globalThis.setTimeout = (act, wait = 0, ...given) => (wait < 1000 ? begin(act, wait, ...given) : 0)
      }`)
  await page.locator('nav a[href^="/office/schedules"]').click()
  const closed = page.locator('main [aria-disabled=true][title]').first()
  await closed.waitFor()
  assert.match((await closed.getAttribute('title')) ?? '', /^यह सत्र समाप्त हो चुका है/)
})

test('a user who reloads a page and goes back before it is drawn sees the earlier page', {
  only: 'phone',
}, async ({ page, beSchool, open }) => {
  await beSchool('meera', '/dashboard')
  await open('/student/entry')
  const held = Promise.withResolvers<void>()
  await page.route(/\/students-page-[^/]*\.js$/, async (route) => {
    await held.promise
    await route.continue()
  })
  await page.reload({ waitUntil: 'commit' })
  await page.evaluate(`(async () => {
        while (!globalThis.__TSR_ROUTER__) await new Promise((resolve) => setTimeout(resolve, 10))
        history.back()
        while (location.pathname !== '/dashboard') await new Promise((resolve) => setTimeout(resolve, 10))
      })()`)
  held.resolve()
  await settled(page)
  assert.equal(await page.locator('main h1').textContent(), 'Dashboard')
  await page.unroute(/\/students-page-[^/]*\.js$/)
})
