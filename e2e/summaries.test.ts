import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { sizes } from './browser.ts'
import { broken, type Look, test } from './demo-portal.ts'
import { lastSeason } from './people.ts'

/** The summary pages of a school's students and books. */

const firstNumber = (text: string) => Number(text.replaceAll(',', '').match(/\d+/)?.[0])

test("a subject's students are counted by class, and each figure opens their list [spec 1.7 2.1.12-14 2.10.1-3]", async (look) => {
  const { page, beSchool, open, see } = look
  const dialog = page.getByRole('dialog')
  const line = page.getByRole('button', { name: /Show the list$/ }).first()
  const total = page.locator('.counts tfoot td').last()
  /** Opens the first figure and finds as many students as it says. */
  const openFirst = async () => {
    const students = firstNumber(await line.locator('b').innerText())
    await line.click()
    await dialog.locator('tbody tr').first().waitFor()
    assert.equal(await dialog.locator('tbody tr').count(), students)
    return students
  }
  await beSchool('kiran', '/student/summery')
  await openFirst()
  await page.keyboard.press('Escape')
  const entries = firstNumber(await total.innerText())
  await see('student-report-table')
  await page.getByRole('button', { name: 'Boxes' }).click()
  await page.waitForURL(/view=boxes/)
  const figures = page.locator('.count-cards header > b')
  await figures.first().waitFor()
  const boxes = await figures.allInnerTexts()
  assert.equal(
    boxes.reduce((sum, text) => sum + firstNumber(text), 0),
    entries,
  )
  await openFirst()
  await page.keyboard.press('Escape')
  await open('/student/finalsummery')
  await page.getByLabel('Financial year').selectOption(lastSeason)
  await page.getByText(`season ${lastSeason}.`).waitFor()
  const students = await openFirst()
  await dialog.getByRole('button', { name: 'List' }).click()
  assert.equal(await dialog.locator('.person-card').count(), students)
  await see('student-final-cards')
  await beSchool('joyita', '/student/summery', 'No students yet')
  await open('/student/UploadForm')
  await see('upload-form')
  await page.getByRole('link', { name: 'Import students' }).click()
  await page.getByRole('heading', { name: 'Import students' }).waitFor()
})

test('books are counted by subject, class and category, and paid ones are separated from unpaid ones [spec 1.8 2.1.16 2.2.5 2.5.3 2.11.2-4 4.16]', async (look) => {
  const { page, beSchool, open, see, expects } = look
  expects(broken)
  const dialog = page.getByRole('dialog')
  const line = page.getByRole('button', { name: /Show the list$/ }).first()
  await beSchool('kiran', '/dashboard')
  const students = page.getByRole('link', { name: /Total Students/ })
  assert.equal(await students.getAttribute('href'), '/student/summery')
  const tile = page.getByRole('link', { name: /Total Book \d/ })
  const books = firstNumber(await tile.locator('b').innerText())
  await tile.click()
  await page.getByRole('heading', { name: 'Book summary' }).waitFor()
  assert.equal(firstNumber(await page.locator('div.tile b').innerText()), books)
  await see('book-summary')
  const takers = firstNumber(await line.locator('b').innerText())
  await line.click()
  await dialog.locator('tbody tr').first().waitFor()
  assert.equal(await dialog.locator('tbody tr').count(), takers)
  await see('book-dialog')
  await dialog.getByRole('button', { name: 'List' }).click()
  assert.equal(await dialog.locator('.person-card.primary').count(), takers)
  await beSchool('manoj')
  await page.goto('/books/summary')
  await line.click()
  await dialog.getByRole('button', { name: 'List' }).click()
  await dialog.locator('.person-card.danger').getByText('Unpaid').first().waitFor()
  assert.equal(await dialog.locator('.person-card.primary').count(), 0)
  await beSchool('joyita')
  await page.route('**/GetBook_Summary*', (route) => route.fulfill({ status: 500, body: '' }))
  await open('/books/summary')
  const retry = page.getByRole('button', { name: 'Try again' })
  await retry.waitFor()
  await page.unroute('**/GetBook_Summary*')
  await retry.click()
  await page.getByText('No books yet').waitFor()
})

