import { test } from 'node:test'
import { walk } from './look.ts'

/** The office's students: found among all schools, looked at, corrected. */

test('the office finds a child among all schools, opens it and corrects its name', async () => {
  await walk(async ({ page, size, beOffice, open, see }) => {
    await beOffice('operations')
    await open('/office/students')
    await see('office-students')
    await open('/office/students?school=kps0102&fee=paid&sort=class')
    await page
      .getByRole('rowheader')
      .getByRole('link')
      .nth(size === 'desk' ? 0 : 1)
      .click()
    await page.getByRole('heading', { name: 'History' }).waitFor()
    await see('office-student')
    await page.getByRole('button', { name: 'Show the contact' }).click()
    await page
      .getByText('Parents\u2019 contact looked at')
      .or(page.getByText("Parents' contact looked at"))
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Correct' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Save the correction' }).click()
    await dialog.getByText('Please enter a reason.').waitFor()
    await see('office-student-correct')
    const name = dialog.getByLabel('Name', { exact: true })
    const before = await name.inputValue()
    await name.fill(`${before} Namuna`)
    await dialog.getByLabel('Reason').fill('The school has written it wrongly.')
    await dialog.getByRole('button', { name: 'Save the correction' }).click()
    await page.getByRole('heading', { name: `${before} Namuna` }).waitFor()
    await page.getByText('The school has written it wrongly.').first().waitFor()
  })
})

test('a role that does not correct is told so, and a child that is not there is said to be none', async () => {
  await walk(async ({ page, beOffice, open, see }) => {
    await beOffice('viewer')
    await open('/office/students?search=zzzz')
    await page.getByText('No child has all of this').waitFor()
    await see('viewer-students-none')
    await open('/office/students?school=vnk0417')
    await page.getByRole('rowheader').getByRole('link').first().click()
    await page.getByRole('heading', { name: 'History' }).waitFor()
    await see('viewer-student')
  })
})

test('a waiver is asked for with its evidence by one officer and decided by another', async () => {
  await walk(async ({ page, size, beOffice, open, see }) => {
    await beOffice('operations')
    await open('/office/students?school=kbb0402&fee=due&sort=class')
    await page
      .getByRole('rowheader')
      .getByRole('link')
      .nth(size === 'desk' ? 20 : 21)
      .click()
    await page.getByRole('button', { name: 'Ask for a waiver' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Ask for it' }).click()
    await dialog.getByText('Please choose a file that shows the reason.').waitFor()
    await dialog.getByLabel('Why the fee need not be paid').fill(`No income this year (${size}).`)
    await dialog
      .getByLabel('Evidence')
      .setInputFiles({ name: 'letter.png', mimeType: 'image/png', buffer: await page.screenshot() })
    await see('office-waiver-ask')
    await dialog.getByRole('button', { name: 'Ask for it' }).click()
    await page.getByText(/asked on .* that the fee be waived/).waitFor()
    await page.getByRole('button', { name: 'Move' }).click()
    await dialog.getByLabel('School code').fill('vnk0417')
    await dialog.getByRole('button', { name: 'Show what happens' }).click()
    await dialog.getByText('The family gets a new link').waitFor()
    await see('office-student-move')
    await page.keyboard.press('Escape')
    await beOffice('accounts')
    await open('/office/waivers')
    await page.getByText(`No income this year (${size}).`).waitFor()
    await see('office-waivers')
    const row = page.getByRole('row').filter({ hasText: `No income this year (${size}).` })
    await row.getByRole('button', { name: /^Decline/ }).click()
    await dialog.getByLabel('Reason').fill('The letter is not signed.')
    await dialog.getByRole('button', { name: 'Decline' }).click()
    await page.getByText(`No income this year (${size}).`).waitFor({ state: 'detached' })
  })
})
