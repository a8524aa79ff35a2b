import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { readable } from '../server/test/file-call.ts'
import { announced } from './browser.ts'
import { newestMail } from './people.ts'

/** Parts of a school's year that several tests use, each done on the screen as its person would. */

/** A new school and the person who registers it. */
export interface NewSchool {
  email: string
  password: string
  school: string
}

export async function registers(page: Page, { email, password }: NewSchool): Promise<void> {
  await page.goto('/register')
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Send code' }).click()
  const otp = page.getByLabel('One-time password')
  await otp.waitFor()
  await otp.fill(/\b\d{6}\b/.exec(await newestMail(page, email, /one-time/i))?.[0] ?? '')
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByRole('heading', { name: 'About you' }).waitFor()

  // With nothing filled in, every rule shows its sentence at its field, and the first field has the focus.
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
  await page.getByLabel('Re-enter password').fill(password)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  await page.waitForURL(/\/dashboard/)
}

export async function sendsSchoolDetails(page: Page, { school }: NewSchool): Promise<void> {
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

export async function approves(office: Page, { school }: NewSchool): Promise<void> {
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
  await office.getByRole('dialog').getByRole('button', { name: 'Approve school' }).click()
  await announced(office, `${school} approved as`)
}

/** Fills in the template's marks: all present, with marks that give a clear order. */
function filledIn(template: string): string {
  const [head = '', ...lines] = readable(template)
    .replace(/^\ufeff/, '')
    .trim()
    .split(/\r?\n/)
  const columns = head.split(',')
  const columnIndex = (name: string) => columns.findIndex((column) => column.trim().startsWith(name))
  const first = columnIndex('Attendance') + 1
  return [
    head,
    ...lines.map((line, n) => {
      const cells = line.split(',')
      cells[columnIndex('Attendance')] = 'P'
      for (let i = first; i < first + 4; i++) cells[i] = String(10 - (n % 10))
      return cells.join(',')
    }),
    columns
      .map((_, i) =>
        i === columnIndex('Roll No')
          ? 'NOBODY-01'
          : i === columnIndex('Attendance')
            ? 'P'
            : i >= first
              ? '1'
              : '',
      )
      .join(','),
  ].join('\r\n')
}

export async function importsMarks(office: Page): Promise<void> {
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
  await office.getByRole('button', { name: 'Import file' }).click()

  // One roll number is unknown: it blocks the ranks until an officer states why it may be left out.
  await office.getByRole('row', { name: /NOBODY-01/ }).waitFor()
  await office.getByRole('checkbox', { name: /Select.*NOBODY-01/ }).check()
  await office.getByRole('button', { name: 'Accept 1 selected' }).click()
  await office.getByLabel('Reason for accepting').fill('Written on a spare sheet, belongs to no child')
  await office
    .getByRole('dialog')
    .getByRole('button', { name: /^Accept/ })
    .click()
  await announced(office, '1 accepted')
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

export async function addsOneStudent(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Add Student' }).click()
  await page.getByText('No students yet').waitFor()
  await page.getByRole('button', { name: 'Add Entry' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Class').selectOption('7')
  await dialog.getByLabel('Section').selectOption('B')
  await dialog.getByLabel('Student name').fill('Ishita Namunawala')
  await dialog.getByRole('combobox', { name: /^Subjects/ }).fill('Math')
  // Enter accepts the match, and does not submit the form.
  await dialog.getByRole('combobox', { name: /^Subjects/ }).press('Enter')
  await dialog.getByText('1 of').first().waitFor()
  assert.equal(await dialog.getByText('Roll No is required.').count(), 0)
  // Escape closes the list of subjects, not the dialog.
  await page.keyboard.press('Escape')
  await dialog
    .getByRole('checkbox', { name: /Mathematics.*Comprehensive Book|Comprehensive Book.*Mathematics/ })
    .check()
  await dialog.getByRole('button', { name: 'Save student, ₹395' }).click()
  await dialog.getByText('Roll No is required.').waitFor()
  await dialog.getByLabel('Roll no').fill('14')
  await dialog.getByRole('button', { name: 'Save student, ₹395' }).click()
  await announced(page, 'Details saved sucessfully')
  await page.getByRole('row', { name: /Ishita Namunawala/ }).waitFor()
}

/** The second of the two officers required: on the page of the event whose results were computed. */
export async function approvesAndReleases(second: Page): Promise<void> {
  await second
    .getByRole('link', { name: /^Approve/ })
    .or(second.getByRole('button', { name: /^Approve,|^Approve$/ }))
    .first()
    .click()
  await second.getByRole('button', { name: 'Approve version 1' }).click()
  await announced(second, 'Version 1 approved')
  await second.getByRole('link', { name: 'Continue: Release' }).press('Enter')
  const confirm = second.getByLabel(/to confirm$/)
  const label = await second
    .getByText(/to confirm$/)
    .first()
    .innerText()
  await confirm.fill(label.replace(/^Type /, '').replace(/ to confirm$/, ''))
  await second.getByRole('button', { name: 'Release now' }).click()
  await announced(second, 'Version 1 released')
}
