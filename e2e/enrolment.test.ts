import assert from 'node:assert/strict'
import { announced, hold } from './browser.ts'
import { broken, refused, test } from './demo-portal.ts'
import { lastSeason, thisSeason } from './people.ts'

/** Last season's students: shown as a comparison, corrected in place, entered, undone. */

test('last season is reviewed class by class and corrected in place; empty, closed and failed states are shown', async (look) => {
  const { page, beSchool, open, see, expects } = look
  expects(broken)
  await beSchool('arasu')
  await page.goto('/student/entry')
  await page.getByRole('link', { name: 'From last season' }).click()
  await page.getByText('Class 1', { exact: false }).first().waitFor()
  const group = page.locator('details').filter({ hasText: 'from UKG' })
  await group.getByText('Subject is required.').first().waitFor()
  const box = (name: string) =>
    group.getByRole('group', { name: /^Subjects for/ }).getByLabel(name, { exact: true })
  await box('Mathematics').check()
  await group.getByRole('button', { name: 'Apply' }).click()
  await group.getByText('Subject is required.').first().waitFor({ state: 'detached' })
  const edit = group.getByRole('button', { name: /^Change / }).first()
  // Opened before the new section of all has arrived, the form does not set the old one.
  const preview = await hold(page, '*/PreviewCarryOver')
  await group.locator('.cy-section select').first().selectOption('Q')
  await edit.click()
  await preview()
  await group.locator('.stale').waitFor({ state: 'detached' })
  await group.getByLabel('Roll no', { exact: true }).fill('0')
  await group.getByLabel('Roll no', { exact: true }).press('Enter')
  await group.getByText('Roll No is a whole number from 1.').waitFor()
  await see('carry-over-edit')
  await group.getByLabel('Roll no', { exact: true }).fill('97')
  await group.getByLabel('Roll no', { exact: true }).press('Enter')
  const row = group.getByRole('row').filter({ has: page.getByRole('cell', { name: '97', exact: true }) })
  await row.getByRole('cell', { name: 'Q', exact: true }).waitFor()
  await page.locator('[aria-label^="Change "]:focus').waitFor()

  await beSchool('joyita')
  await page.route('**/PreviewCarryOver*', (route) => route.fulfill({ status: 500, body: '' }))
  await open('/student/lastseason')
  const retry = page.getByRole('button', { name: 'Try again' })
  await retry.waitFor()
  await page.unroute('**/PreviewCarryOver*')
  await retry.click()
  await page.getByText('No one to bring over').waitFor()
  await page.evaluate(`sessionStorage.setItem('season', '${lastSeason}')`)
  await open('/student/lastseason', `Season ${lastSeason} is not open for enrolment.`)
})

test('the selected students are entered with the amount confirmed, and the entry is undone', {
  only: 'desk',
}, async ({ page, beSchool, open, see, expects }) => {
  expects(broken)
  await beSchool('arasu', '/student/lastseason')
  const bar = page.getByRole('button', { name: /^Enter \d+ students$/ })
  const before = await bar.innerText()
  const last = page.locator('details').filter({ has: page.getByRole('heading', { name: /^Class 12/ }) })
  await last.locator('summary').click()
  await last.getByLabel('Enter the students of Class 12').uncheck()
  await page.getByRole('button', { name: before, exact: true }).waitFor({ state: 'detached' })
  await bar.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Payable').waitFor()
  await see('carry-over-confirm')
  // Its answer is lost, so it is sent once more, and the students are entered once.
  await page.route('**/ConfirmCarryOver*', (route) => route.fetch().then(() => route.abort()), { times: 1 })
  await dialog.getByRole('button', { name: /^Enter / }).click()
  const entered = Number.parseInt(await page.getByText(/^\d+ students added\.$/).innerText(), 10)
  await page.getByRole('link', { name: 'See them' }).click()
  await page.getByText(new RegExp(`students of ${lastSeason}:`)).waitFor()
  await page.getByText(`${entered + 7} students in ${thisSeason}`).waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText(/^\d+ students removed\.$/).waitFor()
  await page.getByRole('button', { name: 'Choose students again' }).waitFor()
  await see('carry-over-undone')
  await open('/student/import')
  await page.getByRole('link', { name: `Show: Students of ${lastSeason}` }).click()
  await page.getByText('This was undone.').waitFor()
  await page.getByRole('link', { name: 'From last season' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Choose another file' }).count(), 0)
  // What it says stands at the top of its panel.
  assert.notEqual(await page.locator('.panel .stack > div').first().innerText(), '')
  await see('import-desk-undone')

  await beSchool('manoj', '/student/entry')
  for (const at of [0, 1, 2]) await page.locator('tbody input[type=checkbox]').nth(at).check()
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  await dialog.getByLabel('Move to section').check()
  await dialog.getByLabel('Section', { exact: true }).selectOption('Q')
  await dialog.getByText('3 students will change.').waitFor()
  await see('students-change')
  await dialog.getByRole('button', { name: 'Change 3 students' }).click()
  await page.getByText('3 students changed.').waitFor()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await announced(page, '3 students restored')
})

test('the coordinator signs a list off, finds it closed, and reopens it with a reason', async (look) => {
  const { page, beSchool, open, see, expects } = look
  expects(refused)
  const subject = 'Science'
  await beSchool('savitri', '/student/signoff')
  const row = page
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: subject, exact: true }) })
  await page.getByRole('columnheader', { name: 'Before you sign off' }).waitFor()
  await see('sign-off')
  await row.getByRole('checkbox').check()
  await page.getByText('1 list selected').waitFor()
  await page.getByRole('group', { name: 'Sign-off' }).getByRole('button', { name: 'Sign off' }).click()
  const dialog = page.getByRole('dialog')
  const name = dialog.getByLabel('Your name')
  const own =
    /Type (.+) to confirm/.exec(await dialog.getByText(/^Type .+ to confirm\.$/).innerText())?.[1] ?? ''
  await name.fill(`${own} Other`)
  await dialog.getByRole('button', { name: 'Sign off' }).click()
  await dialog.getByText('Type your name as your account shows it.').waitFor()
  await see('sign-off-dialog')
  await name.fill(own.toLowerCase())
  await dialog.getByRole('button', { name: 'Sign off' }).click()
  await row.getByText('Signed off', { exact: true }).waitFor()
  await open('/student/entry')
  await page.getByRole('button', { name: 'Add Entry' }).click()
  await dialog.getByLabel('Class', { exact: true }).selectOption('5')
  await dialog.getByRole('combobox', { name: 'Subjects' }).click()
  await page.getByRole('option', { name: `${subject} (signed off)` }).waitFor()
  await open('/student/signoff')
  await row.getByRole('button', { name: `Reopen ${subject}` }).click()
  await dialog.getByRole('button', { name: 'Reopen' }).click()
  await dialog.getByText('Please enter a reason.').waitFor()
  await dialog.getByLabel('Reason').fill('A child came late')
  await dialog.getByRole('button', { name: 'Reopen' }).click()
  await row.getByText('Open', { exact: true }).waitFor()
  await row.getByText(/^History/).click()
  await row.getByText(/A child came late/).waitFor()
  await see('sign-off-history')
})

