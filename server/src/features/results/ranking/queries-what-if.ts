import { className } from '@podium/contract/classes'
import type { WhatIfChild, WhatIfField, WhatIfOutcome } from '@podium/contract/results/calls-what-if'
import { whatIfFields } from '@podium/contract/results/calls-what-if'
import { sql } from 'kysely'
import { mayDo } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { found } from '#platform/errors'
import type { Job } from '#platform/jobs/jobs'
import { rulesOf, sectionsOf } from '../rules.ts'

/** An event as far as its rules go. */
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
  /** Of the event's own subject and level */
  same: boolean
  students: number
}

/**
 * The newest computed versions of the last season before the event's own in which its subject has results: of each
 * event of that season, in the order of the subjects. Empty where there is no such season.
 */
export async function baseSets(db: Db | Tx, eventId: number): Promise<BaseSet[]> {
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

/** An event's rules with all their versions, and the season that other rules can be tried on. */
export async function rulesHistory(db: Db, scope: OfficeScope, eventId: number) {
  const event = found(await ruledEvent(db, eventId))
  const { rows } = await sql<VersionRow>`
    select r.version, r.rules, r.note, s.name as "savedBy", r.saved_at as "savedAt"
    from event_rules r left join staff s on s.id = r.saved_by
    where r.event_id = ${eventId} order by r.version desc`.execute(db)
  const first = { version: event.rules_version, rules: event.rules, note: '', savedBy: null, savedAt: null }
  const all = rows[0]?.version === event.rules_version ? rows : [first, ...rows]
  const base = await baseSets(db, eventId)
  const own = base.find(({ same }) => same)
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
    base: own ? { FYear: own.season, students: own.students, events: base.length } : null,
    can: { save: mayDo(scope.role, 'catalogue.rules') ? (true as const) : 'access.denied' },
  }
}

/** What a trial keeps of one version (commands-what-if.ts). */
interface Kept {
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

interface Was {
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

/** What a trial has found so far, with the names of those touched. */
export async function whatIfOutcomes(db: Db, _scope: OfficeScope, job: Job): Promise<WhatIfOutcome[]> {
  const kept = (job.output?.tried ?? []) as Kept[]
  if (kept.length === 0) return []
  const setIds = kept.map(({ setId }) => setId)
  const ids = kept.flatMap(({ children }) => children.map(({ studentId }) => studentId))
  const { rows: was } = await sql<Was>`
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
  return kept.flatMap(({ setId, tallies, children, ...figures }) => {
    const event = events.find((one) => one.setId === setId)
    if (!event) return []
    const { setId: _, ...named } = event
    const shown = children.flatMap((child) => childOf(wasOf.get(`${setId} ${child.studentId}`), child))
    return [{ ...named, ...figures, ...tallies, children: shown }]
  })
}

function childOf(was: Was | undefined, { rank, newRank, to }: Kept['children'][number]): WhatIfChild[] {
  if (!was) return []
  const changes = whatIfFields
    .filter((field) => was[field] !== to[field])
    .map((field) => ({ field, from: was[field], to: to[field] }))
  const { roll: examRollNo, name: studentName, classId, school: schName } = was
  return [{ examRollNo, studentName, className: className(classId), schName, rank, newRank, changes }]
}
