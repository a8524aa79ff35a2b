import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { walk } from './look.ts'
import { thisSeason } from './seasons.ts'

/** The import desk: columns, suggestions, corrections by keyboard, children side by side, the dry run, the import and its undo. */

/** A list as it comes: unknown headings, subjects and classes spelt otherwise, one child twice. */
function list(): string {
  const section = 'X'
  const first = 'Akshara'
  const rows = [
    ['Std', 'Sec', 'Roll', 'Called', 'Hobby', 'Opted for'],
    ['5-Jan', section, 901, `${first} Misaal`, `Chess ${randomInt(1e6)}`, 'Maths'],
    ['Std 5', section, 902, `${first} Kalpanik`, 'Drawing', 'Maths'],
    ['V', section, 903, `Udaharan ${first}`, 'Cricket', 'Mathematics'],
    ['5', section, 904, `${first} Udaharan`, 'Cricket', 'Science'],
    ['5', section, '', `${first} Namunawala`, 'Football', 'Science'],
    ['5', 'Rose', 906, `${first} Nakli`, 'Football', 'Science'],
  ]
  return rows.map((row) => row.join(',')).join('\r\n')
}

const step = (page: Page, name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) }).click()

test('a bad list is mapped, corrected by keyboard, decided, imported and taken back', async () => {
  await walk(async ({ page, beSchool, open, see }) => {
    await beSchool('manoj')
    await open('/student/entry')
    await page.getByRole('link', { name: 'Import', exact: true }).click()
    await page.getByRole('heading', { name: "This season's imports" }).waitFor()
    await see('import-desk')
    const name = 'list as it comes.csv'
    await page.locator('input[type=file]').setInputFiles({
      name,
      mimeType: 'text/csv',
      buffer: Buffer.from(list()),
    })
    await page.getByRole('heading', { name: '4 rows to correct' }).waitFor()
    await see('import-desk-faults')

    await step(page, 'Columns')
    const taken = page.getByLabel('Use E Hobby as', { exact: true })
    assert.equal(await taken.inputValue(), '')
    await taken.selectOption('parentName')
    await page.getByText('your choice').waitFor()
    await see('import-desk-columns')
    await taken.selectOption('')
    await page.locator('.spin').first().waitFor({ state: 'detached' })

    await step(page, 'Errors')
    await page.getByRole('button', { name: /^Accept all suggestions$/ }).click()
    await page.getByRole('heading', { name: '2 rows to correct' }).waitFor()
    // By keyboard alone from here: the next field after each Enter.
    await page.getByLabel('Row 6, Roll').focus()
    await page.keyboard.type('905')
    await page.keyboard.press('Enter')
    await page.getByLabel('Row 7, Sec').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type('X')
    await page.keyboard.press('Enter')
    await page.getByText('No errors').waitFor()

    await step(page, 'Possible duplicates')
    await page.getByText(/of \d match$/).waitFor()
    await see('import-desk-questions')
    await page.getByRole('radio', { name: 'New student' }).check()
    await page.getByRole('button', { name: 'Import 6 students' }).waitFor()
    await step(page, 'Review')
    await page.getByRole('heading', { name: 'First rows' }).waitFor()
    await see('import-desk-outcome')
    await page.getByRole('button', { name: 'Import 6 students' }).click()
    await page.getByText('6 students imported.').waitFor()

    await page.getByRole('link', { name: 'Choose another file' }).click()
    const row = page.locator('tr, li, article').filter({ hasText: name }).filter({ hasText: 'Imported' })
    await row.first().waitFor()
    await see('import-desk-history')
    await page
      .getByRole('link', { name: `Show: ${name}` })
      .first()
      .click()
    await page.getByRole('button', { name: 'Undo import' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
    await page.getByText('6 students removed.').waitFor()
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
})
