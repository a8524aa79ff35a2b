import { className } from '@podium/contract/classes'
import { percentOf } from '@podium/contract/figures'
import { rupeesOf } from '@podium/contract/money'
import {
  type EventRules,
  type EventSection,
  eventRules,
  type ResultExplanation,
} from '@podium/contract/results/schemas'
import { sql } from 'kysely'
import { sectionsOf } from '#features/catalogue/rules'
import type { OfficeScope, SchoolScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
import { orNotFound } from '#platform/errors'
import { httpsOnly } from '../public-results/rules.ts'
import { parseResultId, resultColumns, type StoredResult, visibleSet } from '../queries.ts'
import { markUnit } from '../rules.ts'
import {
  type Classmate,
  eligibilityReason,
  explainPrizes,
  medalReason,
  neighboursOf,
  type Peer,
  type Reason,
  rankReasons,
  tooFewReason,
} from './rules.ts'

interface RankedResult extends StoredResult {
  school_id: number
  school_name: string
  state: string
  zone: string
  section_marks: number[]
  tie_breaks: number[]
  reason: Reason
  subject_name: string
  letter: string
  level: number
  season: string
  sections: unknown
  maximum_marks: number
  rules: unknown
  version: number
  rules_version: number
  computed_at: Date | null
  approved_at: Date | null
  released_at: Date | null
}

const whyColumns = sql`
  ${resultColumns}, r.school_id, h.name as school_name, r.state, r.zone, r.section_marks, r.tie_breaks, r.reason,
  j.name as subject_name, e.letter, e.level, e.season, e.sections, e.maximum_marks,
  v.rules, v.version, v.rules_version, v.computed_at, v.approved_at, v.release_at as released_at
  from results r
  join result_sets v on v.id = r.set_id
  join events e on e.id = r.event_id
  join subjects j on j.letter = e.letter
  join schools h on h.id = r.school_id`

/** Explains a result of the school: of the released version only, and not while it is withheld. */
export async function explainForSchool(
  db: Db,
  scope: SchoolScope,
  now: Date,
  resultId: string,
): Promise<ResultExplanation> {
  const { setId, studentId } = parseResultId(resultId)
  const { rows } = await sql<RankedResult>`
    select ${whyColumns}
    where r.set_id = ${setId} and r.student_id = ${studentId} and r.school_id = ${scope.schoolId}
      and r.set_id = (select id from ${visibleSet(sql`r.event_id`, now)} visible)
      and not exists (
        select from result_holds k where k.event_id = r.event_id and k.school_id = r.school_id)`.execute(db)
  return explain(db, orNotFound(rows[0]), '')
}

/** Explains any computed result, for the office. */
export async function explainForOffice(
  db: Db,
  _scope: OfficeScope,
  resultId: string,
): Promise<ResultExplanation> {
  const { setId, studentId } = parseResultId(resultId)
  const { rows } = await sql<RankedResult>`
    select ${whyColumns} where r.set_id = ${setId} and r.student_id = ${studentId}`.execute(db)
  const row = orNotFound(rows[0])
  return explain(db, row, row.school_name)
}

/** The ranked students of the same class and school: the only ones whose names may be shown. */
async function classmates(db: Db, row: RankedResult): Promise<Classmate[]> {
  const { rows } = await sql<Classmate>`
    select student_id as "studentId", student_name as "studentName", section, exam_roll_no as "nioRollNo",
      class_rank as "rank", final_score as "finalScore", tie_breaks as "tieBreaks"
    from results
    where school_id = ${row.school_id} and event_id = ${row.event_id} and set_id = ${row.set_id}
      and class_id = ${row.class_id} and class_rank is not null
    order by class_rank, exam_roll_no`.execute(db)
  return rows
}

/** Students with the same olympiad rank, who therefore share every other rank; one of them holds the deciding code. */
async function peers(db: Db, row: RankedResult): Promise<Peer[]> {
  const { rows } = await sql<Peer>`
    select school_id, state, zone, reason from results
    where set_id = ${row.set_id} and class_id = ${row.class_id} and olympiad_rank = ${row.olympiad_rank}
      and student_id <> ${row.student_id}`.execute(db)
  return rows
}

/** `school` is shown with the names of neighbours; empty for a school, which only sees its own students. */
async function explain(db: Db, row: RankedResult, school: string): Promise<ResultExplanation> {
  const rules: EventRules = eventRules.parse(row.rules)
  const sections = sectionsOf(row.sections)
  const sharing = row.present ? await peers(db, row) : []
  const neighbours = row.present
    ? neighboursOf(row.student_id, await classmates(db, row), rules.tieBreak)
    : []
  return {
    resultId: `${row.set_id}-${row.student_id}`,
    studentName: row.student_name,
    className: className(row.class_id),
    section: row.section,
    nioRollNo: row.exam_roll_no,
    subjectName: row.subject_name,
    eventLetter: row.letter,
    examLevel: row.level,
    fyear: row.season,
    present: row.present,
    score: scoreOf(row, sections),
    tieBreak: rules.tieBreak,
    ranks: rankReasons(row, sharing, rules),
    neighbours: neighbours.map((neighbour) => ({ ...neighbour, schName: school })),
    medal: medalReason(row, rules),
    prize: {
      prize: row.prize,
      award: row.award,
      amount: rupeesOf(row.prize_amount),
      couponLink: httpsOnly(row.coupon_link),
      won: explainPrizes(row.reason, rules),
      tooFew: tooFewReason(row, rules),
    },
    eligibility: eligibilityReason(row, rules),
    versions: {
      result: row.version,
      rules: row.rules_version,
      computedAt: row.computed_at?.toISOString() ?? null,
      approvedAt: row.approved_at?.toISOString() ?? null,
      releasedAt: row.released_at?.toISOString() ?? null,
    },
  }
}

function scoreOf(row: RankedResult, sections: readonly EventSection[]): ResultExplanation['score'] {
  return {
    sections: sections.map(({ name, maximum }, index) => ({
      name,
      marks: (row.section_marks[index] ?? 0) / markUnit,
      maximum,
    })),
    rawMarks: row.raw_score / markUnit,
    weights: (row.final_score - row.raw_score) / markUnit,
    marks: row.final_score / markUnit,
    maximumMarks: row.maximum_marks,
    percent: percentOf(row.raw_score, row.maximum_marks * markUnit),
  }
}
