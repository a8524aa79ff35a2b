import { randomUUID } from 'node:crypto'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { watchRefusals } from '../auth/security-events.ts'
import type { Deps } from '../deps.ts'
import { followHandlers } from '../inflight.ts'
import { countRequests } from '../telemetry/metrics.ts'
import { answerBadAddress, answerBadConnection, answerErrors } from './error-answers.ts'

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
