import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import type { Page, Route } from 'playwright-core'
import { hold, ownConnection } from './browser.ts'
import { broken, focused, test } from './demo-portal.ts'
import { lastSeason, signIn, staysOpen, thisSeason } from './people.ts'

/**
 * The import page: columns, suggestions, corrections by keyboard, students side by side, the dry run, the import and
 * its undo.
 */

/** Returns a typical list: unknown headings, subjects and classes spelt differently, one student twice. */
function list(): string {
  const section = 'X'
  const first = 'Akshara'
  const rows = [
    ['Std', 'Sec', 'Roll', 'Called', 'Hobby', 'Subjects opted'],
    ['5-Jan', section, 901, `${first} Misaal`, `Chess ${randomInt(1e6)}`, 'Mathmatics'],
    ['Std 5', section, 902, `${first} Kalpanik`, 'Drawing', 'Mathmatics'],
    ['V', section, 903, `Udaharan ${first}`, 'Cricket', 'Maths & English'],
    ['5', section, 903, `Udahran ${first}`, 'Cricket', 'Maths & English'],
    ['5', section, '', `${first} Namunawala`, 'Football', 'Science'],
    ['5', 'Rose', 906, `${first} Nakli`, 'Football', 'Science'],
    ['Total', '', '', '6 students', '', ''],
  ]
  return rows.map((row) => row.join(',')).join('\r\n')
}

/**
 * Holds the answer of the next check until the returned function is called, and leaves the field with the cursor at the
 * very moment it arrives, before the page shows it.
 */
async function leaveFieldAtAnswer(page: Page) {
  await page.evaluate(`
    const { json } = Response.prototype
    const leave = (turns) => queueMicrotask(() => turns ? leave(turns - 1) : document.activeElement.blur())
    Response.prototype.json = async function () {
      const answer = await json.call(this)
      if (this.url.includes('RecheckImport')) leave(60)
      return answer
    }`)
  return hold(page, '*/RecheckImport')
}

/** Lets a call reach the portal, and loses its answer. */
async function loseAnswer(route: Route) {
  await route.fetch()
  await route.abort()
}

/** Saves a decision about the import on the page, as another tab does. */
async function anotherTab(page: Page) {
  const importId = new URL(page.url()).searchParams.get('import')
  const headers = {
    ...ownConnection,
    authorization: `Bearer ${await page.evaluate("sessionStorage.getItem('token')")}`,
  }
  const { request } = page.context()
  const preview = await request.get(`/api/ManageStudent/PreviewImport?importId=${importId}`, { headers })
  const { revision } = await preview.json()
  const answer = await request.post('/api/ManageStudent/RecheckImport', {
    headers,
    data: { importId, revision, choices: [{ row: 2, choice: 'out' }] },
  })
  assert.ok(answer.ok(), await answer.text())
}

const step = (page: Page, name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) }).click()

test('a suggestion corrects only the rows that it is for, not others with the same text', async ({
  page,
  beSchool,
}) => {
  await beSchool('joyita', '/student/import')
  const rows = [
    'Class,Section,Roll No,Student Name,Subjects',
    '5,B,951,Asha Misaal,All',
    'LKG,B,952,Bina Udaharan,All',
    'IV-A,B,953,Chand Kalpanik,Science',
    '6,B,954,Dev Namunawala,Science',
  ]
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'all.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) })
  await page.getByRole('heading', { name: '3 rows to correct' }).waitFor()
  await page.getByRole('button', { name: /^Accept all suggestions$/ }).click()
  await page.getByText('No errors').waitFor()
  await step(page, 'Review')
  for (const student of ['Asha Misaal', 'Bina Udaharan', 'Dev Namunawala'])
    await page.getByRole('row', { name: new RegExp(`${student}.*\\bB\\b`) }).waitFor()
})

