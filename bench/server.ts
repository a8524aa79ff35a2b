// The real server as a process of its own on one of the bench databases.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addressOf } from './common.ts'

export interface Served {
  url: string
  /** Memory of the process in MB */
  memory: () => number
  /** Seconds of processor that the process has used */
  cpu: () => number
  /** Processor time of the longest hold of its event loop since this was asked last, in milliseconds (`holds.ts`) */
  held: () => Promise<number>
  stop: () => Promise<void>
}

/** Starts a program of this repository and waits until it answers. */
export async function serve(
  program: string,
  database: string,
  port: number,
  env: Record<string, string> = {},
): Promise<Served> {
  const dataDir = mkdtempSync(join(tmpdir(), 'podium-bench-'))
  const url = `http://127.0.0.1:${port}`
  const child = spawn(
    process.execPath,
    [
      ...(process.env.BENCH_PROF && program.includes('main')
        ? ['--cpu-prof', '--cpu-prof-dir', process.env.BENCH_PROF]
        : []),
      program,
    ],
    {
      env: {
        ...process.env,
        PORT: String(port),
        DATABASE_URL: addressOf(database),
        DATA_DIR: dataDir,
        PUBLIC_URL: url,
        DEMO: 'off',
        NODE_OPTIONS: `--import=${new URL('holds.ts', import.meta.url).href}`,
        ...env,
      },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  )
  const ended = once(child, 'exit')
  for (let tries = 0; ; tries++) {
    const answer = await fetch(`${url}/healthz`).catch(() => undefined)
    if (answer?.ok) break
    if (tries > 1_500 || child.exitCode !== null) throw new Error(`${program} does not answer on ${url}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return {
    url,
    memory: () => memoryOf(child.pid ?? 0),
    cpu: () => cpuOf(child.pid ?? 0),
    async held() {
      const told = once(child, 'message')
      child.send('held')
      const [most] = await told
      return Number(most)
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Seconds of processor that a process has used, all its threads together; 0 when it has ended. */
export function cpuOf(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [, , , , , , , , , , , user, system] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return (Number(user) + Number(system)) / 100
  } catch {
    return 0
  }
}

function memoryOf(pid: number): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1024)
}
