import assert from 'node:assert/strict'
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseEnv } from 'node:util'
import { temporaryFolder } from '#test/database'
import { namesRead } from '#test/program'
import { readSettings, SettingError, settingsOfFiles } from './settings.ts'

const secret = 'Fq7hW2mZ9xLkTr4bNc8VsYp3JdGu6QaE'
const usual = () => ({ DATA_DIR: temporaryFolder('podium-settings-') })

test('without any setting Podium listens on this machine only, with the demo world and a secret of its own', () => {
  const settings = readSettings(usual())
  assert.deepEqual(
    [settings.port, settings.host, settings.publicUrl, settings.demo, settings.databaseUrl],
    [3000, '127.0.0.1', 'http://127.0.0.1:3000', true, undefined],
  )
  assert.ok(settings.secret.length >= 32)
})

test('the secret that was once generated is kept', () => {
  const env = usual()
  assert.equal(readSettings(env).secret, readSettings(env).secret)
})

test('an empty secret file stops the start: anyone could derive its keys', () => {
  const env = usual()
  writeFileSync(join(env.DATA_DIR, 'secret'), '\n')
  assert.throws(() => readSettings(env), SettingError)
})

test('a secret file that other users may read is closed to them', () => {
  const env = usual()
  readSettings(env)
  const file = join(env.DATA_DIR, 'secret')
  chmodSync(file, 0o644)
  readSettings(env)
  assert.equal(statSync(file).mode & 0o777, 0o600)
})

test('sent files and backups are in the data folder, or in folders of their own', () => {
  const env = usual()
  const { filesDir, backupDir } = readSettings(env)
  assert.deepEqual([filesDir, backupDir], [join(env.DATA_DIR, 'files'), join(env.DATA_DIR, 'backups')])
  const own = readSettings({
    ...env,
    FILES_URL: 'file:///srv/our%20files',
    BACKUP_URL: 'file:///srv/backups/',
  })
  assert.deepEqual([own.filesDir, own.backupDir], ['/srv/our files', '/srv/backups'])
})

test('sent files and backups may go into separate buckets with the same keys', () => {
  const keys = { accessKeyId: 'key', secretAccessKey: 'of the store' }
  const { filesBucket, backupBucket } = readSettings({
    ...usual(),
    FILES_URL: 's3://kept/sent%20files?endpoint=https://store.example&region=eu-1',
    BACKUP_URL: 's3://others',
    AWS_ACCESS_KEY_ID: keys.accessKeyId,
    AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
  })
  const endpoint = 'https://store.example'
  assert.deepEqual(filesBucket, { bucket: 'kept', prefix: 'sent files', region: 'eu-1', endpoint, keys })
  assert.deepEqual(backupBucket, {
    bucket: 'others',
    prefix: '',
    region: 'us-east-1',
    endpoint: undefined,
    keys,
  })
})

test('production has no demo world [spec 9.23]', () => {
  const settings = readSettings({ ...usual(), NODE_ENV: 'production', SECRET: secret })
  assert.equal(settings.demo, false)
})

test('production is reached by https, or only on this machine', () => {
  const env = { ...usual(), NODE_ENV: 'production', SECRET: secret }
  for (const address of [
    'https://portal.example',
    'http://localhost:3000',
    'http://127.0.0.1',
    'http://[::1]:80',
  ])
    assert.equal(readSettings({ ...env, PUBLIC_URL: address }).publicUrl, address)
  assert.equal(
    readSettings({ ...usual(), PUBLIC_URL: 'http://portal.example' }).publicUrl,
    'http://portal.example',
  )
})

/** Writes a secret to a file the way an orchestrator does, with or without a line end. */
function fileOf(content: string): string {
  const path = join(temporaryFolder('podium-secret-'), 'secret')
  writeFileSync(path, content)
  return path
}

