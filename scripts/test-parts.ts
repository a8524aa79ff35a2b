import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runFollowing } from './child.mjs'
import { findChromium } from './chromium.ts'
import { startCluster } from './postgres.ts'
import type { Counts } from './test-reporter.ts'

const root = join(import.meta.dirname, '..')
const minute = 60_000

/** A part of `npm test`. `groups` are the words that select it on the command line, besides its own name. */
export interface Part {
  name: string
  groups: string[]
  heading: string
  run: () => Promise<Counts>
}

const once = { passed: 1, failed: 0, skipped: 0 }
const failedOnce = { passed: 0, failed: 1, skipped: 0 }

async function node(args: string[], env: Record<string, string> = {}): Promise<number> {
  const options = { cwd: root, env: { ...process.env, ...env }, grace: 5_000, limit: 30 * minute }
  return runFollowing(process.execPath, args, options)
}

/** A check is one program; it counts as one test. */
async function check(...args: string[]): Promise<Counts> {
  return (await node(args)) === 0 ? once : failedOnce
}

const colours = process.stdout.isTTY ? [] : ['--colors=off']
const biome = ['node_modules/@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', ...colours, '.']
const tsc = 'node_modules/typescript/bin/tsc'

/**
 * Runs test files and counts their tests. Files that hold no test at all are a failure. What the tests leave in the
 * folder for temporary files goes with the run.
 */
