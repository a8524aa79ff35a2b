import { createHash } from 'node:crypto'
import { amountFields, type StudentFee } from '@podium/contract/catalogue/rules-fee'
import { classes, className } from '@podium/contract/classes'
import type { AnswerOf } from '@podium/contract/endpoint'
import { paise, rupees } from '@podium/contract/money'
import { type Season, seasonBefore } from '@podium/contract/season'
import { sentences } from '@podium/contract/sentences'
import type { CarryOptions, CarryRow, previewCarryOver } from '@podium/contract/students/calls-carry-over'
import { sql } from 'kysely'
import { closedLetters, forSchool, loadCatalogue, type SeasonCatalogue } from '#features/catalogue/queries'
import { signedOff } from '#features/students/sign-off/queries'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { Refusal, refuseField } from '#platform/errors'
import { totalFee } from '../import/rules.ts'
import type { LastStudent, Present } from './rules.ts'
import { type PlannedRow, planCarryOver } from './rules.ts'

/**
 * Last season's students of the school, without those who were deleted and entered again. The second level is that of the
 * invitations which the school was told of and which were not taken back.
 */
async function readLast(db: Db | Tx, scope: SchoolScope, from: Season): Promise<LastStudent[]> {
  const { rows } = await sql<LastStudent>`
    with invited as (
      select i.student_id, string_agg(sub.name, ', ' order by sub.position) as names
      from next_level_invitations i
        join events e on e.id = i.event_id
        join subjects sub on sub.letter = e.letter
      where i.school_id = ${scope.schoolId} and i.told = 'invited' and e.season = ${from} and e.level = 1
        and not exists (select from result_holds h where h.event_id = e.id and h.school_id = ${scope.schoolId})
      group by i.student_id
    )
    select st.id, st.class_id as "classId", st.section, st.roll_no as "rollNo", st.name, st.name_key as "nameKey",
      st.parent_name as "parentName", st.parent_email as "parentEmail", st.parent_mobile as "parentMobile", st.active,
      st.subject_names as "subjectNames", st.letters, st.cb, st.pyqp, st.genex as "geneX", st.tb, st.wb,
      coalesce(i.names, '') as level2,
      case when l.parent_mobile <> st.parent_mobile then l.parent_mobile end as "familyMobile"
    from students st left join invited i on i.student_id = st.id left join family_links l on l.id = st.family_link_id
    where st.school_id = ${scope.schoolId} and st.season = ${from}
      and (st.active or not exists (
        select from students other
        where other.school_id = st.school_id and other.season = st.season and other.class_id = st.class_id
          and other.name_key = st.name_key and other.active))
    order by st.id`.execute(db)
  return rows
}

/** The school's students of the season, newest first: the active ones, and those deleted after they were carried over. */
async function readPresent(db: Db | Tx, scope: SchoolScope, season: Season): Promise<Present[]> {
  const { rows } = await sql<Present>`
    select id, class_id as "classId", section, roll_no as "rollNo", name, name_key as "nameKey",
      parent_mobile as "parentMobile", active, carried_from as "carriedFrom"
    from students
    where school_id = ${scope.schoolId} and season = ${season} and (active or carried_from is not null)
    order by id desc`.execute(db)
  return rows
}

export interface CarryPlan {
  from: Season
  rows: PlannedRow[]
  /** Of all rows with their amounts: what is confirmed must be what was seen */
  digest: string
  catalogue: SeasonCatalogue
  closed: ReadonlySet<string>
}

/** The plan of carrying over into an open season, by the price list and the students of this moment. Writes nothing. */
export async function planFor(
  db: Db | Tx,
  scope: SchoolScope,
  now: Date,
  season: Season,
  options: CarryOptions,
): Promise<CarryPlan> {
  const catalogue = await loadCatalogue(db, season, now)
  if (!catalogue) throw refuseField('FYear', sentences.seasonNotValid)
  if (!catalogue.open) throw new Refusal('enrolment.season_closed')
  const from = seasonBefore(season)
  const last = await readLast(db, scope, from)
  const present = await readPresent(db, scope, season)
  const closed = new Set([...closedLetters(catalogue, now), ...(await signedOff(db, scope.schoolId, season))])
  const open = openOffers(catalogue, closed)
  const first = planCarryOver(last, present, { open, closed }, options)
  const entering = first.filter(({ priced }) => priced !== undefined).length
  const reached = await forSchool(db, catalogue, scope, season, entering)
  const rows =
    reached === catalogue
      ? first
      : planCarryOver(last, present, { open: openOffers(reached, closed), closed }, options)
  return { from, rows, digest: digestOf(season, rows), catalogue, closed }
}

