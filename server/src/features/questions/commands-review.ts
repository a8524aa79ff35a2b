import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import { eachOf } from '#platform/bulk'
import type { Db, Tx } from '#platform/db/database'
import { found, Refusal } from '#platform/errors'

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
    found(await tx.selectFrom('teacher_questions').select('id').where('id', '=', id).executeTakeFirst())
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
  return eachOf(db, now, { caller: `office:${scope.staffId}`, key }, reviews, async (tx, review) => {
    await reviewQuestion(tx, scope, now, review)
    return { id: review.id }
  })
}
