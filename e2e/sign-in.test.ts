import assert from 'node:assert/strict'
import { test as plainTest } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { accessible } from './accessible.ts'
import { announced, hold, visitor } from './browser.ts'
import { portal, portalThroughTheYear, refused, settled, test, withProviders } from './demo-portal.ts'
import { demoPassword, newestMail, signIn, staysOpen } from './people.ts'

/** The ways to sign in: with a school's letter, with a forgotten password, back to the page one came from. */

const letter = 'demo-school-vnk0417-qr'
const accessCode = 'DEMSCH22'
const password = 'paper boats in june'

/** Registered in the first test; resets the password in a later one. */
const lata = `lata.misaal.${Date.now()}@teachers.example`

async function givesTheCode(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Sri Gnanodaya Vidyaniketan' }).waitFor()
  const code = page.getByLabel('Access code')
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('Access Code is required').waitFor()
  await code.fill('WRONG234')
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('Invalid Status Code').first().waitFor()
  await code.fill(accessCode.toLowerCase())
  await page.getByRole('button', { name: 'Next' }).click()
  await announced(page, 'Status Code is verified')
}

async function provesTheAddress(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.clock.install()
  // The code is sent but the answer lost: pressed again, the button leads to its field.
  await page.route('**/EmailVerify', (route) => route.fetch().then(() => route.abort()), { times: 1 })
  const send = page.getByRole('button', { name: 'Send code' })
  await send.click()
  await page.getByText('Error: no connection.').waitFor()
  await send.click()
  const otp = page.getByLabel('One-time password')
  await otp.waitFor()
  // At once: a minute later for the page but not for the server, which therefore refuses the request as too early.
  await page.clock.fastForward(61_000)
  const answer = page.waitForResponse(/EmailVerify/)
  await page.getByRole('button', { name: 'Resend Otp', exact: true }).click()
  assert.equal((await answer).status(), 429)
  // A phone that switched to its e-mail may reload the page: it stays at the same step.
  for (const triesLeft of ['4 tries left.', '3 tries left.']) {
    await page.reload()
    await otp.fill('000000')
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByText('Invalid Otp').first().waitFor()
    await page.getByText(triesLeft).waitFor()
  }
  await otp.fill(/\b\d{6}\b/.exec(await newestMail(page, email, /one-time/i))?.[0] ?? '')
  await page.getByRole('button', { name: 'Verify' }).click()
  await announced(page, 'OTP is verified')
}

plainTest(
  "with a school's letter a teacher joins that school at once and lands on its contacts [spec 2.4.4 2.4.5 4.1 4.4 5.2 5.6 8.8]",
  async () => {
    const { page, close } = await visitor((await portal()).url, { expected: /status of 4(00|29)|ERR_FAILED/ })
    await page.goto(`/register?id=${letter}`)
    await givesTheCode(page)
    await provesTheAddress(page, lata)
    await page.getByLabel('Name', { exact: true }).fill('Lata Misaal')
    // The location comes from the school: it need not be typed.
    assert.equal(await page.getByLabel('Country').count(), 0)
    await page.getByLabel('Address').fill('4 Namuna Road')
    await page.reload()
    await page.getByText('We restored what you typed').waitFor()
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Lata Misaal')
    await page.getByLabel('Mobile No').fill('9000054321')
    await page.getByLabel('You are a').selectOption('Teacher')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Re-enter password').fill(password)
    const register = page.getByRole('button', { name: 'Register', exact: true })
    await register.click()
    await page.getByText('Gender is required').waitFor()
    await page.getByLabel('Male', { exact: true }).and(page.locator(':focus')).waitFor()
    await page.getByLabel('Female').check()
    await register.click()
    await page.getByText('Accept the terms & services to register').waitFor()
    await page.getByRole('button', { name: 'terms and conditions' }).click()
    await page.getByRole('dialog').getByText('Who may use this portal').waitFor()
    await page.keyboard.press('Escape')
    const registered = page.getByRole('link', { name: "I'm already registered" })
    assert.match((await registered.getAttribute('href')) ?? '', /^\/login\?id=/)
    await page.getByRole('checkbox').check()
    // The account is created but the answer lost: pressed again, the button lets its user in.
    await page.route('**/account/Register', (route) => route.fetch().then(() => route.abort()), { times: 1 })
    await register.click()
    await page.getByText('Error: no connection.').waitFor()
    await register.click()
    // After proving the address, the person is signed in at once.
    await page.waitForURL(/\/School\/contact-details/)
    await page.getByRole('heading', { name: 'Contact Detail' }).waitFor()
    await page.getByText('VNK0417').first().waitFor()
    await close()
  },
)

