import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { sentenceOf } from '@podium/contract/errors'
import { announced, changeNext, fits, hold, ownConnection, sizes } from './browser.ts'
import { broken, type Look, refused, test } from './demo-portal.ts'
import { lastSeason, staysOpen } from './people.ts'

/** Results outside the school: the page behind a link, the family's card, certificates and their verification. */

const results = `/result/viewresult?FYear=${lastSeason}`

/** Opens a school's results in a subject, and returns the link of the first name. */
async function firstLink({ page, open }: Look, subject: string): Promise<string> {
  await open(`/result/viewresult?season=${lastSeason}`)
  assert.equal(await page.getByLabel('FYear').inputValue(), lastSeason)
  const choice = page.locator('main').getByLabel('Subject')
  const option = choice.locator('option', { hasText: subject }).first()
  await choice.selectOption((await option.getAttribute('value')) ?? '')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.getByText(`${subject}, all classes, ${lastSeason}.`).waitFor()
  return (await page.locator('tbody a[href^="/r/"]').first().getAttribute('href')) ?? ''
}

test('a name in the results table opens its page: medal and ranks, stars for little ones, or why there is no result', {
  twice: true,
}, async (look) => {
  look.expects(broken)
  const { page, beSchool, open, see, size } = look
  await beSchool('kiran')
  const little = size === 'phone'
  const link = await firstLink(look, little ? 'Little Star: First English' : 'Mathematics')
  if (!little) {
    await page.setViewportSize({ width: 1280, height: 800 })
    const box = `[...document.querySelectorAll('.res .tw')].at(-1)`
    assert.equal(await page.evaluate(`${box}.scrollWidth - ${box}.clientWidth`), 0)
    await page.setViewportSize(sizes.desk)
  }
  await open(link, 'Gold medal')
  if (little) {
    await page.getByRole('heading', { name: /shines with/ }).waitFor()
    assert.equal(await page.getByText('Ranks').count(), 0)
  } else await page.getByText(/1st of \d+ in the class/).waitFor()
  await see(little ? 'result-page-little-star' : 'result-page')
  await page.getByRole('button', { name: 'हिन्दी' }).click()
  await page.getByText('स्वर्ण पदक').waitFor()
  await page.getByText(little ? /^नन्हे सितारे: पहली अंग्रेज़ी/ : /^गणित/).waitFor()
  await see(little ? 'result-page-little-star-hindi' : 'result-page-hindi')
  await page.getByRole('button', { name: 'English' }).click()
  if (!little) return

  await open(`${link.slice(0, -4)}0000`, "This link doesn't work")
  await page.route('**/PublicResult*', (route) => route.fulfill({ status: 500, body: '' }))
  await page.goto(link)
  const retry = page.getByRole('button', { name: 'Try again' })
  await retry.waitFor()
  await page.unroute('**/PublicResult*')
  const notOut = { result: 'success', message: '', state: 'awaited', data: null }
  await page.route('**/PublicResult*', (route) => route.fulfill({ json: notOut }))
  await retry.click()
  await page.getByRole('heading', { name: "This result isn't available right now" }).waitFor()
  await see('result-page-not-out')
})

test('a school reads why a subject has no results, downloads a certificate, and anyone verifies its number', {
  twice: true,
}, async ({ page, beSchool, open, see, size, expects }) => {
  expects(refused)
  const subjectField = page.locator('main').getByLabel('Subject')
  if (size === 'desk') {
    await beSchool('arindam', results)
    for (const [subject, state] of [
      ['Science', "Your school's results are withheld"],
      ['Social Studies', 'Not out yet'],
    ] as const) {
      const option = subjectField.locator('option', { hasText: subject }).first()
      await subjectField.selectOption((await option.getAttribute('value')) ?? '')
      await page.getByRole('button', { name: 'Search', exact: true }).click()
      await page.getByRole('heading', { name: state }).waitFor()
    }
    await see('results-awaited')
  }
  await changeNext<{ total: number }>(page, /Search_School_Result/, (answer) => (answer.total = 2000))
  await beSchool('kiran', results)
  assert.equal(await page.locator('#season').inputValue(), lastSeason)
  // Who was absent is in the list and gets none: their number is not promised.
  await page.getByRole('button', { name: 'Certificates', exact: true }).click()
  await page.getByRole('dialog', { name: 'Create certificates' }).getByText('who took the exam').waitFor()
  await page.keyboard.press('Escape')
  const rank = size === 'desk' ? /^Class rank 1,/ : /^Class rank 2,/
  await page.getByRole('button', { name: rank }).first().click()
  // The reasons come above the button and move it.
  await page.getByRole('heading', { name: /^Why / }).first().waitFor()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Certificate (PDF)' }).click(),
  ])
  const pdf = (await readFile(await file.path())).toString('latin1')
  const number = /\(Certificate of Merit ([0-9A-Z-]{14})\)/.exec(pdf)?.[1] ?? ''

  await open('/verify/AAAA-BBBB-CCCC', 'No certificate has this number')
  await page.getByLabel('Certificate number').fill(number.toLowerCase().replaceAll('-', ' '))
  await page.getByRole('button', { name: 'Check' }).click()
  await page.getByText('This certificate is genuine').waitFor()
  assert.equal(await page.getByText(/Navya|Krish/).count(), 0)
  await see('verify-genuine')
})