/** What a class can still enter; asked once for each class. */
function openOffers(catalogue: SeasonCatalogue, closed: ReadonlySet<string>) {
  const known = new Map<number, ReturnType<SeasonCatalogue['offerTo']>>()
  return (classId: number) => {
    const offer = known.get(classId) ?? catalogue.offerTo(classId).filter(({ letter }) => !closed.has(letter))
    known.set(classId, offer)
    return offer
  }
}

function digestOf(season: Season, rows: readonly PlannedRow[]): string {
  const facts = rows.map(({ last, state, fields, priced, issues, looks, other }) => [
    last.id,
    state,
    fields ?? issues,
    priced?.fee ?? null,
    looks,
    other?.id ?? 0,
  ])
  return createHash('sha256')
    .update(JSON.stringify([season, facts]))
    .digest('base64url')
}

/** How many of last season's students have a class to go to, and how many of them are not entered yet. */
export async function readOffer(db: Db, scope: SchoolScope, season: Season) {
  const from = seasonBefore(season)
  const { rows } = await sql<{ students: number; left: number; open: boolean }>`
    with last as (
      select st.id, st.name_key, st.parent_mobile from students st
      where st.school_id = ${scope.schoolId} and st.season = ${from} and st.active and st.class_id <> 12
    ), present as (
      select name_key, parent_mobile, carried_from from students
      where school_id = ${scope.schoolId} and season = ${season} and (active or carried_from is not null)
    )
    select count(*)::int as students,
      count(*) filter (where not exists (select from present p where p.carried_from = last.id)
        and not exists (select from present p where p.name_key = last.name_key and p.parent_mobile = last.parent_mobile))::int as left,
      exists (select from seasons where label = ${season} and state = 'open') as open
    from last`.execute(db)
  const { students = 0, left = 0, open = false } = rows[0] ?? {}
  return { fromSeason: from, students, left, offered: open && left > 0 && left * 2 >= students }
}

const nothing: StudentFee = {
  regAmount: paise(0),
  schoolExpenses: paise(0),
  bookAmount: paise(0),
  bookSchoolExpenses: paise(0),
}

function carryRow({ last, priced, other, ...row }: PlannedRow): CarryRow {
  const lines = priced?.registration ?? []
  return {
    studentId: last.id,
    studentName: last.name,
    parentName: last.parentName,
    parentMobileNo: last.parentMobile,
    fromClassId: last.classId,
    fromSection: last.section,
    fromRollNo: last.rollNo,
    state: row.state,
    classId: row.classId,
    section: row.section,
    rollNo: row.rollNo,
    subjectName: lines.map(({ name }) => name).join(','),
    eventLetter: lines.map(({ letter }) => letter).join(','),
    bookCount: priced?.books.length ?? 0,
    ...amountFields(priced?.fee ?? nothing),
    level2: last.level2,
    proposed: row.proposed,
    looks: row.looks,
    issues: row.issues,
    other: other
      ? {
          id: other.id,
          studentName: other.name,
          className: className(other.classId),
          section: other.section,
          rollNo: other.rollNo,
        }
      : null,
  }
}

/** What carrying over would do, as a difference, with its totals and what the classes can choose from. */
export async function carryPreview(
  db: Db,
  scope: SchoolScope,
  now: Date,
  season: Season,
  options: CarryOptions,
): Promise<AnswerOf<typeof previewCarryOver>> {
  const { from, rows, digest, catalogue, closed } = await planFor(db, scope, now, season, options)
  const entering = rows.filter(({ proposed, fields }) => proposed && fields)
  const open = openOffers(catalogue, closed)
  const wanted = new Set(rows.filter(({ state }) => state === 'new').map(({ classId }) => classId))
  const count = (test: (row: PlannedRow) => boolean) => rows.filter(test).length
  return {
    fromSeason: from,
    digest,
    rows: rows.map(carryRow),
    offers: classes
      .filter(({ classId }) => wanted.has(classId))
      .map(({ classId }) => ({
        classId,
        subjects: open(classId).map(({ letter, name, price }) => ({
          eventLetter: letter,
          subjectName: name,
          eventFee: rupees(price),
        })),
      })),
    totals: {
      enter: entering.length,
      look: count(({ state, looks, issues }) => state === 'new' && looks.length + issues.length > 0),
      there: count(({ state }) => state === 'there'),
      leaves: count(({ state }) => state === 'leaves'),
      ...amountFields(totalFee(entering.map(({ priced }) => ({ fee: priced?.fee ?? nothing })))),
    },
  }
}
