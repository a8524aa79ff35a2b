import assert from 'node:assert/strict'
import { describe } from 'node:test'
import type { Page } from 'playwright-core'
import { hold } from './browser.ts'
import { type Look, settled, test, withProviders } from './demo-portal.ts'
import { lastSeason } from './people.ts'

/** The screens of the specification (section 2), each with the elements it names, in the product's words. */

/** Asserts that all these texts are on the page, or in the open dialog. */
async function shows(page: Page, texts: readonly string[], inside = 'main'): Promise<void> {
  const place = page.locator(inside)
  for (const text of texts) await place.getByText(text, { exact: true }).first().waitFor()
}

/** Asserts the columns of the first table, in order. */
async function columns(page: Page, names: readonly string[], inside = 'main'): Promise<void> {
  await page.locator(`${inside} table thead th`).first().waitFor()
  const heads = await page.locator(`${inside} table`).first().locator('thead th').allInnerTexts()
  const columnNames = heads.map((head) => head.trim()).filter((head) => names.includes(head))
  assert.deepEqual(columnNames, names)
}

/** Asserts that fields with these labels exist. */
async function fields(page: Page, labels: readonly string[], inside = 'main'): Promise<void> {
  for (const label of labels) await page.locator(inside).getByLabel(label).first().waitFor()
}

/** Goes to a page by the menu, without a reload; its title shows when it is there. */
async function goOn(page: Page, link: string, title = link): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: link, exact: true }).click()
  await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
}

const dialog = '[role=dialog]'

const menu = {
  Dashboard: '/dashboard',
  'School Details': '/School/Details',
  'Exam Date': '/School/examdate',
  'Contact Detail': '/School/contact-details',
  'Add Student': '/student/entry',
  'Student Report': '/student/summery',
  'Student summary': '/student/finalsummery',
  'Book summary': '/books/summary',
  'Upload Form': '/student/UploadForm',
  'View result': '/result/viewresult',
  'Medal List': '/result/medalist',
  Awards: '/result/award',
  Prizes: '/result/prize',
  'Manage Payments': '/Importantlink/managepayment',
  'Question Paper Status': '/Importantlink/QuctionStatus',
  'Exam Schedule Status': '/Importantlink/examScheduleStatus',
  'Track Order': '/Importantlink/trackorder',
  'Teacher question': '/Importantlink/teacherquestion',
}

/** The important information is on every step before the sign-in. */
const forSchoolsOnly = (page: Page) =>
  page.getByText(/Individual students cannot use this portal\. Students who register/).waitFor()

async function gate({ page, open }: Look): Promise<void> {
  const withoutAgain = await withProviders(page)
  await open('/')
  assert.equal(await page.getByRole('banner').getByRole('button', { name: 'Logout' }).count(), 0)
  await forSchoolsOnly(page)
  await open('/login?id=', /^Oops! The link is invalid\. Try scanning the QR code you downloaded/)
  await open('/login?id=demo-school-vnk0417-qr')
  for (const text of ['Sri Gnanodaya Vidyaniketan', /Karnataka/]) await page.getByText(text).first().waitFor()
  await page.getByLabel('Access code').fill('DEMSCH22')
  await page.getByRole('button', { name: 'Next' }).click()
  for (const way of ['Google', 'Facebook'])
    await page.getByRole('link', { name: `Continue with ${way}` }).waitFor()
  await page.getByRole('button', { name: 'Continue with e-mail' }).click()
  const password = page.getByLabel('Password', { exact: true })
  for (const kind of ['password', 'text', 'password']) {
    assert.equal(await password.getAttribute('type'), kind)
    await page.getByRole('button', { name: /^(Show|Hide) password/ }).click()
  }
  for (const name of ['Forgot Password', 'Sign In'])
    await page.getByRole('button', { name, exact: true }).waitFor()
  await fields(page, ['E-mail', 'Stay Signed in'])
  await forSchoolsOnly(page)
  const create = page.getByRole('link', { name: 'Create Account' })
  assert.equal(await create.getAttribute('href'), '/register?id=demo-school-vnk0417-qr')
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await page.getByRole('link', { name: 'Continue with Google' }).waitFor()
  await withoutAgain()
  await open('/login')
  await page.getByRole('button', { name: 'Sign In', exact: true }).waitFor()
  assert.equal(await page.getByText(/^Continue with/).count(), 0)
}

