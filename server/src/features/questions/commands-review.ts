import { audit } from '#platform/audit'
import type { Tx } from '#platform/database'
import { found, Refusal } from '#platform/errors'
import type { OfficeScope } from '#platform/scope'

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
