import { type Insertable, type Selectable, sql, type UpdateType } from 'kysely'
import type { Schema } from '../src/platform/db/schema.generated.ts'
import { testDatabase } from './database.ts'

/** Reads and writes rows that no call shows or makes. */

type Table = keyof Schema
type Column<T extends Table> = keyof Selectable<Schema[T]> & string
/** What the columns are: a value, null, or one of a list. */
type Where<T extends Table> = {
  [C in keyof Selectable<Schema[T]>]?: Selectable<Schema[T]>[C] | readonly Selectable<Schema[T]>[C][] | null
}
type Values<T extends Table> = { [C in keyof Schema[T]]?: UpdateType<Schema[T][C]> | ReturnType<typeof sql> }
type Row<T extends Table, C extends Column<T>> = Pick<Selectable<Schema[T]>, C>

function matching(where: object) {
  const conditions = Object.entries(where).map(([name, value]) => {
    const column = sql.ref(name)
    if (value === null) return sql`${column} is null`
    return Array.isArray(value) ? sql`${column} = any(${value})` : sql`${column} = ${value}`
  })
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
}

/** As in any statement, what is undefined is left to the database. */
const given = (values: object) => Object.entries(values).filter(([, value]) => value !== undefined)

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
export async function changeRows<T extends Table>(
  table: T,
  where: Where<T>,
  values: Values<T>,
): Promise<void> {
  const changes = given(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  await run(sql`update ${sql.table(table)} set ${sql.join(changes)} where ${matching(where)}`)
}

/** Adds a row and returns it with what the database has filled in. */
export async function addRow<T extends Table>(table: T, values: Insertable<Schema[T]>) {
  const [columns, fields] = [
    given(values).map(([column]) => sql.ref(column)),
    given(values).map(([, value]) => value),
  ]
  const added = sql<Selectable<Schema[T]>>`insert into ${sql.table(table)}
    (${sql.join(columns)}) values (${sql.join(fields)}) returning *`
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
