import { className } from '@podium/contract/classes'
import type { InvitationCounts, NextLevelRound, RoundLine } from '@podium/contract/results/calls-next-level'
import { istDay } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import { rulesOf } from '#features/catalogue/rules'
import { visibleSet } from '#features/results/queries'
import { joinedAfter } from '#features/staff/queries'
import { mayDo } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
import { instant } from '#platform/db/list-queries'
import { orNotFound } from '#platform/errors'
import { readJob } from '#platform/jobs/jobs'
import { changesOfList, ifEligible, pending, stageOf } from './queries.ts'

/** SQL: counts of invitations `i`, with `r` for eligible students, as columns. */
const counts = sql`
  count(r.student_id)::int as eligible, count(*) filter (where i.wanted)::int as invited,
  count(*) filter (where i.wanted and i.by_hand)::int as "byHand",
  count(*) filter (where not i.wanted and i.notice = '')::int as "leftOut",
  count(*) filter (where ${pending})::int as pending,
  count(*) filter (where i.wanted and i.notice = 'invited' and i.answer = 'yes')::int as yes,
  count(*) filter (where i.wanted and i.notice = 'invited' and i.answer = 'no')::int as no,
  count(*) filter (where i.wanted and i.notice = 'invited' and i.answer = '')::int as waiting`

const invited = sql`
  next_level_rounds d join next_level_invitations i on i.event_id = d.event_id ${ifEligible}`

interface HeadRow extends Omit<RoundLine, 'level' | 'stage'> {
  sections: unknown
  rules: unknown
  set_rules: { nextLevel?: { level: number } | null } | null
  made: boolean
  approved: boolean
  sending: boolean
  notified: number
  /** To notify, without withheld schools */
  sendable: number
  round_level: number | null
  visible_id: number | null
  list_id: number | null
}

/** Events that lead to a next level, with the progress of their invitations. */
async function heads(db: Db, now: Date, where: RawBuilder<unknown>) {
  const { rows } = await sql<HeadRow>`
    select e.id as "eventYearId", e.season, u.name as "subjectName", e.letter as "eventLetter", e.level as "examLevel",
      e.sections, e.rules, v.rules as set_rules, d.event_id is not null as made, d.approved_at is not null as approved,
      coalesce(j.state in ('waiting', 'running'), false) as sending, d.level as round_level, v.version as "visibleVersion",
      v.id as visible_id, l.version as "listVersion", d.set_id as list_id, d.answer_by as "answerBy",
      (select count(*)::int from results x where x.set_id = v.id and x.next_level) as "eligibleNow", c.*
    from events e join subjects u on u.letter = e.letter
      left join lateral ${visibleSet(sql`e.id`, now)} v on true
      left join next_level_rounds d on d.event_id = e.id
      left join result_sets l on l.id = d.set_id left join jobs j on j.id = d.job_id
      cross join lateral (
        select ${counts}, count(*) filter (where i.notice <> '')::int as notified,
          count(*) filter (where ${pending} and not exists (
            select from result_holds h where h.event_id = i.event_id and h.school_id = i.school_id))::int as sendable
        from next_level_invitations i ${ifEligible}
        where i.event_id = e.id) c
    where ${where} order by u.position, e.level`.execute(db)
  return rows.flatMap((row) => {
    const event = { letter: row.eventLetter, level: row.examLevel, sections: row.sections, rules: row.rules }
    const level =
      row.round_level ?? (row.set_rules ? row.set_rules.nextLevel?.level : rulesOf(event).nextLevel?.level)
    return level === undefined ? [] : [{ ...row, level }]
  })
}

function lineOf({
  sections: _s,
  rules: _r,
  set_rules: _t,
  round_level: _l,
  visible_id: _v,
  list_id: _i,
  made,
  approved,
  sending,
  notified,
  sendable,
  ...line
}: HeadRow & { level: number }): RoundLine {
  const of = made ? { approved, sending, notified, pending: sendable } : null
  return { ...line, stage: stageOf(of) }
}

/** The events of a season that lead to a next level. */
export async function roundsOf(db: Db, _scope: OfficeScope, now: Date, season: string): Promise<RoundLine[]> {
  return (await heads(db, now, sql`e.season = ${season}`)).map(lineOf)
}

type Counted = 'schools' | 'children' | 'nobody' | 'withheld' | 'open' | 'due'
type Made = 'version' | 'note' | 'madeBy' | 'approvedBy' | 'approvedAt'

interface RoundProgress extends Pick<NextLevelRound, Made | Counted> {
  too_new: boolean
  prepared: boolean
  job_id: string | null
}

const reminderAgain = sql`interval '24 hours'`

/** SQL condition on `i`: unanswered, and the school was not reminded within a day. */
export const toRemind = (now: Date) => sql`
  i.wanted and i.notice = 'invited' and i.answer = ''
  and (i.reminded_at is null or i.reminded_at <= ${now}::timestamptz - ${reminderAgain})
  and not exists (select from result_holds h where h.event_id = i.event_id and h.school_id = i.school_id)`

