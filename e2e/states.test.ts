import assert from 'node:assert/strict'
import { seasonOfYear, seasonYear } from '@podium/contract/season'
import type { Page } from 'playwright-core'
import { readManifest } from '../scripts/preload.ts'
import { announced, hold } from './browser.ts'
import { broken, refused, settled, test } from './demo-portal.ts'
import { lastSeason, thisSeason } from './people.ts'

/** Every page of a school in the states that nobody plans for: no data, not allowed, a failing server. */

const loading = [
  '/dashboard',
  '/School/Details',
  '/School/examdate',
  '/School/contact-details',
  '/student/entry',
  '/student/summery',
  '/student/finalsummery',
  '/books/order',
  '/books/summary',
  '/result/viewresult',
  '/Importantlink/managepayment',
  '/Importantlink/trackorder',
  '/Importantlink/QuctionStatus',
  '/Importantlink/examScheduleStatus',
  '/Importantlink/teacherquestion',
] as const

const officePages = [
  ['bank-accounts', 'Bank accounts'],
  ['credits', 'Credits and refunds'],
  ['catalogue', 'Seasons and fees'],
  ['settings', 'Settings'],
] as const

/** Those that need a registered school. */
const schools = loading.filter((path) => !/dashboard/.test(path))

const named = (path: string) => path.split('/').slice(1).join('-').toLowerCase()

test('a page whose data cannot be loaded says so, and can be reloaded [spec 8.1 8.13]', async (look) => {
  const { page, beSchool, see, expects } = look
  expects(broken)
  await beSchool('meera')
  for (const path of loading) {
    const mend = await hold(page, '*/api/*', (request) => request.answer(500, '<h1>Broken</h1>'))
    await page.goto(path)
    const retry = page.locator('main').getByRole('button', { name: 'Try again' })
    await retry.first().waitFor()
    await page
      .locator('main')
      .getByText(/Internal Server Error: /)
      .first()
      .waitFor()
    await see(`failing-${named(path)}`)
    await mend()
    await retry.first().click()
    await settled(page)
  }
})

test('an office page that cannot be loaded keeps its name, and the filters that are set', async (look) => {
  const { page, beOffice, see, expects } = look
  expects(broken)
  await beOffice('owner')
  await hold(page, '*/api/office/*', (request) =>
    request.url.endsWith('/Me') ? request.letGo() : request.answer(500, '<h1>Broken</h1>'),
  )
  for (const [path, title] of officePages) {
    await page.goto(`/office/${path}`)
    await page.locator('main').getByRole('button', { name: 'Try again' }).first().waitFor()
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
  }
  await see('office-unreachable')
  // The filters may be the reason: they stay, and can be cleared.
  await page.goto('/office/incidents?search=lost')
  const search = page.locator('main').getByRole('searchbox')
  await search.waitFor()
  assert.equal(await search.inputValue(), 'lost')
  await see('office-unreachable-filtered')
  await page.locator('main').getByRole('button', { name: 'Clear', exact: true }).click()
  await search.waitFor({ state: 'detached' })
})

/** A dialog and the list behind one of its fields */
const fieldLists = [
  ['operations', '/office/packets', 'Scan to dispatch', '**/dispatch/couriers', 'Namuna Express'],
  ['accounts', '/office/statements', 'Rules', '**/bank/rules', 'No rules yet.'],
  ['operations', '/office/schools', 'New school', '**/GetState*', 'Karnataka'],
] as const

test('a dialog whose choices cannot be loaded says so, and loads them on request', async (look) => {
  const { page, beOffice, open, see, expects } = look
  expects(broken)
  const dialog = page.getByRole('dialog')
  for (const [role, path, button, list, choice] of fieldLists) {
    await beOffice(role)
    await page.route(list, (route) => route.fulfill({ status: 500, body: '<h1>Broken</h1>' }))
    await open(path)
    await page.getByRole('button', { name: button, exact: true }).click()
    await dialog.getByText(/^This could not be loaded.*Internal Server Error: /s).waitFor()
    await see(`failing-choices-${named(path)}`)
    await page.unroute(list)
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await dialog.getByText(choice).first().waitFor({ state: 'attached' })
    assert.equal(await dialog.getByRole('button', { name: 'Try again' }).count(), 0)
  }
})

