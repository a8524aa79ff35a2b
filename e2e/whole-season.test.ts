import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { statementCsv } from '../server/seed/bank.ts'
import { announced, picture, sizes, type Visitor, visitor } from './browser.ts'
import { portalThroughTheYear } from './demo-portal.ts'
import { newestMail, signIn, signInToOffice, staysOpen } from './people.ts'
import {
  addsOneStudent,
  approves,
  approvesAndReleases,
  importsMarks,
  registers,
  sendsSchoolDetails,
} from './school-year.ts'

/**
 * A season from its opening to a student's certificate, played by all the people involved, on one portal whose clock is
 * moved ahead to the summer and to the results of the next season.
 */

const us = {
  email: `tara.${Date.now()}@teachers.example`,
  password: 'kites over the stadium',
  school: `Machhli ${Date.now()} Vidyalaya`,
}

/** Enters who was absent: none, after one was ticked by mistake. */
async function entersAttendance(page: Page): Promise<void> {
  await page.goto('/School/attendance')
  await page.locator('main summary').first().click()
  await page.getByRole('button', { name: /^Enter/ }).click()
  const child = page.getByRole('dialog').getByRole('checkbox').first()
  await child.check()
  // The roll no is below the name, and a refusal in view of who saves from the list's end.
  const left = async (part: string) => (await page.locator(`.dlg ${part}`).first().boundingBox())?.x ?? 0
  assert.ok(Math.abs((await left('.hint')) - (await left('.ck label'))) < 1)
  const json = { result: 'error', message: 'Not now', code: 'internal', issues: [] }
  await page.route('**/Save_Attendance', (route) => route.fulfill({ json }), { times: 1 })
  await page.setViewportSize({ width: 1366, height: 420 })
  await page.getByRole('dialog').getByRole('checkbox').last().scrollIntoViewIfNeeded()
  await page.getByRole('dialog').getByRole('button', { name: 'Save attendance' }).click()
  await page.getByRole('alert').filter({ hasText: 'Not now' }).waitFor()
  const top = (await page.getByRole('alert').filter({ hasText: 'Not now' }).boundingBox())?.y ?? 0
  assert.ok(top > 40, `the refusal is at ${top}`)
  await page.setViewportSize(sizes.desk)
  await staysOpen(page, () => page.keyboard.press('Escape'))
  await child.uncheck()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

const people: Visitor[] = []

/** Opens a browser for a member of the office or of the school, at a portal whose clock is ahead by `later`. */
async function comes(url: string, later: number): Promise<Page> {
  const person = await visitor(url, { later })
  people.push(person)
  return person.page
}

async function allLeave(): Promise<void> {
  for (const person of people.splice(0)) await person.close()
}

/**
 * Creates the next season from its differences to this one, and opens it for schools. Returns the year it begins in.
 */
async function opensTheSeason(office: Page): Promise<number> {
  await office.goto('/office/catalogue/open')
  await office.getByRole('heading', { name: 'To review' }).waitFor()
  const label = (await office.locator('h1').innerText()).slice(-7)
  await office.getByRole('button', { name: /^Create season/ }).click()
  await office.getByText('Draft').first().waitFor()
  await office
    .getByRole('row', { name: new RegExp(`^${label}`) })
    .getByRole('button', { name: 'Open', exact: true })
    .click()
  await office.getByRole('dialog').getByRole('button', { name: 'Open', exact: true }).click()
  await announced(office, `${label} is open`)
  return Number(label.slice(0, 4))
}

/** Enters thirteen students with Mathematics, one of them with its book. */
async function enrols(page: Page): Promise<void> {
  await addsOneStudent(page)
  const rows = Array.from({ length: 12 }, (_, n) => `7,B,${20 + n},Nakli Child ${n},Mathematics`)
  await page.getByRole('link', { name: 'Import', exact: true }).click()
  await page
    .locator('input[type=file]')
    .setInputFiles({
      name: 'class 7.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['Class,Section,Roll No,Student Name,Subjects', ...rows].join('\n')),
    })
  await page.getByRole('button', { name: 'Import 12 students' }).click()
  await page.getByText('12 students added.').first().waitFor()
}

type Fee = 'Registration Fee' | 'Book Fee'

/** Returns the amount that a card of the payments page asks for, in rupees, with its reference and account. */
async function owed(page: Page, fee: Fee): Promise<{ reference: string; account: string; amount: number }> {
  const heading = page.getByRole('heading', { name: fee, exact: true })
  const text = await page.locator('.fee').filter({ has: heading }).innerText()
  const textOf = (pattern: RegExp) => (pattern.exec(text)?.[1] ?? '').replaceAll(/[\s,]/g, '')
  const reference = textOf(/(PD\d\d-\w+-[A-Z]\d+)/)
  const account = textOf(/(\d{4}\s+\d{4}\s+\d{4})/)
  const amount = Number(textOf(/Update Payment Details\(₹([\d,.]+)\)/))
  assert.ok(reference && account && amount > 0, `${fee}: ${text}`)
  return { reference, account, amount }
}

/** The school has transferred both fees; the office imports the bank's statements and books them. */
async function booksTheMoney(clerk: Page, page: Page, day: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Manage Payments' }).click()
  await clerk.goto('/office/statements')
  let serial = 0
  for (const fee of ['Registration Fee', 'Book Fee'] as const) {
    const { reference, account, amount } = await owed(page, fee)
    const utr = `SSBXN52027071${String(++serial).padStart(4, '0')}`
    const row = { day, narration: `NEFT ${utr} MACHHLI VIDYALAYA ${reference}`, utr, amount }
    await clerk.getByRole('button', { name: 'Import statement' }).first().click()
    const dialog = clerk.getByRole('dialog')
    await dialog
      .getByLabel('Statement file')
      .setInputFiles({
        name: `${fee}.csv`,
        mimeType: 'text/csv',
        buffer: Buffer.from(statementCsv(account, [row])),
      })
    await dialog.getByText('1 credit').waitFor()
    await dialog.getByRole('button', { name: 'Import 1 line' }).click()
    await dialog.waitFor({ state: 'detached' })
    // By keyboard: the message about the matching may still lie over it, and stays while the mouse is there.
    await clerk.getByRole('button', { name: 'Match the exact line' }).press('Enter')
    await dialog.getByRole('button', { name: 'Match all' }).click()
    await announced(clerk, '1 line matched')
  }
  assert.match(await newestMail(page, us.email, /Receipt/), /Receipt PD\d\d\/\d+/)
  await page.reload()
  await page.getByText('Everything is paid. Thank you.').nth(1).waitFor()
}

/** Packs and dispatches the book that was paid for; the courier's file reports its arrival. */
async function sendsTheBook(office: Page): Promise<void> {
  await office.goto(`/office/book-orders?search=${encodeURIComponent(us.school)}`)
  await office.getByRole('button', { name: /^Pack for / }).click()
  const dialog = office.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Pack 1 copy' }).click()
  const id = /\d+/.exec(await announced(office, /^Parcel \d+ packed/))?.[0] ?? ''
  await office.goto(`/office/packets?search=${id}&status=Packed`)
  await office.getByRole('checkbox', { name: new RegExp(`Parcel ${id},`) }).check()
  const bar = office.getByRole('group', { name: 'Parcels' })
  await bar.getByRole('button', { name: 'Dispatch', exact: true }).click()
  await dialog.getByLabel('Courier', { exact: true }).selectOption({ label: 'Namuna Express' })
  await dialog.getByLabel('AWB / tracking no.').fill(`SEASON${id}`)
  await dialog.getByRole('button', { name: 'Dispatch 1 parcel' }).click()
  await announced(office, '1 parcel dispatched')
  await office.goto('/office/packets')
  await office.getByRole('button', { name: 'Import courier status' }).click()
  await dialog
    .getByLabel('File')
    .setInputFiles({
      name: 'courier.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`AWB No,Status\nSEASON${id},Shipment Delivered\n`),
    })
  await dialog.getByRole('button', { name: 'Update 1 parcel' }).click()
  await announced(office, '1 parcel updated')
}

/** Opens the best student's result and downloads the certificate; another person verifies its number. */
async function certificateIsGenuine(page: Page, stranger: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'View result' }).click()
  await page
    .getByRole('button', { name: /^Class rank 1,/ })
    .first()
    .click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Certificate (PDF)' }).click(),
  ])
  const pdf = (await readFile(await file.path())).toString('latin1')
  const number = /\(Certificate of Merit ([0-9A-Z-]{14})\)/.exec(pdf)?.[1] ?? ''
  await stranger.goto(`/verify/${number}`)
  await stranger.getByText('This certificate is genuine').waitFor()
  assert.equal(await stranger.getByText(/Ishita|Nakli/).count(), 0)
}

