import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { type AnswerOf, type Endpoint, uploadsFile, usualBodyLimit } from '@podium/contract/endpoint'
import { newTokenHeader, pagesHeader } from '@podium/contract/headers'
import { formatDay, istDay, istTime } from '@podium/contract/season'
import fastJson from 'fast-json-stringify'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import { bearerToken, type Door, enter, type ScopeOf } from '../auth/gate.ts'
import { refuseActing, refuseStaff, refuseUnconfirmed } from '../auth/policy.ts'
import { requireOwnSchool } from '../auth/scope.ts'
import { tokenHash } from '../auth/secrets.ts'
import type { Tx } from '../db/database.ts'
import type { Deps } from '../deps.ts'
import { Refusal } from '../errors.ts'
import type { FileStore } from '../files/files.ts'
import { fromDataUrl } from '../files/files-accept.ts'
import { needsWake } from '../jobs/worker.ts'
import { idempotent } from './idempotency.ts'
import {
  callerId,
  callerKind,
  foldNames,
  noFile,
  officerOf,
  parseInput,
  readUpload,
  receiveUpload,
  refuseForeignSite,
  type UploadedFile,
} from './input.ts'
import { countSentFile } from './limits.ts'
import { answerSchema, dataSchema, type ServedRoute } from './openapi.ts'
import { sourceOf } from './source.ts'

/** What a handler may know about the request besides its input. */
export interface RequestFacts {
  /** The request's id, also in the log and in the answer's x-request-id */
  id: string
  /** The source address, for limits */
  source: string
  agent: string
  /** The client's key prefixed with the call's path, so that a key is never shared between calls */
  idempotencyKey: string | undefined
  /** The bearer token as sent, valid or not; the scope says whose it is */
  token: string | undefined
  cookie(name: string): string | undefined
  /** Sets a cookie that scripts can't read; seconds 0 removes it. */
  setCookie(name: string, value: string, seconds: number): void
}

/** A file as an answer: sent as an attachment with this name, or displayed if `inline`; `pages` is its page count. */
export interface FileAnswer {
  file: { name: string; mediaType: string; content: Buffer | Readable; inline?: boolean; pages?: number }
}

export interface Call<E extends Endpoint, D extends Door> {
  scope: ScopeOf<D>
  query: z.output<E['query']>
  body: z.output<E['body']>
  now: Date
  request: RequestFacts
  /** The uploaded file, if the call takes one */
  upload: UploadedFile
}

/** A list already serialised as JSON, by a serialiser of the contract. */
export class SerializedJson {
  readonly json: string
  constructor(json: string) {
    this.json = json
  }
}

/** A call without answer fields may still return a message. */
type Fields<E extends Endpoint> = AnswerOf<E> extends Record<string, never> ? object : AnswerOf<E>
/** Zod's JSON Schema fits fast-json-stringify, which has its own type for it. */
const stringifierBy = (schema: unknown) => fastJson(schema as Parameters<typeof fastJson>[0])

/** Serialises the list in an endpoint's `data` with the contract's serialiser; `shape` is a hash of its schema. */
export function listWriter<Row>({ answer }: Endpoint): {
  write(rows: readonly Row[]): SerializedJson
  shape(): string
} {
  const schema = once(() => dataSchema(answer))
  const stringify = once(() => stringifierBy(schema()))
  const shape = once(() => tokenHash(JSON.stringify(schema())))
  return { write: (rows) => new SerializedJson(stringify()(rows)), shape }
}

type MayBeWritten<Answer> = Answer extends { data: infer Data }
  ? Omit<Answer, 'data'> & { data: Data | SerializedJson }
  : Answer
type Answer<E extends Endpoint> = MayBeWritten<Fields<E>> & { message?: string }
/** Returns the answer's fields, with a `message` if the specification has one; or a file. */
export type Handle<E extends Endpoint, D extends Door> = (call: Call<E, D>) => Promise<Answer<E> | FileAnswer>

/**
 * Decides from the database whether an upload may proceed, before any of the file is read. Refuses, or returns the
 * earlier answer of a repeated request.
 */
