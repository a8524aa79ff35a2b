import { className } from '@podium/contract/classes'
import type { ParsedQuery } from '@podium/contract/endpoint'
import { percentOf } from '@podium/contract/figures'
import { foldName } from '@podium/contract/names'
import * as calls from '@podium/contract/results/calls-next-level'
import {
  exportNextLevel,
  type InvitationRow,
  type InvitationStatus,
  nextLevelCandidate,
  nextLevelDifference,
  nextLevelList,
} from '@podium/contract/results/calls-next-level-list'
import type { EventRules } from '@podium/contract/results/schemas'
import { formatDay, istDay } from '@podium/contract/season'
import type { FastifyInstance } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { markUnit } from '#features/results/rules'
import type { Reason } from '#features/results/why/rules'
import { notifyOfExport, notifyOfResults } from '#features/staff/commands-owners'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { pageOf } from '#platform/db/list-queries'
import type { Deps } from '#platform/deps'
import { orNotFound } from '#platform/errors'
import { command, serve, write } from '#platform/http/http'
import { type ListColumn, sheetFile } from '#platform/sheets/spreadsheet-write'
import { answerFor, approveRound, decide, makeRound, saveRound, subjectOf, takeOver } from './commands.ts'
import { invitationsPage, needsInvitationMail, startRemind, startSend } from './jobs.ts'
import * as queries from './queries.ts'
import { roundOf, roundsOf } from './queries-office.ts'

const statusNames: Record<InvitationStatus, string> = {
  toInvite: 'To be invited',
  waiting: 'No answer yet',
  yes: 'Confirmed',
  no: 'Declined',
  left: 'Excluded',
  toWithdraw: 'To be taken back',
  withdrawn: 'Taken back',
}

const columns: readonly ListColumn<InvitationRow>[] = [
  { title: 'S.No.', kind: 'number', value: (_, index) => index + 1 },
  { title: 'Exam roll no', value: (row) => row.nioRollNo },
  { title: 'Student name', width: 28, value: (row) => row.studentName },
  { title: 'Class', value: (row) => row.className },
  { title: 'Section', width: 9, value: (row) => (row.section === '-' ? '' : row.section) },
  { title: 'School code', value: (row) => row.schCode },
  { title: 'School', width: 32, value: (row) => row.schName },
  { title: 'City', value: (row) => row.city },
  { title: 'State', value: (row) => row.state },
  { title: 'Final score', kind: 'mark', value: (row) => row.marks },
  { title: 'Olympiad rank', kind: 'number', value: (row) => row.olympiadRank },
  { title: 'Class rank', kind: 'number', value: (row) => row.classRank },
  { title: 'Eligible by the rules', value: (row) => (row.eligible ? 'YES' : 'NO') },
  { title: 'Status', width: 18, value: (row) => statusNames[row.status] },
  { title: 'By hand', value: (row) => (row.byHand ? 'YES' : '') },
  { title: 'Reason', width: 32, value: (row) => row.reason },
  { title: 'Decided by', value: (row) => row.decidedBy },
  { title: 'Answered by', value: (row) => row.answeredBy },
  {
    title: 'Answered on',
    value: (row) => (row.answeredAt === null ? '' : formatDay(istDay(new Date(row.answeredAt)))),
  },
  { title: 'Note of the school', width: 32, value: (row) => row.answerNote },
]

/** Routes for invitations to the next level, for schools and the office. */
export function nextLevelRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps
  serve(app, deps, calls.schoolInvitations, 'school', async ({ scope, query, now }) => ({
    data: await queries.invitationsOf(db, scope, now, query.FYear),
  }))

  write(app, deps, calls.answerInvitations, 'school', async (tx, { scope, body, now }) => ({
    answered: await answerFor(tx, scope, now, body),
  }))

  readingRoutes(app, deps)
  decidingRoutes(app, deps)
}

function readingRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps
  serve(app, deps, calls.nextLevelRounds, 'office:results.read', async ({ scope, query, now }) => ({
    data: await roundsOf(db, scope, now, query.season),
  }))

  serve(app, deps, calls.nextLevelRound, 'office:results.read', ({ scope, query, now }) =>
    roundOf(db, scope, now, query.eventYearId),
  )

  serve(app, deps, nextLevelList, 'office:results.read', ({ scope, query }) => listOf(db, scope, query))

  serve(app, deps, nextLevelDifference, 'office:results.read', ({ scope, query, now }) =>
    queries.differenceOf(db, scope, now, query),
  )

  serve(app, deps, nextLevelCandidate, 'office:results.invite', async ({ scope, query }) => ({
    candidate: await candidateOf(db, scope, query),
  }))

  serve(app, deps, calls.nextLevelMail, 'office:results.read', async ({ scope, query, now }) => {
    const { eventYearId: eventId, kind, schCode } = query
    const link = invitationsPage(deps.settings.publicUrl)
    return {
      mail: await queries.previewMail(db, scope, {
        eventId,
        kind,
        schCode,
        link,
        where: needsInvitationMail(kind, now),
      }),
    }
  })

  write(app, deps, exportNextLevel, 'office:results.invite', async (tx, { scope, body, now }) => {
    const { format, ...query } = body
    const { level, subject, season } = await listAbout(tx, scope, query.eventYearId)
    const rows = await wholeList(tx, scope, query)
    const change = { format, students: rows.length, filters: query }
    await audit(tx, now, scope, 'next_level.exported', subjectOf(query.eventYearId, season), change)
    await notifyOfExport(tx, scope, now, 'the list for the next level', rows.length)
    return { file: sheetFile(`Level ${level} ${subject} ${season}`, columns, rows, format) }
  })
}

function decidingRoutes(app: FastifyInstance, deps: Deps): void {
  command(app, deps, calls.makeNextLevel, 'office:results.invite', makeRound)
  command(app, deps, calls.saveNextLevel, 'office:results.invite', saveRound)
  command(app, deps, calls.takeOverNextLevel, 'office:results.invite', takeOver)

  write(app, deps, calls.decideNextLevel, 'office:results.invite', async (tx, { scope, body, now }) => ({
    changed: await decide(tx, scope, now, body),
  }))

  write(app, deps, calls.approveNextLevel, 'office:results.approve', async (tx, { scope, body, now }) => {
    await approveRound(tx, scope, now, body)
    await notifyOfResults(tx, scope, now, { eventId: body.eventYearId }, { what: 'next-level' })
  })

  write(app, deps, calls.sendNextLevel, 'office:results.invite', async (tx, { scope, body, now }) => {
    const jobId = await startSend(tx, scope, now, body)
    return { jobId }
  })

  write(app, deps, calls.remindNextLevel, 'office:results.invite', async (tx, { scope, body, now }) => {
    const jobId = await startRemind(tx, scope, now, body.eventYearId)
    return { jobId }
  })
}

const pageSize = 50

type ListQuery = Omit<ParsedQuery<typeof nextLevelList>, 'page'>

function conditionsOf(query: ListQuery): RawBuilder<unknown>[] {
  const conditions = [sql`i.event_id = ${query.eventYearId}`]
  if (query.classId !== '') conditions.push(sql`i.class_id = ${Number(query.classId)}`)
  if (query.state !== '') conditions.push(sql`o.state = ${query.state}`)
  if (query.how !== '') conditions.push(sql`i.by_hand = ${query.how === 'hand'}`)
  if (query.status !== '') conditions.push(sql`${queries.status} = ${query.status}`)
  const words = foldName(query.search).split(' ').filter(Boolean)
  if (query.search !== '' && words.length === 0) conditions.push(sql`false`)
  // Folded words contain no LIKE wildcards. With a state filter the schools are known.
  const named = (pattern: string) =>
    query.state === ''
      ? sql`i.school_id in (select w.id from schools w where w.search_key like ${pattern})`
      : sql`o.search_key like ${pattern}`
  for (const word of words) conditions.push(sql`(i.found_by like ${`%${word}%`} or ${named(`%${word}%`)})`)
  return conditions
}

interface Row extends Omit<InvitationRow, 'className' | 'marks' | 'because' | 'answeredAt' | 'resultId'> {
  set_id: number
  classId: number
  raw_score: number | null
  final_score: number | null
  maximum_marks: number
  rules: Pick<EventRules, 'nextLevel'>
  reason_of: Reason | null
  olympiad_rank: number | null
  zonal_rank: number | null
  state_rank: number | null
  class_rank: number | null
  answered_at: Date | null
  total: number
}

function rowOf({
  set_id,
  classId,
  raw_score,
  final_score,
  maximum_marks,
  rules,
  reason_of,
  olympiad_rank,
  zonal_rank,
  state_rank,
  class_rank,
  answered_at,
  total: _,
  ...row
}: Row): InvitationRow {
  const percent = percentOf(raw_score ?? 0, maximum_marks * markUnit)
  const result = { percent, olympiad_rank, zonal_rank, state_rank, class_rank }
  return {
    ...row,
    resultId: `${set_id}-${row.studentId}`,
    className: className(classId),
    marks: (final_score ?? 0) / markUnit,
    because: row.eligible
      ? queries.findClause({ ...result, reason: reason_of ?? {} }, rules.nextLevel ?? null)
      : null,
    answeredAt: answered_at?.toISOString() ?? null,
  }
}

