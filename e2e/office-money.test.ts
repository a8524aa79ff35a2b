import assert from 'node:assert/strict'
import { istDay, seasonAt, seasonBefore } from '@podium/contract/season'
import { statementCsv } from '../server/seed/bank.ts'
import { announced, changeNext, fits, hold, sizes } from './browser.ts'
import { broken, test } from './demo-portal.ts'
import { staysOpen, today } from './people.ts'

/** The daily close of last season: in the first days of a season, no day of it is over and open. */
const daysToClose = `/office/closing?season=${seasonBefore(seasonAt(new Date()))}`

test("the office's books are readable at both sizes: receipts, credits, days and accounts", async (look) => {
  const { page, beOffice, open, see } = look
  await beOffice('accounts', '/office/receipts?search=KPS0102', /^PD\d\d-KPS0102-R1$/)
  await see('office-receipts')
  await open('/office/credits', 'Needs approval')
  await see('office-credits')
  const row = page.getByRole('row').filter({ hasText: 'KPS0102' }).first()
  await row.getByRole('button', { name: 'Statement' }).click()
  await page.getByRole('dialog').getByText('Credit received').waitFor()
  await see('office-school-account')
  await open('/office/ledger?search=KPS0102', /^1 school · /)
  await see('office-ledger')
  await page.getByRole('button', { name: /^Statement of/ }).click()
  await page.getByRole('dialog').getByText('Credit received').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click()
  await open('/office/closing')
  await page.getByRole('table').getByRole('button').first().click()
  await page.getByText('Bank lines of the day').first().waitFor()
  await see('office-closing')
  // Between tablet and desktop width the table is wider than its panel, and scrolls inside it.
  await page.setViewportSize({ ...sizes.desk, width: 1120 })
  await page.locator('.tw.spills').waitFor()
  await fits(page, 'office-closing at 1120 px')
  await page.setViewportSize(sizes.desk)
  await open(daysToClose)
  await page.getByRole('button', { name: 'Close day' }).first().waitFor()
  await open('/office/bank-accounts', 'podium.fees@samplebank')
  await see('office-bank-accounts')
  await page.getByRole('button', { name: 'Propose a change' }).first().click()
  await page.getByRole('dialog').getByLabel('IFSC').fill('wrong')
  await page.getByRole('dialog').getByRole('button', { name: 'Propose' }).click()
  await page.getByText('IFSC is not valid.').first().waitFor()
  await see('office-bank-account-change')
})

test('a role that may not close days reads why at the top, and at a button that it presses or reaches by Tab', {
  only: 'phone',
}, async ({ page, beOffice }) => {
  await beOffice('viewer', daysToClose)
  const why = page.getByText('Only owners and accounts can close a day.', { exact: true })
  await why.waitFor()
  const shown = page.locator('.disabled-reason:popover-open')
  const close = page.getByRole('button', { name: /^Close day/ })
  // Playwright taps no disabled button unless it is forced to.
  await close.first().tap({ force: true })
  await shown.filter({ hasText: 'Only owners and accounts' }).waitFor()
  await fits(page, 'the reason beside its button')
  await page.getByRole('heading', { level: 1 }).tap()
  await shown.waitFor({ state: 'detached' })
  await close.last().focus()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  await shown.filter({ hasText: 'Only owners and accounts' }).waitFor()
  await page.keyboard.press('Escape')
  await shown.waitFor({ state: 'detached' })
})

test("a refund proposed by one officer is rejected by another, and the money stays as the school's credit", async (look) => {
  const { page, beOffice } = look
  await beOffice('accounts', '/office/credits')
  await page.getByRole('button', { name: 'Withdraw' }).waitFor()
  await beOffice('owner', '/office/credits')
  await page.getByRole('button', { name: /^Reject( R)?$/ }).click()
  await page.getByLabel('Note').fill('The school wants to use it for books')
  await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
  await page.getByText('Rejected').first().waitFor()
  await page.getByText('₹750').first().waitFor()
})

test('on a phone the chosen payment or bank line scrolls into view and stays there', {
  only: 'phone',
}, async ({ page, beOffice, open }) => {
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
})

