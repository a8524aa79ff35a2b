import assert from 'node:assert/strict'
import type { Locator } from 'playwright-core'
import { broken, refused, test } from './demo-portal.ts'
import { lastSeason, staysOpen } from './people.ts'

/** The office's pages, checked in each of their states. */

test('the office signs in in two steps and sees what is waiting', async (look) => {
  const { page, beOffice, open, see, expects } = look
  expects(refused)
  await open('/office/login')
  await see('office-login')
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('is required').first().waitFor()
  await see('office-login-errors')
  await page.getByLabel('E-mail').fill('owner@podium.example')
  await page.getByLabel('Password', { exact: true }).fill('Kalpanik-demo-42')
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
  await see('office-code')
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await see('office-recovery')
  await beOffice('results2', '/office')
  await see('office-overview')
  await open('/office/no/such/page')
  await see('office-not-found')
  await open('/office/set-up')
  await see('office-set-up-without-link')
})

test('reminders of a season never counted wait for its count, then list the schools', async (look) => {
  const { beOffice, page } = look
  await beOffice('operations', '/office/reminders?season=2025-26')
  await page
    .getByRole('main')
    .getByRole('checkbox')
    .or(page.getByText('No school has anything to do right now.'))
    .first()
    .waitFor()
})

test('g and a letter open a page, and trigger nothing on the current page, in a field or in a dialog', async (look) => {
  const { page, beOffice } = look
  await beOffice('operations', '/office')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  const press = async (keys: string) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  await press('gs')
  await page.waitForURL('**/office/schools*')
  await press('ga')
  await page.waitForURL('**/office/applications*')
  await page
    .getByRole('button', { name: /^(Approve|Link)/ })
    .first()
    .waitFor()
  // There, only A approves.
  await press('ga')
  assert.equal(await page.getByRole('dialog').count(), 0)
  await press('/')
  await press('gs')
  assert.equal(await page.locator('[data-search]').inputValue(), 'gs')
  await page.locator('[data-search]').fill('')
  await page.locator('[data-search]').press('Tab')
  await page.getByRole('button', { name: /^View/ }).focus()
  await press('?')
  const list = page.getByRole('dialog')
  await list.getByRole('heading', { name: /^Go to a page/ }).waitFor()
  await list.getByText('School ledger').waitFor()
  await press('gs')
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'detached' })
  assert.match(page.url(), /applications/)
})

test('the office decides on applications', async ({ page, beOffice, open, see }) => {
  await beOffice('operations', '/office/applications')
  await see('applications')
  const likely = page.getByRole('heading', { name: /possible duplicates?$/ })
  const approve = page.getByRole('button', { name: 'Approve as new school', disabled: false })
  const waiting = page.getByRole('list', { name: 'List of applications' }).getByRole('link')
  const all = await waiting.count()
  /** Opens one application after the other until one of them shows this. */
  const openUntil = async (wanted: Locator) => {
    for (let n = 0; n < all && (await wanted.count()) === 0; n++) {
      const [name = ''] = (await waiting.nth(n).locator('.nm').innerText())
        .replace('Answered', '')
        .split('\n')
        .map((line) => line.trim())
      await waiting.nth(n).click()
      // The likely schools beside it are shown together with it.
      await page.getByRole('region', { name, exact: true }).waitFor()
      await page
        .getByText(/possible duplicate|No duplicates found/)
        .first()
        .waitFor()
    }
  }
  await openUntil(likely)
  await likely.waitFor()
  await see('applications-likely')
  // A UDISE code belongs to one school.
  await page.getByRole('button', { name: 'Approve as new school', disabled: true }).waitFor()
  await page.getByRole('button', { name: 'Link to this school' }).first().click()
  await page.getByRole('dialog').waitFor()
  await see('applications-join')
  await page.keyboard.press('Escape')
  await openUntil(approve)
  await approve.click()
  await page.getByRole('dialog').getByLabel('School code').waitFor()
  await see('applications-approve')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Reject( R)?$/ }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Reject application' }).click()
  await page.getByRole('dialog').locator('[aria-invalid="true"]').waitFor()
  await see('applications-reject')
  await open('/office/applications?state=rejected')
  await see('applications-rejected')
  await open('/office/applications?search=zzzz')
  await see('applications-nothing')
})

