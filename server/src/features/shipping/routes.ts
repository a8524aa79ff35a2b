import { messages } from '@podium/contract/messages'
import {
  confirmReceipt as confirm,
  getOrder,
  getQuestionPaperStatus,
  trackOrder,
} from '@podium/contract/shipping/calls'
import type { FastifyInstance } from 'fastify'
import { ownSchool } from '#platform/auth/require-own-school'
import type { Deps } from '#platform/deps'
import { serve } from '#platform/http/http'
import { dueRoutes } from './orders/routes.ts'
import { packetPaperRoutes, packetRoutes } from './packets/routes.ts'
import { findPackets, readWay } from './queries.ts'
import { confirmReceipt } from './tracking/commands-receipt.ts'

/** What the foundation has sent to a school and where it is. */
export function dispatchRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps
  serve(app, deps, getOrder, 'school', async ({ scope, query }) => {
    ownSchool(scope, { schId: query.SchId })
    return { data: await findPackets(db, scope, query.FYear, ['books', 'awards']) }
  })

  serve(app, deps, getQuestionPaperStatus, 'school', async ({ scope, query }) => {
    ownSchool(scope, { schId: query.SchId })
    const papers = await findPackets(db, scope, query.FYear, ['papers'])
    // The specification's list is null where there is nothing: its screen says «Not Applicable» then.
    return { data: papers.length === 0 ? null : papers }
  })

  serve(app, deps, trackOrder, 'school', ({ scope, query, now }) => readWay(db, scope, now, query.PacketId))

  serve(app, deps, confirm, 'school', async ({ scope, body, now }) => {
    const { PacketId: packetId, counts, remark } = body
    const differs = await db
      .transaction()
      .execute((tx) => confirmReceipt(tx, scope, now, { packetId, counts, remark }))
    return { differs, message: messages.saved }
  })

  dueRoutes(app, deps)
  packetRoutes(app, deps)
  packetPaperRoutes(app, deps)
}
