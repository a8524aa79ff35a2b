// The real server in its own process on one of the bench databases.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addressOf } from './common.ts'

// Callers that send requests one after the other over connections that stay open, and how long each waited.
export interface ServedProgram {
  url: string
  /** Memory of the process in MB */
  memory: () => number
  /** CPU seconds used by the process */
  cpu: () => number
  /** CPU time of the longest block of its event loop since the last call of this, in milliseconds (`holds.ts`) */
  held: () => Promise<number>
  stop: () => Promise<void>
}

/** Starts a program of this repository and waits until it answers. */
export async function serve(
  program: string,
  database: string,
  port: number,
  env: Record<string, string> = {},
): Promise<ServedProgram> {
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
      const message = once(child, 'message')
      child.send('held')
      const [longest] = await message
      return Number(longest)
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Returns the CPU seconds used by a process, all its threads together; 0 if it has ended. */
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

export interface BenchRequest {
  path: string
  method?: 'GET' | 'POST'
  token?: string
  body?: unknown
}

interface LoadResult {
  perSecond: number
  /** Milliseconds of each answer */
  times: number[]
  /** Answers that were not 200 */
  refused: number
}

const agents = new Map<number, Agent>()

/** Returns an agent with this many connections, which stay open. */
export function agentOf(callers: number): Agent {
  const existing = agents.get(callers) ?? new Agent({ keepAlive: true, maxSockets: callers })
  agents.set(callers, existing)
  return existing
}

/** Makes one request; returns the status and the whole answer. */
export function ask(
  url: string,
  { path, method = 'GET', token, body }: BenchRequest,
  agent = agentOf(1),
): Promise<{ status: number; text: string }> {
  const payload = body === undefined ? undefined : JSON.stringify(body)
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(payload === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
  }
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}${path}`, { method, headers, agent }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }),
      )
      response.on('error', reject)
    })
    outgoing.on('error', reject)
    outgoing.end(payload)
  })
}

/**
 * Runs this many callers for this many seconds, each sending its next request as soon as the previous one is answered.
 */
export async function load(
  url: string,
  callers: number,
  seconds: number,
  next: (turn: number) => BenchRequest,
): Promise<LoadResult> {
  const times: number[] = []
  let refused = 0
  let turn = 0
  const agent = agentOf(callers)
  const start = performance.now()
  const end = start + seconds * 1000
  const caller = async () => {
    while (performance.now() < end) {
      const start = performance.now()
      const { status } = await ask(url, next(turn++), agent)
      times.push(performance.now() - start)
      if (status !== 200) refused += 1
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return { perSecond: times.length / ((performance.now() - start) / 1000), times, refused }
}
