import assert from 'node:assert/strict'
import { test as plainTest } from 'node:test'
import type { AnswerOf } from '@podium/contract/endpoint'
import type { getExamDates } from '@podium/contract/exams/calls'
import type { attendanceEvents } from '@podium/contract/exams/calls-attendance'
import { addDays } from '@podium/contract/season'
import { announced, changeNext, hold } from './browser.ts'
import { broken, faultyFile, type Look, refused, test, walk } from './demo-portal.ts'
import { lastSeason, staysOpen, thisSeason, today } from './people.ts'

/** The school's pages, checked in each of their states. */

test('the dashboard shows each state of a school, and of users still on the way to one [spec 2.1.4 2.5.2 2.6.2 5.9 6.2]', async (look) => {
  const { page, beSchool, see } = look
  for (const person of ['meera', 'kiran', 'joyita', 'waheeda', 'rohit']) {
    await beSchool(person, '/dashboard')
    await see(`dashboard-${person}`)
    if (person === 'waheeda') await page.getByText('Opens once your school is verified.').first().waitFor()
  }
  // What was saved in one's account is there when it is opened again.
  const mobile = page.getByRole('dialog').getByLabel('Mobile No')
  const account = async () => {
    await page.locator('button.user').click()
    await page.getByRole('menuitem', { name: 'Your account' }).click()
    await mobile.waitFor()
  }
  await beSchool('kiran', '/dashboard')
  await account()
  await mobile.fill('9000011111')
  await mobile.press('Enter')
  await announced(page, 'Your details are saved.')
  await page.keyboard.press('Escape')
  await mobile.waitFor({ state: 'detached' })
  await account()
  assert.equal(await mobile.inputValue(), '9000011111')
  await beSchool('naveen', '/dashboard')
  await page.getByRole('dialog').waitFor()
  await see('dashboard-naveen-dialog')
  await page.getByRole('button', { name: 'Submit' }).click()
  await page.getByText('is required').first().waitFor()
  await see('dashboard-naveen-dialog-errors')
})

/** Returns the links and buttons of these that a finger misses 20 px above or below their middle. */
const missed = (selector: string) => `[...document.querySelectorAll('${selector}')]
  .filter((target) => {
    target.scrollIntoView({ block: 'center' })
    const { x, y, width, height } = target.getBoundingClientRect()
    const at = (offset) => document.elementFromPoint(x + width / 2, y + height / 2 + offset)
    return width > 0 && !(target.contains(at(-20)) && target.contains(at(20)))
  })
  .map((target) => target.ariaLabel || target.innerText)`

test('on a phone a finger finds the links of a list and the forms of the dashboard at 44 px', {
  only: 'phone',
}, async ({ page, beSchool, beOffice, open }) => {
  await beSchool('meera', '/dashboard')
  assert.deepEqual(
    await page.evaluate(missed('.downloads button, .panel > header > :is(a, button), a.logo')),
    [],
  )
  await open('/books/order')
  assert.ok((await page.locator('.ra > a').count()) > 0)
  assert.deepEqual(await page.evaluate(missed('.ra > a')), [])
  await beOffice('owner', '/office/receipts')
  await page.getByRole('button', { name: /^Filters/ }).click()
  const calendar = page.getByRole('button', { name: 'Open calendar' }).first()
  assert.ok(((await calendar.boundingBox())?.width ?? 0) >= 44)
})

