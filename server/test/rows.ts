import { type Insertable, type Selectable, sql } from 'kysely'
import * as rows from '#platform/db/rows'
import {
  type Column,
  given,
  matching,
  type Row,
  type Table,
  type Values,
  type Where,
} from '#platform/db/rows'
import type { Schema } from '../src/platform/db/schema.generated.ts'
import { testDatabase } from './database.ts'

/** Reads and writes rows that no call shows or makes. */

async function run<Returned>(query: ReturnType<typeof sql<Returned>>): Promise<Returned[]> {
  return (await query.execute((await testDatabase()).db)).rows
}

function first<Returned>([row]: Returned[], table: string, where: object): Returned {
  if (row === undefined) throw new Error(`no row of ${table} where ${JSON.stringify(where)}`)
  return row
}

/** Returns these columns, or all, of the rows that match, in the order of `by`. */
export function findRows<T extends Table, C extends Column<T> = Column<T>>(
  table: T,
  where: Where<T>,
  columns: readonly C[] | 'all' = 'all',
  by?: Column<T>,
): Promise<Row<T, C>[]> {
  const wanted = columns === 'all' ? sql`*` : sql.join(columns.map((column) => sql.ref(column)))
  const order = by ? sql`order by ${sql.ref(by)}` : sql``
  return run(sql<Row<T, C>>`select ${wanted} from ${sql.table(table)} where ${matching(where)} ${order}`)
}

/** Returns the same of one that must be there. */
export const findRow = async <T extends Table, C extends Column<T> = Column<T>>(
  table: T,
  where: Where<T>,
  columns: readonly C[] | 'all' = 'all',
): Promise<Row<T, C>> => first(await findRows(table, where, columns), table, where)

/** Sets columns of the rows that match. */
export const changeRows = async <T extends Table>(table: T, where: Where<T>, values: Values<T>) =>
  rows.changeRows((await testDatabase()).db, table, { where, set: values })

/** Adds a row and returns it with what the database has filled in. */
export async function addRow<T extends Table>(table: T, values: Insertable<Schema[T]>) {
  const fields = given(values)
  const added = sql<Selectable<Schema[T]>>`insert into ${sql.table(table)}
    (${sql.join(fields.map(([column]) => sql.ref(column)))})
    values (${sql.join(fields.map(([, value]) => value))}) returning *`
  return first(await run(added), table, values)
}

/** Adds rows one after the other. */
export async function addRows<T extends Table>(table: T, rows: readonly Insertable<Schema[T]>[]) {
  for (const values of rows) await addRow(table, values)
}

type Tuple<Row, Keys extends readonly (keyof Row)[]> = { -readonly [I in keyof Keys]: Row[Keys[I]] }

/** Returns the value of a field of each row, or of several as a list. */
export function valuesOf<Row, K extends keyof Row>(rows: readonly Row[], key: K): Row[K][]
export function valuesOf<Row, const Keys extends readonly (keyof Row)[]>(
  rows: readonly Row[],
  ...keys: Keys
): Tuple<Row, Keys>[]
export function valuesOf<Row>(rows: readonly Row[], key: keyof Row, ...more: (keyof Row)[]) {
  return rows.map((row) => (more.length === 0 ? row[key] : [key, ...more].map((name) => row[name])))
}

/** Returns each row with these fields alone. */
export const partsOf = <Row, K extends keyof Row>(rows: readonly Row[], ...keys: K[]) =>
  rows.map((row) => Object.fromEntries(keys.map((key) => [key, row[key]])) as Pick<Row, K>)
