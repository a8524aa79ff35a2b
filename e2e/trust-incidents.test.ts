import { test } from 'node:test'
import { type Look, walk } from './look.ts'

/** A breach of personal data: entered, those affected are found, reports noted, and the incident closed and opened again. */

const title = 'Practice: a file sent to a wrong address'

async function affected({ page, see }: Look) {
  await page.getByRole('button', { name: 'Add people' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Show who' }).click()
  await dialog.getByText('Please write at least one that is known.').waitFor()
  await dialog.getByText('What somebody saw', { exact: true }).click()
  await dialog.getByLabel('Name or e-mail').fill('operations@podium')
  const account = dialog.getByLabel('Whose account')
  await account.locator('option').nth(1).waitFor({ state: 'attached' })
  await account.selectOption({ index: 1 })
  await dialog.getByLabel('From', { exact: true }).fill('2024-01-01')
  await dialog.getByRole('button', { name: 'Show who' }).click()
  await dialog.getByText(/^Children: \d+\. People/).waitFor()
  await see('office-incident-actor')
  await dialog.getByText('A list', { exact: true }).click()
  await dialog.getByLabel('Children and people').fill('sunita@podium.example\nnobody@podium.example')
  await dialog.getByRole('button', { name: 'Show who' }).click()
  await dialog.getByText('Not known: nobody@podium.example').waitFor()
  await see('office-incident-pick')
  await dialog.getByRole('button', { name: 'Add 1', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('A list of 2 lines', { exact: false }).first().waitFor()
}

test('an incident is entered, its reports are noted, those affected are found, and it is closed and reopened', async () => {
  await walk(async (look) => {
    const { page, beOffice, open, see } = look
    const dialog = page.getByRole('dialog')
    await beOffice('operations')
    await open('/office/incidents')
    await see('office-incidents-none')
    await page.getByRole('button', { name: 'Enter an incident' }).click()
    await dialog.getByRole('button', { name: 'Enter an incident' }).click()
    await dialog.getByText('Please write what happened.').waitFor()
    await dialog.getByLabel('Title').fill(title)
    await dialog.getByLabel('What happened').fill('A file was sent to an address with a letter missing.')
    await see('office-incident-new')
    await dialog.getByRole('button', { name: 'Enter an incident' }).click()
    await page.getByRole('heading', { name: title }).waitFor()
    await page.getByText(/^(6 h 0|5 h \d+) min left/).waitFor()
    await affected(look)
    // What it says lies over the dialog of a phone until it goes.
    await page.locator('.toast').first().waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Note the report: Board' }).click()
    await see('office-incident-report')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    for (const clock of ['CERT-In', 'Board']) {
      await page.getByRole('button', { name: `Note the report: ${clock}` }).click()
      await dialog.getByLabel('What became of it').selectOption('needless')
      await dialog.getByLabel('Number and addressee').fill('A practice')
      await dialog.getByRole('button', { name: 'Note it' }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await see('office-incident')
    await page.getByRole('button', { name: 'Write what they read' }).click()
    await dialog.getByLabel('What happened (English)').waitFor()
    for (const area of await dialog.getByRole('textbox').all())
      await area.fill('A practice; nothing has happened.')
    await see('office-incident-words')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Show the mails' }).click()
    await dialog.getByText('A practice; nothing has happened.').first().waitFor()
    await see('office-incident-mails')
    await dialog.getByRole('button', { name: 'Close', exact: true }).first().click()
    await page.getByRole('button', { name: 'Ask for the sending' }).click()
    await page.getByText('Somebody else approves it.', { exact: false }).first().waitFor()
    await see('office-incident-asked')
    const address = new URL(page.url()).pathname
    await beOffice('owner')
    await open(address)
    await page.getByRole('button', { name: 'Approve and send' }).click()
    await page
      .getByText(/^(Told by mail|Mail on its way)$/)
      .first()
      .waitFor()
    const close = async () => {
      await page.getByRole('button', { name: 'Close the incident' }).click()
      await dialog.getByLabel('Conclusion').fill('Practised.')
      await dialog.getByRole('button', { name: 'Close the incident' }).click()
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
