import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runFollowing } from './child.mjs'
import { type Resolver, resolver } from './import-places.ts'
import { fastestTemporaryFolder, findChromium, findPdfToText } from './machine.ts'
import { findPgBouncer } from './pgbouncer.ts'
import type { Counts } from './test-reporter.ts'

/** How many processes the tests run in, and which files share one. */

const root = join(import.meta.dirname, '..')
const urlOf = (path: string) => pathToFileURL(join(root, path)).href
const minute = 60_000

/**
 * Refuses `await test(` inside a test: a nested test must be started through the outer one's context, or both wait for
 * ever.
 */
function refuseLostTests(files: string[]): void {
  const nested = files.filter((file) => /\bawait test\(/.test(readFileSync(join(root, file), 'utf8')))
  if (nested.length > 0)
    throw new Error(`«await test(» inside a test, where «step.test(» is meant: ${nested.join(', ')}`)
}

/** For processes that use it: must be loaded before the runner of several files in one process. */
const lightly = ['--import', urlOf('scripts/light-tests.ts')]

/** Writes the test files of a run into a folder as one file for each process. */
type Lanes = (files: string[], folder: string) => string[]

/**
 * Server tests run one file after the other in each of a few processes, because loading the server takes longer than
 * the tests of most files. Each file is a suite with a database like new (`server/test/database-reset.ts`). Several
 * processes run in parallel, because each sometimes waits for its database; they start only once, because each must
 * compile its code.
 */
const serverLanes = 2

const inParallel = (lanes: number) => [
  ...lightly,
  '--test-isolation=process',
  `--test-concurrency=${lanes}`,
  `--test-timeout=${40 * minute}`,
]

/** Files that take many times longer than others, by how many times; used to balance the lanes. */
const slow = new Map([
  ['server/src/fuzz.test.ts', 50],
  ['server/src/platform/db/embedded.test.ts', 15],
  ['server/src/console.test.ts', 15],
  ['server/seed/demo.test.ts', 9],
  ['server/src/features/ledger/statement/sequences.test.ts', 10],
  ['server/src/plans.test.ts', 9],
  ['server/src/features/shipping/orders/sequences.test.ts', 7],
  ['server/src/features/students/import/import.test.ts', 6],
  ['server/src/instances.test.ts', 5],
  ['server/src/platform/http/http.test.ts', 4],
  ['server/src/features/shipping/packets/packets.test.ts', 4],
  ['server/src/migrate-under-load.test.ts', 4],
  ['server/src/platform/db/database.test.ts', 4],
  ['server/src/access.test.ts', 4],
])

/** `file` reuses what `from` has left in its process (`saveDatabase` of `server/test/database.ts`), so they share a lane. */
const takesOver = { file: 'server/src/fuzz.test.ts', from: 'server/seed/demo.test.ts' }

/** Assigns the longest files first, each to the least loaded lane; within a lane they keep their order. */
function shareOut(files: readonly string[], count: number): string[][] {
  const lanes = Array.from({ length: count }, () => ({ weight: 0, files: new Set<string>() }))
  const weightOf = (file: string) => slow.get(file) ?? 1
  for (const file of files.toSorted((a, b) => weightOf(b) - weightOf(a))) {
    const lane =
      lanes.find((lane) => file === takesOver.from && lane.files.has(takesOver.file)) ??
      lanes.reduce((least, lane) => (lane.weight < least.weight ? lane : least))
    lane.weight += weightOf(file)
    lane.files.add(file)
  }
  return lanes.map((lane) => files.filter((file) => lane.files.has(file)))
}

/** Writes the lanes' files: after each file of tests its servers are stopped and its database closed. */
const inTurn =
  (count: number): Lanes =>
  (files, folder) => {
    const quoted = (path: string) => JSON.stringify(join(root, path))
    return shareOut(files, count).map((tests, lane) => {
      const file = join(folder, `lane-${lane}.test.mjs`)
      const suites = tests.map((test) => `suiteOf(${JSON.stringify(test)}, ${quoted(test)})\n`)
      writeFileSync(file, `import { suiteOf } from '${urlOf('server/test/suite.ts')}'\n${suites.join('')}`)
      return file
    })
  }

/**
 * Browser test files by the start of their names, with a portal and a browser for each lane; the rest is one more lane.
 * All lanes take about equally long.
 */
const browserLanes = [
  ['whole', 'office-c', 'office-sh'],
  ['office-m', 'office-schools', 'import-', 'accessible', 'layout'],
  ['notices', 'staff', 'registration', 'summaries', 'enrolment', 'demo', 'office-screens'],
  ['school', 'specification', 'states', 'important'],
]

/**
 * Writes one file per lane that imports the lane's tests: these run one after the other, the lanes in parallel. A
 * browser waits more than it works, so five of them fill two cores.
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

/** Opens the database that TEST_DATABASE names; a test that doesn't import this never uses one. */
const door = 'server/test/database.ts'
const imported = /\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g

/** Returns a function that tells whether a server test file, or anything it imports, uses a database. */
export function databaseAsked(root: string): (file: string) => boolean {
  const resolve = resolver(root)
  const importsByFile = new Map<string, string[]>()
  const importsOf = (file: string) => {
    const imports = importsByFile.get(file) ?? read(root, file, resolve)
    importsByFile.set(file, imports)
    return imports
  }
  return (file) => {
    const reached = new Set([file])
    for (const module of reached) for (const next of importsOf(module)) reached.add(next)
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

// Before any folder is made, and inherited by every process of the run.
process.env.TMPDIR = fastestTemporaryFolder()

/** What the parts of this run share. Its name is random: others on this machine write to the temporary folder, too. */
const shared = mkdtempSync(join(tmpdir(), 'podium-run-'))
// PostgreSQL, which does not run as root, must find its own folder inside this one.
chmodSync(shared, 0o711)
/** The migrated data folder that this run's databases are copied from. */
const templates = join(shared, 'templates')
/**
 * The demo world of this run's browser tests. It is created while the server is tested, so that they don't have to
 * wait.
 */
const world = join(shared, 'world')
/** What this run's browser tests have checked and found correct, so that each is checked only once across processes. */
const shapes = join(shared, 'shapes')
process.on('exit', () => {
  rmSync(shared, { recursive: true, force: true, maxRetries: 3 })
})

/** Receives a part's output if others run in parallel; without it, a part writes to the terminal. */
export type Output = ((bytes: Buffer) => void) | undefined

/**
 * A part of `npm test`. `groups` are words that select it on the command line, besides its name. The parts of a stage
 * run in parallel, except that one with `after` waits for that part.
 */
export interface Part {
  name: string
  groups: readonly string[]
  heading: string
  stage: Stage
  after?: string
  run: (output: Output) => Promise<Counts>
}

/** The stages of `npm test` in order, with the number of parts that run in parallel. */
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
 * Checks what has changed since the last run on this machine, and what depends on it. Several checkers would share
 * files and read many of them twice, and collecting garbage less often uses no more memory (docs/decisions/0015).
 */
const typesOf =
  (project: string, name: string): Part['run'] =>
  async (output) => {
    const tsc = ['node_modules/typescript/bin/tsc', '-p', project, '--singleThreaded']
    const incremental = [
      '--incremental',
      '--tsBuildInfoFile',
      `node_modules/.cache/podium/${name}.tsbuildinfo`,
    ]
    return (await node([...tsc, ...incremental], output, { GOGC: '300' })) === 0 ? once : failedOnce
  }

/** How test files run: in one process unless `runner` and `lanes` say otherwise, after the program `first`. */
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
 * Runs test files and counts their tests. Fails if there are no tests at all. The tests' temporary files are removed
 * afterwards.
 */
async function testFiles(output: Output, run: Run): Promise<Counts> {
  const { files, runner = inOneProcess, lanes } = run
  if (files.length === 0) throw new Error('there is no test file')
  const folder = mkdtempSync(join(tmpdir(), 'podium-test-'))
  // A pooler started by a test does not run as root, and must find its own folder inside this one.
  chmodSync(folder, 0o711)
  const counted = join(folder, 'counts')
  const env = { ...run.env, TMPDIR: folder, TEST_TEMPLATES: templates }
  try {
    if (run.first && (await node([run.first], output, env)) !== 0) return failedOnce
    if (lanes) refuseLostTests(files)
    const tests = lanes?.(files, folder) ?? files
    const args = ['--test', ...runner, ...reporters, `--test-reporter-destination=${counted}`, ...tests]
    const code = await node(args, output, env)
    return toCounts(code, readFileSync(counted, 'utf8'))
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

function toCounts(code: number, counted: string): Counts {
  const counts: Counts | null = JSON.parse(counted || 'null')
  if (counts === null) throw new Error('the tests ended without a summary')
  if (code === 0 && counts.passed > 0) return counts
  return { ...counts, failed: Math.max(counts.failed, 1) }
}

/** These mostly wait for slow clients, so they start while others have work. */
const waiting = new Set(['server/src/platform/http/http.test.ts'])

/** Returns the server's test files that use a database, or the others, which run without one. */
function serverTests(asking: boolean): string[] {
  const asks = databaseAsked(root)
  const files = filesOf('server/**/*.test.ts').filter((file) => asks(file) === asking)
  return [...files.filter((file) => waiting.has(file)), ...files.filter((file) => !waiting.has(file))]
}

const runServerTests = (output: Output) => {
  // Before the processes start, because each of them would install it.
  findPdfToText()
  findPgBouncer()
  return testFiles(output, {
    files: serverTests(true),
    first: 'server/test/database.ts',
    runner: inParallel(serverLanes),
    lanes: inTurn(serverLanes),
  })
}

const withoutDatabase = () => [
  ...filesOf('contract/src/**/*.test.ts', 'web/src/**/*.test.ts', 'scripts/**/*.test.ts'),
  ...serverTests(false),
]

const checks = { groups: ['check'], stage: 'check' } as const

/** In the order of the summary and of starting: the slowest checks come first. */
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
  { name: 'server', groups: [], stage: 'server', heading: 'Server', run: runServerTests },
  {
    name: 'world',
    groups: ['browser'],
    stage: 'server',
    heading: 'Demo world of the browser',
    run: async (output) =>
      (await node(['e2e/demo-portal.ts'], output, { E2E_WORLD: world })) === 0 ? once : failedOnce,
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

/** The parts that run only these test files, one after the other. Browser tests need the web built. */
export function partsOfFiles(files: readonly string[]): Part[] {
  const inBrowser = (file: string) => file.startsWith('e2e/')
  const pages = parts.filter(({ name }) => name === 'build' && files.some(inBrowser))
  const unit = new Set(withoutDatabase())
  const stageOf = (file: string): Stage => (inBrowser(file) ? 'browser' : unit.has(file) ? 'check' : 'server')
  const runs = Object.entries(Object.groupBy(files, stageOf))
  return [
    ...pages,
    ...runs.map(([stage, files]): Part => {
      const heading = files.join(', ')
      const lanes = stage === 'server' ? { lanes: inTurn(1) } : {}
      const run = (output: Output) => testFiles(output, { files, ...lanes })
      return { name: heading, groups: [], heading, stage: stage as Stage, run }
    }),
  ]
}
