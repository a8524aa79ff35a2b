import type { ParsedBody } from '@podium/contract/endpoint'
import { sentenceOf } from '@podium/contract/errors'
import type { answerInvitations, InvitationAnswer } from '@podium/contract/results/calls-next-level'
import { istDay } from '@podium/contract/season'
import { sql } from 'kysely'
import { visibleSet } from '#features/results/queries'
import { refuseRecentJoiner } from '#features/staff/queries'
import { audit } from '#platform/audit'
import type { OfficeScope, SchoolScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { orNotFound, Refusal, refuseField } from '#platform/errors'
import { canBeInvited, changesOfList, resultJoin, studentJoin } from './queries.ts'

interface Terms {
  answerBy: string
  note: string
}

interface RoundVersion {
  eventYearId: number
  version: number
}

export const subjectOf = (eventId: number, season: string) => ({ kind: 'next_level', id: eventId, season })

interface LockedRound {
  season: string
  made_at: Date
  level: number
  set_id: number
  answer_by: string
  note: string
  version: number
  approved: boolean
  sending: boolean
}

/** Locks a list. Refuses if there is none, or its version is not the one shown. */
export async function lockRound(tx: Tx, eventId: number, version?: number): Promise<LockedRound> {
  await sql`select from next_level_rounds where event_id = ${eventId} for update`.execute(tx)
  // A separate statement, because one that waits for a lock does not see a job enqueued meanwhile.
  const { rows } = await sql<LockedRound>`
    select d.season, d.made_at, d.level, d.set_id, d.answer_by, d.note, d.version, d.approved_at is not null as approved, exists (
      select from jobs j where j.id = d.job_id and j.state in ('waiting', 'running')) as sending
    from next_level_rounds d where d.event_id = ${eventId}`.execute(tx)
  const round = orNotFound(rows[0], 'next_level.no_list')
  if (round.sending) throw new Refusal('next_level.sending')
  if (version !== undefined && version !== round.version) throw new Refusal('changed_meanwhile')
  return round
}

function checkDay(answerBy: string, now: Date): void {
  if (answerBy < istDay(now)) throw refuseField('answerBy', sentenceOf('next_level.day_past'))
}

/** Records the officer as an editor, who can't approve the list, and revokes an approval. */
async function touch(tx: Tx, scope: OfficeScope, now: Date, eventId: number, set: number | null = null) {
  await sql`
    update next_level_rounds set version = version + 1, made_by = ${scope.staffId}, made_at = ${now}::timestamptz,
      set_id = coalesce(${set}::bigint, set_id),
      prepared_by = (case when approved_at is null then prepared_by else '{}' end) || ${scope.staffId}::bigint,
      approved_by = null, approved_at = null
    where event_id = ${eventId}`.execute(tx)
}

/** The released version and the level its rules lead to. */
async function leading(tx: Tx, now: Date, eventId: number) {
  const { rows } = await sql<{
    season: string
    id: number | null
    version: number | null
    level: number | null
  }>`
    select e.season, v.id, v.version, (v.rules->'nextLevel'->>'level')::int as level
    from events e left join lateral ${visibleSet(sql`e.id`, now)} v on true
    where e.id = ${eventId}`.execute(tx)
  const { season, id, version, level } = orNotFound(rows[0])
  if (id === null || version === null) throw new Refusal('next_level.nothing_out')
  if (level === null) throw new Refusal('next_level.leads_nowhere')
  return { season, id, version, level }
}

/** SQL: the search text of an invitation: name and exam roll number, from student `s` and result `r`. */
const foundBy = sql`s.name_key || ' ' || lower(coalesce(r.exam_roll_no, s.exam_roll_no, ''))`

/** Refuses a list that results released since would change: a school would be told what its results contradict. */
export async function refuseOutdated(tx: Tx, now: Date, eventId: number, setId: number): Promise<void> {
  const { rows } = await sql`
    select from ${visibleSet(sql`${eventId}::bigint`, now)} v
    where v.id <> ${setId} and exists (select from ${changesOfList(eventId, sql`v.id`)} c)`.execute(tx)
  if (rows.length > 0) throw new Refusal('next_level.corrected')
}

/** Creates the list of an event: all students eligible in the released version. */
export async function makeRound(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  input: Terms & { eventYearId: number },
): Promise<void> {
  const { eventYearId: eventId, answerBy, note } = input
  checkDay(answerBy, now)
  const set = await leading(tx, now, eventId)
  const { rows } = await sql`
    insert into next_level_rounds (event_id, season, level, set_id, answer_by, note, made_by, made_at, prepared_by)
    values (${eventId}, ${set.season}, ${set.level}, ${set.id}, ${answerBy}::date, ${note}, ${scope.staffId},
      ${now}::timestamptz, array[${scope.staffId}]::bigint[])
    on conflict (event_id) do nothing returning event_id`.execute(tx)
  if (rows.length === 0) throw new Refusal('next_level.made')
  const { numAffectedRows } = await sql`
    insert into next_level_invitations (event_id, student_id, school_id, class_id, found_by, wanted, decided_at)
    select r.event_id, r.student_id, r.school_id, r.class_id, ${foundBy}, true, ${now}::timestamptz
    from results r join students s on s.id = r.student_id and ${canBeInvited}
    where r.set_id = ${set.id} and r.next_level`.execute(tx)
  await audit(tx, now, scope, 'next_level.made', subjectOf(eventId, set.season), {
    version: set.version,
    answerBy,
    invited: Number(numAffectedRows ?? 0),
  })
}

/** Changes date and text of a list. Invitations already sent stay; the others need a new approval. */
export async function saveRound(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  input: Terms & RoundVersion,
): Promise<void> {
  const { eventYearId: eventId, version, answerBy, note } = input
  checkDay(answerBy, now)
  const round = await lockRound(tx, eventId, version)
  await sql`
    update next_level_rounds set answer_by = ${answerBy}::date, note = ${note}
    where event_id = ${eventId}`.execute(tx)
  await touch(tx, scope, now, eventId)
  await audit(tx, now, scope, 'next_level.saved', subjectOf(eventId, round.season), {
    from: { answerBy: round.answer_by, note: round.note },
    to: { answerBy, note },
  })
}

/**
 * Applies a correction of the results to the list: adds newly eligible students and removes others, except those decided by a
 * person. Sends nothing.
 */
export async function takeOver(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  input: RoundVersion & { visibleVersion: number },
): Promise<{ added: number; removed: number }> {
  const { eventYearId: eventId, version, visibleVersion } = input
  const round = await lockRound(tx, eventId, version)
  const set = await leading(tx, now, eventId)
  if (set.version !== visibleVersion) throw new Refusal('changed_meanwhile')
  if (set.id === round.set_id) throw new Refusal('next_level.no_difference')
  const counted = await sql<{ added: number; removed: number }>`
    select count(*) filter (where change = 'added')::int as added, count(*) filter (where change = 'removed')::int as removed
    from ${changesOfList(eventId, set.id)} c`.execute(tx)
  await sql`
    update next_level_invitations i set wanted = false, decided_by = null, decided_at = ${now}::timestamptz
    where i.event_id = ${eventId} and i.wanted and not i.by_hand and not exists (
      select from results r
      where r.set_id = ${set.id} and r.student_id = i.student_id and r.next_level)`.execute(tx)
  await sql`
    insert into next_level_invitations as i (event_id, student_id, school_id, class_id, found_by, wanted, decided_at)
    select r.event_id, r.student_id, r.school_id, r.class_id, ${foundBy}, true, ${now}::timestamptz
    from results r join students s on s.id = r.student_id and ${canBeInvited}
    where r.set_id = ${set.id} and r.next_level
    on conflict (event_id, student_id) do update set wanted = true, decided_by = null, decided_at = excluded.decided_at
      where not i.by_hand and not i.wanted`.execute(tx)
  // A moved student has a different number in the corrected version.
  await sql`
    update next_level_invitations t set found_by = k.found_by
    from (select i.student_id, ${foundBy} as found_by
      from next_level_invitations i cross join (select ${set.id}::bigint as set_id) d ${studentJoin} ${resultJoin}
      where i.event_id = ${eventId}) k
    where t.event_id = ${eventId} and t.student_id = k.student_id and t.found_by <> k.found_by`.execute(tx)
  const { added, removed } = orNotFound(counted.rows[0])
  if (added + removed > 0) await touch(tx, scope, now, eventId, set.id)
  else
    await sql`update next_level_rounds set set_id = ${set.id}, version = version + 1
      where event_id = ${eventId}`.execute(tx)
  await audit(tx, now, scope, 'next_level.taken_over', subjectOf(eventId, round.season), {
    version: set.version,
    added,
    removed,
  })
  return { added, removed }
}

interface Decision extends RoundVersion {
  studentIds: number[]
  as: 'invite' | 'leave' | 'rules'
  reason: string
}

/** Includes or excludes students by hand with a reason, or lets the rules decide again. Returns how many changed. */
export async function decide(tx: Tx, scope: OfficeScope, now: Date, input: Decision): Promise<number> {
  const { eventYearId: eventId, version, studentIds, as, reason } = input
  const round = await lockRound(tx, eventId, version)
  const by = sql`decided_by = ${scope.staffId}, decided_at = ${now}::timestamptz`
  const { rows } = await (as === 'invite'
    ? sql<{ student_id: number }>`
        insert into next_level_invitations
          (event_id, student_id, school_id, class_id, found_by, wanted, by_hand, reason, decided_by, decided_at)
        select r.event_id, r.student_id, r.school_id, r.class_id, ${foundBy}, true, true, ${reason}, ${scope.staffId}, ${now}::timestamptz
        from results r join students s on s.id = r.student_id and ${canBeInvited}
        where r.set_id = ${round.set_id} and r.present and r.student_id = any(${studentIds}::bigint[])
        on conflict (event_id, student_id) do update set wanted = true, by_hand = true, reason = excluded.reason,
          decided_by = excluded.decided_by, decided_at = excluded.decided_at
        returning student_id`
    : sql<{ student_id: number }>`
        update next_level_invitations i set ${by}, by_hand = ${as === 'leave'},
          reason = ${as === 'leave' ? reason : ''},
          wanted = ${
            as === 'leave'
              ? sql`false`
              : sql`exists (
                select from results r join students s on s.id = r.student_id and ${canBeInvited}
                where r.set_id = ${round.set_id} and r.student_id = i.student_id and r.next_level)`
          }
        where i.event_id = ${eventId} and i.student_id = any(${studentIds}::bigint[])
        returning i.student_id`
  ).execute(tx)
  if (rows.length === 0) throw new Refusal('not_found')
  await touch(tx, scope, now, eventId)
  await audit(tx, now, scope, `next_level.${as}`, subjectOf(eventId, round.season), {
    students: rows.map(({ student_id }) => student_id),
    reason,
  })
  return rows.length
}

/**
 * Approves a list as shown. The guard in the statement excludes officers who created or changed it since the last approval, or
 * who joined the office after its last change. Refuses one that a correction of the results would change.
 */
export async function approveRound(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  input: RoundVersion,
): Promise<void> {
  const { eventYearId: eventId, version } = input
  const round = await lockRound(tx, eventId, version)
  const { rows } = await sql`
    update next_level_rounds set approved_by = ${scope.staffId}, approved_at = ${now}::timestamptz
    where event_id = ${eventId} and approved_at is null and not (${scope.staffId} = any(prepared_by))
    returning event_id`.execute(tx)
  if (rows.length === 0) throw new Refusal(round.approved ? 'next_level.approved' : 'next_level.same_person')
  await refuseRecentJoiner(tx, scope, round.made_at)
  await refuseOutdated(tx, now, eventId, round.set_id)
  await audit(tx, now, scope, 'next_level.approved', subjectOf(eventId, round.season))
}

/**
 * Confirms or declines invited students of the caller's school, all or none. Refuses after the last day, and with
 * `changed_meanwhile` where a colleague has given another answer than shown. Students who are not invited or not notified
 * yet, another school's, and those with withheld results are not found.
 */
export async function answerFor(
  tx: Tx,
  scope: SchoolScope,
  now: Date,
  input: ParsedBody<typeof answerInvitations>,
): Promise<number> {
  const { eventYearId: eventId } = input
  const answers = [...new Map(input.answers.map((answer) => [answer.studentId, answer])).values()]
  const { rows } = await sql<{ season: string; open: boolean }>`
    select d.season, d.answer_by >= ${istDay(now)}::date as open from next_level_rounds d
    where d.event_id = ${eventId} and exists (
      select from next_level_invitations i
      where i.event_id = d.event_id and i.school_id = ${scope.schoolId} and i.notice = 'invited')
      and not exists (select from result_holds h where h.event_id = d.event_id and h.school_id = ${scope.schoolId})
    for share of d`.execute(tx)
  const round = orNotFound(rows[0])
  if (!round.open) throw new Refusal('next_level.closed')
  const ids = answers.map(({ studentId }) => studentId)
  const { rows: given } = await sql<{ id: number; answer: '' | InvitationAnswer }>`
    select student_id as id, answer from next_level_invitations
    where event_id = ${eventId} and student_id = any(${ids}::bigint[]) and school_id = ${scope.schoolId}
    order by student_id for update`.execute(tx)
  const answerOf = new Map(given.map(({ id, answer }) => [id, answer]))
  const changed = answers.filter(({ studentId, was, answer }) => {
    const given = answerOf.get(studentId)
    return was !== undefined && given !== undefined && given !== was && given !== answer
  })
  if (changed.length > 0) throw new Refusal('changed_meanwhile')
  const { rows: written } = await sql<{ answer: InvitationAnswer; roll: string }>`
    update next_level_invitations i set answer = a.answer, answer_note = a.note, answered_by = ${scope.userId},
      answered_at = ${now}::timestamptz
    from unnest(${ids}::bigint[], ${answers.map(({ answer }) => answer)}::text[], ${answers.map(
      ({ answer, note }) => (answer === 'no' ? note : ''),
    )}::text[]) as a (student_id, answer, note)
    where i.event_id = ${eventId} and i.student_id = a.student_id and i.school_id = ${scope.schoolId}
      and i.notice = 'invited'
    returning i.answer,
    (select coalesce(s.exam_roll_no, '') from students s where s.id = i.student_id) as roll`.execute(tx)
  if (written.length !== answers.length) throw new Refusal('not_found')
  const rollNos = (wanted: InvitationAnswer) =>
    written
      .filter(({ answer }) => answer === wanted)
      .map(({ roll }) => roll)
      .join(', ')
  const subject = { kind: 'next_level', id: eventId, schoolId: scope.schoolId, season: round.season }
  await audit(tx, now, scope, 'next_level.answered', subject, { yes: rollNos('yes'), no: rollNos('no') })
  return answers.length
}
