import {
  answerInvitations,
  approveNextLevel,
  decideNextLevel,
  makeNextLevel,
  nextLevelMail,
  nextLevelRound,
  nextLevelRounds,
  remindNextLevel,
  saveNextLevel,
  schoolInvitations,
  sendNextLevel,
  takeOverNextLevel,
} from '@podium/contract/results/calls-next-level'
import {
  exportNextLevel,
  type InvitationRow,
  type InvitationStatus,
  nextLevelCandidate,
  nextLevelDifference,
  nextLevelList,
} from '@podium/contract/results/calls-next-level-list'
import { formatDay, istDay } from '@podium/contract/season'
import type { FastifyInstance } from 'fastify'
import { tellOfFile, tellOfResults } from '#features/staff/commands-owners'
import { audit } from '#platform/audit'
import type { Deps } from '#platform/deps'
import { type FileAnswer, serve, write } from '#platform/http/http'
import { type SheetColumn, type SheetValue, writeCsv, writeXlsx } from '#platform/sheets/spreadsheet-write'
import { answerFor, approveRound, decide, makeRound, saveRound, subjectOf, takeOver } from './commands.ts'
import { invitationsPage, meant, startRemind, startSend } from './jobs.ts'
import { differenceOf, invitationsOf, previewMail } from './queries.ts'
import { candidateOf, listAbout, listOf, wholeList } from './queries-list.ts'
import { roundOf, roundsOf } from './queries-office.ts'

const standings: Record<InvitationStatus, string> = {
  toInvite: 'To be invited',
  waiting: 'No answer yet',
  yes: 'Confirmed',
  no: 'Declined',
  left: 'Excluded',
  toWithdraw: 'To be taken back',
  withdrawn: 'Taken back',
}

const columns: readonly SheetColumn[] = [
  { title: 'S.No.', kind: 'number' },
  { title: 'Exam roll no' },
  { title: 'Student name', width: 28 },
  { title: 'Class' },
  { title: 'Section', width: 9 },
  { title: 'School code' },
  { title: 'School', width: 32 },
  { title: 'City' },
  { title: 'State' },
  { title: 'Final score', kind: 'mark' },
  { title: 'Olympiad rank', kind: 'number' },
  { title: 'Class rank', kind: 'number' },
  { title: 'Eligible by the rules' },
  { title: 'Status', width: 18 },
  { title: 'By hand' },
  { title: 'Reason', width: 32 },
  { title: 'Decided by' },
  { title: 'Answered by' },
  { title: 'Answered on' },
  { title: 'Note of the school', width: 32 },
]

const cells = (row: InvitationRow, index: number): SheetValue[] => [
  index + 1,
  row.nioRollNo,
  row.studentName,
  row.className,
  row.section === '-' ? '' : row.section,
  row.schCode,
  row.schName,
  row.city,
  row.state,
  row.marks,
  row.olympiadRank,
  row.classRank,
  row.eligible ? 'YES' : 'NO',
  standings[row.standing],
  row.byHand ? 'YES' : '',
  row.reason,
  row.decidedBy,
  row.answeredBy,
  row.answeredAt === null ? '' : formatDay(istDay(new Date(row.answeredAt))),
  row.answerNote,
]

/** The children of a list, with where each stands and what its school has answered. */
function invitationsFile(
  rows: readonly InvitationRow[],
  about: { subject: string; season: string; level: number },
  format: 'xlsx' | 'csv',
): FileAnswer['file'] {
  const title = `Level ${about.level} ${about.subject} ${about.season}`
  const name = `${title}.${format}`
  const lines = rows.map(cells)
  return format === 'csv'
    ? { name, mediaType: 'text/csv; charset=utf-8', content: writeCsv(columns, lines) }
    : {
        name,
        mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        content: writeXlsx(title, columns, lines),
      }
}

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
