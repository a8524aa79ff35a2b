import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Socket } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { ErrorCode } from '@podium/contract/errors'
import { Counter } from 'prom-client'
import type { turns } from '../concurrency-limit.ts'
import { Refusal } from '../errors.ts'
import { Pipe } from './sandbox-pipe.mjs'

/** What a process that looks at files may do: read its code, and take so much memory. */
export interface Confinement {
  /** For the figures: `file`, `sheet` */
  kind: string
  script: string
  /** Beside the script: files and folders of its code */
  readable: readonly string[]
  /** Whether it needs code that was compiled for the machine: the decoders of pictures */
  addons: boolean
  /** Memory in MB of its own objects, and of everything together */
  megabytes: number
  resident: number
}

/** Counted for /metrics. */
export const lookedAt = new Counter({
  name: 'podium_files_looked_at_total',
  help: 'Files that a process apart has looked at: done, left by who asked, or the process ended for time, memory, or by itself',
  labelNames: ['kind', 'outcome'] as const,
  registers: [],
})
export const processesStarted = new Counter({
  name: 'podium_file_processes_total',
  help: 'Processes started to look at files',
  labelNames: ['kind'] as const,
  registers: [],
})

/** What the process is started with: little memory, and no right to other files, to write, to start programs, to the network. */
export function confinementOf({ script, readable, addons, megabytes }: Confinement): string[] {
  const code = [script, join(import.meta.dirname, 'sandbox-pipe.mjs'), ...readable]
  return [
    `--max-old-space-size=${megabytes}`,
    '--permission',
    ...(addons ? ['--allow-addons'] : []),
    ...code.map((path) => `--allow-fs-read=${path}`),
  ]
}

/** The last line about a file. */
export interface LookedAt {
  /** A code of the catalogue: why it is refused */
  refused?: string
}

interface LastLine extends LookedAt {
  end: true
  size: number
}

/** The file that somebody sent: in memory, or on the disk. */
interface Sent {
  readonly size: number
  stream(): Readable
}

/** A process looks at so many files before another takes its place: what one left behind shall not stay for ever. */
const mostFiles = 200
/** A process that nobody needs ends after so long, in milliseconds. */
const longestIdle = 5 * 60_000
/** How often a process is looked after, in milliseconds. */
const watchEvery = 50

/** Why a process has ended: it took too much time or memory, or by itself. */
type End = 'time' | 'memory' | 'died'

interface Place {
  child: ChildProcess
  /** Why we end it; what the system says of how it ended, where we don't */
  reason: End | undefined
  ended: Promise<End>
  input: Socket
  pipe: Pipe
  files: number
  /** Aborted when it has ended */
  end: AbortController
  idle: NodeJS.Timeout | undefined
  leave(): void
}

export interface Sandbox<Line, Last extends LookedAt> {
  /**
   * Has a process look at a file: gives its lines, and returns the last with the bytes that follow it. Refuses with
   * `tooMuch` what takes more time (in milliseconds; what the caller takes does not count) or memory than it may, with
   * `file.not_looked_at` where the process ended otherwise, and with `busy` where too many files wait already.
   */
  look(
    question: object,
    sent: Sent,
    time: number,
    tooMuch: ErrorCode,
  ): AsyncGenerator<Line, Last & { bytes: Buffer }>
}

/**
 * Processes that look at what strangers sent (docs/decisions/0019). Each looks at one file at a time and stays for the
 * next; one that took too much, was left in the midst, or has looked at many ends, and another takes its place.
 */
export function sandbox<Line, Last extends LookedAt>(
  confinement: Confinement,
  turn: ReturnType<typeof turns>,
): Sandbox<Line, Last> {
  const waiting: Place[] = []
  return {
    async *look(question, sent, time, tooMuch) {
      const end = await turn()
      const { kind } = confinement
      let outcome: End | 'done' | 'left' = 'left'
      try {
        const place = waiting.pop() ?? (await start(confinement, waiting))
        hold(place, true)
        const watch = watchOver(place, confinement.resident, time)
        let whole = false
        try {
          const last = yield* linesOf<Line, Last>(place, question, sent, watch)
          if (last === undefined) {
            place.leave()
            outcome = await place.ended
            throw outcome === 'died'
              ? new Refusal('file.not_looked_at', { retryAfter: 5 })
              : new Refusal(tooMuch)
          }
          outcome = 'done'
          whole = !watch.large()
          return last
        } finally {
          watch.stop()
          place.files++
          if (whole && !place.end.signal.aborted && place.files < mostFiles) keep(place, waiting)
          else place.leave()
        }
      } finally {
        lookedAt.inc({ kind, outcome })
        end()
      }
    },
  }
}