test('a bad list is mapped, corrected by keyboard, decided, imported and undone', async (look) => {
  const { page, beSchool, open, see, expects } = look
  expects(broken)
  await beSchool('manoj', '/student/entry')
  await page.getByRole('link', { name: 'Import', exact: true }).click()
  await page.getByRole('heading', { name: "This season's imports" }).waitFor()
  await see('import-desk')
  const name = 'list as it comes.csv'
  const choose = () =>
    page
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(list()) })
  // Whoever goes on to another page while a file is sent stays there.
  const letGo = await hold(page, '*/ImportStudents?*')
  await choose()
  await page.getByRole('link', { name: 'Students', exact: true }).last().click()
  await page.getByRole('link', { name: 'Import', exact: true }).waitFor()
  const [read] = await Promise.all([page.waitForResponse(/ImportStudents/), letGo()])
  await read.finished()
  await page.getByRole('link', { name: 'Import', exact: true }).click()
  await page.getByRole('heading', { name: "This season's imports" }).waitFor()
  await choose()
  await page.getByRole('heading', { name: '4 rows to correct' }).waitFor()
  await see('import-desk-faults')

  await page.getByText('1 column is not used: Hobby').waitFor()
  await page.getByText(/^Row 8 is not a student and was skipped: Total/).waitFor()
  await page.getByText('Maths read as Mathematics, 2 rows.').waitFor()
  await page.getByRole('button', { name: 'Undo reading Maths' }).click()
  await page.getByText('“Maths” is kept as written.').waitFor()
  await page.getByRole('button', { name: 'Read it as the subject again' }).click()
  await page.getByText('Maths read as Mathematics, 2 rows.').waitFor()
  await step(page, 'Columns')
  const choice = page.getByLabel('Use E Hobby as', { exact: true })
  assert.equal(await choice.inputValue(), '')
  await choice.selectOption('parentName')
  await page.getByText('your choice').waitFor()
  await see('import-desk-columns')
  // A choice made during a check stays while that check's answer arrives.
  const first = Promise.withResolvers<() => unknown>()
  const release = await hold(page, '*/RecheckImport', ({ letGo }) => first.resolve(letGo))
  const before = (await page.getByRole('tab', { name: /^Errors/ }).textContent()) ?? ''
  await choice.selectOption('parentEmailId')
  await choice.selectOption('')
  const answerFirst = await first.promise
  await answerFirst()
  // A hobby is no e-mail address.
  await page.getByRole('tab').filter({ hasText: before }).waitFor({ state: 'detached' })
  assert.equal(await choice.inputValue(), '')
  await release()
  await page.locator('.spin').first().waitFor({ state: 'detached' })
  assert.equal(await choice.inputValue(), '')

  await step(page, 'Errors')
  await page.getByRole('button', { name: /^Accept all suggestions$/ }).click()
  // The subjects of a row can be checked once its class is right.
  await page.getByRole('button', { name: /^Accept suggestion$/ }).click()
  await page.getByRole('heading', { name: '2 rows to correct' }).waitFor()
  // The remaining rows stay here to be corrected, even after a reload.
  await page.getByRole('button', { name: 'Import 3 students' }).click()
  await page.getByText('3 students added.').waitFor()
  await page.getByRole('heading', { name: '3 rows still need you' }).waitFor()
  await see('import-desk-rest')
  await page.reload()
  await page.getByRole('heading', { name: '3 rows still need you' }).waitFor()
  // From here only by keyboard: Enter goes to the next field, which is left just as the first check ends.
  const answer = await leaveFieldAtAnswer(page)
  await page.getByLabel('Row 6, Roll').focus()
  await page.keyboard.type('905')
  await page.keyboard.press('Enter')
  await page.getByLabel('Row 7, Sec').and(page.locator(':focus')).waitFor()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('X')
  await answer()
  await page.getByText('No errors').waitFor()

  await step(page, 'Possible duplicates')
  await page.getByText(/of \d match$/).waitFor()
  await see('import-desk-questions')
  await page.getByRole('button', { name: 'Leave out', exact: true }).click()
  await page.getByRole('button', { name: 'Import 2 students' }).waitFor()
  await step(page, 'Review')
  assert.doesNotMatch(await page.locator('.im-counts').innerText(), /^0$/m, 'what there is none of')
  await page.getByRole('heading', { name: 'First rows' }).waitFor()
  await see('import-desk-outcome')
  // Whoever goes on to another page while it starts is not taken back.
  const start = await hold(page, '*/ConfirmImport')
  await page.getByRole('button', { name: 'Import 2 students' }).click()
  await page.getByRole('link', { name: 'Students', exact: true }).last().click()
  await page.getByRole('link', { name: 'Import', exact: true }).waitFor()
  await Promise.all([page.waitForResponse(/ImportStatus/), start()])
  await page.getByText('2 students added.').waitFor()
  await page.getByRole('link', { name: 'Import', exact: true }).click()
  const row = page.locator('tr, li, article').filter({ hasText: name }).filter({ hasText: 'Imported' })
  await row.first().waitFor()
  await see('import-desk-history')
  // The grid tells only of what was entered in the grid.
  await open('/student/grid')
  await page.getByRole('grid', { name: /^Students of/ }).waitFor()
  assert.equal(await page.getByText(/students? added/).count(), 0)
  await open('/student/import')
  // An undo whose answer is lost is told by the next one.
  await page.route('**/UndoImport', loseAnswer, { times: 1 })
  for (const [index, n] of [2, 3].entries()) {
    await page
      .getByRole('link', { name: `Show: ${name}` })
      .nth(index)
      .click()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByText(`${n} students removed.`).waitFor()
    await page.getByRole('link', { name: 'Choose another file' }).click()
  }
  await page.getByRole('link', { name: 'Students', exact: true }).last().click()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.getByText(new RegExp(`students? in ${thisSeason}`)).waitFor()
  assert.equal(
    await page
      .getByText(/Namunawala/)
      .filter({ hasText: 'Akshara' })
      .count(),
    0,
  )
})

