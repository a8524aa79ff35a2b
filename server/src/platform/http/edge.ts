import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import type { Failure } from '@podium/contract/endpoint'
import { type ErrorCode, sentenceOf } from '@podium/contract/errors'
import { said } from '@podium/contract/sentences'
import Fastify, {
  type ConnectionError,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { watchRefusals } from '../auth/security-events.ts'
import { databaseAway } from '../db/database-fault.ts'
import type { Deps } from '../deps.ts'
import { Refusal, StoreFault } from '../errors.ts'
import { countRequests } from '../telemetry/metrics.ts'

/**
 * PostgreSQL's own «not now»: lock and statement time-outs, deadlock, too many connections; and a statement that was planned
 * before a migration, inside a transaction, which can't ask it anew (db/database.ts).
 */
const databaseBusy = new Set([
  ...['55P03', '57014', '40P01', '40001', '53300', '25P03'],
  ...['0A000', '26000'],
])

/** What no database keeps, whoever sent it: a NUL in a text or a document, a number beyond its column. */
const databaseImpossible = new Set(['22021', '22P05', '22003'])

/** Our own triggers. PD001: the school was merged while something was being written for it. */
const databaseOwn: Readonly<Record<string, ErrorCode>> = { PD001: 'schools.merged' }

function codeOf(error: FastifyError): ErrorCode {
  const own = databaseOwn[error.code]
  if (own !== undefined) return own
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
  const code = codeOf(error)
  if (code === 'internal' && databaseAway(error)) {
    request.log.error({ err: error, route: request.routeOptions.url }, 'the database is away')
    return refuse(reply, new Refusal('database_away', { retryAfter: 5 }))
  }
  // May be a sum of ours that grew too large: looked after, but no fault until it proves to be one.
  if (databaseImpossible.has(error.code))
    request.log.warn({ err: error, route: request.routeOptions.url }, 'refused by the database')
  if (code !== 'internal') return refuse(reply, new Refusal(code, code === 'busy' ? { retryAfter: 2 } : {}))
  request.log.error({ err: error, route: request.routeOptions.url }, 'fault')
  return send(reply, 500, {
    result: 'error',
    code,
    id: request.id,
    message: said('withReference', { sentence: sentenceOf(code), id: request.id }),
  })
}

/** Every refusal and every fault leaves in the envelope; a fault with an id to look up in the log, never with internals. */
function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler(answerError)
}

/** An address that can't even be looked up passes no hook: its refusal brings its own headers, and does not repeat it. */
function answerBadAddress(_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id).header('cache-control', 'no-store')
  reply.header('x-content-type-options', 'nosniff')
  refuse(reply, new Refusal('request.malformed'))
}

/**
 * What Node could not read as a request at all (a head that is too large, too slow or no HTTP) is refused in the envelope
 * too, and its connection ends.
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

const usualBodyLimit = 256 * 1024

/** Where a page may load from and send to: this server alone. Data URLs are for QR codes and previews. */
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
    // No text becomes markup or code, and no policy may be made that would let it: nothing of ours or of the libraries needs one.
    requireTrustedTypesFor: ["'script'"],
    trustedTypes: ["'none'"],
  },
}

/** What no page of the portal needs, nor anything shown in one. */
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

/** A call may take so long to arrive. */
const usualSeconds = 8
/** The slowest line on which a file still arrives: a phone in a village, 256 kbit/s. */
const slowestBytesPerSecond = 32 * 1024
/** No call at all may take longer, in milliseconds. */
const longestUpload = 15 * 60_000

/** Cuts off a caller whose body takes longer than its call allows: 8 s, and more the larger the file may be. */
function cutSlowBodies(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    const { raw } = request
    if (raw.headers['content-length'] === '0') return
    if (raw.headers['content-length'] === undefined && raw.headers['transfer-encoding'] === undefined) return
    const limit = request.routeOptions.bodyLimit ?? usualBodyLimit
    const forFile = limit > usualBodyLimit ? limit / slowestBytesPerSecond : 0
    const timer = setTimeout(() => raw.destroy(), Math.min((usualSeconds + forFile) * 1000, longestUpload))
    timer.unref()
    const arrived = () => clearTimeout(timer)
    raw.once('end', arrived).once('close', arrived)
  })
}

function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    // The route's pattern, never the address: queries carry names, codes and e-mails
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        caller: request.caller,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    )
  })
}

/**
 * The edge that every request passes: ids, limits of size and time, headers, cookies, envelopes for errors, a log line
 * without personal data. Paths match without regard to case; GET routes answer no HEAD.
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
    keepAliveTimeout: 20_000,
    bodyLimit: usualBodyLimit,
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, querystringParser: parseQuery },
    forceCloseConnections: 'idle',
    http: { headersTimeout: 5_000, connectionsCheckingInterval: 1_000, maxHeaderSize: 16 * 1024 },
    return503OnClosing: true,
  }) as unknown as FastifyInstance
  app.decorateRequest('caller', 'anonymous')
  app.decorateRequest('who', '')
  followHandlers(app)
  answerErrors(app)
  logRequests(app)
  countRequests(app, deps)
  watchRefusals(app, deps)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    reply.header('cache-control', 'no-store')
    reply.header('permissions-policy', permissionsPolicy)
    // Calls answer programs, not searchers; what a page shows has its own say (pages.ts).
    if (/^\/(api|metrics|healthz|readyz)\b/i.test(request.url))
      reply.header('x-robots-tag', 'noindex, nofollow')
  })
  cutSlowBodies(app)
  await app.register(helmet, {
    contentSecurityPolicy: contentSecurity,
    strictTransportSecurity: settings.publicUrl.startsWith('https:')
      ? { maxAge: 63_072_000, includeSubDomains: true }
      : false,
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
  })
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

/** Query values as text; a name that comes twice stays a list, which the schemas refuse. */
function parseQuery(text: string): Record<string, unknown> {
  const query: Record<string, unknown> = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) {
    const before = query[name]
    query[name] = before === undefined ? value : Array.isArray(before) ? [...before, value] : [before, value]
  }
  return query
}

const calls = new WeakMap<FastifyInstance, Set<Promise<unknown>>>()

/** Knows from now on which handlers of an app are at work; its routes are declared after this. */
function followHandlers(app: FastifyInstance): void {
  const underWay = new Set<Promise<unknown>>()
  calls.set(app, underWay)
  app.addHook('onRoute', (route) => {
    const { handler } = route
    route.handler = function (request, reply) {
      const answer: unknown = handler.call(this, request, reply)
      if (!(answer instanceof Promise)) return answer
      underWay.add(answer)
      const gone = () => underWay.delete(answer)
      answer.then(gone, gone)
      return answer
    }
  })
}

/**
 * Resolves when no handler of a closed app is at work. A server that closes waits for its connections only: the handler
 * of a caller who has hung up is still at the database, which must not be taken away under it.
 */
export async function drainHandlers(app: FastifyInstance): Promise<void> {
  await Promise.allSettled(calls.get(app) ?? [])
}

/**
 * Closes an app: what it has begun is finished. A connection whose answer ends after that is kept for a next call like any
 * other, and Node would wait for it until it is too old.
 */
export async function closeApp(app: FastifyInstance): Promise<void> {
  const forgetIdle = setInterval(() => app.server.closeIdleConnections(), 50)
  await app.close().finally(() => clearInterval(forgetIdle))
  await drainHandlers(app)
}
