import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runFollowing } from './child.mjs'
import { type Resolver, resolver } from './import-places.ts'
import { findChromium, findPdfToText } from './machine.ts'
import { findPgBouncer } from './pgbouncer.ts'
import type { Counts } from './test-reporter.ts'

/** In how many processes the tests run, and which files share one. */

const root = join(import.meta.dirname, '..')
const urlOf = (path: string) => pathToFileURL(join(root, path)).href
const minute = 60_000

/** A test within a test is begun by that one's context: nothing else would tell the runner so, and both would wait. */
function refuseLostTests(files: string[]): void {
  const lost = files.filter((file) => /\bawait test\(/.test(readFileSync(join(root, file), 'utf8')))
  if (lost.length > 0)
    throw new Error(`«await test(» inside a test, where «step.test(» is meant: ${lost.join(', ')}`)
}

/** Processes that are told to: the runner of files in one process is loaded before anything else can be. */
const lightly = ['--import', urlOf('scripts/light-tests.ts')]

/** Writes the test files of a run as one file for each of its processes, into a folder of its own. */
type Lanes = (files: string[], folder: string) => string[]

/**
 * Server tests run one file after the other in each of a few processes: loading the server takes longer than most files'
 * tests. A file is a suite whose database is as new (`server/test/database-reset.ts`). Some run at a time, for each waits
 * for its database now and then; they begin once, for each has to compile anew what it runs.
 */
const serverLanes = 2

const atATime = (lanes: number) => [
  ...lightly,
  '--test-isolation=process',
  `--test-concurrency=${lanes}`,
  `--test-timeout=${40 * minute}`,
]

/** Files that take many times as long as others, in seconds of a quiet machine; by these the lanes get their share. */
const slow = new Map([
  ['server/src/fuzz.test.ts', 95],
  ['server/src/platform/db/embedded.test.ts', 60],
  ['server/src/console.test.ts', 50],
  ['server/seed/demo.test.ts', 40],
  ['server/src/features/ledger/statement/sequences.test.ts', 30],
  ['server/src/instances.test.ts', 25],
  ['server/src/access.test.ts', 25],
  ['server/src/plans.test.ts', 15],
  ['server/src/features/office/backups/restore.test.ts', 15],
  ['server/src/features/payments/money.test.ts', 15],
  ['server/src/features/students/import/import.test.ts', 15],
  ['server/src/features/schools/merge/merge.test.ts', 15],
  ['server/src/files-bucket.test.ts', 10],
])
const others = 3

/** Takes over in its process what the other has left (`leave` of `server/test/database.ts`): they share a lane. */
const takesOver = { file: 'server/src/fuzz.test.ts', from: 'server/seed/demo.test.ts' }

/** The longest files first, each to the lane that has least; within a lane they keep their order. */
function shared(files: readonly string[], count: number): string[][] {
  const lanes = Array.from({ length: count }, () => ({ seconds: 0, files: new Set<string>() }))
  const secondsOf = (file: string) => slow.get(file) ?? others
  for (const file of files.toSorted((one, other) => secondsOf(other) - secondsOf(one))) {
    const lane =
      lanes.find((one) => file === takesOver.from && one.files.has(takesOver.file)) ??
      lanes.reduce((least, one) => (one.seconds < least.seconds ? one : least))
    lane.seconds += secondsOf(file)
    lane.files.add(file)
  }
  return lanes.map((lane) => files.filter((file) => lane.files.has(file)))
}

/** Writes the files of the lanes: a file of tests ends with its servers stopped and its database closed. */
const inTurn =
  (count: number): Lanes =>
  (files, folder) => {
    const quoted = (path: string) => JSON.stringify(join(root, path))
    return shared(files, count).map((tests, lane) => {
      const file = join(folder, `lane-${lane}.test.mjs`)
      const suites = tests.map((test) => `suiteOf(${JSON.stringify(test)}, ${quoted(test)})\n`)
      writeFileSync(file, `import { suiteOf } from '${urlOf('server/test/suite.ts')}'\n${suites.join('')}`)
      return file
    })
  }

/**
 * Files of the browser tests by the beginnings of their names, a portal and a browser for each lane; the rest is one more.
 * The lanes take about as long as each other.
 */
const browserLanes = [
  ['whole', 'office-c', 'office-sh'],
  ['office', 'import', 'accessible', 'steady'],
  ['notices', 'trust', 'line', 'summaries', 'enrolment', 'demo'],
  ['s'],
]

/**
 * Writes one file for each lane, which takes in the lane's tests: they run one after the other, the lanes beside each
 * other. A browser waits more than it works, so that five of them fill two cores.
 */
const inLanes: Lanes = (files, folder) => {
  const laneOf = (file: string) => {
    const lane = browserLanes.findIndex((starts) => starts.some((start) => basename(file).startsWith(start)))
    return lane < 0 ? browserLanes.length : lane
  }
  const lanes = Object.entries(Object.groupBy(files, (file) => `${laneOf(file)}`))
  return lanes.map(([lane, tests = []]) => {
    const file = join(folder, `lane-${lane}.test.mjs`)
    const imports = tests.map((test) => `await import('${urlOf(test)}')\n`)
    writeFileSync(file, imports.join(''))
    return file
  })
}

const besideEachOther = [
  ...lightly,
  '--test-isolation=process',
  '--test-concurrency=5',
  '--test-force-exit',
  `--test-timeout=${30 * minute}`,
]

/** Opens the database that TEST_DATABASE names; a test that doesn't reach it can't know which one that is. */
const door = 'server/test/database.ts'
const imported = /\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g

/** Tells of a test file of the server whether it, or anything that it imports, asks for a database. */
export function databaseAsked(root: string): (file: string) => boolean {
  const resolve = resolver(root)
  const known = new Map<string, string[]>()
  const importsOf = (file: string) => {
    const found = known.get(file) ?? read(root, file, resolve)
    known.set(file, found)
    return found
  }
  return (file) => {
    const reached = new Set([file])
    for (const one of reached) for (const next of importsOf(one)) reached.add(next)
    return reached.has(door)
  }
}

function read(root: string, file: string, resolve: Resolver): string[] {
  if (!file.endsWith('.ts') || !existsSync(join(root, file))) return []
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(imported)].flatMap(([, specifier = '']) => {
    const target = resolve(file, specifier)
    return 'path' in target ? [target.path] : []
  })
}