test('on a phone Back closes an open dialog or the menu, and only then leaves the page', {
  only: 'phone',
}, async ({ page, beSchool, open }) => {
  await beSchool('manoj', '/dashboard')
  await open('/student/entry')
  const dialog = page.getByRole('dialog')
  // Resolves once the router has gone forward again.
  const stays = () =>
    page.evaluate(`new Promise((done) => {
          addEventListener('popstate', () => addEventListener('popstate', done, { once: true }), { once: true })
          history.back()
        }).then(() => undefined)`)
  await page.getByRole('button', { name: 'Add Entry' }).click()
  await dialog.waitFor()
  await stays()
  await dialog.waitFor({ state: 'detached' })
  // With input, it asks as Escape does.
  await page.getByRole('button', { name: 'Add Entry' }).click()
  await dialog.getByLabel('Student name').fill('Om')
  await staysOpen(page, stays)
  await stays()
  await page.getByRole('button', { name: 'Leave' }).click()
  await dialog.waitFor({ state: 'detached' })
  const menu = page.locator('.nav-scrim')
  await page.getByRole('button', { name: 'Menu' }).click()
  await menu.waitFor()
  await stays()
  await menu.waitFor({ state: 'hidden' })
  await page.getByRole('heading', { level: 1, name: 'Manage Student Enrollment' }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
})

test('contacts are cards, with a dialog that reports missing fields [spec 1.12 2.1.9 2.9.11 2.14.4 5.20 5.23 9.19 9.21]', async (look) => {
  const { page, beSchool, open, see, expects } = look
  expects(refused)
  await beSchool('meera', '/School/contact-details')
  await see('contacts')
  await page.getByRole('button', { name: 'New Contact' }).click()
  await page.getByLabel('Contact name').waitFor()
  await see('contacts-dialog')
  await page.getByRole('button', { name: 'Request contact' }).click()
  const dialog = page.getByRole('dialog')
  for (const sentence of [
    'Designation is required.',
    'Title is required.',
    'Contact Name is required.',
    'E-mail is required.',
    'Enter valid mobile no.',
  ])
    await dialog.getByText(sentence).waitFor()
  await dialog.getByLabel('Designation').and(page.locator(':focus')).waitFor()
  await see('contacts-dialog-errors')
  // Escape closes a dialog, a click outside it does not.
  await page.mouse.click(1, 1)
  assert.ok(await dialog.isVisible())
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  // Whoever closes a dialog before its answer comes is told of it, and keeps what the next one holds.
  const edit = page.getByRole('button', { name: /^Edit / }).first()
  let answers: (() => Promise<unknown>)[] = []
  const letGo = await hold(page, '*/Save_ContactPerson', ({ letGo, answer }) =>
    answers.push(letGo, () => answer(409, { result: 'error', message: 'Not today.', code: 'not_found' })),
  )
  const saves = async () => {
    answers = []
    await edit.click()
    await dialog.getByLabel('Contact name').press('Enter')
    await dialog.locator('form[aria-busy]').waitFor()
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Close anyway' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await saves()
  await page.getByRole('button', { name: 'New Contact' }).click()
  await dialog.getByLabel('Contact name').fill('Asha Namuna')
  await answers[0]?.()
  await announced(page, /saved/i)
  assert.equal(await dialog.getByLabel('Contact name').inputValue(), 'Asha Namuna')
  await page.keyboard.press('Escape')
  await saves()
  await answers[1]?.()
  await page.getByRole('alert').filter({ hasText: 'Not today.' }).waitFor()
  await letGo()
  await open('/School/contact-details?show=inactive')
  await see('contacts-inactive')
})

test('students are a table or cards, added in a dialog or imported from a file [spec 2.1.11 2.9.2 2.9.3]', {
  twice: true,
}, async ({ page, size, beSchool, open, see, expects }) => {
  expects(refused)
  await beSchool(
    'meera',
    '/student/entry',
    /^Paid students can no longer be changed. For a correction, call us: \d/,
  )
  await see('students')
  if (size === 'desk') {
    // A name without a space breaks, and the last columns stay in view.
    const beyond = await page.evaluate(`(() => {
      for (const cell of document.querySelectorAll('tbody .ttl')) cell.append('Namunawala'.repeat(4))
      const { scrollWidth, clientWidth } = document.querySelector('.tw')
      return scrollWidth - clientWidth
    })()`)
    assert.equal(beyond, 0)
    // Typed just before going on to another page, a filter does not follow.
    const parts = await hold(page, '*/assets/*.js')
    await page.getByLabel('Student name').fill('a')
    await page.evaluate(`document.querySelector('nav a[href="/student/signoff"]').click()`)
    await page.evaluate('new Promise((written) => setTimeout(written, 260))')
    await parts()
    await page.getByRole('heading', { level: 1, name: 'Sign-off' }).waitFor()
    assert.doesNotMatch(page.url(), /name=/)
    await open('/student/entry')
  }
  await page
    .getByRole('button', { name: 'List', exact: true })
    .or(page.getByLabel('List', { exact: true }))
    .first()
    .click()
  await see('students-cards')
  await open('/student/entry?name=zzzz')
  await see('students-no-match')
  await beSchool('manoj', '/student/entry')
  await page.getByRole('checkbox').nth(1).check()
  await page.getByRole('checkbox').nth(2).check()
  // The action bar covers rows until the end of the list.
  await page.evaluate('scrollTo(0, document.body.scrollHeight)')
  await see('students-selected')
  assert.equal(await page.getByText('Paid students can no longer be changed').count(), 0)
  await page.getByRole('button', { name: 'Add Entry' }).click()
  await page.getByRole('dialog').waitFor()
  await see('students-dialog')
  await page.getByRole('button', { name: 'Save student' }).click()
  await page.getByText('is required').first().waitFor()
  await see('students-dialog-errors')
  await page.getByRole('dialog').getByLabel('Class', { exact: true }).selectOption('4')
  await page.getByRole('button', { name: 'Select all', exact: true }).click()
  await page.locator('.chip').first().waitFor()
  assert.equal(await page.locator('.chip').filter({ hasText: 'late fee' }).count(), 0)
  await see('students-dialog-books')
  await page.getByRole('dialog').getByLabel('Class', { exact: true }).selectOption('15')
  await page.getByRole('button', { name: 'Select all', exact: true }).click()
  await see('students-dialog-little-star')
  await beSchool('manoj', '/student/entry')
  await page.getByRole('link', { name: 'Import', exact: true }).click()
  await page.getByRole('button', { name: 'Choose a file' }).waitFor()
  await see('students-import')
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'class-4.csv', mimeType: 'text/csv', buffer: Buffer.from(faultyFile) })
  await page.getByRole('heading', { name: /rows? to correct/ }).waitFor()
  await see('students-import-errors')
  await beSchool('joyita', '/student/entry')
  await see('students-empty')
})

