import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { checkImports } from './check-imports.ts'
import { tree } from './fixture.ts'

const manifest = (name: string) => readFileSync(new URL(`../${name}/package.json`, import.meta.url), 'utf8')
const workspaces = Object.fromEntries(
  ['contract', 'server', 'web'].map((name) => [`${name}/package.json`, manifest(name)]),
)

function breaches(files: Record<string, string>): string[] {
  using fixture = tree({ ...workspaces, ...files })
  return checkImports(fixture.root)
}

const feature = 'server/src/features'

/** Refused examples: a file, its line, and a word of the sentence that says where the code belongs. */
const refused: [why: string, path: string, text: string, advice: RegExp][] = [
  ['the contract imports a library', 'contract/src/a.ts', "import pg from 'pg'", /contract imports zod/],
  [
    'platform imports a feature',
    'server/src/platform/a.ts',
    "import '../features/books/rules.ts'",
    /knows no feature/,
  ],
  ['rules import platform', `${feature}/books/rules.ts`, "import '#platform/db/database'", /rules are pure/],
  ['rules import a library', `${feature}/books/rules.ts`, "import { sql } from 'kysely'", /rules are pure/],
  [
    'queries import commands',
    `${feature}/books/queries.ts`,
    "import './commands.ts'",
    /write belongs to commands/,
  ],
  [
    "commands import another feature's commands",
    `${feature}/books/commands.ts`,
    "import '../exams/commands.ts'",
    /routes\.ts/,
  ],
  [
    "commands import another's through an alias",
    `${feature}/books/commands.ts`,
    "import '#features/exams/commands'",
    /routes/,
  ],
  [
    'commands import their own routes',
    `${feature}/books/commands.ts`,
    "import './routes.ts'",
    /commands import rules/,
  ],
  [
    "a job imports another feature's commands",
    `${feature}/books/jobs.ts`,
    "import '../exams/commands.ts'",
    /compose/,
  ],
  [
    "routes import another feature's documents",
    `${feature}/books/routes.ts`,
    "import '../exams/documents.ts'",
    /routes/,
  ],
  [
    'a feature uses a library without its wrapper',
    `${feature}/books/documents.ts`,
    "import P from 'pdfkit'",
    /wrap pdfkit/,
  ],
  ['app.ts imports queries', 'server/src/app.ts', "import './features/books/queries.ts'", /register/],
  [
    'the server imports the web',
    `${feature}/books/routes.ts`,
    "import '../../../../web/src/ui/a.ts'",
    /contract alone/,
  ],
  [
    'the web imports the server',
    'web/src/shell/a.ts',
    "import '../../../server/src/app.ts'",
    /contract alone/,
  ],
  [
    'an import of the contract by path',
    'web/src/shell/a.ts',
    "import '../../../contract/src/m.ts'",
    /@podium\/contract/,
  ],
  ['web/ui imports the contract', 'web/src/ui/a.tsx', "import '@podium/contract/money'", /another product/],
  [
    'shell imports a feature',
    'web/src/shell/a.ts',
    "import '#features/books/data.ts'",
    /shell knows no feature/,
  ],
  [
    'a web feature imports another',
    'web/src/features/books/a.tsx',
    "import '../exams/data.ts'",
    /put two features together/,
  ],
  [
    "a school route imports the office's",
    'web/src/pages/school/a.tsx',
    "import '../office/b.tsx'",
    /own bundle/,
  ],
  ['a page imports a module of Node', 'web/src/ui/a.ts', "import 'node:fs'", /does not exist in a browser/],
  [
    'a dynamic import',
    'web/src/shell/a.ts',
    "const load = () => import('#features/books/a.tsx')",
    /no feature/,
  ],
  [
    'an import of types',
    'web/src/ui/a.tsx',
    "import type { A } from '@podium/contract/money'",
    /another product/,
  ],
  [
    'an inline import of a type',
    'web/src/ui/a.ts',
    "type A = import('@podium/contract/a').A",
    /another product/,
  ],
  ['a re-export', 'web/src/ui/a.ts', "export { a } from '@podium/contract/money'", /another product/],
]

for (const [why, path, text, advice] of refused) {
  test(`refused: ${why}`, () => {
    const found = breaches({ [path]: `// first line\n${text}\n` })
    assert.equal(found.length, 1, found.join('\n'))
    assert.match(found[0] ?? '', advice)
    assert.equal(found[0]?.split(' ')[0], `${path}:2`)
  })
}

test('imports that the table allows pass', () => {
  const found = breaches({
    'contract/src/money.ts': "import * as z from 'zod/mini'\nexport const a = z",
    'server/src/platform/db/database.ts':
      "import pg from 'pg'\nimport '@podium/contract/money'\nexport default pg",
    [`${feature}/books/rules.ts`]: "import '@podium/contract/money'",
    [`${feature}/books/queries.ts`]:
      "import './rules.ts'\nimport '../exams/queries.ts'\nimport '#platform/db/database'",
    [`${feature}/books/queries-list.ts`]:
      "import { sql } from 'kysely'\nimport './queries.ts'\nexport { sql }",
    [`${feature}/books/commands-import.ts`]: "import './commands.ts'\nimport '../exams/queries.ts'",
    [`${feature}/books/commands.ts`]: "import './queries.ts'",
    [`${feature}/books/routes.ts`]:
      "import './commands.ts'\nimport '../exams/commands.ts'\nimport './documents.ts'",
    [`${feature}/books/documents.ts`]: "import './queries.ts'",
    [`${feature}/books/x.test.ts`]: "import '../../app.ts'\nimport '#test/harness'",
    'server/src/app.ts':
      "import './features/books/routes.ts'\nimport fastify from 'fastify'\nexport { fastify }",
    'web/src/ui/table.tsx': "import { Table } from '@mantine/core'\nexport const a = <Table>{1}</Table>",
    'web/src/shell/call.ts': "import '#ui/table.tsx'\nimport '@podium/contract/money'",
    'web/src/features/books/list.tsx': "import '#shell/call.ts'\nimport './list.css'",
    'web/src/pages/school/page.tsx': "import '#features/books/list.tsx'\nimport './other.tsx'",
  })
  assert.deepEqual(found, [])
})

