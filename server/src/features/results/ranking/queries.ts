import { className } from '@podium/contract/classes'
import {
  type WhatIfChild,
  type WhatIfField,
  type WhatIfOutcome,
  whatIfFields,
} from '@podium/contract/results/calls-what-if'
import { type RawBuilder, sql } from 'kysely'
import { rulesOf, sectionsOf } from '#features/catalogue/rules'
import { mayDo } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { notFound, orNotFound } from '#platform/errors'
import { fingerprint } from '#platform/http/idempotency'
import type { Job } from '#platform/jobs/jobs'
import { visibleResult } from '../queries.ts'
import { decisionBasis } from '../release/queries-school-preview.ts'
import type { ComparedClass } from './rules-paper-comparison.ts'

/** Figures of one class of a version; amount in paise, highest score as stored. */
interface ClassFigures {
  classId: number
  present: number
  absent: number
  schools: number
  gold: number
  silver: number
  bronze: number
  medals: number
  prizes: number
  amount: number
  awards: number
  nextLevel: number
  highest: number
}

const columns = sql`set_id, class_id, present, absent, schools, gold, silver, bronze, medals, prizes, amount, awards,
  next_level, highest`

async function count(tx: Tx, setId: number, classes: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into result_figures (${columns})
    select set_id, class_id, count(*) filter (where present), count(*) filter (where not present),
      count(distinct school_id), count(*) filter (where medal = 'Gold'), count(*) filter (where medal = 'Silver'),
      count(*) filter (where medal = 'Bronze'), count(*) filter (where medal <> ''), count(*) filter (where prize <> ''),
      sum(prize_amount), count(*) filter (where award <> ''), count(*) filter (where next_level),
      coalesce(max(final_score), 0)
    from results where set_id = ${setId} and ${classes} group by set_id, class_id
    on conflict (set_id, class_id) do update set present = excluded.present, absent = excluded.absent,
      schools = excluded.schools, gold = excluded.gold, silver = excluded.silver, bronze = excluded.bronze,
      medals = excluded.medals, prizes = excluded.prizes, amount = excluded.amount, awards = excluded.awards,
      next_level = excluded.next_level, highest = excluded.highest, stale = false`.execute(tx)
}

/** The previous version that schools have seen; undefined for the first. */
async function versionBefore(
  db: Db | Tx,
  setId: number,
): Promise<{ id: number; version: number } | undefined> {
  const { rows } = await sql<{ id: number; version: number }>`
    select b.id, b.version from result_sets s join result_sets b on b.event_id = s.event_id and b.version < s.version
      and b.state in ('released', 'superseded') and b.released_at is not null
    where s.id = ${setId} order by b.version desc limit 1`.execute(db)
  return rows[0]
}

async function compare(tx: Tx, setId: number, before: number): Promise<void> {
  // Concurrent changes to results of either version come first or delete the comparison.
  await sql`
    select from result_figures where set_id in (${setId}, ${before})
    order by set_id, class_id for share`.execute(tx)
  await sql`
    insert into result_differences (set_id, before_id, added, removed, changed)
    select ${setId}, ${before}, count(*) filter (where old.student_id is null),
      count(*) filter (where new.student_id is null),
      count(*) filter (where old.student_id = new.student_id and (${visibleResult('new')}) is distinct from (${visibleResult('old')}))
    from (select * from results where set_id = ${setId}) new
      full join (select * from results where set_id = ${before}) old on old.student_id = new.student_id
    on conflict (set_id) do update set before_id = excluded.before_id, added = excluded.added,
      removed = excluded.removed, changed = excluded.changed`.execute(tx)
}

/** Stores a version's figures, computed in this transaction, and its changes from the version schools saw. */
export async function storeSetFigures(tx: Tx, setId: number): Promise<void> {
  await sql`delete from result_figures where set_id = ${setId}`.execute(tx)
  await count(tx, setId, sql`true`)
  const before = await versionBefore(tx, setId)
  if (before) await compare(tx, setId, before.id)
}

/**
 * Recounts classes with changed results. Locks their rows meanwhile, so that concurrent changes wait or are included
 * (0018_triggers.sql).
 */
async function countStale(db: Db, setId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: number }>`
      select class_id as id from result_figures where set_id = ${setId} and stale
      order by class_id for update`.execute(tx)
    await count(tx, setId, sql`class_id = any(${rows.map(({ id }) => id)}::int[])`)
    // These classes have no results left.
    await sql`delete from result_figures where set_id = ${setId} and stale`.execute(tx)
  })
}

/** The current figures of a version by class id; empty before it is computed. */
export async function setFigures(db: Db, setId: number): Promise<ClassFigures[]> {
  const read = sql<ClassFigures & { stale: boolean }>`
    select class_id as "classId", present, absent, schools, gold, silver, bronze, medals, prizes, amount, awards,
      next_level as "nextLevel", highest, stale
    from result_figures where set_id = ${setId} order by class_id`
  const { rows } = await read.execute(db)
  if (!rows.some(({ stale }) => stale)) return rows
  await countStale(db, setId)
  return (await read.execute(db)).rows
}

/** How many results differ from the version schools saw before; null if there is none. */
export async function setChanges(db: Db, setId: number) {
  const before = await versionBefore(db, setId)
  if (!before) return null
  const read = sql<{ added: number; removed: number; changed: number }>`
    select added, removed, changed from result_differences where set_id = ${setId} and before_id = ${before.id}`
  const { rows: stored } = await read.execute(db)
  if (stored[0]) return { version: before.version, ...stored[0] }
  await db.transaction().execute((tx) => compare(tx, setId, before.id))
  return { version: before.version, ...orNotFound((await read.execute(db)).rows[0]) }
}

interface RankPage {
  setId: number
  figures: readonly Pick<ClassFigures, 'classId' | 'present'>[]
  skip: number
  pageSize: number
}

/**
 * The highest olympiad rank preceded by at most `skip` results across all classes, and how many precede it. Because ties share a
 * rank and the next is skipped, a class has rank − 1 results before a rank, so about a hundred index lookups find the
 * position, and any page costs the same.
 */
async function rankAt(db: Db, { setId, figures, skip }: RankPage): Promise<{ rank: number; before: number }> {
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
 * SQL: the students of a version by olympiad rank, class and roll number, absent last, starting shortly before the wanted
 * position; and how many rows to skip.
 */
export async function fromRank(db: Db, wanted: RankPage) {
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

/** A version's stored comparison of papers, and the decision. */
export async function papersOf(db: Db, scope: OfficeScope, setId: number) {
  const set = await db
    .selectFrom('result_sets as s')
    .leftJoin('staff', 'staff.id', 's.papers_decided_by')
    .select(['state', 'papers', 'papers_differ', 'papers_note', 'papers_decided_at', 'staff.name'])
    .select(decisionBasis.as('facts'))
    .where('s.id', '=', setId)
    .executeTakeFirstOrThrow(notFound)
  const classes = (set.papers ?? []) as ComparedClass[]
  const open = set.state === 'computed' && set.papers_differ && set.papers_decided_at === null
  return {
    classes: classes.map((schoolClass) => ({ ...schoolClass, className: className(schoolClass.classId) })),
    differ: set.papers_differ,
    decision: set.papers_decided_at && {
      note: set.papers_note,
      by: set.name ?? '',
      at: set.papers_decided_at.toISOString(),
    },
    seen: fingerprint(set.facts),
    canDecide: !mayDo(scope.role, 'results.import')
      ? 'access.denied'
      : open
        ? (true as const)
        : 'results.papers_alike',
  }
}

/** An event with the data for its rules. */
export function ruledEvent(db: Db | Tx, eventId: number) {
  return db
    .selectFrom('events')
    .select(['id', 'season', 'letter', 'level', 'sections', 'rules', 'rules_version'])
    .where('id', '=', eventId)
    .executeTakeFirst()
}

interface BaseSet {
  setId: number
  season: string
  /** Same subject and level as the event */
  same: boolean
  students: number
}

/**
 * The newest computed versions of all events in the last earlier season in which the event's subject has results, in subject
 * order. Empty if there is no such season.
 */
export async function earlierResultSets(db: Db | Tx, eventId: number): Promise<BaseSet[]> {
  const { rows } = await sql<BaseSet>`
    with own as (select * from events where id = ${eventId}),
    computed as (
      select distinct on (r.event_id) r.id, r.event_id, r.rows
      from result_sets r where r.computed_at is not null and r.state in ('computed', 'approved', 'released')
      order by r.event_id, r.version desc),
    base as (
      select max(e.season) as season from events e join computed c on c.event_id = e.id, own
      where e.letter = own.letter and e.level = own.level and e.season < own.season)
    select c.id as "setId", e.season, c.rows as students,
      e.letter = own.letter and e.level = own.level as same
    from computed c join events e on e.id = c.event_id join base on base.season = e.season
      join subjects s on s.letter = e.letter cross join own
    order by e.level, s.position`.execute(db)
  return rows
}

interface VersionRow {
  version: number
  rules: unknown
  note: string
  savedBy: string | null
  savedAt: Date | null
}

/** An event's rules with all versions, and the season on which rules can be tried. */
export async function rulesHistory(db: Db, scope: OfficeScope, eventId: number) {
  const event = orNotFound(await ruledEvent(db, eventId))
  const { rows } = await sql<VersionRow>`
    select r.version, r.rules, r.note, s.name as "savedBy", r.saved_at as "savedAt"
    from event_rules r left join staff s on s.id = r.saved_by
    where r.event_id = ${eventId} order by r.version desc`.execute(db)
  const first = { version: event.rules_version, rules: event.rules, note: '', savedBy: null, savedAt: null }
  const all = rows[0]?.version === event.rules_version ? rows : [first, ...rows]
  const base = await earlierResultSets(db, eventId)
  const baseSet = base.find(({ same }) => same)
  return {
    eventYearId: eventId,
    FYear: event.season,
    sections: sectionsOf(event.sections),
    rulesVersion: event.rules_version,
    versions: all.map(({ savedAt, savedBy, rules, ...row }) => ({
      ...row,
      rules: rulesOf({ ...event, rules }),
      savedBy: savedBy ?? '',
      savedAt: savedAt?.toISOString() ?? null,
    })),
    base: baseSet ? { FYear: baseSet.season, students: baseSet.students, events: base.length } : null,
    can: { save: mayDo(scope.role, 'catalogue.rules') ? (true as const) : 'access.denied' },
  }
}

/** The stored outcome of a trial on one version (commands-what-if.ts). */
interface StoredTrial {
  setId: number
  students: number
  ranks: number
  touched: number
  tallies: Record<WhatIfField, WhatIfOutcome['medal']>
  children: {
    studentId: number
    rank: number | null
    newRank: number | null
    to: Record<WhatIfField, string>
  }[]
}

interface EarlierResult {
  setId: number
  studentId: number
  roll: string
  name: string
  classId: number
  school: string
  medal: string
  prize: string
  award: string
  nextLevel: string
}

/** The outcomes of a trial so far, with the names of students affected. */
export async function whatIfOutcomes(db: Db, _scope: OfficeScope, job: Job): Promise<WhatIfOutcome[]> {
  const trials = (job.output?.tried ?? []) as StoredTrial[]
  if (trials.length === 0) return []
  const setIds = trials.map(({ setId }) => setId)
  const ids = trials.flatMap(({ children }) => children.map(({ studentId }) => studentId))
  const { rows: was } = await sql<EarlierResult>`
    select r.set_id as "setId", r.student_id as "studentId", r.exam_roll_no as roll, r.student_name as name,
      r.class_id as "classId", h.name as school, r.medal, r.prize, r.award,
      case when r.next_level then 'yes' else '' end as "nextLevel"
    from results r join schools h on h.id = r.school_id
    where r.set_id = any(${setIds}::bigint[]) and r.student_id = any(${ids}::bigint[])`.execute(db)
  const { rows: events } = await sql<
    Pick<WhatIfOutcome, 'eventYearId' | 'eventLetter' | 'subjectName' | 'examLevel' | 'FYear'> & {
      setId: number
    }
  >`
    select s.id as "setId", e.id as "eventYearId", e.letter as "eventLetter", sub.name as "subjectName",
      e.level as "examLevel", e.season as "FYear"
    from result_sets s join events e on e.id = s.event_id join subjects sub on sub.letter = e.letter
    where s.id = any(${setIds}::bigint[])`.execute(db)
  const wasOf = new Map(was.map((row) => [`${row.setId} ${row.studentId}`, row]))
  return trials.flatMap(({ setId, tallies, children, ...figures }) => {
    const event = events.find((event) => event.setId === setId)
    if (!event) return []
    const { setId: _, ...named } = event
    const shown = children.flatMap((child) => childOf(wasOf.get(`${setId} ${child.studentId}`), child))
    return [{ ...named, ...figures, ...tallies, children: shown }]
  })
}

function childOf(
  was: EarlierResult | undefined,
  { rank, newRank, to }: StoredTrial['children'][number],
): WhatIfChild[] {
  if (!was) return []
  const changes = whatIfFields
    .filter((field) => was[field] !== to[field])
    .map((field) => ({ field, from: was[field], to: to[field] }))
  const { roll: examRollNo, name: studentName, classId, school: schName } = was
  return [{ examRollNo, studentName, className: className(classId), schName, rank, newRank, changes }]
}
