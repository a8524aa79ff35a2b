import type { AnswerOf, BodyOf, Endpoint, Failure, Issue, QueryOf } from '@podium/contract/endpoint'
import { newTokenHeader, pagesHeader } from '@podium/contract/headers'
import { pending } from './pending.ts'
import { endSession, renewToken, token } from './session.ts'
import { transportDetails } from './transport-words.ts'

/** Why a call was refused or did not arrive. `message` is for people; `issues` name fields. */
export class CallError extends Error {
  readonly status: number
  readonly code: string
  readonly issues: readonly Issue[]
  /** Names the log line of an internal error. */
  readonly id?: string
  /** Seconds to wait before another try, where the server said so. */
  retryAfter?: number
  /** Tries left of a code that was wrong. */
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

type Given<E extends Endpoint> = {
  query?: QueryOf<E>
  body?: BodyOf<E>
  /** For calls that take an upload; sent as the part `file`. */
  file?: File
  /** Makes a repeated write safe: the same key is carried out once. */
  idempotencyKey?: string
  signal?: AbortSignal
  /** Called before the person is asked for a fresh proof. */
  beforeAsking?: () => void
  /** The call that ends the session: made while all others are held back. */
  leaving?: boolean
}

/** What a call gives: its own fields and the message of the envelope. */
export type Answer<E extends Endpoint> = AnswerOf<E> & { message: string }

let leave: (code: string) => void = () => undefined

/** The shell says here what happens when the server no longer knows the session, just before this page forgets it: to the root route. */
export function onSignedOut(then: (code: string) => void): void {
  leave = then
}

let ask: () => Promise<boolean> = () => Promise.resolve(false)

/** The office says here how it asks for a fresh proof of who is there; the answer is whether it was given. */
export function onUnconfirmed(then: () => Promise<boolean>): void {
  ask = then
}

/**
 * Makes a request, and makes it once more where it was refused for want of a fresh proof that was given then. Where it
 * was not given nothing was done: the refusal has no sentence, and nobody shows it.
 */
async function confirmed<T>(request: () => Promise<T>, beforeAsking?: () => void): Promise<T> {
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

/** What must be there before a refusal is told: its sentence in the language of the page. */
export function onRefused(then: () => Promise<unknown>): void {
  explain = then
}

let underWay = new AbortController()
let left: Promise<void> | undefined

/**
 * Ends the calls that are under way, and holds every other one back, until what is given back is called: a page that its
 * person leaves asks for nothing more, for after the end of the session it would ask without one.
 */
export function holdCalls(): () => void {
  let goOn = () => undefined as unknown
  left = new Promise((resolve) => {
    goOn = () => resolve()
  })
  underWay.abort()
  return () => {
    underWay = new AbortController()
    left = undefined
    goOn()
  }
}

/** Ends a call with what its caller gives, or when its page is left. */
function untilLeft(signal: AbortSignal | undefined): AbortSignal {
  const { signal: whole } = underWay
  if (!signal) return whole
  // AbortSignal.any is younger than the browsers that the portal is built for.
  const either = new AbortController()
  for (const one of [signal, whole]) one.addEventListener('abort', () => either.abort(), { once: true })
  return either.signal
}

/** The specification's sentences for failures without an envelope (section 8). */
function transportSentence(status: number, said: string): string {
  const detail = status < 500 ? said : transportDetails.fault
  if (status === 401 || status === 404) return `Not Found: ${detail}`
  if (status === 403) return `Access Denied: ${detail}`
  if (status === 500) return `Internal Server Error: ${detail}`
  return `Unknown Server Error: ${detail}`
}

function address(endpoint: Endpoint, query: unknown): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined || value === null) continue
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one))
  }
  const text = search.toString()
  const path = endpoint.path.startsWith('/') ? endpoint.path : `/api/${endpoint.path}`
  return text ? `${path}?${text}` : path
}

function payload(body: unknown, file: File | undefined): { body?: BodyInit; type?: string } {
  if (file) {
    const form = new FormData()
    form.append('file', file)
    return { body: form }
  }
  if (body === undefined) return {}
  // The specification's POST helper takes cityName out of every body.
  const { cityName: _, ...rest } = body as Record<string, unknown>
  return { body: JSON.stringify(rest), type: 'application/json' }
}

