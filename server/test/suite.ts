import { after, suite } from 'node:test'
import { closeDatabases } from './database.ts'
import { stopServers } from './server.ts'

/** The tests of a file as a suite, so that several files run one after the other in a process. */
export function suiteOf(name: string, load: () => Promise<unknown>): void {
  suite(name, async () => {
    await load()
    after(async () => {
      await stopServers()
      await closeDatabases()
    })
  })
}
