// The demo world of a run. Started as a program it makes it.
import { cpSync, existsSync, renameSync } from 'node:fs'
import { withLock } from '../scripts/lock.mjs'
import { startPortal } from './program.ts'

/**
 * The folder that E2E_WORLD names holds the demo world that all portals of a run are copies of, for its seed is most of a
 * portal's start. The first process that asks makes it. Without the name each portal makes its own.
 */
async function makeWorld(): Promise<string | undefined> {
  const world = process.env.E2E_WORLD
  if (!world) return
  await withLock(
    `${world}.lock`,
    () => undefined,
    async () => {
      if (existsSync(world)) return
      const first = await startPortal(`${world}.draft`)
      await first.stop()
      renameSync(first.dataDir, world)
    },
  )
  return world
}

/** Fills a folder with the world, where the run has one for all. */
export async function copyWorld(dataDir: string): Promise<void> {
  const world = await makeWorld()
  if (world) cpSync(world, dataDir, { recursive: true })
}

if (import.meta.main) await makeWorld()