type Guard<E extends Endpoint, D extends Door> = (
  call: Omit<Call<E, D>, 'upload'>,
) => Promise<Answer<E> | undefined>

/** The guard of an upload that only its permission and its limit restrict. */
export const noGuard = async (): Promise<undefined> => undefined

interface ServeOptions<E extends Endpoint, D extends Door> {
  /** Required for a call with a file: without it the server does not start. */
  guard?: Guard<E, D>
}

const routesOf = new WeakMap<FastifyInstance, ServedRoute[]>()

/** Returns all calls that an app serves, with their doors: the source of the OpenAPI page and the table of doors. */
export function servedRoutes(app: FastifyInstance): ServedRoute[] {
  let routes = routesOf.get(app)
  if (!routes) {
    routes = []
    routesOf.set(app, routes)
  }
  return routes
}

function factsOf(request: FastifyRequest, reply: FastifyReply, path: string, secure: boolean): RequestFacts {
  const key = request.headers['idempotency-key']
  return {
    id: request.id,
    source: sourceOf(request.ip),
    agent: request.headers['user-agent'] ?? '',
    idempotencyKey:
      typeof key === 'string' && /^[\x21-\x7e]{8,100}$/.test(key) ? `${path} ${key}` : undefined,
    token: bearerToken(request.headers.authorization),
    cookie: (name) => request.cookies[name],
    setCookie: (name, value, seconds) => {
      reply.setCookie(name, value, { httpOnly: true, sameSite: 'lax', secure, path: '/', maxAge: seconds })
    },
  }
}

/** How many files and large bodies of one caller may arrive at once: each is in memory until its call ends. */
const maxArriving = 10
const arriving = new Map<string, number>()

/** Counts a call among its caller's until it has been answered, or refuses it as `busy`. */
function takePlace(who: string, { raw }: FastifyReply): void {
  const others = arriving.get(who) ?? 0
  if (others >= maxArriving) throw new Refusal('busy', { retryAfter: 5 })
  // The client has disconnected meanwhile.
  if (raw.closed) return
  arriving.set(who, others + 1)
  raw.once('close', () => {
    const left = (arriving.get(who) ?? 1) - 1
    if (left > 0) arriving.set(who, left)
    else arriving.delete(who)
  })
}

/** Passes a session's new token to its client. */
const renewOn = (reply: FastifyReply) => (token: string) => void reply.header(newTokenHeader, token)

const lists = /^(?:text\/csv|application\/vnd\.openxmlformats-officedocument\.spreadsheetml)/

/**
 * Adds the officer's name and the time to the file name of a downloaded list, so that a leaked list shows whose it was
 * (docs/security.md, T20).
 */
function withDownloadMark({ file }: FileAnswer, by: string, now: Date): FileAnswer {
  if (!lists.test(file.mediaType)) return { file }
  const when = `${formatDay(istDay(now))} ${istTime(now).replace(':', '.')}`
  return { file: { ...file, name: file.name.replace(/(\.\w+)$/, `, ${by}, ${when}$1`) } }
}

