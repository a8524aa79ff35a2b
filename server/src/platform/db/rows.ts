import { type Insertable, type Selectable, sql, type UpdateType } from 'kysely'
import type { Db, ReadDb } from './database.ts'
import type { Schema } from './schema.generated.ts'

/**
 * Statements about the rows of one table whose columns have given values: `{ id, revoked_at: null, kind: ['otp', 'reset'] }`.
 * All others are written with Kysely or in SQL.
 */

export type Table = keyof Schema
export type Column<T extends Table> = keyof Selectable<Schema[T]> & string
/** What the columns are: a value, null, or one of a list. */
export type Where<T extends Table> = {
  [C in keyof Selectable<Schema[T]>]?: Selectable<Schema[T]>[C] | readonly Selectable<Schema[T]>[C][] | null
}
export type Values<T extends Table> = {
  [C in keyof Schema[T]]?: UpdateType<Schema[T][C]> | ReturnType<typeof sql>
}
export type Row<T extends Table, C extends Column<T>> = Pick<Selectable<Schema[T]>, C>

interface Reading<T extends Table> {
  /** Their order */
  by?: Column<T>
  /** Locks them for the rest of the transaction */
  lock?: boolean
}

/** SQL: the columns have these values. */
export function matching(where: object) {
  const conditions = Object.entries(where).map(([name, value]) => {
    const column = sql.ref(name)
    if (value === null) return sql`${column} is null`
    return Array.isArray(value) ? sql`${column} = any(${value})` : sql`${column} = ${value}`
  })
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
}

/** As in any statement, what is undefined is left to the database. */
export const given = (values: object) => Object.entries(values).filter(([, value]) => value !== undefined)

const list = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)))

/** Returns these columns of the rows that match. */
export async function findRows<T extends Table, C extends Column<T>>(
  db: ReadDb,
  table: T,
  where: Where<T>,
  columns: readonly C[],
  { by, lock }: Reading<T> = {},
): Promise<Row<T, C>[]> {
  const found = sql<Row<T, C>>`select ${list(columns)} from ${sql.table(table)} where ${matching(where)}
    ${by ? sql`order by ${sql.ref(by)}` : sql``} ${lock ? sql`for update` : sql``}`
  return (await found.execute(db)).rows
}

/** Returns the same of the first row that matches, if there is one. */
export const firstRow = async <T extends Table, C extends Column<T>>(
  ...query: Parameters<typeof findRows<T, C>>
): Promise<Row<T, C> | undefined> => (await findRows<T, C>(...query))[0]

/** Returns the same of one that must be there. */
export async function findRow<T extends Table, C extends Column<T>>(
  ...query: Parameters<typeof findRows<T, C>>
): Promise<Row<T, C>> {
  const row = await firstRow<T, C>(...query)
  if (row === undefined) throw new Error(`no row of ${query[1]} where ${JSON.stringify(query[2])}`)
  return row
}

interface Change<T extends Table> {
  where: Where<T>
  set: Values<T>
}

/** Changes the rows that match, and returns the columns of each that are asked for. */
export async function changeRows<T extends Table, C extends Column<T>>(
  db: Db,
  table: T,
  change: Change<T> & { returning: readonly C[] },
): Promise<Row<T, C>[]>
export async function changeRows<T extends Table>(db: Db, table: T, change: Change<T>): Promise<void>
export async function changeRows(
  db: Db,
  table: Table,
  { where, set, returning = [] }: { where: object; set: object; returning?: readonly string[] },
): Promise<unknown> {
  const changes = given(set).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  const { rows } = await sql`update ${sql.table(table)} set ${sql.join(changes)} where ${matching(where)}
    ${returning.length > 0 ? sql`returning ${list(returning)}` : sql``}`.execute(db)
  return rows
}

/** Adds a row. */
export const addRow = async <T extends Table>(db: Db, table: T, values: Insertable<Schema[T]>) => {
  await addedRow(db, table, [], values)
}

/** Adds a row, and returns these columns of it. */
export async function addedRow<T extends Table, C extends Column<T>>(
  db: Db,
  table: T,
  columns: readonly C[],
  values: Insertable<Schema[T]>,
): Promise<Row<T, C>> {
  const fields = given(values)
  const added = sql<Row<T, C>>`insert into ${sql.table(table)} (${list(fields.map(([column]) => column))})
    values (${sql.join(fields.map(([, value]) => value))})
    ${columns.length > 0 ? sql`returning ${list(columns)}` : sql``}`
  const [row] = (await added.execute(db)).rows
  return row as Row<T, C>
}