async function shell({ page }: Look): Promise<void> {
  const letGo = await hold(page, '*/Get_DashBoard_Summary?*')
  await page.goto('/dashboard')
  // A line below the header appears if anything takes longer than a moment.
  await page.getByRole('progressbar', { name: 'Loading' }).waitFor()
  await letGo()
  await settled(page)
  const header = page.getByRole('banner')
  assert.equal(await header.getByRole('link', { name: 'Podium' }).getAttribute('href'), '/dashboard')
  for (const name of ['Menu', 'Logout']) await header.getByRole('button', { name }).waitFor()
  await header.getByText(/Kiran/).first().waitFor()
  const links = page.getByRole('navigation', { name: 'Main' })
  assert.equal(await links.getByRole('heading').count(), 0)
  for (const [name, href] of Object.entries(menu))
    assert.equal(await links.getByRole('link', { name, exact: true }).getAttribute('href'), href, name)
  await page.evaluate(
    'document.documentElement.requestFullscreen = () => Promise.resolve(window.full = true)',
  )
  const full = header.getByRole('button', { name: 'Fullscreen' })
  if (await full.count()) {
    await full.click()
    assert.equal(await page.evaluate('window.full'), true)
  }
  await shows(page, ['Total Students', 'Total Book', 'Teacher Questions', 'Unique Visitors'])
  await page
    .getByText(/^Olympiads Dates for 20\d\d-\d\d$/)
    .first()
    .waitFor()
  await columns(page, ['S.No.', 'Olympiad', 'First date', 'Second date'])
  for (const form of ['School registration form', 'Book order form', 'Student registration form'])
    await page.getByRole('button', { name: new RegExp(`^Filled ?, ${form}$`) }).waitFor()
}

async function withoutSchool({ page, beSchool, open }: Look): Promise<void> {
  await open('/school-detail')
  await page.getByLabel('School name').fill('Kalpana Vidyalaya')
  await page.getByRole('button', { name: 'Sign in to submit' }).click()
  await page.getByText('Phone is required').waitFor()
  await beSchool('waheeda', '/dashboard')
  await shows(page, ['Your account verification is in progress which may take up to 2 business days'])
  await page
    .locator('main')
    .getByText(/Monday to Friday, 9 AM to 5 PM/)
    .waitFor()
  const entry = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Add Student/ })
  assert.equal(await entry.getAttribute('aria-disabled'), 'true')
  await beSchool('naveen', '/school-detail')
  await page.getByLabel('School name').waitFor()
  await open('/dashboard')
  await shows(page, ['Management / School detail'], dialog)
  const labels = ['School name', 'Address', 'City', 'Country', 'State', 'District', 'Pin Code', 'Phone']
  await fields(page, labels, dialog)
  const state = page.locator(dialog).getByLabel('State')
  for (const [country, element] of Object.entries({ Nepal: 'INPUT', India: 'SELECT' })) {
    await page.locator(dialog).getByLabel('Country').selectOption({ label: country })
    await page.locator(`${dialog} ${element}`).and(state).waitFor()
  }
  await page.keyboard.press('Escape')
  const alert = page
    .locator('main')
    .getByText(/To access dashboard, please proceed with school registration by/)
  assert.match(await alert.innerText(), /by\s+clicking here$/)
  await alert.getByRole('button').click()
  await page.locator(dialog).waitFor()
  assert.equal(await page.locator(dialog).count(), 1)
}

async function students({ page, open }: Look): Promise<void> {
  await open('/student/entry')
  await shows(page, ['Manage Student Enrollment'])
  await fields(page, ['Student name', 'Class', 'Section', 'Subject'])
  for (const name of ['Table', 'List']) await page.getByRole('button', { name, exact: true }).waitFor()
  await page.getByRole('button', { name: 'Add Entry' }).click()
  const parents = ['Parent name', 'Parent e-mail', 'Parent mobile']
  await fields(page, ['Class', 'Section', 'Roll no', 'Student name', ...parents, 'Subjects'], dialog)
  const books = {
    7: ['Comprehensive Book', 'Previous Test Paper', 'Olympiad Excellence Guide'],
    13: ['Text Book', 'Work Book'],
  }
  for (const [classId, kinds] of Object.entries(books)) {
    await page.locator(dialog).getByLabel('Class', { exact: true }).selectOption(classId)
    const subjects = { 7: 10, 13: 4 }[Number(classId)]
    await page.locator(dialog).getByText(`0 of ${subjects} chosen`).waitFor()
    await page.locator(dialog).getByRole('button', { name: 'Select all', exact: true }).click()
    await shows(page, kinds, dialog)
    assert.equal(await page.locator(`${dialog} thead th`).count(), kinds.length + 1)
    await page.locator(dialog).getByRole('button', { name: 'Unselect all', exact: true }).click()
  }
}

