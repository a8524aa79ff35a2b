import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before as beforeTests } from 'node:test'
import type { AnswerOf, BodyOf, Endpoint, Failure, QueryOf } from '@podium/contract/endpoint'
import { type ErrorCode, errors } from '@podium/contract/errors'
import type { Logger } from 'pino'
import { listMails, mailFile, readMail, type StoredMail } from '#platform/mail/mail-folder'
import type { Settings } from '#platform/settings'
import { createLogger } from '#platform/telemetry/logger'
import { type RunningServer, startServer } from '../src/start.ts'
import { testDatabase } from './database.ts'

export interface Response<Answer> {
  status: number
  headers: Headers
  /** The envelope with the call's fields; on a refusal `result` is "error" and the fields are missing. */
  body: { result: string; message: string } & Partial<Omit<Failure, 'result' | 'message'>> & Answer
}

interface SendOptions {
  token?: string | undefined
  headers?: Record<string, string>
  /** A browser's cookies: read and written, so that several calls can share them. */
  cookies?: Map<string, string>
  /** Sent as the multipart part `file` */
  file?: { name: string; bytes: Uint8Array<ArrayBuffer> }
}

/** A call's query, or its body where it has one. */
type InputOf<E extends Endpoint> = string extends keyof BodyOf<E> ? QueryOf<E> : BodyOf<E>

/** Calls a portal over HTTP, in any process. */
export interface Client {
  url: string
  /** Calls an endpoint over HTTP, with input checked by types; `send` takes anything. */
  call<E extends Endpoint>(
    endpoint: E,
    input?: { query?: QueryOf<E>; body?: BodyOf<E> },
    options?: SendOptions,
  ): Promise<Response<AnswerOf<E>>>
  /** Makes a call that must succeed, by its query or its body alone; returns the answer's fields. */
  ask<E extends Endpoint>(endpoint: E, input?: InputOf<E>, options?: SendOptions): Promise<AnswerOf<E>>
  /** Makes a call that must be refused with this code, and its status; returns the envelope. */
  refuses(code: ErrorCode, endpoint: Endpoint, input?: unknown, options?: SendOptions): Promise<Refused>
  /** Calls with any input at all. */
  send(endpoint: Endpoint, input: Input, options?: SendOptions): Promise<Response<Record<string, unknown>>>
  /** Makes a POST call and returns the answer as it comes: a file, or why there is none. */
  post(endpoint: Pick<Endpoint, 'path'>, body: object, by: { token: string }): Promise<globalThis.Response>
  /** Makes a call whose answer is a file, by its query or its body. */
  download(
    endpoint: Endpoint,
    input: object,
    options?: SendOptions,
  ): Promise<{ status: number; headers: Headers; bytes: Buffer }>
}

export type TestServer = RunningServer & Client

interface TestServerOptions {
  log?: Logger
  clock?: () => Date
  limitScale?: number
  settings?: Partial<Settings>
  /** Adds the test's own calls before the server listens. */
  routes?: (running: RunningServer) => unknown
}

function queryText(query: unknown): string {
  const pairs = Object.entries(query ?? {}).filter(([, value]) => value !== undefined)
  return pairs.length === 0
    ? ''
    : `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}`
}

interface Input {
  query?: unknown
  body?: unknown
}

/** Places input where the endpoint expects it: in the body, or in the query of a call that has none. */
const alone = ({ method, upload }: Endpoint, input: unknown): Input =>
  method === 'GET' || upload ? { query: input } : { body: input }

async function answer<Answer>(response: globalThis.Response): Promise<Response<Answer>> {
  const body = (await response.json()) as Response<Answer>['body']
  return { status: response.status, headers: response.headers, body }
}