async function testFiles(
  patterns: string[],
  env: Record<string, string> = {},
  runner: string[] = inOneProcess,
  lanes: Lanes = (found) => found,
): Promise<Counts> {
  const files = globSync(patterns, { cwd: root })
    .filter((file) => !file.includes('node_modules'))
    .sort()
  if (files.length === 0) {
    console.log(`no test file matches ${patterns.join(' ')}`)
    return failedOnce
  }
  const folder = mkdtempSync(join(tmpdir(), 'podium-test-'))
  const counted = join(folder, 'counts')
  try {
    const run = lanes(files, folder)
    const args = ['--test', ...runner, ...reporters, `--test-reporter-destination=${counted}`, ...run]
    const code = await node(args, { ...env, TMPDIR: folder })
    return judged(code, JSON.parse(readFileSync(counted, 'utf8') || 'null'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const inOneProcess = ['--test-isolation=none', '--test-force-exit', `--test-timeout=${5 * minute}`]

type Lanes = (files: string[], folder: string) => string[]

/**
 * Server tests run one file after the other in each of a few processes: loading the server takes longer than most files'
 * tests. Three of them at a time, for each waits half of it. A file is a suite with a database of its own.
 */
const threeAtATime = ['--test-isolation=process', '--test-concurrency=3', `--test-timeout=${20 * minute}`]
const serverLanes = 8

/** Writes the files of the lanes: a file of tests ends with its servers stopped and its database closed. */
const inTurn: Lanes = (files, folder) => {
  const url = (path: string) => JSON.stringify(pathToFileURL(join(root, path)).href)
  const lanes = Object.entries(Object.groupBy(files, (_, at) => at % serverLanes))
  return lanes.map(([lane, tests = []]) => {
    const file = join(folder, `lane-${lane}.test.mjs`)
    const suites = tests.map((test) => `suiteOf(${JSON.stringify(test)}, () => import(${url(test)}))\n`)
    writeFileSync(file, `import { suiteOf } from ${url('server/test/suite.ts')}\n${suites.join('')}`)
    return file
  })
}

/**
 * Files of the browser tests by the beginnings of their names, a portal and a browser for each lane; the rest is one more.
 * The lanes take about as long as each other.
 */
const browserLanes = [
  ['whole', 'office-b', 'office-c', 'office-d', 'office-m'],
  ['office', 'notices', 'trust'],
  ['s', 'one', 'paper'],
]

/**
 * Writes one file for each lane, which takes in the lane's tests: they run one after the other, the lanes beside each
 * other. A browser waits more than it works, so that four of them fill two cores.
 */
const inLanes: Lanes = (files, folder) => {
  const laneOf = (file: string) => {
    const lane = browserLanes.findIndex((starts) => starts.some((start) => basename(file).startsWith(start)))
    return lane < 0 ? browserLanes.length : lane
  }
  const lanes = Object.entries(Object.groupBy(files, (file) => `${laneOf(file)}`))
  return lanes.map(([lane, tests = []]) => {
    const file = join(folder, `lane-${lane}.test.mjs`)
    const imports = tests.map((test) => `await import('${pathToFileURL(join(root, test)).href}')\n`)
    writeFileSync(file, imports.join(''))
    return file
  })
}

const besideEachOther = [
  '--test-isolation=process',
  '--test-concurrency=4',
  '--test-force-exit',
  `--test-timeout=${30 * minute}`,
]

const reporters = [
  '--test-reporter=spec',
  '--test-reporter-destination=stdout',
  '--test-reporter=./scripts/test-reporter.ts',
]

function judged(code: number, counts: Counts | null): Counts {
  if (counts === null) {
    console.log('the tests ended without a summary')
    return failedOnce
  }
  if (code === 0 && counts.passed > 0) return counts
  return { ...counts, failed: Math.max(counts.failed, 1) }
}

const serverTests = ['server/**/*.test.ts']

async function onPostgres(): Promise<Counts> {
  const given = process.env.TEST_DATABASE_URL
  if (given !== undefined && given !== '') {
    return testFiles(
      serverTests,
      { TEST_DATABASE: 'postgres', TEST_DATABASE_URL: given },
      threeAtATime,
      inTurn,
    )
  }
  const cluster = await startCluster()
  try {
    return await testFiles(
      serverTests,
      { TEST_DATABASE: 'postgres', TEST_DATABASE_URL: cluster.url },
      threeAtATime,
      inTurn,
    )
  } finally {
    await cluster.stop()
  }
}

export const parts: readonly Part[] = [
  { name: 'lint', groups: ['check'], heading: 'Lint and format', run: () => check(...biome) },
  { name: 'types', groups: ['check'], heading: 'Types', run: () => check(tsc, '-p', '.') },
  { name: 'types-web', groups: ['check'], heading: 'Types of the web', run: () => check(tsc, '-p', 'web') },
  {
    name: 'imports',
    groups: ['check'],
    heading: 'Import rules',
    run: () => check('scripts/check-imports.ts'),
  },
  { name: 'size', groups: ['check'], heading: 'Size of files', run: () => check('scripts/check-size.ts') },
  {
    name: 'build',
    groups: ['check', 'browser'],
    heading: 'Web build',
    run: () => check('scripts/build-web.ts'),
  },
  {
    name: 'specification',
    groups: ['check'],
    heading: 'Addresses, rows and tests of the specification',
    run: () => check('scripts/check-specification.ts'),
  },
  {
    name: 'bytes',
    groups: ['check'],
    heading: 'Bytes of a page',
    run: () => check('scripts/check-bytes.ts'),
  },
  {
    name: 'unit',
    groups: [],
    heading: 'Unit tests',
    run: () => testFiles(['contract/src/**/*.test.ts', 'web/src/**/*.test.ts', 'scripts/**/*.test.ts']),
  },
  {
    name: 'embedded',
    groups: [],
    heading: 'Server on the embedded database',
    run: () => testFiles(serverTests, { TEST_DATABASE: 'embedded' }, threeAtATime, inTurn),
  },
  { name: 'postgres', groups: [], heading: 'Server on PostgreSQL', run: onPostgres },
  {
    name: 'browser',
    groups: [],
    heading: 'Browser',
    run: () =>
      testFiles(
        ['e2e/**/*.test.ts'],
        { CHROMIUM: findChromium(), E2E_WORLD: 'shared' },
        besideEachOther,
        inLanes,
      ),
  },
]
