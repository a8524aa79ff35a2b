import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Look, walk } from './look.ts'

/** A parent asks for what is held about a child, the office checks and grants it; backups and what is kept for how long. */

const link = '/student?id=demo-family-of-two-kid'
const accessCode = 'DEMFAM22'
/** Both walks are under way at once: each asks about a child of its own. */
const childOf = { desk: 'Ishita Namunawala', phone: 'Pari Namunawala' }

test('a family consents and asks for all data, and the office grants it after a check', async () => {
  const asks = async ({ page, open, see, size }: Look) => {
    const name = childOf[size]
    await open(link)
    await page.locator('input[name=code]').fill(accessCode)
    await page.locator('input[name=code]').press('Enter')
    await page.getByRole('button', { name: /^Privacy/ }).click()
    const child = page.getByRole('region', { name })
    await child.getByRole('button', { name: "I'm a parent and I consent" }).click()
    await child.getByText(/^You consented on/).waitFor()
    await child.getByRole('button', { name: "Get my child's data" }).click()
    await child.getByText(/we'll answer by/).waitFor()
    await child.getByRole('button', { name: "Delete my child's data" }).click()
    await child.getByText(/can't take part after that/).waitFor()
    await child.getByRole('button', { name: 'No' }).click()
    await see('family-privacy')
  }
  await walk(asks, { twice: true })
  await walk(async ({ page, beOffice, open, see }) => {
    const name = childOf.desk
    await beOffice('owner')
    await open('/office/data-requests?kind=export')
    await see('office-data-requests')
    await page.locator('tr').filter({ hasText: name }).getByRole('button').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Mark as verified' }).click()
    await dialog.getByText('Please write what was checked.').waitFor()
    await dialog.getByLabel('What you verified').fill('Asked behind the code; nothing speaks against it.')
    await see('office-data-request')
    await dialog.getByRole('button', { name: 'Mark as verified' }).click()
    await dialog.getByRole('button', { name: 'Grant' }).click()
    // What is done leaves the list of what is open; the file is there all the same.
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download PDF' }).click(),
    ])
    assert.equal(file.suggestedFilename(), "Child's data.pdf")
    await dialog.getByRole('button', { name: 'Close', exact: true }).first().click()

    await open('/office/backups')
    await page.getByRole('button', { name: 'Preview deletion' }).click()
    await page.getByText('Preview only').first().waitFor()
    await see('office-care')
  })
})

test('a school passes on what a parent asks, follows it, and takes it back', async () => {
  await walk(async ({ page, beSchool, open, see }) => {
    const words = 'The mother says that the name is spelt with two a.'
    await beSchool('meera')
    await open('/student/datarequests')
    await page.getByRole('button', { name: 'New request' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Send request' }).click()
    await dialog.getByText('Please choose a student.').waitFor()
    await see('data-asks-errors')
    await dialog.getByLabel('Class').selectOption('7')
    const child = dialog.getByLabel('Student')
    await child.locator('option').nth(1).waitFor({ state: 'attached' })
    await child.selectOption({ index: 1 })
    await dialog.getByLabel('Details').fill(words)
    await dialog.getByRole('button', { name: 'Send request' }).click()
    const row = page.locator('tr').filter({ hasText: words })
    await row.getByText('With us').waitFor()
    await see('data-asks')
    await row.getByRole('button', { name: /^Withdraw/ }).click()
    await dialog.getByRole('button', { name: 'Withdraw' }).click()
    await row.getByText('Withdrawn').waitFor()
  })
})