const refusal = 'A payment for these books is being verified. You can make changes after that.'

/** The library's book order: ordered, changed, withdrawn, and due on the payments page. */

test('copies are ordered by keyboard, changed and withdrawn, and are a separate fee item [spec 2.1.15 2.11.1 5.17 5.18 8.10]', async (look) => {
  const { page, beSchool, open, see, expects } = look
  expects(refused)
  const dialog = page.getByRole('dialog')
  const field = (name: string) => dialog.getByLabel(name, { exact: true })
  const row = (subject: string) => page.getByRole('row').filter({ hasText: subject })
  const classId = '3'
  await beSchool('kiran')
  await page.goto('/manage-book')
  const add = page.getByRole('button', { name: 'Add Books' })
  await add.waitFor()
  // A dialog closes, and the button that opened it goes just after it has the focus back.
  await page.evaluate(`(async () => {
        for (const name of ['In the dialog', 'Add Books']) {
          const button = document.querySelector('main').appendChild(document.createElement('button'))
          button.textContent = name
          button.focus()
          button.remove()
          await new Promise((resolve) => setTimeout(resolve))
        }
      })()`)
  await add.and(page.locator(':focus')).waitFor()
  await add.click()
  await dialog.getByRole('button', { name: 'Save order' }).click()
  for (const message of ['Class is required.', 'Quantity is required.'])
    await dialog.getByText(message).waitFor()
  await dialog.getByText('Subject is required.').nth(1).waitFor()
  await see('book-order-errors')
  await field('Class').selectOption(classId)
  await field('Subject').selectOption({ label: 'Mathematics' })
  await field('Category').selectOption({ label: 'Previous Test Paper' })
  await field('Quantity').fill('12')
  await dialog.getByRole('button', { name: 'Save order, ₹1,920' }).waitFor()
  await see('book-order-dialog')
  // Pressed too long or twice, it saves once, and the next book is saved as its own key says.
  const saves = await hold(page, '*/ManageBook/SaveBookOrder')
  await field('Quantity').press('Control+Enter')
  await field('Quantity').press('Control+Enter')
  await saves()
  await dialog.locator('[data-path="bookCategory"]:focus').waitFor()
  assert.equal(await field('Class').inputValue(), classId)
  await field('Subject').selectOption({ label: 'Science' })
  await field('Category').selectOption({ label: 'Previous Test Paper' })
  await field('Quantity').fill('1')
  await field('Quantity').press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Add Books' }).click()
  await field('Class').selectOption(classId)
  await field('Subject').selectOption({ label: 'Science' })
  await field('Category').selectOption({ label: 'Previous Test Paper' })
  await field('Quantity').fill('1')
  await field('Quantity').press('Enter')
  await dialog.getByText('This book is already in the order.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Leave' }).click()
  await dialog.waitFor({ state: 'detached' })
  const science = row('Science').filter({ hasText: `Class ${classId}` })
  await science.getByRole('button', { name: /^Change / }).click()
  await field('Quantity').fill('5')
  await field('Quantity').press('Enter')
  await science.getByText('₹800').waitFor()
  await see('book-order')
  await open('/Importantlink/managepayment', /books? for your library/)
  await open('/books/order')
  // The refusal is shown before the lists are reloaded
  const lists = await hold(page, '*/ManageBook/GetBookOrder*')
  const deletes = await hold(page, '*/ManageBook/DeleteBookOrder', ({ answer }) =>
    answer(409, { result: 'error', message: refusal, code: 'books.sent' }),
  )
  await science.getByRole('button', { name: /^Delete / }).click()
  await dialog.getByRole('button', { name: 'OK' }).click()
  await dialog.getByText(refusal).waitFor()
  await lists()
  await deletes()
  await open('/books/order')
  for (const subject of ['Science', 'Mathematics']) {
    const line = row(subject).filter({ hasText: `Class ${classId}` })
    await line.getByRole('button', { name: /^Delete / }).click()
    await dialog.getByText('Do you want delete book order').waitFor()
    await dialog.getByRole('button', { name: 'OK' }).click()
    await line.waitFor({ state: 'detached' })
  }
})