test("a family finds its child's medal of last season, with the reasons and the certificate", {
  twice: true,
}, async ({ page, open, see, expects }) => {
  expects(broken)
  await open('/student?id=demo-family-of-two-kid')
  await page.locator('input[name=code]').fill('DEMFAM22')
  await page.locator('input[name=code]').press('Enter')
  const card = page.getByRole('article', { name: 'Ishita Namunawala' })
  await card.getByRole('heading', { name: 'Gold medal' }).first().waitFor()
  await card
    .getByText(/: results aren't out yet/)
    .first()
    .waitFor()
  // Earlier tests decide which results are above it.
  for (const reasons of await card.getByText('How we worked this out').all()) await reasons.click()
  await card
    .getByText(/rank 1 in the class\. At least \d+/)
    .first()
    .waitFor()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    card.getByRole('button', { name: `Certificate, Mathematics ${lastSeason}` }).click(),
  ])
  assert.equal(
    file.suggestedFilename(),
    `Certificate of Merit Mathematics ${lastSeason} Ishita Namunawala.pdf`,
  )
  await see('family-results')
  await page.getByRole('button', { name: 'हिन्दी' }).click()
  await card.getByRole('heading', { name: 'स्वर्ण पदक' }).first().waitFor()
  const text = (await card.locator('.exams, .kid-result').allInnerTexts()).join(' ')
  assert.match(text, /गणित/)
  // “Kalpanik”, the school and its places are not translated; the olympiads' words are.
  assert.doesNotMatch(text, /Mathematics|Science|English|Olympiad|prize|award|section|certificate/i)
  await see('family-results-hindi')
  await page.getByRole('button', { name: 'English' }).click()
  const certificate = card.getByRole('button', { name: `Certificate, Mathematics ${lastSeason}` })
  await page.route('**/FamilyCertificate', (route) => route.abort(), { times: 1 })
  await certificate.click()
  await card.getByText('Check your internet connection and try again.').waitFor()
  // The session has ended in another tab: the code is asked for again.
  await page.evaluate(`fetch('/api/ManageStudent/CloseFamilyPage', { method: 'POST', body: '{}',
        headers: { 'Content-Type': 'application/json', Authorization: 'Bearer ' + sessionStorage.getItem('family.token') } })`)
  await certificate.click()
  await page.locator('input[name=code]').waitFor()
})

test('the section below the children appears only once their results have come or failed, so nothing moves under a finger', {
  only: 'phone',
}, async ({ page, open, expects }) => {
  expects(broken)
  const arrive = Promise.withResolvers<void>()
  await page.route('**/FamilyResults', async (route) => {
    await arrive.promise
    await route.fulfill({ status: 500, body: '' })
  })
  await open('/student?id=demo-family-of-two-kid')
  await page.locator('input[name=code]').fill('DEMFAM22')
  await page.locator('input[name=code]').press('Enter')
  await page.getByRole('button', { name: 'Edit the details of Ishita Namunawala' }).waitFor()
  const privacy = page.getByRole('button', { name: /^Privacy/, includeHidden: true })
  assert.equal(await privacy.isVisible(), false)
  // An answer that never comes must not block it for ever.
  await page.evaluate('document.getAnimations().forEach((one) => one.finish())')
  assert.equal(await privacy.isVisible(), true)
  await page.route('**/Get_Privacy*', (route) => route.fulfill({ status: 500, body: '' }))
  arrive.resolve()
  await privacy.click()
  const retry = page.locator('.kids ~ div').getByRole('button', { name: 'Try again' })
  await retry.waitFor()
  await page.unroute('**/Get_Privacy*')
  await retry.click()
  await page.getByRole('region', { name: 'Ishita Namunawala' }).waitFor()
})

/** Corrections of released results. */

const subject = 'Reasoning'

