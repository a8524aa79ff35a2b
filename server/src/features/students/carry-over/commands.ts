import { createHash } from 'node:crypto'
import { amountFields, type StudentFee } from '@podium/contract/catalogue/rules-fee'
import { classes, className } from '@podium/contract/classes'
import type { AnswerOf, BodyOf, Issue } from '@podium/contract/endpoint'
import { paise, rupees } from '@podium/contract/money'
import { istDay, type Season, seasonBefore } from '@podium/contract/season'
import { sentences } from '@podium/contract/sentences'
import type {
  CarryOptions,
  CarryRow,
  confirmCarryOver,
  previewCarryOver,
} from '@podium/contract/students/calls-carry-over'
import { sql } from 'kysely'
import {
  catalogueForSchool,
  closedLetters,
  hasClosed,
  loadCatalogue,
  type SeasonCatalogue,
} from '#features/catalogue/queries'
import { signedOff } from '#features/students/sign-off/queries'
import { audit } from '#platform/audit'
import type { SchoolScope } from '#platform/auth/scope'
import { newId } from '#platform/auth/secrets'
import type { Db, Tx } from '#platform/db/database'
import { Refusal } from '#platform/errors'
import type { JobState } from '#platform/jobs/jobs'
import { startSaving } from '../import/commands.ts'
import { readImport } from '../import/queries.ts'
import { totalFee } from '../import/rules.ts'
import type { ValidRow } from '../import/rules-classify.ts'
import { type CurrentStudent, type LastStudent, type PlannedRow, planCarryOver } from './rules.ts'

/**
 * Last season's students of the school, without those erased, or deleted and entered again. Level 2 comes from invitations that were
 * sent to the school and not withdrawn.
 */
async function readLast(db: Db | Tx, scope: SchoolScope, from: Season): Promise<LastStudent[]> {
  const { rows } = await sql<LastStudent>`
    with invited as (
      select i.student_id, string_agg(sub.name, ', ' order by sub.position) as names
      from next_level_invitations i
        join events e on e.id = i.event_id
        join subjects sub on sub.letter = e.letter
      where i.school_id = ${scope.schoolId} and i.notice = 'invited' and e.season = ${from} and e.level = 1
        and not exists (select from result_holds h where h.event_id = e.id and h.school_id = ${scope.schoolId})
      group by i.student_id
    )
    select st.id, st.class_id as "classId", st.section, st.roll_no as "rollNo", st.name, st.name_key as "nameKey",
      st.parent_name as "parentName", st.parent_email as "parentEmail", st.parent_mobile as "parentMobile", st.active,
      st.subject_names as "subjectNames", st.letters, st.cb, st.pyqp, st.genex as "geneX", st.tb, st.wb,
      coalesce(i.names, '') as level2,
      case when l.parent_mobile <> st.parent_mobile then l.parent_mobile end as "familyMobile"
    from students st left join invited i on i.student_id = st.id left join family_links l on l.id = st.family_link_id
    where st.school_id = ${scope.schoolId} and st.season = ${from} and st.erased_at is null
      and (st.active or not exists (
        select from students other
        where other.school_id = st.school_id and other.season = st.season and other.class_id = st.class_id
          and other.name_key = st.name_key and other.active))
    order by st.id`.execute(db)
  return rows
}

/** The school's students of the season, newest first: active ones, and those deleted after being carried over. */
async function readPresent(db: Db | Tx, scope: SchoolScope, season: Season): Promise<CurrentStudent[]> {
  const { rows } = await sql<CurrentStudent>`
    select id, class_id as "classId", section, roll_no as "rollNo", name, name_key as "nameKey",
      parent_mobile as "parentMobile", active, carried_from as "carriedFrom"
    from students
    where school_id = ${scope.schoolId} and season = ${season} and (active or carried_from is not null)
    order by id desc`.execute(db)
  return rows
}

interface CarryPlan {
  from: Season
  rows: PlannedRow[]
  /** Digest of all rows with amounts, so that only what was seen is confirmed */
  digest: string
  catalogue: SeasonCatalogue
  closed: ReadonlySet<string>
}

