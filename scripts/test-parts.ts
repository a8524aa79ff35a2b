import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runFollowing } from './child.mjs'
import { findChromium } from './chromium.ts'
import { findPdfToText } from './pdf-to-text.ts'
import { findPgBouncer } from './pgbouncer.ts'
import { databaseAsked } from './test-database.ts'
import {
  atATime,
  besideEachOther,
  inLanes,
  inTurn,
  type Lanes,
  refuseLostTests,
  serverLanes,
} from './test-lanes.ts'
import type { Counts } from './test-reporter.ts'

const root = join(import.meta.dirname, '..')
const minute = 60_000

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
    first: 'server/test/embedded-template.ts',
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
    heading: 'Addresses, rows and tests of the specification',
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
      (await node(['e2e/world.ts'], output, { E2E_WORLD: world })) === 0 ? once : failedOnce,
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
