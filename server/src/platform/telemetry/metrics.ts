import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { sameHash, tokenHash } from '../auth/secrets.ts'
import type { Deps } from '../deps.ts'
import { Refusal } from '../errors.ts'
import { lookedAt, processesStarted } from '../files/sandbox.ts'
import { gaugeProduct } from './gauges.ts'

/** In constant time, whatever their lengths. */
const sameText = (one: string, other: string) => sameHash(tokenHash(one), tokenHash(other))

/** Refusals that say that somebody could not prove who he is, by the door where it was tried. */
const signInFailures: Readonly<Record<string, string>> = {
  'account.wrong_sign_in': 'school',
  'office.wrong_sign_in': 'office',
  'office.wrong_code': 'office code',
  'families.wrong_code': 'family',
}

/**
 * Counts requests and their time by route pattern and status, and serves them at /metrics with the process's own figures:
 * to whoever brings the token, to nobody in production without one, else to everybody (a developer's machine).
 */
export function countRequests(
  app: FastifyInstance,
  deps: Pick<Deps, 'settings' | 'db' | 'database' | 'reads' | 'clock' | 'log' | 'security'>,
): void {
  const { metricsToken, production } = deps.settings
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const counted of [lookedAt, processesStarted]) registry.registerMetric(counted as Counter)
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
  const refusals = new Counter({
    name: 'podium_refusals_total',
    help: 'Refusals by code; request.too_many is what a limit refused',
    labelNames: ['code', 'status'],
    registers: [registry],
  })
  const failures = new Counter({
    name: 'podium_sign_in_failures_total',
    help: 'Wrong passwords and codes',
    labelNames: ['door'],
    registers: [registry],
  })
  // Those that have not been seen yet are 0 and not missing: a rule over a missing figure never fires.
  for (const door of Object.values(signInFailures)) failures.inc({ door }, 0)
  refusals.inc({ code: 'request.too_many', status: '429' }, 0)
  registry.registerMetric(deps.security.counter)
  const readGauges = gaugeProduct(registry, deps)
  app.addHook('onError', async (_request, _reply, error) => {
    if (!((error as Error) instanceof Refusal)) return
    const { code, status } = error as unknown as Refusal
    refusals.inc({ code, status: String(status) })
    const door = signInFailures[code]
    if (door !== undefined) failures.inc({ door })
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
    await readGauges()
    return reply.header('content-type', registry.contentType).send(await registry.metrics())
  })
}