test('a coordinator prints lists of the shown students, and a blank form for families', async (look) => {
  const { page, beSchool, open, see } = look
  await beSchool('manoj', '/student/entry?classId=5')
  await page.getByRole('button', { name: 'Download students' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/active students in \d+ section/).waitFor()
  await dialog.getByLabel('List').selectOption('Fee collection list with signatures')
  await see('paper-dialog')
  const saved = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Create PDF' }).click()
  const file = (await saved).suggestedFilename()
  assert.match(file, /^Fee collection list/)
  await dialog.getByText('The PDF is ready. You can download it for a day.').waitFor()
  await dialog.getByLabel('List').selectOption('Class list')
  const list = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Create PDF' }).click()
  assert.match((await list).suggestedFilename(), /^Class list/)
  await open('/dashboard')
  await page.getByRole('button', { name: 'Choose a form for families' }).click()
  await dialog.getByLabel('Class').selectOption('LKG')
  await dialog.getByText('हिन्दी', { exact: true }).click()
  await see('paper-family-form')
  const form = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download PDF' }).click()
  assert.match((await form).suggestedFilename(), /^Registration form LKG/)
})

/** Prints a page: it is in landscape, and no table is wider than the paper. */
async function printsWide(page: Page, open: Look['open'], path: string): Promise<void> {
  await open(path)
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  assert.match(pdf, /MediaBox \[0 0 841\S* 59/, path)
  // The width of A4 between its margins.
  await page.setViewportSize({ width: 1031, height: 703 })
  await page.emulateMedia({ media: 'print' })
  const over = await page.evaluate(`(() => {
    const tables = [...document.querySelectorAll('main table')]
    return tables.map((one) => Math.round(one.getBoundingClientRect().right) - innerWidth).filter((px) => px > 0)
  })()`)
  assert.deepEqual(over, [], path)
  const presses = page.locator('main :is(.b, input, select, textarea)').filter({ visible: true })
  assert.equal(await presses.count(), 0, path)
  await page.emulateMedia({ media: null })
  await page.setViewportSize(sizes.desk)
}

test("the office's print of a wide list has every column, in landscape, and nothing to press", async (look) => {
  const { page, beOffice, open } = look
  await beOffice('owner')
  const season = `season=${lastSeason}`
  for (const list of ['ledger', 'receipts', 'packets', 'audit-log', 'closing'])
    await printsWide(page, open, `/office/${list}?${season}`)
  await open(`/office/results?${season}`)
  const eventIn = async (state: string) => {
    const row = page.getByRole('row').filter({ has: page.getByText(state, { exact: true }) })
    const href = await row.getByRole('link').first().getAttribute('href')
    return `${href?.split('?')[0]}?${season}`
  }
  const [computed, approved, released] = [
    await eventIn('Computed'),
    await eventIn('Approved'),
    await eventIn('Released'),
  ]
  for (const address of [
    `${computed}&step=preview`,
    `${computed}&step=approve`,
    `${approved}&step=release`,
    `${released}&step=release`,
  ])
    await printsWide(page, open, address)
})

test("a teacher's print of a wide table has every column, in landscape", async ({ page, beSchool, open }) => {
  await beSchool('kiran')
  const pages = ['/student/summery', '/books/summary', '/student/entry', '/Importantlink/examScheduleStatus']
  for (const path of pages) await printsWide(page, open, path)
  await open('/School/examdate')
  await page.emulateMedia({ media: 'print' })
  assert.equal(await page.locator('main summary').filter({ visible: true }).count(), 0)
  assert.equal(await page.getByRole('columnheader', { name: 'Papers' }).count(), 0)
  await page.emulateMedia({ media: null })
  await open('/Importantlink/managepayment?view=account')
  await page.emulateMedia({ media: 'print' })
  await page.getByRole('heading', { level: 1, name: 'Statement of account' }).waitFor()
  assert.equal(
    await page
      .getByText(/Manage Payments|1 to 2 hours/)
      .filter({ visible: true })
      .count(),
    0,
  )
  await page.emulateMedia({ media: null })
  await beSchool('meera', '/Importantlink/managepayment')
  await page.emulateMedia({ media: 'print' })
  await page.getByText(/^Sri Gnanodaya Vidyaniketan Senior Secondary School, \d\d-/).waitFor()
  assert.equal(await page.locator('main button.ib').filter({ visible: true }).count(), 0)
  await page.emulateMedia({ media: null })
})
