import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  demoAccounts,
  demoFamilyLink,
  demoOfficers,
  demoPassword,
  demoSchoolLink,
} from '#features/accounts/demo/rules'
import { codeHash, deriveKeys, fullPasswordCost } from '#platform/auth/secrets'
import { totpCode } from '#platform/auth/totp'
import type { OpenedDatabase } from '#platform/db/database'
import { SettingError, type Settings } from '#platform/settings'
import { createLogger } from '#platform/telemetry/logger'
import { seedDemo } from '../seed/demo.ts'
import { signIns } from '../seed/sign-ins.ts'
import { buildApp } from '../src/app.ts'
import { type Running, startServer } from '../src/start.ts'
import { figures, rowsOf } from './demo-world.ts'

interface Served {
  settings: Settings
  /** The world, and the server on it: asked for once the tests run. */
  database: () => OpenedDatabase
  running: () => Running
}

const log = createLogger('error')

/** Tests of how the demo world is served, whichever database it is on and whoever has made it. */
export function servesTheWorld({ settings, database, running }: Served): void {
  const post = (url: string, payload: object) => running().app.inject({ method: 'POST', url, payload })

  test('lets everybody in who is printed at the start', async () => {
    const printed = signIns(settings.publicUrl)
    for (const { email } of demoAccounts) {
      assert.ok(printed.includes(email))
      const { result } = (await post('/api/Account/Login', { emailId: email, password: demoPassword })).json()
      assert.equal(result, 'success', email)
    }
    for (const { email, totpSecret } of demoOfficers) {
      assert.ok(printed.includes(email))
      const first = await post('/api/office/SignIn', { emailId: email, password: demoPassword })
      assert.equal(first.json().result, 'success', email)
      const cookies = Object.fromEntries(first.cookies.map(({ name, value }) => [name, value]))
      const code = totpCode(totpSecret, new Date())
      const payload = { code }
      const second = (
        await running().app.inject({ method: 'POST', url: '/api/office/Confirm', payload, cookies })
      ).json()
      assert.equal(second.result, 'success', email)
    }
  })

  test('takes the full cost of a guess at its passwords', () => {
    assert.deepEqual(running().deps.keys.passwordCost, fullPasswordCost)
  })

  test('opens its school link and its family link with the codes of the demo page', async () => {
    const { id, code } = demoSchoolLink
    const { result } = (await post('/api/Account/VerifyAccessCode', { id, code })).json()
    assert.equal(result, 'success')
    const [family] = await rowsOf(
      database(),
      `select l.access_code_hash, (select count(*) from students s where s.family_link_id = l.id) as children
       from family_links l where l.id = '${demoFamilyLink.id}'`,
    )
    const hash = codeHash(deriveKeys(settings.secret), demoFamilyLink.id, demoFamilyLink.code)
    assert.deepEqual(family, { access_code_hash: hash, children: 2 })
  })

  test('leaves a world alone that is there, its changes too', async () => {
    const before = await figures(database())
    assert.equal(await seedDemo(running().deps), false)
    assert.deepEqual(await figures(database()), before)
  })

  test('has pages with links, codes and mails', async () => {
    const page = await running().app.inject('/demo')
    assert.equal(page.statusCode, 200)
    for (const told of [demoPassword, demoSchoolLink.code, demoFamilyLink.code, 'meera@podium.example'])
      assert.ok(page.body.includes(told), told)
    assert.doesNotMatch(page.body, /<script|style="/)
    await running().outbox.drain()
    const mails = await running().app.inject('/demo/mail')
    const [, address = ''] = /href="(\/demo\/mail\/[^"]*verified[^"]*)"/.exec(mails.body) ?? []
    const mail = await running().app.inject(address)
    assert.match(mail.body, /Receipt-PD\d{2}-\d{6}\.pdf/)
    const receipt = await running().app.inject(`${address}/0`)
    assert.equal(receipt.headers['content-type'], 'application/pdf')
    assert.match(String(receipt.headers['content-disposition']), /^attachment;/)
    assert.equal(receipt.rawPayload.subarray(0, 5).toString(), '%PDF-')
    assert.equal((await running().app.inject('/demo/mail/..%2f..%2fsecret')).statusCode, 404)
  })

  const pages = ['/demo', '/demo/mail', '/demo/demo.css', '/demo/anything']

  test('has no pages where the demo mode is off', async () => {
    const off = await buildApp({ ...running().deps, settings: { ...settings, demo: false } })
    for (const url of pages) assert.equal((await off.inject(url)).statusCode, 404, url)
    await off.close()
  })

  test('is not served where the demo mode is off: its passwords are known to everybody', async () => {
    const start = startServer({
      settings: { ...settings, demo: false },
      log,
      database: database(),
      onFatal: () => undefined,
    })
    await assert.rejects(
      start,
      (error) => error instanceof SettingError && /^DEMO is off/.test(error.message),
    )
  })

  test('has no pages on a database that is no demo world', async () => {
    await database().db.updateTable('foundation').set({ demo: false }).execute()
    for (const url of pages) assert.equal((await running().app.inject(url)).statusCode, 404, url)
    await database().db.updateTable('foundation').set({ demo: true }).execute()
  })
}
