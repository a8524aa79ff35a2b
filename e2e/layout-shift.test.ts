import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { hold } from './browser.ts'
import { settled, test } from './demo-portal.ts'

/** Pages must not shift while their parts arrive, in any order; otherwise a press would hit the wrong target. */

/** Records shifts that no user has caused. */
const watching = `{
  globalThis.moved = []
  const read = (list) => {
    for (const { value, sources } of list.getEntries()) {
      const what = sources.map(({ node, previousRect, currentRect }) =>
        [(node?.textContent ?? '').slice(0, 40), Math.round(previousRect.y), Math.round(currentRect.y)].join(' '))
      moved.push({ value, what })
    }
  }
  new PerformanceObserver(read).observe({ type: 'layout-shift', buffered: true })
}`

/** Opens a page whose requests are answered one at a time, latest first, drawing in between. */
async function backwards(page: Page, path: string): Promise<void> {
  const heldRequests: (() => void)[] = []
  let asked = 0
  const letAllGo = await hold(page, '*/api/*', ({ letGo }) => {
    asked++
    heldRequests.push(letGo)
  })
  await page.goto(path, { waitUntil: 'commit' })
  let over = false
  const there = settled(page).finally(() => {
    over = true
  })
  while (!over) {
    heldRequests.pop()?.()
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
  }
  await there
  await letAllGo()
  assert.ok(asked > 0, `${path} asks for nothing`)
}

/** Opens pages, and fails if more has shifted on one than the edges of something small. */
async function staysWhereItIs(page: Page, paths: readonly string[]): Promise<void> {
  await page.addInitScript(watching)
  for (const path of paths) {
    await backwards(page, path)
    const moved = await page.evaluate<{ value: number; what: string[] }[]>('moved')
    assert.deepEqual(
      moved.filter(({ value }) => value > 0.005),
      [],
      path,
    )
  }
}

test("nothing on a school's first pages is pushed away by late content", async ({ page, beSchool }) => {
  await beSchool('meera')
  await staysWhereItIs(page, [
    '/dashboard',
    '/student/entry',
    '/student/grid',
    '/student/import',
    '/student/finalsummery',
    '/books/order',
    '/Importantlink/managepayment',
  ])
})

test("nothing on a school's first pages is pushed away on a phone either, where parts load in another order", {
  only: 'phone',
}, async ({ page, beSchool }) => {
  await beSchool('meera')
  await staysWhereItIs(page, ['/dashboard', '/student/entry'])
})

test("nothing on the office's pages with several parts is pushed away by late content", async (look) => {
  const { page, beOffice, open } = look
  await beOffice('owner')
  // The season's figures are computed when first requested; after that they exist.
  await open('/office')
  await page.locator('.overview-choice').waitFor()
  await staysWhereItIs(page, ['/office', '/office/statements', '/office/credits', '/office/schedules'])
})

test('nothing on the sign-in page is pushed away on a phone', { only: 'phone' }, ({ page }) =>
  staysWhereItIs(page, ['/login']),
)

test('the certificate page is drawn with its question, and the verdict pushes nothing away', {
  only: 'phone',
}, async ({ page }) => {
  await page.addInitScript(`new MutationObserver(() => {
        if (document.querySelector('h1')) globalThis.whole ??= document.querySelector('form') !== null
      }).observe(document, { childList: true, subtree: true })`)
  await page.goto('/verify')
  await page.getByLabel('Certificate number').waitFor()
  assert.equal(await page.evaluate('whole'), true)
  await staysWhereItIs(page, ['/verify/AAAA-BBBB-CCCC'])
})
