import assert from 'node:assert/strict'
import { test as plainTest } from 'node:test'
import { addDays, formatDay, istDay } from '@podium/contract/season'
import type { Page } from 'playwright-core'
import { accessible } from './accessible.ts'
import { announced, fits, hold, reconnect, visitor } from './browser.ts'
import { emptyPortal, refused, settled, test } from './demo-portal.ts'
import { firstSignInToOffice } from './people.ts'

/** Season and prices in the office. Changes to the current season are undone. */

async function openEvent(page: Page, name: string, part?: string): Promise<void> {
  await page.getByRole('link', { name, exact: true }).first().click()
  await page.getByRole('heading', { name: 'Sections of the paper' }).waitFor()
  if (part) await page.getByRole('link', { name: part }).click()
  await settled(page)
}

/** Opens the prices of Mathematics, types the fee of Class 7 and saves it after reviewing its effects. */
async function saveFee(page: Page, fee: string): Promise<void> {
  await openEvent(page, 'Mathematics', 'Fees and books')
  await page.getByLabel('Fee, Class 7').fill(fee)
  await page.getByRole('button', { name: 'Review changes' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/keeps? (its|their) price/).waitFor()
  await dialog.getByRole('button', { name: 'Save prices' }).click()
  await announced(page, 'Saved')
}

test('the office sees the next season, prices and lists, and a viewer cannot change them', async (look) => {
  const { page, beOffice, open, see } = look
  await beOffice('operations', '/office/catalogue')
  await see('catalogue-seasons')
  await openEvent(page, 'Science')
  await see('catalogue-exam')
  await page.getByRole('link', { name: 'Fees and books' }).click()
  await page.getByLabel('Fee, Class 7').fill('190')
  await see('catalogue-fees')
  await page.getByRole('button', { name: 'Review changes' }).click()
  await page
    .getByRole('dialog')
    .getByText(/keeps? (its|their) price/)
    .waitFor()
  await see('catalogue-effect')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByLabel('Fee, Class 7').fill('175')
  await open('/office/catalogue/open')
  await page.getByRole('heading', { name: 'To review' }).waitFor()
  await see('catalogue-open')
  await open('/office/catalogue/lists?list=designations')
  const [first = ''] = await page.getByRole('rowheader').allInnerTexts()
  const movedTo = (place: number) =>
    page.getByRole('rowheader').nth(place).filter({ hasText: first }).waitFor()
  for (const [way, place] of [
    ['down', 2],
    ['up', 0],
  ] as const) {
    // Pressed again before the first answer
    const answer = await hold(page, '*/orderList')
    const move = page.getByRole('button', { name: `Move ${first} ${way}`, exact: true })
    await move.click()
    await move.click()
    await answer()
    await movedTo(place)
  }
  await open('/office/catalogue/lists?list=states')
  await page.getByRole('table', { name: 'States' }).waitFor()
  await see('catalogue-states')
  await page.getByRole('button', { name: 'Edit Karnataka' }).click()
  await page.getByRole('dialog').getByLabel('Zone').waitFor()
  await see('catalogue-state')
  await beOffice(
    'viewer',
    '/office/catalogue/lists',
    'Only owners and operations can change reference lists.',
  )
  await see('catalogue-lists-viewer')
  await open('/office/catalogue/open', 'To review')
  assert.equal(await page.getByLabel('Fees due on').isDisabled(), true)
  await see('catalogue-open-viewer')
  await open('/office/catalogue')
  await openEvent(page, 'Science')
  assert.equal(await page.getByLabel('Section 1', { exact: true }).isDisabled(), true)
  await see('catalogue-exam-viewer')
  await page.getByRole('link', { name: 'Fees and books' }).click()
  const fee = page.getByLabel('Fee, Class 7')
  await fee.waitFor()
  assert.equal(await fee.isDisabled(), true)
  await page.getByRole('link', { name: 'Result rules' }).click()
  await page.getByText('Only owners and results can change rules.').first().waitFor({ state: 'attached' })
})

test('other rules are tried on last season, showing who would gain and lose, and nothing is saved', async (look) => {
  const { page, beOffice, see } = look
  await beOffice('owner', '/office/catalogue')
  await openEvent(page, 'Mathematics', 'Result rules')
  await page.getByText(/^Gold: class rank 1, if at least \d+ took the exam$/).waitFor()
  await see('catalogue-rules-said')
  await page.getByRole('button', { name: 'Edit rules' }).click()
  await page.getByRole('heading', { name: 'Tie-break' }).waitFor()
  await see('catalogue-rules')
  // A version that is restored is not hidden by the draft, which is discarded only when that is confirmed.
  const medal = page.getByRole('button', { name: 'Remove medal 3' })
  await medal.click()
  const restore = page.getByRole('button', { name: 'Restore' })
  await restore.click()
  const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'))
  await dialog.getByText('Replace your changes with version 1?').waitFor()
  await see('catalogue-rules-replace')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  assert.equal(await medal.count(), 0)
  await restore.click()
  await dialog.getByRole('button', { name: 'Restore' }).click()
  await medal.waitFor()
  await restore.click()
  assert.equal(await dialog.count(), 0)
  await page.getByRole('button', { name: 'Remove medal 3' }).click()
  await page.getByRole('button', { name: /^Preview on 20/ }).click()
  await page.getByRole('table', { name: 'Students affected in Mathematics' }).waitFor()
  await page.getByText('Medal: Bronze → none').first().waitFor()
  await see('catalogue-trial')
  await page.getByRole('button', { name: 'Add medal' }).click()
  await page.getByRole('button', { name: 'Preview on all subjects' }).click()
  await page.getByRole('rowheader', { name: 'English' }).first().waitFor()
  assert.equal(await page.getByText('Version 2', { exact: true }).count(), 0)
})

test('a new fee applies to students entered from now on, and an enrolled student keeps the old one', async (look) => {
  const { page, beOffice, beSchool } = look
  const row = async () => {
    await beSchool('meera', '/student/entry?classId=7')
    const first = page.getByRole('table').getByRole('row').filter({ hasText: '₹' }).first()
    await first.waitFor()
    return first.innerText()
  }
  const before = await row()
  await beOffice('operations', '/office/catalogue')
  await saveFee(page, '181')
  assert.equal(await row(), before)
  await page.getByRole('button', { name: 'Add Entry' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Class', { exact: true }).selectOption('7')
  await dialog.getByText('₹181').first().waitFor({ state: 'attached' })
  await page.keyboard.press('Escape')
  await beOffice('operations', '/office/catalogue')
  await saveFee(page, '175')
})

test('an officer overtaken by another keeps the typed values, and can view what the other saved', {
  only: 'desk',
}, async ({ page, beOffice, see, expects }) => {
  expects(refused)
  await beOffice('operations', '/office/catalogue')
  await openEvent(page, 'Science', 'Fees and books')
  const fee = page.getByLabel('Fee, Class 7')
  const before = await fee.inputValue()
  // As if another officer had saved since the page was opened.
  await page.route('**/catalogue/saveFees', (route) => {
    const data = route.request().postDataJSON()
    return route.continue({ postData: JSON.stringify({ ...data, version: data.version - 1 }) })
  })
  await fee.fill('199')
  await page.getByRole('button', { name: 'Review changes' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save prices' }).click()
  await page.getByText('Someone else changed this while you were editing.').waitFor()
  assert.equal(await fee.inputValue(), '199')
  await see('catalogue-meanwhile')
  await page.getByRole('button', { name: 'Discard mine and show the latest' }).click()
  await page.getByText('Someone else changed this').waitFor({ state: 'detached' })
  assert.equal(await fee.inputValue(), before)
})

test('a text typed while the one before is saved stays, and never overwrites what another officer saved', async (look) => {
  const { page, beOffice, open, expects } = look
  expects(refused)
  await beOffice('operations')
  const texts = '/office/mails?tab=texts&text=reminder-pay'
  await open(texts)
  const subject = page.getByLabel('Subject')
  const save = page.getByRole('button', { name: 'Save template' })
  const original = await subject.inputValue()
  const saving = Promise.withResolvers<void>()
  const answer = await hold(page, '*/mails/saveText', () => saving.resolve())
  await subject.fill(`${original} (1)`)
  await save.click()
  await saving.promise
  await subject.fill(`${original} (2)`)
  await answer()
  await announced(page, 'Template saved')
  assert.equal(await subject.inputValue(), `${original} (2)`)
  await save.click()
  await announced(page, 'Template saved')
  await subject.fill(`${original} (mine)`)
  // A tab that a page opens has its session.
  const opened = page.waitForEvent('popup')
  await page.evaluate(`void window.open('${texts}')`)
  const other = await opened
  await other.getByLabel('Subject').fill(`${original} (theirs)`)
  const theirs = other.waitForResponse(/mails\/saveText/)
  await other.getByRole('button', { name: 'Save template' }).click()
  await theirs
  await other.close()
  const newer = page.waitForResponse(/mails\/texts/)
  await reconnect(page)
  await newer
  await settled(page)
  assert.equal(await subject.inputValue(), `${original} (mine)`)
  await save.click()
  await page.getByText('Someone else changed this while you were editing.').waitFor()
  await page.getByRole('button', { name: 'Discard mine and show the latest' }).click()
  await subject.and(page.locator(`[value="${original} (theirs)"]`)).waitFor()
  await subject.fill('unwanted')
  await page.getByRole('button', { name: 'Restore default' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Restore default' }).click()
  await announced(page, 'Default text restored')
  await subject.and(page.locator(`[value="${original}"]`)).waitFor()
})

test('the next season is created from its differences, and schools do not see it yet', {
  only: 'desk',
}, async ({ page, beOffice, see, expects }) => {
  expects(refused)
  await beOffice('operations', '/office/catalogue')
  await page.getByRole('link', { name: /^Set up 20/ }).click()
  await page.getByRole('heading', { name: 'To review' }).waitFor()
  const label = (await page.locator('h1').innerText()).slice(-7)
  await page.getByRole('checkbox', { name: 'Financial Literacy' }).uncheck()
  await page.getByText('13 events copied, 1 left out').first().waitFor()
  const first = page.getByLabel('First date, Mathematics')
  const day = await first.inputValue()
  await first.fill('31/02/2028')
  await first.blur()
  await page.getByText('Type a date such as 24-Dec-2027').waitFor()
  await first.fill('24 dec 2027')
  await first.press('ArrowDown')
  const calendar = page.getByRole('dialog', { name: 'Calendar' })
  await calendar.getByRole('button', { name: '24 December 2027' }).waitFor()
  await see('catalogue-calendar')
  for (const key of ['PageDown', 'ArrowRight', 'Enter']) await page.keyboard.press(key)
  assert.equal(await first.inputValue(), '25-Jan-2028')
  await first.fill('2020-01-01')
  await page.getByRole('button', { name: /^Create season/ }).click()
  await page.getByText('This day is not in the season.').first().waitFor()
  await see('catalogue-open-refused')
  await first.fill(day)
  await page.getByRole('button', { name: /^Create season/ }).click()
  await page.getByText('Draft').first().waitFor()
  const events = page.getByRole('table', { name: `Events of ${label}` })
  // Exactly thirteen, once the rows of the previous season are gone.
  await events.getByRole('rowheader').first().waitFor()
  await events.getByRole('rowheader').nth(13).waitFor({ state: 'detached' })
  await events.getByRole('rowheader').nth(12).waitFor()
  await see('catalogue-made')
})

test('a late fee is set by the office, announced to a school and ended again, and an event is added by hand', async (look) => {
  const { page, beOffice, beSchool, open, see } = look
  const [subject, fee] = ['Hindi', '35']
  const day = addDays(istDay(new Date()), 1)
  const late = async (from: string, amount: string) => {
    await beOffice('operations', '/office/catalogue')
    await openEvent(page, subject, 'Fees and books')
    // A price typed before stays typed.
    await page.getByLabel('Fee, Class 5', { exact: true }).fill('777')
    await page.getByRole('button', { name: 'Set late fee' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('From (date)').fill(from)
    await dialog.getByLabel('Added per student and subject').fill(amount)
    if (from !== '') await see('catalogue-late')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await page
      .getByText(from === '' ? 'No late fee' : `₹${amount} from ${formatDay(from)}`)
      .first()
      .waitFor()
    assert.equal(await page.getByLabel('Fee, Class 5', { exact: true }).inputValue(), '777')
  }
  await late(day, fee)
  await beSchool('meera', '/student/entry')
  await page.getByText(`₹${fee} from ${formatDay(day)}`).click()
  await page.getByText(`Late fee from ${formatDay(day)}: ₹${fee} per student and subject`).waitFor()
  await see('students-late-fee')
  await page.getByRole('button', { name: 'Hide until tomorrow' }).click()
  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await settled(page)
  assert.equal(await page.getByText(`₹${fee} from ${formatDay(day)}`).count(), 0)
  await late('', '')
  await open('/office/catalogue')
  await page.getByRole('button', { name: 'Add event' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Subject').selectOption({ label: 'Mathematics' })
  await dialog.getByRole('button', { name: 'Add event' }).click()
  await dialog.getByText('Please enter a day.').first().waitFor()
  await see('catalogue-add')
})

/** Sets up the office as its first owner, with the link printed at startup, and signs in. */
async function setUp(page: Page, link: string): Promise<void> {
  const [email, password] = ['asha@foundation.example', 'three blue lamps on a hill']
  await page.goto(link)
  await page.getByLabel('Name', { exact: true }).fill('Asha Namunawala')
  await page.getByLabel('E-mail', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Name of the foundation').fill('Misaal Olympiad Foundation')
  await page.getByLabel('Support phone').fill('1800 000 0000')
  await page.getByLabel('Support e-mail').fill('help@foundation.example')
  await page.getByRole('button', { name: 'Set up office' }).click()
  await page.getByRole('heading', { name: 'Sign in to the office' }).waitFor()
  await firstSignInToOffice(page, email, password)
}

/** Adds an event of a new subject to the current season, and goes to its prices. */
async function addEvent(page: Page, code: string, name: string, days: readonly string[]): Promise<void> {
  await page.getByRole('button', { name: 'Add event' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Subject', { exact: true }).selectOption('new')
  await dialog.getByLabel('Subject code').fill(code)
  await dialog.getByLabel('Subject name').fill(name)
  for (const [index, label] of ['Entries close', 'First date', 'Second date'].entries())
    await dialog.getByLabel(label).fill(days[index] ?? '')
  await dialog.getByRole('button', { name: 'Add event' }).click()
  await page.getByRole('link', { name: 'Fees and books' }).click()
  await page.getByLabel('Fee, Class 1', { exact: true }).waitFor()
}

async function savePrices(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Review changes' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Save prices' }).click()
  await dialog.waitFor({ state: 'detached' })
  await announced(page, 'Saved')
}

plainTest(
  "a new office is guided from nothing to an open season, whose second event takes the first one's prices",
  async () => {
    const { url, printed } = await emptyPortal()
    const { page, complaints, close } = await visitor(url)
    const todo = (n: number) => page.getByText(`${n} of 6 done`).waitFor()
    await setUp(page, /http\S+\/office\/set-up#\S+/.exec(printed())?.[0] ?? '')
    await todo(0)
    for (const size of [
      { width: 1366, height: 768 },
      { width: 360, height: 740 },
    ]) {
      await page.setViewportSize(size)
      await settled(page)
      await fits(page, 'first-steps')
      await accessible(page, 'first-steps')
    }
    await page.setViewportSize({ width: 1366, height: 768 })
    await page.goto(`${url}/office/attendance`)
    await page.getByRole('main').getByText('No students yet', { exact: true }).waitFor()
    await settled(page)
    await page.goto(`${url}/office/catalogue/open`)
    await page.getByRole('heading', { name: 'There are no seasons yet.' }).waitFor()
    await page.goto(`${url}/office`)
    await page.getByRole('link', { name: 'Create the first season' }).click()
    await page.getByRole('button', { name: 'Create the first season' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Create the first season' }).click()
    assert.equal(await dialog.getByText('Please enter a day.').count(), 2)
    const label = (await dialog.getByLabel('Season').inputValue()).slice(0, 4)
    const year = Number(label) + 1
    await dialog.getByLabel('Season').selectOption(`${year}-${String(year + 1).slice(2)}`)
    await dialog.getByLabel('Fees due on').fill(`15-12-${year}`)
    await dialog.getByLabel('Results from').fill(`15-02-${year + 1}`)
    await dialog.getByRole('button', { name: 'Create the first season' }).click()
    await announced(page, new RegExp(`^${year}-\\d\\d is created`))
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await dialog.getByText('This season has no events.').waitFor()
    const can = await dialog.getByRole('button', { name: 'Open' }).getAttribute('aria-disabled')
    assert.equal(can, 'true', 'what no school could enter is not opened')
    await dialog.getByRole('link', { name: 'Show the events of' }).click()
    await dialog.waitFor({ state: 'detached' })

    await addEvent(page, 'M', 'Mathematics', [`20-12-${year}`, `20-01-${year + 1}`, `03-02-${year + 1}`])
    await page.getByLabel('Fee, Class 1', { exact: true }).fill('175')
    await page.getByLabel('Comprehensive Book, Class 1', { exact: true }).fill('220')
    await page.getByRole('button', { name: 'Copy Class 1 to all' }).click()
    await savePrices(page)
    await page.getByRole('link', { name: 'All seasons' }).click()
    await addEvent(page, 'S', 'Science', [`20-12-${year}`, `22-01-${year + 1}`, `05-02-${year + 1}`])
    await page.getByRole('button', { name: 'Copy prices from' }).click()
    await page.getByRole('menuitem', { name: 'Mathematics' }).click()
    const last = page.getByLabel('Comprehensive Book, Class 12', { exact: true })
    await last.and(page.locator('input:enabled[value="220"]')).waitFor()
    await savePrices(page)

    await page.getByRole('link', { name: 'All seasons' }).click()
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await dialog.getByText('No bank account for registration fees is entered').waitFor()
    for (const width of [360, 1366]) {
      await page.setViewportSize({ width, height: 768 })
      await fits(page, 'open-unfinished')
    }
    await accessible(page, 'open-unfinished')
    await dialog.getByRole('button', { name: 'Open' }).click()
    await announced(page, / is open$/)
    await page.getByRole('link', { name: 'Overview' }).click()
    await todo(3)
    assert.deepEqual(complaints, [])
    await close()
  },
)
