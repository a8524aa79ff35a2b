import { test } from 'node:test'
import { told } from './browser.ts'
import { broken, walk } from './look.ts'
import { lastSeason, thisSeason } from './seasons.ts'

/** Last season's students: seen as a difference, corrected in place, entered, taken back. */

test('last season is looked at class by class and corrected in place; empty, closed and failed it says so', async () => {
  await walk(
    async ({ page, beSchool, open, see }) => {
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
      await edit.click()
      await group.getByLabel('Roll no', { exact: true }).fill('0')
      await group.getByLabel('Roll no', { exact: true }).press('Enter')
      await group.getByText('Roll No is required.').waitFor()
      await see('carry-over-edit')
      await group.getByLabel('Roll no', { exact: true }).fill('97')
      await group.getByLabel('Roll no', { exact: true }).press('Enter')
      await group.getByText('97', { exact: true }).waitFor()
      await page.locator('[aria-label^="Change "]:focus').waitFor()

      await beSchool('joyita')
      await page.route('**/PreviewCarryOver*', (route) => route.fulfill({ status: 500, body: '' }))
      await open('/student/lastseason')
      const again = page.getByRole('button', { name: 'Try again' })
      await again.waitFor()
      await page.unroute('**/PreviewCarryOver*')
      await again.click()
      await page.getByText('No one to bring over').waitFor()
      await page.evaluate(`sessionStorage.setItem('season', '${lastSeason}')`)
      await open('/student/lastseason')
      await page.getByRole('heading', { name: 'Not open for enrolment' }).waitFor()
    },
    { expected: broken },
  )
})

test('the ticked ones are entered with the amount confirmed, and taken back', async () => {
  await walk(
    async ({ page, beSchool, open, see }) => {
      await beSchool('arasu')
      await open('/student/lastseason')
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
      await dialog.getByRole('button', { name: /^Enter / }).click()
      const entered = Number.parseInt(await page.getByText(/^\d+ students added\.$/).innerText(), 10)
      await page.getByRole('link', { name: 'See them' }).click()
      await page.getByText(new RegExp(`students of ${lastSeason}:`)).waitFor()
      await page.getByText(`${entered + 7} students in ${thisSeason}`).waitFor()
      await page.goBack()
      await page.getByRole('button', { name: 'Undo import' }).click()
      await dialog.getByRole('button', { name: 'Undo import' }).click()
      await page.getByText(/^\d+ students removed\.$/).waitFor()

      await beSchool('manoj')
      await open('/student/entry')
      for (const at of [0, 1, 2]) await page.locator('tbody input[type=checkbox]').nth(at).check()
      await page.getByRole('button', { name: 'Change', exact: true }).click()
      await dialog.getByLabel('Move to section').check()
      await dialog.getByLabel('Section', { exact: true }).selectOption('Q')
      await dialog.getByText('3 students will change.').waitFor()
      await see('students-change')
      await dialog.getByRole('button', { name: 'Change 3 students' }).click()
      await page.getByText('3 students changed.').waitFor()
      await page.getByRole('button', { name: 'Undo', exact: true }).click()
      await told(page, '3 students restored')
    },
    { only: 'desk' },
  )
})
