import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** Apps that shall be sent nothing new. */
const leaving = new WeakSet<FastifyInstance>()

/** From now on `/readyz` says that the app is about to stop, so that a balancer sends it nothing new; it serves as before. */
export function announceStop(app: FastifyInstance): void {
  leaving.add(app)
}

/** `/healthz`: the process answers. `/readyz`: it can serve, the database answers and it is not shutting down. */
export function reportHealth(app: FastifyInstance, db: Db): void {
  app.addHook('preClose', async () => {
    leaving.add(app)
  })
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    if (leaving.has(app)) return reply.code(503).send({ status: 'closing' })
    try {
      await sql`select 1`.execute(db)
    } catch {
      return reply.code(503).send({ status: 'no database' })
    }
    return { status: 'ready' }
  })
}
