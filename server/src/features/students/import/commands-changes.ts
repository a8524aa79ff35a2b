import { istDay, type Season } from '@podium/contract/season'
import { sentences } from '@podium/contract/sentences'
import type { ImportRowError } from '@podium/contract/students/calls-import-preview'
import { type OfferedSubject, priceChoice } from '@podium/contract/students/rules-fee'
import type { StudentFields } from '@podium/contract/students/schemas'
import { sql } from 'kysely'
import type { SeasonCatalogue } from '#features/catalogue/queries'
import { proven } from '#platform/auth/gate'
import type { SchoolScope } from '#platform/auth/scope'
import type { Keys } from '#platform/auth/secrets'
import type { Tx } from '#platform/db/database'
import { updateStudent } from '../entry/commands-save.ts'
import { isTakenRoll } from '../entry/queries-refusal.ts'
import { keptPrices } from '../entry/queries-stored-prices.ts'
import { readPrices, type StoredPrices, storedPrices, withKept } from '../entry/rules-stored-prices.ts'
import { amountsChanged, type Into, refusedRow, sameAmounts } from './commands-rows.ts'
import { settableBack } from './queries.ts'
import type { GoodRow } from './rules-classify.ts'

const priced = (
  offer: readonly OfferedSubject[],
  { subjectName: subjects, cb, pyqp, geneX, tb, wb }: StudentFields,
) => priceChoice(offer, { subjects, books: { cb, pyqp, geneX, tb, wb } })

interface Done {
  id: number
  version: number
  before: StudentFields
  prices: StoredPrices | null
}

/** A roll no that is taken ends one row and not the whole piece. */
async function unlessTaken<T>(tx: Tx, write: () => Promise<T>): Promise<T | 'taken'> {
  await sql`savepoint one_row`.execute(tx)
  try {
    const written = await write()
    await sql`release savepoint one_row`.execute(tx)
    return written
  } catch (thrown) {
    if (!isTakenRoll(thrown)) throw thrown
    await sql`rollback to savepoint one_row`.execute(tx)
    return 'taken'
  }
}

const idsOf = (rows: readonly GoodRow[]) => rows.flatMap(({ change }) => change?.id ?? [])

const meanwhile = sentences.changedMeanwhile
const rollTaken = sentences.rollOfAnother

/**
 * Changes the students of one piece of an import who are there, each with the guards of a single save: of the version
 * that was seen, unpaid, not under verification, open. The others are answered and stay as they are.
 */
export async function changeRows(
  tx: Tx,
  scope: SchoolScope,
  keys: Keys,
  now: Date,
  { season, importId, catalogue }: Into,
  rows: readonly GoodRow[],
): Promise<{ changed: number; refused: ImportRowError[] }> {
  const refused: ImportRowError[] = []
  const kept = await keptPrices(tx, scope.schoolId, idsOf(rows))
  const done: Done[] = []
  for (const good of rows) {
    const { change, fields } = good
    if (!change) continue
    const offer = withKept(catalogue.offerTo(fields.classId), fields.classId, kept.get(change.id))
    const price = priced(offer, fields)
    const [issue] = price.issues
    if (issue) refused.push(refusedRow(good, issue.path, '', issue.message))
    else if (!sameAmounts(price, good, catalogue.share))
      refused.push(refusedRow(good, '', '', amountsChanged(good)))
    else {
      const { id, version, before } = change
      const draft = { season, id, version, fields, priced: price, offer, share: catalogue.share }
      const saved = await unlessTaken(tx, () =>
        updateStudent(tx, { scope, keys, now, draft, alive: proven.alive }),
      )
      if (saved === 'taken') refused.push(refusedRow(good, 'rollno', String(fields.rollno), rollTaken))
      else if (saved) {
        const stood = kept.get(id)
        done.push({ id, version: saved.version, before, prices: stood ? storedPrices(stood) : null })
      } else refused.push(refusedRow(good, '', '', meanwhile))
    }
  }
  await markAsImported(
    tx,
    done.map(({ id }) => id),
  )
  if (done.length > 0)
    await sql`
      insert into student_import_changes (import_id, student_id, before, version, prices)
      select ${importId}, c.id, c.before::jsonb, c.version, c.prices::jsonb
      from unnest(${done.map(({ id }) => id)}::bigint[], ${done.map(({ before }) => JSON.stringify(before))}::text[],
        ${done.map(({ version }) => version)}::int[],
        ${done.map(({ prices }) => prices && JSON.stringify(prices))}::text[]) as c (id, before, version, prices)
      on conflict (import_id, student_id) do update set version = excluded.version`.execute(tx)
  return { changed: done.length, refused }
}

/** What an import has written is not by hand, whatever its version. */
async function markAsImported(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length > 0)
    await sql`update students set import_version = version where id = any(${ids}::bigint[])`.execute(tx)
}

export interface Undoing {
  importId: string
  season: Season
  catalogue: SeasonCatalogue
}

/**
 * Sets the students whom an import has changed back to what they were, at the prices at which they stood, where nothing
 * has come after it. Answers how many.
 */
export async function setBack(
  tx: Tx,
  scope: SchoolScope,
  keys: Keys,
  now: Date,
  { importId, season, catalogue }: Undoing,
): Promise<number> {
  const { rows } = await sql<Done>`
    select st.id, st.version, c.before, c.prices from student_import_changes c join students st on st.id = c.student_id
    where c.import_id = ${importId} and st.school_id = ${scope.schoolId} and ${settableBack}
      and not exists (
        select from enrolments n join events e on e.id = n.event_id where n.student_id = st.id and e.closes_on < ${istDay(now)}::date)
    order by st.id for update of st`.execute(tx)
  const kept = await keptPrices(
    tx,
    scope.schoolId,
    rows.map(({ id }) => id),
  )
  const back: number[] = []
  for (const { id, version, before, prices } of rows) {
    const stood = prices ? readPrices(prices) : kept.get(id)
    const offer = withKept(catalogue.offerTo(before.classId), before.classId, stood)
    const price = priced(offer, before)
    if (price.issues.length > 0) continue
    const draft = {
      ...{ season, id, version, fields: before, priced: price, offer, share: catalogue.share },
      putsBack: importId,
    }
    const saved = await unlessTaken(tx, () =>
      updateStudent(tx, { scope, keys, now, draft, alive: proven.alive }),
    )
    if (saved && saved !== 'taken') back.push(id)
  }
  await markAsImported(tx, back)
  await sql`
    delete from student_import_changes where import_id = ${importId} and student_id = any(${back}::bigint[])`.execute(
    tx,
  )
  return back.length
}
