import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { announced, hold, reconnect } from './browser.ts'
import { broken, refused, test } from './demo-portal.ts'
import { officeKey, sessions, staysOpen, thisSeason } from './people.ts'

/** Question papers, from what is to be shipped to the school's confirmation of receipt. */

const code = 'KPS0102'

// Comes first: later tests dispatch what the demo world has packed.
test('a packed parcel waits when its school has moved, until its label is printed again', async (look) => {
  const { page, size, beOffice, open, see } = look
  await beOffice('operations', '/office/packets?status=Packed')
  const dialog = page.getByRole('dialog')
  await page
    .getByRole('link', { name: /^Parcel \d/ })
    .first()
    .click()
  const parcel = new URL(page.url()).pathname
  await page
    .getByRole('main')
    .getByRole('link', { name: /School|Vidya/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Edit', exact: true }).first().click()
  await dialog.getByLabel('Address', { exact: true }).fill(`9 Nayi Sadak, ${size}`)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await open('/office/packets?status=Packed')
  await page.getByText('Address changed').first().waitFor()
  await see('office-packets-stopped')
  await open(parcel)
  await page.getByText('Print the label again').first().waitFor()
  const dispatch = page.getByRole('main').getByRole('button', { name: /^Dispatch/ })
  assert.equal(await dispatch.isDisabled(), true)
  await see('office-packet-stopped')
  await page.getByRole('button', { name: 'Label', exact: true }).click()
  await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: /^Print/ }).click()])
  await page.getByText(`9 Nayi Sadak, ${size}`).first().waitFor()
  await page.getByText('Print the label again').first().waitFor({ state: 'detached' })
  assert.equal(await dispatch.isEnabled(), true)
})