/** In milliseconds; enough for the event loop to look for what has come in. */
const breath = 5
let lastStart: Promise<unknown> = Promise.resolve()

/**
 * To start a process holds the whole server: the system copies the tables of its memory, 10 to 20 ms of a processor with
 * 400 MB. So they start one after the other, and others are answered in between.
 */
function start(confinement: Confinement, waiting: Place[]): Promise<Place> {
  const started = lastStart.then(() => startNow(confinement, waiting))
  const after = () => wait(breath)
  lastStart = started.then(after, after)
  return started
}

async function startNow(confinement: Confinement, waiting: Place[]): Promise<Place> {
  const child = spawn(process.execPath, [...confinementOf(confinement), confinement.script], {
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const { stdin, stdout } = child
  try {
    await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject))
  } catch {
    // The machine has no room for another process.
    throw new Refusal('busy', { retryAfter: 5 })
  }
  if (!(stdin instanceof Socket && stdout)) throw new Error('the process has no pipes')
  processesStarted.inc({ kind: confinement.kind })
  const gone = () => {
    const at = waiting.indexOf(place)
    if (at >= 0) waiting.splice(at, 1)
    place.end.abort()
  }
  const place: Place = {
    child,
    reason: undefined,
    ended: new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve(place.reason ?? endOf(code, signal)))
    }),
    input: stdin,
    pipe: new Pipe(stdout),
    files: 0,
    end: new AbortController(),
    idle: undefined,
    leave() {
      gone()
      child.kill('SIGKILL')
    },
  }
  child.once('exit', gone)
  // It may end before it has read all: that no answer comes tells it.
  stdin.on('error', () => undefined)
  return place
}

/** A program that finds no room for its objects aborts itself. */
const endOf = (code: number | null, signal: NodeJS.Signals | null): End =>
  signal === 'SIGABRT' || signal === 'SIGTRAP' || code === 134 || code === 133 ? 'memory' : 'died'

/** A process that waits for the next file does not keep the server from ending, and ends with it. */
function hold({ child, input, idle }: Place, held: boolean): void {
  clearTimeout(idle)
  for (const one of [child, input, child.stdout]) {
    if (one === child || one instanceof Socket) held ? one.ref() : one.unref()
  }
}

function keep(place: Place, waiting: Place[]): void {
  hold(place, false)
  waiting.push(place)
  place.idle = setTimeout(() => place.leave(), longestIdle).unref()
}

interface Watch {
  /** Waits for the process, whose time this is. */
  waited<Value>(answer: Promise<Value>): Promise<Value>
  /** It has grown so much that it had better not be kept. */
  large(): boolean
  stop(): void
}

/** Ends a process that takes more time or memory than it may. */
function watchOver(place: Place, resident: number, time: number): Watch {
  const { child } = place
  let left = time
  let since: number | undefined
  let most = 0
  let over = false
  const look = async () => {
    const waits = since === undefined ? 0 : performance.now() - since
    most = await residentOf(child.pid)
    if (over || (waits <= left && most <= resident)) return
    place.reason ??= waits > left ? 'time' : 'memory'
    child.kill('SIGKILL')
  }
  const timer = setInterval(look, watchEvery)
  return {
    async waited(answer) {
      since = performance.now()
      const value = await answer
      left -= performance.now() - since
      since = undefined
      return value
    },
    large: () => most > resident / 2,
    stop() {
      over = true
      clearInterval(timer)
    },
  }
}

/** How much memory a process holds, in MB; 0 where the system does not say: there the limit of its own objects holds alone. */
async function residentOf(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024
}

async function* linesOf<Line, Last>(
  place: Place,
  question: object,
  sent: Sent,
  watch: Watch,
): AsyncGenerator<Line, (Last & { bytes: Buffer }) | undefined> {
  const { pipe } = place
  const written = write(place, question, sent)
  written.catch(() => undefined)
  while (true) {
    const line = await watch.waited(pipe.line())
    if (line === undefined) return undefined
    const said: Line | (Last & LastLine) = JSON.parse(line)
    if (!isLast(said)) {
      yield said
      continue
    }
    const bytes = await watch.waited(pipe.take(said.size))
    await written
    return bytes && { ...said, bytes }
  }
}

async function write({ input, end }: Place, question: object, sent: Sent): Promise<void> {
  input.write(`${JSON.stringify({ ...question, size: sent.size })}\n`)
  for await (const piece of sent.stream())
    if (!input.write(piece)) await once(input, 'drain', { signal: end.signal })
}

function isLast(line: unknown): line is LastLine {
  return typeof line === 'object' && line !== null && 'end' in line
}
