import { istDay, seasonAt, seasonBefore } from '@podium/contract/season'
import type { Page } from 'playwright-core'
import { totpCode } from '../server/src/platform/auth/secrets.ts'
import { ownConnection } from './browser.ts'
import './shifted-clock.ts'

/** What people do repeatedly, each as they would on the screen. */

export const demoPassword = 'Kalpanik-demo-42'

/** What a page stores about who is signed in. */
export type StoredSession = Record<string, string>

/**
 * Who is signed in already, by name. A code of the second factor works once in its 30 seconds, so a test reuses the
 * previous one's session instead of signing in the same officer again.
 */
export const sessions = new Map<string, Promise<StoredSession>>()

/** Returns the key of an officer's session in `sessions`. */
export const officeKey = (role: string): string => `office ${role}`

const usedCodes = new Map<string, string>()

/** Returns the code of the second factor from the demo's page, once it differs from the one used last. */
export async function freshCode(page: Page, role: string): Promise<string> {
  for (;;) {
    const demo = await (await page.context().request.get('/demo', { headers: ownConnection })).text()
    const row = demo.split('<tr').find((part) => part.includes(`${role}@podium.example`)) ?? ''
    const digits = row.replaceAll(/<[^>]*>/g, ' ').match(/\b(\d{3})\s?(\d{3})\b/)
    if (!digits) throw new Error(`the demo page has no code of ${role}`)
    const code = `${digits[1]}${digits[2]}`
    if (usedCodes.get(role) !== code) {
      usedCodes.set(role, code)
      return code
    }
    await page.waitForTimeout(500)
  }
}

/** Opens the newest mail to an address about something in the demo's mailbox, and returns its text. */
export async function newestMail(page: Page, address: string, about: RegExp): Promise<string> {
  const box = await page.context().newPage()
  try {
    const mail = box
      .getByRole('listitem')
      .filter({ hasText: address })
      .filter({ hasText: about })
      .getByRole('link')
      .first()
    // Mails are sent within moments of the change they report: look again until it arrives.
    for (let look = 0; look < 240; look++) {
      await box.goto('/demo/mail')
      if (await mail.count()) break
      await box.waitForTimeout(250)
    }
    await mail.click()
    return await box.getByRole('main').innerText()
  } finally {
    await box.close()
  }
}

/** Closes a dialog with input, in some way: it asks first, and stays open. */
export async function staysOpen(page: Page, close: () => Promise<unknown>): Promise<void> {
  await close()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await page.getByText('Leave without saving?').waitFor({ state: 'detached' })
}

/** Signs in a school's person by e-mail and password. */
export async function signIn(page: Page, email: string, password = demoPassword): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await page.waitForURL(/\/(dashboard|School)/)
}

/**
 * Signs a person in to the office for the first time, including authenticator and recovery codes, up to the overview.
 */
export async function firstSignInToOffice(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Next' }).click()
  const secret = await page.locator('.secret .code').innerText()
  await page
    .getByLabel('Six-digit code from the app')
    .fill(totpCode(secret.replaceAll(/\s/g, ''), new Date()))
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByLabel('I have saved these codes').check()
  await page.getByRole('button', { name: 'Open office' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
}

/** Signs in a member of the foundation's staff: password, then the code shown on the demo page. */
export async function signInToOffice(page: Page, role: string): Promise<void> {
  await page.goto('/office/login')
  await page.getByLabel('E-mail').fill(`${role}@podium.example`)
  await page.getByLabel('Password', { exact: true }).fill(demoPassword)
  await page.getByRole('button', { name: 'Next' }).click()
  const code = page.getByLabel('Code', { exact: true })
  await code.waitFor()
  await code.fill(await freshCode(page, role))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  const stored = await page.evaluate(`({ ...sessionStorage })`)
  sessions.set(officeKey(role), Promise.resolve(stored as StoredSession))
}

/** The seasons of the demo world on the day of the tests, and that day in India. */
export const thisSeason = seasonAt(new Date())
export const lastSeason = seasonBefore(thisSeason)
export const today = istDay(new Date())