test('due papers are packed, labelled, dispatched and delivered, and the school confirms them', async (look) => {
  const { page, beOffice, beSchool, open, see, expects } = look
  expects(broken)
  await beOffice('operations', `/office/question-papers?search=${code}`, /copies for 1 school$/)
  await see('office-papers-due')
  await page.getByRole('button', { name: /^Pack for / }).click()
  const dialog = page.getByRole('dialog')
  const lines = dialog.getByRole('textbox', { name: /^Copies of / })
  await lines.first().and(page.locator(':focus')).waitFor()
  await lines.first().fill('9999')
  await dialog.getByText('No more than that are due.').waitFor()
  await see('office-pack-too-many')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Keep editing' }).click()
  assert.equal(await lines.first().inputValue(), '9999')
  await lines.first().fill('1')
  for (const line of (await lines.all()).slice(1)) await line.fill('0')
  // A gateway's error after the server has packed: pressed again, it is packed once.
  await page.route(
    '**/dispatch/pack',
    (route) => route.fetch().then(() => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' })),
    { times: 1 },
  )
  await dialog.getByRole('button', { name: 'Pack 1 copy' }).click()
  await dialog.getByText('Nothing is lost. Please try again.').waitFor()
  await dialog.getByRole('button', { name: 'Pack 1 copy' }).click()
  const id = /\d+/.exec(await announced(page, /^Parcel \d+ packed/))?.[0] ?? ''

  const bar = page.getByRole('group', { name: 'Parcels' })
  await open('/office/packets')
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check()
  await bar.getByRole('button', { name: 'Dispatch', exact: true }).click()
  await dialog.getByText(/selected parcels are not ready to dispatch/).waitFor()
  await see('office-hand-over-some')
  await page.keyboard.press('Escape')
  await open(`/office/packets?search=${id}&status=Packed`)
  await page.getByRole('checkbox', { name: new RegExp(`Parcel ${id},`) }).check()
  await see('office-packets')
  await bar.getByRole('button', { name: 'Labels' }).click()
  await dialog.getByRole('button', { name: 'Position 3' }).click()
  await see('office-labels')
  const [labels] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Print' }).click(),
  ])
  assert.equal(labels.suggestedFilename(), 'Labels (1).pdf')
  await bar.getByRole('button', { name: 'Dispatch', exact: true }).click()
  await dialog.getByRole('button', { name: 'Dispatch 1 parcel' }).click()
  await dialog.getByText('Please choose a courier.').waitFor()
  await dialog.getByLabel('Courier', { exact: true }).selectOption({ label: 'Namuna Express' })
  await dialog.getByLabel('AWB / tracking no.').fill(`E2E${id}`)
  await see('office-hand-over')
  await dialog.getByRole('button', { name: 'Dispatch 1 parcel' }).click()
  await announced(page, '1 parcel dispatched')

  await open(`/office/packets?search=${id}`)
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: `Parcel ${id}` }) })
  await row.getByRole('checkbox').check()
  await bar.getByRole('button', { name: 'Update tracking' }).click()
  await dialog.getByText('Delivered', { exact: true }).click()
  await dialog.getByRole('button', { name: 'Update tracking' }).click()
  await row.getByText('Delivered', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await announced(page, '1 parcel is back to its earlier status')
  await row.getByText('Dispatched', { exact: true }).waitFor()

  await open('/office/packets')
  await page.getByRole('button', { name: 'Import courier status' }).click()
  const text = `AWB No,Latest Status\nE2E${id},Lost\nNOBODY,Delivered\n,Delivered\nE2E${id},Shipment Delivered\n`
  const file = {
    name: 'courier.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(text.replace('Latest Status', 'Status')),
  }
  await dialog.getByLabel('File').setInputFiles(file)
  await dialog.getByText('1 update').waitFor()
  await dialog.getByText('Parcel number missing').waitFor()
  await see('office-courier-file')
  await staysOpen(page, () => dialog.getByRole('button', { name: 'Close' }).click())
  await dialog.getByRole('button', { name: 'Update 1 parcel' }).click()
  await announced(page, '1 parcel updated')
  await open(`/office/packets/${id}`)
  await page.getByText('Delivered', { exact: true }).first().waitFor()
  await see('office-packet')
  await page.getByRole('button', { name: 'Courier details' }).click()
  await dialog.getByLabel('Weight (g)').fill('3217')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('region', { name: 'History' }).getByText('3217').waitFor()

  await beSchool('kiran', '/Importantlink/QuctionStatus')
  await page.getByRole('button', { name: `View Detail of parcel ${id}` }).click()
  const counted = dialog.getByRole('textbox', { name: /^Counted: / })
  await counted.fill('0')
  await dialog.getByText('1 difference from the packing list.').waitFor()
  await dialog.getByLabel('Remark').fill('The envelope was empty')
  const again = page.waitForResponse(/TrackOrder/)
  await reconnect(page)
  await again
  await see('school-confirm-receipt')
  await dialog.getByRole('button', { name: 'Confirm with differences' }).click()
  await dialog.getByText(/^Confirmed by .*, with differences/).waitFor()
  await see('school-receipt-confirmed')

  await beOffice('operations', `/office/packets?mark=differs&search=${id}`)
  await page.getByText('Counts differ', { exact: true }).first().waitFor()
})

test('all papers of a list are packed at once, and unpacked again', { only: 'desk' }, async ({
  page,
  beOffice,
  see,
}) => {
  await beOffice('operations', `/office/question-papers?search=${code}`)
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Pack all', exact: true }).click()
  await dialog.getByRole('button', { name: /^Pack/ }).click()
  await page.getByText('Packed 1 parcel for 1 school.').waitFor()
  await see('office-packed-all')
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await dialog.getByText('Unpack 1 parcel?').waitFor()
  await see('office-packed-all-undo')
  await dialog.getByRole('button', { name: 'Unpack', exact: true }).click()
  await announced(page, '1 parcel unpacked.')
  await page.getByRole('button', { name: 'Undo', exact: true }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^Pack for / }).waitFor()
})

