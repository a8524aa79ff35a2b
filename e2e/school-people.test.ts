import assert from 'node:assert/strict'
import { refused, test } from './demo-portal.ts'
import { newestMail } from './people.ts'

/** People of a school: colleagues who join, its coordinator, and an applicant who is asked back. */

const password = 'Tamarind-kettle-42'

test('a coordinator invites a colleague, who joins by the e-mailed link, sees the school and is removed again', async (look) => {
  const { page, beSchool, open, see, expects } = look
  expects(refused)
  const name = 'Tara Udaharan'
  const email = 'tara@colleagues.example'
  const row = page.getByRole('row').filter({ hasText: name })
  await beSchool('fiona', '/School/staff')
  await see('staff')
  await page.getByRole('button', { name: 'Invite someone' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Send invitation' }).click()
  await dialog.getByText('Email-Id is required').waitFor()
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('E-mail').fill(email)
  await dialog.getByRole('button', { name: 'Send invitation' }).click()
  await row.getByText(/^Until/).waitFor()
  await see('staff-invited')

  const mail = await newestMail(page, email, /invites you/)
  await page.goto(/https?:\S+\/invitation#\S+/.exec(mail)?.[0] ?? '')
  await page.getByRole('heading', { level: 1, name: 'Join your school' }).waitFor()
  // The address no longer has the token, yet a reload, as phones do by themselves, loses nothing.
  assert.equal(new URL(page.url()).hash, '')
  await page.reload()
  await page.getByLabel('Mobile No').fill('9000000017')
  await see('invitation')
  await page.getByLabel('You are a').selectOption('Teacher')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Re-enter password').fill(password)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Join school' }).click()
  await page.waitForURL(/\/login/)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await page.waitForURL(/\/dashboard/)
  await open('/School/staff')
  await row.getByText('(you)').waitFor()
  await page.getByText('Only your coordinator can do this.').first().waitFor({ state: 'attached' })
  await see('staff-not-coordinator')

  await beSchool('fiona', '/School/staff')
  await page.getByRole('button', { name: `Remove ${name}` }).click()
  await dialog.getByText('is signed out at once').waitFor()
  await see('staff-remove')
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await row.waitFor({ state: 'detached' })
})

test('who is asked to become coordinator sees it on the dashboard and answers there; nobody else does', async (look) => {
  const { page, beSchool, open, see } = look
  const asked = page.getByText('asks you to take over as coordinator')
  const pending = page.getByText(/ asked .* to take over as coordinator/)
  await beSchool('meera', '/School/staff')
  await page.getByRole('button', { name: /^Make coordinator: Joel/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send request' }).click()
  await pending.waitFor()
  await open('/dashboard')
  assert.equal(await asked.count(), 0)
  await beSchool('joel', '/dashboard')
  await asked.waitFor()
  // Before everything else, also on a phone, where the figures come later
  await see('dashboard-coordinator', async (page) => {
    const above = await page.evaluate(`(() => {
        const bottom = document.querySelector('.dash-asked')?.getBoundingClientRect().bottom ?? Infinity
        return [...document.querySelectorAll('.dash > :not(.dash-asked)')]
          .every((part) => part.getBoundingClientRect().top >= bottom)
      })()`)
    assert.equal(above, true, 'the request comes first')
  })
  await page.getByRole('button', { name: 'Decline' }).click()
  await asked.waitFor({ state: 'detached' })
  await beSchool('meera', '/School/staff')
  assert.equal(await pending.count(), 0)
})

test('an applicant answers a question from the office, and the office asks once more', {
  only: 'phone',
}, async ({ page, beSchool, beOffice, open, see, expects }) => {
  expects(refused)
  await beSchool('zarina', '/dashboard')
  await page.getByRole('link', { name: 'Answer', exact: true }).click()
  // The dashboard shows the question, too.
  await page.getByRole('heading', { level: 1, name: 'School detail' }).waitFor()
  await page.getByText('Please send us the UDISE code').waitFor()
  await see('asked-back')
  await page.getByRole('button', { name: 'Send the answer' }).click()
  await page.getByText('Please answer, or correct what is missing.').waitFor()
  await page.getByLabel('Your answer').fill('We have applied for the code; the letter comes by post.')
  await page.getByRole('button', { name: 'Send the answer' }).click()
  await page.getByText("We're checking your school's details").first().waitFor()

  await beOffice('operations', '/office/applications')
  const list = page.getByRole('list', { name: 'List of applications' })
  await list.getByRole('link').filter({ hasText: 'Answered' }).first().click()
  await page.getByText('the letter comes by post').first().waitFor()
  await see('application-answered')
  await page.getByRole('button', { name: 'Request information' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('What you need').fill('Please send us the UDISE code when it comes.')
  await see('application-ask-back')
  await dialog.getByRole('button', { name: 'Send request' }).click()
  await list.getByRole('link').filter({ hasText: 'Answered' }).waitFor({ state: 'detached' })
  await open('/office/applications?state=asked', 'Waiting for reply')
  await see('applications-asked')
})