test('choices that are refused before their dialog is drawn are told as well', async (look) => {
  const { page, beOffice, expects } = look
  expects(broken)
  const frame = readManifest('web/dist', 'office')['src/ui/dialog-frame.tsx']?.file
  assert.ok(frame)
  await beOffice('accounts')
  const drawn: (() => Promise<unknown>)[] = []
  const asked = new Promise<void>((resolve) => {
    void page.route(`**/${frame}`, (route) => {
      drawn.push(() => route.continue())
      resolve()
    })
  })
  await page.route('**/bank/rules', (route) => route.fulfill({ status: 500, body: '<h1>Broken</h1>' }))
  await page.goto('/office/statements')
  await settled(page)
  const refused = page.waitForResponse(/\/bank\/rules$/)
  await page.getByRole('button', { name: 'Rules', exact: true }).click()
  await Promise.all([asked, refused])
  // The refusal has reached the page once it has drawn twice more.
  for (const _ of [1, 2]) await page.evaluate('new Promise((drawn) => requestAnimationFrame(drawn))')
  for (const go of drawn) await go()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/^This could not be loaded.*Internal Server Error: /s).waitFor()
})

test('a list that a lost connection kept away can be reloaded [spec 8.2 8.13]', async (look) => {
  const { page, beSchool, see, expects } = look
  expects(broken)
  await beSchool('meera')
  const calls = '**/GetStudentDetails*'
  const retry = page.getByRole('button', { name: 'Try again' })
  await page.route(calls, (route) => route.fulfill({ status: 503, body: '<h1>Unavailable</h1>' }))
  await page.goto('/student/entry')
  await retry.waitFor()
  await page.unroute(calls)
  await page.route(calls, (route) => route.abort())
  await page.reload()
  await retry.waitFor()
  await see('students-unreachable')
  await page.unroute(calls)
  await retry.click()
  await page.getByRole('row').nth(1).or(page.locator('main li').first()).waitFor()
  await page.route('**/SaveStudentDetails', (route) => route.abort())
  await page
    .locator('main')
    .getByRole('button', { name: /^Edit / })
    .and(page.locator(':not([aria-disabled])'))
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Student name').fill('Asha Namuna')
  await dialog.getByRole('button', { name: /^Save/ }).click()
  await dialog.getByText('Error: no connection. Nothing is lost. Please try again.').waitFor()
  assert.equal(await dialog.getByLabel('Student name').inputValue(), 'Asha Namuna')
})

test('from April until the office opens the new season, the dashboard says that it is not open yet', async (look) => {
  const { page, beSchool, open, see, expects } = look
  expects(refused)
  await beSchool('arasu')
  await open(`/dashboard?season=${seasonOfYear(seasonYear(thisSeason) + 1)}`, 'is not open yet')
  await page.getByText(/^Forms for season .* can be downloaded once/).waitFor()
  await see('dashboard-not-opened')
  assert.equal(await page.getByText('could not be loaded').count(), 0)
  assert.equal(await page.getByText('Blank', { exact: false }).count(), 0)
})

test('an empty page says so, and what to do next [spec 2.14.6]', async ({ page, beSchool, open, see }) => {
  await beSchool('joyita')
  for (const path of schools) {
    await open(path)
    if (path.endsWith('contact-details')) {
      const emptyText = 'Currently, there are no contacts to display. Please Add New Entry'
      await page.getByText(emptyText).waitFor()
    }
    await see(`empty-${named(path)}`)
  }
})

test('without a verified school its pages lead to the dashboard, and without sign-in to the sign-in page [spec 1.14 2.1.11 2.1.20 4.6 6.3 6.5]', async (look) => {
  const { page, beSchool } = look
  for (const path of ['/student/entry', '/books/order', '/result/prize', '/Importantlink/trackorder']) {
    await page.goto(path)
    await page.getByRole('button', { name: 'Sign In', exact: true }).waitFor()
    assert.equal(new URL(page.url()).searchParams.get('returnurl')?.toLowerCase(), path.toLowerCase())
  }
  await beSchool('waheeda')
  for (const path of schools.filter((school) => !school.startsWith('/School'))) {
    await page.goto(path)
    await settled(page)
    // People waiting for verification may view the payments (specification, 2.1).
    const heading = path.endsWith('managepayment') ? 'Manage Payments' : 'Dashboard'
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  }
  // Tab reaches what the menu does not open yet, and says why.
  const closed = page.getByRole('navigation').locator('[role="link"][aria-disabled="true"]')
  await page.getByRole('navigation').getByRole('link', { name: 'Dashboard' }).focus()
  for (let presses = 0; presses < 12 && (await page.locator('.disabled-reason').count()) === 0; presses++)
    await page.keyboard.press('Tab')
  await closed.first().and(page.locator(':focus')).waitFor()
  const reason = (await closed.first().getAttribute('title')) ?? ''
  await page.locator('.disabled-reason:popover-open').filter({ hasText: reason }).waitFor()
})