async function request(url: string, endpoint: Endpoint, input: Input, options: SendOptions) {
  const headers: Record<string, string> = { ...options.headers }
  if (options.token !== undefined) headers.authorization = `Bearer ${options.token}`
  if (options.cookies?.size)
    headers.cookie = [...options.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  let body: string | FormData | undefined
  if (options.file) {
    body = new FormData()
    body.append('file', new Blob([options.file.bytes]), options.file.name)
  } else if (endpoint.method === 'POST') {
    headers['content-type'] = 'application/json'
    body = JSON.stringify(input.body ?? {})
  }
  const response = await fetch(`${url}${endpoint.path}${queryText(input.query)}`, {
    method: endpoint.method,
    headers,
    ...(body === undefined ? {} : { body }),
  })
  for (const cookie of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    if (value === '') options.cookies?.delete(name)
    else options.cookies?.set(name, value)
  }
  return response
}

/**
 * In production a password takes 50 ms of CPU, and tests sign in hundreds of times (passwords.test.ts tests the full
 * cost).
 */
const lowPasswordCost = { memory: 64, passes: 1, parallelism: 1 }

/**
 * In tests, mails and jobs only move when a call wakes them or a test drains them: a worker on a timer could at any
 * moment take what another server of the same file, with its own clock, is about to handle.
 */
const never = 86_400_000

/**
 * The servers of this process. They stop in a hook of the whole run: one registered in a file's `before` would run too
 * early.
 */
const stops: Array<() => Promise<void>> = []

export async function stopServers(): Promise<void> {
  for (const stop of stops.splice(0)) await stop()
}
after(stopServers)

/** The hooks so far. */
let earlier: Promise<unknown> = Promise.resolve()

/**
 * Runs before the first test of a file, in the order written. Node's own `before` hooks do not wait for each other in a file
 * that is run alone.
 */
export function before(work: () => Promise<unknown>): void {
  beforeTests(() => {
    earlier = earlier.then(work)
    return earlier
  })
}

/**
 * Makes what the tests of a file share, such as a server or a signed-in user, in the order written. Returns an object that is
 * empty until then.
 */
export function beforehand<Made extends object>(make: () => Promise<Made>): Made {
  const made = {} as Made
  before(async () => Object.assign(made, await make()))
  return made
}

/**
 * Starts a server with its own clock and settings on the database that all tests of this process share; stopped when
 * the file ends.
 */
export async function testServer(options: TestServerOptions = {}): Promise<TestServer> {
  // With an address of its own, the server opens the database itself, as in production.
  const database = options.settings?.databaseUrl === undefined ? await testDatabase() : undefined
  const dataDir = await mkdtemp(join(tmpdir(), 'podium-test-'))
  const settings: Settings = {
    production: false,
    port: 0,
    host: '127.0.0.1',
    drainSeconds: 0,
    dataDir,
    filesDir: join(options.settings?.dataDir ?? dataDir, 'files'),
    filesBucket: undefined,
    backupDir: join(dataDir, 'backups'),
    backupBucket: undefined,
    databaseUrl: undefined,
    databaseMigrateUrl: undefined,
    databasePool: 10,
    databasePooler: undefined,
    databaseReadUrl: undefined,
    publicUrl: 'http://127.0.0.1',
    smtpUrl: undefined,
    mailFrom: { name: 'Podium', address: 'no-reply@podium.example' },
    secret: 'a secret that only the tests know, long enough',
    secretPrevious: undefined,
    trustProxy: [],
    google: undefined,
    facebook: undefined,
    demo: true,
    logLevel: 'error',
    metricsToken: undefined,
    mailBounceSecret: undefined,
    tracesTo: undefined,
    ...options.settings,
  }
  const running = await startServer({
    settings,
    log: options.log ?? createLogger(process.env.LOG_LEVEL ?? 'error'),
    ...(database && { database }),
    ...(options.clock ? { clock: options.clock } : {}),
    limitScale: options.limitScale ?? 1000,
    passwordCost: lowPasswordCost,
    everyMs: never,
    onFatal: (error) => {
      throw error
    },
  })
  options.routes?.(running)
  // The client knows to the second when the server closes a connection; a process that stalled learns it too late.
  running.app.server.keepAliveTimeout = 120_000
  await running.app.listen({ port: 0, host: '127.0.0.1' })
  const address = running.app.server.address()
  if (address === null || typeof address === 'string') throw new Error('the server does not listen')
  const url = `http://127.0.0.1:${address.port}`
  stops.push(async () => {
    await running.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
  return { ...running, ...clientOf(url) }
}

export function clientOf(url: string): Client {
  return {
    url,
    call: async (endpoint, input = {}, options = {}) => answer(await request(url, endpoint, input, options)),
    async ask<E extends Endpoint>(endpoint: E, input?: InputOf<E>, options = {}) {
      const sent = await request(url, endpoint, alone(endpoint, input), options)
      const { status, body } = await answer<AnswerOf<E>>(sent)
      if (status === 200 && body.result === 'success') return body
      throw new Error(`${endpoint.path} answers ${status} ${body.code}: ${body.message}`)
    },
    refuses: async (code, endpoint, input, options = {}) =>
      refused(code, request(url, endpoint, alone(endpoint, input), options).then(answer)),
    send: async (endpoint, input, options = {}) => answer(await request(url, endpoint, input, options)),
    post: ({ path }, body, { token }) =>
      fetch(`${url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    async download(endpoint, input, options = {}) {
      const sent = endpoint.method === 'GET' ? { query: input } : { body: input }
      const response = await request(url, endpoint, sent, options)
      return {
        status: response.status,
        headers: response.headers,
        bytes: Buffer.from(await response.arrayBuffer()),
      }
    },
  }
}

/** The envelope of a refusal, which may have fields of its own. */
type Refused = Response<Record<string, unknown>>['body']
type Sent = { status: number; body: object }

/** Checks that a call is refused with this code, and with the status that the catalogue has for it. */
export async function refused(code: ErrorCode, sent: Promise<Sent> | Sent): Promise<Refused> {
  const { status, body } = await sent
  const envelope = body as Refused
  assert.deepEqual([status, envelope.code], [errors[code].status, code], envelope.message)
  return envelope
}

// The outbox deletes a mail's text once it is sent, at any moment, so mails are read where they arrive.

/**
 * Returns the mails to an address after all due ones are sent, newest first; those of the same instant in any order.
 */
export async function mailsTo(server: TestServer, address: string): Promise<StoredMail[]> {
  await server.drain()
  const mails = await listMails(server.deps.settings.dataDir, 5000)
  return mails.filter(({ to }) => to.includes(address))
}

/**
 * Returns the mails whose keys match `keys` (SQL's LIKE) after all due ones are sent, in the order they were written.
 */
export async function mailsLike(server: TestServer, keys: string): Promise<(StoredMail & { key: string })[]> {
  await server.drain()
  const rows = await server.deps.db
    .selectFrom('outbox')
    .select(['key', 'created_at'])
    .where('key', 'like', keys)
    .orderBy('id')
    .execute()
  return Promise.all(
    rows.map(async ({ key, created_at }) => {
      const mail = await readMail(server.deps.settings.dataDir, mailFile({ key, createdAt: created_at }))
      if (!mail) throw new Error(`${key} has not left`)
      return { ...mail, key }
    }),
  )
}
