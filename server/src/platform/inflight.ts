import type { FastifyInstance } from 'fastify'

const calls = new WeakMap<FastifyInstance, Set<Promise<unknown>>>()

/** Knows from now on which handlers of an app are at work; its routes are declared after this. */
export function followHandlers(app: FastifyInstance): void {
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
