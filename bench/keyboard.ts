// A school's year only by keyboard: register, sign in, contacts, students one by one, in the grid and from a file,
// books, payment with proof, exam dates, sign-off, results, help. Nothing is clicked; a file is chosen in the system's
// own dialog. Counts the keys of each step; fails if Tab gets stuck or never reaches its target, if the focus is lost,
// or if the focused element is invisible, covered or has no name that says what it does. BENCH_TREES names a folder for
// what a screen reader reads on each screen, the focus stops, and pictures. Starts a portal with the demo world itself:
// node bench/keyboard.ts
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { slip } from '../e2e/demo-portal.ts'
import { lastSeason, newestMail } from '../e2e/people.ts'
import { startPortal } from '../e2e/program.ts'
import { findChromium } from '../scripts/machine.ts'
import { dialogOf, fillIn, go, Keyboard, opens, signIn, signOut } from './keys.ts'

/** Registers, from the link on the sign-in page to the notice that the school is being verified. */
async function register(keyboard: Keyboard): Promise<void> {
  const { page } = keyboard
  const email = `kavya.${Date.now()}@teachers.example`
  await page.goto('/login')
  await keyboard.lands(/^textbox E-mail/)
  await keyboard.reach(/^link Create Account/)
  await keyboard.press('Enter')
  await keyboard.lands(/^textbox E-mail/)
  await keyboard.type(email)
  await keyboard.press('Enter')
  await keyboard.lands(/^textbox One-time password/)
  await keyboard.type('12')
  await keyboard.press('Enter')
  await page.getByText('The one-time password has 6 digits.').waitFor()
  await keyboard.lands(/^textbox One-time password/)
  await keyboard.press('Control+a')
  await keyboard.type(/\b\d{6}\b/.exec(await newestMail(page, email, /one-time/i))?.[0] ?? '')
  await keyboard.press('Enter')
  await keyboard.lands(/^textbox Name/)
  await keyboard.press('Enter')
  await keyboard.lands(/^textbox Name/)
  await keyboard.read('register-errors')
  await fillIn(keyboard, [
    [/^textbox Name/, 'Kavya Misaal'],
    [/^textbox Address/, '4 Namuna Road'],
    [/^combobox Country/, 'India'],
    [/^combobox State/, 'Karnataka'],
    [/^(?:textbox|combobox) City/, 'Namunapur'],
    [/Pin Code/i, '560071'],
    [/Mobile/, '9000012345'],
  ])
  await keyboard.reach(/^radio /)
  await keyboard.press('Space')
  await fillIn(keyboard, [
    [/^textbox Password/, 'paper boats in june'],
    [/^textbox Re-enter/, 'paper boats in june'],
    [/^combobox You are a/, 'School'],
  ])
  await keyboard.reach(/^checkbox /)
  await keyboard.press('Space')
  await keyboard.press('Enter')
  await page.waitForURL(/\/dashboard/)
  await dialogOf(keyboard).locator(':focus').waitFor()
  await keyboard.lands(/^textbox School name/)
  await keyboard.press('Enter')
  await keyboard.lands(/^textbox School name/)
  await fillIn(keyboard, [
    [/^textbox School name/, 'Namunapur Kanya Vidyalaya'],
    [/^textbox Address/, '7 Kalpanik Lane'],
    [/District/, 'Kalpanagar'],
    [/Phone/, '9000012346'],
  ])
  await keyboard.press('Enter')
  await page.getByText('Your account verification is in progress').waitFor()
  await keyboard.lands(/^(?:heading|button|link) /)
  await keyboard.read('waiting')
}

/** Tests the skip links, leaves a dialog with Escape, and adds a contact. */
async function addContact(keyboard: Keyboard): Promise<void> {
  const { page } = keyboard
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Contact Detail' }).waitFor()
  await keyboard.press('Tab')
  await keyboard.lands(/^link Skip to content/)
  await keyboard.press('Enter')
  await keyboard.lands(/^main/)
  await opens(keyboard, /^button New Contact/)
  await keyboard.press('Escape')
  await keyboard.lands(/^button New Contact/)
  await opens(keyboard, /^button New Contact/)
  await keyboard.reach(/^textbox Contact name/)
  await keyboard.type('Hemlata')
  await keyboard.press('Escape')
  await keyboard.lands(/^button New Contact/)
  // What was typed is still there, and the focus is not on the button that discards it.
  await opens(keyboard, /^button New Contact/)
  await page
    .getByText('Hemlata')
    .or(page.getByRole('button', { name: /draft/ }))
    .first()
    .waitFor()
  await keyboard.lands(/^combobox Designation/)
  await keyboard.press('Tab', 2)
  await keyboard.press('End')
  await keyboard.type(' Misaal')
  await keyboard.press('Enter')
  await keyboard.lands(/^combobox Designation/)
  await keyboard.read('contact-errors')
  await fillIn(keyboard, [
    [/^combobox .*Designation/, 'Ol'],
    [/^combobox .*Title/, 'Mrs'],
    [/^textbox E-mail/, 'hemlata@namunapur.example'],
    [/^textbox Mobile/, '9000012347'],
  ])
  await keyboard.press('Enter')
  await dialogOf(keyboard).waitFor({ state: 'detached' })
  await keyboard.lands(/^button New Contact/)
}

