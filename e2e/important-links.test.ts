import assert from 'node:assert/strict'
import { announced, hold } from './browser.ts'
import { settled, test } from './demo-portal.ts'
import { lastSeason, staysOpen } from './people.ts'

/** The pages of “Important links” besides the payments, checked in every state. */

test("parcels of books and papers have a table, and each one's track opens in a dialog [spec 1.10 2.1.21 2.13.8 2.13.9]", async (look) => {
  const { page, beSchool, open, see } = look
  await beSchool('kiran', '/Importantlink/trackorder')
  await see('track-order')
  await page
    .getByRole('button', { name: /^View Detail/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('listitem').first().waitFor()
  assert.match((await dialog.getByRole('link').getAttribute('href')) ?? '', /^https:/)
  await see('track-order-dialog')
  await open('/Importantlink/QuctionStatus')
  await page
    .getByRole('button', { name: /^View Detail/ })
    .first()
    .click()
  await dialog.getByRole('listitem').first().waitFor()
  await see('question-papers-dialog')

  // A parcel of awards has more lines than a page: they are folded by subject.
  await page.goto(`/Importantlink/trackorder?season=${lastSeason}`)
  await settled(page)
  await page
    .getByRole('row')
    .filter({ hasText: 'Awards' })
    .getByRole('button', { name: /^View Detail/ })
    .click()
  const counted = dialog.getByLabel('Counted: Class 1, Mathematics, Certificate')
  await dialog.getByRole('button', { name: 'Confirm receipt' }).waitFor()
  assert.equal(await counted.isVisible(), false)
  await dialog.locator('summary').filter({ hasText: 'Mathematics' }).click()
  await counted.fill('0')
  await dialog.getByText('1 difference from the packing list.').waitFor()
  await see('track-order-awards')
  await staysOpen(page, () => dialog.getByRole('button', { name: 'Close' }).last().click())
  assert.equal(await counted.inputValue(), '0')
  await beSchool('joyita', '/Importantlink/trackorder')
  await see('track-order-empty')
  await open('/Importantlink/QuctionStatus', 'Not Applicable')
  await see('question-papers-empty')
  await page.goto('/Importantlink')
  await page.getByRole('heading', { name: 'Manage Payments' }).waitFor()
})

test('online exams are a table by exam and time, and a student can be found in it [spec 1.10 2.1.21 2.13.10 9.15]', async (look) => {
  const { page, beSchool, see } = look
  await beSchool('kiran', '/Importantlink/examScheduleStatus', /^\d\d-[A-Z][a-z]{2}-\d{4} \d\d:\d\d [AP]M$/)
  await see('exam-schedule')
  const name = page.locator('tbody th[scope=row] .nm')
  const [first = ''] = (await name.first().innerText()).split('\n')
  await page.getByLabel('Student', { exact: true }).fill(first)
  await name.filter({ hasNotText: first }).first().waitFor({ state: 'detached' })
  await name.first().waitFor()
  await page.getByLabel('Student', { exact: true }).fill('nobody of this name')
  await page.getByRole('heading', { name: 'No student matches these filters.' }).waitFor()
  await beSchool('joyita', '/Importantlink/examScheduleStatus', 'Not Applicable')
  await see('exam-schedule-empty')
})

test('a question is sent by a form, and the next one starts at the same chapter [spec 2.1.21 2.2.5 2.5.4 2.13.11]', async (look) => {
  const { page, beSchool, see } = look
  await beSchool('joyita', '/dashboard')
  await page.getByRole('link', { name: /Teacher Questions/ }).click()
  await page.waitForURL(/teacherquestion/)
  const send = page.getByRole('button', { name: 'Send question' })
  await send.click()
  await page.getByText('Answer is required').waitFor()
  await see('teacher-question-errors')
  const field = (name: string) => page.getByLabel(name, { exact: true })
  await field('Class').selectOption({ label: 'Class 6' })
  await field('Subject').locator('option[value=S]').waitFor({ state: 'attached' })
  await field('Subject').selectOption('S')
  await field('Chapter').selectOption({ label: 'Chapter500' })
  await field('Question').fill('Which of these is a noble gas? Seen at the museum.')
  for (const [name, text] of Object.entries({ A: 'Oxygen', B: 'Neon', C: 'Nitrogen', D: 'oxygen' })) {
    await field(`Option ${name}`).fill(text)
  }
  await page.getByRole('radio', { name: 'B', exact: true }).check()
  await send.click()
  await page.getByText('The four options must differ').waitFor()
  await field('Option D').fill('Hydrogen')
  // The next question can be typed before the list shows this one.
  const letGo = await hold(page, '*/Get_TeacherQuestions?*')
  await send.click()
  await announced(page, 'Thank you. Your question is sent')
  await field('Question').and(page.locator(':focus')).waitFor()
  assert.equal(await field('Question').inputValue(), '')
  await field('Question').fill('Which comes next?')
  await letGo()
  await page.getByText('Seen at the museum.').waitFor()
  await settled(page)
  assert.equal(await field('Subject').inputValue(), 'S')
  assert.equal(await field('Question').inputValue(), 'Which comes next?')
  await field('Question').fill('')
  await see('teacher-question-sent')
  await page.getByRole('button', { name: 'Withdraw' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Seen at the museum.').waitFor()
  await see('teacher-question-withdraw')
  await dialog.getByRole('button', { name: 'Withdraw' }).click()
  await announced(page, 'Question withdrawn')
  // It is back in the form, to be corrected.
  await page.getByText('Withdrawn', { exact: true }).waitFor()
  await page.waitForFunction("document.querySelector('textarea').value.includes('noble gas')")
  assert.equal(await field('Subject').inputValue(), 'S')
  await field('Question').fill('Which of these is a noble gas?')
  await send.click()
  await page.getByRole('listitem').getByText('Which of these is a noble gas?', { exact: true }).waitFor()
  await see('teacher-question-withdrawn')
  await beSchool('kiran', '/Importantlink/teacherquestion', 'Reason:')
  await see('teacher-question')
})
