import assert from 'node:assert/strict'
import { test } from 'node:test'
import { walk } from './look.ts'

/** Two entries of one school side by side. Nothing is merged here: the world stays as it is for the tests that follow. */
test('the office finds the other entry of a school and sees what a merge would do before it types the code', async () => {
  await walk(async ({ page, beOffice, open, see }) => {
    await beOffice('owner')
    await open('/office/schools?search=kps0102')
    await page.getByRole('rowheader').getByRole('link').first().click()
    await page.getByRole('link', { name: 'Merge', exact: true }).click()
    await page.getByRole('heading', { name: 'Which school is the duplicate?' }).waitFor()
    await page.getByLabel('Search', { exact: true }).fill('vnk0417')
    await page.getByRole('button', { name: /^Compare with Sri Gnanodaya/ }).click()
    await page.getByRole('table', { name: 'What moves' }).waitFor()
    await see('office-school-merge')
    const pin = page.getByRole('group', { name: 'PIN code' }).getByRole('radio')
    assert.deepEqual([await pin.nth(0).isChecked(), await pin.nth(1).isChecked()], [true, false])
    const merge = page.getByRole('button', { name: 'Merge VNK0417 into KPS0102' })
    assert.equal(await merge.isDisabled(), true)
    await page.getByRole('link', { name: 'Swap' }).click()
    await page.getByRole('button', { name: 'Merge KPS0102 into VNK0417' }).waitFor()
  })
})

test('the office brings in a file of schools and sees what its rows are before anything is made', async () => {
  const file = {
    name: 'schools.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      [
        'PIN,State,School Name,Town,District,Address,Phone',
        '560017,Karnataka,Zuvya Quolex,Namunapur,Namunapur,4 Udaharan Street,9000000417',
        '411001,Maharashtra,Kalpanik Public School,Udaharanpur,Pune,7 Misaal Marg,9000000102',
        '560001,Karnatka,Zuvya Vidyalaya,Namunapur,Namunapur,4 Udaharan Street,9000000418',
      ].join('\r\n'),
    ),
  }
  await walk(async ({ page, beOffice, open, see }) => {
    await beOffice('owner')
    await open('/office/schools')
    await page.getByRole('link', { name: 'Import' }).click()
    await page.getByLabel('Excel or CSV file').setInputFiles(file)
    await page.getByRole('button', { name: 'Check file' }).click()
    await page.getByRole('button', { name: 'Create 1 school' }).waitFor()
    await page.getByText('Errors (1)').click()
    await page.getByText('Did you mean “Karnataka”?').first().waitFor()
    await see('office-school-import')
    await page.getByText('Already exists (1)').click()
    await page.getByRole('link', { name: 'Kalpanik Public School' }).waitFor()
  })
})
