import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { accessible } from './accessible.ts'
import { test } from './demo-portal.ts'

/** Returns a page with a list, like one of ours; the content of `main` changes between checks. */
const page = (main: string) => `<!doctype html>
  <html lang="en"><head><title>A page</title><meta name="viewport" content="width=device-width, initial-scale=1" />
  <style>
    body { background: white; color: black } .pale, li + li .first { color: #bbb } .ground { background: #222 }
    @media (prefers-color-scheme: dark) { .note { color: #ddd } }
  </style></head>
  <body><header><a href="#here">A page</a></header><main id="here"><h1>A page</h1>${main}</main></body></html>`

const note = '<p class="note">A note</p>'

test('axe checks what is new or has moved, and nothing twice', async (visit) => {
  const look = async (main: string) => {
    await visit.page.setContent(page(main))
    await accessible(visit.page, 'the page')
  }
  const readOnce = () => visit.page.evaluate('Boolean(globalThis.axe)')
  await look(`<h2>Notes</h2>${note}`)
  assert.ok(await readOnce())
  // The words of a note may change.
  await visit.page.goto('about:blank')
  await look('<h2>Words</h2><p class="note">Another note</p>')
  assert.ok(!(await readOnce()), 'axe has read the same again')

  await assert.rejects(look(`<h2>Notes</h2>${note}<p class="pale">Pale</p>`), /color-contrast/)
  // A refused element counts as not read.
  await assert.rejects(look(`<h2>Notes</h2>${note}<p class="pale">Pale</p>`), /color-contrast/)
  await assert.rejects(look(`<h2>Notes</h2><div class="ground">${note}</div>`), /color-contrast/)
  await assert.rejects(look(`<h2>Notes</h2>${note}<button></button>`), /button-name/)
  await look(`<h2>Notes</h2>${note}<label>Name <input id="name" /></label>`)
  await assert.rejects(look(`<h2>Notes</h2>${note}<label></label><input id="name" />`), /label/)
  await assert.rejects(look(`${note}<h3>Below</h3><h2>Notes</h2>`), /heading-order/)
  await look(`<h2>Notes</h2><h3>Below</h3>${note}`)
  await assert.rejects(look(`<h3>Below</h3>${note}`), /heading-order/)
  // So does an element that was not shown.
  const pale = '<li class="pale">Pale</li>'
  await look(`<h2>Notes</h2><ul>${'<li>Black</li>'.repeat(6)}${pale}</ul>`)
  await assert.rejects(look(`<h2>Notes</h2><ul>${pale}</ul>`), /color-contrast/)
  // Of identical elements only one is read; an item after another one may look different.
  const first = '<li><p class="first">First</p></li>'
  await look(`<h2>Notes</h2><ol>${first}</ol>`)
  await assert.rejects(look(`<h2>Notes</h2><ol>${first}${first}</ol>`), /color-contrast/)
  await visit.page.emulateMedia({ colorScheme: 'dark' })
  await assert.rejects(look(`<h2>Notes</h2>${note}`), /color-contrast/)
})

/** What a screen reader says about things that are otherwise seen at a glance. */

/** Returns what is read together with the name of a dialog. */
async function readWith(dialog: Locator): Promise<string> {
  await dialog.locator(':focus').waitFor()
  const id = await dialog.getAttribute('aria-describedby')
  return id ? dialog.locator(`[id="${id}"]`).innerText() : ''
}

/** Returns the text of live regions; they must not be nested, or their text would be read twice. */
async function spoken(page: Page): Promise<string> {
  assert.equal(await page.locator('[aria-live] :is([aria-live], [role="status"])').count(), 0)
  return (await page.locator('[aria-live], [role="status"]').allInnerTexts()).join('\n')
}

test('a screen reader hears subjects and books in full, and that a search finds no one', async (look) => {
  const { page, beSchool } = look
  await beSchool('manoj', '/student/entry')
  const row = page.getByRole('row').filter({ hasText: 'Oviya Namunawala' })
  await row.getByRole('cell', { name: 'Mathematics, English, Hindi, Environment', exact: false }).waitFor()
  await row.getByRole('cell', { name: /Comprehensive Book: .*Previous/ }).waitFor()
  assert.match(await spoken(page), /1–50 of \d+/)
  await page.getByLabel('Student name').fill('Nobody of this name')
  await page.getByText('No students match').waitFor()
  assert.match(await spoken(page), /No students match/)
})

test('a screen reader hears each chosen subject, and the totals with their labels', async (look) => {
  const { page, beSchool } = look
  await beSchool('manoj', '/student/entry')
  await page.getByRole('button', { name: 'Add Entry' }).first().click()
  const dialog = page.getByRole('dialog')
  assert.match(await readWith(dialog), /^\d{4}-\d\d$/)
  await dialog.getByLabel('Class').selectOption('Class 7')
  await dialog.getByRole('combobox', { name: 'Subjects' }).fill('Maths')
  await page.keyboard.press('Enter')
  await dialog.getByText('1 of').first().waitFor()
  assert.match(await spoken(page), /^Mathematics,/m)
  assert.equal(
    await dialog.locator('[aria-live][aria-atomic]').filter({ hasText: 'Registration' }).count(),
    1,
  )
})

test("a screen reader hears a dialog's title, and the question of a confirmation", async (look) => {
  const { page, beSchool, open } = look
  await beSchool('manoj', '/Importantlink/managepayment')
  await page
    .getByRole('img', { name: /^UPI QR code for ₹/ })
    .first()
    .waitFor()
  await page
    .getByRole('button', { name: /^Update Payment Details/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  assert.match(await readWith(dialog), /^Registration Fee, ₹/)
  await page.keyboard.press('Escape')
  await open('/student/entry')
  await page.getByRole('button', { name: 'Delete Oviya Namunawala' }).click()
  assert.match(await readWith(dialog), /Do you want .*\n+Oviya Namunawala/)
  await page.keyboard.press('Escape')
})
