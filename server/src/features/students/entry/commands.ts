import { amountFields, priceChoice } from '@podium/contract/catalogue/rules-fee'
import { type BookKind, bookKinds, className, sections } from '@podium/contract/classes'
import { messages } from '@podium/contract/messages'
import { istDay, parseSeason, type Season, seasonAt } from '@podium/contract/season'
import { formatSentence, sentences } from '@podium/contract/sentences'
import type { StudentChange } from '@podium/contract/students/calls'
import { placeText } from '@podium/contract/students/rules-row'
import type { StudentEntry, StudentFields } from '@podium/contract/students/schemas'
import { type RawBuilder, sql } from 'kysely'
import {
  byPriceList,
  catalogueForSchool,
  loadCatalogue,
  type OfferedEvent,
  type SeasonCatalogue,
} from '#features/catalogue/queries'
import { listsOpen, signedOffLists } from '#features/students/sign-off/queries'
import { insertAudit } from '#platform/audit'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { firstRow } from '#platform/db/rows'
import { Refusal, refuseField } from '#platform/errors'
import { idempotentStatement, type KeyedRequest, runBulk } from '#platform/http/idempotency'
import { updateSlabShares } from '#platform/paid-students'
import { type SaveRefusal, saveAlone, saveStudents } from './commands-save.ts'
import type { SavedStudent, SaveTarget, StudentToSave, Writer } from './commands-write.ts'
import * as queries from './queries.ts'
import { type EarlierPrices, withEarlierPrices } from './rules.ts'

interface Bulk extends Writer {
  season: Season
  /** The Idempotency-Key */
  key: string | undefined
}

/**
 * Changes sections, subjects or books of students, or deletes or restores them, each in its own transaction with the guards of
 * a single save, so that refusals are independent. Returns the previous state in the form that undoes the change.
 * `not_found` if one of them is not the school's.
 */
export async function changeStudents(db: Db, bulk: Bulk, changes: readonly StudentChange[]) {
  const { scope, now, season } = bulk
  const listed = await loadCatalogue(db, season, now)
  if (!listed) throw refuseField('FYear', sentences.seasonNotValid)
  const catalogue = await catalogueForSchool(db, listed, scope, season)
  const ids = changes.map(({ id }) => id)
  const { rows } = await sql<queries.StudentColumns>`
    select ${queries.studentColumns} from students st
    where st.id = any(${ids}::bigint[]) and st.school_id = ${scope.schoolId}
    and st.season = ${season}`.execute(db)
  const rowOf = new Map(rows.map((row) => [row.id, row]))
  if (ids.some((id) => !rowOf.has(id))) throw new Refusal('not_found')
  const savedPrices = await queries.loadSavedPrices(db, scope.schoolId, ids)
  const flips = changes.filter(({ active }) => active !== undefined)
  const edits = changes.filter(({ active }) => active === undefined)
  const flipped = await flipAll(db, bulk, flips)
  const edited = await runBulk(db, now, { scope, key: bulk.key }, edits, async (tx, change) => {
    const row = rowOf.get(change.id)
    if (!row) throw new Refusal('not_found')
    const version = await updateStudent(tx, bulk, catalogue, savedPrices.get(row.id), row, change)
    return stateOf(row, version)
  })
  const before = [...flipped.done, ...edited.done]
  const refused = [...flipped.refused, ...edited.refused].map(({ id, message }) => ({
    id,
    studentName: rowOf.get(id)?.name ?? '',
    message,
  }))
  return { changed: before.length, refused, before }
}

/** Deletes or restores students with the guards of the single call; `done` is what undoes it. */
async function flipAll(db: Db, { scope, now }: Bulk, changes: readonly StudentChange[]) {
  const done: StudentChange[] = []
  const refused: Array<{ id: number; message: string }> = []
  for (const change of new Map(changes.map((entry) => [entry.id, entry])).values()) {
    const set = change.active ? restoreStudent : deleteStudent
    try {
      const which = { studentId: change.id, version: change.version }
      const { studentId: id, version } = await set(db, scope, now, which)
      done.push({ id, version, active: !change.active })
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown
      refused.push({ id: change.id, message: thrown.message })
    }
  }
  return { done, refused }
}

const listed = (joined: string) => (joined === '' ? [] : joined.split(','))

/** The student's previous state, to be restored against its new version. */
function stateOf(row: queries.StudentColumns, version: number): StudentChange {
  const { id, section, cb, pyqp, genex, tb, wb } = row
  const books = { cb: listed(cb), pyqp: listed(pyqp), geneX: listed(genex), tb: listed(tb), wb: listed(wb) }
  return { id, version, section, subjectName: listed(row.letters), ...books }
}