test('the office decides on payments', async ({ page, beOffice, open, see, expects }) => {
  expects(broken)
  await beOffice('accounts', '/office/payments')
  await see('office-payments')
  await page.keyboard.press('j')
  // The row it opens has the focus, so that a screen reader hears it.
  await page.locator('.queue [aria-current]:focus').waitFor()
  await page.keyboard.press('x')
  await page
    .getByText(/^1 selected, /)
    .first()
    .waitFor()
  await page.getByLabel('Select all on this page').check()
  await page
    .getByText(/^[2-9] selected, /)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Verify', exact: true }).click()
  await page
    .getByRole('dialog')
    .getByText(/Each payment gets its own receipt/)
    .waitFor()
  await see('office-payments-verify-many')
  // What was verified before the connection broke is shown.
  await page.route(/payments\/verify/, (route) => route.abort(), { times: 2 })
  const asked = page.waitForRequest(/payments\/list/)
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Verify ₹/ })
    .click()
  await asked
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Clear selection' }).click()
  await page.getByRole('button', { name: /^Verify ₹/ }).click()
  await page.getByRole('dialog').waitFor()
  await see('office-payments-verify')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Reject( R)?$/ }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Reject', exact: true }).click()
  await page.getByRole('dialog').locator('[aria-invalid="true"]').waitFor()
  await see('office-payments-reject')
  for (const state of ['verified', 'rejected']) {
    await open(`/office/payments?state=${state}`)
    await see(`office-payments-${state}`)
  }
  await page.getByRole('button', { name: 'Undo rejection' }).click()
  await page.getByRole('dialog').getByText('The payment waits to be verified again.').waitFor()
  await see('office-payments-reopen')
  await page.keyboard.press('Escape')
  await open('/office/payments?search=zzzz')
  await see('office-payments-nothing')
})

test('the office takes results from their file to the release', async ({ page, beOffice, open, see }) => {
  await beOffice('results', '/office/results')
  await see('office-results-none')
  const season = page.getByRole('banner').getByLabel('Season')
  await season.locator('option').nth(1).waitFor({ state: 'attached' })
  const seasons = await season.locator('option').allInnerTexts()
  await season.selectOption(seasons[seasons.indexOf(await season.inputValue()) + 1] ?? '')
  await page.getByText('Approved', { exact: true }).first().waitFor()
  await see('office-results')
  const eventIn = async (state: string) => {
    const row = page.getByRole('row').filter({ has: page.getByText(state, { exact: true }) })
    const href = await row.getByRole('link').first().getAttribute('href')
    // Without the season, which the link contains
    return new URL(href ?? '', page.url()).pathname
  }
  const [imported, computed, approved, released] = [
    await eventIn('Imported'),
    await eventIn('Computed'),
    await eventIn('Approved'),
    await eventIn('Released'),
  ]
  const steps: [string, string, string][] = [
    [imported, 'import', 'imported'],
    [imported, 'anomalies', 'anomalies'],
    [imported, 'compute', 'compute'],
    [computed, 'compute', 'computed'],
    [computed, 'preview', 'preview'],
    [computed, 'approve', 'approve'],
    [approved, 'release', 'release'],
    [released, 'release', 'released'],
  ]
  for (const [event, step, name] of steps) {
    await open(`${event}?step=${step}`)
    await see(`office-result-${name}`, async (page) => {
      if (name !== 'approve') return
      // On a phone both tables of figures have a line or two for each class; whole cards took fifteen screens.
      const screens = await page.evaluate<number>('document.documentElement.scrollHeight / innerHeight')
      assert.ok(screens < 9, `an approval is ${screens} screens long`)
    })
  }
  // Correcting a row starts in the field at fault: the student, or a mark.
  await open(`${imported}?step=anomalies`)
  const problems = page.getByRole('table', { name: /^Problems in version/ })
  const correct = problems.getByRole('button', { name: /^Correct/ }).first()
  const dialog = page.getByRole('dialog')
  await correct.click()
  await dialog.getByLabel('Roll no or name of the student').and(page.locator(':focus')).waitFor()
  const mark = dialog.getByRole('textbox', { name: /\(max \d+\)$/ }).last()
  const section = await dialog
    .locator('label', { hasText: /\(max \d+\)$/ })
    .last()
    .innerText()
  await page.keyboard.press('Escape')
  await page.route('**/results/anomalies?*', async (route) => {
    const answer = await (await route.fetch()).json()
    const [row] = answer.data
    Object.assign(row, { kind: 'above_maximum', column: section.replace(/ \(max \d+\)$/, '') })
    await route.fulfill({ json: answer })
  })
  await page.reload()
  await correct.click()
  await mark.and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Escape')
  await page.unroute('**/results/anomalies?*')
  // Released without its name typed: the field says what is missing, and has the focus.
  await open(`${approved}?step=release`)
  await page
    .getByRole('button', { name: 'Release now' })
    .or(page.getByRole('button', { name: 'Schedule' }))
    .click()
  await page
    .getByLabel(/to confirm$/)
    .and(page.locator(':focus'))
    .waitFor()
  // An invalid season is ignored.
  await open(`${computed}/preview?season=2025-2`)
  await see('office-result-choose-school')
  await page.getByRole('link', { name: 'Kalpanik Public School' }).click()
  await page.getByText('Preview. Not released; only the office sees this').first().waitFor()
  await see('office-result-as-school')
  await page.getByRole('link', { name: 'Medal List' }).click()
  await page
    .getByRole('link', { name: 'Medal List', exact: true })
    .and(page.locator('[aria-current]'))
    .waitFor()
  await see('office-result-as-school-medals')
})

