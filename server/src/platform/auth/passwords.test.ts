import assert from 'node:assert/strict'
import { argon2Sync, createHmac } from 'node:crypto'
import { test } from 'node:test'
import { hashPassword, isPassword } from './passwords.ts'
import { deriveKeys } from './secrets.ts'

const secret = 'a secret that only the tests know, long enough'
const password = 'Udaharan-42 at school'

test('a guess at a password costs 19 MiB and two passes, as OWASP recommends for argon2id', async () => {
  const keys = deriveKeys(secret)
  const storedHash = await hashPassword(keys, password)
  const [, salt = '', tag] =
    /^argon2id\$19456\$2\$1\$([\w-]{22})\$([\w-]{43})\$[\w-]{8}$/.exec(storedHash) ?? []
  const computed = argon2Sync('argon2id', {
    message: createHmac('sha256', keys.pepper).update(password).digest(),
    nonce: Buffer.from(salt, 'base64url'),
    memory: 19_456,
    passes: 2,
    parallelism: 1,
    tagLength: 32,
  })
  assert.equal(tag, computed.toString('base64url'))
})

test('a password hashed at another cost still works, and no other password does', async () => {
  const storedHash = await hashPassword(
    deriveKeys(secret, { memory: 64, passes: 1, parallelism: 1 }),
    password,
  )
  const keys = deriveKeys(secret)
  assert.equal(await isPassword(keys, password, storedHash), true)
  assert.equal(await isPassword(keys, `${password}.`, storedHash), false)
  assert.equal(await isPassword(deriveKeys(`${secret}.`), password, storedHash), false)
})

test('no password works for an account without one', async () => {
  for (const storedHash of [null, undefined])
    assert.equal(await isPassword(deriveKeys(secret), password, storedHash), false)
})