test('a correction shows everything it changes before it is approved, and schools see the released results', {
  only: 'desk',
}, async ({ page, beOffice, beSchool, see, expects }) => {
  expects(refused)
  await beSchool('kiran', `/result/viewresult?FYear=${lastSeason}`)
  const choice = page.locator('main').getByLabel('Subject')
  const option = choice.locator('option', { hasText: subject }).first()
  await choice.selectOption((await option.getAttribute('value')) ?? '')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.getByText(`${subject}, all classes, ${lastSeason}.`).waitFor()
  const best = page.locator('tbody tr').filter({ hasText: 'Gold' }).first()
  const [name, roll] = [await best.getByRole('link').innerText(), await best.locator('td').nth(2).innerText()]

  await beOffice('results', '/office/results')
  await page.getByRole('banner').getByLabel('Season').selectOption(lastSeason)
  await page
    .getByRole('table', { name: `Results ${lastSeason}` })
    .getByRole('link', { name: subject })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Withhold results' }).click()
  const code = dialog.getByLabel('School code')
  await code.fill('gnanodaya')
  await dialog.locator('option[value=VNK0417]').waitFor({ state: 'attached' })
  await code.fill('vnk0417')
  await dialog
    .locator('.hint')
    .filter({ hasText: /^Sri Gnanodaya .*, Kaveripuram$/ })
    .waitFor()
  await see('office-withhold')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  // The header must not cover half a step of the track.
  await page.evaluate('window.scrollTo(0, 0)')
  await page.getByRole('button', { name: 'Correct single results' }).click()
  await dialog.getByLabel('Reason for the correction').fill('The sheet was read twice')
  const student = dialog.getByLabel('Roll no or name of the student')
  await student.fill('NOBODY-1')
  await dialog.getByText('No student of this event matches.').waitFor()
  await student.fill(name)
  await dialog.getByRole('button', { name: roll, exact: true }).click()
  await dialog.getByText(name, { exact: true }).waitFor()
  const marks = dialog.getByRole('textbox', { name: /\(max \d+\)$/ })
  assert.equal(await marks.first().inputValue(), '')
  await dialog.getByRole('button', { name: 'Fill in these marks' }).click()
  for (const field of await marks.all()) assert.match(await field.inputValue(), /^\d+$/)
  await student.fill(roll)
  await dialog.getByText(name, { exact: true }).waitFor()
  for (const field of await marks.all()) await field.fill('1')
  await marks.first().fill('१ अंक')
  await dialog.getByRole('button', { name: 'Create corrected version' }).click()
  await dialog.getByText('Enter the marks as a number.').waitFor()
  await see('office-correct')
  // The refused field has the focus, and Escape drops nothing unasked.
  await marks.first().and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Keep editing' }).click()
  assert.equal(await marks.first().inputValue(), '१ अंक')
  await marks.first().fill('१')
  await dialog.getByText('Enter the marks as a number.').waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Create corrected version' }).click()
  await announced(page, 'Creating version 2')
  await page.getByRole('button', { name: 'Compute', exact: true }).click()
  const changes = page.getByRole('table', { name: 'Changes from version 1' })
  await changes.getByRole('row').filter({ hasText: name }).locator('del', { hasText: 'Gold' }).waitFor()
  await see('office-corrected')
  // Where the button was that approved it, the link to the next step has the focus.
  const corrected = new URL(page.url())
  corrected.searchParams.set('step', 'approve')
  await beOffice('results2', corrected.pathname + corrected.search)
  await page.getByRole('button', { name: 'Approve version 2' }).press('Enter')
  await announced(page, 'Version 2 approved')
  await page.getByRole('link', { name: 'Continue: Release' }).and(page.locator(':focus')).waitFor()

  await beSchool('kiran', `/result/medalist?FYear=${lastSeason}`)
  await choice.selectOption((await option.getAttribute('value')) ?? '')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.getByRole('row').filter({ hasText: name }).first().waitFor()
  assert.equal(await page.getByText('The sheet was read twice').count(), 0)
})

/**
 * Invitations to the next level: last season's lists in the demo world, one answered, one waiting for a second officer.
 */

const inLastSeason = `sessionStorage.setItem('office.season', '${lastSeason}')`

test("the office sees a season's lists, figures, students and e-mails, and a viewer cannot change them", async (look) => {
  const { page, beOffice, open, see } = look
  await beOffice('viewer')
  await page.evaluate(inLastSeason)
  await open('/office/next-level')
  await see('next-level-subjects')
  await page.getByRole('link', { name: 'Mathematics: level 2' }).click()
  await page.getByRole('heading', { name: 'Mathematics: level 2' }).waitFor()
  await page.getByRole('heading', { name: 'Summary' }).waitFor()
  // The last day for replies is over.
  await page.getByText(/^closed after /).waitFor()
  await see('next-level-list')
  await open(`${new URL(page.url()).pathname}?status=no`, 'Is away with the family that week.')
})

