import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { walk } from './look.ts'

/** Season and prices in the office: opening the next season, changing a fee, trying rules. The current season stays as it is. */

const next = /^20\d\d-\d\d$/

async function openEvent(page: Page, name: string, season?: string): Promise<void> {
  if (season) await page.getByRole('table', { name: 'Seasons' }).getByRole('link', { name: season }).click()
  if (season) await page.getByRole('heading', { name: `Events of ${season}` }).waitFor()
  await page.getByRole('link', { name, exact: true }).click()
  await page.getByRole('heading', { name: 'Sections of the paper' }).waitFor()
}

test('the office opens the next season from its difference, and schools do not see it yet', async () => {
  await walk(async ({ page, size, beOffice, open, see }) => {
    await beOffice(size === 'desk' ? 'operations' : 'viewer')
    await open('/office/catalogue')
    await see('catalogue-seasons')
    if (size === 'phone') {
      await page
        .getByRole('button', { name: /^Open / })
        .first()
        .isDisabled()
      await openEvent(page, 'Science')
      await see('catalogue-exam')
      return
    }
    await page.getByRole('link', { name: /^Open 20/ }).click()
    await page.getByRole('heading', { name: 'To be decided' }).waitFor()
    await see('catalogue-open')
    await page.getByRole('checkbox', { name: 'Financial Literacy' }).uncheck()
    await page.getByText('13 events are taken over, 1 left out').waitFor()
    const first = page.getByLabel('First date, Mathematics')
    const day = await first.inputValue()
    await first.fill('2020-01-01')
    await page.getByRole('button', { name: /^Make the season/ }).click()
    await page.getByText('This day is not in the season.').first().waitFor()
    await see('catalogue-open-refused')
    await first.fill(day)
    await page.getByRole('button', { name: /^Make the season/ }).click()
    await page.getByText('Being prepared').waitFor()
    const made = page.getByRole('table', { name: 'Seasons' }).getByRole('rowheader').first()
    assert.match(await made.innerText(), next)
    assert.equal(await page.getByRole('link', { name: 'Financial Literacy' }).count(), 0)
    await see('catalogue-made')
  })
})
