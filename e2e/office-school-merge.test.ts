import assert from 'node:assert/strict'
import { test } from 'node:test'
import { walk } from './look.ts'

/** Two entries of one school side by side. Nothing is merged here: the world stays as it is for the tests that follow. */
test('the office finds the other entry of a school and sees what a merge would do before it types the code', async () => {
  await walk(async ({ page, beOffice, open, see }) => {
    await beOffice('owner')
    await open('/office/schools?search=kps0102')
    await page.getByRole('rowheader').getByRole('link').first().click()
    await page.getByRole('link', { name: 'Merge …' }).click()
    await page.getByRole('heading', { name: 'Which entry is the same school?' }).waitFor()
    await page.getByLabel('Search', { exact: true }).fill('vnk0417')
    await page.getByRole('button', { name: /^Compare with Sri Gnanodaya/ }).click()
    await page.getByRole('table', { name: 'What moves' }).waitFor()
    await see('office-school-merge')
    const pin = page.getByRole('group', { name: 'Pin code' }).getByRole('radio')
    assert.deepEqual([await pin.nth(0).isChecked(), await pin.nth(1).isChecked()], [true, false])
    const merge = page.getByRole('button', { name: 'Merge VNK0417 into KPS0102' })
    assert.equal(await merge.isDisabled(), true)
    await page.getByRole('link', { name: 'Keep the other one' }).click()
    await page.getByRole('button', { name: 'Merge KPS0102 into VNK0417' }).waitFor()
  })
})