async function enterStudents(keyboard: Keyboard): Promise<void> {
  const { page } = keyboard
  const dialog = dialogOf(keyboard)
  // An empty list moves the buttons from the title to its middle.
  await page.getByText('No students yet').waitFor()
  await opens(keyboard, /^button Add Entry/)
  await fillIn(keyboard, [
    [/^combobox Class/, 'Class 7'],
    [/^combobox Section/, 'Y'],
    [/^textbox Roll/, '12@'],
    [/^textbox Student name/, 'Asha Namunawala'],
    [/^combobox Subjects/, 'Math'],
  ])
  await keyboard.press('Enter')
  await dialog.getByText('1 of').first().waitFor()
  // Saves, and starts the next one in the same class and section with the next roll no.
  await keyboard.press('Control+Enter')
  await dialog.getByText('Roll No is a whole number from 1.').waitFor()
  await keyboard.lands(/^textbox Roll/)
  await keyboard.press('Control+a')
  await keyboard.type(String(100 + (Date.now() % 800)))
  await keyboard.press('Control+Enter')
  await page.getByText('Details saved sucessfully').first().waitFor()
  await keyboard.lands(/^textbox Student name/)
  await keyboard.type('Kabir Namunawala')
  await keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await keyboard.lands(/^button Add Entry/)
  await keyboard.press('/')
  await keyboard.lands(/^searchbox /)
  await keyboard.type('Namunawala')
  for (const name of ['Asha Namunawala', 'Kabir Namunawala'])
    await page
      .getByRole('row', { name: new RegExp(`${name}.*7 Y`) })
      .first()
      .waitFor()
  await keyboard.read('entry')
}

/** Deletes and restores a student, by the note above the list and by the row. */
async function deleteOne(keyboard: Keyboard): Promise<void> {
  const { page } = keyboard
  await opens(keyboard, /^button Delete Kabir Namunawala/)
  await keyboard.reach(/^button OK/)
  await keyboard.press('Enter')
  await dialogOf(keyboard).waitFor({ state: 'detached' })
  await keyboard.lands(/^button Restore Kabir Namunawala/)
  await keyboard.press('Enter')
  await page.getByRole('button', { name: 'Delete Kabir Namunawala' }).waitFor()
  await keyboard.lands(/^button Edit Kabir Namunawala/)
  await opens(keyboard, /^button Delete Kabir Namunawala/)
  await keyboard.reach(/^button OK/)
  await keyboard.press('Enter')
  await dialogOf(keyboard).waitFor({ state: 'detached' })
  await keyboard.reach(/^button Undo/, 'Shift+Tab')
  await keyboard.press('Enter')
  await page.getByRole('button', { name: 'Delete Kabir Namunawala' }).waitFor()
  await keyboard.lands(/^(?:heading|button) /)
}

const firstNames = ['Asha', 'Binita', 'Charu', 'Dev', 'Esha', 'Farah', 'Gopal', 'Hari', 'Ila', 'Jaya']

