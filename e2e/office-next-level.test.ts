import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fits, hold, told } from './browser.ts'
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

interface Invited {
  studentId: number
  className: string
  answer: string
  note: string
}
interface Event {
  can: object
  daysLeft: number
  answerBy: string
  children: Invited[]
}

test('a school answers for a class at once, page by page, and keeps what it has said on the others', async () => {
  await walk(
    async ({ page, beSchool, open, see }) => {
      await beSchool('sunita')
      // The last day is over in the demo world; here it is not, and nobody is told what is answered.
      let event: Event | undefined
      let sent: { answers: { studentId: number; answer: string; note: string }[] } | undefined
      const token = await page.evaluate<string>(`sessionStorage.getItem('token')`)
      page.on('request', (request) => {
        if (request.url().includes('Answer_Invitations')) sent = request.postDataJSON()
      })
      const letGo = await hold(page, '*/api/ManageResult/*_Invitations*', async ({ url, answer }) => {
        if (url.includes('Answer_')) return answer(200, { result: 'success', message: '', answered: 6 })
        const asked = await page.context().request.get(url, { headers: { authorization: `Bearer ${token}` } })
        const body = await asked.json()
        event = { ...body.data[0], can: { answer: true }, daysLeft: 3, answerBy: '2027-12-01' } as Event
        return answer(200, { ...body, data: [event] })
      })
      await open(`/result/nextlevel?season=${lastSeason}`)
      const rows = page.locator('tbody tr:not(.grouprow)')
      assert.equal(await rows.count(), 20, 'a page of a list that a phone would scroll through for a minute')
      await see('next-level-school')
      const [first, ...others] = event?.children ?? []
      assert.ok(first && others.length > 20)
      // One by hand, with a reason; the rest of the class with one press, wherever in the list they stand.
      await rows.first().getByRole('button', { name: 'No', exact: true }).click()
      await rows.first().getByLabel('Why').fill('Moves away in May')
      const name = `Yes for all of ${first.className} without an answer`
      await page.getByRole('button', { name }).click()
      await page.getByRole('button', { name: 'Next' }).click()
      await page.getByText('21–').waitFor()
      await fits(page, 'the second page of those who are invited')
      await page.getByRole('button', { name: 'Previous' }).click()
      assert.equal(await rows.first().getByLabel('Why').inputValue(), 'Moves away in May')
      const own = others.filter(({ className }) => className === first.className)
      await page.getByRole('button', { name: `Send ${own.length + 1} answers` }).click()
      await told(page, '6 answers sent')
      assert.deepEqual(sent?.answers, [
        { studentId: first.studentId, answer: 'no', note: 'Moves away in May' },
        ...own.map(({ studentId }) => ({ studentId, answer: 'yes', note: '' })),
      ])
      await letGo()
    },
    { only: 'phone' },
  )
})
