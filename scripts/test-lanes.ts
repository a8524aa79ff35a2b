import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** In how many processes the tests run, and which files share one. */

const root = join(import.meta.dirname, '..')
const urlOf = (path: string) => pathToFileURL(join(root, path)).href
const minute = 60_000

/** A test within a test is begun by that one's context: nothing else would tell the runner so, and both would wait. */
export function refuseLostTests(files: string[]): void {
  const lost = files.filter((file) => /\bawait test\(/.test(readFileSync(join(root, file), 'utf8')))
  if (lost.length > 0)
    throw new Error(`«await test(» inside a test, where «step.test(» is meant: ${lost.join(', ')}`)
}

/** Processes that are told to: the runner of files in one process is loaded before anything else can be. */
const lightly = ['--import', urlOf('scripts/light-tests.ts')]

/** Writes the test files of a run as one file for each of its processes, into a folder of its own. */
export type Lanes = (files: string[], folder: string) => string[]

/**
 * Server tests run one file after the other in each of a few processes: loading the server takes longer than most files'
 * tests. A file is a suite whose database is as new (`server/test/database-reset.ts`). Some run at a time, for each waits
 * for its database now and then; they begin once, for each has to compile anew what it runs.
 */
export const serverLanes = 2

export const atATime = (lanes: number) => [
  ...lightly,
  '--test-isolation=process',
  `--test-concurrency=${lanes}`,
  `--test-timeout=${40 * minute}`,
]

/** Writes the files of the lanes: a file of tests ends with its servers stopped and its database closed. */
export const inTurn =
  (count: number): Lanes =>
  (files, folder) => {
    const quoted = (path: string) => JSON.stringify(join(root, path))
    const lanes = Object.entries(Object.groupBy(files, (_, at) => at % count))
    return lanes.map(([lane, tests = []]) => {
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
  ['office', 'import-d', 'accessible', 'steady'],
  ['notices', 'trust', 'paper', 'line', 'summaries', 'sign-off', 'demo'],
  ['s'],
]

/**
 * Writes one file for each lane, which takes in the lane's tests: they run one after the other, the lanes beside each
 * other. A browser waits more than it works, so that five of them fill two cores.
 */
export const inLanes: Lanes = (files, folder) => {
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

export const besideEachOther = [
  ...lightly,
  '--test-isolation=process',
  '--test-concurrency=5',
  '--test-force-exit',
  `--test-timeout=${30 * minute}`,
]