/** Types five students into the grid, one with an error that is corrected, and pastes ten. */
async function useGrid(keyboard: Keyboard): Promise<void> {
  const { page } = keyboard
  await keyboard.page.getByRole('gridcell').first().waitFor()
  await keyboard.lands(/^gridcell /)
  for (const [index, name] of firstNames.slice(0, 5).entries()) {
    const roll = index === 2 ? '3@' : String(index + 1)
    for (const cell of ['8', 'W', roll, `${name} Misaal`]) {
      await keyboard.type(cell)
      await keyboard.press('Tab')
    }
    await keyboard.type('Maths, Science')
    await keyboard.press('Enter')
  }
  await page.getByText('1 error').first().waitFor()
  await keyboard.press('F8')
  await keyboard.press('Alt+Enter')
  await page.getByText('5 students ready').waitFor()
  await keyboard.press('Control+Home')
  await keyboard.press('ArrowDown', 5)
  const rows = firstNames.map((name, index) => ['9', 'W', index + 1, `${name} Kalpanik`, 'M, S'].join('\t'))
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(rows.join('\n'))})`)
  await keyboard.press('Control+v')
  await page.getByText('15 students ready').waitFor()
  await keyboard.read('grid')
  await keyboard.press('Escape')
  await opens(keyboard, /^button Check and enter/)
  await keyboard.press('Enter')
  await page.getByText('15 students added.').waitFor()
  await keyboard.lands(/^(?:gridcell|heading|link|button) /)
  await keyboard.read('grid-done')
}

/** Imports a file with one error: accepts the suggestion and imports the rest. */
async function importFile(keyboard: Keyboard): Promise<void> {
  const { page } = keyboard
  // Set early: the browser suppresses its own dialog once it knows of a listener.
  page.on('filechooser', () => undefined)
  await keyboard.reach(/^button Choose a file/)
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), keyboard.press('Enter')])
  const rows = ['Std,Div,R. No.,Name,Exams', 'X,W,1,Naina Misaal,Maths', 'X,W,2,Om Misaal,Sciense']
  await chooser.setFiles({ name: 'x.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) })
  await page.getByRole('tab', { name: /^Errors/ }).waitFor()
  await keyboard.lands(/^(?:heading|tab|button) /)
  await keyboard.reach(/^tab Errors/)
  await keyboard.reach(/^button Use .Science./)
  await keyboard.press('Enter')
  await page.getByRole('button', { name: 'Import 2 students' }).waitFor()
  await keyboard.lands(/^(?:heading|tab|button|textbox) /)
  await keyboard.reach(/^button Import 2 students/)
  await keyboard.press('Enter')
  await page.getByText('2 students added.').waitFor()
  await keyboard.lands(/^(?:heading|link|button) /)
  await keyboard.read('import-done')
}

async function orderBook(keyboard: Keyboard): Promise<void> {
  await keyboard.page.getByRole('button', { name: 'Add Books' }).first().waitFor()
  await opens(keyboard, /^button Add Books/)
  await fillIn(keyboard, [
    [/^combobox Class/, 'Class 7'],
    [/^combobox Subject/, 'Mathe'],
    [/^combobox Category/, 'Comp'],
  ])
  await keyboard.reach(/Quantity/)
  await keyboard.press('Control+a')
  await keyboard.type('3')
  await keyboard.press('Enter')
  await dialogOf(keyboard).waitFor({ state: 'detached' })
  await keyboard.lands(/^button Add Books/)
}

async function pay(keyboard: Keyboard): Promise<void> {
  const { page } = keyboard
  await page
    .getByRole('button', { name: /^Update Payment Details/ })
    .first()
    .waitFor()
  await opens(keyboard, /^button Update Payment Details/)
  await keyboard.read('payment-dialog')
  await keyboard.reach(/UTR/)
  await keyboard.type('SBIN526328000123')
  await keyboard.press('Enter')
  await keyboard.lands(/^textbox Remarks/)
  await keyboard.type('NEFT')
  await keyboard.reach(/^button .*Attachment/)
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), keyboard.press('Enter')])
  await chooser.setFiles({ name: 'slip.pdf', mimeType: 'application/pdf', buffer: slip })
  await keyboard.reach(/^button Send details/)
  await keyboard.press('Enter')
  await dialogOf(keyboard).waitFor({ state: 'detached' })
  await page.getByText('Being verified').first().waitFor()
  await keyboard.lands(/^(?:heading|button) /)
  await keyboard.read('payments-sent')
}

async function seeStatement(keyboard: Keyboard): Promise<void> {
  await keyboard.reach(/^tab Fees/)
  await keyboard.press('ArrowRight')
  await keyboard.page.getByRole('table', { name: /tatement/ }).waitFor()
  await keyboard.lands(/^tab Statement/)
}

async function signOff(keyboard: Keyboard, name: string): Promise<void> {
  const { page } = keyboard
  await page.getByRole('button', { name: 'Sign off Mathematics' }).waitFor()
  await opens(keyboard, /^button Sign off Mathematics/)
  await keyboard.press('Enter')
  await keyboard.lands(/^textbox /)
  await keyboard.read('sign-off-dialog')
  await keyboard.type(name)
  await keyboard.press('Enter')
  await dialogOf(keyboard).waitFor({ state: 'detached' })
  await page.getByText('Signed off').first().waitFor()
  await keyboard.lands(/^(?:heading|button|link|checkbox) /)
}

async function chooseDate(keyboard: Keyboard): Promise<void> {
  const { page } = keyboard
  await page.getByRole('radio').first().waitFor()
  const free = page.locator('main input[type=radio]:enabled')
  assert.ok((await free.count()) > 0, 'no exam date may be chosen')
  await keyboard.reach(/^radio .*\d\d-[A-Z][a-z]{2}-\d{4}/)
  await keyboard.press('ArrowRight')
  await keyboard.press('Enter')
  await page.locator('.toast').first().waitFor()
  await keyboard.lands(/^radio /)
}

async function seeResults(keyboard: Keyboard): Promise<void> {
  const { page } = keyboard
  await page.locator('main').getByLabel('FYear').waitFor()
  await keyboard.reach(/^combobox FYear/)
  await keyboard.type(lastSeason)
  await keyboard.reach(/^combobox Subject/)
  await page.locator('main').getByLabel('Subject').locator('option').nth(1).waitFor({ state: 'attached' })
  await keyboard.type('Mathe')
  await keyboard.reach(/^button Search/)
  await keyboard.press('Enter')
  await page.locator('main tbody tr').first().waitFor()
  await keyboard.reach(/^button Class rank/)
  await keyboard.press('Enter')
  await page.locator('[aria-expanded="true"]').first().waitFor()
  await keyboard.lands(/^button Class rank/)
  await keyboard.read('results')
}

/** Opens the list of shortcuts, and the phone number for help. */
async function getHelp(keyboard: Keyboard): Promise<void> {
  await keyboard.press('?')
  await dialogOf(keyboard).locator(':focus').waitFor()
  await keyboard.press('Escape')
  await dialogOf(keyboard).waitFor({ state: 'detached' })
  await keyboard.lands(/ /)
  await keyboard.reach(/^link .*1800/, 'Shift+Tab')
}

const dataDir = mkdtempSync(join(tmpdir(), 'podium-bench-'))
const portal = process.argv[2] ? undefined : await startPortal(dataDir)
const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] })
try {
  const context = await browser.newContext({
    baseURL: process.argv[2] ?? portal?.url ?? '',
    viewport: { width: 1366, height: 768 },
    locale: 'en-IN',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const keyboard = new Keyboard(page, await context.newCDPSession(page))
  const step = (name: string, act: () => Promise<void>) => keyboard.step(name, act)
  console.log('keys of each step, those of what is typed among them')
  await step('register, and send the details of the school', () => register(keyboard))
  await step('sign out', () => signOut(keyboard))
  await step('sign in', () => signIn(keyboard, 'joyita'))
  await step('to the contacts', () => go(keyboard, 'Contact Detail'))
  await step('a new contact', () => addContact(keyboard))
  await step('to the students', () => go(keyboard, 'Add Student'))
  await step('enter two students and see them', () => enterStudents(keyboard))
  await step('delete one and restore it, twice', () => deleteOne(keyboard))
  await step('to the grid', () => go(keyboard, 'Add many students'))
  await step('type five into the grid, correct one, paste ten', () => useGrid(keyboard))
  await step('to the import', () => go(keyboard, 'Import students'))
  await step('import a file', () => importFile(keyboard))
  await step('to the books', () => go(keyboard, 'Book order'))
  await step('order three books', () => orderBook(keyboard))
  await step('to the payments', () => go(keyboard, 'Manage Payments'))
  await step('pay with proof', () => pay(keyboard))
  await step('see the statement', () => seeStatement(keyboard))
  await step('to the sign-off', () => go(keyboard, 'Sign-off'))
  await step('sign a list off', () => signOff(keyboard, 'Joyita Misaal'))
  await step('help', () => getHelp(keyboard))
  await step('sign out', () => signOut(keyboard))
  await step('sign in as a school that has paid', () => signIn(keyboard, 'kiran'))
  await step('to the exam dates', () => go(keyboard, 'Exam Date'))
  await step('choose another exam date', () => chooseDate(keyboard))
  await step('to the results', () => go(keyboard, 'View result'))
  await step('see the results of last season', () => seeResults(keyboard))
  for (const path of [
    '/dashboard',
    '/student/entry',
    '/student/signoff',
    '/Importantlink/managepayment',
    '/books/order',
    '/School/examdate',
    '/School/contact-details',
    '/result/viewresult',
  ]) {
    await page.goto(path)
    await page.locator('main h1').waitFor()
    await keyboard.walkStops(path)
  }
  console.log(`${keyboard.keys} keys in all`)
  for (const fault of new Set(keyboard.faults)) console.log(fault)
  if (keyboard.faults.length > 0) process.exitCode = 1
} finally {
  await browser.close()
  await portal?.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
