import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Endpoint } from '@podium/contract/endpoint'
import { searchResults } from '@podium/contract/results/calls'
import { nextLevelList } from '@podium/contract/results/calls-next-level-list'
import { getStudentDetails } from '@podium/contract/students/calls'
import pg from 'pg'
import { testDatabase } from '#test/database'
import { aDay } from '#test/factories'
import { type TestServer, testServer } from '#test/server'
import { familyToken, officerToken, teacherToken } from '../../bench/common.ts'
import { questionsOf, readingCalls, type Samples, samplesOf } from '../../bench/samples.ts'
import { makeWorld } from '../../bench/world/make.ts'

/** A statement as sent to the database. */
interface Statement {
  text: string
  values: unknown[]
}

/** A node of a plan, with the fields that are examined. */
interface Node {
  'Node Type': string
  'Relation Name'?: string
  'Actual Loops'?: number
  Plans?: Node[]
}

type Query = (...asked: unknown[]) => unknown

/** Runs `act` and returns the statements that all clients of this process have sent meanwhile. */
async function statementsOf(act: () => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = []
  const { prototype } = pg.Client as unknown as { prototype: { query: Query } }
  const real = prototype.query
  prototype.query = function (this: unknown, ...args: unknown[]) {
    const [config, values] = args
    if (typeof config === 'string')
      statements.push({ text: config, values: Array.isArray(values) ? values : [] })
    else if (typeof config === 'object' && config !== null && 'text' in config) {
      const { text, values: own } = config as { text: string; values?: unknown[] }
      statements.push({ text, values: own ?? [] })
    }
    return Reflect.apply(real, this, args)
  }
  try {
    await act()
  } finally {
    prototype.query = real
  }
  return statements
}

const explainable = /^\s*(select|with|insert|update|delete|\()/i

/** Nodes that need all rows of their input before they return the first. */
const gathering = /^(Sort|Aggregate|Hash|Materialize|WindowAgg|Unique|SetOp|Gather.*)$/

/**
 * Returns the tables that a statement reads completely, as PostgreSQL plans it for these values, without running it. A
 * read that stops when a page is full does not count.
 */
async function tablesReadWhole(client: pg.ClientBase, { text, values }: Statement): Promise<string[]> {
  if (!explainable.test(text)) return []
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Node }] }>({
    text: `explain (format json) ${text}`,
    values,
  })
  const tables = new Set<string>()
  const look = (node: Node, limited: boolean) => {
    const type = node['Node Type']
    if (type === 'Seq Scan' && node['Relation Name'] && !limited) tables.add(node['Relation Name'])
    for (const below of node.Plans ?? []) look(below, type === 'Limit' || (limited && !gathering.test(type)))
  }
  for (const { Plan } of rows[0]?.['QUERY PLAN'] ?? []) look(Plan, false)
  return [...tables]
}

/** Runs a statement and returns how often it looks something up in each table; each lookup is a scan. */
async function lookups(client: pg.ClientBase, { text, values }: Statement): Promise<Record<string, number>> {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Node }] }>({
    text: `explain (analyze, timing off, format json) ${text}`,
    values,
  })
  const counted: Record<string, number> = {}
  const look = (node: Node) => {
    const table = node['Relation Name']
    if (table) counted[table] = (counted[table] ?? 0) + (node['Actual Loops'] ?? 0)
    for (const below of node.Plans ?? []) look(below)
  }
  for (const { Plan } of rows[0]?.['QUERY PLAN'] ?? []) look(Plan)
  return counted
}

/**
 * PostgreSQL's plans for the world of bench/, small but with the proportions of the big one. Pages are set to cost
 * little, as they do in memory: so that a table of these few thousand rows is read completely only if no index could
 * help, not because that is just as cheap.
 */
const schools = 100

/** Tables with at least one row per student: no call may read one of these completely. */
const large = new Set([
  'students',
  'enrolments',
  'results',
  'result_marks',
  'audit',
  'payment_lines',
  'book_choices',
  'family_links',
  'dispatch_needs',
  'outbox',
])

/** Calls that sum up data of many schools, and what they sum: pages of the office that are opened now and then. */
const counting: Readonly<Record<string, string>> = {
  '/api/office/exams/papers': 'sums the paid students of all schools found',
  '/api/office/students/list subject=M':
    'a page is found in the order of ids; in this small world sorting is as cheap',
  '/api/office/students/list subject=K': 'the same',
  '/api/office/dispatch/dueItems': 'sums a subject’s due items over all schools found',
}

