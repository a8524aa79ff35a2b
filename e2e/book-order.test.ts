import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hold } from './browser.ts'
import { broken, refused, walk } from './look.ts'

const sent = 'A payment for these books is being verified. You can make changes after that.'

/** The library's book order: ordered, changed, taken back, and due on the payments page. */

test('copies are ordered by the keyboard, changed and taken back, and are a fee item of their own [spec 2.1.15 2.11.1 5.17 5.18 8.10]', async () => {
  await walk(
    async ({ page, beSchool, open, see }) => {
      const dialog = page.getByRole('dialog')
      const field = (name: string) => dialog.getByLabel(name, { exact: true })
      const row = (subject: string) => page.getByRole('row').filter({ hasText: subject })
      const classId = '3'
      await beSchool('kiran')
      await page.goto('/manage-book')
      await page.getByRole('button', { name: 'Add Books' }).click()
      await dialog.getByRole('button', { name: 'Save order' }).click()
      for (const message of ['Class is required.', 'Quantity is required.'])
        await dialog.getByText(message).waitFor()
      await dialog.getByText('Subject is required.').nth(1).waitFor()
      await see('book-order-errors')
      await field('Class').selectOption(classId)
      await field('Subject').selectOption({ label: 'Mathematics' })
      await field('Category').selectOption({ label: 'Previous Test Paper' })
      await field('Quantity').fill('12')
      await dialog.getByRole('button', { name: 'Save order, ₹1,920' }).waitFor()
      await see('book-order-dialog')
      await field('Quantity').press('Control+Enter')
      await dialog.locator('[data-path="bookCategory"]:focus').waitFor()
      assert.equal(await field('Class').inputValue(), classId)
      await field('Category').selectOption({ label: 'Previous Test Paper' })
      await field('Quantity').fill('1')
      await field('Quantity').press('Enter')
      await dialog.getByText('This book is already in the order.').waitFor()
      await field('Subject').selectOption({ label: 'Science' })
      await field('Quantity').press('Enter')
      await dialog.waitFor({ state: 'detached' })
      const science = row('Science').filter({ hasText: `Class ${classId}` })
      await science.getByRole('button', { name: /^Change / }).click()
      await field('Quantity').fill('5')
      await field('Quantity').press('Enter')
      await science.getByText('₹800').waitFor()
      await see('book-order')
      await open('/Importantlink/managepayment')
      await page.getByText(/books? for your library/).waitFor()
      await open('/books/order')
      // A refusal is there before the lists that are asked anew
      const lists = await hold(page, '*/ManageBook/GetBookOrder*', () => undefined)
      const deletes = await hold(page, '*/ManageBook/DeleteBookOrder', ({ answer }) =>
        answer(409, { result: 'error', message: sent, code: 'books.sent' }),
      )
      await science.getByRole('button', { name: /^Delete / }).click()
      await dialog.getByRole('button', { name: 'OK' }).click()
      await dialog.getByText(sent).waitFor()
      await lists()
      await deletes()
      await open('/books/order')
      for (const subject of ['Science', 'Mathematics']) {
        const line = row(subject).filter({ hasText: `Class ${classId}` })
        await line.getByRole('button', { name: /^Delete / }).click()
        await dialog.getByText('Do you want delete book order').waitFor()
        await dialog.getByRole('button', { name: 'OK' }).click()
        await line.waitFor({ state: 'detached' })
      }
    },
    { expected: refused },
  )
})

test('an order is paid, empty, or can not be read', async () => {
  await walk(
    async ({ page, beSchool, open, see }) => {
      await beSchool('meera')
      await open('/books/order')
      await page
        .getByRole('button', { name: /^Download receipt PD\d\d/ })
        .first()
        .waitFor()
      await beSchool('joyita')
      await page.route('**/GetBookOrder*', (route) => route.fulfill({ status: 500, body: '' }))
      await open('/books/order')
      const again = page.getByRole('button', { name: 'Try again' })
      await again.waitFor()
      await page.unroute('**/GetBookOrder*')
      await again.click()
      await page.getByText('No books ordered yet').waitFor()
      await see('book-order-empty')
    },
    { expected: broken },
  )
})
