import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filesAhead, routedParts, tabledParts } from './preload.ts'

const manifest = {
  'school.html': { file: 'school.js', imports: ['_react.js'], css: ['school.css'] },
  'src/frame.tsx': { file: 'frame.js', imports: ['_react.js'], css: ['frame.css'] },
  'src/fees.tsx': {
    file: 'fees.js',
    dynamicImports: [
      'words/en/fees.json',
      'words/hi/fees.json',
      '_words-en-7.js',
      '_words-hi-7.js',
      'src/dialog.tsx',
    ],
  },
  'words/en/fees.json': { file: 'words-en.js' },
  'words/hi/fees.json': { file: 'words-hi.js' },
  '_words-en-7.js': { file: 'several-en.js' },
  '_words-hi-7.js': { file: 'several-hi.js' },
  'src/dialog.tsx': { file: 'dialog.js' },
  '_react.js': { file: 'react.js' },
}

test('an address preloads its frame, its page and their words, and nothing that its entry loads or that comes later', () => {
  const inLanguage = (language: string) =>
    filesAhead(manifest, 'school.html', language, [['/fees', ['src/frame.tsx', 'src/fees.tsx']]])
  assert.deepEqual(inLanguage('en'), {
    '/fees': ['frame.js', 'frame.css', 'fees.js', 'words-en.js', 'several-en.js'],
  })
  assert.deepEqual(inLanguage('hi'), {
    '/fees': ['frame.js', 'frame.css', 'fees.js', 'words-hi.js', 'several-hi.js'],
  })
})

test('a page unknown to the build is refused, and so is a bundle without pages', () => {
  assert.throws(
    () => filesAhead(manifest, 'school.html', 'en', [['/fees', ['src/gone.tsx']]]),
    /\/fees has no part src\/gone/,
  )
  assert.throws(() => tabledParts('office', 'main.tsx'), /has no table of pages/)
})

test('every school page within the frame preloads the frame and itself', async () => {
  const pages = new Map(await routedParts('school'))
  const frame = 'src/shell/layout-school.tsx'
  assert.deepEqual(pages.get('/dashboard'), [frame, 'src/pages/school/dashboard-page.tsx'])
  assert.equal(pages.get('/student/entry')?.[0], frame)
  assert.deepEqual(new Map(tabledParts('family', 'main.tsx')).get('/student'), [
    'src/pages/family/student-page.tsx',
  ])
})
