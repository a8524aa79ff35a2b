import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { freePort } from '../server/src/platform/http/source.ts'
import { later as ahead } from './shifted-clock.ts'

/** The real program in its own process, with the demo world in a new data folder on the embedded database. */
export interface Portal {
  url: string
  dataDir: string
  /** Its output so far */
  printed(): string
  stop(): Promise<void>
}

/** Resolves when the portal is ready; rejects with its output if it ends before that. */
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
 * Starts a portal, with or without the demo world, on a new folder or one left by another portal. Its clock is ahead by
 * `later` milliseconds.
 */
export async function startPortal(dataDir: string, later = 0, demo: 'on' | 'off' = 'on'): Promise<Portal> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, ['--import', './e2e/shifted-clock.ts', 'server/src/main.ts'], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: String(port),
      DATA_DIR: dataDir,
      DEMO: demo,
      PUBLIC_URL: url,
      LATER: String(ahead + later),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      // A page that failed to load only shows a reference; the fault itself is printed next to the failed test.
      for (const line of text.split('\n')) if (line.includes('"msg":"fault"')) console.error(line)
    })
  }
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const exit = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await exit
    }
  }
  try {
    await ready(child, url, () => printed)
  } catch (error) {
    await stop()
    throw error
  }
  return { url, dataDir, printed: () => printed, stop }
}
