import { className } from '@podium/contract/classes'
import { percentOf } from '@podium/contract/figures'
import { rupeesOf } from '@podium/contract/money'
import type {
  CertificateFacts,
  FamilyReleased,
  FamilyResult,
  PublicResult,
} from '@podium/contract/results/calls-public'
import { type EventRules, eventRules } from '@podium/contract/results/schemas'
import { istDay } from '@podium/contract/season'
import { type RawBuilder, sql } from 'kysely'
import { sectionsOf } from '#features/catalogue/rules'
import type { FamilyScope } from '#platform/auth/scope'
import type { Db, ReadDb } from '#platform/db/database'
import { firstRow } from '#platform/db/rows'
import { certified, resultColumns, type StoredResult, visibleSet } from '../queries.ts'
import { markUnit } from '../rules.ts'
import { eligibilityReason, explainPrizes, medalReason, type Reason } from '../why/rules.ts'
import {
  certificateKind,
  certifiedRanks,
  httpsOnly,
  initialsOf,
  pageOpen,
  parseLink,
  printedNumber,
  publicName,
  publicPage,
  shownRanks,
  starsOf,
} from './rules.ts'

/**
 * SQL: the children of a family link as `kin(card, id)`: `card` is this season's record, `id` the same child's in this or an
 * earlier season. Earlier seasons match if the school had entered the same parent's mobile and child's name. The mobile is the
 * link's, which only the school can change.
 */
export function studentsOfFamily(scope: FamilyScope): RawBuilder<unknown> {
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

interface EnteredOlympiad {
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
  withheld: boolean
  present: boolean | null
}

/** The children's entries with the status of their results; of past seasons only those with results. */
async function enteredBy(db: Db, scope: FamilyScope, now: Date): Promise<EnteredOlympiad[]> {
  const { rows } = await sql<EnteredOlympiad>`
    with ${studentsOfFamily(scope)}
    select k.card, n.student_id, n.event_id, j.name as subject_name, e.letter, e.level, e.season, j.little_star,
      z.results_from::text, v.id is not null as out, h.event_id is not null as withheld, r.present
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
    with ${studentsOfFamily(scope)}
    ${releasedResults(now)} and r.present and r.student_id in (select id from kin)`.execute(db)
  return new Map(rows.map((row) => [`${row.event_id} ${row.student_id}`, row]))
}

/** The results of the family's children by child, newest first, with reasons if released. */
export async function familyResultsOf(db: Db, scope: FamilyScope, now: Date) {
  const entered = await enteredBy(db, scope, now)
  const released = await releasedTo(db, scope, now)
  const byChild = new Map<number, FamilyResult[]>()
  for (const item of entered) {
    const row = released.get(`${item.event_id} ${item.student_id}`)
    const list = byChild.get(item.card) ?? []
    byChild.set(item.card, [...list, resultOf(item, row, istDay(now))])
  }
  return [...byChild].map(([individualRegId, results]) => ({ individualRegId, results }))
}

function resultOf(entered: EnteredOlympiad, row: ReleasedResult | undefined, today: string): FamilyResult {
  const olympiad = {
    subjectName: entered.subject_name,
    eventLetter: entered.letter,
    examLevel: entered.level,
    fyear: entered.season,
    littleStar: entered.little_star,
  }
  if (row) return { ...olympiadOf(row), state: 'released', expectedOn: null, result: forFamily(row) }
  const state = stateOf(entered)
  const expected = state === 'awaited' && entered.results_from > today
  return { ...olympiad, state, expectedOn: expected ? entered.results_from : null, result: null }
}

function stateOf({ out, withheld, present }: EnteredOlympiad) {
  if (!out) return 'awaited'
  if (withheld) return 'withheld'
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
    prizeAmount: rupeesOf(row.prize_amount),
    won: explainPrizes(row.reason, rules),
    couponLink: httpsOnly(row.coupon_link),
    eligibility: eligibilityReason(row, rules),
    resultLink: publicPage(row),
  }
}

/** A released result with event and school data for documents and public pages. */
export interface ReleasedResult extends StoredResult {
  school_id: number
  state: string
  zone: string
  section_marks: number[]
  reason: Reason
  subject_name: string
  letter: string
  level: number
  season: string
  little_star: boolean
  sections: unknown
  maximum_marks: number
  school_name: string
  city: string
  rules: unknown
  version: number
  release_at: Date
}

/**
 * SQL: results `r` of the currently released version `v`, without withheld schools and erased students: what may be shown outside
 * the office. To be followed by `and` conditions on r, e and v.
 */
