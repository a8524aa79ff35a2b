import assert from 'node:assert/strict'
import { test } from 'node:test'
import { told } from './browser.ts'
import { refused, walk } from './look.ts'
import { lastSeason } from './seasons.ts'

/** Results that are corrected after their release. */

const subject = 'Reasoning'

test('a corrected result shows all that it changes before it is approved, and schools see the released ones', async () => {
  await walk(
    async ({ page, beOffice, beSchool, open, see }) => {
      await beSchool('kiran')
      await open(`/result/viewresult?FYear=${lastSeason}`)
      const choice = page.locator('main').getByLabel('Subject')
      const option = choice.locator('option', { hasText: subject }).first()
      await choice.selectOption((await option.getAttribute('value')) ?? '')
      await page.getByRole('button', { name: 'Search', exact: true }).click()
      await page.getByText(`${subject}, all classes, ${lastSeason}.`).waitFor()
      const best = page.locator('tbody tr').filter({ hasText: 'Gold' }).first()
      const [name, roll] = [
        await best.getByRole('link').innerText(),
        await best.locator('td').nth(2).innerText(),
      ]

      await beOffice('results')
      await open('/office/results')
      await page.getByRole('banner').getByLabel('Season').selectOption(lastSeason)
      await page
        .getByRole('table', { name: `Results ${lastSeason}` })
        .getByRole('link', { name: subject })
        .first()
        .click()
      await page.getByRole('button', { name: 'Correct single results' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Reason for the correction').fill('The sheet was read twice')
      await dialog.getByLabel('Roll no').fill('NOBODY-1')
      await page.keyboard.press('Tab')
      await dialog.getByText('No student of this event has this roll number.').waitFor()
      await dialog.getByLabel('Roll no').fill(roll)
      await page.keyboard.press('Tab')
      await dialog.getByText(name, { exact: true }).waitFor()
      const marks = dialog.getByRole('textbox', { name: /\(max \d+\)$/ })
      for (const one of await marks.all()) await one.fill('1')
      await marks.first().fill('१ अंक')
      await dialog.getByRole('button', { name: 'Create corrected version' }).click()
      await dialog.getByText('Not a number of marks.').waitFor()
      await see('office-correct')
      await marks.first().fill('१')
      await dialog.getByRole('button', { name: 'Create corrected version' }).click()
      await told(page, 'Creating version 2')
      await page.getByRole('button', { name: 'Compute', exact: true }).click()
      const changes = page.getByRole('table', { name: 'Changes from version 1' })
      await changes.getByRole('row').filter({ hasText: name }).locator('del', { hasText: 'Gold' }).waitFor()
      await see('office-corrected')

      await beSchool('kiran')
      await open(`/result/medalist?FYear=${lastSeason}`)
      await choice.selectOption((await option.getAttribute('value')) ?? '')
      await page.getByRole('button', { name: 'Search', exact: true }).click()
      await page.getByRole('row').filter({ hasText: name }).first().waitFor()
      assert.equal(await page.getByText('The sheet was read twice').count(), 0)
    },
    { only: 'desk', expected: refused },
  )
})