/** The student's new choice, without books of removed subjects. */
function choiceOf(change: StudentChange, was: StudentChange, offer: readonly OfferedEvent[]) {
  const subjects = change.subjectName ?? was.subjectName ?? []
  const subjectNames = new Set(
    offer
      .filter(({ letter, name }) => subjects.includes(letter) || subjects.includes(name))
      .map(({ name }) => name),
  )
  const books: Record<BookKind, string[]> = { cb: [], pyqp: [], geneX: [], tb: [], wb: [] }
  for (const kind of bookKinds)
    books[kind] = change[kind] ?? (was[kind] ?? []).filter((name) => subjectNames.has(name))
  return { subjects, books }
}

async function updateStudent(
  tx: Tx,
  bulk: Bulk,
  catalogue: SeasonCatalogue,
  savedPrices: EarlierPrices | undefined,
  row: queries.StudentColumns,
  change: StudentChange,
): Promise<number> {
  const section = (change.section ?? row.section).trim().toUpperCase()
  if (!sections.includes(section)) throw new Refusal('input.invalid', { message: messages.sectionRequired })
  const offer = withEarlierPrices(catalogue.offerTo(row.class_id), row.class_id, savedPrices)
  const choice = choiceOf(change, stateOf(row, row.version), offer)
  const { issues } = priceChoice(offer, choice)
  const [first] = issues
  if (first) throw new Refusal('input.invalid', { message: first.message, issues })
  const fields: StudentFields = {
    classId: row.class_id,
    section,
    rollno: row.roll_no,
    studentName: row.name,
    parentName: row.parent_name,
    parentEmailId: row.parent_email,
    parentMobileNo: row.parent_mobile,
    subjectName: [...choice.subjects],
    ...choice.books,
  }
  const { id, version } = change
  const into = { season: bulk.season, catalogue }
  const toSave = { id, version, fields }
  const [outcome] = await saveStudents(tx, bulk, into, [toSave])
  if (!outcome) throw new Error('saved without an outcome')
  if ('saved' in outcome) return outcome.saved.version
  throw await refusalOf(tx, bulk, bulk.season, toSave, outcome)
}

/**
 * Enters or changes one student, as an import of one. Uses the cached price list first; if that refuses, a fresh one decides.
 */
export async function saveStudent(db: Db, by: Writer, entry: StudentEntry, idempotencyKey?: string) {
  const { id, version, FYear, ...fields } = entry
  if (id !== 0 && version === undefined) throw refuseField('version', sentences.versionRequired)
  const { scope, now } = by
  const season = parseSeason(FYear ?? '') ?? seasonAt(now)
  const row = { id, version: version ?? 0, fields, shown: entry }
  return byPriceList(db, season, now, async (listed) => {
    if (!listed) throw refuseField('FYear', sentences.seasonNotValid)
    const saved = await idempotentStatement(db, scope, idempotencyKey, entry, async (keyed) => {
      const catalogue = await catalogueForSchool(db, listed, scope, season, id === 0 ? 1 : 0)
      return saveOrRefuse(db, by, { season, catalogue }, row, keyed)
    })
    if (listed.share.kind === 'slabs') await updateSlabShares(db, now, { schoolId: scope.schoolId, season })
    return answer(db, now, season, saved)
  })
}

/** Saves one student, or throws the refusal. */
async function saveOrRefuse(
  db: Db,
  by: Writer,
  into: SaveTarget,
  row: StudentToSave,
  keyed?: KeyedRequest,
): Promise<SavedStudent> {
  const outcome = await saveAlone(db, by, into, row, keyed)
  if ('saved' in outcome) return outcome.saved
  throw await refusalOf(db, by, into.season, row, outcome)
}

async function refusalOf(
  db: Db | Tx,
  { scope, now }: Writer,
  season: Season,
  { id, version, fields }: StudentToSave,
  outcome: SaveRefusal,
): Promise<Refusal> {
  if (outcome.refused === 'choice') {
    const [first, second] = outcome.issues
    const message = first && !second ? { message: first.message } : {}
    return new Refusal('input.invalid', { issues: outcome.issues, ...message })
  }
  if (outcome.refused === 'amounts')
    return new Refusal('enrolment.amounts_changed', { fields: amountFields(outcome.fee) })
  if (outcome.refused === 'place')
    return queries.explainTakenRoll(db, scope, {
      season,
      classId: fields.classId,
      section: fields.section,
      rollNo: fields.rollno,
    })
  const want = id === 0 ? 'add' : 'change'
  return queries.explainRefusal(db, scope, now, { want, id, version, season, letters: outcome.letters })
}

async function answer(db: Db, now: Date, season: Season, saved: SavedStudent) {
  const doors = await queries.seasonDoors(db, season, now)
  return {
    data: queries.studentRow(saved, doors),
    likely: saved.likely.map(({ classId, ...other }) => ({ ...other, className: className(classId) })),
  }
}

interface StudentVersion {
  studentId: number
  /** Version shown; not checked if absent */
  version?: number | undefined
}

/** Deletes a student who is active, unpaid, not under verification, and only in open events and lists not signed off. The row remains, marked as deleted. */
export async function deleteStudent(db: Db, scope: SchoolScope, now: Date, which: StudentVersion) {
  return setActive(db, scope, now, which, false)
}

