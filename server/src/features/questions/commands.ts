import { messages } from '@podium/contract/messages'
import { optionAlike, optionNames, type questionForm } from '@podium/contract/questions/calls'
import type { Season } from '@podium/contract/season'
import type * as z from 'zod/mini'
import { audit } from '#platform/audit'
import type { OfficeScope, SchoolScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { orNotFound, Refusal, refuseField } from '#platform/errors'
import { runBulk } from '#platform/http/idempotency'

type Question = z.output<typeof questionForm> & { season: Season }

/** A season that is over takes no more questions; the class must be offered the subject in it. */
async function checkOffer(tx: Tx, { season, eventLetter, classId }: Question): Promise<void> {
  const { state } = orNotFound(
    await tx.selectFrom('seasons').select('state').where('label', '=', season).executeTakeFirst(),
  )
  if (state === 'closed') throw new Refusal('questions.season_closed')
  const offered = await tx
    .selectFrom('event_fees as f')
    .innerJoin('events as e', 'e.id', 'f.event_id')
    .select('e.id')
    .where('e.season', '=', season)
    .where('e.letter', '=', eventLetter)
    .where('e.level', '=', 1)
    .where('f.class_id', '=', classId)
    .executeTakeFirst()
  if (!offered) throw refuseField('eventLetter', messages.subjectNotOfClass)
}

/**
 * Sends a question of one of the school's teachers to the foundation; gives its id. The same question for the same
 * class and subject counts once, whatever its case; one that was declined may be sent again.
 */
export async function sendQuestion(
  tx: Tx,
  scope: SchoolScope,
  now: Date,
  question: Question,
): Promise<number> {
  const alike = optionAlike(question)
  if (alike) throw refuseField(alike, messages.optionsAlike)
  await checkOffer(tx, question)
  const { season, eventLetter, classId, chapter, answer } = question
  const sent = await tx
    .insertInto('teacher_questions')
    .values({
      school_id: scope.schoolId,
      season,
      user_id: scope.userId,
      letter: eventLetter,
      class_id: classId,
      chapter,
      question: question.question,
      options: JSON.stringify(optionNames.map((name) => question[name])),
      answer,
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!sent) throw new Refusal('questions.sent_already')
  const to = { letter: eventLetter, classId, chapter }
  await audit(tx, now, scope, 'question.sent', { kind: 'question', id: sent.id, season }, { to })
  return sent.id
}

interface Review {
  id: number
  version: number
  state: 'accepted' | 'declined'
  reason: string
}

/** Ends the review of a question in one statement: who comes second is told so. Refuses `not_found`, `questions.reviewed`. */
export async function reviewQuestion(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { id, version, state, reason }: Review,
): Promise<void> {
  const reviewed = await tx
    .updateTable('teacher_questions')
    .set({ state, reason, reviewed_by: scope.staffId, reviewed_at: now, version: version + 1 })
    .where('id', '=', id)
    .where('state', '=', 'sent')
    .where('version', '=', version)
    .returning(['school_id', 'season'])
    .executeTakeFirst()
  if (!reviewed) {
    orNotFound(await tx.selectFrom('teacher_questions').select('id').where('id', '=', id).executeTakeFirst())
    throw new Refusal('questions.reviewed')
  }
  const subject = { kind: 'question', id, schoolId: reviewed.school_id, season: reviewed.season }
  const said = reason === '' ? {} : { reason }
  await audit(tx, now, scope, `question.${state}`, subject, { from: 'sent', to: state, ...said })
}

/** Ends the review of several questions, each by itself; which of them were refused, and why, is answered. */
export function reviewQuestions(
  db: Db,
  scope: OfficeScope,
  now: Date,
  reviews: readonly Review[],
  key: string | undefined,
) {
  return runBulk(db, now, { caller: `office:${scope.staffId}`, key }, reviews, async (tx, review) => {
    await reviewQuestion(tx, scope, now, review)
    return { id: review.id }
  })
}
