import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { withLock } from '../scripts/lock.mjs'
import { later as ahead } from './later.ts'

/** The real program in a process of its own, with the demo world in a fresh data folder on the embedded database. */
export interface Portal {
  url: string
  dataDir: string
  stop(): Promise<void>
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}

/** Resolves when the portal says it is ready; rejects with what it printed when it ends before that. */
async function ready(child: ChildProcess, url: string, printed: () => string): Promise<void> {
  let ended: number | null | undefined
  child.once('exit', (code) => {
    ended = code
  })
  const until = Date.now() + 300_000
  for (;;) {
    if (ended !== undefined) throw new Error(`the portal ended with ${ended}:\n${printed()}`)
    if (Date.now() > until) throw new Error(`the portal is not ready after 300 s:\n${printed()}`)
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

const root = join(import.meta.dirname, '..')

/**
 * Starts a portal with the demo world on a folder: a fresh one, or one that a portal has left. Its clock is ahead by
 * `later` milliseconds.
 */
async function startPortal(dataDir: string, later = 0): Promise<Portal> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, ['--import', './e2e/later.ts', 'server/src/main.ts'], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: String(port),
      DATA_DIR: dataDir,
      PUBLIC_URL: url,
      LATER: String(ahead + later),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      // A page that could not be loaded says a reference alone: what lies behind it stands beside the test that fell.
      for (const line of text.split('\n')) if (line.includes('"msg":"fault"')) console.error(line)
    })
  }
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const gone = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await gone
    }
  }
  try {
    await ready(child, url, () => printed)
  } catch (error) {
    await stop()
    throw error
  }
  return { url, dataDir, stop }
}

/**
 * A folder with the demo world, made by the first process of a run that asks and copied by all: its seed is most of a
 * portal's start. Only where E2E_WORLD says that the temporary folder is the run's own.
 */
async function copyWorld(dataDir: string): Promise<void> {
  if (process.env.E2E_WORLD !== 'shared') return
  const world = join(tmpdir(), 'podium-world')
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
  cpSync(world, dataDir, { recursive: true })
}

async function freshPortal(): Promise<Portal> {
  const dataDir = mkdtempSync(join(tmpdir(), 'podium-e2e-'))
  const remove = () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 })
  try {
    await copyWorld(dataDir)
    const portal = await startPortal(dataDir)
    const stop = async () => {
      await portal.stop()
      remove()
    }
    return { ...portal, stop }
  } catch (error) {
    remove()
    throw error
  }
}

const started: Promise<Portal>[] = []

/** The portal that the tests of this process share. Each leaves what others need, or makes its own. */
/** E2E_URL names a portal that runs already, for writing tests. */
export function portal(): Promise<Portal> {
  const running = process.env.E2E_URL
  if (running) return Promise.resolve({ url: running, dataDir: '', stop: async () => undefined })
  const [first = freshPortal()] = started
  started[0] = first
  return first
}

/** A portal that a test has for itself, and with which it goes on in later months: each month the one before is stopped. */
export async function portalThroughTheYear(): Promise<(later: number) => Promise<Portal>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'podium-e2e-'))
  let now: Portal | undefined
  after(async () => {
    await now?.stop()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 })
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
})
