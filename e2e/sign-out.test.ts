import assert from 'node:assert/strict'
import { test } from 'node:test'
import { visitor } from './browser.ts'
import { portal } from './look.ts'
import { signIn } from './people.ts'

for (const address of ['/manage-student/student/entry', '/dashboard', '/Importantlink/managepayment'])
  test(`who logs out while ${address} is loading asks for nothing more without a session`, async () => {
    const { page, close } = await visitor((await portal()).url)
    await signIn(page, 'meera@podium.example')
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const sent: string[] = []
    const bare: string[] = []
    await page.route('**/api/**', async (route) => {
      const request = route.request()
      const { pathname } = new URL(request.url())
      sent.push(pathname)
      if (!/^Bearer \S/.test(request.headers().authorization ?? '')) bare.push(pathname)
      // A slow line: what the page has asked for is under way when its person leaves.
      if (bare.length === 0 && !pathname.endsWith('/Logout')) await released
      await route.continue().catch(() => undefined)
    })
    await page.goto(address)
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.getByRole('button', { name: 'Sign In', exact: true }).waitFor()
    release()
    await page.waitForLoadState('networkidle')
    assert.ok(sent.length > 2, sent.join())
    assert.deepEqual(
      sent.filter((path) => path.endsWith('/Logout')),
      ['/api/Account/Logout'],
    )
    // The sign-in page itself asks how one can sign in.
    assert.deepEqual(
      bare.filter((path) => path.toLowerCase() !== '/api/account/signinoptions'),
      [],
    )
    await close()
  })