/** Students pasted into a grid, corrected only by keyboard, entered, undone, entered again. */

const head = 'Class\tSection\tRoll No\tStudent Name\tParent E-mail\tMobile\tSubjects\tCB\tHouse'
const columns = ['classId', 'section', 'rollno', 'name', 'email', 'mobile', 'subjects', 'cb'] as const
type Texts = Partial<Record<(typeof columns)[number], string>>

/** The errors in twelve of the rows, and the keys that correct each once the cursor is there. */
const faults: ReadonlyArray<{ row: number; texts: Texts; keys: readonly string[] }> = [
  { row: 5, texts: { classId: 'VIII th' }, keys: ['Alt+Enter'] },
  { row: 27, texts: { section: 'Zed' }, keys: ['Z', 'Enter'] },
  { row: 40, texts: { rollno: 'R-40' }, keys: ['Alt+Enter'] },
  { row: 41, texts: { rollno: '' }, keys: ['4', '1', 'Enter'] },
  { row: 77, texts: { rollno: '75' }, keys: ['F2', 'Backspace', '7', 'Tab'] },
  { row: 99, texts: { name: '' }, keys: ['N', 'i', 'n', 'a', 'Enter'] },
  { row: 130, texts: { name: '=1+1' }, keys: ['Control+d'] },
  { row: 151, texts: { email: 'asha@gmial,com' }, keys: ['Alt+Enter'] },
  { row: 180, texts: { mobile: '98765' }, keys: ['Delete'] },
  { row: 212, texts: { subjects: 'Mathmatics' }, keys: ['Alt+Enter'] },
  { row: 250, texts: { cb: 'E' }, keys: ['Backspace', 'M', 'ArrowDown'] },
  { row: 300, texts: { classId: '19' }, keys: ['7', 'Enter'] },
]