/** Plans a carry-over into an open season, from the current price list and students. Writes nothing. */
async function planFor(
  db: Db | Tx,
  scope: SchoolScope,
  now: Date,
  season: Season,
  options: CarryOptions,
): Promise<CarryPlan> {
  const catalogue = await loadCatalogue(db, season, now)
  if (!catalogue?.open) throw new Refusal('enrolment.season_closed')
  const from = seasonBefore(season)
  const last = await readLast(db, scope, from)
  const present = await readPresent(db, scope, season)
  const closed = new Set([...closedLetters(catalogue, now), ...(await signedOff(db, scope.schoolId, season))])
  const open = openOffers(catalogue, closed)
  const first = planCarryOver(last, present, { open, closed }, options)
  const entering = first.filter(({ priced }) => priced !== undefined).length
  const reached = await catalogueForSchool(db, catalogue, scope, season, entering)
  const rows =
    reached === catalogue
      ? first
      : planCarryOver(last, present, { open: openOffers(reached, closed), closed }, options)
  return { from, rows, digest: digestOf(season, rows), catalogue, closed }
}

/** The events still open for each class, computed once for each. */
function openOffers(catalogue: SeasonCatalogue, closed: ReadonlySet<string>) {
  const known = new Map<number, ReturnType<SeasonCatalogue['offerTo']>>()
  return (classId: number) => {
    const offer = known.get(classId) ?? catalogue.offerTo(classId).filter(({ letter }) => !closed.has(letter))
    known.set(classId, offer)
    return offer
  }
}

function digestOf(season: Season, rows: readonly PlannedRow[]): string {
  const facts = rows.map(({ last, state, fields, priced, issues, warnings, other }) => [
    last.id,
    state,
    fields ?? issues,
    priced?.fee ?? null,
    warnings,
    other?.id ?? 0,
  ])
  return createHash('sha256')
    .update(JSON.stringify([season, facts]))
    .digest('base64url')
}

