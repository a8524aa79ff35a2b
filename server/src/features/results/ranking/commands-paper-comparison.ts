import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { found } from '#platform/errors'
import { lockSeen } from '../release/queries-seen.ts'
import { comparePapers, type PaperFigures } from './rules-paper-comparison.ts'

/** Compares the papers of the event's dates, class by class, and keeps the comparison with the version; a decision begins anew. */
export async function keepPapers(tx: Tx, set: { setId: number; eventId: number }): Promise<void> {
  const { rows } = await sql<PaperFigures>`
    select m.class_id, d.ordinal, d.held_on::text as held_on, count(*)::int as sat,
      count(distinct m.school_id)::int as schools, avg(m.raw_score)::float8 as mean,
      coalesce(stddev_samp(m.raw_score), 0)::float8 as deviation,
      percentile_cont(array[0.1, 0.25, 0.5, 0.75, 0.9]::float8[]) within group (order by m.raw_score) as quantiles
    from result_marks m
    join participations p on p.school_id = m.school_id and p.event_id = ${set.eventId}
    join exam_dates d on d.id = p.exam_date_id
    where m.set_id = ${set.setId} and m.present
    group by m.class_id, d.ordinal, d.held_on
    order by m.class_id, d.ordinal`.execute(tx)
  const classes = comparePapers(rows)
  await tx
    .updateTable('result_sets')
    .set({
      papers: classes.length === 0 ? null : JSON.stringify(classes),
      papers_differ: classes.some(({ differs }) => differs),
      papers_note: '',
      papers_decided_by: null,
      papers_decided_at: null,
    })
    .where('id', '=', set.setId)
    .execute()
}

/** Records that the marks of both dates stand as they are though the papers differ, and why. Whoever decides can't approve. */
export async function decideOnPapers(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { setId, seen, note }: { setId: number; seen: string; note: string },
): Promise<void> {
  found(await tx.selectFrom('result_sets').select('id').where('id', '=', setId).executeTakeFirst())
  const refuseOther = await lockSeen(tx, setId, seen)
  const decided = await tx
    .updateTable('result_sets')
    .set({ papers_note: note, papers_decided_by: scope.staffId, papers_decided_at: now })
    .where('id', '=', setId)
    .where('state', '=', 'computed')
    .where('papers_differ', '=', true)
    .where('papers_decided_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  found(decided, 'results.papers_alike')
  refuseOther()
  await audit(tx, now, scope, 'results.papers_decided', { kind: 'result_set', id: setId }, { note })
}
