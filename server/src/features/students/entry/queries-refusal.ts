import { formatDay, type Season } from '@podium/contract/season'
import { said, sentences } from '@podium/contract/sentences'
import { placeText } from '@podium/contract/students/rules-place'
import { sql } from 'kysely'
import { hasClosed, readCatalogue } from '#features/catalogue/queries'
import { signedOff } from '#features/students/sign-off/queries'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
import { Refusal, refuseField } from '#platform/errors'
import { reasonAgainst, type Standing } from './rules.ts'

/** What somebody wanted that a guarded statement did not do. */
export interface Attempt {
  want: 'add' | 'change' | 'delete' | 'restore'
  /** 0 for a new student */
  id: number
  version?: number | undefined
  season?: Season
  /** Letters of the subjects wanted */
  letters?: readonly string[]
}

/**
 * Finds the sentence for a save, deletion or restoration whose guard held it back. Reads only to explain: what was
 * decided was decided by the statement.
 */
export async function whyNot(db: Db, scope: SchoolScope, now: Date, attempt: Attempt): Promise<Refusal> {
  const student = attempt.id === 0 ? undefined : await standing(db, scope, attempt.id)
  if (attempt.id !== 0 && !student) return new Refusal('not_found')
  if (student && attempt.season !== undefined && student.season !== attempt.season)
    return new Refusal('not_found')
  if (student && attempt.want === 'restore' && student.active) return new Refusal('enrolment.not_deleted')
  if (student && attempt.want === 'restore' && student.cancelled) return new Refusal('enrolment.cancelled')
  if (student && attempt.want !== 'restore' && !student.active) return new Refusal('enrolment.deleted')
  const season = student?.season ?? attempt.season
  const catalogue = season === undefined ? undefined : await readCatalogue(db, season, now)
  if (!catalogue || season === undefined) return refuseField('FYear', sentences.seasonNotValid)
  const letters = [...new Set([...(student?.letters.split(',') ?? []), ...(attempt.letters ?? [])])]
  const closed = new Set(letters.filter((letter) => hasClosed(catalogue.closesOn.get(letter) ?? '9', now)))
  const before: Standing = student ?? {
    active: true,
    paid: false,
    locked: false,
    letters: '',
  }
  const doors = { open: catalogue.open, closed, signedOff: await signedOff(db, scope.schoolId, season) }
  const reason = reasonAgainst({ ...before, letters: letters.join(',') }, doors)
  if (reason === 'enrolment.closed') {
    const [first = ''] = closed
    const day = formatDay(catalogue.closesOn.get(first) ?? '')
    const events = [...closed].map(catalogue.nameOf).join(', ')
    return new Refusal(reason, { message: said('closedOn', { subjects: events, day }) })
  }
  // Nothing stands against it by now: it was another version, or the catalogue has just changed.
  return new Refusal(reason ?? 'changed_meanwhile')
}

async function standing(db: Db, scope: SchoolScope, id: number) {
  const { rows } = await sql<Standing & { cancelled: boolean; season: Season; version: number }>`
    select season, active, paid, locked, cancelled, letters, version from students
    where id = ${id} and school_id = ${scope.schoolId}`.execute(db)
  return rows[0]
}

/** Whether PostgreSQL refused a write because an active student has the same class, section and roll no. */
export function isTakenRoll(thrown: unknown): boolean {
  return (
    thrown instanceof Error &&
    'code' in thrown &&
    thrown.code === '23505' &&
    'constraint' in thrown &&
    (thrown.constraint === 'students_by_roll' || thrown.constraint === 'students_by_source')
  )
}

export interface Place {
  season: Season
  classId: number
  section: string
  rollNo: number
}

/** The sentence of a duplicate, at the field `rollno`: who has the roll no. */
export async function takenRoll(db: Db, scope: SchoolScope, place: Place): Promise<Refusal> {
  const { rows } = await sql<{ name: string }>`
    select name from students
    where school_id = ${scope.schoolId} and season = ${place.season} and class_id = ${place.classId}
      and section = ${place.section} and roll_no = ${place.rollNo} and active`.execute(db)
  const name = rows[0]?.name ?? sentences.anotherStudent
  const message = said('rollTaken', { roll: place.rollNo, place: placeText(place), name })
  return new Refusal('enrolment.duplicate', { message, issues: [{ path: 'rollno', message }] })
}