/** Restores a deleted student, under the same guards, with the enrolments, books and prices from before, if still offered to the class. */
export async function restoreStudent(db: Db, scope: SchoolScope, now: Date, which: StudentVersion) {
  return setActive(db, scope, now, which, true)
}

async function setActive(db: Db, scope: SchoolScope, now: Date, which: StudentVersion, active: boolean) {
  try {
    const done = await flip(
      db,
      scope,
      now,
      which,
      active,
      sql`
      from seasons s
      where st.id = ${which.studentId} and st.school_id = ${scope.schoolId} and st.active = ${!active}
        and not st.paid and not st.locked and not st.cancelled
        and s.label = st.season and s.state = 'open'
        and not exists (
          select from enrolments n join events e on e.id = n.event_id where n.student_id = st.id and e.closes_on < ${istDay(now)}::date)
        and (${!active} or not exists (
          select from enrolments n where n.student_id = st.id and not exists (
            select from event_fees f where f.event_id = n.event_id and f.class_id = n.class_id)))`,
    )
    if (done) {
      const { season, ...answer } = done
      await updateSlabShares(db, now, { schoolId: scope.schoolId, season })
      return answer
    }
  } catch (thrown) {
    if (!queries.isTakenRoll(thrown)) throw thrown
    throw await takenMeanwhile(db, scope, which.studentId)
  }
  const { studentId: id, version } = which
  if (version !== undefined) {
    const wanted = { id, school_id: scope.schoolId, active, version: version + 1 }
    // Sent again because the answer was lost
    if (await firstRow(db, 'students', wanted, ['id'])) return { studentId: id, version: version + 1 }
  }
  throw await queries.explainRefusal(db, scope, now, { want: active ? 'restore' : 'delete', id, version })
}

/**
 * The family link of a restored student `st`: if theirs was revoked because their mobile was entered again meanwhile, the link
 * that this mobile has now, as for a student entered today.
 */
const linkByNow = sql`coalesce((
  select l.id from family_links own join family_links l on l.school_id = st.school_id and l.season = st.season
    and l.parent_mobile = st.parent_mobile and l.parent_mobile <> '' and l.revoked_at is null
  where own.id = st.family_link_id and own.revoked_at is not null), st.family_link_id)`

/** Deletes or restores in one statement with its audit line. */
async function flip(
  db: Db,
  scope: SchoolScope,
  now: Date,
  which: StudentVersion,
  active: boolean,
  guard: RawBuilder<unknown>,
) {
  const events = sql`select n.event_id from enrolments n where n.student_id = ${which.studentId}`
  const { rows } = await sql<{ studentId: number; version: number; season: string }>`
    with ${signedOffLists(scope, events)}, changed as (
      update students st set active = ${active}, updated_at = ${now}::timestamptz, version = st.version + 1
        ${active ? sql`, family_link_id = ${linkByNow}` : sql``}
      ${guard} and ${listsOpen} and (${which.version ?? null}::int is null or st.version = ${which.version ?? null})
      returning st.id, st.school_id, st.season, st.name, st.class_id, st.section, st.roll_no, st.version
    ), noted as (
      ${insertAudit(now, scope)}, c.school_id, c.season,
        ${active ? 'student.restored' : 'student.deleted'}, 'student', c.id::text,
        jsonb_build_object('from', jsonb_build_object('active', ${!active}::boolean), 'to', jsonb_build_object('active', ${active}::boolean),
          'name', c.name, 'classId', c.class_id, 'section', c.section, 'rollNo', c.roll_no)
      from changed c
    )
    select id as "studentId", version, season from changed`.execute(db)
  return rows[0]
}

/** The refusal if a restored student's roll no is taken, or the same child was carried over again. */
async function takenMeanwhile(db: Db, scope: SchoolScope, id: number): Promise<Refusal> {
  const { rows } = await sql<{
    name: string
    classId: number
    section: string
    rollNo: number
    again: boolean
  }>`
    select other.name, st.class_id as "classId", st.section, st.roll_no as "rollNo",
      coalesce(other.carried_from = st.carried_from, false) as again
    from students st left join students other on other.school_id = st.school_id and other.season = st.season and other.active
      and (other.carried_from = st.carried_from
        or (other.class_id = st.class_id and other.section = st.section and other.roll_no = st.roll_no))
    where st.id = ${id} and st.school_id = ${scope.schoolId}
    order by again desc`.execute(db)
  const row = rows[0]
  if (!row) return new Refusal('not_found')
  if (row.again)
    return new Refusal('enrolment.duplicate', { message: formatSentence('carriedAgain', { name: row.name }) })
  const name = row.name ?? sentences.anotherStudent
  const message = formatSentence('rollTakenByNow', { roll: row.rollNo, place: placeText(row), name })
  return new Refusal('enrolment.duplicate', { message, issues: [{ path: 'rollno', message }] })
}