/** Reads the results as the teacher, why one is what it is, and who has a medal. */
async function seesTheResults(page: Page): Promise<void> {
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
  await page.getByRole('heading', { level: 1, name: 'Medal List' }).waitFor()
  await page.getByText('Gold').first().waitFor()
}

async function theSeason(): Promise<void> {
  const portalAt = await portalThroughTheYear()
  const today = await portalAt(0)
  const owner = await comes(today.url, 0)
  await signInToOffice(owner, 'operations')
  const year = await opensTheSeason(owner)
  await allLeave()

  const summer = Date.parse(`${year}-07-12T06:00:00Z`) - Date.now()
  const { url } = await portalAt(summer)
  const page = await comes(url, summer)
  await registers(page, us)
  await sendsSchoolDetails(page, us)
  const office = await comes(url, summer)
  await signInToOffice(office, 'operations')
  await approves(office, us)
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByText('Enter your students').first().waitFor()
  await enrols(page)
  const clerk = await comes(url, summer)
  await signInToOffice(clerk, 'accounts')
  await booksTheMoney(clerk, page, `${year}-07-11`)
  await sendsTheBook(office)
  await page.goto('/Importantlink/trackorder')
  await page.getByRole('row').getByText('Delivered').first().waitFor()
  await allLeave()

  // After the exams and the day of results, which follow those of the demo's season.
  const winter = Date.parse(`${year + 1}-03-30T06:00:00Z`) - Date.now()
  const late = await portalAt(winter)
  const teacher = await comes(late.url, winter)
  await signIn(teacher, us.email, us.password)
  await teacher.getByRole('heading', { name: 'Enter the attendance' }).waitFor()
  await teacher.getByText('1 class list of an exam that is over.').waitFor()
  await entersAttendance(teacher)
  const results = await comes(late.url, winter)
  await signInToOffice(results, 'results')
  await importsMarks(results)
  const second = await comes(late.url, winter)
  await signInToOffice(second, 'results2')
  await second.goto(results.url())
  await approvesAndReleases(second)
  await seesTheResults(teacher)
  await certificateIsGenuine(teacher, await comes(late.url, winter))
  await allLeave()
}

test('a season runs from its opening through entries, payment, books and results to a verified certificate', async () => {
  try {
    await theSeason()
  } catch (error) {
    for (const [n, { page }] of people.entries()) await picture(page, `season-failed-${n + 1}`)
    throw error
  }
})
