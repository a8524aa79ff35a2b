import assert from 'node:assert/strict'
import { test } from 'node:test'
import { visitor } from './browser.ts'
import { portal, settled } from './demo-portal.ts'
import { signIn } from './people.ts'

/** What an injection would try; the browser must refuse each, on a page of every entry. */
const sinks = {
  'markup into an element': `document.body.innerHTML = '<img src=x>'`,
  'markup beside an element': `document.body.insertAdjacentHTML('beforeend', '<img src=x>')`,
  'a parsed document': `new DOMParser().parseFromString('<p>', 'text/html')`,
  'a page in a frame': `document.createElement('iframe').srcdoc = '<p>'`,
  'the address of a script': `document.createElement('script').src = '/assets/x.js'`,
  'the text of a script': `document.createElement('script').text = 'x'`,
  'a policy of its own': `trustedTypes.createPolicy('own', { createHTML: (text) => text })`,
  'a default policy': `trustedTypes.createPolicy('default', { createHTML: (text) => text })`,
}

for (const [entry, path] of Object.entries({
  gate: '/login',
  school: '/dashboard',
  office: '/office/login',
  family: '/r?id=nobody',
  demo: '/demo',
}))
  test(`text becomes neither markup nor code on a page of the ${entry}`, async () => {
    const { page, close } = await visitor((await portal()).url, { expected: /Trusted|policy|status of 4/ })
    if (entry === 'school') await signIn(page, 'meera@podium.example')
    await page.goto(path)
    await settled(page)
    for (const [what, attempt] of Object.entries(sinks)) {
      const outcomes = await page.evaluate<string>(`(() => {
        try {
          ${attempt}
          return 'done'
        } catch (error) {
          return error.name
        }
      })()`)
      assert.equal(outcomes, 'TypeError', `${what} on ${path}`)
    }
    await close()
  })
