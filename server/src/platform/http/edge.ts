import { randomUUID } from 'node:crypto'
import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse, STATUS_CODES } from 'node:http'
import { Socket } from 'node:net'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import { type Failure, usualBodyLimit } from '@podium/contract/endpoint'
import { type ErrorCode, sentenceOf } from '@podium/contract/errors'
import { formatSentence } from '@podium/contract/sentences'
import Fastify, {
  type ConnectionError,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import helmet from 'helmet'
import { watchRefusals } from '../auth/security-events.ts'
import { isDatabaseUnavailable } from '../db/database-fault.ts'
import type { Deps } from '../deps.ts'
import { Refusal, StoreFault } from '../errors.ts'
import { countRequests } from '../telemetry/metrics.ts'

/**
 * PostgreSQL's transient errors: lock and statement timeouts, deadlock, too many connections; and a statement planned
 * before a migration, which can't be retried inside a transaction (db/database.ts).
 */
const databaseBusy = new Set([
  ...['55P03', '57014', '40P01', '40001', '53300', '25P03'],
  ...['0A000', '26000'],
])

/** Values that PostgreSQL can't store: a NUL in a text or document, a number too large for its column. */
const databaseImpossible = new Set(['22021', '22P05', '22003'])

/** Raised by our own triggers. PD001: the school was merged while something was being written for it. */
const databaseOwn: Readonly<Record<string, ErrorCode>> = { PD001: 'schools.merged' }

function codeOf(error: FastifyError): ErrorCode {
  const ownCode = databaseOwn[error.code]
  if (ownCode !== undefined) return ownCode
  if (databaseBusy.has(error.code)) return 'busy'
  if (databaseImpossible.has(error.code)) return 'request.malformed'
  if (error.statusCode === 413 || error.code === 'FST_REQ_FILE_TOO_LARGE') return 'request.too_large'
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
    return 'request.malformed'
  return 'internal'
}

function send(reply: FastifyReply, status: number, failure: Failure & Record<string, unknown>): FastifyReply {
  return reply
    .code(status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(failure))
}

function refuse(reply: FastifyReply, refusal: Refusal): FastifyReply {
  reply.request.refusal = refusal.code
  if (refusal.retryAfter !== undefined) reply.header('retry-after', String(refusal.retryAfter))
  return send(reply, refusal.status, {
    ...refusal.fields,
    result: 'error',
    message: refusal.message,
    code: refusal.code,
    ...(refusal.issues ? { issues: refusal.issues } : {}),
  })
}

function answerError(
  error: FastifyError | Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (error instanceof Refusal) return refuse(reply, error)
  if ((error as Error) instanceof StoreFault) {
    request.log.error({ err: error, route: request.routeOptions.url }, 'store')
    return refuse(reply, new Refusal('file.store_away', { retryAfter: 10 }))
  }
  if (error.code === 'ERR_STREAM_PREMATURE_CLOSE' && reply.raw.destroyed) {
    // Nobody reads the answer, and nothing is wrong with us.
    request.log.info({ route: request.routeOptions.url }, 'the caller has left')
    return reply.code(499).send()
  }
  const code = codeOf(error)
  if (code === 'internal' && isDatabaseUnavailable(error)) {
    request.log.error({ err: error, route: request.routeOptions.url }, 'the database is away')
    return refuse(reply, new Refusal('database_away', { retryAfter: 5 }))
  }
  // May also be a sum of our own that grew too large: logged for investigation, but not treated as a fault.
  if (databaseImpossible.has(error.code))
    request.log.warn({ err: error, route: request.routeOptions.url }, 'refused by the database')
  if (code === 'busy')
    request.log.warn({ err: error, route: request.routeOptions.url }, 'the database took too long')
  if (code !== 'internal') return refuse(reply, new Refusal(code, code === 'busy' ? { retryAfter: 2 } : {}))
  request.log.error({ err: error, route: request.routeOptions.url }, 'fault')
  return send(reply, 500, {
    result: 'error',
    code,
    id: request.id,
    message: formatSentence('withReference', { sentence: sentenceOf(code), id: request.id }),
  })
}

/** Answers every refusal and fault in the envelope; a fault with an id to look up in the log, never with internals. */
function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler(answerError)
}