test('a link that belongs to no school says so, and lets the user continue without it [spec 8.5]', async ({
  page,
}) => {
  await page.goto('/login?id=nobodys-letter-at-all')
  await page.getByText('Oops! The link is invalid.').first().waitFor()
})

plainTest(
  'a forgotten password is reset by the e-mailed link, which ends all open sessions [spec 2.1.25 2.3.5 5.3 8.4 9.20]',
  async () => {
    const { url } = await portal()
    const email = lata
    const elsewhere = await visitor(url, { expected: /status of 40[01]/ })
    await signIn(elsewhere.page, email, password)
    const { page, close } = await visitor(url)
    await page.goto('/login')
    const forgot = page.getByRole('button', { name: 'Forgot Password' })
    await forgot.click()
    await forgot.click()
    await page.getByText('Please enter email id').first().waitFor()
    assert.equal(await page.getByRole('alert').filter({ hasText: 'Please enter email id' }).count(), 1)
    await page.getByLabel('E-mail').fill(email)
    await forgot.click()
    await page.getByText('a link is on its way').first().waitFor()
    const link = /https?:\/\/\S*reset\S*/.exec(await newestMail(page, email, /Set a new password/))?.[0] ?? ''
    await page.goto(link)
    await page.getByLabel('New password', { exact: true }).fill('a lantern for every window')
    await page.getByLabel('Re-enter password').fill('a lantern for every window')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByRole('button', { name: 'Sign In', exact: true }).waitFor()
    await signIn(page, email, 'a lantern for every window')
    await close()

    await elsewhere.page.goto(link)
    await elsewhere.page.getByText('may be incomplete, used or older').waitFor()
    assert.equal(await elsewhere.page.getByLabel('New password').count(), 0)
    await elsewhere.page.goto('/dashboard')
    await elsewhere.page.getByRole('button', { name: 'Sign In', exact: true }).waitFor()
    await elsewhere.close()
  },
)

test('a user returns to the page they wanted after sign-in, and never to another site [spec 2.1.24 2.1.26 3.1 4.5 4.6]', async ({
  page,
  expects,
}) => {
  // Requests still in progress when the person logs out are refused.
  expects(/status of 401/)
  await page.goto('/Importantlink/managepayment')
  await page.waitForURL(/\/login\?returnurl=/)
  await page.getByLabel('E-mail').fill('kiran@podium.example')
  await page.getByLabel('Password', { exact: true }).fill('Kalpanik-demo-42')
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await page.waitForURL(/\/Importantlink\/managepayment$/)
  await settled(page)
  const storedKeys = () => page.evaluate("['token', 'user'].filter((key) => sessionStorage.getItem(key))")
  assert.deepEqual(await storedKeys(), ['token', 'user'])
  await page.getByRole('button', { name: 'Logout' }).click()
  // The page itself, not its address, which changes before the page appears.
  await page.getByRole('button', { name: 'Sign In', exact: true }).waitFor()
  assert.deepEqual(await storedKeys(), [])

  await page.goto('/login?returnurl=https%3A%2F%2Fevil.example%2F')
  await page.getByLabel('E-mail').fill('kiran@podium.example')
  await page.getByLabel('Password', { exact: true }).fill('Kalpanik-demo-42')
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await page.waitForURL(/\/dashboard$/)
})

