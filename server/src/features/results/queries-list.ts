import { type ResultRow, searchResults as searchCall } from '@podium/contract/results/calls'
import { sql } from 'kysely'
import type { Proof } from '#platform/auth/gate'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { listWriter, Written } from '#platform/http/http'
import {
  type ResultSearch,
  resultColumns,
  resultRow,
  type StoredResult,
  searchResults,
  tableOrder,
  visibleSet,
} from './queries.ts'

/** To be counted up with every change of what `resultRow` says; a change of its fields is noticed by itself. */
const edition = 1

const { write, shape } = listWriter<ResultRow>(searchCall)
const ownShape = () => `${edition}-${shape()}`

interface Head {
  maximum_marks: number
  visible_id: number | null
  version: number | null
  release_at: Date | null
  next_level_no: number | null
  hold: string | null
  rows: number | null
  body: string | null
  alive: boolean
}

const fits = (rows: number, { limit }: ResultSearch) => limit === undefined || rows <= limit
const isWhole = ({ classId, action, offset }: ResultSearch) =>
  classId === 0 && action === undefined && offset === 0

/**
 * The results of a school in one event as they are released. All of them at once are answered from a copy in words of
 * the call, which is made at the first reading; the rows themselves take care that it never differs from them
 * (migration 0038). Whether the version is visible and not held is decided by this statement, as everywhere.
 */
export async function listResults(
  db: Db,
  scope: SchoolScope,
  now: Date,
  search: ResultSearch,
  { alive, confirm }: Proof,
) {
  if (!isWhole(search)) return searchResults(db, scope, now, search)
  const { rows } = await sql<Head>`
    select e.maximum_marks, v.id as visible_id, v.version, v.release_at, h.reason as hold,
      (v.rules->'nextLevel'->>'level')::int as next_level_no, l.rows,
      case when l.rows <= coalesce(${search.limit ?? null}::int, l.rows) then l.body end as body, ${alive} as alive
    from events e
    left join lateral ${visibleSet(sql`e.id`, now)} v on true
    left join result_holds h on h.event_id = e.id and h.school_id = ${scope.schoolId}
    left join result_lists l on l.school_id = ${scope.schoolId} and l.set_id = v.id and h.reason is null and l.shape = ${ownShape()}
    where e.id = ${search.eventId} and e.season = ${search.season} and e.letter = ${search.letter}
      and e.level = ${search.level}`.execute(db)
  const [head] = rows
  if (!head) return searchResults(db, scope, now, search)
  confirm(head.alive)
  const { visible_id: setId, hold } = head
  if (setId === null || hold !== null) return searchResults(db, scope, now, search)
  const list =
    head.body !== null && head.rows !== null
      ? { rows: head.rows, body: head.body }
      : head.rows === null && (await keepList(db, scope, setId, head.next_level_no))
  if (!list || !fits(list.rows, search)) return searchResults(db, scope, now, search)
  return {
    state: 'released',
    version: head.version,
    releasedAt: head.release_at,
    maximumMarks: head.maximum_marks,
    total: list.rows,
    data: new Written(list.body),
  } as const
}

/**
 * Writes the list of a school. The school and its rows are held meanwhile: whoever changes them, or brings others from a
 * school that is merged into it, comes before or takes the list away.
 */
async function keepList(db: Db, scope: SchoolScope, setId: number, nextLevel: number | null) {
  return db.transaction().execute(async (tx: Tx) => {
    await sql`select id from schools where id = ${scope.schoolId} for share`.execute(tx)
    const { rows } = await sql<StoredResult>`
      select ${resultColumns} from results r where r.school_id = ${scope.schoolId} and r.set_id = ${setId}
      order by ${tableOrder} for share`.execute(tx)
    if (rows.length === 0) return undefined
    const body = write(rows.map((row) => resultRow(row, nextLevel))).json
    await sql`
      insert into result_lists (school_id, set_id, shape, rows, body)
      values (${scope.schoolId}, ${setId}, ${ownShape()}, ${rows.length}, ${body})
      on conflict (school_id, set_id) do update set shape = excluded.shape, rows = excluded.rows, body = excluded.body`.execute(
      tx,
    )
    return { rows: rows.length, body }
  })
}