let server: TestServer
let client: pg.PoolClient | undefined
let samples: Samples
let tokens: { office: string; school: string; family: string }

before(async () => {
  const database = await testDatabase()
  await makeWorld(database, { schools, now: aDay })
  const world = await samplesOf(database.db, aDay, 50)
  const { code, mobile, roll } = world.found
  samples = { ...world.samples, search: ['sha', 'sha aar', code, mobile, roll], page: ['20'] }
  tokens = {
    office: await officerToken(database, 'owner', aDay),
    school: await teacherToken(database, world.found.school, aDay),
    family: await familyToken(database, world.found.link, aDay),
  }
  server = await testServer({ clock: () => aDay, settings: { demo: false } })
  client = await database.pool.connect()
  await client.query('set random_page_cost = 1.1')
  // A large season uses the sums computed last: so does this one.
  await client.query(`update season_figures set figures = jsonb_set(figures, '{students}', '1000000')`)
})
after(() => client?.release(true))

const tokenOf = ({ path }: Endpoint) => {
  if (path.startsWith('/api/office/')) return tokens.office
  return path.includes('Family') ? tokens.family : tokens.school
}

function connected(): pg.PoolClient {
  assert.ok(client)
  return client
}

/** Statements whose plans were examined already. */
const checked = new Set<string>()

/** Returns what reads a large table completely, each with its call. */
async function readWhole(says: string, endpoint: Endpoint, input: object): Promise<string[]> {
  const statements = await statementsOf(() => server.send(endpoint, input, { token: tokenOf(endpoint) }))
  const wholeReads: string[] = []
  for (const statement of statements.filter(({ text }) => !checked.has(text))) {
    checked.add(statement.text)
    for (const table of await tablesReadWhole(connected(), statement))
      if (large.has(table))
        wholeReads.push(`${says} reads ${table} whole: ${statement.text.replace(/\s+/g, ' ').slice(0, 300)}`)
  }
  return wholeReads
}

test('no reading call of schools, families and the office scans a large table', async () => {
  const wholeReads: string[] = []
  let calls = 0
  for (const endpoint of await readingCalls()) {
    const { path } = endpoint
    for (const { label, query } of questionsOf(endpoint, samples, { pairs: false }) ?? []) {
      if (path in counting || `${path} ${label}` in counting) continue
      wholeReads.push(...(await readWhole(`${path} ${label}`, endpoint, { query })))
      calls += 1
    }
  }
  assert.ok(calls > 150, `only ${calls} calls`)
  assert.deepEqual(wholeReads, [])
})

test("the lists of a school's students and results scan no large table", async () => {
  const FYear = samples.FYear?.[0] ?? ''
  const event = Number(samples.eventYearId?.[0])
  const missing = [
    ...(await readWhole('students', getStudentDetails, { body: { FYear } })),
    ...(await readWhole('results', searchResults, {
      body: { fyear: FYear, eventYearId: event, eventLetter: 'M' },
    })),
  ]
  assert.deepEqual(missing, [])
})

test('a search in a next-level list reads only the students it finds', async () => {
  const { rows } = await connected().query<{ id: string }>('select event_id as id from next_level_rounds')
  const eventYearId = String(rows[0]?.id)
  const ask = async (search: string) => {
    const input = { query: { eventYearId, search } }
    return (await server.call(nextLevelList, input, { token: tokens.office })).body.total
  }
  const [all, found] = [await ask(''), await ask('sha')]
  assert.ok(found > 0 && found < all, `${found} of ${all}`)
  const statements = await statementsOf(() => ask('sha'))
  const statement = statements.find(({ text }) => text.includes('next_level_invitations'))
  assert.ok(statement)
  const { students = 0, results = 0 } = await lookups(connected(), statement)
  assert.deepEqual([students <= found, results <= 2 * found], [true, true], `${students}, ${results}: ${all}`)
})

test('every large table that refers to a deletable row has an index for it', async () => {
  const { rows } = await connected().query<{ reference: string }>(
    `select c.conrelid::regclass || '.' || a.attname as reference
     from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
     where c.contype = 'f' and c.confrelid::regclass::text = any($1) and not exists (
       select from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1]
         and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) = '(' || a.attname || ' IS NOT NULL)'))
     order by 1`,
    [['students', 'family_links', 'files', 'exam_dates', 'exam_slots']],
  )
  assert.deepEqual(
    rows.map(({ reference }) => reference),
    // These have only a few rows each.
    ['foundation.logo_file_id', 'result_sets.file_id', 'school_imports.file_id'],
  )
})
