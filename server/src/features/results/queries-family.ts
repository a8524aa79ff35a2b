import { className } from '@podium/contract/classes'
import { paise, rupees } from '@podium/contract/money'
import { percentOf } from '@podium/contract/percent'
import type { FamilyReleased, FamilyResult } from '@podium/contract/results/calls-family'
import { eventRules } from '@podium/contract/results/schemas'
import { istDay } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import { sectionsOf } from '#features/catalogue/events/rules'
import type { FamilyScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
import { honoursOf, olympiadOf, type ReleasedResult, releasedResults } from './public-results/queries.ts'
import { httpsOnly, publicPage, shownRanks } from './public-results/rules.ts'
import { visibleSet } from './queries.ts'
import { markUnit } from './rules.ts'
import { eligibilityReason, medalReason, wonReason } from './why/rules.ts'

/**
 * The children of a family's link as `kin(card, id)`: `card` is the child of this season, `id` the same child in this or
 * an earlier one. An earlier season counts where the school had entered the parent's mobile then as well, and the child's
 * name. The mobile is that of the link, which the school wrote and no family can change.
 */
export function kinOf(scope: FamilyScope): RawBuilder<unknown> {
  return sql`
    kin as (
      select s.id as card, s.id from students s
      where s.family_link_id = ${scope.linkId} and s.school_id = ${scope.schoolId} and s.active
      union
      select s.id, p.id
      from students s
      join family_links own on own.id = s.family_link_id
      join family_links l on l.school_id = own.school_id and l.parent_mobile = own.parent_mobile and l.season < own.season
        and l.revoked_at is null
      join students p on p.family_link_id = l.id and p.name_key = s.name_key and p.active
      where s.family_link_id = ${scope.linkId} and s.school_id = ${scope.schoolId} and s.active
        and own.parent_mobile <> '')`
}

interface Entered {
  card: number
  student_id: number
  event_id: number
  subject_name: string
  letter: string
  level: number
  season: string
  little_star: boolean
  results_from: string
  out: boolean
  held: boolean
  present: boolean | null
}

/** What the children have entered, with how far each result is; of seasons that are over only what has one. */
async function enteredBy(db: Db, scope: FamilyScope, now: Date): Promise<Entered[]> {
  const { rows } = await sql<Entered>`
    with ${kinOf(scope)}
    select k.card, n.student_id, n.event_id, j.name as subject_name, e.letter, e.level, e.season, j.little_star,
      z.results_from::text, v.id is not null as out, h.event_id is not null as held, r.present
    from kin k
    join enrolments n on n.student_id = k.id
    join events e on e.id = n.event_id
    join subjects j on j.letter = e.letter
    join seasons z on z.label = e.season
    left join lateral ${visibleSet(sql`e.id`, now)} v on true
    left join results r on r.set_id = v.id and r.student_id = n.student_id
    left join result_holds h on h.event_id = e.id and h.school_id = n.school_id
    where e.season = ${scope.season} or r.student_id is not null
    order by k.card, e.season desc, e.level desc, j.position`.execute(db)
  return rows
}

async function releasedTo(db: Db, scope: FamilyScope, now: Date): Promise<Map<string, ReleasedResult>> {
  const { rows } = await sql<ReleasedResult>`
    with ${kinOf(scope)}
    ${releasedResults(now)} and r.present and r.student_id in (select id from kin)`.execute(db)
  return new Map(rows.map((row) => [`${row.event_id} ${row.student_id}`, row]))
}

/** The results of the family's children by child, newest first, each with its reasons where it is out. */
export async function familyResultsOf(db: Db, scope: FamilyScope, now: Date) {
  const entered = await enteredBy(db, scope, now)
  const released = await releasedTo(db, scope, now)
  const byChild = new Map<number, FamilyResult[]>()
  for (const one of entered) {
    const row = released.get(`${one.event_id} ${one.student_id}`)
    const list = byChild.get(one.card) ?? []
    byChild.set(one.card, [...list, told(one, row, istDay(now))])
  }
  return [...byChild].map(([individualRegId, results]) => ({ individualRegId, results }))
}

function told(one: Entered, row: ReleasedResult | undefined, today: string): FamilyResult {
  const olympiad = {
    subjectName: one.subject_name,
    eventLetter: one.letter,
    examLevel: one.level,
    fyear: one.season,
    littleStar: one.little_star,
  }
  if (row) return { ...olympiadOf(row), state: 'released', expectedOn: null, result: forFamily(row) }
  const state = stateOf(one)
  const expected = state === 'awaited' && one.results_from > today
  return { ...olympiad, state, expectedOn: expected ? one.results_from : null, result: null }
}

function stateOf({ out, held, present }: Entered) {
  if (!out) return 'awaited'
  if (held) return 'held'
  return present === false ? 'absent' : 'none'
}

function forFamily(row: ReleasedResult): FamilyReleased {
  const rules = eventRules.parse(row.rules)
  const marks = row.section_marks
  return {
    ...honoursOf(row, rules),
    resultId: `${row.set_id}-${row.student_id}`,
    className: className(row.class_id),
    score: {
      rawMarks: row.raw_score / markUnit,
      marks: row.final_score / markUnit,
      maximumMarks: row.maximum_marks,
      percent: percentOf(row.raw_score, row.maximum_marks * markUnit),
      sections: sectionsOf(row.sections).map(({ name, maximum }, index) => ({
        name,
        marks: (marks[index] ?? 0) / markUnit,
        maximum,
      })),
    },
    ranks: row.little_star ? [] : shownRanks(row),
    medalRules: medalReason(row, rules).rules,
    prizeAmount: rupees(paise(row.prize_amount)),
    won: wonReason(row.reason, rules),
    couponLink: httpsOnly(row.coupon_link),
    eligibility: eligibilityReason(row, rules),
    resultLink: publicPage(row),
  }
}
