import type { AnswerOf, BodyOf, Endpoint, Failure, Issue, QueryOf } from '@podium/contract/endpoint'
import { newTokenHeader, pagesHeader } from '@podium/contract/headers'
import { makeListeners } from '#ui/listeners.ts'
import { pending } from './pending.ts'
import { loseSession, renewToken, token } from './session.ts'
import { transportDetails } from './transport-words.ts'

/** Why a call was refused or did not arrive. `message` is shown to the user; `issues` name fields. */
export class CallError extends Error {
  readonly status: number
  readonly code: string
  readonly issues: readonly Issue[]
  /** Id of the log line of an internal error. */
  readonly id?: string
  /** Seconds to wait before retrying, if the server gave them. */
  retryAfter?: number
  /** Remaining attempts after a wrong code. */
  triesLeft?: number

  constructor(message: string, status: number, code: string, issues: readonly Issue[] = [], id?: string) {
    super(message)
    this.name = 'CallError'
    this.status = status
    this.code = code
    this.issues = issues
    this.id = id
  }
}

export type CallOptions<E extends Endpoint> = {
  query?: QueryOf<E>
  body?: BodyOf<E>
  /** The file to upload; sent as the part `file`. */
  file?: File
  /** Makes a repeated write safe: the same key is executed once. */
  idempotencyKey?: string
  signal?: AbortSignal
  /** Called before the user is asked to confirm their identity. */
  beforeAsking?: () => void
  /** The call that ends the session, which is made while all others are on hold. */
  leaving?: boolean
}

/** The result of a call: its own fields and the envelope's message. */
export type Answer<E extends Endpoint> = AnswerOf<E> & { message: string }

let leave: (code: string) => void = () => undefined

/** Sets what happens when the server no longer knows the session, before it is cleared: going to the root route. */
export function onSignedOut(then: (code: string) => void): void {
  leave = then
}

let ask: () => Promise<boolean> = () => Promise.resolve(false)

/** Sets how the office asks users to confirm their identity; resolves to whether they did. */
export function onUnconfirmed(then: () => Promise<boolean>): void {
  ask = then
}

/**
 * Makes a request, and repeats it if it was refused for lack of confirmed identity and the user confirms it. If they do
 * not, nothing was done: the error has no message, and none is shown.
 */
async function withConfirmation<T>(request: () => Promise<T>, beforeAsking?: () => void): Promise<T> {
  try {
    return await pending(request)
  } catch (cause) {
    if (!(cause instanceof CallError) || cause.code !== 'session.confirm') throw cause
    beforeAsking?.()
    if (await ask()) return pending(request)
    throw new CallError('', cause.status, cause.code)
  }
}

let explain: () => Promise<unknown> = async () => undefined

/** Sets what must be loaded before a refusal is shown: its sentence in the page's language. */
export function onRefused(then: () => Promise<unknown>): void {
  explain = then
}

let running = new AbortController()
let paused: Promise<void> | undefined

/**
 * Aborts running calls and holds back new ones until the returned function is called. A page the user is signing out of
 * must not make calls without a session.
 */
export function pauseCalls(): () => void {
  let resume = () => undefined as unknown
  paused = new Promise((resolve) => {
    resume = () => resolve()
  })
  running.abort()
  return () => {
    running = new AbortController()
    paused = undefined
    resume()
  }
}

/** Returns a signal that aborts with the caller's own signal or when the user leaves the page. */
function abortOnLeave(signal: AbortSignal | undefined): AbortSignal {
  const { signal: leaveSignal } = running
  if (!signal) return leaveSignal
  // AbortSignal.any is newer than the oldest supported browsers.
  const either = new AbortController()
  for (const source of [signal, leaveSignal]) source.addEventListener('abort', () => either.abort())
  return either.signal
}

/** The specification's sentences for failures without an envelope (section 8). */
function transportSentence(status: number, detailText: string): string {
  const detail = status < 500 ? detailText : transportDetails.fault
  if (status === 401 || status === 404) return `Not Found: ${detail}`
  if (status === 403) return `Access Denied: ${detail}`
  if (status === 500) return `Internal Server Error: ${detail}`
  return `Unknown Server Error: ${detail}`
}

function addressOf(endpoint: Endpoint, query: unknown): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined || value === null) continue
    for (const item of Array.isArray(value) ? value : [value]) search.append(name, String(item))
  }
  const text = search.toString()
  const path = endpoint.path.startsWith('/') ? endpoint.path : `/api/${endpoint.path}`
  return text ? `${path}?${text}` : path
}

function bodyOf(body: unknown, file: File | undefined): { body?: BodyInit; type?: string } {
  if (file) {
    const form = new FormData()
    form.append('file', file)
    return { body: form }
  }
  if (body === undefined) return {}
  // The specification's POST helper drops cityName from every body.
  const { cityName: _, ...rest } = body as Record<string, unknown>
  return { body: JSON.stringify(rest), type: 'application/json' }
}

let starting = 0

/** Resolves in the next task. A timer would be delayed in a background tab. */
const nextTask = () =>
  new Promise<void>((next) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      next()
    }
    port2.postMessage(0)
  })