test('typed text survives an expired session, and a sign-out clears it', async ({ page, expects }) => {
  expects(/status of 401/)
  await signIn(page, 'manoj@podium.example')
  const opensTheForm = async () => {
    await page.goto('/manage-student/student/entry')
    await page.getByRole('button', { name: 'Add Entry' }).click()
    return page.getByRole('dialog').getByLabel('Student name')
  }
  await (await opensTheForm()).fill('Chhaya Misaal')
  await page.evaluate(`fetch('/api/Account/Logout', { method: 'POST', body: '{}',
    headers: { Authorization: 'Bearer ' + sessionStorage.token, 'Content-Type': 'application/json', 'X-Requested-With': 'podium' } })`)
  await page.getByRole('dialog').getByLabel('Roll').fill('7')
  await page.getByRole('dialog').getByLabel('Class').selectOption({ index: 1 })
  await page.getByText('Your session has ended. Please sign in again. What you typed is saved').waitFor()
  await page.getByLabel('E-mail').fill('manoj@podium.example')
  await page.getByLabel('Password', { exact: true }).fill('Kalpanik-demo-42')
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await page.waitForURL(/student\/entry/)
  const name = await opensTheForm()
  assert.equal(await name.inputValue(), 'Chhaya Misaal')
  await name.fill('Chhaya Udaharan')
  assert.equal(await (await opensTheForm()).inputValue(), 'Chhaya Udaharan', 'left in the midst of typing')
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.getByRole('button', { name: 'Sign In', exact: true }).waitFor()
  assert.deepEqual(
    await page.evaluate("Object.keys(sessionStorage).filter((key) => key.startsWith('own.'))"),
    [],
  )
})

test('a rejected applicant finds the form open, with the reason and the submitted details', async ({
  page,
}) => {
  const states = Promise.withResolvers<void>()
  await page.route('**/GetState?*', async (route) => {
    await states.promise
    await route.continue()
  })
  await signIn(page, 'rohit@podium.example')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Please correct the details and submit them again. The reason:').waitFor()
  assert.notEqual(await dialog.getByLabel('School name').inputValue(), '')
  assert.equal(await dialog.getByLabel('State').inputValue(), 'Maharashtra', 'before the list has come')
  states.resolve()
  await dialog.getByLabel('State').locator('option', { hasText: 'Kerala' }).waitFor({ state: 'attached' })
  assert.equal(await dialog.getByLabel('State').inputValue(), 'Maharashtra')
})

test('a user awaiting verification gets blank forms to collect entries on paper, and no filled ones', async ({
  page,
}) => {
  await signIn(page, 'waheeda@podium.example')
  const downloads = page.locator('.downloads')
  const gets = async (button: Locator) => {
    const [file] = await Promise.all([page.waitForEvent('download'), button.click()])
    return file.suggestedFilename()
  }
  const blank = downloads.getByRole('button', { name: /^Blank ?, Student registration form/ })
  assert.match(await gets(blank), /^Student registration form blank \d{4}-\d\d\.pdf$/)
  assert.equal(await downloads.getByRole('button', { name: /^Filled/ }).count(), 0)
  await downloads.getByRole('button', { name: 'Choose a form for families' }).click()
  const dialog = page.getByRole('dialog', { name: 'Form for families' })
  await dialog.getByLabel('Class').selectOption('Class 7')
  const made = await gets(dialog.getByRole('button', { name: 'Download PDF' }))
  assert.match(made, /^Registration form Class 7 \d{4}-\d\d\.pdf$/)
})

plainTest(
  'Stay Signed in survives closing the tab, and an ordinary sign-in does not [spec 2.3.4 3.1]',
  async () => {
    for (const stay of [false, true]) {
      const { page, context, close } = await visitor((await portal()).url)
      await page.goto('/login')
      await page.getByLabel('E-mail').fill('kiran@podium.example')
      await page.getByLabel('Password', { exact: true }).fill('Kalpanik-demo-42')
      if (stay) await page.getByLabel('Stay Signed in').check()
      await page.getByRole('button', { name: 'Sign In', exact: true }).click()
      await page.waitForURL(/\/dashboard/)
      const tab = await context.newPage()
      await tab.goto('/dashboard')
      const stayCheckbox = stay
        ? tab.getByRole('heading', { name: 'Dashboard' })
        : tab.getByRole('button', { name: 'Sign In', exact: true })
      await stayCheckbox.waitFor()
      if (stay) {
        // What one tab signs out, the other does not show any more, nor call for whoever signs in next.
        await tab.getByRole('button', { name: 'Logout' }).click()
        await page.getByRole('button', { name: 'Sign In', exact: true }).waitFor()
      }
      await close()
    }
  },
)

