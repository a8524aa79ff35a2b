import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sizes } from './browser.ts'
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

test('what a teacher prints of a wide table has every column, on sheets by their long side', async () => {
  await walk(
    async ({ page, beSchool, open }) => {
      await beSchool('kiran')
      const pages = [
        '/student/summery',
        '/books/summary',
        '/student/entry',
        '/Importantlink/examScheduleStatus',
      ]
      for (const path of pages) {
        await open(path)
        const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
        assert.match(pdf, /MediaBox \[0 0 841\S* 59/, path)
        // So wide is A4 between its margins.
        await page.setViewportSize({ width: 1031, height: 703 })
        await page.emulateMedia({ media: 'print' })
        const over = await page.evaluate(`(() => {
          const tables = [...document.querySelectorAll('main table')]
          return tables.map((one) => Math.round(one.getBoundingClientRect().right) - innerWidth).filter((px) => px > 0)
        })()`)
        assert.deepEqual(over, [], path)
        await page.emulateMedia({ media: null })
        await page.setViewportSize(sizes.desk)
      }
      await open('/Importantlink/managepayment?view=account')
      await page.emulateMedia({ media: 'print' })
      await page.getByRole('heading', { level: 1, name: 'Statement of account' }).waitFor()
      assert.equal(
        await page
          .getByText(/Manage Payments|1 to 2 hours/)
          .filter({ visible: true })
          .count(),
        0,
      )
      await page.emulateMedia({ media: null })
    },
    { only: 'desk' },
  )
})