test('a list that has become shorter than its page in the address shows the last page it has', {
  only: 'desk',
}, async ({ page, beOffice, open }) => {
  await beOffice('owner')
  for (const [path, row] of [
    ['/office/payments?page=99', '.paydesk .queue li'],
    ['/office/statements?state=all&page=99', '.bankdesk .queue li'],
    ['/office/applications?page=99', '.appl-desk .queue li'],
    ['/office/questions?page=99', '.oq-list li'],
    ['/office/schools?page=99', 'main tbody tr'],
    ['/office/schools/email?page=99', 'main h2'],
  ] as const) {
    await open(path)
    await page.waitForURL(({ searchParams }) => searchParams.get('page') !== '99')
    await page.locator(row).first().waitFor()
  }
})

test('an officer is assigned a payment; another sees that and who has it open, and finds it by the filter', async (look) => {
  const { page, beOffice, open, expects } = look
  expects(broken)
  await beOffice('accounts')
  const people = /assignments\/staff/
  await page.route(people, (route) => route.fulfill({ status: 500, json: {} }))
  await open('/office/payments', 'Not assigned')
  const assign = page.getByRole('button', { name: 'Assign', exact: true })
  await assign.click()
  await page.getByRole('menu').getByText('This could not be loaded').waitFor()
  await page.unroute(people)
  await page.getByRole('menuitem', { name: /^This could not be loaded.* Try again$/ }).click()
  await assign.click()
  // As if another officer had verified it: what is open stays open.
  await changeNext<{ data: unknown[] }>(page, /payments\/list/, ({ data }) => data.shift())
  await page.getByRole('menuitem', { name: 'Assign to me' }).click()
  await page.locator('.paydesk .side').getByText('Assigned to Radhika Kalpanik').waitFor()
  await page.getByLabel('Assigned to', { exact: true }).selectOption({ label: 'Me' })
  await page.getByRole('heading', { name: 'To verify, 2' }).waitFor()
  await beOffice('owner', '/office/payments?assigned=me', 'Nothing found')
  await page.getByLabel('Assigned to', { exact: true }).selectOption({ label: 'Radhika Kalpanik' })
  await page.getByRole('heading', { name: 'To verify, 2' }).waitFor()
  await page.getByText('Radhika Kalpanik is looking at this now.').waitFor()
  await page.getByRole('button', { name: 'Assign', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Unassign' }).click()
  // The other one was assigned to her from the beginning.
  await page.getByRole('heading', { name: 'To verify, 1' }).waitFor()
})

test('a standard reason added by the owner is offered when a payment is rejected, and can be edited there', {
  only: 'desk',
}, async ({ page, beOffice, open }) => {
  await beOffice('owner', '/office/settings')
  await page.getByText('Reject a payment, 5 reasons').click()
  const list = page.getByRole('group').filter({ hasText: 'Reject a payment' })
  await list.getByLabel('Reason 1', { exact: true }).fill('Half a reason')
  const another = page.getByRole('group').filter({ hasText: 'Decline a waiver' })
  await another.getByText('Decline a waiver').click()
  const waived = another.getByLabel('Reason 1', { exact: true })
  await waived.fill(`${await waived.inputValue()} Please ask again.`)
  // Saving one list loads them all, and another officer has changed the other.
  await changeNext<{ data: { kind: string; version: number }[] }>(page, /settings\/reasons/, ({ data }) => {
    for (const reasons of data) if (reasons.kind === 'payment') reasons.version += 1
  })
  await another.getByRole('button', { name: 'Save' }).click()
  await list.getByText('Someone else just changed this section.').waitFor()
  assert.equal(await list.getByLabel('Reason 1', { exact: true }).inputValue(), 'Half a reason')
  await page.reload()
  await page.getByText('Reject a payment, 5 reasons').click()
  await list.getByRole('button', { name: 'Add reason' }).click()
  await list.getByRole('button', { name: 'Save' }).click()
  await list.getByText('Please enter a reason.').waitFor()
  await list.getByLabel('Reason 6', { exact: true }).fill('Sent twice.')
  await list.getByRole('button', { name: 'Move reason 6 up' }).click()
  await list.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Reject a payment, 6 reasons').waitFor()
  await beOffice('accounts', '/office/payments')
  await page.getByRole('button', { name: /^Reject( R)?$/ }).click()
  const dialog = page.getByRole('dialog')
  const reason = dialog.getByLabel('Reason', { exact: true })
  await dialog.getByLabel('Standard reasons').selectOption('Sent twice.')
  assert.equal(await reason.inputValue(), 'Sent twice.')
  await reason.fill('Sent twice: see receipt 7.')
  await dialog.getByRole('button', { name: 'Reject', exact: true }).click()
  await announced(page, 'Rejected')
  await open('/office/payments?state=rejected&sort=newest', 'Sent twice: see receipt 7.')
})

test('in Hindi a payment and a waiver name their subjects, and the activity log its groups', {
  language: 'hi',
  only: 'desk',
}, async ({ page, beOffice, open }) => {
  const inEnglish = /Mathematics|Science|English|books?\b/
  await beOffice('owner', '/office/payments')
  const covered = page.locator('.covered').first()
  await covered.waitFor({ state: 'attached' })
  assert.doesNotMatch((await covered.textContent()) ?? '', inEnglish)
  await open('/office/waivers', 'Her father lost his job')
  assert.doesNotMatch(await page.getByRole('main').innerText(), inEnglish)
  await open('/office/audit-log')
  const groups = (await page.locator('option').allInnerTexts()).filter((text) => text.startsWith('सभी: '))
  assert.ok(groups.length > 0)
  for (const group of groups) assert.doesNotMatch(group, /[a-z]/i)
})

/** The demo foundation's account for fees. */
const account = '000012345678'

test('Enter on a small exact line gives a minute to undo, and undoing reopens the line', {
  only: 'desk',
}, async ({ page, beOffice, see }) => {
  await beOffice('accounts', '/office/statements?state=exact')
  const lines = page.locator('[data-line]')
  await lines.filter({ hasText: '₹9,340' }).first().waitFor()
  const place = (await lines.allInnerTexts()).findIndex((text) => text.includes('₹9,340'))
  const before = lines.nth(place - 1).and(page.locator('[aria-current]'))
  await lines.nth(place - 1).click()
  await before.waitFor()
  await page.keyboard.press('j')
  await page.getByRole('button', { name: /^Match ₹9,340/ }).waitFor()
  const answer = await hold(page, '*/bank/book')
  const asked = page.waitForRequest(/bank\/book$/)
  await page.keyboard.press('Enter')
  await asked
  // The line opened meanwhile stays open.
  await page.keyboard.press('k')
  await answer()
  const bookings = page.getByRole('list', { name: 'Final in a minute' })
  await bookings.getByRole('button', { name: 'Undo' }).waitFor()
  await before.waitFor()
  await see('office-bank-undo')
  await bookings.getByRole('button', { name: 'Undo' }).click()
  await announced(page, 'Undone. The line is unmatched again.')
  await bookings.waitFor({ state: 'detached' })
})

/** Money that no school has reported. */
const transfer = {
  day: today,
  narration: 'CASH DEPOSIT COUNTER NAMUNAPUR',
  utr: '555500001111',
  amount: 431.25,
}

test('the office imports a statement, reviews the likely lines, and ignores those that belong to no one', async (look) => {
  const { page, beOffice, open, see, expects } = look
  expects(broken)
  await beOffice('accounts', '/office/statements')
  await page.getByRole('heading', { name: /^Exact/ }).waitFor()
  await see('office-bank-exact')
  await page.getByRole('button', { name: 'Import statement' }).click()
  const dialog = page.getByRole('dialog')
  const { narration } = transfer
  const choose = (...rows: (typeof transfer)[]) =>
    dialog
      .getByLabel('Statement file')
      .setInputFiles({
        name: 'statement.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(statementCsv(account, rows)),
      })
  // A file that was not read because the connection was lost is read when the button is pressed.
  await page.route('**/bank/look*', (route) => route.abort(), { times: 1 })
  await choose(transfer)
  await dialog.getByText('Error: no connection.').waitFor()
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await dialog.getByText('1 credit').waitFor()
  // The answer about a file chosen by mistake comes after the one about the right file.
  let files = 0
  const answer = await hold(page, '*/bank/look*', ({ letGo }) => files++ > 0 && letGo())
  const read = page.waitForResponse(/bank\/look/)
  await choose(transfer, { ...transfer, utr: '555500001112' })
  await choose(transfer)
  await dialog.getByText('1 credit').waitFor()
  const late = page.waitForResponse(/bank\/look/)
  await answer()
  await Promise.all([read, (await late).finished()])
  const into = dialog.getByLabel('Account', { exact: true })
  assert.equal(await into.inputValue(), account)
  await into.selectOption('')
  await dialog.getByRole('button', { name: 'Import 1 line' }).click()
  await into.and(page.locator(':focus')).waitFor()
  await into.selectOption(account)
  assert.match(
    await dialog.getByLabel('Credit', { exact: true }).locator('option:checked').innerText(),
    /^Credit/,
  )
  await see('office-bank-import')
  await staysOpen(page, () => page.keyboard.press('Escape'))
  // Its answer is lost, so it is sent once more, and is still one statement.
  await page.route('**/bank/import*', (route) => route.fetch().then(() => route.abort()), { times: 1 })
  await dialog.getByRole('button', { name: 'Import 1 line' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText(/^1 new line: /).waitFor()
  await open(`/office/statements?state=unknown&search=${encodeURIComponent(narration)}`, 'No match found')
  await page.getByRole('button', { name: /^Ignore/ }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('Paid in by mistake, given back at the counter')
  await page.getByRole('button', { name: 'Ignore', exact: true }).click()
  await announced(page, 'Ignored')
  await open(
    `/office/statements?state=discarded&search=${encodeURIComponent(narration)}`,
    'Paid in by mistake',
  )
  await see('office-bank-discarded')
})

test('Escape asks before it drops a rule for ignored lines that is half typed', async (look) => {
  const { page, beOffice } = look
  await beOffice('accounts', '/office/statements')
  await page.getByRole('button', { name: 'Rules', exact: true }).click()
  const contains = page.getByRole('dialog').getByLabel('Ignore narrations that contain')
  await contains.fill('INT.PD')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Keep editing' }).click()
  assert.equal(await contains.inputValue(), 'INT.PD')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await contains.waitFor({ state: 'detached' })
})

test('lines ignored together are restored at once, or later from the list of ignored lines', async (look) => {
  const { page, beOffice, open } = look
  await beOffice('accounts', '/office/statements?state=unknown')
  const tab = (name: string, n: number) =>
    page.getByRole('tab', { name: new RegExp(`^${name} ${n}$`) }).waitFor()
  const before = Number((await page.getByRole('tab', { name: /^Ignored/ }).innerText()).match(/\d+$/)?.[0])
  const ignoreFirst = async () => {
    await page
      .getByRole('checkbox', { name: /^Select the line/ })
      .first()
      .check()
    await page.getByRole('button', { name: 'Ignore', exact: true }).click()
    await page.getByRole('textbox', { name: 'Reason' }).fill('Interest of the bank')
    await page.getByRole('dialog').getByRole('button', { name: 'Ignore', exact: true }).click()
    await tab('Ignored', before + 1)
  }
  await ignoreFirst()
  // The ignored line may still be open, with an Undo of its own.
  const message = page.getByRole('region', { name: 'Messages' })
  await message.getByRole('button', { name: 'Undo', exact: true }).click()
  await tab('Ignored', before)
  await changeNext<{ lines: unknown[] }>(page, /bank\/exactIds/, (answer) => {
    answer.lines = []
  })
  const all = (checked: boolean) =>
    page.getByRole('checkbox', { name: /^Select (all \d+ lines|1 line)$/, checked })
  await all(false).check()
  await page.getByRole('button', { name: 'Ignore', exact: true }).click()
  await announced(page, 'These lines are decided already.')
  await all(false).waitFor()
  await ignoreFirst()
  await open('/office/statements?state=discarded')
  await page
    .getByRole('checkbox', { name: /^Select the line/ })
    .first()
    .check()
  await page
    .getByRole('region', { name: /^Ignored/ })
    .getByRole('button', { name: 'Undo', exact: true })
    .click()
  await tab('Ignored', before)
})

test('the desk names a school once above all its fees, and the button stays visible however long the list is', async (look) => {
  const { page, beOffice } = look
  await page.setViewportSize({ width: 1366, height: 768 })
  await beOffice('accounts', '/office/statements?state=likely')
  // Its place in the list, and whether the page scrolls to it, differ by day.
  await page.locator('[data-line]').filter({ hasText: 'VNK0417' }).dispatchEvent('click')
  const school = page.getByRole('region', { name: /VNK0417$/ })
  await school.getByRole('checkbox').nth(3).waitFor()
  assert.equal(await page.getByRole('region', { name: /VNK0417$/ }).count(), 1)
  assert.equal(await school.getByText('Sri Gnanodaya Vidyaniketan Senior Secondary School').count(), 1)
  const match = page.getByRole('button', { name: /^Match ₹/ })
  const { y = 0, height = 0 } = (await match.boundingBox()) ?? {}
  assert.ok(y > 0 && y + height <= 768, `the button ends at ${y + height}`)
})

test('a likely line is explained, and found items are added by hand; a viewer can look and decide nothing', async (look) => {
  const { page, beOffice, see } = look
  await beOffice('accounts', '/office/statements?state=likely')
  await page.getByRole('button', { name: /ZPS0233/ }).click()
  await page.getByText('Add ₹5,000').first().waitFor()
  // As if it owed more for an earlier season.
  await changeNext<{ items: object[] }>(page, /bank\/items/, ({ items }) => {
    items.push({ ...items[0], FYear: '2024-25', key: 'd1-2024-25-registration', amount: 475 })
  })
  await page.getByLabel('Find a payment or school').fill('VNK0417')
  await page.getByRole('button', { name: /VNK0417$/ }).waitFor()
  await page.getByRole('button', { name: /Fee, 2024-25 ₹475$/ }).waitFor()
  await see('office-bank-likely')
  await page
    .getByRole('button', { name: /^Book Fee/ })
    .first()
    .click()
  // Next to the button, and as its reason.
  await page
    .getByText(/more than was received/)
    .first()
    .waitFor()
  await beOffice(
    'viewer',
    '/office/statements?state=likely',
    'Only owners and accounts can reconcile bank lines.',
  )
})

test('a line that was compared again since it was loaded is loaded again', { only: 'desk' }, async (look) => {
  const { page, beOffice } = look
  let narration = ''
  await changeNext<{ line: { version: number; narration: string } }>(page, /bank\/line\?/, ({ line }) => {
    narration = line.narration
    line.version -= 1
    line.narration = 'As it was before'
  })
  await beOffice('accounts', '/office/statements?state=likely', 'ZPS0233')
  await page.locator('.bankdesk .view').getByText(narration, { exact: true }).waitFor()
})

test('an officer works through likely lines by keyboard and matches one: money becomes credit, the payment waits', async (look) => {
  const { page, beOffice, open } = look
  await beOffice('accounts', '/office/statements?state=likely')
  const lines = page.locator('[data-line]')
  await lines.filter({ hasText: 'ZPS0233' }).waitFor()
  const codes = (await lines.allInnerTexts()).map((text) => text.match(/[A-Z]{3}\d{4}/)?.[0] ?? '')
  const goesTo = async (key: string, code: string) => {
    await page.keyboard.press(key)
    await page.locator('[data-line][aria-current]').filter({ hasText: code }).waitFor()
  }
  for (const code of codes.slice(1)) await goesTo('j', code)
  // They are in the order of their days, which differs in the first weeks of a season.
  for (const code of codes.slice(codes.indexOf('ZPS0233'), -1).toReversed()) await goesTo('k', code)
  await page.getByText('Add ₹5,000').first().waitFor()
  // Having just chosen the tab, the focus is still on it.
  await page.getByRole('tab', { name: /^Suggested/ }).focus()
  await page.keyboard.press('Enter')
  // A credit always needs a confirmation, and the same key press does not give it.
  await page
    .getByRole('dialog')
    .getByText(/^Credit of /)
    .waitFor()
  await page.keyboard.press('Enter')
  await announced(page, 'Added to credit: ₹5,000')
  await open('/office/statements?state=booked&search=FIRST INSTALMENT', 'ZPS0233, Credit')
})

test('an officer is assigned bank lines, singly and several at once; tabs count them, and the list filters by them', {
  only: 'desk',
}, async ({ page, beOffice, see }) => {
  await beOffice('accounts', '/office/statements?state=unknown')
  await page
    .getByRole('checkbox', { name: /^Select the line of/ })
    .first()
    .check()
  const list = page.getByRole('region', { name: /^No match/ })
  await list.getByRole('button', { name: 'Assign', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Assign to me' }).click()
  await announced(page, 'Assigned to Radhika Kalpanik')
  await page.getByLabel('Assigned to', { exact: true }).selectOption({ label: 'Me' })
  await page.getByRole('heading', { name: 'No match, 1' }).waitFor()
  await see('office-bank-assigned')
  await beOffice('owner', '/office/statements?state=unknown&assigned=me', 'Nothing found')
  await page.getByLabel('Assigned to', { exact: true }).selectOption({ label: 'Radhika Kalpanik' })
  await page.getByText('Radhika Kalpanik is looking at this now.').waitFor()
  await page.getByRole('button', { name: 'Assign', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Unassign' }).click()
  await page.getByText('Nothing found').waitFor()
})

test('money that the bank returned is reversed on the desk, and its receipt stays in the list as cancelled', {
  only: 'desk',
}, async ({ page, beOffice, open, see }) => {
  await beOffice('accounts', '/office/statements?state=booked&search=SMC0164')
  const line = page.locator('.bankdesk .view')
  await line.getByText(/^SSBX\d{12}$/).waitFor()
  const shown = await line.innerText()
  const [utr = ''] = shown.match(/SSBX\d{12}/) ?? []
  const [received = ''] = shown.match(/\d\d-\w{3}-\d{4}/) ?? []
  const [, amount = ''] = shown.match(/₹([\d,]+)/) ?? []
  const day = istDay(new Date(Date.parse(`${received} 12:00 UTC`) + 86_400_000))
  const rows = [
    { day, narration: 'CASH DEPOSIT BRANCH', utr: '', amount: 11 },
    { day, narration: `RETURN ${utr} A/C CLOSED`, utr, amount: -Number(amount.replaceAll(',', '')) },
  ]
  await page.getByRole('button', { name: 'Import statement' }).click()
  const dialog = page.getByRole('dialog')
  await dialog
    .getByLabel('Statement file')
    .setInputFiles({
      name: 'returned.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(statementCsv('000012345678', rows)),
    })
  await dialog.getByRole('button', { name: 'Import 1 line' }).click()
  await dialog.waitFor({ state: 'detached' })
  await open('/office/statements?state=bounced')
  // Only what helps with a matched line is offered.
  await page.getByText('J and K move.', { exact: true }).waitFor()
  await page.getByRole('checkbox', { name: `Select the line of ₹${amount}` }).check()
  await page.getByTitle(/^Matched lines can’t be ignored/).waitFor()
  await see('office-bank-returned')
  await line.getByRole('button', { name: 'Assign', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Assign to me' }).click()
  await line.getByText('Assigned to Radhika Kalpanik').waitFor()
  await page.getByRole('button', { name: 'Reverse payments' }).click()
  await dialog.getByText(/will be cancelled/).waitFor()
  await dialog.getByRole('button', { name: 'Reverse payments' }).click()
  await announced(page, 'Payments reversed')
  await open('/office/receipts?bank=cancelled')
  await page.getByRole('row').filter({ hasText: 'SMC0164' }).getByText('Cancelled').waitFor()
  await see('office-receipts-cancelled')
  await open('/office/payments?state=rejected&search=SMC0164', 'Reversed by Radhika Kalpanik')
})
