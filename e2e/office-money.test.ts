import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fits, sizes, told } from './browser.ts'
import { walk } from './look.ts'

test('the office’s books are readable at both sizes: receipts, credits, days and accounts', async () => {
  await walk(async ({ page, beOffice, open, see }) => {
    await beOffice('accounts')
    await open('/office/receipts?search=KPS0102')
    await page
      .getByText(/^PD\d\d-KPS0102-R1$/)
      .first()
      .waitFor()
    await see('office-receipts')
    await open('/office/credits')
    await page.getByText('Needs approval').first().waitFor()
    await see('office-credits')
    const row = page.getByRole('row').filter({ hasText: 'KPS0102' }).first()
    await row.getByRole('button', { name: 'Statement' }).click()
    await page.getByRole('dialog').getByText('Credit received').waitFor()
    await see('office-school-account')
    await open('/office/ledger?search=KPS0102')
    await page
      .getByText(/^1 school · /)
      .first()
      .waitFor()
    await see('office-ledger')
    await page.getByRole('button', { name: /^Statement of/ }).click()
    await page.getByRole('dialog').getByText('Credit received').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click()
    await open('/office/closing')
    await page.getByRole('button', { name: 'Close day' }).first().waitFor()
    await page.getByRole('table').getByRole('button').first().click()
    await page.getByText('Bank lines of the day').first().waitFor()
    await see('office-closing')
    // Between a tablet and a desk the table is wider than its panel, and scrolls inside it.
    await page.setViewportSize({ ...sizes.desk, width: 1120 })
    await page.locator('.tw.spills').waitFor()
    await fits(page, 'office-closing at 1120 px')
    await page.setViewportSize(sizes.desk)
    await open('/office/bank-accounts')
    await page.getByText('podium.fees@samplebank').first().waitFor()
    await see('office-bank-accounts')
    await page.getByRole('button', { name: 'Propose a change' }).first().click()
    await page.getByRole('dialog').getByLabel('IFSC').fill('wrong')
    await page.getByRole('dialog').getByRole('button', { name: 'Propose' }).click()
    await page.getByText('IFSC is not valid.').first().waitFor()
    await see('office-bank-account-change')
  })
})

test('a refund that one person has proposed is rejected by another; the money stays to the school’s credit', async () => {
  await walk(
    async ({ page, beOffice, open }) => {
      await beOffice('accounts')
      await open('/office/credits')
      await page.getByRole('button', { name: 'Withdraw' }).waitFor()
      await beOffice('owner')
      await open('/office/credits')
      await page.getByRole('button', { name: /^Reject( R)?$/ }).click()
      await page.getByLabel('Note').fill('The school wants to use it for books')
      await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
      await page.getByText('Rejected').first().waitFor()
      await page.getByText('₹750').first().waitFor()
    },
    { only: 'desk' },
  )
})

test('with a phone, the payment and the bank line that were chosen come into sight and stay there', async () => {
  await walk(
    async ({ page, beOffice, open }) => {
      await beOffice('accounts')
      for (const [path, list, opened] of [
        ['/office/payments', '.paydesk .queue', '.paydesk .view'],
        ['/office/statements?state=exact', '.bankdesk .queue', '.bankdesk .view'],
      ] as const) {
        await open(path)
        await page.locator(`${list} li button`).nth(1).click()
        await page.waitForURL(/[?&]id=\d+/)
        const place = await page.locator(opened).boundingBox()
        assert.ok(place && place.y < sizes.phone.height / 2, path)
      }
    },
    { only: 'phone' },
  )
})

test('an officer takes a payment on; another sees whose it is and who looks at it, and finds it by the filter', async () => {
  await walk(
    async ({ page, beOffice, open }) => {
      await beOffice('accounts')
      await open('/office/payments')
      await page.getByText('Not assigned').waitFor()
      await page.getByRole('button', { name: 'Assign', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Assign to me' }).click()
      await page.getByText('Assigned to Radhika Kalpanik').first().waitFor()
      await page.getByLabel('Assigned to', { exact: true }).selectOption({ label: 'Me' })
      await page.getByRole('heading', { name: 'To verify, 2' }).waitFor()
      await beOffice('owner')
      await open('/office/payments?assigned=me')
      await page.getByText('Nothing found').waitFor()
      await page.getByLabel('Assigned to', { exact: true }).selectOption({ label: 'Radhika Kalpanik' })
      await page.getByRole('heading', { name: 'To verify, 2' }).waitFor()
      await page.getByText('Radhika Kalpanik is looking at this now.').waitFor()
      await page.getByRole('button', { name: 'Assign', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Unassign' }).click()
      // The other has been hers from the beginning.
      await page.getByRole('heading', { name: 'To verify, 1' }).waitFor()
    },
    { only: 'desk' },
  )
})

test('a standard reason that the owner adds is offered where a payment is rejected, and can be changed there', async () => {
  await walk(
    async ({ page, beOffice, open }) => {
      await beOffice('owner')
      await open('/office/settings')
      await page.getByText('Reject a payment, 5 reasons').click()
      const list = page.getByRole('group').filter({ hasText: 'Reject a payment' })
      await list.getByRole('button', { name: 'Add reason' }).click()
      await list.getByRole('button', { name: 'Save' }).click()
      await list.getByText('Please enter a reason.').waitFor()
      await list.getByLabel('Reason 6', { exact: true }).fill('Sent twice.')
      await list.getByRole('button', { name: 'Move reason 6 up' }).click()
      await list.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Reject a payment, 6 reasons').waitFor()
      await beOffice('accounts')
      await open('/office/payments')
      await page.getByRole('button', { name: /^Reject( R)?$/ }).click()
      const dialog = page.getByRole('dialog')
      const reason = dialog.getByLabel('Reason', { exact: true })
      await dialog.getByLabel('Standard reasons').selectOption('Sent twice.')
      assert.equal(await reason.inputValue(), 'Sent twice.')
      await reason.fill('Sent twice: see receipt 7.')
      await dialog.getByRole('button', { name: 'Reject', exact: true }).click()
      await told(page, 'Rejected')
      await open('/office/payments?state=rejected&sort=newest')
      await page.getByText('Sent twice: see receipt 7.').first().waitFor()
    },
    { only: 'desk' },
  )
})
