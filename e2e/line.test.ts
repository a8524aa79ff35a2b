import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { writeXlsx } from '../server/src/platform/spreadsheet-write.ts'
import { picture, type Visitor, visitor } from './browser.ts'
import { newestMail, signIn, signInToOffice } from './people.ts'
import { portal } from './portal.ts'

/** A school's year through the product: one person after the other does their part, on one portal. */

const email = `asha.${Date.now()}@teachers.example`
const password = 'paper boats in june'
const school = `Jalpari ${Date.now()} Vidyalaya`

async function registers(page: Page): Promise<void> {
  await page.goto('/register')
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Send the code' }).click()
  const otp = page.getByLabel('One-time password')
  await otp.waitFor()
  await otp.fill(/\b\d{6}\b/.exec(await newestMail(page, email, /one-time/i))?.[0] ?? '')
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByRole('heading', { name: 'About you' }).waitFor()

  // Nothing filled in: every rule says its sentence at its field, and the first field has the cursor.
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  for (const sentence of [
    'Name is required',
    'Pin Code is required',
    'Mobile No is required',
    'Gender is required',
    'Password is required',
    'Re Enter Password is required',
    'You are a required',
    'Please accept the terms and conditions',
  ]) {
    await page.getByText(sentence, { exact: true }).waitFor()
  }
  assert.equal(
    await page.evaluate('document.activeElement.name || document.activeElement.dataset.path'),
    'userName',
  )

  await page.getByLabel('Name', { exact: true }).fill('Asha Namunawala')
  await page.getByLabel('Address').fill('12 Udaharan Road')
  await page.getByLabel('Country').selectOption({ label: 'India' })
  await page.getByLabel('State').selectOption({ label: 'Karnataka' })
  await page.getByLabel('City').fill('Kalpanagar')
  await page.getByLabel('Pin Code').fill('560071')
  await page.getByLabel('Mobile No').fill('90000 12345')
  await page.getByLabel('You are a').selectOption('Teacher')
  await page.getByLabel('Female').check()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Re Enter Password').fill(password)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await page.waitForURL(/\/login/)
  await page
    .getByRole('button', { name: 'Continue with e-mail' })
    .or(page.getByRole('button', { name: 'Sign In', exact: true }))
    .first()
    .waitFor()
}

async function sendsSchoolDetails(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Management / School detail').waitFor()
  await dialog.getByLabel('School name').fill(school)
  await dialog.getByLabel('Address').fill('7 Kalpanik Lane')
  await dialog.getByLabel('Country').selectOption({ label: 'India' })
  await dialog.getByLabel('State').selectOption({ label: 'Karnataka' })
  await dialog.getByLabel('District').fill('Kalpanagar')
  await dialog.getByLabel('City').fill('Kalpanagar')
  await dialog.getByLabel('Pin Code').fill('560071')
  await dialog.getByLabel('Phone').fill('9000012346')
  await dialog.getByRole('button', { name: 'Submit' }).click()
  await page.getByText('Your account verification is in progress').waitFor()
}

async function approves(office: Page): Promise<void> {
  await office
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: /Applications/ })
    .click()
  await office
    .getByRole('button', { name: new RegExp(school) })
    .or(office.getByRole('link', { name: new RegExp(school) }))
    .first()
    .click()
  await office.getByRole('heading', { name: school }).waitFor()
  await office.getByRole('button', { name: /Approve as new school/ }).click()
  await office.getByRole('dialog').getByRole('button', { name: 'Approve the school' }).click()
  await office.getByText(`${school} is approved as`).waitFor()
}

async function addsOneStudent(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Add Student' }).click()
  await page.getByText('No students yet').waitFor()
  await page.getByRole('button', { name: 'Add Entry' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Class').selectOption('7')
  await dialog.getByLabel('Section').selectOption('B')
  await dialog.getByLabel('Student name').fill('Ishita Namunawala')
  await dialog.getByRole('combobox', { name: /^Subjects/ }).fill('Math')
  await dialog.getByRole('option', { name: /Mathematics/ }).click()
  // Escape closes the list of subjects, not the dialog.
  await page.keyboard.press('Escape')
  await dialog
    .getByRole('checkbox', { name: /Mathematics.*Comprehensive Book|Comprehensive Book.*Mathematics/ })
    .check()
  await dialog.getByRole('button', { name: 'Save student, ₹395' }).click()
  await dialog.getByText('Roll No is required.').waitFor()
  await dialog.getByLabel('Roll no').fill('14')
  await dialog.getByRole('button', { name: 'Save student, ₹395' }).click()
  await page.getByText('Details saved sucessfully').first().waitFor()
  await page.getByRole('row', { name: /Ishita Namunawala/ }).waitFor()
}

/** 300 good rows and three faulty ones, as a teacher's list would come. */
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
  await page.locator('input[type=file]').setInputFiles({
    name: 'class lists.xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: await aTeachersList(),
  })
  // All faults at once, by row and column.
  for (const fault of [
    /302.*is taken by Ishita/s,
    /303.*Roll No is required\./s,
    /304.*Astrology is not offered/s,
  ])
    await page.getByRole('listitem').filter({ hasText: fault }).waitFor()
  await page.getByRole('button', { name: 'Import 300 students' }).click()
  await page.getByText('300 students are imported.').waitFor()
  await page.getByRole('link', { name: 'Students', exact: true }).last().click()
  await page.getByText('301 students in').waitFor()
}

/** Deletes the student that was added first, and takes it back. */
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
  await page.getByText('Ishita Namunawala is restored').waitFor()
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
  await dialog.getByLabel('Remarks').fill('NEFT from the school account')
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'slip.png', mimeType: 'image/png', buffer: await page.screenshot() })
  await dialog.getByRole('button', { name: /^Send details/ }).click()
  await page.getByText('Payment verification is pending from the foundation.').waitFor()
  return amount
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
  await office
    .getByText(/^Verified: PD\d\d\/\d+/)
    .first()
    .waitFor()
}