test("a school's credit is named above its fees, apart from them", async ({ page, beSchool, see }) => {
  await changeNext<{ credit: number }>(page, /Summary_For_Payment/, (answer) => {
    answer.credit = 1170
  })
  await beSchool('manoj', '/Importantlink/managepayment')
  const note = await page.locator('.note').filter({ hasText: '₹1,170' }).boundingBox()
  const fees = await page.getByRole('heading', { name: 'Registration Fee' }).first().boundingBox()
  const card = await page
    .locator('.card, .panel')
    .filter({ hasText: 'Registration Fee' })
    .first()
    .boundingBox()
  assert.ok(note && fees && card && card.y - note.y - note.height >= 8, JSON.stringify({ note, card }))
  await see('payments-credit')
})

plainTest('payments are due, being verified, rejected or paid [spec 2.13.1]', async () => {
  await walk(async ({ beSchool, see }) => {
    for (const person of ['meera', 'savitri', 'sunita', 'kiran', 'joyita', 'waheeda']) {
      await beSchool(person, '/Importantlink/managepayment')
      await see(`payments-${person}`)
    }
  })
  const pays = async ({ page, beSchool, see }: Look) => {
    await beSchool('manoj', '/Importantlink/managepayment')
    await see('payments-manoj')
    await page
      .getByRole('button', { name: /^Update Payment Details/ })
      .first()
      .click()
    await page.getByRole('dialog').getByLabel('Remarks').waitFor()
    await see('payments-dialog')
    await page.getByRole('button', { name: /^Send details/ }).click()
    await page.getByText('is required').first().waitFor()
    await see('payments-dialog-errors')
  }
  await walk(pays, { twice: true })
  await walk(
    async ({ page, beSchool }) => {
      await beSchool('manoj', '/Importantlink/managepayment')
      await page.getByRole('button', { name: 'Request a waiver' }).click()
      const dialog = page.getByRole('dialog')
      const choose = (name: string) => dialog.getByLabel(name, { exact: true })
      await choose('Class').selectOption('7')
      await choose('Student').locator('option').nth(1).waitFor({ state: 'attached' })
      await choose('Student').selectOption({ index: 1 })
      // The student of one class is not asked for after another class was chosen.
      await choose('Class').selectOption('12')
      await choose('Reason').fill('The family has lost its income.')
      await dialog.getByRole('button', { name: 'Request a waiver' }).click()
      await dialog.getByText('Please choose a student.').waitFor()
    },
    { only: 'desk' },
  )
})

