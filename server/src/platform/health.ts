import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Db } from './database.ts'

/** `/healthz`: the process answers. `/readyz`: it can serve, the database answers and it is not shutting down. */
export function reportHealth(app: FastifyInstance, db: Db): void {
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    if (closing) return reply.code(503).send({ status: 'closing' })
    try {
      await sql`select 1`.execute(db)
    } catch {
      return reply.code(503).send({ status: 'no database' })
    }
    return { status: 'ready' }
  })
}
