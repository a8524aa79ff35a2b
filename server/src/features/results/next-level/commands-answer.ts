import type { InvitationAnswer } from '@podium/contract/results/calls-next-level'
import { istDay } from '@podium/contract/season'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { SchoolScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { found, Refusal } from '#platform/errors'

interface Answers {
  eventYearId: number
  answers: readonly { studentId: number; answer: InvitationAnswer; note: string }[]
}

/**
 * Confirms or declines invited children of the own school, all or none. Refuses after the last day; a child that is not
 * invited, not told of yet, another school's or of held results is not found.
 */
export async function answerFor(tx: Tx, scope: SchoolScope, now: Date, input: Answers): Promise<number> {
  const { eventYearId: eventId } = input
  const answers = [...new Map(input.answers.map((one) => [one.studentId, one])).values()]
  const { rows } = await sql<{ season: string; open: boolean }>`
    select d.season, d.answer_by >= ${istDay(now)}::date as open from next_level_rounds d
    where d.event_id = ${eventId} and exists (
      select from next_level_invitations i
      where i.event_id = d.event_id and i.school_id = ${scope.schoolId} and i.told = 'invited')
      and not exists (select from result_holds h where h.event_id = d.event_id and h.school_id = ${scope.schoolId})
    for share of d`.execute(tx)
  const round = found(rows[0])
  if (!round.open) throw new Refusal('next_level.closed')
  const ids = answers.map(({ studentId }) => studentId)
  const { rows: written } = await sql<{ answer: InvitationAnswer; roll: string }>`
    update next_level_invitations i set answer = a.answer, answer_note = a.note, answered_by = ${scope.userId},
      answered_at = ${now}::timestamptz
    from unnest(${ids}::bigint[], ${answers.map(({ answer }) => answer)}::text[], ${answers.map(
      ({ answer, note }) => (answer === 'no' ? note : ''),
    )}::text[]) as a (student_id, answer, note)
    where i.event_id = ${eventId} and i.student_id = a.student_id and i.school_id = ${scope.schoolId}
      and i.told = 'invited'
    returning i.answer, (select coalesce(s.exam_roll_no, '') from students s where s.id = i.student_id) as roll`.execute(
    tx,
  )
  if (written.length !== answers.length) throw new Refusal('not_found')
  const said = (wanted: InvitationAnswer) =>
    written
      .filter(({ answer }) => answer === wanted)
      .map(({ roll }) => roll)
      .join(', ')
  const subject = { kind: 'next_level', id: eventId, schoolId: scope.schoolId, season: round.season }
  await audit(tx, now, scope, 'next_level.answered', subject, { yes: said('yes'), no: said('no') })
  return answers.length
}