test('results are in four lists, each row with its reasons [spec 1.11 2.1.18 5.19]', async (look) => {
  const { page, beSchool, open, see } = look
  await beSchool('kiran', '/result/viewresult')
  await see('results-choose')
  const year = page.locator('main').getByLabel('FYear')
  assert.equal(await year.inputValue(), thisSeason)
  await year
    .locator('option', { hasText: lastSeason.slice(0, 4) })
    .first()
    .waitFor({ state: 'attached' })
  const seasons = await year.locator('option').allInnerTexts()
  await year.selectOption(seasons.find((season) => season.includes(lastSeason.slice(0, 4))) ?? '')
  await page.locator('main').getByLabel('Subject').locator('option').nth(1).waitFor({ state: 'attached' })
  await page.locator('main').getByLabel('Subject').selectOption({ index: 1 })
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page
    .getByRole('button', { name: /^Class rank/ })
    .first()
    .click()
  await page.getByText('In order of priority').first().waitFor()
  await see('results')
  for (const name of ['Medal List', 'Awards', 'Prizes']) {
    await page.locator('main').getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await see(`results-${name.toLowerCase().replace(' ', '-')}`)
  }
  await open(`/result/prize?FYear=${thisSeason}`)
  // Earlier tests decide whether any results of this season are out.
  await page.locator('main').getByLabel('Subject').selectOption('')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.getByText('Subject is required').waitFor()
  await page.locator('main').getByLabel('Subject').and(page.locator(':focus')).waitFor()
  await page.locator('main').getByLabel('Level').selectOption('2')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.getByText(`No results of Level 2 in ${thisSeason}.`).waitFor()
})

/** The school's own data and the days of its exams. */

test('a school sees the details the foundation has on record, and how to change them [spec 1.12 2.1.7 2.14.1 2.14.2]', async (look) => {
  const { page, beSchool, open, see } = look
  await beSchool('meera')
  await page.goto('/School')
  await page.getByRole('heading', { level: 1, name: 'School Details' }).waitFor()
  await page.locator('main').getByText('VNK0417').first().waitFor()
  // An empty field is not shown.
  assert.equal(await page.getByText('Fax', { exact: true }).count(), 0)
  await see('school-details')
  await page.getByRole('button', { name: 'Change details' }).click()
  await page.getByRole('dialog').getByText('@').first().waitFor()
  await see('school-details-how-to-change')
  await open('/School/examdate')
  await see('exam-dates-unpaid')
  await open('/School/attendance')
  // Each olympiad is collapsed below its counts.
  await see('attendance')
  const olympiad = page.locator('main details').first()
  assert.ok(!(await olympiad.getByRole('table').isVisible()))
  // On paper it could not be opened.
  await page.emulateMedia({ media: 'print' })
  await olympiad.getByRole('table').waitFor()
  // Black on white, even by whose device or choice the screen is dark.
  await page.evaluate("document.documentElement.dataset.theme = 'dark'")
  assert.equal(await page.evaluate('getComputedStyle(document.documentElement).colorScheme'), 'light')
  await page.evaluate('delete document.documentElement.dataset.theme')
  await page.emulateMedia({ media: null })
  await olympiad.locator('summary').click()
  await olympiad.getByText('After the exam', { exact: true }).first().waitFor()
  await see('attendance-opened')
  // Who opens a list that has grown since it was entered is told so there, too.
  await changeNext<AnswerOf<typeof attendanceEvents>>(page, /Get_Attendance\?/, ({ data: [event] }) => {
    const entered = { absent: 0, added: 1, savedAt: '2026-11-29T06:00:00.000Z', version: 1 }
    Object.assign(event ?? {}, { can: true })
    Object.assign(event?.classes[0] ?? {}, entered)
  })
  await page.reload()
  await page.getByText('1 student to enter').first().waitFor({ state: 'attached' })
  await page.locator('main summary').first().click()
  await see('attendance-added')
  await page
    .getByRole('button', { name: /^Edit: / })
    .first()
    .click()
  await page.getByRole('dialog').getByText('1 student joined this list after you entered it on').waitFor()
  await see('attendance-added-list')
})

