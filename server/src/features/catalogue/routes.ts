import { type BookOption, getBook, getSubject, type Subject } from '@podium/contract/catalogue'
import { type BookKind, bookKinds } from '@podium/contract/classes'
import { type Paise, rupees } from '@podium/contract/money'
import { parseSeason, type Season, seasonAt } from '@podium/contract/season'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '#platform/deps'
import { serve } from '#platform/http'
import { keptPrices } from '../enrolment/queries-kept.ts'
import { withKept } from '../enrolment/rules-kept.ts'
import { hasClosed, type OfferedEvent, readCatalogue, type SeasonCatalogue } from './queries.ts'

const inRupees = (amount: Paise | undefined) => (amount === undefined ? null : rupees(amount))

function subjectOf(event: OfferedEvent, catalogue: SeasonCatalogue, now: Date): Subject {
  return {
    eventYearId: event.eventId,
    eventLetter: event.letter,
    subjectName: event.name,
    eventFee: rupees(event.price),
    retainFee: rupees(event.retained),
    closesOn: event.closesOn,
    closed: !catalogue.open || hasClosed(event.closesOn, now),
    examMode: event.mode,
  }
}

function optionOf(event: OfferedEvent): BookOption {
  const price = (kind: BookKind) => inRupees(event.books[kind]?.price)
  const kept = (kind: BookKind) => inRupees(event.books[kind]?.retained)
  const first = bookKinds.map(kept).find((amount) => amount !== null)
  return {
    subjectName: event.name,
    eventLetter: event.letter,
    cb: price('cb'),
    pyqp: price('pyqp'),
    geneX: price('geneX'),
    tb: price('tb'),
    wb: price('wb'),
    retainFee: first ?? 0,
    retainFees: { cb: kept('cb'), pyqp: kept('pyqp'), geneX: kept('geneX'), tb: kept('tb'), wb: kept('wb') },
  }
}

/** The subjects and books that a class can be entered for. */
export function catalogueRoutes(app: FastifyInstance, deps: Deps): void {
  const published = async (label: string | undefined, now: Date) => {
    const season: Season = parseSeason(label ?? '') ?? seasonAt(now)
    const catalogue = await readCatalogue(deps.db, season)
    return catalogue?.published ? catalogue : undefined
  }

  const offered = async (schoolId: number | undefined, query: Asked, now: Date) => {
    const catalogue = await published(query.FYear, now)
    const { classId, studentId } = query
    const kept =
      studentId === undefined || schoolId === undefined
        ? undefined
        : (await keptPrices(deps.db, schoolId, [studentId])).get(studentId)
    return { catalogue, events: withKept(catalogue?.offerTo(classId) ?? [], classId, kept) }
  }

  serve(app, deps, getSubject, 'account', async ({ scope, query, now }) => {
    const { catalogue, events } = await offered(scope.schoolId, query, now)
    return { data: catalogue ? events.map((event) => subjectOf(event, catalogue, now)) : [] }
  })

  serve(app, deps, getBook, 'account', async ({ scope, query, now }) => {
    const { events } = await offered(scope.schoolId, query, now)
    return { data: events.filter((event) => Object.keys(event.books).length > 0).map(optionOf) }
  })
}

interface Asked {
  FYear?: string | undefined
  classId: number
  studentId?: number | undefined
}
