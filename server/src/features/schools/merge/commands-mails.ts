import { mailSender } from '#features/office/settings/queries-foundation'
import type { Tx } from '#platform/db/database'
import { enqueueMail } from '#platform/jobs/outbox'
import { peopleCameMail } from '#platform/mail/mail-templates-colleagues'

interface School {
  id: number
  name: string
}

const peopleOf = (tx: Tx, { id }: School) =>
  tx
    .selectFrom('users')
    .select(['id', 'name', 'email', 'language', 'coordinator'])
    .where('school_id', '=', id)
    .where('disabled_at', 'is', null)
    .orderBy('id')
    .execute()

/** Tells who coordinates the school that stays whom the merge brings in, before they come; nobody where nobody comes. */
export async function tellWhoCame(tx: Tx, now: Date, stays: School, leaves: School): Promise<void> {
  const coming = await peopleOf(tx, leaves)
  if (coming.length === 0) return
  const sender = await mailSender(tx)
  for (const person of (await peopleOf(tx, stays)).filter(({ coordinator }) => coordinator)) {
    await enqueueMail(tx, now, {
      key: `merged:${leaves.id}:${person.id}`,
      kind: 'joined',
      to: { name: person.name, address: person.email },
      ...peopleCameMail(sender, person.language === 'hi' ? 'hi' : 'en', {
        name: person.name,
        people: coming.map(({ name }) => name).join(', '),
        school: stays.name,
      }),
    })
  }
}
