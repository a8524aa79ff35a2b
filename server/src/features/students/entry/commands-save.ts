import { priceChoice, type StudentFee } from '@podium/contract/catalogue/rules-fee'
import type { Issue } from '@podium/contract/endpoint'
import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import type { KeyedRequest } from '#platform/http/idempotency'
import {
  type Draft,
  type Into,
  linksOf,
  type SavedStudent,
  type StudentToSave,
  type Writer,
  writeStudents,
} from './commands-write.ts'
import { isTakenRoll, keptPrices } from './queries.ts'
import { amountsDiffer, type EarlierPrices, withEarlierPrices } from './rules.ts'

/**
 * What became of a row: saved, with the prices that it had before; or why not. `choice` is not to be had, `amounts` are
 * others than were shown, the `place` is somebody else's, or the guard held it back: of another version, paid, closed,
 * signed off, or at prices that are no longer so.
 */
export type Outcome = { saved: SavedStudent; stood: EarlierPrices | undefined } | Refused

export type Refused =
  | { refused: 'choice'; issues: Issue[] }
  | { refused: 'amounts'; fee: StudentFee }
  | { refused: 'place' | 'guard'; letters: string[] }

/**
 * Saves students in the caller's transaction: the one write of them, of a single child, of the grid and of a file.
 * Amounts are computed here by the price list; those that were shown are compared and else ignored. What a student is
 * enrolled in keeps the price at which it was saved. Those who are there come first, one by one, so that one who is held
 * back keeps nobody else back, and a place that becomes free can be taken; then all new ones in one statement, whose
 * guard lets in all of them or nobody. Answers row by row.
 */
export async function saveStudents(
  tx: Tx,
  by: Writer,
  into: Into,
  rows: readonly StudentToSave[],
): Promise<Outcome[]> {
  const stored = await keptPrices(
    tx,
    by.scope.schoolId,
    rows.flatMap(({ id }) => (id === 0 ? [] : id)),
  )
  const outcomes = new Map<number, Outcome>()
  const fresh: Draft[] = []
  for (const [at, row] of rows.entries()) {
    const draft = draftOf(row, at, into, stored.get(row.id))
    const refused = objection(draft)
    if (refused) outcomes.set(at, refused)
    else if (row.id === 0) fresh.push(draft)
    else outcomes.set(at, await changeOne(tx, by, into, draft))
  }
  for (const [at, outcome] of await addAll(tx, by, into, fresh)) outcomes.set(at, outcome)
  return rows.flatMap((_, at) => outcomes.get(at) ?? [])
}

/**
 * The same for one student alone: one statement that is its own transaction, with the key of its request. Beginning and
 * ending one around it costs as much as half of the server's part.
 */
export async function saveAlone(
  db: Db,
  by: Writer,
  into: Into,
  row: StudentToSave,
  keyed?: KeyedRequest,
): Promise<Outcome> {
  const stored = await keptPrices(db, by.scope.schoolId, row.id === 0 ? [] : [row.id])
  const draft = draftOf(row, 0, into, stored.get(row.id))
  return objection(draft) ?? writeOne(db, by, into, draft, keyed)
}

function draftOf(
  row: StudentToSave,
  at: number,
  { catalogue }: Into,
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

/** What stands against a draft before the database is asked. */
function objection({ row, priced: { issues, fee } }: Draft): Outcome | undefined {
  if (issues.length > 0) return { refused: 'choice', issues }
  if (row.shown && amountsDiffer(row.shown, fee)) return { refused: 'amounts', fee }
  return undefined
}

const held = (refused: 'place' | 'guard', { priced }: Draft): Outcome => ({
  refused,
  letters: priced.registration.map(({ letter }) => letter),
})

async function addAll(
  tx: Tx,
  by: Writer,
  into: Into,
  drafts: readonly Draft[],
): Promise<Map<number, Outcome>> {
  if (drafts.length === 0) return new Map()
  const links = linksOf(drafts, by.keys)
  const { open, saved } = await writeStudents(tx, by, into, drafts, links, 'new')
  // A row that found its roll no taken leaves no link behind.
  if (saved.size < drafts.length)
    await sql`
      delete from family_links l where l.id = any(${links.map(({ id }) => id)}::text[])
        and not exists (select from students st where st.family_link_id = l.id)`.execute(tx)
  return new Map(
    drafts.map((draft) => {
      const row = saved.get(draft.at)
      return [draft.at, row ? { saved: row, stood: undefined } : held(open ? 'place' : 'guard', draft)]
    }),
  )
}

/** A roll no that is taken ends one row and not the whole piece. */
async function changeOne(tx: Tx, by: Writer, into: Into, draft: Draft): Promise<Outcome> {
  await sql`savepoint one_row`.execute(tx)
  const outcome = await writeOne(tx, by, into, draft)
  const taken = 'refused' in outcome && outcome.refused === 'place'
  await (taken ? sql`rollback to savepoint one_row` : sql`release savepoint one_row`).execute(tx)
  return outcome
}

/** One whose taken roll no ends the statement, so that nothing of it stays. */
async function writeOne(
  db: Db | Tx,
  by: Writer,
  into: Into,
  draft: Draft,
  keyed?: KeyedRequest,
): Promise<Outcome> {
  const kind = draft.row.id === 0 ? 'one new' : 'change'
  try {
    const written = await writeStudents(db, by, into, [draft], linksOf([draft], by.keys), kind, keyed)
    const saved = written.saved.get(draft.at)
    return saved ? { saved, stood: draft.stood } : held('guard', draft)
  } catch (thrown) {
    if (!isTakenRoll(thrown)) throw thrown
    return held('place', draft)
  }
}