test('a refusal is shown as a message if the page has lost the dialog it belongs to', async (look) => {
  const { page, beOffice, expects } = look
  expects(refused)
  await beOffice('operations', `/office/question-papers?search=${code}`)
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Pack all', exact: true }).click()
  await dialog.getByRole('button', { name: /^Pack/ }).click()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  // As if another officer had unpacked them a moment before.
  await page.route('**/dispatch/undoPacking', async (route) => {
    await route.fetch({ headers: { ...route.request().headers(), 'idempotency-key': 'of-another-officer' } })
    return route.continue()
  })
  await dialog.getByRole('button', { name: 'Unpack', exact: true }).click()
  await announced(page, 'so they stay packed')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo', exact: true }).waitFor({ state: 'detached' })
})

test('a scanner alone dispatches a parcel: label, courier number, weight; anything else is refused with advice', async (look) => {
  const { page, beOffice, open, see, expects } = look
  expects(refused)
  await beOffice('operations')
  const firstOf = async (status: string) => {
    await open(`/office/packets?status=${status}`)
    const first = page.getByRole('checkbox', { name: /Parcel \d+,/ }).first()
    return /\d+/.exec((await first.getAttribute('aria-label')) ?? '')?.[0] ?? ''
  }
  const [away, packed] = [await firstOf('Dispatched'), await firstOf('Packed')]
  await page.getByRole('button', { name: 'Scan to dispatch' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.locator('[name=label]:focus').waitFor()
  // A scanner types what it reads followed by Enter, wherever the focus is.
  const scan = async (code: string, answer: Locator) => {
    await page.keyboard.type(code)
    await page.keyboard.press('Enter')
    await answer.first().waitFor()
  }
  const message = (words: RegExp) => dialog.getByText(words)
  await scan(`PACKET ${packed}`, message(/Please choose a courier/))
  await page.keyboard.type('Namuna')
  await page.keyboard.press('Tab')
  await scan('NX1X', message(/not a parcel label/))
  await scan('PACKET 999999', message(/no parcel 999999/))
  await scan('PACKET 1', message(/Parcel 1 belongs to season/))
  await scan(`PACKET ${away}`, message(/already marked “Dispatched”/))
  const awb = /AWB (\w+)/.exec(await message(/already marked/).innerText())?.[1] ?? ''
  // What is scanned before the answer comes is meant for the next field.
  const ahead = async (address: string, ...codes: string[]) => {
    const answer = await hold(page, address)
    for (const code of codes) await scan(code, dialog)
    await answer()
  }
  await ahead('*/dispatch/packet?*', `PACKET ${packed}`, `PACKET ${packed}`)
  await message(/our own label/).waitFor()
  await dialog.locator('[name=awb]:focus').waitFor()
  await scan(awb, dialog.locator('[name=weight]:focus'))
  await scan('2', message(/Enter kg or g/))
  await scan('1.2 kg', message(/already has AWB/))
  await see('office-scan-refused')
  await ahead('*/dispatch/send', `SCAN${packed}`, 'PACKET 999999')
  await message(/1 parcel dispatched/).waitFor()
  await message(/no parcel 999999/).waitFor()
  await dialog.locator('[name=label]:focus').waitFor()
  await see('office-scan')
  // The next time it starts with the previous courier.
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Scan to dispatch' }).click()
  assert.notEqual(await dialog.getByLabel('Courier', { exact: true }).inputValue(), '')
  await open(`/office/packets/${packed}`)
  await page.getByText('1.2 kg', { exact: true }).waitFor()
})

test('due items are shown by item, couriers are listed, and a role that only reads cannot pack', async (look) => {
  const { page, beOffice, open, see, expects } = look
  expects(refused)
  await beOffice('operations', '/office/book-orders?by=item')
  await page.getByRole('table', { name: /^To pack/ }).waitFor()
  await see('office-due-items')
  await open('/office/book-orders?search=zzzz', 'No matches')
  await see('office-due-nothing')
  await open('/office/packets')
  await page.getByRole('button', { name: 'Couriers' }).click()
  await page.getByRole('dialog').getByText('Misaal Cargo').waitFor()
  await see('office-couriers')
  // The file that the courier's site takes: chosen columns, in its order
  await page.getByRole('button', { name: 'Edit Namuna Express' }).click()
  await page.getByRole('button', { name: 'Add the usual columns' }).click()
  await page.getByRole('button', { name: 'Move column 2 up' }).click()
  await page.getByLabel('Heading').first().fill('Consignee')
  await see('office-courier-columns')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Edit Namuna Express' }).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('button', { name: 'Export' }).click()
  const [upload] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Excel for Namuna Express' }).click(),
  ])
  assert.match(upload.suggestedFilename(), /^Parcels for Namuna Express .*\.xlsx$/)
  await beOffice('viewer', '/office/book-orders', 'Only owners and operations can pack and dispatch.')
  await see('viewer-book-orders')
})

