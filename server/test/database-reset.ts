import pg from 'pg'

/** A database that the test files of a process share in turn, and its content when it was new. */
export interface Kept {
  address: pg.ClientConfig
  shape: string
  tables: readonly RetentionTable[]
  sequences: readonly Sequence[]
}

/** A table that the migrations have filled. */
interface RetentionTable {
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
  const asked = rows.map(({ name }) => `select '${name}' as name where exists (select from ${name})`)
  return (await client.query<{ name: string }>(asked.join(' union all '))).rows.map(({ name }) => name)
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

async function keptTable(client: pg.Client, name: string): Promise<RetentionTable> {
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
export function keptOf(address: pg.ClientConfig): Promise<Kept> {
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
export async function emptied(kept: Kept): Promise<boolean> {
  return connected(kept.address, async (client) => {
    await client.query(endOthers)
    if ((await shapeOf(client)) !== kept.shape) return false
    const filled = await tablesWithRows(client)
    const left = await foundAsKept(client, kept.tables)
    await client.query('begin; set local session_replication_role = replica')
    const gone = filled.filter((name) => !left.has(name))
    for (const name of gone) await client.query(`delete from ${name}`)
    for (const { name, columns, rows } of kept.tables.filter((table) => !left.has(table.name)))
      await client.query(
        `insert into ${name} (${columns}) overriding system value
         select ${columns} from json_populate_recordset(null::${name}, $1)`,
        [rows],
      )
    for (const { name, value, called } of await changedSequences(client, kept.sequences))
      await client.query('select setval($1::regclass, $2, $3)', [name, value, called])
    await client.query(forgetStatistics)
    await client.query('commit')
    if (gone.length > 0) await client.query(`vacuum ${gone.join(', ')}`)
    await client.query('discard all')
    return true
  })
}

/** Returns the names of the tables whose rows are unchanged. */
async function foundAsKept(client: pg.Client, tables: readonly RetentionTable[]): Promise<Set<string>> {
  const asked = tables.map(
    ({ name }) => `select '${name}' as name, md5(rows) as hash from (select ${rowsOf(name)}) as f (rows)`,
  )
  const { rows } = await client.query<{ name: string; hash: string }>(asked.join(' union all '))
  const hashes = new Map(rows.map(({ name, hash }) => [name, hash]))
  return new Set(tables.filter(({ name, hash }) => hashes.get(name) === hash).map(({ name }) => name))
}

async function changedSequences(client: pg.Client, before: readonly Sequence[]): Promise<Sequence[]> {
  const now = new Map((await sequencesOf(client)).map((sequence) => [sequence.name, sequence]))
  return before.filter(({ name, value, called }) => {
    const found = now.get(name)
    return found?.value !== value || found.called !== called
  })
}
