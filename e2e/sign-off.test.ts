import { test } from 'node:test'
import { refused, walk } from './look.ts'

test('the coordinator signs a list off, finds it closed, and opens it again with a reason', async () => {
  await walk(
    async ({ page, beSchool, open, see }) => {
      const subject = 'Science'
      await beSchool('savitri')
      await open('/student/signoff')
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
    },
    { expected: refused },
  )
})
