import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { writeXlsx } from '../server/src/platform/sheets/spreadsheet-write.ts'
import { announced, picture, type Visitor, visitor } from './browser.ts'
import { portal } from './demo-portal.ts'
import { newestMail, signInToOffice } from './people.ts'
import { addsOneStudent, approves, registers, sendsSchoolDetails } from './school-year.ts'

/** A school's year through the product: several people do their parts in turn, on one portal. */

const us = {
  email: `asha.${Date.now()}@teachers.example`,
  password: 'paper boats in june',
  school: `Jalpari ${Date.now()} Vidyalaya`,
}
const { email, school } = us

/** Withdraws the details with a wrong name: the form opens with them, and sends them again. */
async function correctsSchoolDetails(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Withdraw' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
  const form = page.getByRole('dialog').filter({ hasText: 'Management / School detail' })
  await form.getByLabel('School name').fill(school)
  assert.equal(await form.getByLabel('Address').inputValue(), '7 Kalpanik Lane')
  await form.getByRole('button', { name: 'Submit' }).click()
  await page.getByText('Your account verification is in progress').waitFor()
  await page.getByText(school, { exact: true }).waitFor()
}

/** Rejects the details while their page is open: it shows the reason, with the details to correct. */
async function rejects(office: Page, page: Page): Promise<void> {
  const reason = 'Please give the UDISE code.'
  await office.goto('/office/applications')
  await office.getByText(school, { exact: true }).first().click()
  await office.getByRole('heading', { name: school }).waitFor()
  await office.getByRole('button', { name: /^Reject/ }).click()
  const asked = office.getByRole('dialog')
  await asked.getByRole('textbox', { name: 'Reason' }).fill(reason)
  await asked.getByRole('button', { name: 'Reject application' }).click()
  await announced(office, /reject/i)
  await page.getByRole('button', { name: 'Check again' }).click()
  const form = page.getByRole('dialog').filter({ hasText: reason })
  await form.waitFor()
  assert.equal(await form.getByLabel('School name').inputValue(), school)
  await form.getByRole('button', { name: 'Submit' }).click()
  await page.getByText('Your account verification is in progress').waitFor()
  await office.reload()
}

/** Returns 300 valid rows and three with errors, like a teacher's list. */
async function aTeachersList(): Promise<Buffer> {
  const rows: (string | number)[][] = []
  for (let n = 1; n <= 300; n++) {
    const classId = 3 + (n % 8)
    rows.push([
      classId,
      'ABC'.charAt(n % 3),
      n,
      `Misaal Child ${n}`,
      n % 4 === 0 ? 'Science' : 'Mathematics, Science',
    ])
  }
  rows.push(
    [7, 'B', 14, 'Roll Number Taken', 'Mathematics'],
    [7, 'B', '', 'No Roll Number', 'Mathematics'],
    [7, 'B', 999, 'No Such Subject', 'Astrology'],
  )
  const columns = ['Class', 'Section', 'Roll No', 'Student Name', 'Subjects'].map((title) => ({ title }))
  const chunks: Buffer[] = []
  for await (const chunk of writeXlsx('Students', columns, rows)) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

async function importsThreeHundred(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Import', exact: true }).click()
  await page
    .locator('input[type=file]')
    .setInputFiles({
      name: 'class lists.xlsx',
      mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      buffer: await aTeachersList(),
    })
  // All errors at once, by row and column.
  for (const fault of [
    /302.*is taken by Ishita/s,
    /303.*Roll No is required\./s,
    /304.*no subject called Astrology/s,
  ])
    await page.getByRole('listitem').filter({ hasText: fault }).waitFor()
  await page.getByRole('button', { name: 'Import 300 students' }).click()
  await page.getByText('300 students added.').waitFor()
  await page.getByRole('link', { name: 'Students', exact: true }).last().click()
  await page.getByText('301 students in').waitFor()
}

/** Deletes the first student added, and restores it. */
async function deletesAndRestores(page: Page): Promise<void> {
  await page.getByLabel('Student name').fill('Ishita')
  await page.getByRole('button', { name: 'Delete Ishita Namunawala' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Do you want delete book order').waitFor()
  await dialog
    .getByRole('button', { name: 'OK' })
    .or(dialog.getByRole('button', { name: /Delete/ }))
    .first()
    .click()
  await page.getByRole('row', { name: /Ishita Namunawala.*Deleted/ }).waitFor()
  await page.getByRole('button', { name: 'Restore Ishita Namunawala' }).click()
  await announced(page, 'Ishita Namunawala restored')
}

async function paysRegistration(page: Page): Promise<string> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Manage Payments' }).click()
  const button = page.getByRole('button', { name: /^Update Payment Details/ }).first()
  const amount = /₹[\d,]+/.exec(await button.innerText())?.[0] ?? ''
  await button.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /^Send details/ }).click()
  await dialog.getByText('Attechment is required').waitFor()
  await dialog.getByText('Remarks is required').waitFor()
  await dialog.getByLabel(/UTR/).fill('632184007715')
  const slip = dialog.locator('input[type=file]')
  await slip.setInputFiles({ name: 'slip.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
  await dialog.getByText('Please choose a JPEG, PNG or WebP picture, or a PDF.').waitFor()
  // What is wrong with the file is still said beside another error.
  await dialog.getByRole('button', { name: /^Send details/ }).click()
  await dialog.getByText('Remarks is required').waitFor()
  await dialog.getByText('Please choose a JPEG, PNG or WebP picture, or a PDF.').waitFor()
  await dialog.getByLabel('Remarks').fill('NEFT from the school account')
  await slip.setInputFiles({ name: 'IMG_1.HEIC', mimeType: 'image/heic', buffer: Buffer.from('a photo') })
  await dialog.getByText('HEIC photos can’t be read here.').waitFor()
  await dialog.getByText('This file is very small.').waitFor({ state: 'detached' })
  const dot =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  await slip.setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(dot, 'base64') })
  await dialog.getByText('This file is very small.').waitFor()
  await slip.setInputFiles({ name: 'slip.png', mimeType: 'image/png', buffer: await page.screenshot() })
  await dialog
    .getByText('Please choose a JPEG, PNG or WebP picture, or a PDF.')
    .waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: /^Send details/ }).click()
  await page.getByText('Payment verification is pending from the foundation.').waitFor()
  return amount
}