/**
 * Refuses an address that can't be parsed. It passes no hooks, so this sets its own headers; the address is not
 * repeated.
 */
function answerBadAddress(_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id).header('cache-control', 'no-store')
  reply.header('x-content-type-options', 'nosniff')
  refuse(reply, new Refusal('request.malformed'))
}

/**
 * Refuses, in the envelope, what Node could not read as a request (headers too large or too slow, or not HTTP), and
 * closes the connection.
 */
function answerBadConnection(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW'
  const tooSlow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  const status = tooLarge ? 431 : tooSlow ? 408 : 400
  const code: ErrorCode = tooLarge ? 'request.too_large' : 'request.malformed'
  const failure: Failure = { result: 'error', message: sentenceOf(code), code }
  const body = JSON.stringify(failure)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    'connection: close',
  ]
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.destroy(error)
}

/** Where a page may load from and send to: only this server. Data URLs are for QR codes and previews. */
const contentSecurity = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'", 'data:', 'blob:'],
    fontSrc: ["'self'"],
    connectSrc: ["'self'"],
    frameSrc: ["'self'", 'blob:'],
    manifestSrc: ["'self'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
    baseUri: ["'none'"],
    // No text may become markup or code, and no policy may be created that allows it: neither our code nor the
    // libraries need one.
    requireTrustedTypesFor: ["'script'"],
    trustedTypes: ["'none'"],
  },
}

/** Browser features that no page of the portal, nor anything embedded in one, needs. */
const unneeded = [
  'accelerometer',
  'autoplay',
  'browsing-topics',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
]
const permissionsPolicy = unneeded.map((name) => `${name}=()`).join(', ')

/** How long a call without a file may take to arrive. */
const usualSeconds = 8
/** The slowest connection on which a file still arrives: a phone in a village, 256 kbit/s. */
const slowestBytesPerSecond = 32 * 1024
/** The time limit for any call, in milliseconds. */
const longestUpload = 15 * 60_000
/** How long nothing may move on a connection, in milliseconds: longer than any call works before it answers. */
const longestStill = 2 * 60_000

/**
 * Disconnects a client whose body takes longer than its call allows: 8 s, plus more the larger the file may be. Once a
 * stranger is answered, who may not send the file at all, the rest has 8 s.
 */
function cutSlowBodies(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const { raw } = request
    if (raw.headers['content-length'] === '0') return
    if (raw.headers['content-length'] === undefined && raw.headers['transfer-encoding'] === undefined) return
    const limit = request.routeOptions.bodyLimit ?? usualBodyLimit
    const forFile = limit > usualBodyLimit ? limit / slowestBytesPerSecond : 0
    const cutAfter = (ms: number) => setTimeout(() => raw.destroy(), ms).unref()
    let timer = cutAfter(Math.min((usualSeconds + forFile) * 1000, longestUpload))
    const arrived = () => clearTimeout(timer)
    raw.once('end', arrived).once('close', arrived)
    reply.raw.once('finish', () => {
      if (raw.complete || request.who !== '') return
      arrived()
      timer = cutAfter(usualSeconds * 1000)
    })
  })
}

/** Asked by machines every few seconds: a line for each would hide the others. */
const asksOfMachines = new Set(['/healthz', '/readyz', '/metrics'])

function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    // The route's pattern, never the address: queries contain names, codes and e-mails
    const route = request.routeOptions.url ?? 'unknown'
    const usual = asksOfMachines.has(route) && reply.statusCode < 400
    request.log[usual ? 'debug' : 'info'](
      {
        method: request.method,
        route,
        status: reply.statusCode,
        ...(request.refusal && { refusal: request.refusal }),
        caller: request.caller,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    )
  })
}

