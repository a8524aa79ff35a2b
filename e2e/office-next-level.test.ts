import { test } from 'node:test'
import { walk } from './look.ts'
import { lastSeason } from './seasons.ts'

/** Invitations to the next level: last season's lists of the demo world, one answered, one that waits for a second person. */

const inLastSeason = `sessionStorage.setItem('office.season', '${lastSeason}')`

test('the office reads the lists of a season, their figures, children and mails; a viewer changes none of them', async () => {
  await walk(async ({ page, beOffice, open, see }) => {
    await beOffice('viewer')
    await page.evaluate(inLastSeason)
    await open('/office/next-level')
    await see('next-level-subjects')
    await page.getByRole('link', { name: 'Mathematics: level 2' }).click()
    await page.getByRole('heading', { name: 'Mathematics: level 2' }).waitFor()
    await page.getByRole('heading', { name: 'Summary' }).waitFor()
    await see('next-level-list')
    await open(`${new URL(page.url()).pathname}?standing=no`)
    await page.getByText('Is away with the family that week.').first().waitFor()
  })
})
