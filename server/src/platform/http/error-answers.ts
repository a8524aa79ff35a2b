import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Failure } from '@podium/contract/envelope'
import { type ErrorCode, sentenceOf } from '@podium/contract/errors'
import { said } from '@podium/contract/sentences'
import type { ConnectionError, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { databaseAway } from '../db/database-fault.ts'
import { Refusal, StoreFault } from '../errors.ts'

/**
 * PostgreSQL's own «not now»: lock and statement time-outs, deadlock, too many connections; and a statement that was planned
 * before a migration, inside a transaction, which can't ask it anew (database-statements.ts).
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
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler(answerError)
}

/** An address that can't even be looked up passes no hook: its refusal brings its own headers, and does not repeat it. */
export function answerBadAddress(_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id).header('cache-control', 'no-store')
  reply.header('x-content-type-options', 'nosniff')
  refuse(reply, new Refusal('request.malformed'))
}

/**
 * What Node could not read as a request at all (a head that is too large, too slow or no HTTP) is refused in the envelope
 * too, and its connection ends.
 */
export function answerBadConnection(error: ConnectionError, socket: Socket): void {
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
