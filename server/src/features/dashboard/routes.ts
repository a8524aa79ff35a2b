import {
  dashboardSummary,
  deadlines,
  downloadForm,
  olympiadDates,
  seasonTrack,
  studentsByClass,
  studentsBySubject,
} from '@podium/contract/dashboard/calls'
import { istDay } from '@podium/contract/season'
import type { FastifyInstance } from 'fastify'
import { dueItems, entriesOf, moneyAnswer, schoolMoney } from '#features/payments/queries'
import { requireOwnSchool } from '#platform/auth/require-own-school'
import type { Deps } from '#platform/deps'
import { orNotFound } from '#platform/errors'
import { letterhead } from '#platform/foundation'
import { serve } from '#platform/http/http'
import { bookOrderForm, schoolForm, studentForm } from './documents-forms.ts'
import {
  blankOf,
  countByClass,
  countBySubject,
  countTotals,
  findDates,
  readDeadlineFacts,
  readFormData,
  readTrackFacts,
} from './queries.ts'
import { deadlinesOf, trackOf } from './rules.ts'

const forms = { school: schoolForm, books: bookOrderForm, students: studentForm }
const names = {
  school: 'School registration form',
  books: 'Book order form',
  students: 'Student registration form',
}

/** The school's dashboard: totals, dates, the season's steps, the chart and the forms to download. */
export function dashboardRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps

  serve(app, deps, dashboardSummary, 'school', async ({ scope, query }) => {
    requireOwnSchool(scope, query)
    return countTotals(db, scope, query.FYear)
  })

  serve(app, deps, olympiadDates, 'account', async ({ query }) => ({
    data: await findDates(db, query.FYear),
  }))

  serve(app, deps, seasonTrack, 'school', async ({ scope, query, now }) => {
    requireOwnSchool(scope, query)
    const season = query.FYear
    const facts = orNotFound(await readTrackFacts(db, scope, season, now))
    const money = await schoolMoney(db, scope, season)
    const registration = money.due.find(({ purpose, waits }) => purpose === 'registration' && !waits)
    const dueEntries = registration ? (await entriesOf(db, scope, registration.ids)).entries : 0
    return trackOf({ ...facts, money: moneyAnswer(money), due: money.due, dueEntries }, istDay(now))
  })

  serve(app, deps, studentsBySubject, 'school', async ({ scope, query }) => {
    requireOwnSchool(scope, query)
    return { data: await countBySubject(db, scope, query.FYear) }
  })

  serve(app, deps, studentsByClass, 'school', async ({ scope, query }) => {
    requireOwnSchool(scope, query)
    return { data: await countByClass(db, scope, query.FYear) }
  })

  serve(app, deps, deadlines, 'school', async ({ scope, query, now }) => {
    requireOwnSchool(scope, query)
    const facts = orNotFound(await readDeadlineFacts(db, scope, query.FYear, now))
    // The season's due day is for the fees of students: a library's order has none.
    const due = (await dueItems(db, scope, query.FYear)).filter((item) => item.purpose !== 'library')
    const payable = due.reduce((total, item) => total + item.gross - item.retained, 0)
    return { data: deadlinesOf({ ...facts, payable }, istDay(now)) }
  })

  serve(app, deps, downloadForm, 'school', async ({ scope, query, now }) => {
    requireOwnSchool(scope, query)
    const filled = orNotFound(await readFormData(db, scope, query.FYear))
    const data = query.blank === '1' ? blankOf(filled) : filled
    const content = await forms[query.form](data, await letterhead(db, deps.files), now)
    const name = `${names[query.form]}${data.blank ? ' blank' : ''} ${scope.schoolCode} ${query.FYear}.pdf`
    return { file: { name, mediaType: 'application/pdf', content } }
  })
}
