import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Request } from 'playwright-core'
import { settled, walk } from './look.ts'

/** How soon a page is there on a slow line: its HTML names all that it is made of. */

test('a page names its frame, its parts and its words, so that a browser asks for none of them only when it has read others', async () => {
  await walk(
    async ({ page, beSchool, beOffice }) => {
      const unnamed = async (path: string) => {
        const asked: string[] = []
        const hear = (request: Request) => asked.push(new URL(request.url()).pathname)
        page.on('request', hear)
        const html = (await (await page.goto(path))?.text()) ?? ''
        await settled(page)
        page.off('request', hear)
        // What is asked for beside the page's own data may come behind it.
        const first = asked.findIndex((one) => one.startsWith('/api/'))
        const parts = asked
          .slice(0, first < 0 ? undefined : first)
          .filter((one) => one.startsWith('/assets/'))
        assert.ok(parts.length > 5, path)
        return parts.filter((part) => !html.includes(`href="${part}"`) && !html.includes(`src="${part}"`))
      }
      for (const path of ['/login', '/student?id=demo-family-of-two-kid'])
        assert.deepEqual(await unnamed(path), [], path)
      await beSchool('meera')
      for (const path of ['/dashboard', '/Importantlink/managepayment'])
        assert.deepEqual(await unnamed(path), [], path)
      await beOffice('owner')
      for (const path of ['/office', '/office/schools/1']) assert.deepEqual(await unnamed(path), [], path)
    },
    { only: 'phone' },
  )
})

test('who loads a page anew and goes back before it is drawn sees the page that was gone back to', async () => {
  await walk(
    async ({ page, beSchool, open }) => {
      await beSchool('meera')
      await open('/dashboard')
      await open('/student/entry')
      const held = Promise.withResolvers<void>()
      await page.route(/\/students-page-[^/]*\.js$/, async (route) => {
        await held.promise
        await route.continue()
      })
      await page.reload({ waitUntil: 'commit' })
      await page.evaluate(`(async () => {
        while (!globalThis.__TSR_ROUTER__) await new Promise((resolve) => setTimeout(resolve, 10))
        history.back()
        while (location.pathname !== '/dashboard') await new Promise((resolve) => setTimeout(resolve, 10))
      })()`)
      held.resolve()
      await settled(page)
      assert.equal(await page.locator('main h1').textContent(), 'Dashboard')
      await page.unroute(/\/students-page-[^/]*\.js$/)
    },
    { only: 'phone' },
  )
})
