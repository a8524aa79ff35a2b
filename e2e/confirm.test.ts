import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { announced, type Visit, visitor } from './browser.ts'
import { portalThroughTheYear, refused, seeAsked, settled } from './demo-portal.ts'
import { demoPassword, freshCode, officeKey, type StoredSession, sessions, signInToOffice } from './people.ts'

/**
 * Eleven minutes after their sign-in, officers are asked for a code or their password for actions that are hard to
 * undo.
 */
const eleven = 11 * 60_000
const roles = ['owner', 'operations', 'results', 'results2'] as const

const portals = portalThroughTheYear()

async function elevenMinutesLater() {
  const portalAt = await portals
  const today = await portalAt(0)
  const storedSessions = new Map<string, StoredSession>()
  for (const role of roles) {
    const { page, close } = await visitor(today.url)
    await signInToOffice(page, role)
    storedSessions.set(role, (await sessions.get(officeKey(role))) ?? {})
    // Valid only for this portal
    sessions.delete(officeKey(role))
    await close()
  }
  return { ...(await portalAt(eleven)), kept: storedSessions }
}

let late: ReturnType<typeof elevenMinutesLater> | undefined

/** Opens a page of the office as an officer who signed in eleven minutes ago. */
async function officer(role: (typeof roles)[number], path: string, visit: Visit & { hindi?: boolean } = {}) {
  late ??= elevenMinutesLater()
  const { url, kept } = await late
  const { hindi, ...rest } = visit
  const come = await visitor(url, { expected: refused, later: eleven, ...rest })
  if (hindi) await come.context.addCookies([{ name: 'language', value: 'hi', url }])
  await come.page.goto('/healthz')
  await come.page.evaluate(
    `for (const [key, value] of ${JSON.stringify(Object.entries(kept.get(role) ?? {}))}) sessionStorage.setItem(key, value)`,
  )
  await come.page.goto(path)
  await settled(come.page)
  return come
}

const proof = (page: Page) => page.getByRole('dialog', { name: "Confirm it's you" })
/** Returns the label of the focused field */
const inField = (page: Page) => page.evaluate("document.activeElement?.labels?.[0]?.innerText ?? ''")

test('an invitation waits for a code; Escape leaves the typed form unchanged, and the code sends it', async () => {
  const { page, close } = await officer('owner', '/office/staff')
  const form = page.getByRole('dialog', { name: 'Invite user' })
  await page.getByRole('button', { name: 'Invite user' }).click()
  await form.getByLabel('Name').fill('Nayana Namuna')
  await form.getByLabel('E-mail').fill('nayana@podium.example')
  await page.keyboard.press('Enter')
  await proof(page).waitFor()
  assert.equal(await inField(page), 'Code')
  await seeAsked(page, 'desk', 'office-confirm')

  await page.keyboard.press('Escape')
  await proof(page).waitFor({ state: 'detached' })
  assert.equal(await form.getByLabel('Name').inputValue(), 'Nayana Namuna')
  assert.equal(await form.getByLabel('E-mail').inputValue(), 'nayana@podium.example')
  assert.equal(await page.locator('.toast, .form-notes').count(), 0)
  assert.equal(await page.getByRole('row').filter({ hasText: 'Nayana' }).count(), 0)
  await form.getByLabel('E-mail').and(page.locator(':focus')).waitFor()

  await form.getByRole('button', { name: 'Send' }).click()
  await proof(page).waitFor()
  await page.keyboard.type('000000')
  await page.keyboard.press('Enter')
  await proof(page).getByText('This code is wrong').waitFor()
  assert.equal(await inField(page), 'Code')
  await seeAsked(page, 'desk', 'office-confirm-wrong')
  // The wrong code is replaced by typing.
  await page.keyboard.type(await freshCode(page, 'owner'))
  await page.keyboard.press('Enter')
  await announced(page, 'Invitation sent to Nayana Namuna')
  await page.getByRole('row').filter({ hasText: 'nayana@podium.example' }).waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0)
  await close()
})

test('an export of students needs the password, and the next one does not ask again', async () => {
  const { page, close } = await officer('results', '/office/students', { size: 'phone' })
  const asCsv = async () => {
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: 'CSV' }).click()
  }
  await asCsv()
  await proof(page).getByRole('button', { name: 'Cancel' }).click()
  await proof(page).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Export' }).and(page.locator(':focus')).waitFor()
  assert.equal(await page.locator('.toast').count(), 0)

  await asCsv()
  await proof(page).getByRole('button', { name: 'Use the password' }).click()
  assert.equal(await inField(page), 'Password')
  await seeAsked(page, 'phone', 'office-confirm-password')
  await page.keyboard.type(demoPassword)
  const [first] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  assert.match(await readFile(await first.path(), 'utf8'), /Class/)
  const [second] = await Promise.all([page.waitForEvent('download'), asCsv()])
  assert.ok(await second.path())
  await close()
})

test('a paper that would open in a new tab asks for confirmation first, and is then saved', async () => {
  const { page, context, close } = await officer('operations', '/office/schools?search=VNK0417')
  await page.getByRole('table').getByRole('link').first().click()
  await page.getByRole('link', { name: 'Link', exact: true }).click()
  await page.getByRole('button', { name: 'English letter' }).click()
  await proof(page).getByRole('button', { name: 'Use the password' }).click()
  assert.equal(context.pages().length, 1)
  await page.keyboard.type(demoPassword)
  const [letter] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  assert.match(letter.suggestedFilename(), /\.pdf$/)
  assert.match((await readFile(await letter.path())).toString('latin1'), /^%PDF/)
  await close()
})

test('leaving the page dismisses the question, and in Hindi all of it is in Hindi', async () => {
  const { page, close } = await officer('results2', '/office', { hindi: true })
  await page.evaluate("globalThis.__TSR_ROUTER__.history.push('/office/students')")
  // The page being left also has such a button.
  await page.getByRole('heading', { level: 1, name: 'विद्यार्थी' }).waitFor()
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'निर्यात' }).click()
  await page.getByRole('menuitem', { name: 'CSV' }).click()
  await dialog.waitFor()
  const words = await dialog.locator('h2, p, label, button').allInnerTexts()
  assert.deepEqual(
    words.filter((text) => /[a-z]{3,}/i.test(text)),
    [],
  )
  await seeAsked(page, 'desk', 'office-confirm-hindi')
  await page.goBack()
  await dialog.waitFor({ state: 'detached' })
  assert.equal(await page.locator('.toast').count(), 0)
  await close()
})
