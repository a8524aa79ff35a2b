import { amountFields, type ShareRule } from '@podium/contract/catalogue/rules-fee'
import type { Season } from '@podium/contract/season'
import { sentences } from '@podium/contract/sentences'
import type { ImportRowError } from '@podium/contract/students/calls-import-preview'
import { sql } from 'kysely'
import { signedOff } from '#features/students/sign-off/queries'
import type { SchoolScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { Refusal } from '#platform/errors'
import { type Outcome, type Refused, saveStudents } from '../entry/commands-save.ts'
import type { Into, Writer } from '../entry/commands-write.ts'
import { storedPrices } from '../entry/rules.ts'
import type { GoodRow } from './rules-classify.ts'

/**
 * Saves one piece of an import. Rows whose price differs from the one that was shown, whose subject is no longer
 * offered, whose roll no was taken meanwhile, or whose student is another by now are answered and not saved. Refuses,
 * and so saves nothing of the piece, when the season or a subject of a new student has closed in the meantime.
 */
export async function importRows(
  tx: Tx,
  by: Writer,
  into: Into & { importId: string },
  rows: readonly GoodRow[],
): Promise<{ imported: number; changed: number; refused: ImportRowError[] }> {
  const { season, importId, catalogue } = into
  const outcomes = await saveStudents(
    tx,
    by,
    into,
    rows.map((good) => ({
      ...{ id: good.change?.id ?? 0, version: good.change?.version ?? 0, fields: good.fields },
      ...{
        shown: shownOf(good, catalogue.share),
        carriedFrom: good.carriedFrom,
        familyMobile: good.familyMobile,
      },
    })),
  )
  const pairs = rows.flatMap((good, at) => {
    const outcome = outcomes[at]
    return outcome ? [{ good, outcome }] : []
  })
  const held = pairs.flatMap(({ good, outcome }) =>
    !good.change && 'refused' in outcome && outcome.refused === 'guard' ? outcome.letters : [],
  )
  if (held.length > 0) throw new Refusal(await heldBack(tx, by.scope, season, held))
  const carried = await carriedAlready(tx, season, rows)
  const refused = pairs.flatMap(({ good, outcome }) =>
    'refused' in outcome ? refusedRow(good, outcome, carried) : [],
  )
  const changed = await noteChanges(tx, importId, pairs)
  return { imported: rows.length - changed - refused.length, changed, refused }
}

/** What a row was shown to cost. Under slabs the share follows the head count, whatever it was when it was shown. */
function shownOf({ fee }: GoodRow, { kind }: ShareRule) {
  const { school_Expenses, ...shown } = amountFields(fee)
  return kind === 'slabs' ? shown : { ...shown, school_Expenses }
}

/** Why nothing of a piece was saved. */
async function heldBack(tx: Tx, scope: SchoolScope, season: Season, letters: readonly string[]) {
  const signed = await signedOff(tx, scope.schoolId, season)
  return letters.some((letter) => signed.has(letter)) ? 'enrolment.signed_off' : 'enrolment.closed'
}

async function carriedAlready(
  tx: Tx,
  season: Season,
  rows: readonly GoodRow[],
): Promise<ReadonlySet<unknown>> {
  const sources = rows.flatMap(({ carriedFrom }) => carriedFrom ?? [])
  if (sources.length === 0) return new Set()
  const { rows: found } = await sql<{ source: number }>`
    select carried_from as source from students
    where season = ${season} and active and carried_from = any(${sources}::bigint[])`.execute(tx)
  return new Set(found.map(({ source }) => source))
}

function refusedRow(
  { row, fields, change, carriedFrom }: GoodRow,
  outcome: Refused,
  carried: ReadonlySet<unknown>,
): ImportRowError {
  const at = (field: string, value: string, message: string): ImportRowError => ({
    ...{
      row,
      studentName: fields.studentName,
      column: 0,
      columnName: '',
      heading: '',
      field,
      value,
      message,
    },
    suggestions: [],
  })
  if (outcome.refused === 'choice') {
    const [issue] = outcome.issues
    return at(issue?.path ?? '', '', issue?.message ?? '')
  }
  if (outcome.refused === 'amounts')
    return at('', '', carriedFrom === undefined ? sentences.amountsSinceCheck : sentences.amountsSinceList)
  if (outcome.refused === 'guard') return at('', '', sentences.changedMeanwhile)
  if (carried.has(carriedFrom)) return at('', '', sentences.carriedMeanwhile)
  const sinceShown = carriedFrom === undefined ? sentences.rollSinceCheck : sentences.rollSinceList
  return at('rollno', String(fields.rollno), change ? sentences.rollOfAnother : sinceShown)
}

/** Keeps what the changed students were, for an undo; answers how many there are. */
async function noteChanges(
  tx: Tx,
  importId: string,
  pairs: readonly { good: GoodRow; outcome: Outcome }[],
): Promise<number> {
  const done = pairs.flatMap(({ good: { change }, outcome }) => {
    if (!change || !('saved' in outcome)) return []
    const { saved, stood } = outcome
    return {
      id: saved.id,
      version: saved.version,
      before: change.before,
      prices: stood ? storedPrices(stood) : null,
    }
  })
  if (done.length === 0) return 0
  await markAsImported(
    tx,
    done.map(({ id }) => id),
  )
  await sql`
    insert into student_import_changes (import_id, student_id, before, version, prices)
    select ${importId}, c.id, c.before, c.version, nullif(c.prices, 'null')
    from jsonb_to_recordset(${JSON.stringify(done)}::jsonb) as c (id bigint, before jsonb, version int, prices jsonb)
    on conflict (import_id, student_id) do update set version = excluded.version`.execute(tx)
  return done.length
}

/** What an import has written is not by hand, whatever its version. */
export async function markAsImported(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length > 0)
    await sql`update students set import_version = version where id = any(${ids}::bigint[])`.execute(tx)
}
