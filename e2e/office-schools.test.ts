import assert from 'node:assert/strict'
import { announced, changeNext, hold, reconnect } from './browser.ts'
import { test } from './demo-portal.ts'
import { lastSeason, signInToOffice } from './people.ts'

/** The office's schools: the register, a school's record, its staff, money and link; and adding a school. */

test('the office finds a school, reads its record and shows its access code', async (look) => {
  const { page, beOffice, see } = look
  await beOffice('operations', '/office/schools')
  await see('office-schools')
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check()
  await page.getByRole('button', { name: 'Deactivate' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Deactivate' }).click()
  await dialog.getByText('Please enter a reason.').waitFor()
  await see('office-schools-off')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Clear selection' }).click()
  // The bar is gone: what was in it gives the focus back to the list.
  await page.locator('thead [type=checkbox]:focus').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('vnk0417')
  await page.getByText('1 matching school').first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'History' }).waitFor()
  await see('office-school')
  const parts = page.getByRole('navigation', { name: 'Sections of this record' })
  await parts.getByRole('link', { name: 'People' }).click()
  await page.getByRole('table', { name: 'Staff' }).waitFor()
  await see('office-school-people')
  await parts.getByRole('link', { name: 'Notes' }).click()
  const note = dialog.getByRole('textbox', { name: 'Note' })
  await page.getByRole('button', { name: 'Add note' }).click()
  await note.fill('Asked for the price list')
  const answer = await hold(page, '*/addNote')
  const asked = page.waitForRequest(/addNote/)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await asked
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Close anyway' }).click()
  await page.getByRole('button', { name: 'Add note' }).click()
  await note.fill('Half a note')
  await answer()
  // It does not close the dialog opened since.
  await announced(page, 'Note saved')
  assert.equal(await note.inputValue(), 'Half a note')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Edit', exact: true }).first().click()
  await dialog.getByLabel('City').fill('Namunapur')
  await changeNext<{ school: { version: number } }>(page, /schools\/one/, ({ school }) => school.version++)
  const loaded = page.waitForResponse(/schools\/one/)
  await reconnect(page)
  const { school } = await (await loaded).json()
  const nothing = { result: 'success', message: '' }
  await page.route(/schools\/save$/, (route) => route.fulfill({ json: nothing }), { times: 1 })
  const saved = page.waitForRequest(/schools\/save$/)
  await dialog.getByRole('button', { name: 'Save' }).click()
  // What another officer has saved since the dialog was opened is not overwritten.
  assert.equal((await saved).postDataJSON().version, school.version - 1)
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('region', { name: 'at a glance' }).getByRole('link', { name: /^Due/ }).waitFor()
  await parts.getByRole('link', { name: 'Money' }).click()
  await page.getByRole('table', { name: 'Seasons' }).waitFor()
  await see('office-school-years')
  await parts.getByRole('link', { name: 'Link' }).click()
  await page.getByRole('button', { name: 'Reveal code' }).click()
  await page.getByText('DEMS CH22').first().waitFor()
  await see('office-school-link')
})

test("an officer opens a returned e-mail's address and marks it as working again", { only: 'desk' }, async ({
  page,
  beOffice,
  open,
  see,
}) => {
  await beOffice('viewer', '/office/mails?state=bounced')
  await see('office-mails-returned')
  await page.getByRole('link', { name: /KBB0402/ }).click()
  const works = page.getByRole('button', { name: 'Mark as working: rekha@podium.example' })
  await works.waitFor()
  assert.equal(await works.getAttribute('aria-disabled'), 'true')
  await beOffice('operations')
  // No e-mail has failed, so the first state with e-mails opens.
  await open('/office/mails')
  await page.getByRole('link', { name: /KBB0402/ }).click()
  await works.waitFor()
  await see('office-school-returned')
  await works.focus()
  await page.keyboard.press('Enter')
  await announced(page, 'rekha@podium.example is marked as working')
  await works.waitFor({ state: 'detached' })
  await page.locator('main span:focus', { hasText: 'rekha@podium.example' }).waitFor()
  await page.getByText('Address marked as working').waitFor()
})