test("papers for the exam, times of online olympiads and teachers' questions have their pages", async (look) => {
  const { page, beOffice, beSchool, open, see } = look
  await beOffice('operations', '/office/attendance')
  await page.getByRole('button', { name: 'Admit cards' }).click()
  const [cards] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Print for Kalpanik Public School' }).click(),
  ])
  assert.match(cards.suggestedFilename(), /^Admit card .* KPS0102 .*\.pdf$/)
  await see('office-attendance')
  await open('/office/schedules')
  await see('office-schedules')
  await page.getByRole('button', { name: 'New slot' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('To (IST)').fill('09:00')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('The end must come after the beginning.').waitFor()
  await see('office-slot-backwards')
  const day = dialog.getByLabel('Date', { exact: true })
  await day.fill('the last Monday')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'New slot' }).click()
  assert.equal(await day.inputValue(), 'the last Monday')
  await dialog.getByRole('button', { name: 'Discard draft' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check()
  await page.getByRole('button', { name: 'Edit selected' }).click()
  await dialog.getByLabel('Move by (days)').fill('2')
  await dialog.getByText('First slot:').waitFor()
  await dialog.getByLabel('Places per slot').fill('1')
  await see('office-slots-several')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('More students have this slot than it would have places for.').first().waitFor()
  await see('office-slots-refused')
  await dialog.getByRole('button', { name: 'OK' }).click()
  await page.getByRole('button', { name: 'Import slots' }).click()
  const buffer = Buffer.from('Exam roll no,Date,From,To\nNOBODY-1,30-11-2026,10:00,11:00\n')
  await dialog.getByLabel('File').setInputFiles({ name: 'slots.csv', mimeType: 'text/csv', buffer })
  await dialog.getByText('NOBODY-1').waitFor()
  await see('office-slots-file')
  await staysOpen(page, () => page.keyboard.press('Escape'))
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'New slot' }).waitFor()
  await open('/office/questions')
  await page.getByRole('button', { name: 'Decline' }).first().click()
  await dialog.getByRole('button', { name: 'Decline' }).click()
  await dialog.getByText('Please enter a reason.').waitFor()
  await see('office-question-decline')
  await page.keyboard.press('Escape')
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check()
  await page
    .getByText(/questions selected$/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Decline selected' }).click()
  await dialog.getByRole('button', { name: 'Decline' }).click()
  await dialog.getByText('Please enter a reason.').waitFor()
  await see('office-questions-several')
  await beSchool('kiran', '/School/examdate')
  await page.getByText('Print, Mathematics').click()
  const [sheet] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Attendance sheet, Mathematics' }).click(),
  ])
  assert.match(sheet.suggestedFilename(), /^Attendance sheet Mathematics/)
})

/** Accepts the question that has waited longest, as if on another screen; returns its sender. */
async function acceptFirstQuestion(page: Page): Promise<string> {
  const session = await sessions.get(officeKey('operations'))
  const headers = { Authorization: `Bearer ${session?.['office.token']}` }
  const { request } = page.context()
  const params = { FYear: thisSeason, status: 'sent', letter: '', classId: '', search: '', page: '1' }
  const list = await (await request.get('/api/office/questions/list', { headers, params })).json()
  const { id, version, sentBy } = list.data[0]
  const accepted = await request.post('/api/office/questions/accept', { headers, data: { id, version } })
  assert.equal(accepted.status(), 200)
  return sentBy
}

