import { sentenceOf } from '@podium/contract/errors'
import { istDay } from '@podium/contract/season'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { SchoolScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { orNotFound, Refusal } from '#platform/errors'
import { findParticipation } from './queries.ts'
import { lastDayToChoose, reasonAgainst } from './rules.ts'

interface Choice {
  eventManagementId: number
  examDateId: number
  /** Of the card that was shown; any where absent */
  version?: number | undefined
}

interface Before {
  version: number
  examDateId: number | null
  examDate: string | null
}

/**
 * Chooses the date of one event for the school, or changes the choice. Choosing the date that stands already changes
 * nothing. Another school's participation is not_found; otherwise the refusal says what is against it (threats, T24).
 */
export async function chooseExamDate(tx: Tx, scope: SchoolScope, now: Date, choice: Choice): Promise<void> {
  const { rows } = await sql<Before>`
    select p.version, p.exam_date_id as "examDateId", d.held_on as "examDate"
    from participations p left join exam_dates d on d.id = p.exam_date_id
    where p.id = ${choice.eventManagementId} and p.school_id = ${scope.schoolId}
    for update of p`.execute(tx)
  const before = orNotFound(rows[0])
  if (before.examDateId === choice.examDateId) return
  if (choice.version !== undefined && choice.version !== before.version)
    throw new Refusal('changed_meanwhile')
  const chosen = await write(tx, scope, now, choice, before.version)
  if (!chosen) throw await explainRefusal(tx, scope, now, choice)
  await audit(
    tx,
    now,
    scope,
    'exam_date.chosen',
    { kind: 'participation', id: choice.eventManagementId, season: chosen.season },
    { letter: chosen.letter, from: before.examDate, to: chosen.examDate },
  )
}

interface Chosen {
  season: string
  letter: string
  examDate: string
}

/** The guarded statement: it alone decides. */
async function write(
  tx: Tx,
  scope: SchoolScope,
  now: Date,
  choice: Choice,
  version: number,
): Promise<Chosen | undefined> {
  const { rows } = await sql<Chosen>`
    update participations p set exam_date_id = d.id, version = p.version + 1
    from events e join seasons s on s.label = e.season
      join exam_dates one on one.event_id = e.id and one.ordinal = 1
      join exam_dates d on d.event_id = e.id and d.ordinal in (1, 2)
    where p.id = ${choice.eventManagementId} and p.school_id = ${scope.schoolId} and p.version = ${version}
      and e.id = p.event_id and e.mode = 'Offline' and d.id = ${choice.examDateId}
      and ${istDay(now)}::date <= one.held_on - s.date_choice_days
      and exists (
        select from enrolments n join students st on st.id = n.student_id
        where n.school_id = p.school_id and n.event_id = p.event_id and st.active and st.paid)
      and not exists (
        select from enrolments n join students st on st.id = n.student_id
        where n.school_id = p.school_id and n.event_id = p.event_id and st.active and not st.paid)
    returning e.season, e.letter, d.held_on as "examDate"`.execute(tx)
  return rows[0]
}

/** Finds the sentence for a choice that its guard held back, with the figures behind it. */
async function explainRefusal(tx: Tx, scope: SchoolScope, now: Date, choice: Choice): Promise<Refusal> {
  const row = orNotFound(await findParticipation(tx, scope, choice.eventManagementId))
  if (row.mode !== 'Offline') return new Refusal('exam.online')
  const { totalStudent, paidStudent, waitingStudent } = row
  const reason = reasonAgainst(row, istDay(now))
  if (reason) {
    const until = lastDayToChoose(row)
    return new Refusal(reason, { fields: { totalStudent, paidStudent, waitingStudent, until } })
  }
  const { examDateId } = choice
  if (examDateId !== row.firstDateId && examDateId !== row.secondDateId) {
    const issues = [{ path: 'examDateId', message: sentenceOf('exam.date_not_offered') }]
    return new Refusal('exam.date_not_offered', { issues })
  }
  return new Refusal('changed_meanwhile')
}