test('Enter in the search opens the typed result as soon as it is found, and a closed dialog restores focus', async (look) => {
  const { page, beOffice } = look
  await beOffice('operations', '/office')
  await page.keyboard.press('Control+k')
  await page.locator('.palette-search input').fill('vnk0417')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /^Sri Gnanodaya/, level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.locator('.palette-search input').fill('kps0102')
  await page.locator('.palette-entry[data-selected]', { hasText: 'Kalpanik Public School' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Kalpanik Public School', level: 1 }).waitFor()
  for (const name of ['Deactivate', 'Edit', 'Sign in as school']) {
    const button = page.getByRole('button', { name, exact: true })
    await button.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('textbox').first().waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.locator('button:focus', { hasText: name }).waitFor()
  }
})

test('errors in the form are shown to the office, and actions outside a role are disabled', async (look) => {
  const { page, beOffice, see } = look
  await beOffice('owner', '/office/schools?search=zzzz', 'No schools match')
  await page.getByRole('button', { name: 'New school' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create school' }).click()
  await dialog.locator('[aria-invalid="true"]').first().waitFor()
  await see('office-school-new')
  await page.keyboard.press('Escape')
  await beOffice('viewer', '/office/schools?search=vnk0417')
  await page.getByRole('rowheader').getByRole('link').first().click()
  await page
    .getByRole('navigation', { name: 'Sections of this record' })
    .getByRole('link', { name: 'Link' })
    .click()
  await page.getByText('Only owners and operations can see access codes.').first().waitFor()
  await see('viewer-school-link')
})

test('the office saves a view of a list, with its filters and without one column', async (look) => {
  const { page, beOffice, open, see } = look
  await beOffice('operations', '/office/schools?state=Kerala')
  await page.getByRole('button', { name: 'View', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Staff', { exact: true }).waitFor()
  await see('school-views')
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await dialog.getByText('Name is required.').waitFor()
  await dialog.getByLabel('Name').fill('Kerala alone')
  await dialog.getByLabel('Staff', { exact: true }).uncheck()
  await dialog.getByLabel('Share with everyone').check()
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await dialog.getByRole('button', { name: `Open the view Kerala alone` }).waitFor()
  await see('school-views-saved')
  await page.keyboard.press('Escape')
  await open('/office/schools')
  await page.getByLabel('Saved view').selectOption('Kerala alone')
  await page.getByText('matching school').first().waitFor()
  await page.getByRole('button', { name: 'View', exact: true }).click()
  assert.equal(await dialog.getByLabel('Staff', { exact: true }).isChecked(), false)
  await dialog.getByRole('button', { name: `Delete the view Kerala alone` }).click()
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await dialog.getByRole('button', { name: `Open the view Kerala alone` }).waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await see('school-view')
  await beOffice('viewer', '/office/schools')
  await page.getByRole('button', { name: 'View', exact: true }).click()
  await dialog.getByText('Roles that only read can’t share views.').waitFor()
  assert.equal(await dialog.getByLabel('Share with everyone').isDisabled(), true)
  await see('school-views-viewer')
})

test('the office prints the letters of chosen schools, and first reads what happens to their codes', async (look) => {
  const { page, beOffice, see } = look
  await beOffice('operations', '/office/schools?search=vnk0417')
  await page.getByRole('checkbox').last().check()
  await page.getByText('1 school selected').first().waitFor()
  await see('school-chosen')
  await page.getByRole('link', { name: 'Invitation letters' }).last().click()
  await page.getByText('1 school keeps its link and code').first().waitFor()
  await page.getByText('Issue new codes to all').click()
  await page.getByText('1 school already has a link and code').first().waitFor()
  await see('letters-new-codes')
  await page.getByRole('button', { name: 'Print 1 letter' }).click()
  await page.getByRole('dialog').getByText('Replace 1 access code?').waitFor()
  await see('letters-sure')
  await page.keyboard.press('Escape')
  await page.getByText('Keep existing codes').click()
  await page.getByText('Both, one after the other').click()
  await page.getByRole('button', { name: 'Print 1 letter' }).click()
  const printed = page.getByText('1 letter printed').first()
  await printed.waitFor({ timeout: 120_000 })
  await page
    .getByRole('button', { name: /^Download Letters 001/ })
    .first()
    .waitFor()
  await see('letters-printed')
  await beOffice('viewer', '/office/schools/letters', 'Only owners and operations can see access codes.')
  await see('viewer-letters')
})

test('an officer navigates by folding groups, settings tabs, one search and the season in the address', async ({
  page,
}) => {
  await signInToOffice(page, 'accounts')
  const menu = page.getByRole('navigation', { name: 'Main' })
  await menu.getByRole('link', { name: 'Receipts' }).waitFor()
  // Pages that the role may not open are not listed.
  assert.equal(await menu.getByRole('link', { name: 'Results' }).count(), 0)
  await menu.getByRole('button', { name: 'Money' }).click()
  await menu.getByRole('link', { name: 'Receipts' }).waitFor({ state: 'hidden' })
  await page.reload()
  await menu.getByRole('button', { name: 'Money' }).waitFor()
  assert.equal(await menu.getByRole('link', { name: 'Receipts' }).count(), 0)
  await menu.getByRole('link', { name: 'Settings' }).click()
  const tabs = page.getByRole('navigation', { name: 'Settings' })
  await tabs.getByRole('link', { name: 'Bank accounts' }).click()
  await page.waitForURL(/\/office\/bank-accounts$/)
  assert.equal(
    await menu
      .locator('[aria-current]')
      .innerText()
      .then((text) => text.split('\n')[0]),
    'Settings',
  )
  assert.equal(await tabs.getByRole('link', { name: 'Staff' }).count(), 0)
  await page.getByRole('banner').getByLabel('Season').selectOption(lastSeason)
  await page.waitForURL((url) => url.searchParams.get('season') === lastSeason)
  await page
    .getByRole('banner')
    .getByRole('button', { name: /^Search/ })
    .click()
  await page
    .getByRole('dialog')
    .getByRole('textbox')
    .or(page.getByRole('dialog').getByRole('combobox'))
    .first()
    .fill('KPS0102')
  await page.getByRole('dialog').getByText('Kalpanik Public School').first().click()
  await page.getByRole('heading', { name: 'Kalpanik Public School', level: 1 }).waitFor()
  assert.equal(new URL(page.url()).searchParams.get('season'), lastSeason)
  // Another person's window shows the same from the address only.
  await page.evaluate("sessionStorage.removeItem('office.season')")
  await page.goto(page.url())
  await page.getByRole('heading', { name: 'Kalpanik Public School', level: 1 }).waitFor()
  assert.equal(await page.getByRole('banner').getByLabel('Season').inputValue(), lastSeason)
})

/** Two records of one school side by side. Nothing is merged here: the world stays the same for later tests. */
test("the office finds a school's duplicate entry and sees what a merge would do before typing the code", async (look) => {
  const { page, beOffice, see } = look
  await beOffice('owner', '/office/schools?search=kps0102')
  await page.getByRole('rowheader').getByRole('link').first().click()
  await page.getByRole('link', { name: 'Merge', exact: true }).click()
  await page.getByRole('heading', { name: 'Which school is the duplicate?' }).waitFor()
  await page.getByLabel('Search', { exact: true }).fill('vnk0417')
  await page.getByRole('button', { name: /^Compare with Sri Gnanodaya/ }).click()
  await page.getByRole('table', { name: 'What moves' }).waitFor()
  await see('office-school-merge')
  const pin = page.getByRole('group', { name: 'PIN code' }).getByRole('radio')
  assert.deepEqual([await pin.nth(0).isChecked(), await pin.nth(1).isChecked()], [true, false])
  const merge = page.getByRole('button', { name: 'Merge VNK0417 into KPS0102' })
  assert.equal(await merge.isDisabled(), true)
  await page.getByRole('link', { name: 'Swap' }).click()
  await page.getByRole('button', { name: 'Merge KPS0102 into VNK0417' }).waitFor()
})

test('the office imports a file of schools and reviews its rows before any school is created', async (look) => {
  const { page, beOffice, see } = look
  const file = {
    name: 'schools.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      [
        'PIN,State,School Name,Town,District,Address,Phone',
        '560017,Karnataka,Zuvya Quolex,Namunapur,Namunapur,4 Udaharan Street,9000000417',
        '411001,Maharashtra,Kalpanik Public School,Udaharanpur,Pune,7 Misaal Marg,9000000102',
        '560001,Karnatka,Zuvya Vidyalaya,Namunapur,Namunapur,4 Udaharan Street,9000000418',
      ].join('\r\n'),
    ),
  }
  await beOffice('owner', '/office/schools')
  await page.getByRole('link', { name: 'Import' }).click()
  await page.getByLabel('Excel or CSV file').setInputFiles(file)
  await page.getByRole('button', { name: 'Check file' }).click()
  await page.getByRole('button', { name: 'Create 1 school' }).waitFor()
  await page.getByText('Errors (1)').click()
  await page.getByText('Did you mean “Karnataka”?').first().waitFor()
  await see('office-school-import')
  await page.getByText('Already exists (1)').click()
  await page.getByRole('link', { name: 'Kalpanik Public School' }).waitFor()
  await page.getByRole('button', { name: 'Create 1 school' }).click()
  const asks = page.getByRole('dialog', { name: 'Create 1 school?' })
  await asks.getByRole('button', { name: 'Cancel' }).click()
  await asks.waitFor({ state: 'hidden' })
  await page.getByText('Created (1)').waitFor({ state: 'detached' })
  // The rows were checked with other columns than those now chosen.
  const create = page.getByRole('button', { name: 'Create 1 school' })
  await page.getByRole('combobox', { name: 'Phone' }).selectOption({ label: 'Landline' })
  await create.and(page.locator('[aria-disabled="true"]')).waitFor()
  await page.getByRole('combobox', { name: 'Phone' }).selectOption({ label: 'Phone' })
  await create.and(page.locator(':not([aria-disabled="true"])')).waitFor()
})

/** The office's students: found among all schools, viewed, corrected. */

test('the office finds a student among all schools, opens the record and corrects the name', async (look) => {
  const { page, beOffice, open, see } = look
  await beOffice('operations', '/office/students')
  await see('office-students')
  await open('/office/students?school=kps0102&fee=paid&sort=class')
  const boxes = page.getByRole('row').getByRole('checkbox', { name: /^Select .*Kalpanik/ })
  await boxes.first().check()
  await boxes.nth(1).check()
  await page.getByRole('button', { name: 'Send family links' }).click()
  await page.getByRole('dialog').getByText('Send 2 family links again').waitFor()
  await see('office-students-links')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Clear selection' }).click()
  await page.getByRole('rowheader').getByRole('link').first().click()
  await page.getByRole('heading', { name: 'History' }).waitFor()
  await see('office-student')
  await page.getByRole('button', { name: 'Reveal contact' }).click()
  await page.getByText('Parent’s contact viewed').first().waitFor()
  await page.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Please enter a reason.').waitFor()
  await see('office-student-correct')
  const name = dialog.getByLabel('Name', { exact: true })
  const before = await name.inputValue()
  await name.fill(`${before} Namuna`)
  await dialog.getByLabel('Reason').fill('The school has written it wrongly.')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: `${before} Namuna` }).waitFor()
  await page.getByText('The school has written it wrongly.').first().waitFor()
})

test('a role that cannot correct students sees that, and an unknown student is reported as not found', async (look) => {
  const { page, beOffice, open, see } = look
  await beOffice('viewer', '/office/students?search=zzzz', 'No students match')
  await see('viewer-students-none')
  await open('/office/students?school=vnk0417')
  // As if the entry had been cancelled: no student is left on its link.
  await changeNext<{ family: { children: unknown[] } }>(page, /students\/one/, ({ family }) => {
    family.children = []
  })
  await page.getByRole('rowheader').getByRole('link').first().click()
  await page.getByRole('heading', { name: 'History' }).waitFor()
  await page.locator('dt', { hasText: 'Students on this link' }).locator('xpath=..').getByText('–').waitFor()
  await see('viewer-student')
})

test('an officer requests a waiver with evidence, and another views the evidence in place, like a receipt, and declines', async (look) => {
  const { page, beOffice, open, see } = look
  await beOffice('operations', '/office/students?school=kbb0402&fee=due&sort=class')
  await page.getByRole('rowheader').getByRole('link').nth(20).click()
  await page.getByRole('button', { name: 'Request waiver' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Request waiver' }).click()
  await dialog.getByText('Please choose a file that shows the reason.').waitFor()
  await dialog.getByLabel('Reason for the waiver').fill('No income this year.')
  await dialog
    .getByLabel('Evidence')
    .setInputFiles({ name: 'letter.png', mimeType: 'image/png', buffer: await page.screenshot() })
  await see('office-waiver-ask')
  await dialog.getByRole('button', { name: 'Request waiver' }).click()
  await page
    .getByText(/requested a waiver on/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Move' }).click()
  await dialog.getByLabel('School code').fill('vnk0417')
  await dialog.getByRole('button', { name: 'Preview', exact: true }).click()
  await dialog.getByText('The family gets a new link').waitFor()
  await see('office-student-move')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await beOffice('accounts', '/office/waivers', 'No income this year.')
  await see('office-waivers')
  const row = page.getByRole('row').filter({ hasText: 'No income this year.' })
  await row.getByRole('button', { name: /^View the evidence/ }).click()
  await dialog.getByRole('img', { name: /^Evidence for / }).waitFor()
  await see('office-waiver-evidence')
  await page.keyboard.press('Escape')
  await row.getByRole('button', { name: /^Decline/ }).click()
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('The letter is not signed.')
  await dialog.getByRole('button', { name: 'Decline' }).click()
  await page.getByText('No income this year.').waitFor({ state: 'detached' })
  await open('/office/receipts')
  await page
    .getByRole('button', { name: /^PD\d\d\/\d+$/ })
    .first()
    .click()
  await dialog.getByRole('img', { name: /^Receipt PD/ }).waitFor()
  await see('office-receipt')
})
