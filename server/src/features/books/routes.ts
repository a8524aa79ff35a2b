import {
  bookKindOf,
  deleteBookOrder,
  getBookDetails,
  getBookOrder,
  getBookSummary,
  saveBookOrder,
} from '@podium/contract/books/calls'
import { messages } from '@podium/contract/messages'
import { parseSeason } from '@podium/contract/season'
import type { FastifyInstance } from 'fastify'
import { requireOwnSchool } from '#platform/auth/scope'
import type { Deps } from '#platform/deps'
import { orNotFound } from '#platform/errors'
import { serve, write } from '#platform/http/http'
import { once } from '#platform/http/idempotency'
import { deleteOrderLine, type OrderDraft, saveOrderLine } from './commands.ts'
import { countBooks, findBookDetails, findOrder, orderLine } from './queries.ts'

/** The books that a school's students take, and its library's order. */
export function bookRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps
  bookOrderRoutes(app, deps)

  serve(app, deps, getBookSummary, 'school', async ({ scope, query }) => {
    requireOwnSchool(scope, query)
    return { data: await countBooks(db, scope, orNotFound(parseSeason(query.Fyear))) }
  })

  serve(app, deps, getBookDetails, 'school', async ({ scope, body }) => {
    requireOwnSchool(scope, body)
    const season = orNotFound(parseSeason(body.FYear))
    const kind = orNotFound(bookKindOf(body.bookCategory))
    const { classId, subjectName: subject } = body
    return { data: await findBookDetails(db, scope, { season, classId, kind, subject }) }
  })
}

/** The books that a school orders for its library. */
export function bookOrderRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps
  serve(app, deps, getBookOrder, 'school', async ({ scope, query, now }) => {
    requireOwnSchool(scope, { schId: query.SchId })
    return findOrder(db, scope, query.FYear, now)
  })

  serve(app, deps, saveBookOrder, 'school', async ({ scope, body, now, request }) => {
    requireOwnSchool(scope, { schId: body.SchId })
    const draft: OrderDraft = {
      id: body.id,
      version: body.version,
      season: body.FYear,
      classId: body.classId,
      subject: body.subjectName,
      kind: orNotFound(bookKindOf(body.bookCategory)),
      quantity: body.quantity,
      saidAmount: body.bookAmount,
    }
    const caller = `account:${scope.userId}`
    const { id } = await db.transaction().execute((tx) =>
      once(tx, now, caller, request.idempotencyKey, body, async () => ({
        id: await saveOrderLine(tx, scope, now, draft),
      })),
    )
    return { data: orNotFound(await orderLine(db, scope, now, id)), message: messages.saved }
  })

  write(app, deps, deleteBookOrder, 'school', async (tx, { scope, body, now, request }) => {
    requireOwnSchool(scope, { schId: body.SchId })
    const caller = `account:${scope.userId}`
    return once(tx, now, caller, request.idempotencyKey, body, () => deleteOrderLine(tx, scope, now, body))
  })
}