export function releasedResults(now: Date): RawBuilder<ReleasedResult> {
  return sql`
    select ${resultColumns}, r.school_id, r.state, r.zone, r.section_marks, r.reason,
      j.name as subject_name, e.letter, e.level, e.season, j.little_star, e.sections, e.maximum_marks,
      h.name as school_name, h.city, v.rules, v.version, v.release_at
    from results r
    join events e on e.id = r.event_id
    join subjects j on j.letter = e.letter
    join schools h on h.id = r.school_id
    join lateral ${visibleSet(sql`r.event_id`, now)} v on v.id = r.set_id
    where r.exam_roll_no <> ''
      and not exists (select from result_holds k where k.event_id = r.event_id and k.school_id = r.school_id)`
}

function olympiadOf(row: ReleasedResult) {
  return {
    subjectName: row.subject_name,
    eventLetter: row.letter,
    examLevel: row.level,
    fyear: row.season,
    littleStar: row.little_star,
  }
}

export function honoursOf(row: ReleasedResult, rules: EventRules = eventRules.parse(row.rules)) {
  return {
    medal: row.medal,
    prize: row.prize,
    award: row.award,
    stars: row.little_star ? starsOf(row.raw_score, row.maximum_marks * markUnit) : null,
    goesOnTo: row.next_level ? (rules.nextLevel?.level ?? null) : null,
    version: row.version,
    releasedAt: row.release_at.toISOString(),
  }
}

function forEverybody(row: ReleasedResult): PublicResult {
  return {
    ...olympiadOf(row),
    ...honoursOf(row),
    name: publicName(row.student_name),
    className: className(row.class_id),
    schoolName: row.school_name,
    city: row.city,
    score: row.little_star
      ? null
      : {
          rawMarks: row.raw_score / markUnit,
          marks: row.final_score / markUnit,
          maximumMarks: row.maximum_marks,
        },
    ranks: row.little_star ? [] : shownRanks(row),
  }
}

/**
 * The currently released result behind a public link, whichever version the link was created for. Undefined for an unknown or
 * renewed link.
 */
export async function publicResultOf(db: ReadDb, now: Date, id: string) {
  const { student_id, link_secret } = parseLink(id)
  const linked = await firstRow(db, 'results', { student_id, link_secret }, ['event_id', 'present'])
  if (!linked) return undefined
  const { rows } = await sql<ReleasedResult>`
    ${releasedResults(now)} and r.student_id = ${student_id} and r.event_id = ${linked.event_id}
    and r.present`.execute(db)
  const [row] = rows
  if (!row) return { state: 'awaited', data: null } as const
  if (!pageOpen(row.release_at, now)) return { state: 'over', data: null } as const
  return { state: 'released', data: forEverybody(row) } as const
}

/** The content of a released result's certificate, without the child's name. */
export function factsOf(row: ReleasedResult, number: string): CertificateFacts {
  const kind = certificateKind(row)
  return {
    ...olympiadOf(row),
    ...honoursOf(row),
    number: printedNumber(number),
    kind,
    initials: initialsOf(row.student_name),
    schoolName: row.school_name,
    city: row.city,
    ranks: row.little_star ? [] : certifiedRanks(kind, shownRanks(row)),
  }
}

/** The current state of a certificate number. */
export async function verifiedCertificate(db: ReadDb, now: Date, number: string) {
  const issued = await db
    .selectFrom('certificates')
    .select(['student_id', 'event_id', 'set_id', 'revoked_at'])
    .where('number', '=', number)
    .executeTakeFirst()
  if (!issued) return { state: 'unknown', data: null } as const
  const row = await releasedOf(db, now, issued)
  if (!row) return { state: 'suspended', data: null } as const
  if (issued.revoked_at !== null || (await outdated(db, issued.set_id, row)))
    return { state: 'replaced', data: null } as const
  return { state: 'valid', data: factsOf(row, number) } as const
}

/** Whether a correction has changed the content of an earlier certificate. */
async function outdated(db: ReadDb, setId: number | null, row: ReleasedResult): Promise<boolean> {
  if (setId === null || setId === row.set_id) return false
  const { rows } = await sql`
    select from results a join results b on b.student_id = a.student_id and b.set_id = ${row.set_id}
    where a.set_id = ${setId} and a.student_id = ${row.student_id}
      and (${certified('a')}) is not distinct from (${certified('b')})`.execute(db)
  return rows.length === 0
}

/** The released result in an event of a student who sat the exam. */
async function releasedOf(db: ReadDb, now: Date, of: { student_id: number; event_id: number }) {
  const { rows } = await sql<ReleasedResult>`
    ${releasedResults(now)} and r.student_id = ${of.student_id} and r.event_id = ${of.event_id}
    and r.present`.execute(db)
  return rows[0]
}