const rows = Array.from({ length: 300 }, (_, index) => {
  const row = index + 1
  const wrong = faults.find((fault) => fault.row === row)?.texts
  const right: Texts = {
    classId: row % 2 ? '7' : 'VI',
    section: 'Z',
    rollno: String(row),
    subjects: 'M, Science',
  }
  const texts: Texts = { ...right, name: `Grid Namuna ${row}`, cb: row % 3 ? '' : 'M', ...wrong }
  return [...columns.map((column) => texts[column] ?? ''), 'Red'].join('\t')
})

async function paste(page: Page, text: string) {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
  await page.keyboard.press('Control+v')
}

/** Presses Tab until something has the focus, as a person without a mouse does. */
async function tabTo(page: Page, name: RegExp) {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab')
    const label = await page.evaluate('document.activeElement.innerText || document.activeElement.ariaLabel')
    if (name.test(String(label))) return
  }
  assert.fail(`Tab never came to ${name}`)
}

test('what is typed into an import stays while the connection is lost, and is saved after what another tab has saved', {
  only: 'desk',
}, async ({ page, beSchool, expects }) => {
  expects(broken)
  const choose = () =>
    page
      .locator('input[type=file]')
      .setInputFiles({ name: 'broken off.csv', mimeType: 'text/csv', buffer: Buffer.from(list()) })
  await beSchool('manoj', '/student/import', "This season's imports")
  // The file arrives, the answer does not: it is not said to be unreadable, and is in the list.
  await page.route('**/ImportStudents?*', loseAnswer, { times: 1 })
  await choose()
  await page.getByRole('alert').getByText('Error: no connection. Nothing is lost.').waitFor()
  assert.equal(await page.getByText('This file could not be read').count(), 0)
  await page.getByRole('link', { name: /^Continue: broken off\.csv/ }).click()

  const roll = page.getByLabel('Row 6, Roll')
  await roll.waitFor()
  await page.route(/RecheckImport|PreviewImport/, (route) => route.abort())
  await roll.fill('955')
  await page.keyboard.press('Tab')
  const again = page.getByRole('button', { name: 'Try again', exact: true })
  await again.waitFor()
  assert.equal(await roll.inputValue(), '955')
  const importButton = page.getByRole('button', { name: /^Import \d/ })
  assert.match((await importButton.getAttribute('title')) ?? '', /^Save your last changes first/)
  await page.unroute(/RecheckImport|PreviewImport/)
  await again.click()
  await roll.waitFor({ state: 'detached' })

  const section = page.getByLabel('Row 7, Sec')
  await section.waitFor()
  await anotherTab(page)
  await section.fill('X')
  await page.keyboard.press('Tab')
  await page.getByText('Someone else changed this while you were editing.').waitFor()
  assert.equal(await section.inputValue(), 'X')
  // A suggestion for all rows goes together with what is not saved yet.
  await page.getByRole('button', { name: /^Accept (all )?suggestions?$/ }).click()
  await page.getByText('No errors').waitFor()
})

test('a season whose entries have closed takes no file and no rows, and says so before one is chosen or typed', async (look) => {
  const { page, beSchool, open, see } = look
  await beSchool(
    'arasu',
    `/student/import?season=${lastSeason}`,
    `Season ${lastSeason} is not open for enrolment.`,
  )
  assert.equal(await page.locator('input[type=file]').count(), 0)
  await see('import-closed')
  await open(`/student/grid?season=${lastSeason}`)
  await page.getByRole('paragraph').getByText(`Season ${lastSeason} is not open for enrolment.`).waitFor()
  assert.equal(await page.getByRole('grid').count(), 0)
  await see('grid-closed')
})

