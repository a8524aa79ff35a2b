import type { SchoolNote } from '@podium/contract/schools/calls-record'
import { istDay } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
import { instant, pageOf } from '#platform/db/list-queries'

const pageSize = 50

/** SQL: note `n` has an open follow-up. */
const toFollowUp = sql`n.follow_up is not null and n.followed_up_at is null`

/** SQL: note `n` has a follow-up that is due (IST). */
export const followUpDue = (now: Date): RawBuilder<unknown> =>
  sql`${toFollowUp} and n.follow_up <= ${istDay(now)}::date`

/** SQL: whether school `o` has a follow-up that is due or open. */
export const hasFollowUp = (which: 'due' | 'open', now: Date): RawBuilder<unknown> => sql`exists (
  select from school_notes n where n.school_id = o.id and ${which === 'due' ? followUpDue(now) : toFollowUp})`

/** How many follow-ups of a school are due. */
export async function followUpsDue(db: Db, now: Date, id: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from school_notes n
    where n.school_id = ${id} and ${followUpDue(now)}`.execute(db)
  return rows[0]?.n ?? 0
}

interface Row extends Omit<SchoolNote, 'due' | 'followedUp'> {
  followedUpAt: string | null
  followedUpBy: string | null
  total: number
}

/** A page of the notes on a school, newest first. */
export async function notesOf(db: Db, scope: OfficeScope, now: Date, query: { id: number; page: number }) {
  const { rows } = await sql<Row>`
    select n.id, n.version, n.kind, n.body, w.name as by, ${instant('n.written_at')} as at, ${instant('n.changed_at')} as "changedAt",
      n.follow_up::text as "followUp", ${instant('n.followed_up_at')} as "followedUpAt", f.name as "followedUpBy",
      n.written_by = ${scope.staffId} as "isAuthor", count(*) over () as total
    from school_notes n join staff w on w.id = n.written_by left join staff f on f.id = n.followed_up_by
    where n.school_id = ${query.id}
    order by n.written_at desc, n.id desc ${pageOf(query.page, pageSize)}`.execute(db)
  const today = istDay(now)
  const data = rows.map(
    ({ total: _, followedUpAt, followedUpBy, ...row }): SchoolNote => ({
      ...row,
      due: row.followUp !== null && followedUpAt === null && row.followUp <= today,
      followedUp: followedUpAt === null ? null : { at: followedUpAt, by: followedUpBy ?? '' },
    }),
  )
  return { data, total: rows[0]?.total ?? 0, pageSize }
}
