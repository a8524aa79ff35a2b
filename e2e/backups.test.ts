import assert from 'node:assert/strict'
import { allHindi, broken, focused, slip, test } from './demo-portal.ts'

/** What must work on every page: nothing typed is lost, the keyboard suffices, Hindi is complete. */

test('typed text survives a save that fails [spec 8.12 8.14]', async (look) => {
  const { page, beSchool, open, see, expects } = look
  expects(broken)
  await beSchool('manoj', '/student/entry')
  await page.getByRole('button', { name: 'Add Entry' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Class', { exact: true }).selectOption('4')
  await dialog.getByLabel('Section').selectOption('A')
  await dialog.getByLabel('Roll no').fill('777')
  await dialog.getByLabel('Student name').fill('Ojasvi Namunawala')
  await dialog.getByRole('button', { name: 'Select all', exact: true }).click()
  await page.route('**/api/**', (route) =>
    route.request().method() === 'GET' ? route.continue() : route.abort(),
  )
  await dialog.getByRole('button', { name: /^Save student, ₹/ }).click()
  await dialog.getByRole('alert').first().waitFor()
  await see('students-dialog-not-saved')
  assert.equal(await dialog.getByLabel('Student name').inputValue(), 'Ojasvi Namunawala')
  await open('/Importantlink/managepayment')
  await page
    .getByRole('button', { name: /^Update Payment Details/ })
    .first()
    .click()
  await dialog.getByLabel('Remarks').fill('NEFT from the school account')
  await dialog
    .getByLabel('Attachment')
    .setInputFiles({ name: 'slip.pdf', mimeType: 'application/pdf', buffer: slip })
  await dialog.getByRole('button', { name: /^Send details/ }).click()
  await dialog.getByRole('alert').first().waitFor()
  await see('payments-dialog-not-sent')
  assert.equal(await dialog.getByLabel('Remarks').inputValue(), 'NEFT from the school account')
  await open('/School/contact-details')
  await page.getByRole('button', { name: /^Edit/ }).first().click()
  await dialog.getByLabel('Contact name').fill('Hema Misaal')
  await dialog.getByRole('button', { name: 'Save contact' }).click()
  await dialog.getByRole('alert').first().waitFor()
  assert.equal(await dialog.getByLabel('Contact name').inputValue(), 'Hema Misaal')
})

test('a student is added by keyboard alone [spec 2.9.6 2.9.7 9.21]', async ({ page, beSchool }) => {
  await beSchool('manoj', '/student/entry')
  const { keyboard } = page
  await keyboard.press('Tab')
  assert.equal(await focused(page), 'Skip to content')
  await keyboard.press('Enter')
  await keyboard.press('/')
  await page.getByLabel('Student name').and(page.locator(':focus')).waitFor()
  await keyboard.press('Tab')
  const add = page.getByRole('button', { name: 'Add Entry' })
  for (let tab = 0; tab < 12 && (await focused(page)) !== 'Add Entry'; tab++)
    await keyboard.press('Shift+Tab')
  assert.equal(await focused(page), 'Add Entry')
  await keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Class', { exact: true }).and(page.locator(':focus')).waitFor()
  // On a slow connection the subjects arrive after everything is typed.
  const line = Promise.withResolvers<void>()
  await page.route('**/GetSubject?**', async (route) => {
    await line.promise
    await route.continue()
  })
  // Past Nursery, LKG, UKG and three classes.
  for (let down = 0; down < 7; down++) await keyboard.press('ArrowDown')
  await keyboard.press('Tab')
  await keyboard.type('C')
  await keyboard.press('Tab')
  await keyboard.type('901')
  await keyboard.press('Tab')
  await keyboard.type('Pranjal Misaal')
  for (let tab = 0; tab < 12 && (await focused(page)) !== 'Select all'; tab++) await keyboard.press('Tab')
  await keyboard.press('Enter')
  await dialog.getByText('0 of 0 chosen').waitFor()
  line.resolve()
  await dialog.getByRole('button', { name: /^Save student, ₹/ }).waitFor()
  await keyboard.press('Control+Enter')
  await dialog.getByLabel('Student name').and(page.locator(':focus')).waitFor()
  assert.equal(await dialog.getByLabel('Roll no').inputValue(), '902')
  assert.equal(await dialog.getByLabel('Section').inputValue(), 'C')
  await keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await add.and(page.locator(':focus')).waitFor()
  await keyboard.press('/')
  await page.getByLabel('Student name').and(page.locator(':focus')).waitFor()
  await keyboard.type('Pranjal')
  await page.getByText('Pranjal Misaal').first().waitFor()
})

test('in Hindi no English is left, and everything fits [spec 8.17]', { language: 'hi' }, async ({
  page,
  beSchool,
  open,
  see,
}) => {
  await open('/login')
  await page.getByRole('heading', { name: 'साइन इन करें' }).waitFor()
  await see('hindi-login', allHindi)
  await open('/register')
  await page.getByRole('heading', { name: 'खाता बनाएँ' }).waitFor()
  await see('hindi-register', allHindi)
  await beSchool('sunita')
  for (const path of [
    '/dashboard',
    '/Importantlink/managepayment',
    '/student/entry',
    '/School/contact-details',
  ]) {
    await open(path)
    await see(`hindi-${path.split('/').at(-1)}`, allHindi)
  }
  await page.goto('/Importantlink/managepayment')
  await page.getByRole('heading', { name: 'भुगतान प्रबंधन' }).waitFor()
  await page
    .getByRole('button', { name: /^भुगतान विवरण भेजें/ })
    .first()
    .click()
  await page.getByRole('dialog').waitFor()
  await see('hindi-payments-dialog', allHindi)
})
