import pg from 'pg'

/** A statement as it went to the database. */
export interface Statement {
  text: string
  values: unknown[]
}

/** Nodes of a plan, as far as they are looked at. */
interface Node {
  'Node Type': string
  'Relation Name'?: string
  'Actual Loops'?: number
  Plans?: Node[]
}

type Query = (...asked: unknown[]) => unknown

/** Does something and gives the statements that all clients of this process have sent meanwhile. */
export async function statementsOf(act: () => Promise<unknown>): Promise<Statement[]> {
  const sent: Statement[] = []
  const { prototype } = pg.Client as unknown as { prototype: { query: Query } }
  const real = prototype.query
  prototype.query = function (this: unknown, ...asked: unknown[]) {
    const [config, values] = asked
    if (typeof config === 'string') sent.push({ text: config, values: Array.isArray(values) ? values : [] })
    else if (typeof config === 'object' && config !== null && 'text' in config) {
      const { text, values: own } = config as { text: string; values?: unknown[] }
      sent.push({ text, values: own ?? [] })
    }
    return Reflect.apply(real, this, asked)
  }
  try {
    await act()
  } finally {
    prototype.query = real
  }
  return sent
}

const explainable = /^\s*(select|with|insert|update|delete|\()/i

/** What must have all rows of what is below before it gives its first. */
const gathering = /^(Sort|Aggregate|Hash|Materialize|WindowAgg|Unique|SetOp|Gather.*)$/

/**
 * The tables that a statement reads from end to end, as PostgreSQL plans it for these values; it is not run. What is read
 * only until a page is full is not read from end to end.
 */
export async function tablesReadWhole(client: pg.ClientBase, { text, values }: Statement): Promise<string[]> {
  if (!explainable.test(text)) return []
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Node }] }>({
    text: `explain (format json) ${text}`,
    values,
  })
  const found = new Set<string>()
  const look = (node: Node, limited: boolean) => {
    const type = node['Node Type']
    if (type === 'Seq Scan' && node['Relation Name'] && !limited) found.add(node['Relation Name'])
    for (const below of node.Plans ?? []) look(below, type === 'Limit' || (limited && !gathering.test(type)))
  }
  for (const { Plan } of rows[0]?.['QUERY PLAN'] ?? []) look(Plan, false)
  return [...found]
}

/** How often a statement looks something up in each table, as PostgreSQL runs it: a scan each time. */
export async function lookups(
  client: pg.ClientBase,
  { text, values }: Statement,
): Promise<Record<string, number>> {
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
