import type { EligibilityRule, EventRules, RankScope } from '@podium/contract/results/schemas'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#platform/db/database'
import { markUnit, tieBreakIndexes } from '../rules.ts'
import type { ComputedSet } from './commands-ranks.ts'

const column = (by: RankScope, what: 'rank' | 'pool') => sql.ref(`r.${by}_${what}`)

/** The medal of the row `r` of `ranked`. */
export function medalCase(rules: EventRules): RawBuilder<unknown> {
  if (rules.medals.length === 0) return sql`''`
  const cases = rules.medals.map(
    ({ medal, classRank, minimumPool }) =>
      sql`when r.class_rank = ${classRank}::int and r.class_pool >= ${minimumPool}::int then ${medal}`,
  )
  return sql`case ${sql.join(cases, sql` `)} else '' end`
}

/** How many more would have had to sit for the medal of this rank; null where the rank brings none. */
function medalShort(rules: EventRules): RawBuilder<unknown> {
  if (rules.medals.length === 0) return sql`null::int`
  const cases = rules.medals.map(
    ({ classRank, minimumPool }) =>
      sql`when r.class_rank = ${classRank}::int then greatest(0, ${minimumPool}::int - r.class_pool)`,
  )
  return sql`case ${sql.join(cases, sql` `)} end`
}

/**
 * By how much the raw marks `m` are above so many percent of the maximum, in hundredths of a ten-thousandth: multiplied out,
 * so that nothing is divided or rounded before it is compared.
 */
const above = (percent: number, maximumMarks: number) =>
  sql`(m.raw_score::numeric * 100 - ${percent}::numeric * ${maximumMarks * markUnit}::numeric)`

/** Whether the marks `m` with the rank `r` lead on to the next level. */
export function eligible(next: EligibilityRule | null, maximumMarks: number): RawBuilder<unknown> {
  if (!next || next.classes.length === 0) return sql`false`
  const clauses = next.clauses.map(
    (clause) => sql`(${column(clause.by, 'rank')} <= ${clause.upToRank}::int
      and ${above(clause.percent, maximumMarks)} >= 0 and ${column(clause.by, 'pool')} >= ${clause.minimumPool}::int)`,
  )
  return sql`(r.student_id is not null and m.class_id = any(${next.classes}::int[])
    and (${sql.join(clauses, sql` or `)}))`
}

/** By how much each condition of each clause was met or missed; cut downwards, so that what was missed stays below 0. */
function margins(next: EligibilityRule | null, maximumMarks: number): RawBuilder<unknown> {
  if (!next) return sql`null::jsonb`
  const clauses = next.clauses.map(
    (clause) => sql`jsonb_build_array(${clause.upToRank}::int - ${column(clause.by, 'rank')},
      trim_scale(floor(${above(clause.percent, maximumMarks)} * 1000000 / ${maximumMarks * markUnit}::numeric) / 1000000),
      ${column(clause.by, 'pool')} - ${clause.minimumPool}::int)`,
  )
  return sql`jsonb_build_array(${sql.join(clauses)})`
}

/** The words of each place of each ladder, as rows to join with. */
function placeWords(rules: EventRules): string {
  return JSON.stringify(
    rules.ladders.flatMap(({ kind, places }, ladder) =>
      places.map(({ title, amount, message, couponLink }, place) => ({
        ladder,
        place_no: place,
        prize: kind === 'prize' ? message : '',
        award: kind === 'award' ? title : '',
        amount: Math.round(amount * 100),
        coupon: couponLink,
      })),
    ),
  )
}

/** The common table expressions `words` and `prizes`: what each student in `won` has won, in words. */
export const prizeParts = (rules: EventRules): RawBuilder<unknown> => sql`
    words as (
      select * from jsonb_to_recordset(${placeWords(rules)}::jsonb)
        as w(ladder int, place_no int, prize text, award text, amount int, coupon text)),
    prizes as (
      select w.student_id, string_agg(nullif(words.prize, ''), '; ' order by w.ladder) as prize,
        string_agg(nullif(words.award, ''), '; ' order by w.ladder) as award, sum(words.amount) as amount,
        max(words.coupon) as coupon,
        jsonb_agg(jsonb_build_array(w.ladder, w.place_no, w.rank, w.place) order by w.ladder) as won
      from won w join words on words.ladder = w.ladder and words.place_no = w.place_no
      group by w.student_id)`

/**
 * Writes the version's results from its marks, ranks and prizes: wide rows, since they are read a thousand times and
 * written once. What an earlier computation wrote is replaced. The absent have a row without any rank.
 */
export async function writeResults(tx: Tx, set: ComputedSet): Promise<void> {
  const { rules, setId } = set
  const breaks = tieBreakIndexes(rules, set.sections).map(
    (index) => sql`m.section_marks[${sql.raw(String(index + 1))}]`,
  )
  await sql`delete from results where set_id = ${setId}`.execute(tx)
  await sql`
    with ${prizeParts(rules)}
    insert into results (set_id, student_id, event_id, school_id, class_id, section, state, zone, exam_roll_no,
      student_name, present, section_marks, raw_score, final_score, tie_breaks,
      class_rank, state_rank, zonal_rank, olympiad_rank, class_pool, state_pool, zonal_pool, olympiad_pool,
      medal, prize, prize_amount, coupon_link, award, next_level, reason)
    select ${setId}, m.student_id, ${set.eventId}, m.school_id, m.class_id, s.section, h.state, h.zone, s.exam_roll_no,
      s.name, m.present, m.section_marks, m.raw_score, m.final_score, array[${sql.join(breaks)}]::int[],
      r.class_rank, r.state_rank, r.zonal_rank, r.olympiad_rank,
      r.class_pool, r.state_pool, r.zonal_pool, r.olympiad_pool,
      ${medalCase(rules)}, coalesce(p.prize, ''), coalesce(p.amount, 0)::int, coalesce(p.coupon, ''),
      coalesce(p.award, ''), ${eligible(rules.nextLevel, set.maximumMarks)},
      case when r.student_id is null then jsonb_build_object('rules', ${set.rulesVersion}::int)
      else jsonb_strip_nulls(jsonb_build_object('rules', ${set.rulesVersion}::int,
        'by', jsonb_build_array(r.class_by, r.state_by, r.zonal_by, r.olympiad_by),
        'medal', ${medalShort(rules)}, 'won', p.won, 'next', ${margins(rules.nextLevel, set.maximumMarks)})) end
    from result_marks m
    join students s on s.id = m.student_id
    join schools h on h.id = m.school_id
    left join ranked r on r.student_id = m.student_id
    left join prizes p on p.student_id = m.student_id
    where m.set_id = ${setId}`.execute(tx)
}
