import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Confinement, confinementOf } from '../src/platform/files/sandbox.ts'
import { freePort } from '../src/platform/http/source.ts'
import { readSettings } from '../src/platform/settings.ts'
import { atEnd } from './database.ts'

type Env = Record<string, string | undefined>

const main = join(import.meta.dirname, '../src/main.ts')
/** Ends a program whose starter is gone: killed tests can't clean up. */
const lifeline = pathToFileURL(join(import.meta.dirname, '../../scripts/lifeline.mjs')).href

/** Starts the real program with only these settings, and collects its output. */
function run(args: readonly string[], env: Env, program = main) {
  const child = spawn(process.execPath, ['--import', lifeline, program, ...args], {
    env: {
      PODIUM_PARENT: String(process.pid),
      PATH: process.env.PATH,
      TMPDIR: process.env.TMPDIR,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  })
  const printed = { out: '', err: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed.out += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    printed.err += text
  })
  const ended = once(child, 'close').then(([code]: (number | null)[]) => code ?? -1)
  return { child, printed, ended }
}

/** Runs a command of the program until it ends. */
export async function runCommand(args: readonly string[], env: Env) {
  const { printed, ended } = run(args, env)
  const code = await ended
  return { code, ...printed }
}

/** Polls until there is an answer: a process can only be observed from outside. */
export async function until<Found>(ask: () => Promise<Found | undefined>, what: string): Promise<Found> {
  const end = Date.now() + 60_000
  for (;;) {
    const answer = await ask()
    if (answer !== undefined) return answer
    if (Date.now() > end) throw new Error(`not within a minute: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

export interface Program {
  url: string
  child: ChildProcess
  printed: { out: string; err: string }
  /** The exit code */
  ended: Promise<number>
}

/**
 * Starts a portal in its own process, by default as `npm start` does, ready for calls; killed at the latest when the test
 * file ends.
 */
export async function startProgram(env: Env, program?: string): Promise<Program> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const { child, printed, ended } = run(
    [],
    { PORT: String(port), PUBLIC_URL: url, DEMO: 'off', ...env },
    program,
  )
  atEnd(async () => {
    child.kill('SIGKILL')
    await ended
  })
  let code: number | undefined
  ended.then(
    (known) => {
      code = known
    },
    () => undefined,
  )
  await until(async () => {
    if (code !== undefined) throw new Error(`the portal ended with ${code}:\n${printed.out}${printed.err}`)
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    return answer?.ok ? true : undefined
  }, 'the portal is ready')
  return { url, child, printed, ended }
}

/** Returns the names read from an environment in which all optional settings are set. */
export function namesRead(): string[] {
  const names = new Set<string>()
  const env: Record<string, string> = {
    DATA_DIR: '/nowhere',
    SECRET: 'Fq7hW2mZ9xLkTr4bNc8VsYp3JdGu6QaE',
    GOOGLE_CLIENT_ID: 'g',
    GOOGLE_CLIENT_SECRET: 'g',
    FACEBOOK_CLIENT_ID: 'f',
    FACEBOOK_CLIENT_SECRET: 'f',
  }
  readSettings(
    new Proxy(env, {
      get: (env, name) => {
        names.add(String(name))
        return typeof name === 'string' ? env[name] : undefined
      },
    }),
  )
  return [...names].sort()
}

/** Checks that a confined process can reach no other file, no program and no network, and is given no settings. */
export function isShutIn(confinement: Confinement): void {
  const attempt = (code: string) =>
    spawnSync(process.execPath, [...confinementOf(confinement), '-e', code], { env: {}, encoding: 'utf8' })
  const root = join(import.meta.dirname, '../..')
  for (const code of [
    `fs.readFileSync(${JSON.stringify(join(root, 'package.json'))})`,
    `fs.readFileSync('/etc/hostname')`,
    `fs.writeFileSync(${JSON.stringify(join(import.meta.dirname, 'x.tmp'))}, '')`,
    `child_process.execSync('true')`,
    `fetch('http://127.0.0.1:8999').catch((thrown) => { throw thrown.cause })`,
  ]) {
    assert.match(attempt(code).stderr, /ERR_ACCESS_DENIED/, code)
  }
  assert.equal(attempt('process.stdout.write(String(Object.keys(process.env)))').stdout, '')
}