async function sendFile(reply: FastifyReply, { file }: FileAnswer): Promise<FastifyReply> {
  const plain = file.name.replace(/[^\x20-\x7e]|["\\]/g, '_')
  if (file.pages !== undefined) reply.header(pagesHeader, file.pages)
  const kind = file.inline ? 'inline' : 'attachment'
  return reply
    .header('content-type', file.mediaType)
    .header(
      'content-disposition',
      `${kind}; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(file.name)}`,
    )
    .header('content-security-policy', "sandbox; default-src 'none'; style-src 'unsafe-inline'")
    .send(file.content)
}

/**
 * Serves one call of the contract: authenticate, authorise, parse, handle, answer. A school that the input names must be
 * the session's. An upload is counted before any of the file is read, and its guard asked, unless the file is part of a
 * JSON body. The answer passes a serialiser compiled from the contract, so an undeclared column can't leak. Refusals and
 * faults become envelopes in edge.ts.
 */
export function serve<E extends Endpoint, D extends Door>(
  app: FastifyInstance,
  deps: Deps,
  endpoint: E,
  door: D,
  handle: Handle<E, D>,
  { guard }: ServeOptions<E, D> = {},
): void {
  if (endpoint.cacheSeconds > 0 && door !== 'public')
    throw new Error(`${endpoint.path} answers not everybody alike`)
  if (uploadsFile(endpoint) !== (guard !== undefined))
    throw new Error(`${endpoint.path} brings a file and has no guard, or the other way round`)
  servedRoutes(app).push({ endpoint, door })
  const secure = deps.settings.publicUrl.startsWith('https:')
  // A large JSON body is in memory before the handler runs, so its sender is checked before it is read.
  const bodyFirst = door !== 'public' && !endpoint.upload && endpoint.bodyLimit > usualBodyLimit
  const admit = async (request: FastifyRequest, reply: FastifyReply, now: Date): Promise<ScopeOf<D>> => {
    refuseForeignSite(request, deps.settings.publicUrl)
    const scope = await enter(deps, now, door, request.headers.authorization, renewOn(reply))
    request.caller = callerKind(scope)
    request.who = callerId(scope)
    refuseActing(scope, endpoint)
    refuseStaff(scope, endpoint)
    refuseUnconfirmed(scope, endpoint, now)
    if (guard || bodyFirst) takePlace(request.who, reply)
    if (guard) await countSentFile(deps.limits, scope, endpoint.largeUpload)
    return scope
  }
  const admitted = new WeakMap<FastifyRequest, ScopeOf<D>>()
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    bodyLimit: endpoint.bodyLimit,
    ...(bodyFirst && {
      onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
        admitted.set(request, await admit(request, reply, deps.clock()))
      },
    }),
    handler: async (request, reply) => {
      const now = deps.clock()
      const answerTo = async (scope: ScopeOf<D>) => {
        const { query, body } = parseInput(endpoint, namesOf(endpoint), request)
        for (const input of [query, body]) requireOwnSchool(scope, Object(input))
        const about = factsOf(request, reply, endpoint.path, secure)
        const call = { scope, query, body, now, request: about } as Omit<Call<E, D>, 'upload'>
        const earlier = await guard?.(call)
        if (earlier) return earlier
        const upload = await receiveFile(endpoint, body, request, deps.files)
        const { path } = upload.received
        const handled = async () => {
          // Its sender may have lost access while a file or a large body arrived, which takes up to minutes.
          if (guard || bodyFirst)
            await enter(deps, deps.clock(), door, request.headers.authorization, renewOn(reply))
          return handle({ ...call, upload } as Call<E, D>)
        }
        const answer = handled()
        return path === '' ? answer : answer.finally(() => rm(path, { force: true }))
      }
      const scope = admitted.get(request) ?? (await admit(request, reply, now))
      const answer = await answerTo(scope)
      if (isFile(answer)) {
        const officer = officerOf(scope)
        // The office looks at one proof after the other, but in a school's portal every file counts: lists of students, too.
        const isExport = endpoint.method === 'POST' || scope?.kind === 'school'
        if (!officer || !isExport) return sendFile(reply, answer)
        await deps.alarm('files-of-officer', request.who)
        return sendFile(reply, withDownloadMark(answer, officer.name, now))
      }
      const json = serialise(stringifierOf(endpoint), { result: 'success', message: '', ...answer })
      if (endpoint.cacheSeconds > 0 && allowCaching(endpoint, json, request, reply))
        return reply.code(304).send()
      return reply.header('content-type', 'application/json; charset=utf-8').send(json)
    },
  })
}

/** The result of a write: the answer's fields or, for a call without any, a message if the specification has one. */
type WriteResult<E extends Endpoint> =
  Record<string, never> extends Answer<E> ? { message?: string; file?: never } : Answer<E>

interface WriteOptions<E extends Endpoint, D extends Door> {
  /** Counts the call (limits.ts): before the transaction, because limits have connections of their own. */
  count?: (call: Call<E, D>) => Promise<unknown>
  /** Answers with a secret or a child's contacts, which are not stored with a key: each repetition is a call of its own. */
  confidential?: boolean
}

