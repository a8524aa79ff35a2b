import type { ParsedBody } from '@podium/contract/endpoint'
import {
  type tryRules as tryRulesCall,
  type WhatIfField,
  type WhatIfTally,
  whatIfFields,
} from '@podium/contract/results/calls-what-if'
import { eventRules } from '@podium/contract/results/schemas'
import { sql } from 'kysely'
import { rulesOf, sectionsOf, unfitRule } from '#features/catalogue/rules'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { orNotFound, Refusal } from '#platform/errors'
import { enqueueJob } from '#platform/jobs/jobs'
import { eligible, medalCase, prizeParts } from './commands.ts'
import { awardLadders, type ComputedSet, rankStudents } from './commands-ranks.ts'
import { earlierResultSets, ruledEvent } from './queries.ts'
import { rulesOfEarlier, rulesTried } from './rules-paper-comparison.ts'

export const whatIfKind = 'results.whatIf'

type Trial = ParsedBody<typeof tryRulesCall>

/**
 * Enqueues a trial of rules on the newest earlier season with results in the subject. Refuses rules that do not fit the event,
 * and a subject without such results. Returns the job's id.
 */
export async function startTrial(tx: Tx, scope: OfficeScope, now: Date, trial: Trial): Promise<string> {
  const event = orNotFound(await ruledEvent(tx, trial.eventYearId))
  const rules = eventRules.parse(trial.rules)
  const unfit = unfitRule(rules, sectionsOf(event.sections))
  if (unfit) {
    const issues = [{ path: `rules.${unfit.path}`, message: unfit.message }]
    throw new Refusal('results.rules_unfit', { message: unfit.message, issues })
  }
  const base = await earlierResultSets(tx, trial.eventYearId)
  const sets = trial.on === 'season' ? base : base.filter(({ same }) => same)
  if (sets.length === 0) throw new Refusal('catalogue.no_results')
  const jobId = await enqueueJob(tx, now, {
    kind: whatIfKind,
    total: sets.length,
    input: { eventYearId: trial.eventYearId, rules, setIds: sets.map(({ setId }) => setId) },
    createdBy: scope.staffId,
  })
  const subject = { kind: 'event', id: trial.eventYearId, season: event.season }
  await audit(tx, now, scope, 'results.rules_tried', subject, { on: trial.on, events: sets.length })
  return jobId
}

/** The stored outcome of a trial on one version: figures, and ids of students affected. */
export interface TrialOutcome {
  setId: number
  students: number
  ranks: number
  touched: number
  tallies: Record<WhatIfField, WhatIfTally>
  children: {
    studentId: number
    rank: number | null
    newRank: number | null
    to: Record<WhatIfField, string>
  }[]
}

/** Thrown to roll back a trial's transaction, carrying its outcome. */
class TrialRolledBack extends Error {
  readonly tried: TrialOutcome
  constructor(tried: TrialOutcome) {
    super('a trial is never kept')
    this.tried = tried
  }
}

/** Tries rules on one version, with the code of the real computation, in a transaction that is always rolled back. */
export async function tryRules(
  db: Db,
  eventYearId: number,
  rules: unknown,
  setId: number,
): Promise<TrialOutcome> {
  try {
    await db.transaction().execute(async (tx) => {
      await sql`set local statement_timeout = '15min'`.execute(tx)
      throw new TrialRolledBack(await computeTrial(tx, eventYearId, rules, setId))
    })
  } catch (thrown) {
    if (thrown instanceof TrialRolledBack) return thrown.tried
    throw thrown
  }
  throw new Error('a trial was kept')
}