test("a season's fees never appear under another season while that one is loading", async (look) => {
  const { page, beSchool } = look
  await beSchool('meera', '/dashboard')
  const due = page.getByRole('heading', { name: 'Pay the fees' })
  await due.waitFor()
  const arrive = Promise.withResolvers<void>()
  await page.route('**/Get_Season_Track*', async (route) => {
    await arrive.promise
    await route.continue()
  })
  await page.getByRole('banner').getByLabel('Season').selectOption(lastSeason)
  await page.getByText(`Season ${lastSeason}`).first().waitFor()
  assert.equal(await due.count(), 0)
  arrive.resolve()
  await settled(page)
  assert.equal(await due.count(), 0)
})

test("the office never sees one season's events under another season while those are loading", async (look) => {
  const { page, beOffice } = look
  await beOffice('results', '/office/results')
  const events = page.locator('main').getByRole('link')
  await events.first().waitFor()
  const arrive = Promise.withResolvers<void>()
  await page.route(`**/api/office/results/**season=${lastSeason}*`, async (route) => {
    await arrive.promise
    await route.continue()
  })
  await page.getByRole('banner').getByLabel('Season').selectOption(lastSeason)
  await page.locator('main [aria-busy]').first().waitFor()
  assert.equal(await events.count(), 0)
  arrive.resolve()
  await events.first().waitFor()
})

test('without a connection a page says so, and loads by itself when the connection is back', {
  only: 'desk',
}, async ({ page, beSchool, see, expects }) => {
  expects(failedDownloads)
  await beSchool('meera')
  await page.goto('/dashboard')
  await settled(page)
  const line = await cut(page)
  await page.getByText('What you typed is safe; we').waitFor()
  await line.pointInVain('Contact Detail')
  await page.getByRole('link', { name: 'Contact Detail' }).first().click()
  await page.getByRole('heading', { name: 'Connection lost' }).waitFor()
  await see('offline')
  await line.mend()
  await page.getByRole('heading', { level: 1, name: 'Contact Detail' }).waitFor()
  assert.equal(await page.getByText('What you typed is safe; we').count(), 0)
})

