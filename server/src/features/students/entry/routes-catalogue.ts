import { getBook, getSubject } from '@podium/contract/catalogue/calls'
import { lateFees } from '@podium/contract/catalogue/calls-late-fees'
import { parseSeason, type Season, seasonAt } from '@podium/contract/season'
import type { FastifyInstance } from 'fastify'
import { lateFeesOf } from '#features/catalogue/fees/queries-late'
import { readCatalogue, type SeasonCatalogue } from '#features/catalogue/queries'
import { forSchool } from '#features/catalogue/queries-heads'
import { optionsOf, subjectOf } from '#features/catalogue/queries-offer'
import { signedOff } from '#features/students/sign-off/queries'
import type { Deps } from '#platform/deps'
import { serve } from '#platform/http/http'
import { keptPrices } from './queries-stored-prices.ts'
import { withKept } from './rules-stored-prices.ts'

const none: ReadonlySet<string> = new Set()

/** The subjects and books that a class can be entered for. */
export function catalogueRoutes(app: FastifyInstance, deps: Deps): void {
  const published = async (label: string | undefined, now: Date) => {
    const season: Season = parseSeason(label ?? '') ?? seasonAt(now)
    const catalogue = await readCatalogue(deps.db, season, now)
    return catalogue?.published ? catalogue : undefined
  }

  const ofSchool = async (
    catalogue: SeasonCatalogue | undefined,
    schoolId: number | undefined,
    { FYear, studentId }: Asked,
    now: Date,
  ) => {
    if (!catalogue || schoolId === undefined) return catalogue
    const season: Season = parseSeason(FYear ?? '') ?? seasonAt(now)
    return forSchool(deps.db, catalogue, { schoolId }, season, studentId === undefined ? 1 : 0)
  }

  const offered = async (schoolId: number | undefined, query: Asked, now: Date) => {
    const catalogue = await ofSchool(await published(query.FYear, now), schoolId, query, now)
    const { classId, studentId } = query
    const kept =
      studentId === undefined || schoolId === undefined
        ? undefined
        : (await keptPrices(deps.db, schoolId, [studentId])).get(studentId)
    return { catalogue, events: withKept(catalogue?.offerTo(classId) ?? [], classId, kept) }
  }

  serve(app, deps, getSubject, 'account', async ({ scope, query, now }) => {
    const { catalogue, events } = await offered(scope.schoolId, query, now)
    const season: Season = parseSeason(query.FYear ?? '') ?? seasonAt(now)
    const signed = scope.schoolId === undefined ? none : await signedOff(deps.db, scope.schoolId, season)
    return { data: catalogue ? events.map((event) => subjectOf(event, catalogue, now, signed)) : [] }
  })

  serve(app, deps, getBook, 'account', async ({ scope, query, now }) => {
    const { events } = await offered(scope.schoolId, query, now)
    return { data: optionsOf(events) }
  })

  serve(app, deps, lateFees, 'account', async ({ query, now }) => ({
    data: await lateFeesOf(deps.db, query.FYear, now),
  }))
}

interface Asked {
  FYear?: string | undefined
  classId: number
  studentId?: number | undefined
}
