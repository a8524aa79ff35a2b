import { test } from 'node:test'
import { refused, walk } from './look.ts'

test('the coordinator signs a list off, finds it closed, and opens it again with a reason', async () => {
  await walk(
    async ({ page, beSchool, open, see }) => {
      const subject = 'Science'
      await beSchool('savitri')
      await open('/student/signoff')
      const card = page
        .getByRole('listitem')
        .filter({ has: page.getByRole('heading', { level: 2, name: subject, exact: true }) })
      await card.getByText('Before you sign off').waitFor()
      await see('sign-off')
      const students = Number(/\d+/.exec((await card.getByText(/^\d+ students$/).textContent()) ?? '')?.[0])
      await card.getByRole('button', { name: `Sign off ${subject}` }).click()
      const dialog = page.getByRole('dialog')
      const count = dialog.getByLabel('Number of students in this list')
      await count.fill(String(students + 1))
      await dialog.getByRole('button', { name: 'Sign off' }).click()
      await dialog.getByText('This is not the number of students in the list.').waitFor()
      await see('sign-off-dialog')
      await count.fill(String(students))
      await dialog.getByRole('button', { name: 'Sign off' }).click()
      await card.getByText('Signed off', { exact: true }).waitFor()
      await open('/student/entry')
      await page.getByRole('button', { name: 'Add Entry' }).click()
      await dialog.getByLabel('Class', { exact: true }).selectOption('5')
      await dialog.getByRole('combobox', { name: 'Subjects' }).click()
      await page.getByRole('option', { name: `${subject} (signed off)` }).waitFor()
      await open('/student/signoff')
      await card.getByRole('button', { name: `Reopen ${subject}` }).click()
      await dialog.getByRole('button', { name: 'Reopen' }).click()
      await dialog.getByText('Please enter a reason.').waitFor()
      await dialog.getByLabel('Reason').fill('A child came late')
      await dialog.getByRole('button', { name: 'Reopen' }).click()
      await card.getByText('Open', { exact: true }).waitFor()
      await card.getByText(/^History/).click()
      await card.getByText(/A child came late/).waitFor()
      await see('sign-off-history')
    },
    { expected: refused },
  )
})