interface Event {
  can: object
  daysLeft: number
  answerBy: string
  children: { studentId: number; className: string; nioRollNo: string; answer: string; note: string }[]
}

const closed = sentenceOf('next_level.closed')

test('a school answers for a class at once, page by page, and keeps its answers on the other pages', {
  only: 'phone',
}, async ({ page, beSchool, open, see, expects }) => {
  expects(refused)
  await beSchool('sunita')
  // In the demo world the deadline is over; here it is not, and the answers are not sent.
  let event: Event | undefined
  let answers: { answers: { studentId: number; answer: string; note: string }[] } | undefined
  const token = await page.evaluate<string>(`sessionStorage.getItem('token')`)
  page.on('request', (request) => {
    if (request.url().includes('Answer_Invitations')) answers = request.postDataJSON()
  })
  const rows = page.locator('tbody tr:not(.grouprow)')
  let over = false
  const letGo = await hold(page, '*/api/ManageResult/*_Invitations*', async ({ url, answer }) => {
    if (url.includes('Answer_') && over) {
      return answer(409, { result: 'error', code: 'next_level.closed', message: closed })
    }
    if (url.includes('Answer_')) {
      // Meanwhile the school marks the next child.
      await rows.first().getByRole('button', { name: 'Yes', exact: true }).click()
      return answer(200, { result: 'success', message: '', answered: 6 })
    }
    const headers = { ...ownConnection, authorization: `Bearer ${token}` }
    const response = await page.context().request.get(url, { headers })
    const body = await response.json()
    const may = over
      ? { can: { answer: 'next_level.closed' }, daysLeft: -1 }
      : { can: { answer: true }, daysLeft: 3 }
    event = { ...body.data[0], ...may, answerBy: '2027-12-01' } as Event
    return answer(200, { ...body, data: [event] })
  })
  await open(`/result/nextlevel?season=${lastSeason}`)
  assert.equal(await rows.count(), 20, 'a page of a list that a phone would scroll through for a minute')
  await see('next-level-school')
  const [first, ...rest] = event?.children ?? []
  assert.ok(first && rest.length > 20)
  // Two children of a class may have the same name.
  await rows.first().getByText(first.nioRollNo).waitFor()
  await rows
    .first()
    .getByRole('group', { name: new RegExp(`, ${first.nioRollNo} `) })
    .waitFor()
  // One manually, with a reason; the rest of the class with one press, wherever they are in the list.
  await rows.first().getByRole('button', { name: 'No', exact: true }).click()
  await rows.first().getByLabel('Why').fill('Moves away in May')
  const name = `Yes for all of ${first.className} without an answer`
  await page.getByRole('button', { name }).click()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText('21–').waitFor()
  await fits(page, 'the second page of those who are invited')
  await page.getByRole('button', { name: 'Previous' }).click()
  assert.equal(await rows.first().getByLabel('Why').inputValue(), 'Moves away in May')
  const sameClass = rest.filter(({ className }) => className === first.className)
  await page.getByRole('button', { name: `Send ${sameClass.length + 1} answers` }).click()
  await announced(page, '6 answers sent')
  await page.getByRole('button', { name: 'Send 1 answer', exact: true }).waitFor()
  assert.deepEqual(answers?.answers, [
    { studentId: first.studentId, answer: 'no', note: 'Moves away in May', was: '' },
    ...sameClass.map(({ studentId }) => ({ studentId, answer: 'yes', note: '', was: '' })),
  ])
  await staysOpen(page, () => page.locator('header a').first().click())
  // The last day ends before the other answer is sent: it does not look as if it had been.
  over = true
  await page.getByRole('button', { name: 'Send 1 answer', exact: true }).click()
  await page.getByText(closed).first().waitFor()
  await rows.first().getByText('Yes', { exact: true }).waitFor({ state: 'detached' })
  await see('next-level-school-over')
  await letGo()
})

test('a date in a warning stays on one line', { only: 'phone' }, async ({ page, beOffice }) => {
  await beOffice('results', '/office/results')
  await page.getByRole('main').getByRole('link', { name: 'Mathematics' }).first().click()
  await page
    .locator('.note .nowrap')
    .filter({ hasText: /^\d\d-[A-Z][a-z]{2}-\d{4}$/ })
    .waitFor()
})