/**
 * Serves a call that writes: runs `handle` in one transaction. Mails and jobs that it has added are started after the
 * commit. It is written once per Idempotency-Key: sent again after its answer was lost, the caller's own change would be
 * refused as another user's, or made twice.
 */
export function write<E extends Endpoint, D extends Door>(
  app: FastifyInstance,
  deps: Deps,
  endpoint: E,
  door: D,
  handle: (tx: Tx, call: Call<E, D>) => Promise<void> | Promise<WriteResult<E> | FileAnswer>,
  { count, confidential = false }: WriteOptions<E, D> = {},
): void {
  const once = endpoint.answers === 'json' && !confidential
  serve(app, deps, endpoint, door, async (call) => {
    await count?.(call)
    let woken = false
    const answer = await deps.db.transaction().execute(async (tx) => {
      const run = async (): Promise<object> => Object(await handle(tx, call))
      const result = await (once ? idempotent(tx, call, run) : run())
      woken = needsWake(tx)
      return result
    })
    if (woken) deps.wake()
    return answer as Answer<E> | FileAnswer
  })
}

/** Serves a call that writes by a command that takes just its body. */
export function command<E extends Endpoint, D extends Door>(
  app: FastifyInstance,
  deps: Deps,
  endpoint: E,
  door: D,
  run: (
    tx: Tx,
    scope: ScopeOf<D>,
    now: Date,
    body: z.output<E['body']>,
  ) => ReturnType<Parameters<typeof write<E, D>>[4]>,
): void {
  write(app, deps, endpoint, door, (tx, { scope, body, now }) => run(tx, scope, now, body))
}

/** Lets the client cache an answer, and returns whether it already has this one. */
function allowCaching(
  { cacheSeconds }: Endpoint,
  json: string,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  // Weak, because the answer is sent in several encodings.
  const tag = `W/"${tokenHash(json).slice(0, 22)}"`
  reply.header('cache-control', `public, max-age=${cacheSeconds}`).header('etag', tag)
  return request.headers['if-none-match'] === tag
}

/**
 * Computes a value on an endpoint's first call and shares it between all servers of a process: most servers only ever
 * get a few different calls.
 */
function perEndpoint<Made>(make: (endpoint: Endpoint) => Made): (endpoint: Endpoint) => Made {
  const cache = new WeakMap<Endpoint, { made: Made }>()
  return (endpoint) => {
    const cached = cache.get(endpoint) ?? { made: make(endpoint) }
    cache.set(endpoint, cached)
    return cached.made
  }
}

const namesOf = perEndpoint(foldNames)
const stringifierOf = perEndpoint((endpoint) => stringifierBy(answerSchema(endpoint)))

/** Inserts an already serialised list in place of an empty one; inside texts the quotes would be escaped. */
function serialise(stringify: (answer: object) => string, answer: object): string {
  if (!('data' in answer && answer.data instanceof SerializedJson)) return stringify(answer)
  const { json } = answer.data
  return stringify({ ...answer, data: [] }).replace('"data":[]', () => `"data":${json}`)
}

function once<Made>(make: () => Made): () => Made {
  let cached: { value: Made } | undefined
  return () => {
    cached ??= { value: make() }
    return cached.value
  }
}

function isFile(answer: object): answer is FileAnswer {
  return 'file' in answer && typeof answer.file === 'object'
}

async function receiveFile(
  { upload, largeUpload, fileField, bodyLimit }: Endpoint,
  body: unknown,
  request: FastifyRequest,
  files: FileStore,
): Promise<UploadedFile> {
  if (fileField !== '') {
    const dataUrl: unknown = Object.getOwnPropertyDescriptor(body, fileField)?.value
    // Where the schema allows it, a stored file is meant.
    if (dataUrl === '') return noFile
    return { ...noFile, bytes: fromDataUrl(String(dataUrl)) }
  }
  if (!upload) return noFile
  return largeUpload ? receiveUpload(request, files, bodyLimit) : readUpload(request, bodyLimit)
}
