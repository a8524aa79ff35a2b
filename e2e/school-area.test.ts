import assert from 'node:assert/strict'
import { test } from 'node:test'
import { told } from './browser.ts'
import { walk } from './look.ts'

/** The school's own data and the days of its exams. */

test('what the foundation has on record is shown, and how it is changed [spec 1.12 2.1.7 2.14.1 2.14.2]', async () => {
  await walk(async ({ page, beSchool, open, see }) => {
    await beSchool('meera')
    await page.goto('/School')
    await page.getByRole('heading', { level: 1, name: 'School Details' }).waitFor()
    await page.locator('main').getByText('VNK0417').first().waitFor()
    // Filled in by nobody: not shown.
    assert.equal(await page.getByText('Fax', { exact: true }).count(), 0)
    await see('school-details')
    await page.getByRole('button', { name: 'Change details' }).click()
    await page.getByRole('dialog').getByText('@').first().waitFor()
    await see('school-details-how-to-change')
    await open('/School/examdate')
    await see('exam-dates-unpaid')
    await open('/School/attendance')
    // Each olympiad is folded beneath its counts.
    await see('attendance')
    const olympiad = page.locator('main details').first()
    assert.ok(!(await olympiad.getByRole('table').isVisible()))
    await olympiad.locator('summary').click()
    await olympiad.getByText('After the exam', { exact: true }).first().waitFor()
    await see('attendance-opened')
  })
})

test('a school chooses one of two dates once its students are paid, and changes it [spec 1.12 2.1.8 2.14.3 4.15 5.21 8.10 8.11]', async () => {
  await walk(async ({ page, beSchool, open, see }) => {
    const subject = 'Mathematics'
    await beSchool('fiona')
    await open('/School/examdate')
    const row = page.getByRole('row').filter({ hasText: subject }).first()
    await row.getByRole('button', { name: `Change the exam date of ${subject}` }).click()
    await page.getByText('Please select Exam date.').first().waitFor()
    await see('exam-dates-nothing-chosen')
    for (const at of [0, 1]) {
      const date = row.getByRole('radio').nth(at)
      await date.click()
      await told(page, 'Details saved sucessfully')
      await date.and(page.locator(':checked')).waitFor()
    }
    await row.getByText('2 changes').click()
    await row.getByText(/ instead of /).waitFor()
    await see('exam-dates-changed')
  })
})

test('arrow keys go from one exam date to the other without saving; Enter or Change saves', async () => {
  await walk(
    async ({ page, beSchool, open, see }) => {
      await beSchool('fiona')
      await open('/School/examdate')
      const row = page.getByRole('row').filter({ hasText: 'Science' }).first()
      const [first, second] = [row.getByRole('radio').first(), row.getByRole('radio').last()]
      await first.click()
      await told(page, 'Details saved sucessfully')
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
      await told(page, 'Details saved sucessfully')
      await row.getByText('1 change', { exact: true }).waitFor({ state: 'detached' })
      await second.press('ArrowLeft')
      await row.getByRole('button', { name: 'Change the exam date of Science' }).click()
      await told(page, 'Details saved sucessfully')
      await row.getByText('3 changes').waitFor()
      assert.ok(await first.isChecked())
    },
    { only: 'desk' },
  )
})

test('whom the palette finds is in a class named in the reader’s language', async () => {
  await walk(
    async ({ page, beSchool, open }) => {
      await beSchool('meera')
      await open('/dashboard')
      await page.keyboard.press('Control+k')
      await page.locator('.palette-search input').fill('Misaal')
      const places = page.locator('.palette-group small')
      await places.first().waitFor()
      assert.deepEqual(
        (await places.allInnerTexts()).filter((place) => !place.startsWith('कक्षा ')),
        [],
      )
    },
    { language: 'hi', only: 'desk' },
  )
})
