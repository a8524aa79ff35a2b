import pg from 'pg'

/** A database that the test files of a process share in turn, and its content when it was new. */
export interface Snapshot {
  address: pg.ClientConfig
  shape: string
  tables: readonly TableSnapshot[]
  sequences: readonly Sequence[]
}

/** A table that the migrations have filled. */
interface TableSnapshot {
  name: string
  columns: string
  rows: string
  hash: string
}

interface Sequence {
  name: string
  value: string
  called: boolean
}

/** Hashes everything tests may have changed in the schema: that can't be undone, so such a database is discarded. */
const shapeNow = `
  select md5(string_agg(one, ' ' order by one)) as shape from (
    select concat_ws(' ', oid, relname, relkind) as one from pg_class where relnamespace = 'public'::regnamespace
    union all select concat_ws(' ', attrelid, attname, atttypid, attnotnull, atthasdef) from pg_attribute
      where attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
    union all select concat_ws(' ', oid, conname) from pg_constraint
    union all select concat_ws(' ', oid, tgname, tgenabled) from pg_trigger
    union all select concat_ws(' ', oid, proname, md5(prosrc)) from pg_proc where pronamespace = 'public'::regnamespace
    union all select nspname from pg_namespace where nspname !~ '^pg_t(oast_t)?emp_'
    union all select concat_ws(' ', setdatabase, setrole, setconfig) from pg_db_role_setting) as all_of_it`

async function connected<Result>(address: pg.ClientConfig, act: (client: pg.Client) => Promise<Result>) {
  const client = new pg.Client(address)
  await client.connect()
  try {
    return await act(client)
  } finally {
    await client.end()
  }
}

/** Ends the connections that a test has left open. */
const endOthers = `
  select pg_terminate_backend(pid, 10000) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`

/** Deletes the planner's statistics about rows that are gone. */
const forgetStatistics = `
  delete from pg_statistic
  where starelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)`

async function shapeOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ shape: string }>(shapeNow)
  return rows[0]?.shape ?? ''
}

/** Lists the tables with rows; in a new, migrated database these are what the migrations have filled. */
export async function tablesWithRows(client: Pick<pg.Pool, 'query'>): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by 1`,
  )
  const queries = rows.map(({ name }) => `select '${name}' as name where exists (select from ${name})`)
  return (await client.query<{ name: string }>(queries.join(' union all '))).rows.map(({ name }) => name)
}

async function sequencesOf(client: pg.Client): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(
    `select quote_ident(sequencename) as name, coalesce(last_value, start_value)::text as value,
       last_value is not null as called
     from pg_sequences where schemaname = 'public' order by 1`,
  )
  return rows
}

const rowsOf = (name: string) => `coalesce(json_agg(t order by t::text), '[]')::text from ${name} as t`

async function keptTable(client: pg.Client, name: string): Promise<TableSnapshot> {
  const { rows } = await client.query<{ columns: string; rows: string; hash: string }>(
    `select md5(rows) as hash, rows, (
       select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '') as columns
     from (select ${rowsOf(name)}) as found (rows)`,
    [name],
  )
  const [found] = rows
  if (!found) throw new Error(`${name} can't be read`)
  return { name, ...found }
}

/** Records the content of a new, migrated database that this process's test files will use. */
export function takeSnapshot(address: pg.ClientConfig): Promise<Snapshot> {
  return connected(address, async (client) => {
    const tables = []
    for (const name of await tablesWithRows(client)) tables.push(await keptTable(client, name))
    return { address, shape: await shapeOf(client), tables, sequences: await sequencesOf(client) }
  })
}

/**
 * Resets the database to its state when new: its rows and the next number of each sequence, with no other connections.
 * Returns false if it can't.
 */
export async function restoreSnapshot(snapshot: Snapshot): Promise<boolean> {
  return connected(snapshot.address, async (client) => {
    await client.query(endOthers)
    if ((await shapeOf(client)) !== snapshot.shape) return false
    const filled = await tablesWithRows(client)
    const unchanged = await unchangedTables(client, snapshot.tables)
    await client.query('begin; set local session_replication_role = replica')
    const changed = filled.filter((name) => !unchanged.has(name))
    for (const name of changed) await client.query(`delete from ${name}`)
    for (const { name, columns, rows } of snapshot.tables.filter((table) => !unchanged.has(table.name)))
      await client.query(
        `insert into ${name} (${columns}) overriding system value
         select ${columns} from json_populate_recordset(null::${name}, $1)`,
        [rows],
      )
    for (const { name, value, called } of await changedSequences(client, snapshot.sequences))
      await client.query('select setval($1::regclass, $2, $3)', [name, value, called])
    await client.query(forgetStatistics)
    await client.query('commit')
    if (changed.length > 0) await client.query(`vacuum ${changed.join(', ')}`)
    await client.query('discard all')
    return true
  })
}

/** Returns the names of the tables whose rows are unchanged. */
async function unchangedTables(client: pg.Client, tables: readonly TableSnapshot[]): Promise<Set<string>> {
  const queries = tables.map(
    ({ name }) => `select '${name}' as name, md5(rows) as hash from (select ${rowsOf(name)}) as f (rows)`,
  )
  const { rows } = await client.query<{ name: string; hash: string }>(queries.join(' union all '))
  const hashes = new Map(rows.map(({ name, hash }) => [name, hash]))
  return new Set(tables.filter(({ name, hash }) => hashes.get(name) === hash).map(({ name }) => name))
}

async function changedSequences(client: pg.Client, before: readonly Sequence[]): Promise<Sequence[]> {
  const now = new Map((await sequencesOf(client)).map((sequence) => [sequence.name, sequence]))
  return before.filter(({ name, value, called }) => {
    const current = now.get(name)
    return current?.value !== value || current.called !== called
  })
}