/** The migrated data folder that the databases of this run are copies of. */
const templates = join(tmpdir(), `podium-templates-${process.pid}`)
/** The demo world of this run's browser tests. It is made while the server is tested, for they would wait for it. */
const world = join(tmpdir(), `podium-world-${process.pid}`)
/** What the browser tests of this run have looked at and found good, so that their processes look at it once. */
const shapes = join(tmpdir(), `podium-shapes-${process.pid}`)
process.on('exit', () => {
  for (const path of [templates, world, `${world}.draft`, shapes])
    rmSync(path, { recursive: true, force: true, maxRetries: 3 })
})

/** Takes what a part writes while others run beside it; without it, a part writes where `npm test` does. */
export type Output = ((bytes: Buffer) => void) | undefined

/**
 * A part of `npm test`. `groups` are the words that select it on the command line, besides its own name. The parts of a
 * stage run beside each other, but for one that needs what the part `after` has made.
 */
export interface Part {
  name: string
  groups: readonly string[]
  heading: string
  stage: Stage
  after?: string
  run: (output: Output) => Promise<Counts>
}

/** The stages of `npm test` in their order, and how many parts of each run beside each other. */
export const stages = { check: 2, server: 2, browser: 1 } as const
export type Stage = keyof typeof stages

const once = { passed: 1, failed: 0, skipped: 0 }
const failedOnce = { passed: 0, failed: 1, skipped: 0 }

async function node(args: string[], output: Output, env: Record<string, string> = {}): Promise<number> {
  const options = { cwd: root, env: { ...process.env, ...env }, grace: 5_000, limit: 60 * minute }
  return runFollowing(process.execPath, args, { ...options, ...(output && { output }) })
}

/** A check is one program; it counts as one test. */
const check =
  (...args: string[]): Part['run'] =>
  async (output) =>
    (await node(args, output)) === 0 ? once : failedOnce

const colours = process.stdout.isTTY ? [] : ['--colors=off']
const biome = ['node_modules/@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', ...colours, '.']
/**
 * Looks again at what has changed since the last run on this machine, and at what that changes. Checkers that share the
 * files look at much of them twice, and collecting less often takes no more memory (docs/decisions/0015).
 */
const typesOf =
  (project: string, name: string): Part['run'] =>
  async (output) => {
    const tsc = ['node_modules/typescript/bin/tsc', '-p', project, '--singleThreaded']
    const kept = ['--incremental', '--tsBuildInfoFile', `node_modules/.cache/podium/${name}.tsbuildinfo`]
    return (await node([...tsc, ...kept], output, { GOGC: '300' })) === 0 ? once : failedOnce
  }

/** How test files are run: in one process unless `runner` and `lanes` say how else, after the program `first`. */
interface Run {
  files: string[]
  first?: string
  env?: Record<string, string>
  runner?: string[]
  lanes?: Lanes
}

const filesOf = (...patterns: string[]) =>
  globSync(patterns, { cwd: root })
    .filter((file) => !file.includes('node_modules'))
    .sort()

/**
 * Runs test files and counts their tests. Files that hold no test at all are a failure. What the tests leave in the
 * folder for temporary files goes with the run.
 */
