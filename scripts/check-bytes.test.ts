import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Pages, weigh } from './check-bytes.ts'
import { checkSize } from './check-size.ts'
import { tree } from './fixture.ts'

const chunk = (file: string, more: object = {}) => ({ file, ...more })
const manifest = {
  'family.html': chunk('family.js', { imports: ['_react.js'], css: ['family.css'] }),
  'office.html': chunk('office.js', { imports: ['_react.js', '_mantine.js'] }),
  'gate.html': chunk('gate.js', { imports: ['_react.js'] }),
  'school.html': chunk('school.js', { imports: ['_react.js'], dynamicImports: ['dialog.tsx'] }),
  'dashboard.tsx': chunk('dashboard.js', { imports: ['_mantine.js', 'school.html'] }),
  'fees.tsx': chunk('fees.js', { imports: ['_mantine.js'], css: ['fees.css'] }),
  'login.tsx': chunk('login.js', { dynamicImports: ['words/en/shell.json', 'words/hi/shell.json'] }),
  'layout.tsx': chunk('layout.js', { dynamicImports: ['words/en/shell.json'] }),
  'words/en/shell.json': chunk('words.js'),
  'words/hi/shell.json': chunk('words-hi.js'),
  'dialog.tsx': chunk('dialog.js'),
  '_react.js': chunk('react.js'),
  '_mantine.js': chunk('mantine.js'),
}
const pages: Pages = {
  family: [],
  gate: [['/login', ['login.tsx']]],
  school: [
    ['/', []],
    ['/dashboard', ['layout.tsx', 'dashboard.tsx']],
    ['/student/entry', ['layout.tsx', 'login.tsx']],
    ['/fees', ['layout.tsx', 'fees.tsx']],
  ],
  office: [],
}

function weights(
  sizes: Record<string, number>,
): Map<string, { bytes: number; budget: number; files: number }> {
  const files = [...Object.values(manifest).map(({ file }) => file), 'family.css', 'fees.css']
  const htmls = ['family.html', 'gate.html', 'school.html', 'office.html']
  using dist = tree({
    '.vite/manifest.json': JSON.stringify(manifest),
    '.vite/family.json': JSON.stringify(manifest),
    ...Object.fromEntries(htmls.map((file) => [file, ''])),
    ...Object.fromEntries(files.map((file) => [`${file}.br`, 'x'.repeat(sizes[file] ?? 1)])),
  })
  return new Map(weigh(dist.root, pages).map(({ what, ...rest }) => [what, rest]))
}

test('a page weighs its HTML, styles, scripts and all their immediate imports, each counted once', () => {
  const weighed = weights({ 'react.js': 40_000, 'family.css': 20_000, 'mantine.js': 90_000 })
  const family = weighed.get('family: before any page')
  assert.ok(family && family.bytes > 60_000 && family.bytes < 60_200, JSON.stringify(family))
  assert.equal(family.budget, 75_000)
  const dashboard = weighed.get('school: /dashboard opened directly')
  assert.ok(dashboard && dashboard.bytes > 130_000 && dashboard.bytes < 130_200, JSON.stringify(dashboard))
  assert.equal(dashboard.budget, 180_000)
})

test('a later page weighs only what the dashboard has not loaded', () => {
  const fees = weights({ 'mantine.js': 90_000, 'fees.js': 50_000 }).get('school: /fees after /dashboard')
  assert.ok(fees && fees.bytes > fees.budget && fees.bytes < 50_100, JSON.stringify(fees))
})

test('a page includes the words of a language, and behind the sign-in the layout', () => {
  const weighed = weights({ 'words.js': 20_000, 'words-hi.js': 60_000, 'layout.js': 50_000 })
  const bytes = (page: string) => weighed.get(`${page} opened directly`)?.bytes ?? 0
  const login = bytes('gate: /login')
  assert.ok(login > 20_000 && login < 20_200, String(login))
  assert.ok(bytes('school: /dashboard') > 70_000, String(bytes('school: /dashboard')))
})

test('the list of students weighs what someone who opens it directly downloads', () => {
  const weighed = weights({ 'layout.js': 50_000, 'words.js': 20_000 })
  const list = weighed.get('school: /student/entry opened directly')
  assert.ok(list && list.bytes > 70_000 && list.files === 5, JSON.stringify(list))
  assert.ok(![...weighed.keys()].some((what) => what.includes('/student/entry after')))
})

test('a lazy dialog is not a page', () => {
  assert.ok(![...weights({}).keys()].some((what) => what.includes('dialog')))
})

test('a first visit has its files counted', () => {
  const dashboard = weights({}).get('school: /dashboard opened directly')
  assert.equal(dashboard?.files, 6)
})

test('a missing bundle is an error, not a pass', () => {
  using dist = tree({ '.vite/family.json': '{}' })
  assert.throws(() => weigh(dist.root, pages), /no family\.html/)
})

const lines = (count: number) => 'export {}\n'.repeat(count)

function breaches(files: Record<string, string>): string[] {
  using fixture = tree(files)
  return checkSize(fixture.root)
}

test('400 lines pass, and 401 are refused by name', () => {
  assert.deepEqual(breaches({ 'web/src/ui/a.ts': lines(400) }), [])
  assert.match(breaches({ 'web/src/ui/a.ts': lines(401) }).join(), /ui\/a\.ts has 401 lines, 400 are allowed/)
})

test('a test may have at most 600 lines', () => {
  assert.deepEqual(breaches({ 'server/src/a.test.ts': lines(600) }), [])
  assert.match(breaches({ 'server/src/a.test.ts': lines(601) }).join(), /600 are allowed/)
})

test("generated files and the demo world's data are exempt", () => {
  const files = { 'server/src/a.generated.ts': lines(900), 'server/seed/data-names.ts': lines(900) }
  assert.deepEqual(breaches(files), [])
})
