// The year of a school by keyboard alone: sign in, enter two students, see them, order a book, pay with proof, choose an exam
// date, see results. Nothing is clicked; a file is chosen in the system's own dialog. Counts the keys of each step, and fails
// where Tab goes nowhere or never comes to what is wanted. BENCH_TREES names a folder for what a screen reader reads of the
// screens on the way, in its order. Starts a portal with the demo world itself: node bench/keyboard.ts
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { slip } from '../e2e/look.ts'
import { demoPassword, lastSeason } from '../e2e/people.ts'
import { startPortal } from '../e2e/program.ts'
import { findChromium } from '../scripts/machine.ts'

const trees = process.env.BENCH_TREES

/** What a screen reader calls what has the cursor, and of which kind it is. */
const focused = `(() => {
  const at = document.activeElement
  if (!at || at === document.body) return ''
  const by = (at.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => document.getElementById(id)?.innerText ?? '')
  const label = [...(at.labels ?? [])].map((one) => one.innerText).join(' ')
  const own = at.matches('input, select, textarea') ? '' : at.innerText
  const name = at.ariaLabel || by.join(' ').trim() || label || own || at.title || ''
  return at.localName + ' ' + name.replaceAll(/\\s+/g, ' ').trim()
})()`

class Keyboard {
  readonly page: Page
  keys = 0
  constructor(page: Page) {
    this.page = page
  }
  async press(key: string): Promise<void> {
    this.keys++
    await this.page.keyboard.press(key)
  }
  async type(text: string): Promise<void> {
    this.keys += text.length
    await this.page.keyboard.type(text)
  }
  focused(): Promise<string> {
    return this.page.evaluate<string>(focused)
  }
  /** Presses Tab until the cursor is on something of this name. */
  async reach(name: RegExp, key = 'Tab'): Promise<void> {
    const passed: string[] = []
    for (let presses = 0; presses < 120; presses++) {
      const at = await this.focused()
      if (name.test(at)) return
      passed.push(at)
      await this.press(key)
    }
    assert.fail(`Tab never came to ${name}:\n${passed.join('\n')}`)
  }
  /** Every stop of the page from here until the cursor leaves it or comes round: each has a name, and none keeps the cursor. */
  async walkStops(where: string): Promise<void> {
    let before = ''
    for (let presses = 0; presses < 150; presses++) {
      await this.page.keyboard.press('Tab')
      const at = await this.focused()
      if (at === '') return
      assert.ok(/ ./.test(at), `${where}: a stop without a name: <${at}> after ${before}`)
      const seen = await this.page.evaluate<boolean>(`(() => {
        const again = document.activeElement.dataset.walked === '${where}'
        document.activeElement.dataset.walked = '${where}'
        return again
      })()`)
      if (seen) {
        assert.ok(presses > 1, `${where}: ${at} keeps the cursor`)
        return
      }
      before = at
    }
  }
  async read(name: string): Promise<void> {
    if (!trees) return
    mkdirSync(trees, { recursive: true })
    const dialog = this.page.getByRole('dialog')
    const shown = (await dialog.count()) > 0 ? dialog.last() : this.page.locator('main')
    writeFileSync(join(trees, `${name}.txt`), await shown.ariaSnapshot())
  }
}

/** Does a part of the way and says how many keys it took. */
async function step(name: string, keyboard: Keyboard, act: () => Promise<void>): Promise<void> {
  const before = keyboard.keys
  try {
    await act()
  } catch (error) {
    console.log(`${name}: the cursor is on ${await keyboard.focused()}`)
    if (trees) await keyboard.page.screenshot({ path: join(trees, 'failed.png') })
    throw error
  }
  console.log(name.padEnd(44), keyboard.keys - before)
}

async function signIn(keyboard: Keyboard, person: string): Promise<void> {
  const { page } = keyboard
  await page.goto('/login')
  await page.getByLabel('E-mail').and(page.locator(':focus')).waitFor()
  await keyboard.type(`${person}@podium.example`)
  await keyboard.press('Tab')
  if (/Forgot/.test(await keyboard.focused())) await keyboard.press('Tab')
  await keyboard.type(demoPassword)
  await keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
}