let starting = 0

/** The next task; not by a timer, which a page in the background gets late. */
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
 * The first call starts at once, those that are asked with it each in a task of its own: a page asks for ten things when it is
 * drawn, and a cheap phone would hold still until all of them are under way.
 */
function turn(): Promise<void> | undefined {
  const task = nextTask()
  if (starting++ > 0) return task
  void task.then(() => {
    starting = 0
  })
  return undefined
}

async function send<E extends Endpoint>(endpoint: E, given: Given<E>): Promise<Response> {
  const others = endpoint.method === 'GET' ? turn() : undefined
  if (others !== undefined) await others
  if (left && !given.leaving) {
    await left
    // What the parts of a page that was left have given up meanwhile is not asked.
    given.signal?.throwIfAborted()
  }
  const signal = given.leaving ? given.signal : untilLeft(given.signal)
  const { body, type } = payload(given.body, given.file)
  const brought = token()
  const headers = new Headers({ Authorization: `Bearer ${brought}`, 'X-Requested-With': 'podium' })
  if (type) headers.set('Content-Type', type)
  if (given.idempotencyKey) headers.set('Idempotency-Key', given.idempotencyKey)
  try {
    const response = await fetch(address(endpoint, given.query), {
      method: endpoint.method,
      headers,
      body: endpoint.method === 'GET' ? undefined : body,
      signal,
      cache: endpoint.keptFor > 0 ? 'default' : 'no-store',
    })
    const next = response.headers.get(newTokenHeader)
    if (next) renewToken(brought, next)
    return response
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new CallError(`Error: ${transportDetails.offline}`, 0, 'network')
  }
}

/** The refusal in an answer, envelope or not; a 401 also ends the session and goes to the root route. */
async function refusal(response: Response, read: unknown): Promise<CallError> {
  if (response.status === 401) {
    // In this order: what is typed is kept for whom it belongs to, as long as that is known.
    leave(isFailure(read) ? read.code : '')
    endSession()
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

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch {
    return undefined
  }
}

const afterWrites = new Set<() => void>()

/** Calls `then` after each write of this page that has succeeded. Gives back what ends that. */
export function onWritten(then: () => void): () => void {
  afterWrites.add(then)
  return () => void afterWrites.delete(then)
}

/**
 * Makes a call of the contract; the only fetch of the portal. Gives the answer's fields with its `message`; throws
 * CallError for `result: "error"`, for another status and for a failed connection.
 */
export async function call<E extends Endpoint>(endpoint: E, given: Given<E> = {}): Promise<Answer<E>> {
  return confirmed(async () => {
    const response = await send(endpoint, given)
    const read = await readJson(response)
    if (!response.ok || !isSuccess(read)) throw await refusal(response, read)
    if (endpoint.method !== 'GET') for (const then of afterWrites) then()
    return read as Answer<E>
  }, given.beforeAsking)
}

/** Read by hand: the families' pages do without the schema library where they can. */
function isFailure(read: unknown): read is Failure {
  return typeof read === 'object' && read !== null && 'message' in read && 'code' in read && 'result' in read
}

function isSuccess(read: unknown): boolean {
  return typeof read === 'object' && read !== null && 'result' in read && read.result === 'success'
}

/** Makes a call that answers with a file; gives its bytes, the name the server chose, and of how many pages it is one. */
export async function callFile<E extends Endpoint>(
  endpoint: E,
  given: Given<E> = {},
): Promise<{ blob: Blob; name: string; pages: number }> {
  return confirmed(async () => {
    const response = await send(endpoint, given)
    if (!response.ok || response.headers.get('Content-Type')?.startsWith('application/json')) {
      throw await refusal(response, await readJson(response))
    }
    const { headers } = response
    const pages = Number(headers.get(pagesHeader) ?? 1)
    return { blob: await response.blob(), name: fileName(headers.get('Content-Disposition')), pages }
  }, given.beforeAsking)
}

function fileName(disposition: string | null): string {
  const encoded = disposition?.match(/filename\*=UTF-8''([^;]+)/i)?.[1]
  if (encoded) return decodeURIComponent(encoded)
  return disposition?.match(/filename="?([^";]+)"?/i)?.[1] ?? 'podium'
}
