import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { broken, type Look, refused, walk } from './look.ts'
import { lastSeason } from './seasons.ts'

/** Results outside the school: the page behind a link, the family's card, certificates and whether one is genuine. */

const results = `/result/viewresult?FYear=${lastSeason}`

/** Opens the results of a school in a subject, and gives the link of the first name. */
async function firstLink({ page, open }: Look, subject: string): Promise<string> {
  await open(`/result/viewresult?season=${lastSeason}`)
  assert.equal(await page.getByLabel('FYear').inputValue(), lastSeason)
  const choice = page.locator('main').getByLabel('Subject')
  const option = choice.locator('option', { hasText: subject }).first()
  await choice.selectOption((await option.getAttribute('value')) ?? '')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.getByText(`${subject}, all classes, ${lastSeason}.`).waitFor()
  return (await page.locator('tbody a[href^="/r/"]').first().getAttribute('href')) ?? ''
}

test('a name of the results table opens its page: medal and ranks, stars for little ones, or why there is nothing', async () => {
  await walk(
    async (look) => {
      const { page, beSchool, open, see, size } = look
      await beSchool('kiran')
      const little = size === 'phone'
      const link = await firstLink(look, little ? 'Little Star: First English' : 'Mathematics')
      await open(link)
      await page.getByText('Gold medal').waitFor()
      if (little) {
        await page.getByRole('heading', { name: /shines with/ }).waitFor()
        assert.equal(await page.getByText('Ranks').count(), 0)
      } else await page.getByText(/1st of \d+ in the class/).waitFor()
      await see(little ? 'result-page-little-star' : 'result-page')
      await page.getByRole('button', { name: 'हिन्दी' }).click()
      await page.getByText('स्वर्ण पदक').waitFor()
      await page.getByText(little ? /^नन्हे सितारे: पहली अंग्रेज़ी/ : /^गणित/).waitFor()
      await see(little ? 'result-page-little-star-hindi' : 'result-page-hindi')
      await page.getByRole('button', { name: 'English' }).click()
      if (!little) return

      await open(`${link.slice(0, -4)}0000`)
      await page.getByText("This link doesn't work").waitFor()
      await page.route('**/PublicResult*', (route) => route.fulfill({ status: 500, body: '' }))
      await page.goto(link)
      const again = page.getByRole('button', { name: 'Try again' })
      await again.waitFor()
      await page.unroute('**/PublicResult*')
      const notOut = { result: 'success', message: '', state: 'awaited', data: null }
      await page.route('**/PublicResult*', (route) => route.fulfill({ json: notOut }))
      await again.click()
      await page.getByRole('heading', { name: "This result isn't available right now" }).waitFor()
      await see('result-page-not-out')
    },
    { expected: broken, twice: true },
  )
})

test('a school reads why a subject has no results, downloads a certificate, and anybody checks its number', async () => {
  await walk(
    async ({ page, beSchool, open, see, size }) => {
      const found = page.locator('main').getByLabel('Subject')
      if (size === 'desk') {
        await beSchool('arindam')
        await open(results)
        for (const [subject, state] of [
          ['Science', "Your school's results are on hold"],
          ['Social Studies', 'Not out yet'],
        ] as const) {
          const option = found.locator('option', { hasText: subject }).first()
          await found.selectOption((await option.getAttribute('value')) ?? '')
          await page.getByRole('button', { name: 'Search', exact: true }).click()
          await page.getByRole('heading', { name: state }).waitFor()
        }
        await see('results-awaited')
      }
      await beSchool('kiran')
      await open(results)
      assert.equal(await page.locator('#season').inputValue(), lastSeason)
      const rank = size === 'desk' ? /^Class rank 1,/ : /^Class rank 2,/
      await page.getByRole('button', { name: rank }).first().click()
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Certificate (PDF)' }).click(),
      ])
      const pdf = (await readFile(await file.path())).toString('latin1')
      const number = /\(Certificate of Merit ([0-9A-Z-]{14})\)/.exec(pdf)?.[1] ?? ''

      await open('/verify/AAAA-BBBB-CCCC')
      await page.getByText('No certificate has this number').waitFor()
      await page.getByLabel('Certificate number').fill(number.toLowerCase().replaceAll('-', ' '))
      await page.getByRole('button', { name: 'Check' }).click()
      await page.getByText('This certificate is genuine').waitFor()
      assert.equal(await page.getByText(/Navya|Krish/).count(), 0)
      await see('verify-genuine')
    },
    { expected: refused, twice: true },
  )
})

test("a family finds last season's medal at its child, with the reasons and the certificate", async () => {
  await walk(
    async ({ page, open, see }) => {
      await open('/student?id=demo-family-of-two-kid')
      await page.locator('input[name=code]').fill('DEMFAM22')
      await page.locator('input[name=code]').press('Enter')
      const card = page.getByRole('article', { name: 'Ishita Namunawala' })
      await card.getByRole('heading', { name: 'Gold medal' }).first().waitFor()
      await card
        .getByText(/: results aren't out yet/)
        .first()
        .waitFor()
      // Which results stand above it is up to the tests before.
      for (const reasons of await card.getByText('How we worked this out').all()) await reasons.click()
      await card
        .getByText(/rank 1 in the class\. At least \d+/)
        .first()
        .waitFor()
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        card.getByRole('button', { name: `Certificate, Mathematics ${lastSeason}` }).click(),
      ])
      assert.equal(
        file.suggestedFilename(),
        `Certificate of Merit Mathematics ${lastSeason} Ishita Namunawala.pdf`,
      )
      await see('family-results')
      await page.getByRole('button', { name: 'हिन्दी' }).click()
      await card.getByRole('heading', { name: 'स्वर्ण पदक' }).first().waitFor()
      const said = (await card.locator('.exams, .kid-result').allInnerTexts()).join(' ')
      assert.match(said, /गणित/)
      // “Kalpanik”, the school and the places in it, are not ours to translate; the olympiads' words are.
      assert.doesNotMatch(said, /Mathematics|Science|English|Olympiad|prize|award|section|certificate/i)
      await see('family-results-hindi')
      await page.getByRole('button', { name: 'English' }).click()
    },
    { twice: true },
  )
})

test('what stands beneath the children is offered when their results are there, or do not come: it would move away under a finger', async () => {
  await walk(
    async ({ page, open }) => {
      const arrive = Promise.withResolvers<void>()
      await page.route('**/FamilyResults', async (route) => {
        await arrive.promise
        await route.fulfill({ status: 500, body: '' })
      })
      await open('/student?id=demo-family-of-two-kid')
      await page.locator('input[name=code]').fill('DEMFAM22')
      await page.locator('input[name=code]').press('Enter')
      await page.getByRole('button', { name: 'Edit the details of Ishita Namunawala' }).waitFor()
      const privacy = page.getByRole('button', { name: /^Privacy/, includeHidden: true })
      assert.equal(await privacy.isVisible(), false)
      // Nor is it kept back for ever by an answer that never comes.
      await page.evaluate('document.getAnimations().forEach((one) => one.finish())')
      assert.equal(await privacy.isVisible(), true)
      await page.route('**/Get_Privacy*', (route) => route.fulfill({ status: 500, body: '' }))
      arrive.resolve()
      await privacy.click()
      const again = page.locator('.kids ~ div').getByRole('button', { name: 'Try again' })
      await again.waitFor()
      await page.unroute('**/Get_Privacy*')
      await again.click()
      await page.getByRole('region', { name: 'Ishita Namunawala' }).waitFor()
    },
    { expected: broken, only: 'phone' },
  )
})
