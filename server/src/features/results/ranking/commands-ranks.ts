import type { EventRules, EventSection, RankScope } from '@podium/contract/results/schemas'
import { type RawBuilder, sql } from 'kysely'
import { tieBreakIndexes } from '#features/catalogue/rules'
import type { Tx } from '#platform/db/database'
import { decidedEqual } from '../why/rules.ts'

/** The data of a version and event needed for a computation. */
export interface ComputedSet {
  setId: number
  eventId: number
  maximumMarks: number
  rulesVersion: number
  rules: EventRules
  sections: readonly EventSection[]
}

const raw = (whole: number) => sql.raw(String(Math.trunc(whole)))

/** SQL: the groups in which students are ranked, in addition to the class. */
const groups: Record<RankScope, RawBuilder<unknown>> = {
  class: sql`class_id, school_id`,
  state: sql`class_id, state_no`,
  zonal: sql`class_id, zone_no`,
  olympiad: sql`class_id`,
}

/**
 * Packs the sort keys into 63-bit integers, first key highest, so that sorting needs two or three columns instead of one for each
 * section. No key exceeds the greatest final score.
 */
export function packing(keys: number, greatest: number) {
  const bits = greatest < 2 ** 21 ? 21 : 31
  const perWord = Math.floor(63 / bits)
  const placeOf = (key: number) => ({
    word: Math.floor(key / perWord),
    shift: bits * (perWord - 1 - (key % perWord)),
  })
  return { words: Math.ceil(keys / perWord), places: Array.from({ length: keys }, (_, key) => placeOf(key)) }
}
type Packing = ReturnType<typeof packing>

const wordName = (index: number) => sql.ref(`w${index}`)
const wordNames = ({ words }: Packing) => Array.from({ length: words }, (_, index) => wordName(index))

function packed(keys: readonly RawBuilder<unknown>[], { words, places }: Packing): RawBuilder<unknown>[] {
  return Array.from({ length: words }, (_, index) => {
    const parts = keys.flatMap((key, i) => {
      const place = places[i]
      return place?.word === index ? [sql`(${key}::bigint << ${raw(place.shift)})`] : []
    })
    return sql`${sql.join(parts, sql` | `)} as ${wordName(index)}`
  })
}

/** SQL: which key decided a row's place after the one above it (the first that differs), for results/why/rules.ts. */
function decided({ places }: Packing, window: string): RawBuilder<unknown> {
  const by = sql.ref(window)
  const cases = places.map(({ word, shift }, i) => {
    const key = wordName(word)
    return sql`when lag(${key}) over ${by} >> ${raw(shift)} <> ${key} >> ${raw(shift)} then ${raw(i + 1)}`
  })
  return sql`case when lag(w0) over ${by} is null then 0 ${sql.join(cases, sql` `)} else ${raw(decidedEqual)} end`
}

/**
 * The one statement that ranks a whole event: every present student by class within school, state, zone and internationally,
 * with pool size and deciding key. Equal final scores with equal tie-breaks share a rank and the next is skipped. The long
 * keys are sorted once, by olympiad rank; the other ranks follow from that order.
 */
