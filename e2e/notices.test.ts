import assert from 'node:assert/strict'
import { announced, hold } from './browser.ts'
import { refused, seeAsked, test } from './demo-portal.ts'

/** The office's notices to schools, and a school's figures, which must add up. */

const number = (text: string) => Number(text.replaceAll(/[^\d.]/g, ''))

test('the office writes a notice, and its school sees it and marks it read', async (look) => {
  const { page, beOffice, beSchool, see } = look
  const title = 'Parcel office closed'
  await beOffice('operations', '/office/notices')
  await page.getByRole('button', { name: 'New notice' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title', { exact: true }).fill(title)
  await dialog.getByLabel('Text', { exact: true }).fill('Ask us first: https://podium.example/parcels.')
  await dialog.getByLabel('One school').check()
  await dialog.getByRole('button', { name: 'Publish notice' }).click()
  await dialog.getByText('School code is required.').waitFor()
  await dialog.getByLabel('School code').fill('UIS0007')
  await dialog.getByLabel(/^Important:/).check()
  await see('office-notice-dialog')
  await dialog.getByRole('button', { name: 'Publish notice' }).click()
  await page.getByRole('button', { name: `Open: ${title}` }).waitFor()
  await see('office-notices')
  await beSchool('fiona', '/dashboard')
  const notice = page.getByRole('group').filter({ hasText: title })
  const link = notice.getByRole('link', { name: 'https://podium.example/parcels' })
  assert.equal(await link.getAttribute('rel'), 'noopener noreferrer')
  await notice.getByRole('button', { name: /^Mark as read/ }).click()
  await notice.getByText('Read', { exact: true }).waitFor()
  await link.waitFor({ state: 'hidden' })
  await beSchool('joyita', '/dashboard')
  await page.getByRole('heading', { name: 'Notices' }).waitFor()
  assert.equal(await page.getByText(title).count(), 0)
})

test('ending a notice that another officer has just ended is refused, and the dialog stays open and says why', {
  only: 'desk',
}, async ({ page, beOffice, see, expects }) => {
  expects(refused)
  await beOffice('operations', '/office/notices')
  const end = page.getByRole('button', { name: /^End/ })
  await end.first().click()
  const dialog = page.getByRole('dialog')
  // As if another officer had ended it a moment before.
  await page.route('**/notices/end', async (route) => {
    // Theirs has another key.
    await route.fetch({ headers: { ...route.request().headers(), 'idempotency-key': 'of-another-officer' } })
    return route.continue()
  })
  await dialog.getByRole('button', { name: 'End now' }).click()
  await dialog.getByText('This notice is over.').waitFor()
  await see('office-notice-over')
  // Closing waits for the answer. Closed nevertheless, it says so as a message.
  const asked = Promise.withResolvers<void>()
  const answer = await hold(page, '*/notices/end', () => asked.resolve())
  await dialog.getByRole('button', { name: 'End now' }).click()
  await asked.promise
  await page.keyboard.press('Escape')
  await dialog.getByText('Not finished yet.').waitFor()
  await seeAsked(page, 'desk', 'office-notice-unanswered')
  await dialog.getByRole('button', { name: 'Close anyway' }).click()
  await dialog.waitFor({ state: 'detached' })
  await answer()
  await announced(page, 'This notice is over.')
})

test("a school's days, students by class and money are counted, and each total adds up", async (look) => {
  const { page, beSchool, open, see } = look
  await beSchool('kiran', '/dashboard', 'Next deadline')
  const all = number(
    await page
      .getByRole('link', { name: /Total Students/ })
      .locator('b')
      .innerText(),
  )
  await page.getByRole('button', { name: 'By class' }).click()
  await page.getByRole('heading', { name: 'Students by class' }).waitFor()
  await page.getByRole('button', { name: 'View as table' }).click()
  const totals = page.getByRole('table', { name: 'Students by class' }).locator('tbody td:last-child')
  await totals.first().waitFor()
  const counted = (await totals.allInnerTexts()).map(number)
  assert.equal(
    counted.reduce((sum, count) => sum + count, 0),
    all,
  )
  // Scrolls to the top, so that nothing is half hidden by the fixed header.
  await page.evaluate('scrollTo(0, 0)')
  await see('dashboard-by-class')
  await open('/Importantlink/managepayment')
  await page.getByRole('tab', { name: 'Statement of account' }).click()
  const account = page.getByRole('table', { name: 'Statement of account' })
  await account.waitFor()
  await see('payments-account')
  const total = account.locator('tfoot td').last()
  assert.equal(number(await total.innerText()), number(await page.locator('.tile b').last().innerText()))
})
