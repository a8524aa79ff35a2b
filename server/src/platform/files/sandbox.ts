import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Socket } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { ErrorCode } from '@podium/contract/errors'
import { Counter } from 'prom-client'
import type { concurrencyLimit } from '../concurrency-limit.ts'
import { Refusal } from '../errors.ts'
import { Pipe } from './sandbox-pipe.mjs'

/** What a process that examines files may do: read its own code, and use this much memory. */
export interface Confinement {
  /** For metrics: `file`, `sheet` */
  kind: string
  script: string
  /** More files and folders of its code, besides the script */
  readable: readonly string[]
  /** Whether it needs native code, such as picture decoders */
  addons: boolean
  /** Memory in MB, of its JavaScript objects and in total */
  megabytes: number
  resident: number
}

/** Counted for /metrics. */
export const filesInspected = new Counter({
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

/**
 * Returns the process's flags: little memory, and no access to other files, to writing, to starting programs or to the
 * network.
 */
export function confinementOf({ script, readable, addons, megabytes }: Confinement): string[] {
  const code = [script, join(import.meta.dirname, 'sandbox-pipe.mjs'), ...readable]
  return [
    `--max-old-space-size=${megabytes}`,
    '--permission',
    ...(addons ? ['--allow-addons'] : []),
    ...code.map((path) => `--allow-fs-read=${path}`),
  ]
}

/** The last line of output for a file. */
export interface InspectionResult {
  /** The code of the refusal, if any */
  refused?: string
}

interface LastLine extends InspectionResult {
  end: true
  size: number
}

/** The uploaded file, in memory or on disk. */
interface UploadedFile {
  readonly size: number
  stream(): Readable
}

/** How many files a process handles before it is replaced, so that nothing it accumulates stays for ever. */
const maxFiles = 200
/** How long an idle process lives, in milliseconds. */
const longestIdle = 5 * 60_000
/** How often a process is checked, in milliseconds. */
const watchEvery = 50

/** Why a process ended: too much time, too much memory, or by itself. */
type End = 'time' | 'memory' | 'died'

interface SandboxProcess {
  child: ChildProcess
  /** Why we killed it; if we didn't, its exit status decides */
  reason: End | undefined
  ended: Promise<End>
  input: Socket
  pipe: Pipe
  files: number
  /** Aborted when the process has ended */
  end: AbortController
  idle: NodeJS.Timeout | undefined
  leave(): void
}

export interface Sandbox<Line, Last extends InspectionResult> {
  /**
   * Has a process examine a file: yields its lines, and returns the last one with the bytes that follow it. Refuses
   * with `tooMuch` if the process exceeds its time (in milliseconds; the caller's own time does not count) or memory,
   * with `file.not_looked_at` if it ended otherwise, and with `busy` if too many files are waiting already.
   */
  look(
    question: object,
    sent: UploadedFile,
    time: number,
    tooMuch: ErrorCode,
  ): AsyncGenerator<Line, Last & { bytes: Buffer }>
}

/**
 * Manages processes that examine untrusted files (docs/decisions/0019). Each handles one file at a time and is then
 * reused; one that exceeded a limit, was interrupted, or has handled many files is ended and replaced.
 */
export function sandbox<Line, Last extends InspectionResult>(
  confinement: Confinement,
  acquire: ReturnType<typeof concurrencyLimit>,
): Sandbox<Line, Last> {
  const waiting: SandboxProcess[] = []
  return {
    async *look(question, file, time, tooMuch) {
      const end = await acquire()
      const { kind } = confinement
      let outcome: End | 'done' | 'left' = 'left'
      try {
        const place = waiting.pop() ?? (await start(confinement, waiting))
        setBusy(place, true)
        const watch = watchOver(place, confinement.resident, time)
        let whole = false
        try {
          const last = yield* linesOf<Line, Last>(place, question, file, watch)
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
          if (whole && !place.end.signal.aborted && place.files < maxFiles) setIdle(place, waiting)
          else place.leave()
        }
      } finally {
        filesInspected.inc({ kind, outcome })
        end()
      }
    },
  }
}

/** In milliseconds; enough for the event loop to handle what has come in. */
const breath = 5
let lastStart: Promise<unknown> = Promise.resolve()

/**
 * Starts a process. Starting one blocks the whole server, because the system copies its memory tables (10 to 20 ms of
 * CPU with 400 MB). So processes start one after the other, and other calls are answered in between.
 */
function start(confinement: Confinement, waiting: SandboxProcess[]): Promise<SandboxProcess> {
  const started = lastStart.then(() => startNow(confinement, waiting))
  const after = () => wait(breath)
  lastStart = started.then(after, after)
  return started
}

async function startNow(confinement: Confinement, waiting: SandboxProcess[]): Promise<SandboxProcess> {
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
  const onEnd = () => {
    const index = waiting.indexOf(place)
    if (index >= 0) waiting.splice(index, 1)
    place.end.abort()
  }
  const place: SandboxProcess = {
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
      onEnd()
      child.kill('SIGKILL')
    },
  }
  child.once('exit', onEnd)
  // The process may end before it has read everything; the missing answer reports that.
  stdin.on('error', () => undefined)
  return place
}

/** A program that runs out of heap aborts itself. */
const endOf = (code: number | null, signal: NodeJS.Signals | null): End =>
  signal === 'SIGABRT' || signal === 'SIGTRAP' || code === 134 || code === 133 ? 'memory' : 'died'

/** Lets the server exit while a process is idle; the process then ends too. */
function setBusy({ child, input, idle }: SandboxProcess, busy: boolean): void {
  clearTimeout(idle)
  for (const handle of [child, input, child.stdout]) {
    if (handle === child || handle instanceof Socket) busy ? handle.ref() : handle.unref()
  }
}

function setIdle(place: SandboxProcess, waiting: SandboxProcess[]): void {
  setBusy(place, false)
  waiting.push(place)
  place.idle = setTimeout(() => place.leave(), longestIdle).unref()
}

interface Watch {
  /** Waits for the process and counts the time against its limit. */
  waited<Value>(answer: Promise<Value>): Promise<Value>
  /** Whether it has grown too large to be reused. */
  large(): boolean
  stop(): void
}

/** Kills a process that exceeds its time or memory. */
function watchOver(place: SandboxProcess, resident: number, time: number): Watch {
  const { child } = place
  let remaining = time
  let since: number | undefined
  let memory = 0
  let over = false
  const look = async () => {
    const waits = since === undefined ? 0 : performance.now() - since
    memory = await residentBytes(child.pid)
    if (over || (waits <= remaining && memory <= resident)) return
    place.reason ??= waits > remaining ? 'time' : 'memory'
    child.kill('SIGKILL')
  }
  const timer = setInterval(look, watchEvery)
  return {
    async waited(answer) {
      since = performance.now()
      const value = await answer
      remaining -= performance.now() - since
      since = undefined
      return value
    },
    large: () => memory > resident / 2,
    stop() {
      over = true
      clearInterval(timer)
    },
  }
}

/** Returns a process's memory in MB; 0 if the system does not report it, so that only the heap limit applies. */
async function residentBytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024
}

async function* linesOf<Line, Last>(
  place: SandboxProcess,
  question: object,
  file: UploadedFile,
  watch: Watch,
): AsyncGenerator<Line, (Last & { bytes: Buffer }) | undefined> {
  const { pipe } = place
  const writing = write(place, question, file)
  writing.catch(() => undefined)
  while (true) {
    const line = await watch.waited(pipe.line())
    if (line === undefined) return undefined
    const output: Line | (Last & LastLine) = JSON.parse(line)
    if (!isLast(output)) {
      yield output
      continue
    }
    const bytes = await watch.waited(pipe.take(output.size))
    await writing
    return bytes && { ...output, bytes }
  }
}

async function write({ input, end }: SandboxProcess, question: object, file: UploadedFile): Promise<void> {
  input.write(`${JSON.stringify({ ...question, size: file.size })}\n`)
  for await (const piece of file.stream())
    if (!input.write(piece)) await once(input, 'drain', { signal: end.signal })
}

function isLast(line: unknown): line is LastLine {
  return typeof line === 'object' && line !== null && 'end' in line
}
