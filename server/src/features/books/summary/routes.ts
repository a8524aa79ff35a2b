import { bookKindOf, getBookDetails, getBookSummary } from '@podium/contract/books/calls'
import { parseSeason } from '@podium/contract/season'
import type { FastifyInstance } from 'fastify'
import { requireOwnSchool } from '#platform/auth/require-own-school'
import type { Deps } from '#platform/deps'
import { orNotFound } from '#platform/errors'
import { serve } from '#platform/http/http'
import { bookOrderRoutes } from '../orders/routes.ts'
import { countBooks, findBookDetails } from './queries.ts'

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
