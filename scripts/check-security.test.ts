import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { asvs, checkLock, checkSecurityDocument, checkSource } from './check-security.ts'

const root = join(import.meta.dirname, '..')
const text = readFileSync(join(root, 'docs/security.md'), 'utf8')

test('the security page has each requirement of levels 1 and 2 and each threat once, with code and test', () => {
  assert.equal(asvs.length, 253)
  assert.equal(new Set(asvs).size, 253)
  assert.deepEqual(checkSecurityDocument(root, text), [])
})

test('a row that is missing, duplicate, empty or names something that does not exist is refused', () => {
  const row = (name: string) => text.split('\n').find((line) => line.startsWith(`| ${name} |`)) ?? ''
  const changed = (name: string, change: (row: string) => string) =>
    checkSecurityDocument(
      root,
      text.replace(row(name), () => change(row(name))),
    )
  assert.deepEqual(
    changed('V1.2.4', () => ''),
    ['V1.2.4 has no row'],
  )
  assert.deepEqual(
    changed('T27', () => ''),
    ['T27 has no row'],
  )
  assert.ok(changed('V1.2.4', (line) => `${line}\n${line}`).includes('V1.2.4 has two rows'))
  assert.deepEqual(
    changed('V1.2.4', (line) => line.replace(/\| 1 \| [^|]+\|/, '| 1 | |')),
    ['V1.2.4 has an empty cell'],
  )
  assert.match(
    changed('V1.2.4', (line) => line.replace('check-security.ts', 'no-such.ts'))[0] ?? '',
    /there is no/,
  )
  assert.match(
    changed('T8', (line) => line.replace(/"[^"]+"/, '"no such test"'))[0] ?? '',
    /has no test "no such test"/,
  )
  assert.deepEqual(
    changed('T8', () => '| T8 | an answer | `biome.json` | not yet: later |'),
    ['T8: a threat is answered by a test'],
  )
  assert.match(
    changed('V1.2.4', () => '| V1.2.4 | 1 | SQL | `biome.json` | yes |')[0] ?? '',
    /no test shows it/,
  )
  assert.match(
    checkSecurityDocument(root, `${text}\n| V1.2.99 | 1 | a | \`b\` | c |`)[0] ?? '',
    /is no requirement/,
  )
})

const inServer = (line: string) => checkSource('server/src/features/x/queries.ts', line).length
const refused = (path: string, line: string) => checkSource(path, line).length === 1

test('a search that does not escape its wildcards, and SQL with an interpolated value, are refused', () => {
  assert.equal(inServer(`sql\`select 1 where name like \${pattern}\``), 1)
  assert.equal(inServer(`const words = searchWords(typed); sql\`select 1 where name like \${word}\``), 0)
  assert.equal(inServer(`sql\`where name like \${containing(typed)}\``), 0)
  assert.equal(inServer(`sql.raw(\`select \${typed}\`)`), 1)
  assert.equal(inServer('sql.raw(typed)'), 1)
  assert.equal(inServer('sql.raw(`select 1`)'), 0)
  assert.equal(inServer(`sql\`select \${typed}\``), 0)
})

test('code that evaluates text, starts programs or calls other machines is on the list, or is refused', () => {
  for (const line of [
    'eval(text)',
    "new Function('return 1')",
    'element.innerHTML = text',
    '<p dangerouslySetInnerHTML={{ __html: text }} />',
    "import { spawn } from 'node:child_process'",
    'await fetch(address)',
    "import { request } from 'node:https'",
    "createHash('md5')",
    "createCipheriv('aes-256-cbc', key, iv)",
    'Math.random()',
    'new RegExp(typed)',
  ])
    assert.ok(refused('web/src/features/x/page.tsx', line), line)
  assert.ok(!refused('web/src/shell/call.ts', 'await fetch(address)'))
  assert.ok(!refused('server/src/platform/files/sandbox.ts', "import { spawn } from 'node:child_process'"))
  assert.ok(!refused('web/src/features/x/page.tsx', '// eval(text) is not done here'))
})

test('a dependency without an exact version or a hash is refused', () => {
  const lock = (entry: object) => JSON.stringify({ packages: { 'node_modules/pg': entry, contract: {} } })
  const pinned = lock({ version: '8.0.0', integrity: 'sha512-x' })
  const manifest = (version: string) => ({
    'package.json': JSON.stringify({ dependencies: { pg: version } }),
  })
  assert.deepEqual(checkLock(manifest('8.0.0'), pinned), [])
  for (const version of ['^8.0.0', '~8.0.0', 'latest', '8.x', 'github:brianc/node-postgres'])
    assert.equal(checkLock(manifest(version), pinned).length, 1, version)
  assert.equal(checkLock(manifest('8.0.0'), lock({ version: '8.0.0' })).length, 1)
})
