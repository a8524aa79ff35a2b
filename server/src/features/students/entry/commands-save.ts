import { priceChoice, type StudentFee } from '@podium/contract/catalogue/rules-fee'
import type { Issue } from '@podium/contract/endpoint'
import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import type { KeyedRequest } from '#platform/http/idempotency'
import {
  type Draft,
  linksOf,
  type SavedStudent,
  type SaveTarget,
  type StudentToSave,
  type Writer,
  writeStudents,
} from './commands-write.ts'
import { isChangedBeside, isTakenRoll, loadSavedPrices } from './queries.ts'
import { amountsDiffer, type EarlierPrices, withEarlierPrices } from './rules.ts'

/**
 * The outcome of a row: saved, with its earlier prices, or the reason for the refusal. `choice`: a subject or book is not on
 * offer; `amounts`: they differ from those shown; `place`: the roll no is taken; `guard`: outdated version, paid, closed,
 * signed off, or changed prices.
 */
export type Outcome = { saved: SavedStudent; stood: EarlierPrices | undefined } | SaveRefusal

export type SaveRefusal =
  | { refused: 'choice'; issues: Issue[] }
  | { refused: 'amounts'; fee: StudentFee }
  | { refused: 'place' | 'guard'; letters: string[] }

/**
 * Saves students in the caller's transaction. All writes of students use it: the form, the grid and imports. Amounts are
 * computed here from the price list; those shown are only compared. Existing enrolments keep their price. Existing students
 * are saved first, one by one, so that a refusal affects no one else and freed roll nos become available; then all new ones
 * in one statement, whose guard accepts all or none. Returns an outcome for each row.
 */
export async function saveStudents(
  tx: Tx,
  by: Writer,
  into: SaveTarget,
  rows: readonly StudentToSave[],
): Promise<Outcome[]> {
  const stored = await loadSavedPrices(
    tx,
    by.scope.schoolId,
    rows.flatMap(({ id }) => (id === 0 ? [] : id)),
  )
  const outcomes = new Map<number, Outcome>()
  const fresh: Draft[] = []
  for (const [index, row] of rows.entries()) {
    const draft = draftOf(row, index, into, stored.get(row.id))
    const refused = findRefusal(draft)
    if (refused) outcomes.set(index, refused)
    else if (row.id === 0) fresh.push(draft)
    else outcomes.set(index, await updateStudent(tx, by, into, draft))
  }
  for (const [at, outcome] of await insertStudents(tx, by, into, fresh)) outcomes.set(at, outcome)
  return rows.flatMap((_, index) => outcomes.get(index) ?? [])
}

/** Saves a single student in one statement, which is its own transaction and inserts the request's idempotency key. */
export async function saveAlone(
  db: Db,
  by: Writer,
  into: SaveTarget,
  row: StudentToSave,
  keyed?: KeyedRequest,
): Promise<Outcome> {
  const stored = await loadSavedPrices(db, by.scope.schoolId, row.id === 0 ? [] : [row.id])
  const draft = draftOf(row, 0, into, stored.get(row.id))
  return findRefusal(draft) ?? writeStudent(db, by, into, draft, keyed)
}

function draftOf(
  row: StudentToSave,
  at: number,
  { catalogue }: SaveTarget,
  stored: EarlierPrices | undefined,
): Draft {
  const { classId, subjectName: subjects, cb, pyqp, geneX, tb, wb } = row.fields
  const stood = row.stood ?? stored
  const offer = withEarlierPrices(catalogue.offerTo(classId), classId, stood)
  return {
    at,
    row,
    offer,
    stood,
    priced: priceChoice(offer, { subjects, books: { cb, pyqp, geneX, tb, wb } }),
  }
}

/** The refusal of a draft that needs no database query, if any. */
function findRefusal({ row, priced: { issues, fee } }: Draft): Outcome | undefined {
  if (issues.length > 0) return { refused: 'choice', issues }
  if (row.shown && amountsDiffer(row.shown, fee)) return { refused: 'amounts', fee }
  return undefined
}

const refusedOutcome = (refused: 'place' | 'guard', { priced }: Draft): Outcome => ({
  refused,
  letters: priced.registration.map(({ letter }) => letter),
})

async function insertStudents(
  tx: Tx,
  by: Writer,
  into: SaveTarget,
  drafts: readonly Draft[],
): Promise<Map<number, Outcome>> {
  if (drafts.length === 0) return new Map()
  const links = linksOf(drafts, by.keys)
  const { open, saved } = await writeStudents(tx, by, into, drafts, links, 'new')
  // Links of rows whose roll no was taken must not remain.
  if (saved.size < drafts.length)
    await sql`
      delete from family_links l where l.id = any(${links.map(({ id }) => id)}::text[])
        and not exists (select from students st where st.family_link_id = l.id)`.execute(tx)
  return new Map(
    drafts.map((draft) => {
      const row = saved.get(draft.at)
      return [
        draft.at,
        row ? { saved: row, stood: undefined } : refusedOutcome(open ? 'place' : 'guard', draft),
      ]
    }),
  )
}

/** Changes one student in a savepoint, so that a refusal fails only this row and leaves nothing of it. */
async function updateStudent(tx: Tx, by: Writer, into: SaveTarget, draft: Draft): Promise<Outcome> {
  await sql`savepoint one_row`.execute(tx)
  const outcome = await writeStudent(tx, by, into, draft)
  await ('refused' in outcome ? sql`rollback to savepoint one_row` : sql`release savepoint one_row`).execute(
    tx,
  )
  return outcome
}

/**
 * Writes one student. A taken roll no fails the whole statement, so that nothing of it remains; so does a student whom someone
 * else has changed while the statement waited for them.
 */
async function writeStudent(
  db: Db | Tx,
  by: Writer,
  into: SaveTarget,
  draft: Draft,
  keyed?: KeyedRequest,
): Promise<Outcome> {
  const kind = draft.row.id === 0 ? 'one new' : 'change'
  try {
    const written = await writeStudents(db, by, into, [draft], linksOf([draft], by.keys), kind, keyed)
    const saved = written.saved.get(draft.at)
    return saved ? { saved, stood: draft.stood } : refusedOutcome('guard', draft)
  } catch (thrown) {
    if (isChangedBeside(thrown)) return refusedOutcome('guard', draft)
    if (!isTakenRoll(thrown)) throw thrown
    return refusedOutcome('place', draft)
  }
}