async function bookOrder({ page, open }: Look): Promise<void> {
  await open('/student/entry')
  await shows(page, ['Paid'], 'main table')
  const money = ['Registration', 'Book amount']
  await columns(page, ['Student', 'Class', 'Roll no', 'Subjects', 'Books', ...money, 'Status'])
  await page.getByRole('button', { name: 'List', exact: true }).click()
  const card = page.locator('.st-card').first()
  for (const name of ['Registration', 'Book amount', 'INR'])
    await card.getByText(name, { exact: true }).waitFor()
  await card
    .getByText(/Mathematics|Science|English|Little Star/)
    .first()
    .waitFor()
  await open('/student/UploadForm')
  await shows(page, ['How to upload offline registration forms.'])
  await open('/books/order')
  await fields(page, ['Class', 'Subject', 'Section', 'Roll no', 'Name'])
  await page.locator('main').getByLabel('Name').fill('a')
  await page.locator('main').getByText('Paid', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'Add Books' }).first().click()
  await fields(page, ['Class', 'Subject', 'Category', 'Quantity'], dialog)
}

async function orderOfStudent({ page, open }: Look): Promise<void> {
  await open('/books/order')
  await page.locator('main').getByLabel('Name').fill('a')
  await page
    .getByRole('link', { name: /^Order books for / })
    .first()
    .waitFor()
}

async function books({ page }: Look): Promise<void> {
  await page.keyboard.press('Escape')
  await page.locator(dialog).waitFor({ state: 'detached' })
  await goOn(page, 'Book summary')
  await page
    .getByRole('button', { name: /Show the list$/ })
    .first()
    .click()
  await page.locator(`${dialog} tbody tr`).first().waitFor()
  const kinds = [
    'Comprehensive Book',
    'Previous Test Paper',
    'Olympiad Excellence Guide',
    'Text Book',
    'Work Book',
  ]
  const amounts = ['Registration amount', 'Book amount']
  const heads = await page.locator(`${dialog} thead th`).allInnerTexts()
  for (const name of ['Class', 'Name', 'Section', 'Roll no', ...amounts])
    assert.ok(heads.includes(name), name)
  assert.ok(
    heads.some((head) => kinds.includes(head)),
    heads.join(),
  )
}

async function results({ page }: Look): Promise<void> {
  await goOn(page, 'View result', 'Results')
  await fields(page, ['Exam level', 'FYear', 'Subject', 'Class'])
  await page.locator('main').getByLabel('FYear').selectOption(lastSeason)
  const subject = page.locator('main').getByLabel('Subject')
  await subject.locator('option', { hasText: 'Mathematics' }).first().waitFor({ state: 'attached' })
  await subject.selectOption({ label: 'Mathematics' })
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.locator('main tbody tr').first().waitFor()
  const ranks = ['Class rank', 'State rank', 'Zonal rank', 'Olympiad rank']
  const scores = ['Raw score', 'Final score']
  const names = ['S.No.', 'Class', 'Roll no', 'Student name', ...scores, ...ranks, 'Medal', 'Prize']
  await columns(page, [...names, 'Eligible For Level-2'])
  const name = page.locator('main tbody tr').first().getByRole('link')
  assert.match((await name.first().getAttribute('href')) ?? '', /^\/r\//)
}

async function payments({ page }: Look): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Leave' }).click()
  await page.locator(dialog).waitFor({ state: 'detached' })
  await goOn(page, 'Manage Payments')
  await shows(page, ['Registration Fee', 'Pending', 'Account name', 'Bank name', 'Account no.', 'IFSC'])
  await page.locator('.bd.bad').getByText('Pending', { exact: true }).first().waitFor()
  await page
    .getByRole('img', { name: /^UPI QR code for ₹/ })
    .first()
    .locator('path')
    .waitFor()
  await page
    .getByRole('button', { name: /^Update Payment Details\(₹[\d,]+\)$/ })
    .first()
    .click()
  await fields(page, ['Payment date', 'Remarks', 'Attachment'], dialog)
}

async function importantLinks({ page }: Look): Promise<void> {
  await goOn(page, 'Manage Payments')
  await page
    .locator('.bd.ok')
    .getByText(/^Paid\(₹[\d,]+\)$/)
    .first()
    .waitFor()
  const amounts = ['S.No.', 'Receipt No.', 'Amount', 'Payment Date', 'Remarks', 'PaymentStatus']
  await columns(page, [...amounts, 'Attachment', 'Entry Date'])
  await page
    .getByText(/^\d\d-[A-Z][a-z]{2}-20\d\d$/)
    .first()
    .waitFor()
  await goOn(page, 'Track Order')
  await columns(page, ['Packet Id', 'Customer details', 'Entry date'])
  await page
    .getByRole('button', { name: /^View Detail/ })
    .first()
    .click()
  await shows(page, ['Courier name', 'Consignment no.', 'Courier link', 'Track'], dialog)
  await page.keyboard.press('Escape')
  await page.locator(dialog).waitFor({ state: 'detached' })
  await goOn(page, 'Exam Schedule Status')
  const hours = ['Exam schedule from', 'Exam schedule to']
  const states = ['ExamStatus', 'ScheduleStatus']
  await columns(page, ['Student name', 'Mother/Father name', 'E-mail', 'Event letter', ...hours, ...states])
}