/** How many of last season's students have a next class, and how many can still be entered. Offered until entries close. */
export async function readOffer(db: Db, scope: SchoolScope, season: Season, now: Date) {
  const from = seasonBefore(season)
  const { rows } = await sql<{ students: number; left: number; open: boolean }>`
    with last as (
      select st.id, st.name_key, st.parent_mobile from students st
      where st.school_id = ${scope.schoolId} and st.season = ${from} and st.active and st.erased_at is null
        and st.class_id <> 12
    ), present as (
      select name_key, parent_mobile, carried_from from students
      where school_id = ${scope.schoolId} and season = ${season} and (active or carried_from is not null)
    )
    select count(*)::int as students,
      count(*) filter (where not exists (select from present p where p.carried_from = last.id)
        and not exists (select from present p where p.name_key = last.name_key and p.parent_mobile = last.parent_mobile))::int as left,
      exists (select from seasons s join events e on e.season = s.label
        where s.label = ${season} and s.state = 'open' and e.level = 1 and e.closes_on >= ${istDay(now)}::date) as open
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

function carryRow({ last, priced, other, fields: _, ...row }: PlannedRow): CarryRow {
  const lines = priced?.registration ?? []
  return {
    ...row,
    studentId: last.id,
    studentName: last.name,
    parentName: last.parentName,
    parentMobileNo: last.parentMobile,
    fromClassId: last.classId,
    fromSection: last.section,
    fromRollNo: last.rollNo,
    subjectName: lines.map(({ name }) => name).join(','),
    eventLetter: lines.map(({ letter }) => letter).join(','),
    bookCount: priced?.books.length ?? 0,
    ...amountFields(priced?.fee ?? nothing),
    level2: last.level2,
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

/** Preview of a carry-over: the differences, totals, and the choices for each class. */
export async function carryPreview(
  db: Db,
  scope: SchoolScope,
  now: Date,
  season: Season,
  options: CarryOptions,
): Promise<AnswerOf<typeof previewCarryOver>> {
  const { from, rows, digest, catalogue, closed } = await planFor(db, scope, now, season, options)
  // Otherwise each student would be listed with subjects that are not offered.
  if ([...catalogue.closesOn.values()].every((day) => hasClosed(day, now)))
    throw new Refusal('enrolment.season_closed')
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
      look: count(({ state, warnings, issues }) => state === 'new' && warnings.length + issues.length > 0),
      there: count(({ state }) => state === 'there'),
      leaves: count(({ state }) => state === 'leaves'),
      ...amountFields(totalFee(entering.map(({ priced }) => ({ fee: priced?.fee ?? nothing })))),
    },
  }
}

type CarryRequest = Omit<BodyOf<typeof confirmCarryOver>, 'options' | 'FYear'> & {
  FYear: Season
  options: CarryOptions
}

/**
 * Enters the chosen students of a preview as an import, saved by its job. Refuses if the current plan differs from the one
 * seen. A repeated request returns the progress of the first.
 */
export async function confirmCarry(db: Db, scope: SchoolScope, now: Date, wanted: CarryRequest) {
  const sha256 = contentOf(wanted)
  return db.transaction().execute(async (tx) => {
    // One at a time for each school, so that a second request finds the first one's import.
    await sql`select from schools where id = ${scope.schoolId} for no key update`.execute(tx)
    const before = await findPlanned(tx, scope, wanted.FYear, sha256)
    if (before) {
      if (before.state === 'failed' || before.state === 'cancelled')
        await startSaving(tx, scope, now, { ...before, season: wanted.FYear })
      return readImport(tx, scope, before.importId)
    }
    const plan = await planFor(tx, scope, now, wanted.FYear, wanted.options)
    const good = validRows(plan, wanted)
    const importId = await storePlan(tx, scope, now, wanted.FYear, { plan, good, sha256 })
    await startSaving(tx, scope, now, { importId, season: wanted.FYear, goodCount: good.length, done: 0 })
    return readImport(tx, scope, importId)
  })
}

function contentOf({ FYear, options, take, digest }: CarryRequest): string {
  const content = ['carry-over', FYear, options, [...new Set(take)].toSorted((a, b) => a - b), digest]
  return createHash('sha256').update(JSON.stringify(content)).digest('hex')
}

/** The pending or completed import with exactly this content, unless undone. */
export async function findPlanned(tx: Tx, scope: SchoolScope, season: Season, sha256: string) {
  const { rows } = await sql<{ importId: string; goodCount: number; done: number; state: JobState | null }>`
    select i.id as "importId", i.good_count as "goodCount", i.done, j.state
    from student_imports i left join jobs j on j.id = i.job_id
    where i.school_id = ${scope.schoolId} and i.season = ${season} and i.sha256 = ${sha256}
      and i.undone_at is null and i.job_id is not null`.execute(tx)
  return rows[0]
}

/** The chosen rows to save. Refuses a changed list, changed amounts, and students who can't be entered. */
function validRows({ rows, digest }: CarryPlan, wanted: CarryRequest): ValidRow[] {
  const unknown = new Set(wanted.take)
  const good: ValidRow[] = []
  const issues: Issue[] = []
  for (const [index, { last, fields, priced, issues: rowIssues }] of rows.entries()) {
    if (!unknown.delete(last.id)) continue
    if (fields && priced) {
      const { id: carriedFrom, familyMobile } = last
      const family = familyMobile === null ? {} : { familyMobile }
      good.push({ row: index + 1, fields, fee: priced.fee, carriedFrom, ...family })
    } else
      issues.push({ path: `take.${last.id}`, message: rowIssues[0]?.message ?? sentences.notToBeEntered })
  }
  for (const id of unknown) issues.push({ path: `take.${id}`, message: sentences.notToBeEntered })
  const total = totalFee(good)
  const differs =
    rupees(total.regAmount) !== wanted.regAmount || rupees(total.bookAmount) !== wanted.bookAmount
  if (issues.length > 0)
    throw digest === wanted.digest
      ? new Refusal('input.invalid', { issues })
      : new Refusal('changed_meanwhile')
  if (differs) throw new Refusal('enrolment.amounts_changed', { fields: amountFields(total) })
  if (digest !== wanted.digest) throw new Refusal('changed_meanwhile')
  if (good.length === 0) throw new Refusal('enrolment.import_empty', { message: sentences.nobodyToEnter })
  return good
}

async function storePlan(
  tx: Tx,
  scope: SchoolScope,
  now: Date,
  season: Season,
  { plan, good, sha256 }: { plan: CarryPlan; good: readonly ValidRow[]; sha256: string },
) {
  const { rows } = await sql<{ id: string }>`
    insert into student_imports (id, school_id, season, file_name, source, sha256, row_count, good_count, good_rows, preview, created_by, created_at)
    values (${newId()}, ${scope.schoolId}, ${season}, ${plan.from}, 'carry-over', ${sha256}, ${plan.rows.length}, ${good.length},
      ${JSON.stringify(good)}::jsonb, '{}', ${scope.userId}, ${now}::timestamptz)
    on conflict (school_id, season, sha256) where source <> 'file' or confirmed_at is null do update
      set good_count = excluded.good_count, good_rows = excluded.good_rows, created_by = excluded.created_by,
        created_at = excluded.created_at, job_id = null, confirmed_at = null, undone_at = null, done = 0, imported = 0, refused = '[]'
    returning id`.execute(tx)
  const importId = rows[0]?.id ?? ''
  const change = { carriedFrom: plan.from, students: plan.rows.length, good: good.length }
  await audit(tx, now, scope, 'import.carried_over', { kind: 'import', id: importId, season }, change)
  return importId
}
