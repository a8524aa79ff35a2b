import assert from 'node:assert/strict'
import type { Page, Route } from 'playwright-core'
import { announced, hold } from './browser.ts'
import { broken, test } from './demo-portal.ts'
import { thisSeason } from './people.ts'

/** A family's page, on a phone and on a desktop: code, students, ticket, editing, and the end. */

const link = '/student?id=demo-family-of-two-kid'
const accessCode = 'DEMFAM22'
/** Both walks run at the same time: each edits a different student. */
const childOf = { desk: 'Ishita Namunawala', phone: 'Pari Namunawala' }

async function give(page: Page, code: string): Promise<void> {
  await page.locator('input[name=code]').fill(code)
  await page.locator('input[name=code]').press('Enter')
}

test('a family enters its code, downloads a ticket and corrects an e-mail, and loses nothing typed on the way', {
  twice: true,
}, async ({ page, open, see, size, expects }) => {
  expects(broken)
  const name = childOf[size]
  await open('/student?id=nobodys-link', 'Oops! The link is invalid.')
  await page.getByText('ask the class teacher for a new one').waitFor()
  await see('family-bad-link')
  await open(link)
  await page.getByRole('heading', { name: 'Details of P•••' }).waitFor()
  assert.equal(await page.getByText('Namunawala').count(), 0)
  await give(page, 'WRONG234')
  await page.getByText(/^Failed: that code does not match/).waitFor()
  await see('family-code')
  // The last try: it says how to go on.
  const used = { result: 'error', message: 'Failed', code: 'families.wrong_code', triesLeft: 0 }
  await page.route(/VerifyAccessCode/, async (route) => {
    // On a slow connection the last code's error is gone while this one is checked.
    await page.getByText(/^Failed: that code/).waitFor({ state: 'detached' })
    await route.fulfill({ json: used })
  })
  await give(page, 'WRONG235')
  await page.getByText(/^Failed: that code does not match either. Wait 15 minutes/).waitFor()
  await page.unroute(/VerifyAccessCode/)
  // Locked: the minutes are counted down on the open page, and at the end it can be tried again.
  const wait = { result: 'error', message: 'Please wait', code: 'request.too_many' }
  const headers = { 'retry-after': '120' }
  await page.route(/VerifyAccessCode/, (route) => route.fulfill({ status: 429, headers, json: wait }))
  await give(page, 'WRONG236')
  await page.getByText('Please wait 2 minutes').waitFor()
  await page.unroute(/VerifyAccessCode/)
  await page.evaluate('{ const { now } = Date; Date.now = () => now() + 65_000 }')
  await page.getByText('Please wait 1 minute ').waitFor()
  await page.evaluate('{ const { now } = Date; Date.now = () => now() + 60_000 }')
  await page.getByText('Please wait').waitFor({ state: 'detached' })
  await give(page, accessCode.toLowerCase())
  await announced(page, 'Access Code verified successfully')
  await page.getByRole('heading', { name }).waitFor()
  await see('family-details')

  const card = page.getByRole('article', { name })
  const [ticket] = await Promise.all([
    page.waitForEvent('download'),
    card.getByRole('button', { name: /^Download Enrollment Ticket/ }).click(),
  ])
  assert.equal(ticket.suggestedFilename(), `Enrollment Ticket ${name} ${thisSeason}.pdf`)

  await card.getByRole('button', { name: /^Edit/ }).click()
  await page.getByLabel('Mobile number').fill('90000004')
  await page.getByLabel('E-mail').fill('')
  await page.getByRole('button', { name: 'Update' }).click()
  await page.getByText('Enter a valid 10-digit mobile number.').waitFor()
  await page.getByText('Enter a valid email address.').waitFor()
  await page.locator('input[name=mobileNo]:focus').waitFor()
  await see('family-edit')

  const address = `${size}-${Date.now()}@family.example`
  await page.getByLabel('Mobile number').fill('+91 90000 04170')
  await page.getByLabel('E-mail').fill(address)
  await page.route(/Edit_StudentDetailsBy_GroupId/, (route) => route.abort())
  await page.getByRole('button', { name: 'Update' }).click()
  await page.getByText('What you typed is still here.').waitFor()
  assert.equal(await page.getByLabel('E-mail').inputValue(), address)
  await page.unroute(/Edit_StudentDetailsBy_GroupId/)
  await page.getByRole('button', { name: 'Back' }).click()
  await card.getByText('You have unsaved changes').waitFor()
  await card.getByRole('button', { name: 'Keep editing' }).click()
  await page.getByLabel('E-mail').waitFor()
  await page.goBack()
  await card.getByText('You have unsaved changes').waitFor()
  await card.getByRole('button', { name: 'Keep editing' }).click()
  assert.equal(await page.getByLabel('E-mail').inputValue(), address)
  // On a slow connection they type on while it is saved, and correct it once more.
  const saves = async () => {
    const letGo = await hold(page, '*/Edit_StudentDetailsBy_GroupId')
    await page.getByRole('button', { name: 'Update' }).click()
    await page.locator('[type=submit][aria-busy]').waitFor()
    return letGo
  }
  const saved = await saves()
  await page.getByLabel('E-mail').fill(`second-${address}`)
  await saved()
  await announced(page, 'Details saved sucessfully')
  await card.getByText('You have unsaved changes').waitFor()
  await card.getByText(address).waitFor()
  // The session ends in another tab: what is typed waits for the code.
  await page.evaluate(`fetch('/api/ManageStudent/CloseFamilyPage', { method: 'POST', body: '{}',
        headers: { 'Content-Type': 'application/json', Authorization: 'Bearer ' + sessionStorage.getItem('family.token') } })`)
  await card.getByRole('button', { name: /^Download Enrollment Ticket/ }).click()
  await give(page, accessCode)
  await card.getByRole('button', { name: 'Keep editing' }).click()
  assert.equal(await page.getByLabel('E-mail').inputValue(), `second-${address}`)
  // Going back before it is saved leads to the children, not off the page.
  const savedAgain = await saves()
  await page.getByRole('button', { name: 'Back' }).click()
  await card.waitFor()
  await savedAgain()
  await announced(page, 'Details saved sucessfully')
  await card.getByText(`second-${address}`).waitFor()
  assert.equal(await card.getByText('You have unsaved changes').count(), 0)
  // What is saved is not called unsaved, though its answer is lost.
  const lost = (route: Route) => route.fetch().then(() => route.abort())
  await page.route(/Edit_StudentDetailsBy_GroupId/, lost, { times: 1 })
  await card.getByRole('button', { name: /^Edit/ }).click()
  await page.getByLabel('E-mail').fill(`third-${address}`)
  await page.getByRole('button', { name: 'Update' }).click()
  await announced(page, 'Details saved sucessfully')
  await card.getByText(`third-${address}`).waitFor()

  // An answer still on its way does not open the page again once they have closed it.
  const late = Promise.withResolvers<void>()
  const letGo = await hold(page, '*/GET_StudentDetailsBy_GroupId*', () => late.resolve())
  await page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`)
  await late.promise
  await page.getByRole('button', { name: 'Done, close this page' }).click()
  await page.getByRole('heading', { name: 'Page closed' }).waitFor()
  const [answer] = await Promise.all([page.waitForResponse(/GET_StudentDetailsBy_GroupId/), letGo()])
  await answer.finished()
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
  assert.ok(await page.getByRole('heading', { name: 'Page closed' }).isVisible())
  await page.reload()
  await page.getByRole('heading', { name: 'Details of P•••' }).waitFor()
})

for (const [language, generic, own] of [
  ['en', 'Student details', 'Details of P•••'],
  ['hi', 'विद्यार्थी की जानकारी', 'P••• की जानकारी'],
] as const)
  test(`the code can be entered and sent before any script has loaded, and none of it is lost: ${language}`, {
    only: 'phone',
    ...(language === 'hi' ? { language } : {}),
  }, async ({ page }) => {
    let released = () => {}
    const scripts = new Promise<void>((resolve) => (released = resolve))
    await page.route(/\/assets\/.*\.js$/, async (route) => {
      await scripts
      await route.continue()
    })
    await page.goto(link, { waitUntil: 'commit' })
    const field = page.locator('input[name=code]')
    await field.fill('WRONG')
    await page.getByRole('heading', { name: generic }).waitFor()
    const input = await field.elementHandle()
    await field.pressSequentially('234')
    await field.press('Enter')
    assert.equal(new URL(page.url()).search, '?id=demo-family-of-two-kid', 'a code is in no address')
    released()
    await page.getByRole('heading', { name: own }).waitFor()
    await page.locator('.msg').waitFor()
    assert.equal(await field.inputValue(), 'WRONG234')
    assert.ok(await input?.evaluate((element) => element.matches(':focus')))
    await page.unroute(/\/assets\/.*\.js$/)

    await give(page, accessCode)
    await page.getByRole('article').first().waitFor()
    // After a reload it does not ask for the code again.
    const reloaded = await page.reload({ waitUntil: 'commit' })
    assert.doesNotMatch((await reloaded?.text()) ?? '', /name="code"/)
    await page.getByRole('article').first().waitFor()
  })

test('when the half hour ends during typing, the code brings back the form with the typed text, also in Hindi', {
  language: 'hi',
  only: 'phone',
}, async ({ page, open, see, expects }) => {
  expects(broken)
  await open(link)
  await page.getByRole('heading', { name: 'P••• की जानकारी' }).waitFor()
  await see('family-code-hindi')
  await give(page, accessCode)
  const card = page.getByRole('article').first()
  await card.waitFor()
  await see('family-details-hindi')
  await card.getByRole('button', { name: /बदलें$/ }).click()
  await page.locator('input[name=parents]').fill('हेमंत')
  await page.evaluate(`fetch('/api/ManageStudent/CloseFamilyPage', { method: 'POST', body: '{}',
        headers: { 'Content-Type': 'application/json', Authorization: 'Bearer ' + sessionStorage.getItem('family.token') } })`)
  await page.getByRole('button', { name: 'सहेजें' }).click()
  await page.getByText('आपका लिखा सुरक्षित है').waitFor()
  await give(page, accessCode)
  await page.locator('input[name=parents]').waitFor()
  assert.equal(await page.locator('input[name=parents]').inputValue(), 'हेमंत')
  await see('family-edit-hindi')
})

test('the second press of a double click does not hit what has moved under the finger', {
  only: 'phone',
}, async ({ page, open }) => {
  const calls: string[] = []
  await page.route(/\/(AskAboutData|SetConsent)/, (route) => {
    calls.push(route.request().url().split('/').at(-1) ?? '')
    return route.fulfill({ json: { result: 'success', message: '', id: 1 } })
  })
  await open(link)
  await give(page, accessCode)
  await page.getByRole('button', { name: /^Privacy: consent/ }).click()
  // The consent is recorded in the language of the page, so the notice follows it.
  const notice = page.getByRole('heading', { name: "How we use your child's data" })
  await notice.waitFor()
  await page.getByRole('button', { name: 'हिन्दी' }).click()
  await notice.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'English' }).click()
  await notice.waitFor()
  const child = page.getByRole('region', { name: childOf.phone })
  await child.getByRole('button', { name: "Delete my child's data" }).click()
  const yes = child.getByRole('button', { name: 'Yes, delete it' })
  await yes.dblclick()
  await announced(page, "We've received your request.")
  await yes.waitFor({ state: 'detached' })
  // A slower finger: the box is gone, and what stood below it has come up to where it was pressed.
  const consent = page
    .getByRole('region', { name: childOf.desk })
    .getByRole('button', { name: "I'm a parent and I consent" })
  await consent.scrollIntoViewIfNeeded()
  const box = await consent.boundingBox()
  assert.ok(box)
  await page.mouse.move(box.x + 20, box.y + 20)
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
  await child.getByRole('button', { name: "Get my child's data" }).click()
  await announced(page, "We've received your request.")
  assert.deepEqual(calls, ['AskAboutData', 'AskAboutData'])
})
