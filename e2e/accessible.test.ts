import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessible } from './accessible.ts'
import { visitor } from './browser.ts'

/** A page with a list, as one of ours: what `main` holds changes from look to look. */
const page = (main: string) => `<!doctype html>
  <html lang="en"><head><title>A page</title><meta name="viewport" content="width=device-width, initial-scale=1" />
  <style>
    body { background: white; color: black } .pale, li + li .first { color: #bbb } .ground { background: #222 }
    @media (prefers-color-scheme: dark) { .note { color: #ddd } }
  </style></head>
  <body><header><a href="#here">A page</a></header><main id="here"><h1>A page</h1>${main}</main></body></html>`

const note = '<p class="note">A note</p>'

test('axe reads what is new and what stands elsewhere than before, and nothing twice', async () => {
  const visit = await visitor('about:blank')
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
  // What it has refused it has not learnt.
  await assert.rejects(look(`<h2>Notes</h2>${note}<p class="pale">Pale</p>`), /color-contrast/)
  await assert.rejects(look(`<h2>Notes</h2><div class="ground">${note}</div>`), /color-contrast/)
  await assert.rejects(look(`<h2>Notes</h2>${note}<button></button>`), /button-name/)
  await look(`<h2>Notes</h2>${note}<label>Name <input id="name" /></label>`)
  await assert.rejects(look(`<h2>Notes</h2>${note}<label></label><input id="name" />`), /label/)
  await assert.rejects(look(`${note}<h3>Below</h3><h2>Notes</h2>`), /heading-order/)
  await look(`<h2>Notes</h2><h3>Below</h3>${note}`)
  await assert.rejects(look(`<h3>Below</h3>${note}`), /heading-order/)
  // What it was not shown it has not learnt either.
  const pale = '<li class="pale">Pale</li>'
  await look(`<h2>Notes</h2><ul>${'<li>Black</li>'.repeat(6)}${pale}</ul>`)
  await assert.rejects(look(`<h2>Notes</h2><ul>${pale}</ul>`), /color-contrast/)
  // Of those made alike one is read; an item that comes after another may look otherwise.
  const first = '<li><p class="first">First</p></li>'
  await look(`<h2>Notes</h2><ol>${first}</ol>`)
  await assert.rejects(look(`<h2>Notes</h2><ol>${first}${first}</ol>`), /color-contrast/)
  await visit.page.emulateMedia({ colorScheme: 'dark' })
  await assert.rejects(look(`<h2>Notes</h2>${note}`), /color-contrast/)
  await visit.close()
})