test('300 pasted rows with 12 errors are corrected by keyboard alone, entered, undone and entered again', {
  only: 'desk',
}, async ({ page, beSchool, see }) => {
  await beSchool('savitri', '/student/entry')
  await page.getByRole('link', { name: 'Enter many' }).focus()
  await page.keyboard.press('Enter')
  const grid = page.getByRole('grid', { name: /^Students of/ })
  await grid.waitFor()
  await grid.getByRole('gridcell').first().focus()
  await paste(page, [head, ...rows].join('\n'))
  await page.getByText('12 errors').first().waitFor()
  await page.getByText(/the grid has no such columns?: House/).waitFor()
  await page.keyboard.press('F8')
  const cell = page.locator('[aria-rowindex="6"] td:focus')
  await cell.filter({ hasText: /VIII th[\s\S]*not a class[\s\S]*Did you mean[\s\S]*Class 8/ }).waitFor()
  assert.equal(await cell.getAttribute('aria-invalid'), 'true')
  await see('grid-faults')
  await grid.getByRole('gridcell').first().focus()
  await page.keyboard.press('Control+Home')

  for (const [index, { row, keys }] of faults.entries()) {
    await page.keyboard.press('F8')
    await page.locator(`tr[aria-rowindex="${row + 1}"] td:focus`).waitFor()
    for (const key of keys) await page.keyboard.press(key)
    await page
      .getByText(index < 11 ? `${11 - index} error` : 'No errors', { exact: false })
      .first()
      .waitFor()
  }
  await page.getByText('300 students ready').waitFor()
  await page.keyboard.press('Control+z')
  await page.getByText('1 error', { exact: true }).first().waitFor()
  await page.keyboard.press('Control+y')
  await page.getByText('300 students ready').waitFor()

  await page.keyboard.press('Escape')
  await tabTo(page, /^Check and enter/)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Payable').waitFor()
  await see('grid-found')
  // Until they are entered, the grid beneath stays as it is.
  const letGo = await hold(page, '*/EnterRows')
  await page.keyboard.press('Enter')
  await dialog.locator('[aria-busy]').waitFor()
  await page.keyboard.press('Escape')
  await dialog.getByText('Not finished yet.').waitFor()
  assert.equal(await dialog.getByRole('button', { name: 'Close anyway' }).count(), 0)
  await letGo()
  await page.getByText('300 students added.').waitFor()

  const takeBack = async () => {
    await page.getByRole('button', { name: 'Undo', exact: true }).focus()
    await page.keyboard.press('Enter')
    // The focus moves to «Cancel» a moment after the dialog opens.
    await dialog.locator(':focus').waitFor()
    await page.keyboard.press('Tab')
    assert.match(await focused(page), /Undo/)
    await page.keyboard.press('Enter')
    await page.getByText('300 students removed.').waitFor()
    await page.getByText('The 300 rows are back in the grid', { exact: false }).waitFor()
  }
  await takeBack()
  await page.getByText('300 students ready').waitFor()
  await page.getByRole('button', { name: 'Check and enter' }).focus()
  await page.keyboard.press('Enter')
  await dialog.locator(':focus').filter({ hasText: 'Enter 300 students' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('300 students added.').waitFor()
  assert.equal(await page.getByText('rows are back in the grid').count(), 0, 'said of what is entered by now')
  await takeBack()
})

test('a misspelling in many rows is corrected in all of them by one key, and undone by one', {
  only: 'desk',
}, async ({ page, beSchool, see }) => {
  await beSchool('meera', '/student/grid')
  await page.getByRole('gridcell').first().focus()
  const subjects = ['Mathmatics', 'Science', 'Mathmatics', 'Sceince', 'Mathmatics']
  const lines = subjects.map((subject, index) => `7\tY\t${index + 1}\tGrid Namuna ${index}\t${subject}`)
  await paste(page, ['Class\tSection\tRoll No\tName\tSubjects', ...lines].join('\n'))
  await page.getByText('4 errors').first().waitFor()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('F8')
  await page.getByRole('button', { name: 'Mathematics in all 3 rows' }).waitFor()
  await see('grid-in-all')
  await page.getByRole('gridcell').first().focus()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('F8')
  await page.keyboard.press('Alt+Shift+Enter')
  await page.getByText('1 error', { exact: true }).first().waitFor()
  await page.keyboard.press('Control+z')
  await page.getByText('4 errors').first().waitFor()
})

test('typed rows are kept while offline and after leaving, a phone fills in row by row, and signing out clears them', {
  twice: true,
}, async ({ page, size, beSchool, open, see, expects }) => {
  expects(broken)
  await beSchool('savitri', '/student/grid')
  if (size === 'phone') {
    await page.getByRole('button', { name: 'Add a student' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Class').fill('Clas VII')
    await dialog.getByLabel('Student name').fill('Asha Namuna')
    await see('grid-row')
    await dialog.getByRole('button', { name: 'Done' }).click()
  } else {
    await page.getByRole('gridcell').first().click()
    await page.keyboard.type('12345')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Asha Namuna')
    await page.keyboard.press('Enter')
  }
  await page.getByText('Asha Namuna', { exact: true }).waitFor()
  await see('grid-typed')
  await page.route('**/CheckRows', (route) => route.fulfill({ status: 502, body: '<h1>Bad Gateway</h1>' }), {
    times: 1,
  })
  await page.getByRole('button', { name: 'Check and enter' }).click()
  await page.getByText('Nothing is lost. Please try again.').waitFor()
  await page.route('**/CheckRows', (route) => route.abort())
  await page.getByRole('button', { name: 'Check and enter' }).click()
  const offline = page.getByText('offline. What you typed', { exact: false })
  await offline.waitFor()
  // Once the connection is back it is no longer true.
  await page.evaluate(`dispatchEvent(new Event('online'))`)
  await offline.waitFor({ state: 'detached' })
  // The rows are gone with the tab, so the browser asks before it is closed.
  assert.ok(await page.evaluate("!dispatchEvent(new Event('beforeunload', { cancelable: true }))"))
  await open('/student/entry', '1 row in the grid is not entered yet.')
  await see('grid-rows-left')
  await page.getByRole('link', { name: 'Open the grid' }).click()
  await page.getByText('Asha Namuna', { exact: true }).waitFor()
  // Rows pasted in the dialog are added below what is typed.
  await page.getByRole('button', { name: 'Paste rows' }).click()
  await page.getByLabel('Rows from your spreadsheet').fill('Class\tName\n7\tBina Namuna')
  await staysOpen(page, () => page.keyboard.press('Escape'))
  await staysOpen(page, () => page.evaluate('history.back()'))
  await page.getByRole('button', { name: 'Add to the grid' }).click()
  await page.getByText('Bina Namuna', { exact: true }).waitFor()
  await page.getByText('Asha Namuna', { exact: true }).waitFor()
  if (size === 'desk') {
    await page.unroute('**/CheckRows')
    await page.route('**/CheckRows', (route) => route.fulfill({ status: 401, body: '' }))
    // The session ends just after the last word was typed.
    await page.getByRole('gridcell', { name: 'Asha Namuna' }).click()
    await page.keyboard.type('Hema Namuna')
    await page.evaluate(`{
          document.activeElement.blur()
          setTimeout(() => {
            const buttons = [...document.querySelectorAll('button')]
            buttons.find((button) => button.textContent === 'Check and enter').click()
          })
        }`)
    await page.getByRole('button', { name: 'Sign In', exact: true }).waitFor()
    await signIn(page, 'savitri@podium.example')
    await open('/student/grid')
    await page.getByText('Hema Namuna', { exact: true }).waitFor()
    const logout = page.getByRole('button', { name: 'Logout' })
    await logout.click()
    await page.getByText('2 rows in the grid are not entered').waitFor()
    await see('grid-sign-out')
    await page.getByRole('button', { name: 'Stay signed in' }).click()
    await page.getByText('Hema Namuna', { exact: true }).waitFor()
    await logout.click()
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByRole('button', { name: 'Sign In', exact: true }).waitFor()
    assert.doesNotMatch(
      String(await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })')),
      /Namuna/,
    )
  }
})
