// Writes server/src/platform/db/schema.generated.ts from the migrations. Run it after adding one:
//   node scripts/generate-schema.ts
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type OpenedDatabase, openDatabase } from '../server/src/platform/db/database.ts'
import { migrate } from '../server/src/platform/db/migrate.ts'

type Column = {
  table: string
  column: string
  type: string
  is_array: boolean
  nullable: boolean
  has_default: boolean
  /** 'a' always (only the database writes it), 'd' by default, '' none; `generated` likewise for computed columns. */
  identity: string
  generated: string
}

const columnsOfTables = `
  select c.relname as "table", a.attname as "column",
    case when t.typelem <> 0 and t.typcategory = 'A' then e.typname else t.typname end as "type",
    t.typelem <> 0 and t.typcategory = 'A' as is_array,
    not a.attnotnull as nullable, a.atthasdef as has_default,
    a.attidentity::text as identity, a.attgenerated::text as generated
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid
  join pg_namespace n on n.oid = c.relnamespace
  join pg_type t on t.oid = a.atttypid
  left join pg_type e on e.oid = t.typelem
  where n.nspname = 'public' and c.relkind in ('r', 'p', 'v', 'm') and a.attnum > 0 and not a.attisdropped
    and c.relname <> 'schema_migrations'
  order by c.relname, a.attnum`

/** As converted by the type parsers of database.ts. */
const types = new Map([
  ['int2', 'number'],
  ['int4', 'number'],
  ['int8', 'number'],
  ['float4', 'number'],
  ['float8', 'number'],
  ['numeric', 'number'],
  ['bool', 'boolean'],
  ['text', 'string'],
  ['varchar', 'string'],
  ['bpchar', 'string'],
  ['uuid', 'string'],
  ['date', 'string'],
  ['inet', 'string'],
  ['bytea', 'Buffer'],
  ['timestamptz', 'Timestamp'],
  ['json', 'Json'],
  ['jsonb', 'Json'],
])

const heading = `// Written by scripts/generate-schema.ts from server/migrations; do not edit. A test fails when it drifts.
import type { ColumnType, GeneratedAlways, Generated as WithDefault } from 'kysely'

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue | undefined }
/** Read as a value, written with JSON.stringify, because the driver would turn arrays into PostgreSQL arrays. */
export type Json = ColumnType<JsonValue, string, string>
export type Timestamp = ColumnType<Date, Date | string, Date | string>
/** A column the database fills when nothing is given. */
export type Generated<T> =
  T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : WithDefault<T>
/** A column that can be null. */
export type Nullable<T> =
  T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S | null, I | null | undefined, U | null> : T | null
`

/**
 * Returns the text of schema.generated.ts for the tables of a migrated database. Throws for a column type without a
 * TypeScript type, so that nothing silently becomes `unknown`.
 */
export async function describeSchema(database: Pick<OpenedDatabase, 'pool'>): Promise<string> {
  const { rows } = await database.pool.query<Column>(columnsOfTables)
  const tables = Map.groupBy(rows, ({ table }) => table)
  const schema = [...tables].map(([table, columns]) => {
    const lines = columns.map((column) => `    ${column.column}: ${typeOf(column)}`)
    return `  ${table}: {\n${lines.join('\n')}\n  }`
  })
  return `${heading}\nexport interface Schema {\n${schema.join('\n')}\n}\n`
}

function typeOf(column: Column): string {
  const plain = types.get(column.type)
  if (plain === undefined)
    throw new Error(`${column.table}.${column.column}: no TypeScript type for ${column.type}`)
  if (column.is_array && (plain === 'Json' || plain === 'Timestamp')) {
    throw new Error(`${column.table}.${column.column}: no TypeScript type for ${column.type}[]`)
  }
  const type = column.is_array ? `${plain}[]` : plain
  if (column.identity === 'a' || column.generated !== '') return `GeneratedAlways<${type}>`
  const filled = column.has_default || column.identity === 'd'
  if (column.nullable)
    return plain === type && type !== 'Json' && type !== 'Timestamp' ? `${type} | null` : `Nullable<${type}>`
  return filled ? `Generated<${type}>` : type
}

async function generate(): Promise<void> {
  const target = fileURLToPath(new URL('../server/src/platform/db/schema.generated.ts', import.meta.url))
  const dataDir = mkdtempSync(join(tmpdir(), 'podium-schema-'))
  const database = await openDatabase({
    dataDir,
    onError: (error) => {
      throw error
    },
  })
  try {
    await migrate(database)
    writeFileSync(target, await describeSchema(database))
  } finally {
    await database.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

// Not awaited: tests that load this with `require` can't load a module with top-level await.
if (import.meta.main) void generate()
