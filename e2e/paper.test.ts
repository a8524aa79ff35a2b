import assert from 'node:assert/strict'
import { test } from 'node:test'
import { walk } from './look.ts'

test('a coordinator prints lists of the students that are shown, and a blank form for families', async () => {
  await walk(async ({ page, beSchool, open, see }) => {
    await beSchool('manoj')
    await open('/student/entry?classId=5')
    await page.getByRole('button', { name: 'Download', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/active students in \d+ section/).waitFor()
    await dialog.getByLabel('List').selectOption('Fee collection list with signatures')
    await see('paper-dialog')
    const saved = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Create PDF' }).click()
    const file = (await saved).suggestedFilename()
    assert.match(file, /^Fee collection list/)
    await dialog.getByText('The PDF is ready. You can download it for a day.').waitFor()
    await dialog.getByLabel('List').selectOption('Class list')
    const list = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Create PDF' }).click()
    assert.match((await list).suggestedFilename(), /^Class list/)
    await open('/dashboard')
    await page.getByRole('button', { name: 'Choose', exact: true }).click()
    await dialog.getByLabel('Class').selectOption('LKG')
    await dialog.getByText('हिन्दी', { exact: true }).click()
    await see('paper-family-form')
    const form = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Download PDF' }).click()
    assert.match((await form).suggestedFilename(), /^Registration form LKG/)
  })
})
