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

    await page.getByText('1 column is not used: Hobby').waitFor()
    await page.getByText(/^Row 8 is not a student and was skipped: Total/).waitFor()
    await page.getByText('Maths read as Mathematics, 2 rows.').waitFor()
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
    // What is left behind stays here to be corrected, also after a reload.
    await page.getByRole('button', { name: 'Import 3 students' }).click()
    await page.getByText('3 students added.').waitFor()
    await page.getByRole('heading', { name: '3 rows still need you' }).waitFor()
    await see('import-desk-rest')
    await page.reload()
    await page.getByRole('heading', { name: '3 rows still need you' }).waitFor()
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
    await page.getByRole('button', { name: 'Leave out', exact: true }).click()
    await page.getByRole('button', { name: 'Import 2 students' }).waitFor()
    await step(page, 'Review')
    await page.getByRole('heading', { name: 'First rows' }).waitFor()
    await see('import-desk-outcome')
    await page.getByRole('button', { name: 'Import 2 students' }).click()
    await page.getByText('2 students added.').waitFor()

    await page.getByRole('link', { name: 'Choose another file' }).click()
    const row = page.locator('tr, li, article').filter({ hasText: name }).filter({ hasText: 'Imported' })
    await row.first().waitFor()
    await see('import-desk-history')
    for (const [at, n] of [2, 3].entries()) {
      await page
        .getByRole('link', { name: `Show: ${name}` })
        .nth(at)
        .click()
      await page.getByRole('button', { name: 'Undo import' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
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
})
