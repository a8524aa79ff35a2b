import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Socket } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Refusal } from './errors.ts'
import { Pipe } from './sandbox-pipe.mjs'
import type { turns } from './turns.ts'

/** What a process that looks at files may do: read its code, and take so much memory. */
export interface Confinement {
  script: string
  /** Beside the script: files and folders of its code */
  readable: readonly string[]
  /** Whether it needs code that was compiled for the machine: the decoders of pictures */
  addons: boolean
  /** Memory in MB of its own objects, and of everything together */
  megabytes: number
  resident: number
}

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

interface Place {
  child: ChildProcess
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
   * Has a process look at a file: gives its lines, and returns the last with the bytes that follow it; undefined where
   * the process took more time (in milliseconds; what the caller takes does not count) or memory than it may, and is
   * gone. Refuses with `busy` where too many files wait already.
   */
  look(
    question: object,
    sent: Sent,
    time: number,
  ): AsyncGenerator<Line, (Last & { bytes: Buffer }) | undefined>
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
    async *look(question, sent, time) {
      const end = await turn()
      try {
        const place = waiting.pop() ?? (await start(confinement, waiting))
        hold(place, true)
        const watch = watchOver(place, confinement.resident, time)
        let whole = false
        try {
          const last = yield* linesOf<Line, Last>(place, question, sent, watch)
          whole = last !== undefined && !watch.large()
          return last
        } finally {
          watch.stop()
          place.files++
          if (whole && !place.end.signal.aborted && place.files < mostFiles) keep(place, waiting)
          else place.leave()
        }
      } finally {
        end()
      }
    },
  }
}

async function start(confinement: Confinement, waiting: Place[]): Promise<Place> {
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
  const gone = () => {
    const at = waiting.indexOf(place)
    if (at >= 0) waiting.splice(at, 1)
    place.end.abort()
  }
  const place: Place = {
    child,
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
function watchOver({ child }: Place, resident: number, time: number): Watch {
  let left = time
  let since: number | undefined
  let most = 0
  let over = false
  const look = async () => {
    const waits = since === undefined ? 0 : performance.now() - since
    most = await residentOf(child.pid)
    if (!over && (waits > left || most > resident)) child.kill('SIGKILL')
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
