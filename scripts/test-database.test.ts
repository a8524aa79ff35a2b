import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { tree } from './fixture.ts'
import { databaseAsked } from './test-parts.ts'

const workspace = JSON.stringify({ imports: { '#test/*': './test/*.ts' } })

test('a test that reaches the database by any import gets one, and another test runs only once', () => {
  using fixture = tree({
    'contract/package.json': '{}',
    'web/package.json': '{}',
    'server/package.json': workspace,
    'server/test/database.ts': 'export {}',
    'server/test/server.ts': "import { one } from './database.ts'",
    'server/test/words.ts': "import { readFileSync } from 'node:fs'",
    'server/src/far.test.ts': "import type { Two } from '#test/words'\nimport { two } from '#test/server'",
    'server/src/late.test.ts': "const three = await import('../test/server.ts')",
    'server/src/alone.test.ts': "import { four } from '#test/words'\nexport * from './lost.ts'",
  })
  const asks = databaseAsked(fixture.root)
  assert.equal(asks('server/src/far.test.ts'), true)
  assert.equal(asks('server/src/late.test.ts'), true)
  assert.equal(asks('server/src/alone.test.ts'), false)
})

test('a template of the database that someone else may have put there is not used', () => {
  using fixture = tree({})
  const [theirs, templates] = [join(fixture.root, 'theirs'), join(fixture.root, 'templates')]
  mkdirSync(theirs)
  symlinkSync(theirs, templates)
  const program = join(import.meta.dirname, '../server/test/database.ts')
  const env = { ...process.env, TEST_DATABASE: '', TEST_TEMPLATES: templates }
  const { status, stderr } = spawnSync(process.execPath, [program], { env, encoding: 'utf8' })
  assert.notEqual(status, 0)
  assert.match(stderr, /templates was not made by you: delete it/)
})