test('a page hovered while offline opens with its style sheets once the connection is back', async (look) => {
  const { page, beSchool, expects } = look
  expects(failedDownloads)
  await beSchool('meera')
  await page.goto('/dashboard')
  await settled(page)
  const line = await cut(page)
  const sheet = await line.pointInVain('Contact Detail')
  const styled = page.waitForResponse((response) => response.url() === sheet && response.ok())
  await line.mend()
  await page.getByRole('link', { name: 'Contact Detail' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Contact Detail' }).waitFor()
  await styled
})

test("a page in Hindi is shown even if the office's Hindi names fail to load", {
  only: 'phone',
  language: 'hi',
}, async ({ page, expects }) => {
  expects(broken)
  await page.route('**/catalogue/hindiNames', () => undefined)
  await page.goto('/student?id=demo-family-of-two-kid')
  await page.getByLabel('एक्सेस कोड').waitFor()
  await page.unrouteAll()
})

test("text is as large as the reader's browser is set to, and no field cuts it off", {
  only: 'desk',
}, async ({ page, beSchool, beOffice, open }) => {
  /** Sets the text twice as large, as a browser does, and returns the fields too low for it. */
  const cut = (address: string) =>
    page.evaluate<string[]>(`(() => {
      const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
      const flat = rules.flatMap((rule) => [rule, ...(rule.cssRules ?? [])])
      const fixed = flat.filter(({ style }) => /px$/.test(style?.fontSize ?? '')).map((rule) => rule.selectorText)
      document.documentElement.style.fontSize = '32px'
      const low = [...document.querySelectorAll('select, input:not([type=checkbox], [type=radio]), .b')]
        .filter((field) => field.checkVisibility() && field.scrollHeight > field.clientHeight + 2)
        .map((field) => field.ariaLabel ?? field.className)
      document.documentElement.style.fontSize = ''
      return [...fixed, ...low].map((one) => one + ' on ${address}')
    })()`)
  await beSchool('meera')
  for (const path of ['/dashboard', '/student/entry', '/Importantlink/teacherquestion']) {
    await open(path)
    assert.deepEqual(await cut(path), [])
  }
  await beOffice('owner', '/office/payments')
  assert.deepEqual(await cut('the payments'), [])
})

test('the header keeps the name of the portal, or its whole mark, when text is twice as large', {
  twice: true,
}, async ({ page, beSchool, beOffice }) => {
  const faults = () =>
    page.evaluate<string[]>(`(() => {
      document.documentElement.style.fontSize = '32px'
      const header = document.querySelector('header.top')
      const parts = [...header.querySelectorAll('.logo > svg, .logo > span, button, select')]
        .filter((part) => part.checkVisibility() && !getComputedStyle(part).clipPath.startsWith('inset'))
      const found = parts.filter((part) => {
        const { right, width } = part.getBoundingClientRect()
        return right > innerWidth || (part.matches('svg') ? width < 26 : part.matches('span') && part.scrollWidth > part.clientWidth)
      })
      document.documentElement.style.fontSize = ''
      return found.map((part) => part.ariaLabel ?? part.outerHTML.slice(0, 40))
    })()`)
  await beSchool('meera', '/dashboard')
  assert.deepEqual(await faults(), [])
  await beOffice('operations', '/office/schools')
  assert.deepEqual(await faults(), [])
})

test('on another page of a list, focus and view are at its top', { twice: true }, async (look) => {
  const { page, beSchool, open } = look
  await beSchool('meera')
  for (const [path, list] of [
    ['/student/entry', 'Students of 2026-27'],
    ['/books/order', 'Books for students'],
  ] as const) {
    await open(path)
    const top = () => page.evaluate<number>('document.activeElement.getBoundingClientRect().top')
    await page.getByRole('button', { name: /^Next/ }).click()
    await page.getByRole('button', { name: /^Previous: 1–/ }).waitFor()
    await page.locator('[aria-busy]').first().waitFor({ state: 'detached' })
    await page.locator('.tw:focus').waitFor()
    const at = await top()
    assert.ok(at > 40 && at < 700, `${list} is at ${at}`)
  }
})

test('the page of a record has the focus on its heading once it has loaded', { only: 'desk' }, async ({
  page,
  beOffice,
}) => {
  await beOffice('results', `/office/results?season=${lastSeason}`)
  const event = page.getByRole('row').getByRole('link').first()
  const name = await event.innerText()
  await event.click()
  await page.getByRole('heading', { level: 1, name }).and(page.locator(':focus')).waitFor()
})

test('an error goes once what it says is over', { only: 'desk' }, async ({ page, beSchool, expects }) => {
  expects(broken)
  await beSchool('kiran', '/Importantlink/managepayment')
  const error = page.getByRole('alert').filter({ hasText: 'no connection' })
  const statement = page.getByRole('button', { name: /statement/i })
  await page.route('**/Get_FeeStatement*', (route) => route.abort())
  await statement.click()
  await error.waitFor()
  await page.unroute('**/Get_FeeStatement*')
  const saved = page.waitForEvent('download')
  await statement.click()
  await saved
  await error.waitFor({ state: 'detached' })
})

test('what was saved is not saved twice when its answer is lost on the way', { only: 'desk' }, async ({
  page,
  beSchool,
  beOffice,
  open,
  expects,
}) => {
  expects(broken)
  const dialog = page.getByRole('dialog')
  /** Loses the next answer of a call: the server has acted, and the page does not know. */
  const lose = (calls: string) =>
    page.route(calls, (route) => route.fetch().then(() => route.abort()), { times: 1 })
  const name = `Lata ${String.fromCharCode(...Array.from({ length: 6 }, () => 97 + Math.random() * 26))}`
  await beSchool('kiran', '/School/contact-details')
  await page.getByRole('button', { name: 'New Contact' }).click()
  await dialog.getByLabel('Designation').selectOption({ label: 'Teacher' })
  await dialog.getByLabel('Title').selectOption({ label: 'Mrs' })
  await dialog.getByLabel('Contact name').fill(name)
  await dialog.getByLabel('E-mail', { exact: true }).fill('lata@school.example')
  await dialog.getByLabel('Mobile', { exact: true }).fill('9000012345')
  await lose('**/Save_ContactPerson')
  await dialog.getByRole('button', { name: 'Request contact' }).click()
  await announced(page, 'Details saved sucessfully')
  await page.getByText(name).first().waitFor()
  assert.equal(await page.getByRole('heading', { name }).count(), 1)
  await open('/Importantlink/teacherquestion')
  const form = page.locator('main form')
  await form.getByLabel('Class').selectOption({ label: 'Class 7' })
  await form.getByLabel('Subject').selectOption({ label: 'Mathematics' })
  await form.getByLabel('Chapter').selectOption({ index: 1 })
  await form.getByLabel('Question').fill(`What does ${name} count?`)
  for (const letter of 'ABCD') await form.getByLabel(`Option ${letter}`).fill(letter)
  await form.getByLabel('B', { exact: true }).check()
  await lose('**/Save_TeacherQuestion')
  await form.getByRole('button', { name: 'Send question' }).click()
  await announced(page, 'Your question is sent')
  await beOffice('operations', '/office/schools')
  await page.getByRole('row').getByRole('link').first().click()
  await page.getByRole('link', { name: /^Notes/ }).click()
  await page.getByRole('button', { name: 'Add note' }).first().click()
  await dialog.getByRole('textbox', { name: 'Note' }).fill(`${name} rang`)
  await lose('**/addNote')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText(`${name} rang`).first().waitFor()
  await settled(page)
  assert.equal(await page.getByText(`${name} rang`).count(), 1)
  await page
    .getByRole('button', { name: /^Edit the note/ })
    .first()
    .click()
  await dialog.getByRole('textbox', { name: 'Note' }).fill(`${name} rang twice`)
  await page.route(
    '**/changeNote',
    (route) => route.fetch().then(() => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' })),
    { times: 1 },
  )
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Nothing is lost').waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText(`${name} rang twice`).first().waitFor()
})

test('in high contrast the open tab and the chosen view differ from the others, and a dialog has an edge', {
  only: 'desk',
}, async ({ page, beSchool, open }) => {
  await beSchool('meera')
  await page.emulateMedia({ forcedColors: 'active' })
  const styleOf = (selector: string, property: string) =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).${property}`)
  await open('/Importantlink/managepayment')
  const tab = (isOpen: boolean) => styleOf(`.tabs > [aria-selected="${isOpen}"]`, 'borderBottomColor')
  assert.notEqual(await tab(true), await tab(false))
  await open('/student/entry')
  const view = (isChosen: boolean) => styleOf(`.seg [aria-pressed="${isChosen}"]`, 'backgroundColor')
  assert.notEqual(await view(true), await view(false))
  // A dialog's edge is its shadow, which forced colours leave out.
  await page.getByRole('button', { name: 'Add Entry' }).click()
  await page.getByRole('dialog').waitFor()
  assert.equal(await styleOf('.dlg', 'outlineStyle'), 'solid')
  await page.emulateMedia({ forcedColors: 'none' })
})

test('a detail page has a heading before its data have loaded', async ({ page, beOffice }) => {
  await beOffice('viewer', '/office/schools')
  const school = await page.getByRole('row').getByRole('link').first().getAttribute('href')
  const held = Promise.withResolvers<void>()
  await page.route('**/api/office/**', async (route) => {
    if (!route.request().url().endsWith('/Me')) await held.promise
    await route.continue()
  })
  await page.goto(school ?? '')
  await page.getByRole('heading', { level: 1, name: 'Loading' }).waitFor()
  held.resolve()
  await page.getByRole('heading', { level: 1, name: 'Loading' }).waitFor({ state: 'detached' })
})

const failedDownloads = /Failed to load resource|Part not downloaded/

/** Cuts the connection, and blocks the browser's cached parts of the portal. */
async function cut(page: Page) {
  await page.route('**/assets/**', (route) => route.abort())
  await page.context().setOffline(true)
  return {
    /** Points at a link until its page was requested in vain; returns the style sheet that failed. */
    async pointInVain(link: string): Promise<string> {
      const failed = page.waitForEvent('requestfailed', (request) => request.resourceType() === 'stylesheet')
      await page.getByRole('link', { name: link }).first().hover()
      return (await failed).url()
    },
    async mend() {
      await page.unroute('**/assets/**')
      await page.context().setOffline(false)
    },
  }
}
