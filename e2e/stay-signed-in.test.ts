import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { visitor } from './browser.ts'
import { portalThroughTheYear, settled } from './look.ts'
import { demoPassword } from './people.ts'

const hour = 3_600_000
const minute = 60_000

/** The browser's own storage of somebody who stays signed in. */
type Stored = Record<string, string>
const storedIn = (page: Page) => page.evaluate<Stored>('({ ...localStorage })')

test('who stays signed in gets a new token after a day in all tabs at once, and a copy of the old one ends it for both', async () => {
  const portalAt = await portalThroughTheYear()
  const first = await visitor((await portalAt(0)).url)
  await first.page.goto('/login')
  await first.page.getByLabel('E-mail').fill('kiran@podium.example')
  await first.page.getByLabel('Password', { exact: true }).fill(demoPassword)
  await first.page.getByLabel('Stay Signed in').check()
  await first.page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await first.page.waitForURL(/\/dashboard/)
  const old = await storedIn(first.page)
  await first.close()

  /** A browser with this storage, at the portal of a later time. */
  const browserWith = async (url: string, later: number, stored: Stored) => {
    const come = await visitor(url, { later, expected: /status of 401/ })
    await come.page.goto('/healthz')
    await come.page.evaluate(`Object.assign(localStorage, ${JSON.stringify(stored)})`)
    return come
  }
  const dashboard = (page: Page) => page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()

  const nextDay = await portalAt(25 * hour)
  const own = await browserWith(nextDay.url, 25 * hour, old)
  const tabs = [own.page, await own.context.newPage()]
  await Promise.all(tabs.map((tab) => tab.goto('/dashboard')))
  for (const tab of tabs) {
    await dashboard(tab)
    await settled(tab)
  }
  const now = await storedIn(own.page)
  assert.notEqual(now.token, old.token)
  assert.equal((await storedIn(tabs[1] as Page)).token, now.token)
  for (const tab of tabs) {
    await tab.goto('/manage-student/student/entry')
    await settled(tab)
    assert.match(tab.url(), /student\/entry/)
  }
  await own.close()

  const later = 25 * hour + 2 * minute
  const { url } = await portalAt(later)
  const again = await browserWith(url, later, now)
  await again.page.goto('/dashboard')
  await dashboard(again.page)
  const thief = await browserWith(url, later, old)
  await thief.page.goto('/dashboard')
  const note = (page: Page) => page.getByText('Your sign-in was used somewhere else').waitFor()
  await note(thief.page)
  await again.page.reload()
  await note(again.page)
  assert.equal((await storedIn(again.page)).token, undefined)
  await again.close()
  await thief.close()
})
