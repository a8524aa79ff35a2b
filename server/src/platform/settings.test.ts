import assert from 'node:assert/strict'
import { chmodSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../test/database.ts'
import { readSettings, SettingError } from './settings.ts'

const secret = 'x'.repeat(32)
const usual = () => ({ DATA_DIR: temporaryFolder('podium-settings-') })

test('without any setting Podium listens on this machine alone, with the demo world and a secret of its own', () => {
  const settings = readSettings(usual())
  assert.deepEqual(
    [settings.port, settings.host, settings.publicUrl, settings.demo, settings.databaseUrl],
    [3000, '127.0.0.1', 'http://127.0.0.1:3000', true, undefined],
  )
  assert.ok(settings.secret.length >= 32)
})

test('the secret that was made once is kept', () => {
  const env = usual()
  assert.equal(readSettings(env).secret, readSettings(env).secret)
})

test('a kept secret that is empty stops the start: keys made from nothing could be made by anybody', () => {
  const env = usual()
  writeFileSync(join(env.DATA_DIR, 'secret'), '\n')
  assert.throws(() => readSettings(env), SettingError)
})

test('a kept secret that others on the machine may read is closed to them', () => {
  const env = usual()
  readSettings(env)
  const file = join(env.DATA_DIR, 'secret')
  chmodSync(file, 0o644)
  readSettings(env)
  assert.equal(statSync(file).mode & 0o777, 0o600)
})

test('production has no demo world', () => {
  const settings = readSettings({ ...usual(), NODE_ENV: 'production', SECRET: secret })
  assert.equal(settings.demo, false)
})

const refused: Array<[what: string, env: Record<string, string>, says: RegExp]> = [
  ['a port that is no number', { PORT: 'http' }, /^PORT must be a number/],
  ['a port beyond the last', { PORT: '70000' }, /^PORT must be a number/],
  ['a database of another kind', { DATABASE_URL: 'mysql://x/y' }, /^DATABASE_URL must be an address/],
  ['a public address without a protocol', { PUBLIC_URL: 'podium.example' }, /^PUBLIC_URL must be an address/],
  [
    'a mail server that is a web address',
    { SMTP_URL: 'https://mail.example' },
    /^SMTP_URL must be an address/,
  ],
  ['a sender that is no address', { MAIL_FROM: 'Podium' }, /^MAIL_FROM must be an address/],
  ['a secret that is too short', { SECRET: 'short' }, /^SECRET is too short/],
  ['production without a secret', { NODE_ENV: 'production' }, /^SECRET is missing/],
  [
    'production with the demo world',
    { NODE_ENV: 'production', SECRET: secret, DEMO: 'on' },
    /^DEMO must be off/,
  ],
  ['a demo that is neither on nor off', { DEMO: 'maybe' }, /^DEMO must be on or off/],
  [
    'half of the Google settings',
    { GOOGLE_CLIENT_ID: 'id' },
    /^GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET belong/,
  ],
  ['half of the Facebook settings', { FACEBOOK_CLIENT_SECRET: 's' }, /^FACEBOOK_CLIENT_ID and/],
]
for (const [what, env, says] of refused) {
  test(`${what} stops the start with one line that names the setting`, () => {
    assert.throws(
      () => readSettings({ ...usual(), ...env }),
      (error) => error instanceof SettingError && says.test(error.message) && !error.message.includes('\n'),
    )
  })
}
