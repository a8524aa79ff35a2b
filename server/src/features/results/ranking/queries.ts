import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db/database'
import type { ClassFigures } from './queries-figures.ts'

interface Wanted {
  setId: number
  figures: readonly Pick<ClassFigures, 'classId' | 'present'>[]
  skip: number
  pageSize: number
}

/**
 * The highest olympiad rank that no more than so many results stand before, all classes together, and how many do. Equals
 * share a rank and the next is skipped, so a class has as many before a rank as its next rank says, less one: some
 * hundred looks into the index find the place, and a page costs the same however deep it lies.
 */
async function rankAt(db: Db, { setId, figures, skip }: Wanted): Promise<{ rank: number; before: number }> {
  const { rows } = await sql<{ rank: number; before: number }>`
    with recursive classes as (
      select * from unnest(${figures.map(({ classId }) => classId)}::int[], ${figures.map(({ present }) => present)}::int[])
        as u (class_id, present)),
    steps (low, high, before) as (
      select 1, coalesce(max(present), 0) + 1, 0::bigint from classes
      union all
      select case when b.n <= ${skip} then s.middle else s.low end, case when b.n <= ${skip} then s.high else s.middle end,
        case when b.n <= ${skip} then b.n else s.before end
      from (select *, (low + high) / 2 as middle from steps where high - low > 1) s cross join lateral (
        select sum(coalesce((
          select r.olympiad_rank - 1 from results r
          where r.set_id = ${setId} and r.class_id = c.class_id and r.olympiad_rank >= s.middle
          order by r.olympiad_rank limit 1), c.present)) as n
        from classes c) b)
    select low as rank, before from steps order by high - low limit 1`.execute(db)
  return rows[0] ?? { rank: 1, before: 0 }
}

/**
 * The students of a version by olympiad rank, then class and roll number, the absent last: as a statement to be limited,
 * which begins a little before the place that is wanted, and how many are still to be skipped.
 */
export async function fromRank(db: Db, wanted: Wanted) {
  const { setId, figures, pageSize } = wanted
  const { rank, before } = await rankAt(db, wanted)
  const skip = wanted.skip - before
  const all = figures.reduce((sum, { present }) => sum + present, 0)
  const ofClasses = (where: RawBuilder<unknown>) => sql`
    select p.* from unnest(${figures.map(({ classId }) => classId)}::int[]) as c (class_id) cross join lateral (
      select r.student_id, r.olympiad_rank, r.class_id, r.exam_roll_no from results r
      where r.set_id = ${setId} and r.class_id = c.class_id and ${where}
      order by r.olympiad_rank, r.exam_roll_no limit ${skip + pageSize}) p`
  const present = ofClasses(sql`r.olympiad_rank >= ${rank}`)
  const absent =
    wanted.skip + pageSize <= all ? sql`` : sql`union all ${ofClasses(sql`r.olympiad_rank is null`)}`
  const ids: RawBuilder<{ student_id: number }> = sql`
    select student_id from (${present} ${absent}) p order by olympiad_rank nulls last, class_id, exam_roll_no`
  return { ids, skip }
}