/** Fills in the marks that the template asks for: all present, with marks that make a clear order. */
function filledIn(template: string): string {
  const [head = '', ...lines] = template
    .replace(/^\ufeff/, '')
    .trim()
    .split(/\r?\n/)
  const columns = head.split(',')
  const at = (name: string) => columns.findIndex((column) => column.trim().startsWith(name))
  const first = at('Attendance') + 1
  return [
    head,
    ...lines.map((line, n) => {
      const cells = line.split(',')
      cells[at('Attendance')] = 'P'
      for (let i = first; i < first + 4; i++) cells[i] = String(10 - (n % 10))
      return cells.join(',')
    }),
    columns
      .map((_, i) =>
        i === at('Roll No') ? 'NOBODY-01' : i === at('Attendance') ? 'P' : i >= first ? '1' : '',
      )
      .join(','),
  ].join('\r\n')
}

async function importsMarks(office: Page): Promise<void> {
  await office.goto('/office/results')
  await office
    .getByRole('link', { name: /Mathematics/ })
    .first()
    .click()
  const [template] = await Promise.all([
    office.waitForEvent('download'),
    office.getByRole('button', { name: 'Template, CSV' }).click(),
  ])
  const csv = await readFile(await template.path(), 'utf8')
  await office
    .locator('input[type=file]')
    .setInputFiles({ name: 'marks.csv', mimeType: 'text/csv', buffer: Buffer.from(filledIn(csv)) })
  await office.getByRole('button', { name: 'Import the file' }).click()

  // One roll number is nobody's: it keeps the ranks from being computed until somebody says why it may be left out.
  await office.getByRole('row', { name: /NOBODY-01/ }).waitFor()
  await office.getByRole('checkbox', { name: /Select.*NOBODY-01/ }).check()
  await office.getByRole('button', { name: 'Resolve 1 selected' }).click()
  await office.getByLabel('Why it is right like this').fill('Written on a spare sheet, belongs to no child')
  await office
    .getByRole('dialog')
    .getByRole('button', { name: /^Resolve/ })
    .click()
  await office.getByText('1 resolved').waitFor()
  await office
    .getByRole('link', { name: /Compute/ })
    .or(office.getByRole('tab', { name: /Compute/ }))
    .first()
    .click()
  await office.getByRole('button', { name: 'Compute', exact: true }).click()
  await office
    .getByText(/^Computed Vikram|^Computed by/)
    .first()
    .waitFor()
}

const people: Visitor[] = []
async function comes(): Promise<Page> {
  const person = await visitor((await portal()).url)
  people.push(person)
  return person.page
}

async function theLine(): Promise<void> {
  const page = await comes()
  await registers(page)
  await signIn(page, email, password)
  await sendsSchoolDetails(page)

  const office = await comes()
  await signInToOffice(office, 'operations')
  await approves(office)
  assert.match(await newestMail(page, email, /is ready/), new RegExp(school))
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByText('Enter your students').waitFor()

  await addsOneStudent(page)
  await importsThreeHundred(page)
  await deletesAndRestores(page)
  const amount = await paysRegistration(page)

  const accounts = await comes()
  await signInToOffice(accounts, 'accounts')
  await verifiesPayment(accounts, amount)
  assert.match(await newestMail(page, email, /Receipt/), /Receipt PD\d\d\/\d+/)
  await page.reload()
  await page.getByRole('row', { name: /PD\d\d\/\d+/ }).waitFor()

  const results = await comes()
  await signInToOffice(results, 'results')
  await importsMarks(results)
  const second = await comes()
  await signInToOffice(second, 'results2')
  await second.goto(results.url())
  await second
    .getByRole('link', { name: /^Approve/ })
    .or(second.getByRole('button', { name: /^Approve,|^Approve$/ }))
    .first()
    .click()
  await second.getByRole('button', { name: 'Approve version 1' }).click()
  await second.getByText('Version 1 is approved').waitFor()
  await second
    .getByRole('link', { name: /^Release/ })
    .or(second.getByRole('button', { name: /^Release$/ }))
    .first()
    .click()
  const confirm = second.getByLabel(/to confirm$/)
  const label = await second
    .getByText(/to confirm$/)
    .first()
    .innerText()
  await confirm.fill(label.replace(/^Type /, '').replace(/ to confirm$/, ''))
  await second.getByRole('button', { name: 'Release now' }).click()
  await second.getByText('Version 1 is released').waitFor()

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'View result' }).click()
  await page
    .getByRole('cell', { name: /Misaal Child|Ishita/ })
    .first()
    .waitFor()
  await page
    .getByRole('button', { name: /: why$/ })
    .first()
    .click()
  await page
    .getByText(/Final score/)
    .nth(1)
    .waitFor()
  await page.getByRole('link', { name: 'Medal List' }).first().click()
  await page.getByText('Gold').first().waitFor()
}

test('a school registers, is approved, enters 301 students, pays, and sees its results', async () => {
  try {
    await theLine()
  } catch (error) {
    // What each of them saw when it went wrong
    for (const [n, { page }] of people.entries()) await picture(page, `line-failed-${n + 1}`)
    throw error
  }
  for (const person of people) await person.close()
})
