import { test } from 'node:test'
import { writeFileSync } from 'node:fs'
import { walk, settled } from './look.ts'
test('look', { timeout: 600000 }, async () => {
  await walk(async ({ page, open, beSchool, beOffice }) => {
    const shot = async (n: string, full = false) => writeFileSync(`/tmp/eo/z-${n}.png`, await page.screenshot({ fullPage: full }))
    await beSchool('meera')
    await open('/Importantlink/managepayment')
    await page.setViewportSize({ width: 1366, height: 900 })
    await shot('pay-meera', true)
    await beOffice('accounts')
    await page.setViewportSize({ width: 1366, height: 768 })
    await open('/office/audit-log')
    await shot('audit')
    for (const [n, at] of [['statements', '/office/statements?state=likely'], ['payment-multi', '/office/payments?state=pending']] as const) {
      await open(at)
      await shot(n)
    }
  }, { expected: /./, only: 'desk' } as never)
})
