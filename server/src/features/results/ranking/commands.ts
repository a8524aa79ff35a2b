import type { EligibilityRule, EventRules, RankScope } from '@podium/contract/results/schemas'
import { sentences } from '@podium/contract/sentences'
import { type RawBuilder, sql } from 'kysely'
import { rulesOf, sectionsOf, tieBreakIndexes } from '#features/catalogue/rules'
import { audit } from '#platform/audit'
import { type OfficeScope, systemScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { changeRows } from '#platform/db/rows'
import { notFound, orNotFound } from '#platform/errors'
import { anomalyRules } from '../marks/rules.ts'
import { lockSeen } from '../release/queries-school-preview.ts'
import { markUnit } from '../rules.ts'
import { awardLadders, type ComputedSet, rankStudents } from './commands-ranks.ts'
import { storeSetFigures } from './queries.ts'
import { comparePapers, type PaperFigures } from './rules-paper-comparison.ts'

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

/** SQL: how many more students would have had to sit for this rank's medal; null if the rank has none. */
function medalShort(rules: EventRules): RawBuilder<unknown> {
  if (rules.medals.length === 0) return sql`null::int`
  const cases = rules.medals.map(
    ({ classRank, minimumPool }) =>
      sql`when r.class_rank = ${classRank}::int then greatest(0, ${minimumPool}::int - r.class_pool)`,
  )
  return sql`case ${sql.join(cases, sql` `)} end`
}

/**
 * SQL: by how much raw marks `m` exceed a percentage of the maximum, multiplied out so that nothing is divided or rounded before
 * comparing.
 */
const above = (percent: number, maximumMarks: number) =>
  sql`(m.raw_score::numeric * 100 - ${percent}::numeric * ${maximumMarks * markUnit}::numeric)`

/** SQL: whether marks `m` with rank `r` qualify for the next level. */
export function eligible(next: EligibilityRule | null, maximumMarks: number): RawBuilder<unknown> {
  if (!next || next.classes.length === 0) return sql`false`
  const clauses = next.clauses.map(
    (clause) => sql`(${column(clause.by, 'rank')} <= ${clause.upToRank}::int
      and ${above(clause.percent, maximumMarks)} >= 0 and ${column(clause.by, 'pool')} >= ${clause.minimumPool}::int)`,
  )
  return sql`(r.student_id is not null and m.class_id = any(${next.classes}::int[])
    and (${sql.join(clauses, sql` or `)}))`
}

/** SQL: the margin of each condition of each clause, rounded down so that misses stay negative. */
function margins(next: EligibilityRule | null, maximumMarks: number): RawBuilder<unknown> {
  if (!next) return sql`null::jsonb`
  const clauses = next.clauses.map(
    (clause) => sql`jsonb_build_array(${clause.upToRank}::int - ${column(clause.by, 'rank')},
      trim_scale(floor(${above(clause.percent, maximumMarks)} * 1000000 / ${maximumMarks * markUnit}::numeric) / 1000000),
      ${column(clause.by, 'pool')} - ${clause.minimumPool}::int)`,
  )
  return sql`jsonb_build_array(${sql.join(clauses)})`
}

/** SQL: the texts of each place of each ladder, as rows to join. */
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

/** SQL: the CTEs `words` and `prizes`: the texts of what each student in `won` has won. */
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
 * Writes the version's results from marks, ranks and prizes, as wide rows because they are read often and written once.
 * Replaces an earlier computation. Absent students have a row without ranks. Of an erased student only the scores are written.
 */
async function writeResults(tx: Tx, set: ComputedSet): Promise<void> {
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
    select ${setId}, m.student_id, ${set.eventId}, m.school_id, m.class_id, s.section, h.state, h.zone,
      case when s.erased_at is null then s.exam_roll_no else '' end, s.name, m.present, m.section_marks, m.raw_score, m.final_score, array[${sql.join(breaks)}]::int[],
      r.class_rank, r.state_rank, r.zonal_rank, r.olympiad_rank,
      r.class_pool, r.state_pool, r.zonal_pool, r.olympiad_pool,
      ${medalCase(rules)}, coalesce(p.prize, ''), coalesce(p.amount, 0)::int,
      case when s.erased_at is null then coalesce(p.coupon, '') else '' end,
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

export const computeKind = 'results.compute'

/** Locks the version and returns it with its event's current rules. */
async function lockForComputing(tx: Tx, setId: number): Promise<ComputedSet & { season: string }> {
  const { rows } = await sql<{
    event_id: number
    season: string
    letter: string
    level: number
    maximum_marks: number
    sections: unknown
    rules: unknown
    rules_version: number
  }>`
    select s.event_id, e.season, e.letter, e.level, e.maximum_marks, e.sections, e.rules, e.rules_version
    from result_sets s join events e on e.id = s.event_id
    where s.id = ${setId} and s.state = 'computing' for update of s`.execute(tx)
  const row = orNotFound(rows[0], 'results.wrong_state')
  return {
    setId,
    season: row.season,
    eventId: row.event_id,
    maximumMarks: row.maximum_marks,
    rulesVersion: row.rules_version,
    rules: rulesOf(row),
    sections: sectionsOf(row.sections),
  }
}

/**
 * Updates the planner's statistics before a computation: a file has just been read, and if the table appears empty, 200,000
 * results take 90 seconds instead of a few. Runs in its own transaction, because it blocks others until the end; if someone
 * else is analyzing, their statistics are used.
 */
export async function analyzeMarks(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = '1min'`.execute(tx)
    await sql`analyze (skip_locked) result_marks`.execute(tx)
  })
}

/**
 * Brings the marks up to date with the register: a student who was moved or given another class since they were read competes
 * there, and one whose entry was cancelled is left out and reported. Returns how many were left out. From the start of a
 * computation on, such changes are refused (`students/register/queries.ts`).
 */
export async function followRegister(tx: Tx, setId: number): Promise<number> {
  await sql`
    update result_marks m set school_id = s.school_id, class_id = s.class_id from students s
    where m.set_id = ${setId} and s.id = m.student_id and (m.school_id, m.class_id) <> (s.school_id, s.class_id)`.execute(
    tx,
  )
  const { blocking, treatment } = anomalyRules.not_enrolled
  const detail = { column: 'Roll No', note: sentences.notInEvent, treatment }
  const { numAffectedRows } = await sql`
    with gone as (
      delete from result_marks m using students s
      where m.set_id = ${setId} and s.id = m.student_id and not s.active and s.erased_at is null
      returning m.row_no, m.section_marks, coalesce(s.exam_roll_no, '') as roll)
    insert into result_anomalies (set_id, row_no, exam_roll_no, kind, blocking, detail)
    select ${setId}, row_no, roll, 'not_enrolled', ${blocking},
      ${JSON.stringify(detail)}::jsonb || jsonb_build_object('value', roll, 'marks', section_marks)
    from gone order by row_no`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Computes ranks, medals, prizes, awards and eligibility of a version with reasons, in one transaction. Call `analyzeMarks` first. */
export async function computeSet(tx: Tx, now: Date, setId: number): Promise<void> {
  await sql`set local statement_timeout = '15min'`.execute(tx)
  const set = await lockForComputing(tx, setId)
  await rankStudents(tx, set)
  await sql`analyze ranked`.execute(tx)
  await awardLadders(tx, set)
  await sql`analyze won`.execute(tx)
  await writeResults(tx, set)
  await storeSetFigures(tx, setId)
  await storePapers(tx, set)
  await changeRows(tx, 'result_sets', {
    where: { id: setId },
    set: {
      state: 'computed',
      computed_at: now,
      rules: JSON.stringify(set.rules),
      rules_version: set.rulesVersion,
    },
  })
  const subject = { kind: 'result_set', id: setId, season: set.season }
  await audit(tx, now, systemScope('Result calculation'), 'results.computed', subject, {
    eventYearId: set.eventId,
    rulesVersion: set.rulesVersion,
  })
}

/** Compares the papers of the event's dates by class and stores the comparison with the version; clears an earlier decision. */
async function storePapers(tx: Tx, set: { setId: number; eventId: number }): Promise<void> {
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
  await changeRows(tx, 'result_sets', {
    where: { id: set.setId },
    set: {
      papers: classes.length === 0 ? null : JSON.stringify(classes),
      papers_differ: classes.some(({ differs }) => differs),
      papers_note: '',
      papers_decided_by: null,
      papers_decided_at: null,
    },
  })
}

/** Records the decision to keep marks of both dates although the papers differ, with the reason. The officer can't approve. */
export async function decideOnPapers(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { setId, seen, note }: { setId: number; seen: string; note: string },
): Promise<void> {
  await tx.selectFrom('result_sets').select('id').where('id', '=', setId).executeTakeFirstOrThrow(notFound)
  const refuseOther = await lockSeen(tx, setId, seen)
  const [decided] = await changeRows(tx, 'result_sets', {
    where: { id: setId, state: 'computed', papers_differ: true, papers_decided_at: null },
    set: { papers_note: note, papers_decided_by: scope.staffId, papers_decided_at: now },
    returning: ['id'],
  })
  orNotFound(decided, 'results.papers_alike')
  refuseOther()
  await audit(tx, now, scope, 'results.papers_decided', { kind: 'result_set', id: setId }, { note })
}
