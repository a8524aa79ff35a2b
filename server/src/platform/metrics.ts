import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { Refusal } from './errors.ts'
import { sameHash, tokenHash } from './secrets.ts'
import type { Settings } from './settings.ts'

/** In constant time, whatever their lengths. */
const sameText = (one: string, other: string) => sameHash(tokenHash(one), tokenHash(other))

/**
 * Counts requests and their time by route pattern and status, and serves them at /metrics with the process's own figures:
 * to whoever brings the token, to nobody in production without one, else to everybody (a developer's machine).
 */
export function countRequests(
  app: FastifyInstance,
  { metricsToken, production }: Pick<Settings, 'metricsToken' | 'production'>,
): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const labelNames = ['method', 'route', 'status'] as const
  const requests = new Counter({
    name: 'podium_requests_total',
    help: 'Requests answered',
    labelNames,
    registers: [registry],
  })
  const seconds = new Histogram({
    name: 'podium_request_seconds',
    help: 'Time from request to answer',
    labelNames: ['route'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.3, 1, 3, 10],
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    requests.inc({ method: request.method, route, status: String(reply.statusCode) })
    seconds.observe({ route }, reply.elapsedTime / 1000)
  })
  app.get('/metrics', async (request, reply) => {
    const brought = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    const open = metricsToken === undefined ? !production : sameText(brought, metricsToken)
    // As if it were not there: what does not know the token learns nothing.
    if (!open) throw new Refusal('not_found')
    return reply.header('content-type', registry.contentType).send(await registry.metrics())
  })
}