test('a chosen marks file or a typed reason is not lost by going to another step or page', {
  only: 'desk',
}, async ({ page, beOffice }) => {
  await beOffice('results', `/office/results?season=${lastSeason}`)
  const released = page.getByRole('row').filter({ has: page.getByText('Released', { exact: true }) })
  await released.getByRole('link').first().click()
  const step = (name: string) => page.getByRole('list', { name: 'Steps' }).getByRole('link', { name })
  await step('Import marks').click()
  const reason = page.getByLabel('Reason for the correction')
  await reason.fill('A bundle was found')
  await staysOpen(page, () => step('Approve').click())
  await page
    .getByLabel('Marks file')
    .setInputFiles({ name: 'marks.csv', mimeType: 'text/csv', buffer: Buffer.from('Roll No\n') })
  await reason.fill('')
  await staysOpen(page, () => page.evaluate('history.back()'))
  await page.getByText('marks.csv').first().waitFor()
  await step('Approve').click()
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await page.getByText('marks.csv').first().waitFor({ state: 'detached' })
  await step('Import marks').click()
  await step('Approve').click()
  await page.getByRole('heading', { name: 'Approve', exact: true }).waitFor()
})

test('the activity log and a parcel with many lines are folded on a phone, not thirty screens long', {
  only: 'phone',
}, async ({ page, beOffice, open, see }) => {
  await beOffice('owner')
  const screens = () => page.evaluate<number>('document.documentElement.scrollHeight / innerHeight')
  await open('/office/packets/1')
  assert.ok((await screens()) < 6, `the parcel is ${await screens()} screens long`)
  await page.getByText('Mathematics', { exact: true }).click()
  await page.getByRole('table', { name: 'Packing slip, Mathematics' }).waitFor()
  await see('office-packet-folded')
  await open('/office/audit-log')
  assert.ok((await screens()) < 12, `the activity log is ${await screens()} screens long`)
  const first = page.getByRole('row').nth(1)
  await first.getByRole('button', { name: /^All details of/ }).click()
  await first.locator('td[data-l="Record"]').waitFor()
})

test('what is reached by Tab beside a payment is not covered by the bar of decisions', {
  only: 'desk',
}, async ({ page, beOffice }) => {
  await beOffice('accounts', '/office/payments')
  await page.locator('.side > .end').waitFor()
  const covered = await page.evaluate<string[]>(`(() => {
    const bar = document.querySelector('.side > .end')
    return [...document.querySelectorAll('.side :is(a, button, summary)')]
      .filter((target) => {
        if (bar.contains(target)) return false
        target.focus()
        return target.getBoundingClientRect().bottom > bar.getBoundingClientRect().top
      })
      .map((target) => target.ariaLabel ?? target.innerText)
  })()`)
  assert.deepEqual(covered, [])
})

test('actions outside a role are disabled, with the reason', async (look) => {
  const { page, beOffice, open, see, expects } = look
  expects(refused)
  await beOffice('viewer', '/office/applications', 'Your role can view applications but not decide on them.')
  await see('viewer-applications')
  await open('/office/payments', 'Only owners and accounts can verify payments.')
  await see('viewer-payments')
  await open('/office/packets')
  await page.getByRole('button', { name: 'Labels', disabled: true }).waitFor()
  await page.getByRole('button', { name: 'Packing slips', disabled: true }).waitFor()
  await see('viewer-packets')
  await beOffice('accounts', '/office/results')
  const closed = page.getByRole('heading', { name: "You don't have access to this page", level: 1 })
  await closed.waitFor()
  await see('accounts-results')
  await beOffice('results')
  for (const path of ['/office/audit-log', '/office/packets', '/office/ledger', '/office/packets/1']) {
    await open(path)
    await closed.waitFor()
    assert.equal(await page.getByRole('main').getByRole('searchbox').count(), 0, path)
  }
})
