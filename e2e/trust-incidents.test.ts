import { test } from 'node:test'
import { type Look, walk } from './look.ts'

/** A breach of personal data: entered, those affected are added and told by mail, and the incident closed and opened again. */

const title = 'Practice: a file sent to a wrong address'

async function affected({ page, see }: Look) {
  await page.getByRole('button', { name: 'Add people' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByText('Please write at least one that is known.').waitFor()
  await dialog.getByLabel('Class').selectOption({ label: 'Class 6' })
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByText(/^Students: [\d,]+\. School/).waitFor()
  await see('office-incident-filter')
  await dialog.getByText('A list', { exact: true }).click()
  await dialog.getByLabel('Students and staff').fill('sunita@podium.example\nnobody@podium.example')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByText('Not found: nobody@podium.example').waitFor()
  await see('office-incident-add')
  await dialog.getByRole('button', { name: 'Add 1 person' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('School staff').first().waitFor()
}

test('an incident is entered, those affected are added and told by one mail, and it is closed and reopened', async () => {
  await walk(async (look) => {
    const { page, beOffice, open, see } = look
    const dialog = page.getByRole('dialog')
    await beOffice('operations')
    await open('/office/incidents')
    await see('office-incidents-none')
    await page.getByRole('button', { name: 'Report incident' }).click()
    await dialog.getByRole('button', { name: 'Report incident' }).click()
    await dialog.getByText('Please write what happened.').waitFor()
    await dialog.getByLabel('Title').fill(title)
    await dialog.getByLabel('What happened').fill('A file was sent to an address with a letter missing.')
    await see('office-incident-new')
    await dialog.getByRole('button', { name: 'Report incident' }).click()
    await page.getByRole('heading', { name: title }).waitFor()
    await affected(look)
    // What it says lies over the dialog of a phone until it goes.
    await page.locator('.toast').first().waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Add note' }).click()
    await dialog.getByLabel('Note').fill('No report is needed: a practice.')
    await dialog.getByRole('button', { name: 'Add note' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Write e-mail' }).click()
    await dialog.getByLabel('Text (English)').fill('A practice; nothing has happened.')
    await see('office-incident-mail')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.locator('pre', { hasText: 'A practice; nothing has happened.' }).waitFor()
    await see('office-incident')
    const address = new URL(page.url()).pathname
    await beOffice('owner')
    await open(address)
    await page.getByRole('button', { name: 'Send e-mail' }).click()
    await see('office-incident-send')
    await dialog.getByRole('button', { name: 'Send to 1 address' }).click()
    await page
      .getByText(/^(Notified by e-mail|E-mail being sent)$/)
      .first()
      .waitFor()
    const close = async () => {
      await page.getByRole('button', { name: 'Close incident' }).click()
      await dialog.getByLabel('Findings and changes made').fill('Practised.')
      await dialog.getByRole('button', { name: 'Close incident' }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await close()
    await page.getByRole('button', { name: 'Reopen', exact: true }).click()
    await dialog.getByLabel('Reason').fill('A second practice')
    await dialog.getByRole('button', { name: 'Reopen', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await close()
    await open('/office/incidents?state=closed')
    await page.getByText(title).first().waitFor()
    await see('office-incidents')
  })
})