test('each secret can be in a file, whose last line end is not part of it', () => {
  const values = {
    SECRET: secret,
    SECRET_PREVIOUS: 'short and weak',
    DATABASE_URL: 'postgres://podium:p@db/podium',
    DATABASE_MIGRATE_URL: 'postgres://owner:p@db/podium',
    DATABASE_READ_URL: 'postgres://podium:p@standby/podium',
    SMTP_URL: 'smtps://u:p@mail.example',
    METRICS_TOKEN: 'a-token-of-enough-letters',
    MAIL_BOUNCE_SECRET: 'a-secret-of-enough-letters',
    GOOGLE_CLIENT_SECRET: 'of Google',
    FACEBOOK_CLIENT_SECRET: 'of Facebook',
  }
  const given = { ...usual(), GOOGLE_CLIENT_ID: 'g', FACEBOOK_CLIENT_ID: 'f' }
  for (const end of ['', '\n', '\r\n']) {
    const files = Object.entries(values).map(([name, value]) => [`${name}_FILE`, fileOf(`${value}${end}`)])
    assert.deepEqual(
      readSettings({ ...given, ...Object.fromEntries(files) }),
      readSettings({ ...given, ...values }),
    )
  }
  for (const name of Object.keys(values))
    assert.ok((settingsOfFiles as readonly string[]).includes(name), name)
})

test('a space at the end of a file is part of the secret, and only one line end is dropped', () => {
  const read = (content: string) => readSettings({ ...usual(), SECRET_FILE: fileOf(content) }).secret
  assert.equal(read(`${secret} \n`), `${secret} `)
  assert.equal(read(`${secret}\n\n`), `${secret}\n`)
})

