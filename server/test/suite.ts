import { createRequire } from 'node:module'
import { after, suite } from 'node:test'
import { closeDatabases } from './database.ts'
import { stopServers } from './server.ts'

const load = createRequire(import.meta.url)

/**
 * Runs the tests of a file (its path) as a suite, so that several files can run one after the other in a process. All
 * files load at once and without awaiting, because tests must start inside their suite (`scripts/light-tests.ts`).
 */
export function suiteOf(name: string, path: string): void {
  suite(name, () => {
    load(path)
    after(async () => {
      await stopServers()
      await closeDatabases()
    })
  })
}