async function progressOf(
  db: Db,
  scope: OfficeScope,
  now: Date,
  eventId: number,
): Promise<RoundProgress | undefined> {
  const { rows } = await sql<RoundProgress>`
    select d.version, d.note, coalesce(m.name, '') as "madeBy", coalesce(a.name, '') as "approvedBy",
      ${instant('d.approved_at')} as "approvedAt", ${scope.staffId}::bigint = any(d.prepared_by) as prepared,
      ${joinedAfter(scope, sql`d.made_at`)} as too_new, d.job_id, c.*
    from next_level_rounds d left join staff m on m.id = d.made_by left join staff a on a.id = d.approved_by
      cross join lateral (
        select count(distinct i.school_id) filter (where ${pending} and h.school_id is null)::int as schools,
          count(*) filter (where ${pending} and h.school_id is null)::int as children,
          count(distinct i.school_id) filter (where ${pending} and h.school_id is null and not exists (
            select from users p join schools o on o.id = p.school_id and o.active
            where p.school_id = i.school_id and p.disabled_at is null))::int as nobody,
          count(distinct i.school_id) filter (where ${pending} and h.school_id is not null)::int as withheld,
          count(distinct i.school_id) filter (where i.wanted and i.notice = 'invited' and i.answer = '')::int as open,
          count(distinct i.school_id) filter (where ${toRemind(now)})::int as due
        from next_level_invitations i
          left join result_holds h on h.event_id = i.event_id and h.school_id = i.school_id
        where i.event_id = d.event_id) c
    where d.event_id = ${eventId}`.execute(db)
  return rows[0]
}

const empty = { schools: 0, children: 0, nobody: 0, withheld: 0, open: 0, due: 0 }

/** What the caller may do now, for showing buttons; the commands' statements decide. */
function allowances(
  scope: OfficeScope,
  line: RoundLine,
  progress: RoundProgress | undefined,
  today: string,
  isOutdated: boolean,
): NextLevelRound['can'] {
  const may = (permission: 'results.invite' | 'results.approve', rest: true | string) =>
    mayDo(scope.role, permission) ? rest : 'access.denied'
  const making = line.visibleVersion === null ? 'next_level.nothing_out' : true
  if (!progress) {
    const none = 'next_level.no_list'
    return { change: may('results.invite', making), approve: none, send: none, remind: none }
  }
  const sending = line.stage === 'sending' ? 'next_level.sending' : undefined
  const outdated = isOutdated ? 'next_level.corrected' : undefined
  const over = (line.answerBy ?? '') < today ? 'next_level.day_past' : undefined
  const approve =
    line.stage === 'draft'
      ? progress.prepared
        ? 'next_level.same_person'
        : progress.too_new
          ? 'second.too_new'
          : (outdated ?? true)
      : 'next_level.approved'
  const send =
    line.stage === 'draft'
      ? 'next_level.not_approved'
      : progress.schools === 0
        ? 'next_level.nothing_new'
        : (over ?? outdated ?? true)
  return {
    change: may('results.invite', sending ?? true),
    approve: may('results.approve', sending ?? approve),
    send: may('results.invite', sending ?? send),
    remind: may('results.invite', sending ?? over ?? (progress.due > 0 ? true : 'next_level.nobody_open')),
  }
}

async function countedBy(db: Db, eventId: number) {
  const { rows } = await sql<InvitationCounts & { classId: number | null; state: string | null }>`
    select i.class_id as "classId", o.state, ${counts} from ${invited} join schools o on o.id = i.school_id
    where d.event_id = ${eventId} group by grouping sets ((i.class_id), (o.state))`.execute(db)
  const bare = ({ classId: _c, state: _s, ...rest }: (typeof rows)[number]) => rest
  return {
    classes: rows
      .flatMap((row) => (row.classId === null ? [] : [{ ...row, classId: row.classId }]))
      .sort((a, b) => a.classId - b.classId)
      .map((row) => ({ key: String(row.classId), label: className(row.classId), ...bare(row) })),
    states: rows
      .flatMap((row) => (row.classId !== null || row.state === null ? [] : [{ ...row, state: row.state }]))
      .sort((a, b) => b.invited - a.invited || a.state.localeCompare(b.state))
      .map((row) => ({ key: row.state, label: row.state, ...bare(row) })),
  }
}

/** One list with its progress, counts and permitted actions. */
export async function roundOf(db: Db, scope: OfficeScope, now: Date, eventId: number) {
  const head = orNotFound((await heads(db, now, sql`e.id = ${eventId}`))[0])
  const line = lineOf(head)
  const progress = await progressOf(db, scope, now, eventId)
  const corrected = progress !== undefined && head.visible_id !== null && head.visible_id !== head.list_id
  const { rows } = corrected
    ? await sql<{ added: number; removed: number }>`
        select count(*) filter (where change = 'added')::int as added, count(*) filter (where change = 'removed')::int as removed
        from ${changesOfList(eventId, head.visible_id ?? 0)} c`.execute(db)
    : { rows: [] }
  const job = progress?.job_id ? await readJob(db, progress.job_id) : undefined
  const { schools, children, nobody, withheld, open, due } = progress ?? empty
  const { added = 0, removed = 0 } = rows[0] ?? {}
  return {
    round: {
      ...line,
      version: progress?.version ?? 0,
      note: progress?.note ?? '',
      madeBy: progress?.madeBy ?? '',
      approvedBy: progress?.approvedBy ?? '',
      approvedAt: progress?.approvedAt ?? null,
      added,
      removed,
      schools,
      children,
      nobody,
      withheld,
      open,
      due,
      job: job
        ? {
            jobId: job.id,
            kind: job.kind,
            state: job.state,
            done: job.done,
            total: job.total,
            error: job.error,
          }
        : null,
      can: allowances(scope, line, progress, istDay(now), added + removed > 0),
    },
    ...(await countedBy(db, eventId)),
  }
}