const refused: Array<[what: string, env: Record<string, string>, says: RegExp]> = [
  ['a port that is no number', { PORT: 'http' }, /^PORT must be a number/],
  ['a port that is too large', { PORT: '70000' }, /^PORT must be a number/],
  ['a drain that is no number', { DRAIN_SECONDS: '10s' }, /^DRAIN_SECONDS must be a whole number/],
  ['a drain that never ends', { DRAIN_SECONDS: '601' }, /^DRAIN_SECONDS must be a whole number/],
  [
    'a migration role without a database',
    { DATABASE_MIGRATE_URL: 'postgres://x/y' },
    /^DATABASE_MIGRATE_URL belongs to DATABASE_URL/,
  ],
  ['a database of another kind', { DATABASE_URL: 'mysql://x/y' }, /^DATABASE_URL must be an address/],
  [
    'a standby without a database',
    { DATABASE_READ_URL: 'postgres://standby/podium' },
    /^DATABASE_READ_URL names a standby of DATABASE_URL/,
  ],
  [
    'an invalid address for traces',
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
    /^OTEL_EXPORTER_OTLP_ENDPOINT/,
  ],
  ['a pool without connections', { DATABASE_POOL: '0' }, /^DATABASE_POOL must be a number from 2 to 500/],
  ['an unknown mode of the pooler', { DATABASE_POOLER: 'statement' }, /^DATABASE_POOLER must be/],
  ['a proxy by name', { TRUST_PROXY: '127.0.0.1, proxy.internal' }, /^TRUST_PROXY .* not "proxy\.internal"$/],
  [
    'a network of proxies that is none',
    { TRUST_PROXY: '10.0.0.0/33' },
    /^TRUST_PROXY .* not "10\.0\.0\.0\/33"$/,
  ],
  [
    'a password that breaks its address',
    { DATABASE_URL: 'postgres://podium:p#w@db/podium' },
    /^DATABASE_URL can't be read: .* %23 for #/,
  ],
  [
    'a public address below a path',
    { PUBLIC_URL: 'https://portal.example/podium' },
    /^PUBLIC_URL must end with the host/,
  ],
  [
    'a public address with a query',
    { PUBLIC_URL: 'https://portal.example?season=1' },
    /^PUBLIC_URL must end with the host/,
  ],
  ['a public address without a protocol', { PUBLIC_URL: 'podium.example' }, /^PUBLIC_URL must be an address/],
  [
    'a mail server that is a web address',
    { SMTP_URL: 'https://mail.example' },
    /^SMTP_URL must be an address/,
  ],
  ['a sender that is no address', { MAIL_FROM: 'Podium' }, /^MAIL_FROM must be an address/],
  [
    'an invalid address for sent files',
    { FILES_URL: '/srv/files' },
    /^FILES_URL must be the address of a folder/,
  ],
  ['files of another machine', { FILES_URL: 'file://host/files' }, /^FILES_URL must be the address/],
  ['backups at a web address', { BACKUP_URL: 'https://x/y' }, /^BACKUP_URL must be the address of a folder/],
  ['a bucket without a name', { BACKUP_URL: 's3:///prefix' }, /^BACKUP_URL must look like s3:/],
  ['a bucket of files without one', { FILES_URL: 's3:///prefix' }, /^FILES_URL must look like s3:/],
  ['keys in an address', { BACKUP_URL: 's3://key@bucket' }, /^BACKUP_URL must look like s3:/],
  ['half a key', { BACKUP_URL: 's3://bucket', AWS_ACCESS_KEY_ID: 'x' }, /^AWS_ACCESS_KEY_ID and/],
  ['backups at two places', { BACKUP_URL: 'file:///a', BACKUP_DIR: '/b' }, /^BACKUP_URL and BACKUP_DIR/],
  ['a secret that is too short', { SECRET: 'short' }, /^SECRET is too short/],
  [
    'a previous secret equal to the current one',
    { SECRET: secret, SECRET_PREVIOUS: secret },
    /^SECRET_PREVIOUS is the same as SECRET/,
  ],
  ['a secret of one repeated letter', { SECRET: 'a'.repeat(36) }, /^SECRET is easy to guess/],
  [
    'a secret of a few letters',
    { SECRET: 'abcabdacbaabdcbacbdabbcadcbadbcabdca' },
    /^SECRET is easy to guess/,
  ],
  ['a secret that repeats itself', { SECRET: 'Fq7hW2mZ9xLk'.repeat(4) }, /^SECRET is easy to guess/],
  [
    'a secret in alphabetical order',
    { SECRET: 'abcdefghijklmnopqrstuvwxyz0123456789' },
    /^SECRET is easy to guess/,
  ],
  [
    'production at an address without https',
    { NODE_ENV: 'production', SECRET: secret, PUBLIC_URL: 'http://portal.example' },
    /^PUBLIC_URL must begin with https:/,
  ],
  [
    'production at an address that starts like localhost',
    { NODE_ENV: 'production', SECRET: secret, PUBLIC_URL: 'http://localhost.portal.example' },
    /^PUBLIC_URL must begin with https:/,
  ],
  [
    'a secret given twice',
    { SECRET: secret, SECRET_FILE: '/run/secrets/podium' },
    /^SECRET and SECRET_FILE are both set/,
  ],
  [
    'a missing file',
    { SMTP_URL_FILE: '/nowhere/smtp' },
    /^SMTP_URL_FILE names \/nowhere\/smtp, which can't be read \(ENOENT\)/,
  ],
  [
    'a file that is a folder',
    { METRICS_TOKEN_FILE: '/' },
    /^METRICS_TOKEN_FILE names \/, which can't be read/,
  ],
  ['an empty file', { DATABASE_URL_FILE: '/dev/null' }, /^DATABASE_URL_FILE names .* is empty/],
  ['production without a secret', { NODE_ENV: 'production' }, /^SECRET is missing/],
  [
    'production with the demo world',
    { NODE_ENV: 'production', SECRET: secret, DEMO: 'on' },
    /^DEMO must be off/,
  ],
  ['an unknown log level', { LOG_LEVEL: 'loud' }, /^LOG_LEVEL must be one of fatal, error/],
  ['a demo setting that is neither on nor off', { DEMO: 'maybe' }, /^DEMO must be on or off/],
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

const fileOfRepository = (name: string) => readFileSync(join(import.meta.dirname, '../../..', name), 'utf8')

test("the README's table and .env.example name exactly the settings that are read", () => {
  const [, section = ''] = fileOfRepository('README.md').split('\n## Settings\n')
  const table = (section.split('\n## ')[0] ?? '')
    .split('\n')
    .flatMap((line) => /^\|([^|]+)\|/.exec(line)?.[1] ?? [])
  const inReadme = table.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
  assert.deepEqual(inReadme.sort(), namesRead())
  const example = fileOfRepository('.env.example').split('\n')
  const inExample = example.flatMap((line) => /^# ([A-Z_]+)=/.exec(line)?.[1] ?? [])
  assert.deepEqual(inExample.sort(), namesRead())
  assert.deepEqual(
    example.filter((line) => line !== '' && !line.startsWith('# ')),
    [],
    'a plain copy of the example sets something',
  )
})

test('the defaults and examples of .env.example are valid settings', () => {
  const lines = fileOfRepository('.env.example').split('\n')
  const set = lines.flatMap((line) => /^# ([A-Z_]+=.+)$/.exec(line)?.[1] ?? [])
  const env = parseEnv(
    set.filter((line) => !/^\w+_FILE=|^DEMO=|^BACKUP_DIR=|^(GOOGLE|FACEBOOK)_/.test(line)).join('\n'),
  )
  const settings = readSettings({ ...env, ...usual(), SECRET: secret })
  assert.deepEqual([settings.publicUrl, settings.port], ['https://portal.example', 3000])
})