test('the user menu opens by keyboard, and closing it returns focus to its button', async ({ page }) => {
  await signIn(page, 'kiran@podium.example')
  for (let time = 0; time < 2; time++) {
    await page.locator('button.user').press('Enter')
    await page.locator('[role=menuitem]:focus').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('button.user:focus').waitFor()
  }
  // So does closing a dialog that was opened from it: the first time, when its code is loaded, and afterwards.
  for (const name of ['Your account', 'Your account', 'Shortcuts', 'Shortcuts']) {
    await page.locator('button.user').press('Enter')
    await page.locator('[role=menuitem]:focus').waitFor()
    await page.getByRole('menuitem', { name }).press('Enter')
    await page.getByRole('dialog').locator(':focus').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.locator('button.user:focus').waitFor()
  }
})

test('in the account a half-typed name is not dropped unasked, and a new password leaves the focus at its form', async ({
  page,
}) => {
  await signIn(page, 'kiran@podium.example')
  await page.locator('button.user').click()
  await page.getByRole('menuitem', { name: 'Your account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your account' })
  await dialog.getByLabel('Name').fill('Kiran Half')
  await staysOpen(page, () => page.keyboard.press('Escape'))
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'Kiran Half')
  await dialog.getByLabel('Name').fill('Kiran Kalpanik')
  const passwords = [demoPassword, 'Udaharan-demo-43', demoPassword]
  for (const [index, next] of passwords.slice(1).entries()) {
    await dialog.getByLabel('Current password').fill(passwords[index] ?? '')
    await dialog.getByLabel('New password').fill(next)
    await dialog.getByLabel('Re-enter password').fill(next)
    await page.keyboard.press('Enter')
    await announced(page, 'Your password is changed.')
    assert.equal(await dialog.getByLabel('Current password').inputValue(), '')
    await dialog.getByRole('button', { name: 'Change password' }).and(page.locator(':focus')).waitFor()
  }
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
})

/** The pages before the sign-in, and those of the demo world. */

test("the sign-in page shows its choices, its errors and the code of a school's link [spec 1.3 2.1.2 2.3.2 5.1 8.12]", {
  twice: true,
}, async ({ page, open, see, size, expects }) => {
  expects(refused)
  await withProviders(page)
  await open('/login')
  await see('login-choices')
  await page.getByRole('button', { name: 'Continue with e-mail' }).click()
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await page.getByText('is required').first().waitFor()
  await see('login-email-errors')
  await page.getByLabel('E-mail').fill('nobody@podium.example')
  await page.getByLabel('Password', { exact: true }).fill(`not the password at ${size}`)
  const letGo = await hold(page, '*/Account/Login')
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await page.getByRole('progressbar', { name: 'Loading' }).waitFor()
  await accessible(page, `login-waiting (${size})`)
  await letGo()
  await page.getByRole('alert').first().waitFor()
  await see('login-email-wrong')
  await open('/login?id=demo-school-vnk0417-qr')
  await see('login-link-code')
  await page.getByLabel('Access code').fill('WRONG234')
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('4 tries left.').or(page.getByText('3 tries left.')).waitFor()
  await see('login-link-wrong-code')
  await open('/login?id=no-such-link')
  await see('login-link-unknown')
  await open('/forgot')
  await see('forgot')
  await open('/reset')
  await see('reset-without-token')
  await open('/no/such/page')
  await see('not-found')
})

