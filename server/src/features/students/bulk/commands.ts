import { priceChoice } from '@podium/contract/catalogue/rules-fee'
import { type BookKind, bookKinds, sections } from '@podium/contract/classes'
import { messages } from '@podium/contract/messages'
import type { Season } from '@podium/contract/season'
import { sentences } from '@podium/contract/sentences'
import type { StudentChange } from '@podium/contract/students/calls-bulk'
import type { StudentFields } from '@podium/contract/students/schemas'
import { sql } from 'kysely'
import {
  forSchool,
  loadCatalogue,
  type OfferedEvent,
  type SeasonCatalogue,
} from '#features/catalogue/queries'
import type { Db } from '#platform/db/database'
import { Refusal, refuseField } from '#platform/errors'
import { deleteStudent, restoreStudent, saveOne } from '../entry/commands.ts'
import type { Writer } from '../entry/commands-write.ts'
import { keptPrices, type StudentColumns, studentColumns } from '../entry/queries.ts'
import { type EarlierPrices, withEarlierPrices } from '../entry/rules.ts'

interface Bulk extends Writer {
  season: Season
}

/**
 * Changes section, subjects or books of students, deletes or restores them, each in its own transaction with the guards of a single save, so that
 * one who is refused keeps nobody else back. Answers what was before, in the shape that takes it back. `not_found` where
 * one of them is not the school's.
 */
export async function changeStudents(db: Db, bulk: Bulk, changes: readonly StudentChange[]) {
  const { scope, now, season } = bulk
  const listed = await loadCatalogue(db, season, now)
  if (!listed) throw refuseField('FYear', sentences.seasonNotValid)
  const catalogue = await forSchool(db, listed, scope, season)
  const ids = changes.map(({ id }) => id)
  const { rows } = await sql<StudentColumns>`
    select ${studentColumns} from students st
    where st.id = any(${ids}::bigint[]) and st.school_id = ${scope.schoolId} and st.season = ${season}`.execute(
    db,
  )
  const rowOf = new Map(rows.map((row) => [row.id, row]))
  if (ids.some((id) => !rowOf.has(id))) throw new Refusal('not_found')
  const kept = await keptPrices(db, scope.schoolId, ids)
  const before: StudentChange[] = []
  const refused: Array<{ id: number; studentName: string; message: string }> = []
  for (const change of new Map(changes.map((one) => [one.id, one])).values()) {
    const row = rowOf.get(change.id)
    if (!row) continue
    try {
      if (change.active !== undefined) {
        before.push(await flip(db, bulk, change, change.active))
        continue
      }
      const version = await changeOne(db, bulk, catalogue, kept.get(row.id), row, change)
      before.push(stateOf(row, version))
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown
      refused.push({ id: row.id, studentName: row.name, message: thrown.message })
    }
  }
  return { changed: before.length, refused, before }
}

/** Deletes or restores one, with the guards of the single call; answers what takes it back. */
async function flip(
  db: Db,
  { scope, now }: Bulk,
  change: StudentChange,
  active: boolean,
): Promise<StudentChange> {
  const which = { studentId: change.id, version: change.version }
  const set = active ? restoreStudent : deleteStudent
  const { studentId: id, version } = await set(db, scope, now, which)
  return { id, version, active: !active }
}

const listed = (joined: string) => (joined === '' ? [] : joined.split(','))

/** What the student had, to be sent back against the version that it has now. */
function stateOf(row: StudentColumns, version: number): StudentChange {
  const { id, section, cb, pyqp, genex, tb, wb } = row
  const books = { cb: listed(cb), pyqp: listed(pyqp), geneX: listed(genex), tb: listed(tb), wb: listed(wb) }
  return { id, version, section, subjectName: listed(row.letters), ...books }
}

/** What the student is to have, with the books of left out subjects left out, too. */
function choiceOf(change: StudentChange, was: StudentChange, offer: readonly OfferedEvent[]) {
  const subjects = change.subjectName ?? was.subjectName ?? []
  const kept = new Set(
    offer
      .filter(({ letter, name }) => subjects.includes(letter) || subjects.includes(name))
      .map(({ name }) => name),
  )
  const books: Record<BookKind, string[]> = { cb: [], pyqp: [], geneX: [], tb: [], wb: [] }
  for (const kind of bookKinds)
    books[kind] = change[kind] ?? (was[kind] ?? []).filter((name) => kept.has(name))
  return { subjects, books }
}

async function changeOne(
  db: Db,
  bulk: Bulk,
  catalogue: SeasonCatalogue,
  kept: EarlierPrices | undefined,
  row: StudentColumns,
  change: StudentChange,
): Promise<number> {
  const section = (change.section ?? row.section).trim().toUpperCase()
  if (!sections.includes(section)) throw new Refusal('input.invalid', { message: messages.sectionRequired })
  const offer = withEarlierPrices(catalogue.offerTo(row.class_id), row.class_id, kept)
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
  const saved = await db.transaction().execute((tx) => saveOne(tx, bulk, into, { id, version, fields }))
  return saved.version
}