test('a school chooses one of two dates once its students are paid, and changes it [spec 1.12 2.1.8 2.14.3 4.15 5.21 8.10 8.11]', async (look) => {
  const { page, beSchool, see } = look
  const subject = 'Mathematics'
  await beSchool('fiona', '/School/examdate')
  const row = page.getByRole('row').filter({ hasText: subject }).first()
  await row.getByRole('button', { name: `Change the exam date of ${subject}` }).click()
  await page.getByText('Please select Exam date.').first().waitFor()
  await see('exam-dates-nothing-chosen')
  for (const index of [0, 1]) {
    const date = row.getByRole('radio').nth(index)
    await date.click()
    await announced(page, 'Details saved sucessfully')
    await date.and(page.locator(':checked')).waitFor()
  }
  // Chosen again before the list with the choice before has come.
  const lists = Promise.withResolvers<void>()
  const letListsGo = await hold(page, '*/GetParticipateSubjectForChangeExamDate*', (request) =>
    lists.promise.then(request.letGo),
  )
  for (const index of [0, 1]) await row.getByRole('radio').nth(index).click()
  lists.resolve()
  for (const _ of [0, 1]) await announced(page, 'Details saved sucessfully')
  await letListsGo()
  await row.getByText('4 changes').click()
  await row
    .getByText(/ instead of /)
    .first()
    .waitFor()
  await see('exam-dates-changed')
  // On a slow connection one date is chosen while another is being saved.
  const letGo = await hold(page, '*/ManageSchool/SetExamDate')
  await row.getByRole('radio').first().click()
  const other = page.getByRole('row').filter({ hasText: 'English' }).first().getByRole('radio').first()
  await other.click()
  await row.getByRole('radio').first().and(page.locator(':checked')).waitFor()
  await letGo()
  await row.getByText('5 changes').waitFor()
  await other.and(page.locator(':checked')).waitFor()
})

test('in its last week the table of exam dates counts the days left to choose', { only: 'desk' }, async ({
  page,
  beSchool,
  open,
  see,
}) => {
  const days = [0, 1, 7, 8].map((n) => addDays(today, n))
  await beSchool('fiona')
  await changeNext<AnswerOf<typeof getExamDates>>(
    page,
    /GetParticipateSubjectForChangeExamDate/,
    ({ data }) => {
      for (const [index, until] of days.entries()) Object.assign(data[index] ?? {}, { can: true, until })
      Object.assign(data[4] ?? {}, { can: 'exam.too_late', until: addDays(today, -1) })
    },
  )
  await open('/School/examdate', 'Today is the last day')
  await see('exam-dates-last-days')
  assert.deepEqual(await page.locator('.last-days').allInnerTexts(), [
    'Today is the last day',
    '1 day left',
    '7 days left',
  ])
})

test('arrow keys move between the exam dates without saving, and Enter or Change saves', {
  only: 'desk',
}, async ({ page, beSchool, see, expects }) => {
  expects(broken)
  await beSchool('fiona', '/School/examdate')
  const row = page.getByRole('row').filter({ hasText: 'Science' }).first()
  const [first, second] = [row.getByRole('radio').first(), row.getByRole('radio').last()]
  // Its answer is lost: the date is chosen all the same. Until that is known, the row says that it is being saved.
  await page.route('**/SetExamDate', (route) => route.fetch().then(() => route.abort()), { times: 1 })
  const known = Promise.withResolvers<void>()
  await page.route(
    '**/GetParticipateSubjectForChangeExamDate*',
    (route) => known.promise.then(() => route.continue()),
    { times: 1 },
  )
  await first.click()
  await row.getByText('Saving').waitFor()
  known.resolve()
  await announced(page, 'Details saved sucessfully')
  assert.equal(await page.getByRole('alert').count(), 0)
  await row.getByText('Chosen', { exact: true }).waitFor()
  const saved: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('SetExamDate')) saved.push(request.url())
  })
  await first.press('ArrowRight')
  await row.getByText('Not saved yet').waitFor()
  assert.ok(await second.isChecked())
  await see('exam-date-not-saved')
  await second.press('ArrowLeft')
  await row.getByText('Chosen', { exact: true }).waitFor()
  assert.deepEqual(saved, [])
  await first.press('ArrowRight')
  await second.press('Enter')
  await announced(page, 'Details saved sucessfully')
  await row.getByText('1 change', { exact: true }).waitFor({ state: 'detached' })
  await second.press('ArrowLeft')
  await row.getByRole('button', { name: 'Change the exam date of Science' }).click()
  await announced(page, 'Details saved sucessfully')
  await row.getByText('3 changes').waitFor()
  assert.ok(await first.isChecked())
})

test("a student found in the palette is shown with the class in the reader's language", {
  language: 'hi',
}, async ({ page, beSchool }) => {
  await beSchool('meera', '/dashboard')
  await page.keyboard.press('Control+k')
  await page.locator('.palette-search input').fill('Misaal')
  const places = page.locator('.palette-group small')
  await places.first().waitFor()
  assert.deepEqual(
    (await places.allInnerTexts()).filter((place) => !place.startsWith('कक्षा ')),
    [],
  )
})