/** Returns the headers that make a browser careful. They never change, so helmet writes them once, not for each answer. */
function securityHeaders({ publicUrl }: Deps['settings']): OutgoingHttpHeaders {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  const write = helmet({
    contentSecurityPolicy: contentSecurity,
    strictTransportSecurity: publicUrl.startsWith('https:')
      ? { maxAge: 63_072_000, includeSubDomains: true }
      : false,
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
  })
  write(request, response, () => undefined)
  return response.getHeaders()
}

/**
 * Builds the HTTP edge that every request passes: ids, limits of size and time, headers, cookies, envelopes for errors,
 * a log line without personal data. Paths match case-insensitively; GET routes don't answer HEAD.
 */
export async function buildEdge(
  deps: Pick<Deps, 'settings' | 'log' | 'db' | 'database' | 'reads' | 'clock' | 'security' | 'alarm'>,
): Promise<FastifyInstance> {
  const { settings } = deps
  const app = Fastify({
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    exposeHeadRoutes: false,
    frameworkErrors: answerBadAddress,
    clientErrorHandler: answerBadConnection,
    trustProxy: settings.trustProxy.length > 0 ? settings.trustProxy : false,
    requestTimeout: longestUpload,
    // Also ends a client that does not read its answer
    connectionTimeout: longestStill,
    keepAliveTimeout: 20_000,
    bodyLimit: usualBodyLimit,
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, querystringParser: parseQuery },
    forceCloseConnections: 'idle',
    http: { headersTimeout: 5_000, connectionsCheckingInterval: 1_000, maxHeaderSize: 16 * 1024 },
    return503OnClosing: true,
  }) as unknown as FastifyInstance
  app.decorateRequest('caller', 'anonymous')
  app.decorateRequest('who', '')
  app.decorateRequest('refusal', undefined)
  followHandlers(app)
  answerErrors(app)
  logRequests(app)
  countRequests(app, deps)
  watchRefusals(app, deps)
  const headers = securityHeaders(settings)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers)
    reply.header('x-request-id', request.id)
    reply.header('cache-control', 'no-store')
    reply.header('permissions-policy', permissionsPolicy)
    // Calls are for programs, not search engines; pages set their own header (pages.ts).
    if (/^\/(api|metrics|healthz|readyz)\b/i.test(request.url))
      reply.header('x-robots-tag', 'noindex, nofollow')
  })
  cutSlowBodies(app)
  await app.register(cookie)
  await app.register(multipart, { throwFileSizeLimit: true })
  await app.register(compress, {
    global: true,
    globalDecompression: false,
    threshold: 1_024,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { 1: 4 } },
  })
  return app
}

/** Parses query values as text; a repeated name becomes a list, which the schemas refuse. */
function parseQuery(text: string): Record<string, unknown> {
  const query: Record<string, unknown> = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) {
    const before = query[name]
    query[name] = before === undefined ? value : Array.isArray(before) ? [...before, value] : [before, value]
  }
  return query
}

const calls = new WeakMap<FastifyInstance, Set<Promise<unknown>>>()

/** Tracks the running handlers of an app; call it before its routes are declared. */
function followHandlers(app: FastifyInstance): void {
  const inflight = new Set<Promise<unknown>>()
  calls.set(app, inflight)
  app.addHook('onRoute', (route) => {
    const { handler } = route
    route.handler = function (request, reply) {
      const answer: unknown = handler.call(this, request, reply)
      if (!(answer instanceof Promise)) return answer
      inflight.add(answer)
      const remove = () => inflight.delete(answer)
      answer.then(remove, remove)
      return answer
    }
  })
}

/**
 * Resolves when no handler of a closed app is running. A closing server waits only for its connections: the handler of
 * a client that has disconnected still uses the database, which must not be closed under it.
 */
export async function drainHandlers(app: FastifyInstance): Promise<void> {
  await Promise.allSettled(calls.get(app) ?? [])
}

/**
 * Closes an app after finishing what it has begun. A connection whose answer ends during the close would be kept alive,
 * and Node would wait until it times out.
 */
export async function closeApp(app: FastifyInstance): Promise<void> {
  const forgetIdle = setInterval(() => app.server.closeIdleConnections(), 50)
  await app.close().finally(() => clearInterval(forgetIdle))
  await drainHandlers(app)
}