test('refused: a file of a feature outside the vocabulary, and one in a folder', () => {
  const found = breaches({ [`${feature}/books/helpers.ts`]: '', [`${feature}/books/more/yet/rules.ts`]: '' })
  assert.equal(found.length, 2)
  for (const line of found) assert.match(line, /each of its topics has routes\.ts, queries\.ts/)
})

test('refused: an unknown noun, on each of the three sides', () => {
  const paths = [
    'contract/src/things/calls.ts',
    `${feature}/things/rules.ts`,
    'web/src/features/things/page.tsx',
  ]
  const found = breaches(Object.fromEntries(paths.map((path) => [path, ''])))
  assert.equal(found.length, 3, found.join('\n'))
  for (const line of found) assert.match(line, /things is no noun of the product/)
})

test('refused: a file of the contract outside the vocabulary', () => {
  const found = breaches({ 'contract/src/books/orders.ts': '', 'contract/src/books/calls-orders.ts': '' })
  assert.equal(found.length, 1, found.join('\n'))
  assert.match(found[0] ?? '', /orders\.ts: a noun of the contract has calls, schemas/)
})

test('a topic is a folder of its noun, with the same files', () => {
  assert.deepEqual(
    breaches({
      [`${feature}/books/orders/commands.ts`]:
        "import '../queries.ts'\nimport '#features/exams/dates/queries'",
      [`${feature}/books/orders/orders.test.ts`]: "import './commands.ts'",
    }),
    [],
  )
})

test('refused: a file name that is not kebab-case', () => {
  assert.match(breaches({ 'web/src/ui/DataTable.tsx': '' }).join(), /kebab-case/)
})

test('refused: nouns of one side that import each other, even via a third; a test may import any', () => {
  const two = {
    'server/src/features/staff/queries.ts': "import '#features/results/queries'",
    'server/src/features/results/queries.ts': "import '#features/catalogue/rules'",
    'server/src/features/catalogue/rules.ts': '',
  }
  assert.deepEqual(breaches(two), [])
  assert.deepEqual(
    breaches({
      ...two,
      'server/src/features/catalogue/catalogue.test.ts': "import '#features/staff/queries'",
    }),
    [],
  )
  const circle = { ...two, 'server/src/features/catalogue/queries.ts': "import '#features/staff/queries'" }
  const [found = '', ...more] = breaches(circle)
  assert.deepEqual(more, [])
  assert.match(found, /server catalogue → server staff → server results → server catalogue: nouns/)
  assert.match(found, /catalogue\/queries\.ts imports #features\/staff\/queries/)
})

test('refused: files that import each other in a circle, even by a type', () => {
  const circle = { 'web/src/ui/a.ts': "import './b.ts'", 'web/src/ui/b.ts': "import './c.ts'" }
  const found = breaches({ ...circle, 'web/src/ui/c.ts': "import './a.ts'" })
  assert.equal(found.length, 1)
  assert.match(found[0] ?? '', /a\.ts → web\/src\/ui\/b\.ts → web\/src\/ui\/c\.ts → web\/src\/ui\/a\.ts/)
  assert.equal(breaches({ ...circle, 'web/src/ui/c.ts': "import type { A } from './a.ts'" }).length, 1)
})

test('refused: process.env outside main.ts', () => {
  const text = 'const port = process.env.PORT'
  assert.match(breaches({ 'server/src/platform/a.ts': text }).join(), /a\.ts:1 reads process\.env/)
  assert.deepEqual(breaches({ 'server/src/main.ts': text }), [])
})

test('refused: the current time in queries and commands; a date built from a value passes', () => {
  const found = breaches({
    [`${feature}/books/commands.ts`]: 'const a = new Date()\nconst b = Date.now()',
    [`${feature}/books/queries.ts`]: 'const a = new Date(0)',
  })
  assert.equal(found.length, 2)
  assert.match(found[1] ?? '', /commands\.ts:2 asks for the time/)
})

test('refused: an export that no other file uses, dead or not', () => {
  const found = breaches({
    'web/src/ui/a.ts': 'export const used = 1, unused = 2\nexport function alone() { return alone }',
    'web/src/ui/b.ts': "import { used } from './a.ts'\nexport interface Own {}\nexport default used",
  })
  assert.deepEqual(
    found.map((line) => line.split(',')[0]),
    ['web/src/ui/a.ts:1 exports unused', 'web/src/ui/a.ts:2 exports alone', 'web/src/ui/b.ts:2 exports Own'],
  )
})

test('a word in a comment or a string is not an import', () => {
  assert.deepEqual(breaches({ 'web/src/ui/a.ts': `// import '#features/x'\nconst a = "import 'pg'"` }), [])
})