async function trialSet(tx: Tx, eventYearId: number, edited: unknown, setId: number): Promise<ComputedSet> {
  const event = orNotFound(await ruledEvent(tx, eventYearId))
  const { rows } = await sql<{
    event_id: number
    letter: string
    level: number
    maximum_marks: number
    sections: unknown
    rules: unknown
  }>`
    select s.event_id, e.letter, e.level, e.maximum_marks, e.sections, s.rules
    from result_sets s join events e on e.id = s.event_id where s.id = ${setId}`.execute(tx)
  const row = orNotFound(rows[0])
  const sections = sectionsOf(row.sections)
  const same = row.letter === event.letter && row.level === event.level
  const rulesBefore = rulesOf(row)
  const wanted = eventRules.parse(edited)
  return {
    setId,
    eventId: row.event_id,
    maximumMarks: row.maximum_marks,
    rulesVersion: 0,
    rules: same
      ? rulesOfEarlier(rulesBefore, sections, wanted)
      : rulesTried(rulesBefore, sections, rulesOf(event), wanted),
    sections,
  }
}

const shownChildren = 100

async function computeTrial(
  tx: Tx,
  eventYearId: number,
  edited: unknown,
  setId: number,
): Promise<TrialOutcome> {
  const set = await trialSet(tx, eventYearId, edited, setId)
  await rankStudents(tx, set)
  await sql`analyze ranked`.execute(tx)
  await awardLadders(tx, set)
  await sql`analyze won`.execute(tx)
  const { rules } = set
  await sql`
    create temp table tried on commit drop as
    with ${prizeParts(rules)}
    select m.student_id, m.class_id, old.olympiad_rank as rank, r.olympiad_rank as new_rank,
      old.medal as medal, ${medalCase(rules)} as new_medal,
      old.prize as prize, coalesce(p.prize, '') as new_prize,
      old.award as award, coalesce(p.award, '') as new_award,
      case when old.next_level then 'yes' else '' end as next_level,
      case when ${eligible(rules.nextLevel, set.maximumMarks)} then 'yes' else '' end as new_next_level
    from result_marks m
    join results old on old.set_id = m.set_id and old.student_id = m.student_id
    left join ranked r on r.student_id = m.student_id
    left join prizes p on p.student_id = m.student_id
    where m.set_id = ${setId}`.execute(tx)
  return { setId, ...(await figures(tx)), children: await touchedChildren(tx) }
}

const columnOf: Record<WhatIfField, string> = {
  medal: 'medal',
  prize: 'prize',
  award: 'award',
  nextLevel: 'next_level',
}

const touched = sql`(medal, prize, award, next_level) is distinct from (new_medal, new_prize, new_award, new_next_level)`

async function figures(tx: Tx) {
  const tallies = whatIfFields.map((field) => {
    const [was, is] = [sql.ref(columnOf[field]), sql.ref(`new_${columnOf[field]}`)]
    return sql`jsonb_build_object(
      'before', count(*) filter (where ${was} <> ''), 'after', count(*) filter (where ${is} <> ''),
      'gained', count(*) filter (where ${was} = '' and ${is} <> ''), 'lost', count(*) filter (where ${was} <> '' and ${is} = ''),
      'changed', count(*) filter (where ${was} <> '' and ${is} <> '' and ${was} <> ${is}),
      'kept', count(*) filter (where ${was} <> '' and ${was} = ${is})) as ${sql.ref(field)}`
  })
  const { rows } = await sql<
    { students: number; ranks: number; touched: number } & Record<WhatIfField, WhatIfTally>
  >`
    select count(*)::int as students, (count(*) filter (where rank is distinct from new_rank))::int as ranks,
      (count(*) filter (where ${touched}))::int as touched, ${sql.join(tallies)}
    from tried`.execute(tx)
  const { students, ranks, touched: n, medal, prize, award, nextLevel } = orNotFound(rows[0])
  return { students, ranks, touched: n, tallies: { medal, prize, award, nextLevel } }
}

async function touchedChildren(tx: Tx): Promise<TrialOutcome['children']> {
  const { rows } = await sql<TrialOutcome['children'][number]>`
    select student_id as "studentId", rank, new_rank as "newRank",
      jsonb_build_object('medal', new_medal, 'prize', new_prize, 'award', new_award, 'nextLevel', new_next_level) as "to"
    from tried where ${touched}
    order by class_id, least(rank, new_rank), student_id limit ${shownChildren}`.execute(tx)
  return rows
}