test('an order is shown as paid, as empty, or as an error when it cannot be loaded', async (look) => {
  const { page, beSchool, open, see, expects } = look
  expects(broken)
  await beSchool('meera', '/books/order')
  await page
    .getByRole('button', { name: /^Download receipt PD\d\d/ })
    .first()
    .waitFor()
  // Books of a paid student can't be changed, so nothing leads there.
  await page.getByText("Books of a paid student can't be changed").waitFor()
  const paid = page.getByRole('row', { name: /Daksh D'Misaal/ })
  await paid.getByText('Paid', { exact: true }).waitFor()
  assert.equal(await paid.getByRole('link', { name: /^Order books for/ }).count(), 0)
  await beSchool('joyita')
  await page.route('**/GetBookOrder*', (route) => route.fulfill({ status: 500, body: '' }))
  await open('/books/order')
  const retry = page.getByRole('button', { name: 'Try again' })
  await retry.waitFor()
  await page.unroute('**/GetBookOrder*')
  await retry.click()
  await page.getByText('No books ordered yet').waitFor()
  await see('book-order-empty')
})

test("in a low window a whole dialog scrolls, and a field's error is never hidden behind its footer", async (look) => {
  const { page, beSchool, expects } = look
  expects(refused)
  await beSchool('joyita', '/student/entry')
  await page.setViewportSize({ width: 683, height: 384 })
  await page.getByRole('button', { name: 'Add Entry' }).first().click()
  const dialog = page.getByRole('dialog')
  const name = dialog.getByLabel('Student name')
  await name.waitFor()
  const inSight = async (element: typeof name) => {
    const { x, y, width, height } = (await element.boundingBox()) ?? { x: -1, y: -1, width: 0, height: 0 }
    const at = `document.elementFromPoint(${x + width / 2}, ${y + height / 2})`
    return page.evaluate<boolean>(`${at} !== null && ${at}.closest('.db') !== null`)
  }
  assert.ok(await inSight(name), 'half of the window are fields')
  await dialog.getByLabel('Parent e-mail').fill('nobody')
  await dialog.getByLabel('Class', { exact: true }).selectOption('5')
  await dialog.getByLabel('Section', { exact: true }).selectOption('A')
  await dialog.getByLabel('Roll no', { exact: true }).fill('1')
  await name.fill('Om Misaal')
  await dialog.getByRole('button', { name: /^Save student/ }).click()
  const said = dialog.getByText('Enter valid E-mail.')
  await said.waitFor()
  await dialog.locator('[aria-invalid=true]:focus').waitFor()
  assert.ok(await inSight(said))
  await page.setViewportSize({ width: 360, height: 480 })
  await dialog.getByRole('button', { name: /^Save student/ }).click()
  await dialog.locator('[aria-invalid=true]:focus').waitFor()
  assert.ok(await inSight(said))
})

test('the note about several deleted students stays for the others when one is restored', async (look) => {
  const { page, beSchool } = look
  await beSchool('manoj', '/student/entry')
  const ok = page.getByRole('dialog').getByRole('button', { name: 'OK' })
  const restore = page.getByRole('button', { name: /^Restore / })
  // The note's file arrives only after the first deletion: the page stays meanwhile, and the focus is in the row.
  await page
    .getByRole('button', { name: /^Delete / })
    .first()
    .click()
  await ok.click()
  await restore.and(page.locator(':focus')).click()
  await announced(page, 'restored')
  for (const row of [1, 2]) await page.getByRole('checkbox').nth(row).check()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await ok.click()
  await page.getByText('2 students deleted.').waitFor()
  await restore.first().click()
  await page.getByText('1 student deleted.').waitFor()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await announced(page, '1 student restored.')
  await page.getByText('1 student deleted.').waitFor({ state: 'detached' })
})
