import assert from 'node:assert/strict'
import { test } from 'node:test'
import { walk } from './look.ts'

/** The office's schools: the register, a school's record, its people, its money, its link; making one. */

test('the office finds a school, reads its record and shows its access code', async () => {
  await walk(async ({ page, size, beOffice, open, see }) => {
    await beOffice('operations')
    await open('/office/schools')
    await see('office-schools')
    if (size === 'desk') {
      await page.keyboard.press('/')
      await page.keyboard.type('vnk0417')
      await page.getByText('1 school with these filters').waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
    } else {
      await open('/office/schools?search=vnk0417')
      await page.getByRole('rowheader').getByRole('link').first().click()
    }
    await page.getByRole('heading', { name: 'History' }).waitFor()
    await see('office-school')
    const parts = page.getByRole('navigation', { name: 'Parts of the record' })
    await parts.getByRole('link', { name: 'People' }).click()
    await page.getByRole('table', { name: 'Staff' }).waitFor()
    await see('office-school-people')
    await parts.getByRole('link', { name: 'Seasons' }).click()
    await page.getByRole('table', { name: 'Seasons' }).waitFor()
    await see('office-school-years')
    await parts.getByRole('link', { name: 'Link' }).click()
    await page.getByRole('button', { name: 'Show the code' }).click()
    await page.getByText('DEMS CH22').waitFor()
    await see('office-school-link')
  })
})

test('the office is told what does not fit, and what a role does not include is disabled', async () => {
  await walk(async ({ page, beOffice, open, see }) => {
    await beOffice('owner')
    await open('/office/schools?search=zzzz')
    await page.getByText('No school has all of this').waitFor()
    await page.getByRole('button', { name: 'New school' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Create the school' }).click()
    await dialog.locator('[aria-invalid="true"]').first().waitFor()
    await see('office-school-new')
    await page.keyboard.press('Escape')
    await beOffice('viewer')
    await open('/office/schools?search=vnk0417')
    await page.getByRole('rowheader').getByRole('link').first().click()
    await page
      .getByRole('navigation', { name: 'Parts of the record' })
      .getByRole('link', { name: 'Link' })
      .click()
    await page.getByText('Only the owner and operations come to access codes.').first().waitFor()
    await see('viewer-school-link')
  })
})

test('the office keeps a view of a list, with its filters and without a column', async () => {
  await walk(async ({ page, size, beOffice, open, see }) => {
    await beOffice('operations')
    await open('/office/schools?state=Kerala')
    await page.getByRole('button', { name: 'Columns and views' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Staff', { exact: true }).waitFor()
    await see('school-views')
    await dialog.getByRole('button', { name: 'Save view' }).click()
    await dialog.getByText('Name is required.').waitFor()
    await dialog.getByLabel('Name').fill(`Kerala ${size}`)
    await dialog.getByLabel('Staff', { exact: true }).uncheck()
    await dialog.getByLabel('For the whole office').check()
    await dialog.getByRole('button', { name: 'Save view' }).click()
    await dialog.getByRole('button', { name: `Show the view Kerala ${size}` }).waitFor()
    await see('school-views-saved')
    await page.keyboard.press('Escape')
    await open('/office/schools')
    await page.getByLabel('View', { exact: true }).selectOption(`Kerala ${size}`)
    await page.getByText('with these filters').waitFor()
    await page.getByRole('button', { name: 'Columns and views' }).click()
    assert.equal(await dialog.getByLabel('Staff', { exact: true }).isChecked(), false)
    await dialog.getByRole('button', { name: `Delete the view Kerala ${size}` }).click()
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await dialog.getByRole('button', { name: `Show the view Kerala ${size}` }).waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await see('school-view')
  })
})
