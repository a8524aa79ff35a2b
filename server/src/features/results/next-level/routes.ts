import { answerInvitations, schoolInvitations } from '@podium/contract/results/calls-next-level'
import {
  exportNextLevel,
  nextLevelCandidate,
  nextLevelDifference,
  nextLevelList,
} from '@podium/contract/results/calls-next-level-list'
import {
  approveNextLevel,
  decideNextLevel,
  makeNextLevel,
  nextLevelMail,
  nextLevelRound,
  nextLevelRounds,
  remindNextLevel,
  saveNextLevel,
  sendNextLevel,
  takeOverNextLevel,
} from '@podium/contract/results/calls-next-level-office'
import type { FastifyInstance } from 'fastify'
import { tellOfFile, tellOfResults } from '#features/staff/commands-owners'
import { audit } from '#platform/audit'
import type { Deps } from '#platform/deps'
import { serve, write } from '#platform/http/http'
import { answerFor, approveRound, decide, makeRound, saveRound, subjectOf, takeOver } from './commands.ts'
import { meant, startRemind, startSend } from './commands-send.ts'
import { invitationsFile } from './documents.ts'
import { invitationsPage } from './jobs.ts'
import { differenceOf, invitationsOf, previewMail } from './queries.ts'
import { candidateOf, listAbout, listOf, wholeList } from './queries-list.ts'
import { roundOf, roundsOf } from './queries-office.ts'

/** Invitations to the next level: the school's side, what the office reads, and what it decides. */
export function nextLevelRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps
  serve(app, deps, schoolInvitations, 'school', async ({ scope, query, now }) => ({
    data: await invitationsOf(db, scope, now, query.FYear),
  }))

  write(app, deps, answerInvitations, 'school', async (tx, { scope, body, now }) => ({
    answered: await answerFor(tx, scope, now, body),
  }))

  readingRoutes(app, deps)
  decidingRoutes(app, deps)
}

function readingRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps
  serve(app, deps, nextLevelRounds, 'office:results.read', async ({ scope, query, now }) => ({
    data: await roundsOf(db, scope, now, query.season),
  }))

  serve(app, deps, nextLevelRound, 'office:results.read', ({ scope, query, now }) =>
    roundOf(db, scope, now, query.eventYearId),
  )

  serve(app, deps, nextLevelList, 'office:results.read', ({ scope, query }) => listOf(db, scope, query))

  serve(app, deps, nextLevelDifference, 'office:results.read', ({ scope, query, now }) =>
    differenceOf(db, scope, now, query),
  )

  serve(app, deps, nextLevelCandidate, 'office:results.invite', async ({ scope, query }) => ({
    candidate: await candidateOf(db, scope, query),
  }))

  serve(app, deps, nextLevelMail, 'office:results.read', async ({ scope, query, now }) => {
    const { eventYearId: eventId, kind, schCode } = query
    const link = invitationsPage(deps.settings.publicUrl)
    return { mail: await previewMail(db, scope, { eventId, kind, schCode, link, where: meant(kind, now) }) }
  })

  serve(app, deps, exportNextLevel, 'office:results.invite', async ({ scope, body, now }) => {
    const { format, ...query } = body
    const about = await listAbout(db, scope, query.eventYearId)
    const rows = await db.transaction().execute(async (tx) => {
      const found = await wholeList(tx, scope, query)
      const change = { format, students: found.length, filters: query }
      await audit(tx, now, scope, 'next_level.exported', subjectOf(query.eventYearId, about.season), change)
      await tellOfFile(tx, scope, now, 'the list for the next level', found.length)
      return found
    })
    return { file: invitationsFile(rows, about, format) }
  })
}

function decidingRoutes(app: FastifyInstance, deps: Deps): void {
  write(app, deps, makeNextLevel, 'office:results.invite', (tx, { scope, body, now }) =>
    makeRound(tx, scope, now, body),
  )

  write(app, deps, saveNextLevel, 'office:results.invite', (tx, { scope, body, now }) =>
    saveRound(tx, scope, now, body),
  )

  write(app, deps, takeOverNextLevel, 'office:results.invite', (tx, { scope, body, now }) =>
    takeOver(tx, scope, now, body),
  )

  write(app, deps, decideNextLevel, 'office:results.invite', async (tx, { scope, body, now }) => ({
    changed: await decide(tx, scope, now, body),
  }))

  write(app, deps, approveNextLevel, 'office:results.approve', async (tx, { scope, body, now }) => {
    await approveRound(tx, scope, now, body)
    await tellOfResults(tx, scope, now, { eventId: body.eventYearId }, { what: 'next-level' })
  })

  write(app, deps, sendNextLevel, 'office:results.invite', async (tx, { scope, body, now }) => {
    const jobId = await startSend(tx, scope, now, body)
    return { jobId }
  })

  write(app, deps, remindNextLevel, 'office:results.invite', async (tx, { scope, body, now }) => {
    const jobId = await startRemind(tx, scope, now, body.eventYearId)
    return { jobId }
  })
}
