import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { walk } from './look.ts'

/** What a screen reader says of what is seen at a glance. */

/** What is read with the name of a dialog. */
async function readWith(dialog: Locator): Promise<string> {
  await dialog.locator(':focus').waitFor()
  const id = await dialog.getAttribute('aria-describedby')
  return id ? dialog.locator(`[id="${id}"]`).innerText() : ''
}

/** What stands in places that are read when they change; none within another, which would be read twice. */
async function spoken(page: Page): Promise<string> {
  assert.equal(await page.locator('[aria-live] :is([aria-live], [role="status"])').count(), 0)
  return (await page.locator('[aria-live], [role="status"]').allInnerTexts()).join('\n')
}

test('a list says subjects and books in full, and that a search leaves none', async () => {
  await walk(
    async ({ page, beSchool, open }) => {
      await beSchool('manoj')
      await open('/student/entry')
      const row = page.getByRole('row').filter({ hasText: 'Oviya Namunawala' })
      await row
        .getByRole('cell', { name: 'Mathematics, English, Hindi, Environment', exact: false })
        .waitFor()
      await row.getByRole('cell', { name: /Comprehensive Book: .*Previous/ }).waitFor()
      assert.match(await spoken(page), /1–50 of \d+/)
      await page.getByLabel('Student name').fill('Nobody of this name')
      await page.getByText('No students match').waitFor()
      assert.match(await spoken(page), /No students match/)
    },
    { only: 'desk' },
  )
})

test('each subject that is chosen is said, and the sums with their words', async () => {
  await walk(
    async ({ page, beSchool, open }) => {
      await beSchool('manoj')
      await open('/student/entry')
      await page.getByRole('button', { name: 'Add Entry' }).first().click()
      const dialog = page.getByRole('dialog')
      assert.match(await readWith(dialog), /^\d{4}-\d\d$/)
      await dialog.getByLabel('Class').selectOption('Class 7')
      await dialog.getByRole('combobox', { name: 'Subjects' }).fill('Math')
      await page.keyboard.press('Enter')
      await dialog.getByText('1 of').first().waitFor()
      assert.match(await spoken(page), /^Mathematics,/m)
      assert.equal(
        await dialog.locator('[aria-live][aria-atomic]').filter({ hasText: 'Registration' }).count(),
        1,
      )
    },
    { only: 'desk' },
  )
})

test('a dialog says what it is about, and one that asks says its question', async () => {
  await walk(
    async ({ page, beSchool, open }) => {
      await beSchool('manoj')
      await open('/Importantlink/managepayment')
      await page
        .getByRole('img', { name: /^UPI QR code for ₹/ })
        .first()
        .waitFor()
      await page
        .getByRole('button', { name: /^Update Payment Details/ })
        .first()
        .click()
      const dialog = page.getByRole('dialog')
      assert.match(await readWith(dialog), /^Registration Fee, ₹/)
      await page.keyboard.press('Escape')
      await open('/student/entry')
      await page.getByRole('button', { name: 'Delete Oviya Namunawala' }).click()
      assert.match(await readWith(dialog), /Do you want .*\n+Oviya Namunawala/)
      await page.keyboard.press('Escape')
    },
    { only: 'desk' },
  )
})