/**
 * The first call starts at once, further ones in a task each: a page makes ten calls when it is drawn, and a cheap
 * phone would freeze until all are sent.
 */
function waitForTurn(): Promise<void> | undefined {
  const task = nextTask()
  if (starting++ > 0) return task
  void task.then(() => {
    starting = 0
  })
  return undefined
}

async function send<E extends Endpoint>(endpoint: E, options: CallOptions<E>): Promise<Response> {
  const turn = endpoint.method === 'GET' ? waitForTurn() : undefined
  if (turn !== undefined) await turn
  if (paused && !options.leaving) {
    await paused
    // The component has gone in the meantime, so the call is not made.
    options.signal?.throwIfAborted()
  }
  const signal = options.leaving ? options.signal : abortOnLeave(options.signal)
  const { body, type } = bodyOf(options.body, options.file)
  const sentToken = token()
  const headers = new Headers({ Authorization: `Bearer ${sentToken}`, 'X-Requested-With': 'podium' })
  if (type) headers.set('Content-Type', type)
  if (options.idempotencyKey) headers.set('Idempotency-Key', options.idempotencyKey)
  try {
    const response = await fetch(addressOf(endpoint, options.query), {
      method: endpoint.method,
      headers,
      body: endpoint.method === 'GET' ? undefined : body,
      signal,
      cache: endpoint.cacheSeconds > 0 ? 'default' : 'no-store',
    })
    const next = response.headers.get(newTokenHeader)
    if (next) renewToken(sentToken, next)
    return response
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new CallError(`Error: ${transportDetails.offline}`, 0, 'network')
  }
}

/** Builds the error of an answer, envelope or not; a 401 also ends the session and goes to the root route. */
async function readRefusal(response: Response, read: unknown): Promise<CallError> {
  if (response.status === 401) {
    // In this order: drafts must be saved while their owner is still known.
    leave(isFailure(read) ? read.code : '')
    loseSession()
  }
  await explain()
  if (!isFailure(read)) {
    const detail = response.statusText || String(response.status)
    return new CallError(transportSentence(response.status, detail), response.status, 'transport')
  }
  const { message, code, issues, id } = read
  const refused = new CallError(message, response.status, code, issues, id)
  refused.retryAfter = Number(response.headers.get('Retry-After')) || undefined
  const { triesLeft } = read as { triesLeft?: unknown }
  if (typeof triesLeft === 'number') refused.triesLeft = triesLeft
  return refused
}

const readJson = (response: Response): Promise<unknown> => response.json().catch(() => undefined)

/** Calls a function after each successful write of this page. Returns a function that stops this. */
const [, written, onWritten] = makeListeners()

export { onWritten }

type Make = <E extends Endpoint>(endpoint: E, options: CallOptions<E>) => Promise<Answer<E>>

let make: Make = makeCall

/** Sets how calls are made. */
export function onCall(maker: Make): void {
  make = maker
}

/**
 * Makes a call of the contract; the portal's only fetch. Returns the answer's fields and its `message`; throws
 * CallError for `result: "error"`, another status or a failed connection.
 */
export function call<E extends Endpoint>(endpoint: E, options: CallOptions<E> = {}): Promise<Answer<E>> {
  return make(endpoint, options)
}

/** `call` as it is, without a key of its own. */
export async function makeCall<E extends Endpoint>(endpoint: E, options: CallOptions<E>): Promise<Answer<E>> {
  return withConfirmation(async () => {
    const response = await send(endpoint, options)
    const read = await readJson(response)
    if (!response.ok || !isSuccess(read)) throw await readRefusal(response, read)
    if (endpoint.method !== 'GET') written()
    return read as Answer<E>
  }, options.beforeAsking)
}

/** Checked by hand: the families' pages avoid the schema library where they can. */
const resultOf = (read: unknown) => (read as { result?: unknown } | null | undefined)?.result
const isFailure = (read: unknown): read is Failure => resultOf(read) === 'error'
const isSuccess = (read: unknown) => resultOf(read) === 'success'

/** Makes a call that answers with a file; returns its bytes, its name, and the total number of pages. */
export async function callFile<E extends Endpoint>(
  endpoint: E,
  options: CallOptions<E> = {},
): Promise<{ blob: Blob; name: string; pages: number }> {
  return withConfirmation(async () => {
    const response = await send(endpoint, options)
    if (!response.ok || response.headers.get('Content-Type')?.startsWith('application/json')) {
      throw await readRefusal(response, await readJson(response))
    }
    const { headers } = response
    const pages = Number(headers.get(pagesHeader) ?? 1)
    return { blob: await response.blob(), name: fileName(headers.get('Content-Disposition')), pages }
  }, options.beforeAsking)
}

function fileName(disposition: string | null): string {
  const encoded = disposition?.match(/filename\*=UTF-8''([^;]+)/i)?.[1]
  if (encoded) return decodeURIComponent(encoded)
  return disposition?.match(/filename="?([^";]+)"?/i)?.[1] ?? 'podium'
}