/** Withdraws the payment with the wrong UTR, and sends it again: only that has to be entered. */
async function correctsPayment(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Withdraw' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
  await announced(page, 'Payment withdrawn')
  await page.getByRole('cell', { name: 'Withdrawn' }).waitFor()
  await page
    .getByRole('button', { name: /^Update Payment Details/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Filled in from the payment you withdrew').waitFor()
  assert.equal(await dialog.getByLabel('Remarks').inputValue(), 'NEFT from the school account')
  await dialog.getByText('slip.png').first().waitFor()
  await dialog.getByLabel(/UTR/).fill('632184007751')
  await dialog.getByRole('button', { name: /^Send details/ }).click()
  await page.getByText('632184007751').waitFor()
}

async function verifiesPayment(office: Page, amount: string): Promise<void> {
  await office
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: /Payments/ })
    .click()
  await office.getByLabel('Search').fill(school)
  await office.getByRole('heading', { name: school }).click()
  await office.keyboard.press('v')
  const dialog = office.getByRole('dialog')
  await dialog.getByText(`Verify ${amount}?`).waitFor()
  await dialog.getByRole('button', { name: `Verify ${amount}` }).click()
  await announced(office, /^Verified: PD\d\d\/\d+/)
}

const people: Visitor[] = []
async function comes(): Promise<Page> {
  const person = await visitor((await portal()).url)
  people.push(person)
  return person.page
}

async function theLine(): Promise<void> {
  const page = await comes()
  await registers(page, us)
  await sendsSchoolDetails(page, { ...us, school: `${school}, Branch` })
  await correctsSchoolDetails(page)

  const office = await comes()
  await signInToOffice(office, 'operations')
  await rejects(office, page)
  await approves(office, us)
  assert.match(await newestMail(page, email, /is ready/), new RegExp(school))
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByText('Enter your students').waitFor()

  await addsOneStudent(page)
  await importsThreeHundred(page)
  await deletesAndRestores(page)
  const amount = await paysRegistration(page)
  await correctsPayment(page)

  const accounts = await comes()
  await signInToOffice(accounts, 'accounts')
  await verifiesPayment(accounts, amount)
  assert.match(await newestMail(page, email, /Receipt/), /Receipt PD\d\d\/\d+/)
  await page.reload()
  await page.getByRole('row', { name: /PD\d\d\/\d+/ }).waitFor()
}

test('a school registers, is approved, enters 301 students and pays [spec 2.6.1 2.8.1 2.9.5 2.9.10 2.13.4 2.13.7 4.1 4.13 4.20 9.18]', async () => {
  try {
    await theLine()
  } catch (error) {
    // The screen of each person when it failed
    for (const [n, { page }] of people.entries()) await picture(page, `line-failed-${n + 1}`)
    throw error
  }
  for (const person of people) await person.close()
})
