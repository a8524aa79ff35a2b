import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Look, refused, walk } from './look.ts'
import { faultyFile } from './material.ts'
import { lastSeason, thisSeason } from './seasons.ts'

/** The school's pages as they are looked at in each of their states. */

test('the dashboard shows each state of a school, also to those on the way to one [spec 2.1.4 2.5.2 2.6.2 5.9 6.2]', async () => {
  await walk(async ({ page, beSchool, open, see }) => {
    for (const person of ['meera', 'kiran', 'joyita', 'waheeda', 'rohit']) {
      await beSchool(person)
      await open('/dashboard')
      await see(`dashboard-${person}`)
    }
    await beSchool('naveen')
    await open('/dashboard')
    await page.getByRole('dialog').waitFor()
    await see('dashboard-naveen-dialog')
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByText('is required').first().waitFor()
    await see('dashboard-naveen-dialog-errors')
  })
})

test('contacts are cards, with a dialog that says what is missing [spec 1.12 2.1.9 2.9.11 2.14.4 5.20 5.23 9.19 9.21]', async () => {
  await walk(async ({ page, beSchool, open, see }) => {
    await beSchool('meera')
    await open('/School/contact-details')
    await see('contacts')
    await page.getByRole('button', { name: 'New Contact' }).click()
    await page.getByLabel('Contact name').waitFor()
    await see('contacts-dialog')
    await page.getByRole('button', { name: 'Request contact' }).click()
    const dialog = page.getByRole('dialog')
    for (const sentence of [
      'Designation is required.',
      'Title is required.',
      'Contact Name is required.',
      'E-mail is required.',
      'Enter valid mobile no.',
    ])
      await dialog.getByText(sentence).waitFor()
    await dialog.getByLabel('Designation').and(page.locator(':focus')).waitFor()
    await see('contacts-dialog-errors')
    // Escape closes a dialog, a press beside it does not.
    await page.mouse.click(1, 1)
    assert.ok(await dialog.isVisible())
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await open('/School/contact-details?show=inactive')
    await see('contacts-inactive')
  })
})

test('students are a table or cards, added in a dialog, imported from a file [spec 2.1.11 2.9.2 2.9.3]', async () => {
  await walk(
    async ({ page, beSchool, open, see }) => {
      await beSchool('meera')
      await open('/student/entry')
      await see('students')
      await page
        .getByRole('button', { name: 'List', exact: true })
        .or(page.getByLabel('List', { exact: true }))
        .first()
        .click()
      await see('students-cards')
      await open('/student/entry?name=zzzz')
      await see('students-no-match')
      await beSchool('manoj')
      await open('/student/entry')
      await page.getByRole('checkbox').nth(1).check()
      await page.getByRole('checkbox').nth(2).check()
      // The bar of actions lies over the rows until the end of the list.
      await page.evaluate('scrollTo(0, document.body.scrollHeight)')
      await see('students-selected')
      await page.getByRole('button', { name: 'Add Entry' }).click()
      await page.getByRole('dialog').waitFor()
      await see('students-dialog')
      await page.getByRole('button', { name: 'Save student' }).click()
      await page.getByText('is required').first().waitFor()
      await see('students-dialog-errors')
      await page.getByRole('dialog').getByLabel('Class', { exact: true }).selectOption('4')
      await page.getByRole('button', { name: 'Select all', exact: true }).click()
      await see('students-dialog-books')
      await page.getByRole('dialog').getByLabel('Class', { exact: true }).selectOption('15')
      await page.getByRole('button', { name: 'Select all', exact: true }).click()
      await see('students-dialog-little-star')
      await beSchool('manoj')
      await open('/student/entry')
      await page.getByRole('link', { name: 'Import', exact: true }).click()
      await page.getByRole('button', { name: 'Choose a file' }).waitFor()
      await see('students-import')
      await page.locator('input[type=file]').setInputFiles({
        name: 'class-4.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(faultyFile),
      })
      await page.getByRole('heading', { name: /rows? to correct/ }).waitFor()
      await see('students-import-errors')
      await beSchool('joyita')
      await open('/student/entry')
      await see('students-empty')
    },
    { expected: refused, twice: true },
  )
})

test('payments are due, being verified, refused or paid [spec 2.13.1]', async () => {
  await walk(async ({ beSchool, open, see }) => {
    for (const person of ['meera', 'savitri', 'sunita', 'kiran', 'joyita', 'waheeda']) {
      await beSchool(person)
      await open('/Importantlink/managepayment')
      await see(`payments-${person}`)
    }
  })
  const pays = async ({ page, beSchool, open, see }: Look) => {
    await beSchool('manoj')
    await open('/Importantlink/managepayment')
    await see('payments-manoj')
    await page
      .getByRole('button', { name: /^Update Payment Details/ })
      .first()
      .click()
    await page.getByRole('dialog').getByLabel('Remarks').waitFor()
    await see('payments-dialog')
    await page.getByRole('button', { name: /^Send details/ }).click()
    await page.getByText('is required').first().waitFor()
    await see('payments-dialog-errors')
  }
  await walk(pays, { twice: true })
})

test('results stand in four lists, each row with its reasons [spec 1.11 2.1.18 5.19]', async () => {
  await walk(async ({ page, beSchool, open, see }) => {
    await beSchool('kiran')
    await open('/result/viewresult')
    await see('results-choose')
    const year = page.locator('main').getByLabel('FYear')
    assert.equal(await year.inputValue(), thisSeason)
    await year
      .locator('option', { hasText: lastSeason.slice(0, 4) })
      .first()
      .waitFor({ state: 'attached' })
    const seasons = await year.locator('option').allInnerTexts()
    await year.selectOption(seasons.find((one) => one.includes(lastSeason.slice(0, 4))) ?? '')
    await page.locator('main').getByLabel('Subject').locator('option').nth(1).waitFor({ state: 'attached' })
    await page.locator('main').getByLabel('Subject').selectOption({ index: 1 })
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page
      .getByRole('button', { name: /^Class rank/ })
      .first()
      .click()
    await page.getByText('In order of priority').first().waitFor()
    await see('results')
    for (const name of ['Medal List', 'Awards', 'Prizes']) {
      await page.locator('main').getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { level: 1, name }).waitFor()
      await see(`results-${name.toLowerCase().replace(' ', '-')}`)
    }
    await open(`/result/prize?FYear=${thisSeason}`)
    // Whether anything of this season is out already is up to the tests before.
    await page.locator('main').getByLabel('Subject').selectOption('')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByText('Subject is required').waitFor()
    await page.locator('main').getByLabel('Subject').and(page.locator(':focus')).waitFor()
    await page.locator('main').getByLabel('Level').selectOption('2')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByText(`No results of Level 2 in ${thisSeason}.`).waitFor()
  })
})