test('registration goes from e-mail and one-time password to the form with its errors [spec 2.1.3 2.4.1 5.4]', {
  twice: true,
}, async ({ page, open, see, size, expects }) => {
  expects(refused)
  await open('/register')
  await see('register-email')
  const address = `new.${size}@school.example`
  await page.getByLabel('E-mail').fill(address)
  await page.getByRole('button', { name: 'Send code' }).click()
  await page.getByRole('heading', { name: 'Enter the one-time password' }).waitFor()
  await page.getByText('For schools only.').waitFor()
  await see('register-otp')
  const code = (await newestMail(page, address, /one-time password/)).match(/\b\d{6}\b/)?.[0] ?? ''
  await page.getByLabel('One-time password').fill(code)
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByRole('heading', { name: 'About you' }).waitFor()
  await page.getByText('For schools only.').waitFor()
  await see('register-form')
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByText('is required').first().waitFor()
  await see('register-form-errors')
})

test("the demo world's pages look right and are accessible", async ({ page, open, see }) => {
  await open('/demo')
  await see('demo')
  await open('/demo/mail')
  await see('demo-mails')
  await page.getByRole('listitem').getByRole('link').first().click()
  // With its styles: without them the page has the browser's own margins.
  await page.waitForURL('**/demo/mail/*')
  await see('demo-mail')
})

const hour = 3_600_000
const minute = 60_000

/** The browser's storage of a person who stays signed in. */
type BrowserStorage = Record<string, string>
const storedIn = (page: Page) => page.evaluate<BrowserStorage>('({ ...localStorage })')

plainTest(
  'a user who stays signed in gets a new token in all tabs after a day, and reuse of the old one ends the session',
  async () => {
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

    /** Opens a browser with this storage, at the portal at a later time. */
    const browserWith = async (url: string, later: number, stored: BrowserStorage) => {
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
    const reopened = await browserWith(url, later, now)
    await reopened.page.goto('/dashboard')
    await dashboard(reopened.page)
    const thief = await browserWith(url, later, old)
    await thief.page.goto('/dashboard')
    const note = (page: Page) => page.getByText('Your sign-in was used somewhere else').waitFor()
    await note(thief.page)
    await reopened.page.reload()
    await note(reopened.page)
    assert.equal((await storedIn(reopened.page)).token, undefined)
    await reopened.close()
    await thief.close()
  },
)

plainTest('another session that is being signed out shows so, and then leaves the list', async () => {
  const { url } = await portal()
  const other = await visitor(url)
  await signIn(other.page, 'arasu@podium.example')
  const { page, close } = await visitor(url)
  await signIn(page, 'arasu@podium.example')
  await page.getByTitle(/^Account/).click()
  await page.getByRole('menuitem', { name: 'Where you are signed in' }).click()
  const buttons = page.getByRole('dialog').getByRole('button', { name: /^Sign out / })
  await buttons.first().waitFor()
  const n = await buttons.count()
  const release = await hold(page, '*/EndSession')
  await buttons.first().click()
  await page.locator('[role="dialog"] button[aria-busy="true"]').waitFor()
  await release()
  await announced(page, 'Signed out')
  await buttons.nth(n - 1).waitFor({ state: 'detached' })
  await close()
  await other.close()
})

for (const address of ['/manage-student/student/entry', '/dashboard', '/Importantlink/managepayment'])
  test(`after signing out while ${address} is loading, the page requests nothing more without a session`, async () => {
    const { page, close } = await visitor((await portal()).url)
    await signIn(page, 'meera@podium.example')
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const paths: string[] = []
    const bare: string[] = []
    await page.route('**/api/**', async (route) => {
      const request = route.request()
      const { pathname } = new URL(request.url())
      paths.push(pathname)
      if (!/^Bearer \S/.test(request.headers().authorization ?? '')) bare.push(pathname)
      // On a slow connection, the page's requests are still in progress when the person leaves.
      if (bare.length === 0 && !pathname.endsWith('/Logout')) await released
      await route.continue().catch(() => undefined)
    })
    await page.goto(address)
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.getByRole('button', { name: 'Sign In', exact: true }).waitFor()
    release()
    await page.waitForLoadState('networkidle')
    assert.ok(paths.length > 2, paths.join())
    assert.deepEqual(
      paths.filter((path) => path.endsWith('/Logout')),
      ['/api/Account/Logout'],
    )
    // The sign-in page itself requests the ways to sign in.
    assert.deepEqual(
      bare.filter((path) => path.toLowerCase() !== '/api/account/signinoptions'),
      [],
    )
    await close()
  })