async function school({ page }: Look): Promise<void> {
  await goOn(page, 'School Details')
  const place = ['Address', 'City', 'District', 'State', 'Country']
  const reach = ['E-mail', 'Landline', 'Website', 'Mobile', 'WhatsApp']
  await shows(page, ['School code', 'School name', ...place, ...reach])
  await goOn(page, 'Exam Date')
  await shows(page, ['First date', 'Second date'])
  await shows(page, ['A payment takes 1 to 2 hours to process before exam dates can be chosen.'])
  await goOn(page, 'Contact Detail')
  const showGroup = page.getByRole('group', { name: 'Show' })
  for (const name of ['All', 'Active', 'Inactive']) await showGroup.getByText(name, { exact: true }).waitFor()
  await page.getByRole('button', { name: 'New Contact' }).waitFor()
  await page.getByRole('switch').first().waitFor()
  await page
    .getByRole('button', { name: /^Edit / })
    .first()
    .click()
  const mobiles = ['Mobile', 'Alternate mobile']
  await fields(
    page,
    ['Designation', 'Title', 'Contact name', 'E-mail', 'Alternate e-mail', ...mobiles],
    dialog,
  )
}

async function family({ page, open }: Look): Promise<void> {
  await open('/student?id=demo-family-of-two-kid')
  let asked = 0
  page.on('request', (request) => {
    if (/VerifyAccessCode/.test(request.url())) asked++
  })
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Access Code is required').waitFor()
  assert.equal(asked, 0)
  await page.getByLabel('Access code').fill('WRONG234')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page
    .getByText(/^Failed: that code does not match\. Compare it with the slip\. Tries left: \d\./)
    .waitFor()
  assert.equal(asked, 1)
  await page.getByLabel('Access code').fill('demfam22')
  // The page's clock is stopped: a success message is shown for exactly 2000 ms.
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.getByRole('button', { name: 'Continue' }).click()
  const message = page.getByText('Access Code verified successfully')
  await message.waitFor()
  await page.clock.runFor(1999)
  assert.ok(await message.isVisible())
  await page.clock.runFor(1)
  await message.waitFor({ state: 'detached' })
  await page.clock.resume()
  await settled(page)
  await page.getByRole('heading', { name: 'Student details' }).waitFor()
  const children = await page.locator('.kid').count()
  assert.equal(children, 2)
  for (let index = 0; index < children; index++)
    await page
      .locator('.kid')
      .nth(index)
      .getByText(/for results, mock tests and exam dates/)
      .waitFor()
  await page
    .getByRole('button', { name: /^Download Enrollment Ticket/ })
    .first()
    .waitFor()
  await page
    .getByRole('button', { name: /^Edit the details/ })
    .first()
    .click()
  await fields(page, ['Student name', 'Parent name', 'Mobile number', 'E-mail'], 'form')
  for (const name of ['Update', 'Back']) await page.getByRole('button', { name }).waitFor()
}

/** The person of each visit (undefined: nobody), and what is checked. */
const visits = {
  'before the sign-in and of families': [[undefined, gate, family]],
  'for a person without a school': [[undefined, withoutSchool]],
  'of the school, its results and its orders': [['kiran', shell, results, importantLinks, school]],
  'of students, books and payments': [
    ['kiran', bookOrder, books],
    ['manoj', students, payments, orderOfStudent],
  ],
} as const

// In parallel: each has its own browser profile and changes nothing.
describe('every element that the specification names exists', { concurrency: true }, () => {
  for (const [name, people] of Object.entries(visits)) {
    test(`the screens ${name} [spec 1.1 2.1.1 2.1.5 2.1.6 2.2.1-4 2.3.3 2.3.6 2.6.1 2.9.5 2.12.2 2.13.4-7 4.4 9.3]`, {
      only: 'desk',
    }, async (look) => {
      look.expects(/status of 4\d\d/)
      for (const [person, ...screens] of people) {
        if (person) await look.beSchool(person)
        for (const screen of screens) await screen(look)
      }
    })
  }
})