async function testFiles(output: Output, run: Run): Promise<Counts> {
  const { files, runner = inOneProcess, lanes } = run
  if (files.length === 0) throw new Error('there is no test file')
  const folder = mkdtempSync(join(tmpdir(), 'podium-test-'))
  // A pooler of a test does not run as root, and finds its own folder in this one.
  chmodSync(folder, 0o711)
  const counted = join(folder, 'counts')
  const env = { ...run.env, TMPDIR: folder, TEST_TEMPLATES: templates }
  try {
    if (run.first && (await node([run.first], output, env)) !== 0) return failedOnce
    if (lanes) refuseLostTests(files)
    const tests = lanes?.(files, folder) ?? files
    const args = ['--test', ...runner, ...reporters, `--test-reporter-destination=${counted}`, ...tests]
    const code = await node(args, output, env)
    return judged(code, readFileSync(counted, 'utf8'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const inOneProcess = ['--test-isolation=none', '--test-force-exit', `--test-timeout=${5 * minute}`]

const reporters = [
  '--test-reporter=spec',
  '--test-reporter-destination=stdout',
  '--test-reporter=./scripts/test-reporter.ts',
]

function judged(code: number, counted: string): Counts {
  const counts: Counts | null = JSON.parse(counted || 'null')
  if (counts === null) throw new Error('the tests ended without a summary')
  if (code === 0 && counts.passed > 0) return counts
  return { ...counts, failed: Math.max(counts.failed, 1) }
}

/** Wait for slow clients more than they work: they begin, while others have work. */
const waiting = new Set(['server/src/platform/http/http.test.ts'])

/** Test files of the server: those that ask for a database, or the others, which run with none in reach. */
function serverTests(asking: boolean): string[] {
  const asks = databaseAsked(root)
  const files = filesOf('server/**/*.test.ts').filter((file) => asks(file) === asking)
  return [...files.filter((file) => waiting.has(file)), ...files.filter((file) => !waiting.has(file))]
}

const onServer = (output: Output) => {
  // Before the processes begin: each would install it.
  findPdfToText()
  findPgBouncer()
  return testFiles(output, {
    files: serverTests(true),
    first: 'server/test/database.ts',
    runner: atATime(serverLanes),
    lanes: inTurn(serverLanes),
  })
}

const withoutDatabase = () => [
  ...filesOf('contract/src/**/*.test.ts', 'web/src/**/*.test.ts', 'scripts/**/*.test.ts'),
  ...serverTests(false),
]

const checks = { groups: ['check'], stage: 'check' } as const

/** In the order of the summary, and in which they begin: the checks that take longest are the first. */
export const parts: readonly Part[] = [
  {
    name: 'unit',
    groups: [],
    stage: 'check',
    heading: 'Unit tests',
    run: (output) => testFiles(output, { files: withoutDatabase(), env: { TEST_DATABASE: 'none' } }),
  },
  { ...checks, name: 'types', heading: 'Types', run: typesOf('.', 'types') },
  {
    ...checks,
    name: 'build',
    groups: ['check', 'browser'],
    heading: 'Web build',
    run: check('scripts/build-web.ts'),
  },
  { ...checks, name: 'types-web', heading: 'Types of the web', run: typesOf('web', 'types-web') },
  { ...checks, name: 'lint', heading: 'Lint and format', run: check(...biome) },
  { ...checks, name: 'imports', heading: 'Import rules', run: check('scripts/check-imports.ts') },
  {
    ...checks,
    name: 'bytes',
    heading: 'Bytes of a page',
    after: 'build',
    run: check('scripts/check-bytes.ts'),
  },
  { ...checks, name: 'sql', heading: 'Rules of SQL and migrations', run: check('scripts/check-sql.ts') },
  { ...checks, name: 'size', heading: 'Size of files', run: check('scripts/check-size.ts') },
  {
    ...checks,
    name: 'specification',
    heading: 'Addresses, lines and tests of the specification',
    run: check('scripts/check-specification.ts'),
  },
  {
    ...checks,
    name: 'security',
    heading: 'Requirements, threats and rules of security',
    run: check('scripts/check-security.ts'),
  },
  { name: 'server', groups: [], stage: 'server', heading: 'Server', run: onServer },
  {
    name: 'world',
    groups: ['browser'],
    stage: 'server',
    heading: 'Demo world of the browser',
    run: async (output) =>
      (await node(['e2e/look.ts'], output, { E2E_WORLD: world })) === 0 ? once : failedOnce,
  },
  {
    name: 'browser',
    groups: [],
    stage: 'browser',
    heading: 'Browser',
    run: (output) =>
      testFiles(output, {
        files: filesOf('e2e/**/*.test.ts'),
        env: { CHROMIUM: findChromium(), E2E_WORLD: world, SHAPES_READ: shapes },
        runner: besideEachOther,
        lanes: inLanes,
      }),
  },
]