export function rankStatement(set: ComputedSet, greatest: number): RawBuilder<unknown> {
  const keys = [
    sql`final_score`,
    ...tieBreakIndexes(set.rules, set.sections).map((index) => sql`section_marks[${raw(index + 1)}]`),
  ]
  const packs = packing(keys.length, greatest)
  const names = wordNames(packs)
  const order = sql.join(names.map((name) => sql`${name} desc`))
  const code = (window: string) => decided(packs, window)
  return sql`
    insert into ranked
    with place as materialized (
      select id,
        dense_rank() over (order by country, state)::int as state_no,
        dense_rank() over (order by zone)::int as zone_no
      from schools),
    sat as (
      select student_id, school_id, class_id, ${sql.join(packed(keys, packs))}
      from result_marks where set_id = ${set.setId} and present),
    classes as (
      select class_id, school_id, count(*)::int as class_pool
      from result_marks where set_id = ${set.setId} and present group by class_id, school_id),
    pools as (
      select classes.*, state_no, zone_no, sum(class_pool) over (partition by class_id, state_no) as state_pool,
        sum(class_pool) over (partition by class_id, zone_no) as zonal_pool,
        sum(class_pool) over (partition by class_id) as olympiad_pool
      from classes join place on place.id = school_id),
    everywhere as (
      select student_id, school_id, class_id, ${sql.join(names)}, rank() over w as olympiad_rank,
        ${code('w')} as olympiad_by
      from sat window w as (partition by class_id order by ${order}))
    select student_id, school_id, class_id, state_no, zone_no,
      olympiad_rank, olympiad_pool, olympiad_by,
      rank() over c, class_pool, ${code('c')},
      rank() over s, state_pool, ${code('s')},
      rank() over z, zonal_pool, ${code('z')}
    from everywhere join pools using (class_id, school_id)
    window c as (partition by class_id, school_id order by olympiad_rank),
      s as (partition by class_id, state_no order by olympiad_rank),
      z as (partition by class_id, zone_no order by olympiad_rank)`
}

const rankedTable = sql`
  create temp table ranked (
    student_id bigint, school_id bigint, class_id int, state_no int, zone_no int,
    olympiad_rank int, olympiad_pool int, olympiad_by int, class_rank int, class_pool int, class_by int,
    state_rank int, state_pool int, state_by int, zonal_rank int, zonal_pool int, zonal_by int
  ) on commit drop`

/** Creates the temporary table and settings for the statement; returns the greatest final score, for packing the keys. */
export async function prepareRanking(tx: Tx, setId: number): Promise<number> {
  const { rows } = await sql<{ greatest: number | null }>`
    select max(final_score) as greatest from result_marks where set_id = ${setId}`.execute(tx)
  await rankedTable.execute(tx)
  // Sorts in memory. Compiling costs more here than it gains, and merging sorts all rows once more; the planner, which
  // takes the pools for fewer than they are, would do both.
  await sql`set local work_mem = '64MB'`.execute(tx)
  await sql`set local jit = off`.execute(tx)
  await sql`set local enable_mergejoin = off`.execute(tx)
  return rows[0]?.greatest ?? 0
}

/** Ranks the present students of a version into the transaction's temporary table `ranked`. */
export async function rankStudents(tx: Tx, set: ComputedSet): Promise<void> {
  const greatest = await prepareRanking(tx, set.setId)
  await rankStatement(set, greatest).execute(tx)
  await sql`set local enable_mergejoin = on`.execute(tx)
}

/**
 * Awards prizes and awards, from the highest ladder to the lowest, into the temporary table `won`. With `onePrize`, winners do
 * not count on lower ladders, so that prizes there pass to the next student. If fewer students sat than a ladder requires, no
 * one wins on it.
 */
export async function awardLadders(tx: Tx, { rules }: ComputedSet): Promise<void> {
  await sql`
    create temp table won (student_id bigint, ladder int, place_no int, rank int, place int)
    on commit drop`.execute(tx)
  for (const [ladder, { by, places, minimumPool = 0 }] of rules.ladders.entries()) {
    const last = places.at(-1)?.to ?? 0
    const left = rules.onePrize
      ? sql`and not exists (select from won w where w.student_id = r.student_id)`
      : sql``
    const steps = places.map((place, index) => sql`when place <= ${raw(place.to)} then ${raw(index)}`)
    await sql`
      insert into won
      select student_id, ${raw(ladder)}, case ${sql.join(steps, sql` `)} end, had, place
      from (
        select student_id, ${sql.ref(`${by}_rank`)} as had,
          rank() over (partition by ${groups[by]} order by olympiad_rank) as place
        from ranked r where ${sql.ref(`${by}_pool`)} >= ${raw(minimumPool)} ${left}) placed
      where place <= ${raw(last)}`.execute(tx)
  }
}
