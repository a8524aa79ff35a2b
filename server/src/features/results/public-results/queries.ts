import { className } from '@podium/contract/classes'
import type { CertificateFacts, PublicResult } from '@podium/contract/results/calls-public'
import { type EventRules, eventRules } from '@podium/contract/results/schemas'
import { type RawBuilder, sql } from 'kysely'
import type { ReadDb } from '#platform/db/database'
import { certified, resultColumns, type StoredResult, visibleSet } from '../queries.ts'
import { markUnit } from '../rules.ts'
import type { Reason } from '../why/rules.ts'
import {
  certificateKind,
  certifiedRanks,
  initialsOf,
  pageOpen,
  parseLink,
  printedNumber,
  publicName,
  shownRanks,
  starsOf,
} from './rules.ts'

/** A released result with what documents and pages outside the school say of its event and school. */
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
 * Results `r` of the version `v` that is out at this instant, of schools that are not held: what may be told outside the
 * office. To be followed by `where` or `and` conditions on r, e and v.
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
    where not exists (select from result_holds k where k.event_id = r.event_id and k.school_id = r.school_id)`
}

export function olympiadOf(row: ReleasedResult) {
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
 * What the holder of a link reads: the result that is out now, whichever version the link was made for. Undefined for a
 * link that never was or has been renewed.
 */
export async function publicResultOf(db: ReadDb, now: Date, id: string) {
  const { student_id, link_secret } = parseLink(id)
  const linked = await db
    .selectFrom('results')
    .select(['event_id', 'present'])
    .where('student_id', '=', student_id)
    .where('link_secret', '=', link_secret)
    .executeTakeFirst()
  if (!linked) return undefined
  const { rows } = await sql<ReleasedResult>`
    ${releasedResults(now)} and r.student_id = ${student_id} and r.event_id = ${linked.event_id} and r.present`.execute(
    db,
  )
  const [row] = rows
  if (!row) return { state: 'awaited', data: null } as const
  if (!pageOpen(row.release_at, now)) return { state: 'over', data: null } as const
  return { state: 'released', data: forEverybody(row) } as const
}

/** What the certificate of a released result says, without the child. */
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

/** What stands behind a certificate's number now. */
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

/** Whether a correction has changed what a certificate of an earlier version says. */
async function outdated(db: ReadDb, setId: number | null, row: ReleasedResult): Promise<boolean> {
  if (setId === null || setId === row.set_id) return false
  const { rows } = await sql`
    select from results a join results b on b.student_id = a.student_id and b.set_id = ${row.set_id}
    where a.set_id = ${setId} and a.student_id = ${row.student_id}
      and (${certified('a')}) is not distinct from (${certified('b')})`.execute(db)
  return rows.length === 0
}

/** The released result of a child who sat, in an event. */
async function releasedOf(db: ReadDb, now: Date, of: { student_id: number; event_id: number }) {
  const { rows } = await sql<ReleasedResult>`
    ${releasedResults(now)} and r.student_id = ${of.student_id} and r.event_id = ${of.event_id} and r.present`.execute(
    db,
  )
  return rows[0]
}