test('a question that another officer has decided leaves the list, and the dialog stays and says why', async (look) => {
  const { page, beOffice, see, expects } = look
  expects(refused)
  await beOffice('operations', '/office/questions')
  await page.getByRole('button', { name: 'Decline' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('There are two right answers')
  const sentBy = await acceptFirstQuestion(page)
  await dialog.getByRole('button', { name: 'Decline' }).click()
  await page.locator('main li.panel').filter({ hasText: sentBy }).waitFor({ state: 'detached' })
  await dialog.getByText('Someone else has already decided on this question.').waitFor()
  await see('office-question-decided')
})

test('an officer is assigned a question; another finds it by its officer, and sees who has the page open', {
  only: 'desk',
}, async ({ page, beOffice, see }) => {
  await beOffice('operations', '/office/questions')
  const card = page.locator('main li.panel').first()
  const menu = card.getByRole('button', { name: /^Assign:/ })
  await menu.click()
  await page.getByRole('menuitem', { name: 'Assign to me' }).click()
  await card.getByText('Assigned to Me').waitFor()
  await page.getByLabel('Assigned to', { exact: true }).selectOption({ label: 'Me' })
  await page.getByText('1–1 of 1').waitFor()
  await see('office-questions-assigned')
  await beOffice('owner', '/office/questions?assigned=me', 'No questions match')
  await page.getByLabel('Assigned to', { exact: true }).selectOption({ label: 'Ilavarasi Namuna' })
  await page.getByText('Ilavarasi Namuna is looking at this now.').waitFor()
  await menu.click()
  await page.getByRole('menuitem', { name: 'Unassign' }).click()
  await page.getByText('No questions match').waitFor()
})

/** The school has counted none of the papers in its only parcel, as if on another screen; returns the parcel's number. */
async function countNone(page: Page): Promise<number> {
  const session = await sessions.get('meera')
  const headers = { Authorization: `Bearer ${session?.token}` }
  const { request } = page.context()
  const asked = async (call: string, params: Record<string, string>) =>
    (await request.get(`/api/ManageBook/${call}`, { headers, params })).json()
  const [{ packetId: PacketId }] = (await asked('Get_QuestionPaperStatus', { FYear: thisSeason })).data
  const { lines } = await asked('TrackOrder', { PacketId: String(PacketId) })
  const data = { PacketId, counts: lines.map(() => 0), remark: '' }
  const confirmed = await request.post('/api/ManageBook/ConfirmReceipt', { headers, data })
  assert.equal(confirmed.status(), 200)
  return PacketId
}

test("an officer who reads Hindi sees a parcel's contents, status and place in Hindi, also in its history", {
  language: 'hi',
  only: 'desk',
}, async ({ page, beOffice, beSchool, open, see }) => {
  const shown = () => page.getByRole('main').innerText()
  await beSchool('meera')
  const id = await countNone(page)
  await beOffice('operations', `/office/packets/${id}`, /भारत$/)
  await page.getByRole('cell', { name: 'प्रश्नपत्र' }).first().waitFor()
  const history = page.getByRole('region', { name: 'इतिहास' })
  await history
    .getByText(/^.+, कक्षा \d+, प्रश्नपत्र: \d+ में से 0$/)
    .first()
    .waitFor({ state: 'attached' })
  await see('office-packet-hindi')
  assert.doesNotMatch(
    await shown(),
    /Question paper|Book\b|Class|Confirmed|Science|Maths|English| of |Karnataka|India/,
  )
  await beOffice('owner', `/office/audit-log?kind=packet&record=${id}`)
  await page
    .getByText(/ में से 0$/)
    .first()
    .waitFor({ state: 'attached' })
  assert.doesNotMatch(await shown(), /Question paper|Class| of /)
  await open('/office/schools/1', 'Kaveripuram, कर्नाटक')
  await page.getByText(/^(पैक हुआ|भेजा गया|पहुँच गया) · /).waitFor()
  assert.doesNotMatch(await shown(), /Karnataka|India|Dispatched|Delivered/)
})