/**
 * Matching students are found and sorted by their invitations; details are read only for the page.
 */
async function readRows(db: Db | Tx, query: ListQuery, limit: RawBuilder<unknown>) {
  const ofState = query.state === '' ? sql`` : sql`join schools o on o.id = i.school_id`
  const order = sql`f.place, f.olympiad_rank nulls last, f.student_id`
  const { rows } = await sql<Row>`
    with found as materialized (
      select i.event_id, i.student_id, r.olympiad_rank,
        case i.class_id when 15 then -3 when 13 then -2 when 14 then -1 else i.class_id end as place
      from next_level_invitations i join next_level_rounds d on d.event_id = i.event_id ${ofState} ${queries.resultJoin}
      where ${sql.join(conditionsOf(query), sql` and `)})
    select i.student_id as "studentId", d.set_id, s.name as "studentName", s.section,
      coalesce(r.exam_roll_no, s.exam_roll_no, '') as "nioRollNo", i.class_id as "classId", o.code as "schCode",
      o.name as "schName", o.city, o.state, r.raw_score, r.final_score, e.maximum_marks, r.olympiad_rank, r.zonal_rank, r.state_rank, r.class_rank,
      r.olympiad_rank as "olympiadRank", r.class_rank as "classRank", coalesce(r.next_level, false) as eligible,
      r.reason as reason_of, l.rules, ${queries.status} as status, i.by_hand as "byHand", i.reason,
      coalesce(a.name, '') as "decidedBy", h.school_id is not null as withheld, i.answer_note as "answerNote",
      coalesce(u.name, '') as "answeredBy", i.answered_at, (select count(*)::int from found) as total
    from (select f.* from found f order by ${order} ${limit}) f
      join next_level_invitations i on i.event_id = f.event_id and i.student_id = f.student_id
      join next_level_rounds d on d.event_id = i.event_id join result_sets l on l.id = d.set_id
      join events e on e.id = i.event_id
      join schools o on o.id = i.school_id ${queries.studentJoin} ${queries.resultJoin}
      left join staff a on a.id = i.decided_by left join users u on u.id = i.answered_by
      left join result_holds h on h.event_id = i.event_id and h.school_id = i.school_id
    order by ${order}`.execute(db)
  return rows
}

/** One page of a list's matching students, by class, best first. */
async function listOf(db: Db, _scope: OfficeScope, query: ListQuery & { page: number }) {
  const rows = await readRows(db, query, pageOf(query.page, pageSize))
  return { data: rows.map(rowOf), total: rows[0]?.total ?? 0, pageSize }
}

/** All of them, for export. */
async function wholeList(tx: Tx, _scope: OfficeScope, query: ListQuery): Promise<InvitationRow[]> {
  return (await readRows(tx, query, sql``)).map(rowOf)
}

/** Subject, season and level of a list, for its export. */
async function listAbout(db: Db | Tx, _scope: OfficeScope, eventId: number) {
  const { rows } = await sql<{ subject: string; season: string; level: number }>`
    select u.name as subject, d.season, d.level from next_level_rounds d join events e on e.id = d.event_id
      join subjects u on u.letter = e.letter where d.event_id = ${eventId}`.execute(db)
  return orNotFound(rows[0], 'next_level.no_list')
}

/** A student with a result in the list's version, by exam roll number; null if there is none. */
async function candidateOf(
  db: Db,
  _scope: OfficeScope,
  { eventYearId: eventId, nioRollNo }: { eventYearId: number; nioRollNo: string },
) {
  const { rows } = await sql<{
    studentId: number
    studentName: string
    classId: number
    section: string
    schCode: string
    schName: string
    final_score: number
    olympiadRank: number | null
    classRank: number | null
    present: boolean
    wanted: boolean | null
  }>`
    select r.student_id as "studentId", s.name as "studentName", r.class_id as "classId", r.section,
      o.code as "schCode", o.name as "schName", r.final_score, r.olympiad_rank as "olympiadRank",
      r.class_rank as "classRank", r.present, i.wanted
    from next_level_rounds d join students s on s.exam_roll_no = ${nioRollNo.trim().toUpperCase()} and s.season = d.season
      and ${queries.canBeInvited}
      join results r on r.set_id = d.set_id and r.student_id = s.id join schools o on o.id = r.school_id
      left join next_level_invitations i on i.event_id = d.event_id and i.student_id = s.id
    where d.event_id = ${eventId}`.execute(db)
  const row = rows[0]
  if (!row) return null
  const { classId, final_score, present, wanted, ...rest } = row
  const can = wanted ? 'next_level.listed' : present || 'next_level.absent'
  return { ...rest, className: className(classId), marks: final_score / markUnit, can }
}
