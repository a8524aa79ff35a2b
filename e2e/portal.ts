import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { type Portal, startPortal } from './program.ts'
import { copyWorld } from './world.ts'

const newFolder = () => mkdtempSync(join(tmpdir(), 'podium-e2e-'))
const remove = (folder: string) => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })

async function freshPortal(): Promise<Portal> {
  const dataDir = newFolder()
  try {
    await copyWorld(dataDir)
    const portal = await startPortal(dataDir)
    const stop = async () => {
      await portal.stop()
      remove(dataDir)
    }
    return { ...portal, stop }
  } catch (error) {
    remove(dataDir)
    throw error
  }
}

const started: Promise<Portal>[] = []

/**
 * The portal that the tests of this process share. Each leaves what others need, or makes its own. E2E_URL names one that
 * runs already, for writing tests.
 */
export function portal(): Promise<Portal> {
  const running = process.env.E2E_URL
  if (running) return Promise.resolve({ url: running, dataDir: '', stop: async () => undefined })
  const [first = freshPortal()] = started
  started[0] = first
  return first
}

const worlds: string[] = []

/** A folder with the demo world, as its portal has left it. */
export async function demoWorld(): Promise<string> {
  const dataDir = newFolder()
  worlds.push(dataDir)
  await copyWorld(dataDir)
  if (!existsSync(join(dataDir, 'postgres'))) await (await startPortal(dataDir)).stop()
  return dataDir
}

/** A portal that a test has for itself, and with which it goes on in later months: each month the one before is stopped. */
export async function portalThroughTheYear(): Promise<(later: number) => Promise<Portal>> {
  const dataDir = newFolder()
  let now: Portal | undefined
  after(async () => {
    await now?.stop()
    remove(dataDir)
  })
  await copyWorld(dataDir)
  return async (later) => {
    await now?.stop()
    now = await startPortal(dataDir, later)
    return now
  }
}

after(async () => {
  for (const one of await Promise.all(started)) await one.stop()
  for (const folder of worlds) remove(folder)
})