/** Goes to a page by the palette, as whoever knows its name does. */
async function go(keyboard: Keyboard, name: string): Promise<void> {
  const { page } = keyboard
  await keyboard.press('Control+k')
  await page.getByRole('dialog').locator(':focus').waitFor()
  await keyboard.type(name)
  await page.getByRole('option', { name }).or(page.getByRole('dialog').getByText(name)).first().waitFor()
  await keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

async function enterStudents(keyboard: Keyboard): Promise<void> {
  const { page } = keyboard
  await page.getByRole('button', { name: 'Add Entry' }).first().waitFor()
  await keyboard.reach(/Add Entry/)
  await keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.locator(':focus').waitFor()
  await keyboard.read('entry-dialog')
  await keyboard.reach(/^select .*Class/)
  await keyboard.type('Class 7')
  await keyboard.reach(/^select .*Section/)
  await keyboard.type('Y')
  await keyboard.reach(/^input .*Roll/)
  await keyboard.type(String(100 + (Date.now() % 800)))
  await keyboard.reach(/^input .*Student name/)
  await keyboard.type('Asha Namunawala')
  await keyboard.reach(/Subjects/)
  await keyboard.type('Math')
  await keyboard.press('Enter')
  await dialog.getByText('1 of').first().waitFor()
  // Saves, and starts the next of the same class and section with the next roll no.
  await keyboard.press('Control+Enter')
  await page.getByText('Details saved sucessfully').first().waitFor()
  await dialog
    .getByLabel('Student name')
    .and(page.locator('[value=""], :placeholder-shown, :focus'))
    .waitFor()
  await keyboard.reach(/^input .*Student name/)
  await keyboard.type('Kabir Namunawala')
  await keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await keyboard.press('/')
  await page.locator('main input:focus').waitFor()
  await keyboard.type('Namunawala')
  for (const name of ['Asha Namunawala', 'Kabir Namunawala'])
    await page
      .getByRole('row', { name: new RegExp(`${name}.*7 Y`) })
      .first()
      .waitFor()
  await keyboard.read('entry')
}

async function orderBook(keyboard: Keyboard): Promise<void> {
  const { page } = keyboard
  await page.getByRole('button', { name: 'Add Books' }).first().waitFor()
  await keyboard.reach(/Add Books/)
  await keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.locator(':focus').waitFor()
  await keyboard.read('book-dialog')
  await keyboard.reach(/^select .*Class/)
  await keyboard.type('Class 7')
  await keyboard.reach(/^select .*Subject/)
  await keyboard.type('Mathe')
  await keyboard.reach(/^select .*Category/)
  await keyboard.type('Comp')
  await keyboard.reach(/Quantity/)
  await keyboard.press('Control+a')
  await keyboard.type('3')
  await keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await keyboard.read('books')
}

async function pay(keyboard: Keyboard): Promise<void> {
  const { page } = keyboard
  await page
    .getByRole('button', { name: /^Update Payment Details/ })
    .first()
    .waitFor()
  await keyboard.read('payments')
  await keyboard.reach(/Update Payment Details/)
  await keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.locator(':focus').waitFor()
  await keyboard.read('payment-dialog')
  await keyboard.reach(/UTR/)
  await keyboard.type('SBIN526328000123')
  await keyboard.reach(/Remarks/)
  await keyboard.type('NEFT')
  await keyboard.reach(/^input Attachment/)
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), keyboard.press('Enter')])
  await chooser.setFiles({ name: 'slip.pdf', mimeType: 'application/pdf', buffer: slip })
  await keyboard.reach(/Send details/)
  await keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Being verified').first().waitFor()
  await keyboard.read('payments-sent')
}

async function chooseDate(keyboard: Keyboard): Promise<void> {
  const { page } = keyboard
  await page.getByRole('radio').first().waitFor()
  await keyboard.read('exam-dates')
  const free = page.locator('main input[type=radio]:enabled')
  assert.ok((await free.count()) > 0, 'no exam date may be chosen')
  await keyboard.reach(/^input .*\d\d-[A-Z][a-z]{2}-\d{4}/)
  await keyboard.press('ArrowRight')
  await keyboard.press('Space')
  await page.getByRole('dialog').or(page.locator('.toast')).first().waitFor()
  await keyboard.read('exam-date-dialog')
  if (await page.getByRole('dialog').count()) {
    await keyboard.reach(/^button (?!Cancel|Close)/)
    await keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
}

async function seeResults(keyboard: Keyboard): Promise<void> {
  const { page } = keyboard
  await page.locator('main').getByLabel('FYear').waitFor()
  await keyboard.reach(/^select .*FYear/)
  await keyboard.type(lastSeason)
  await keyboard.reach(/^select .*Subject/)
  await page.locator('main').getByLabel('Subject').locator('option').nth(1).waitFor({ state: 'attached' })
  await keyboard.type('Mathe')
  await keyboard.reach(/Search/)
  await keyboard.press('Enter')
  await page.locator('main tbody tr').first().waitFor()
  await keyboard.read('results')
}

const dataDir = mkdtempSync(join(tmpdir(), 'podium-bench-'))
const portal = process.argv[2] ? undefined : await startPortal(dataDir)
const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] })
try {
  const context = await browser.newContext({
    baseURL: process.argv[2] ?? portal?.url ?? '',
    viewport: { width: 1366, height: 768 },
    locale: 'en-IN',
  })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const keyboard = new Keyboard(page)
  console.log('keys of each step, those of what is typed among them')
  await step('sign in', keyboard, () => signIn(keyboard, 'manoj'))
  await step('to the students', keyboard, () => go(keyboard, 'Add Student'))
  await step('enter two students and see them', keyboard, () => enterStudents(keyboard))
  await step('to the books', keyboard, () => go(keyboard, 'Book order'))
  await step('order three books', keyboard, () => orderBook(keyboard))
  await step('to the payments', keyboard, () => go(keyboard, 'Manage Payments'))
  await step('pay with proof', keyboard, () => pay(keyboard))
  await step('sign out', keyboard, async () => {
    await keyboard.reach(/Logout/)
    await keyboard.press('Enter')
    await page.getByRole('button', { name: 'Sign In', exact: true }).waitFor()
  })
  await step('sign in as a school that has paid', keyboard, () => signIn(keyboard, 'kiran'))
  await step('to the exam dates', keyboard, () => go(keyboard, 'Exam Date'))
  await step('choose another exam date', keyboard, () => chooseDate(keyboard))
  await step('to the results', keyboard, () => go(keyboard, 'View result'))
  await step('see the results of last season', keyboard, () => seeResults(keyboard))
  for (const path of ['/student/entry', '/Importantlink/managepayment', '/books/order', '/School/examdate']) {
    await page.goto(path)
    await page.locator('main h1').waitFor()
    await keyboard.walkStops(path)
  }
  console.log(`${keyboard.keys} keys in all`)
} finally {
  await browser.close()
  await portal?.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
