import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Checks that a migration only adds, because instances of the previous version may still be running. Removals come in a
 * later version, when no instance uses the object any more, and declare this in a line: `-- unused since 0.4.0:
 * students.fax`.
 */
export function migrationBreaches(name: string, text: string): string[] {
  const sql = text.replaceAll(/--.*$/gm, '')
  const released = new Set(
    [...text.matchAll(/^-- unused since \d+\.\d+\.\d+: (\w+(?:\.\w+)?)$/gm)].map(([, what]) => what),
  )
  const createdHere = new Set(
    [...sql.matchAll(/\bcreate\s+(?:temp\s+)?table\s+(?:if not exists\s+)?(\w+)/gi)].map((m) => m[1]),
  )
  const breaches: string[] = []
  const refuse = (table: string, what: string, act: string) => {
    if (createdHere.has(table) || released.has(what)) return
    breaches.push(
      `${name}: ${act}. Of a released version say «-- unused since 0.0.0: ${what}», else add and leave`,
    )
  }
  for (const [, table = ''] of sql.matchAll(/\bdrop\s+table\s+(?:if\s+exists\s+)?(\w+)/gi))
    refuse(table, table, `drops the table ${table}`)
  const altered = new Set<string>()
  for (const statement of sql.split(';')) {
    const [, table = '', acts = ''] =
      /\balter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?(\w+)\s+([\s\S]*)/i.exec(statement) ?? []
    if (largeTables.has(table) && !createdHere.has(table)) altered.add(table)
    for (const act of actsOf(acts)) {
      const rename = /^rename\s+(?:column\s+)?(?!constraint\b)(\w+)(?:\s+to\s+(\w+))?/i.exec(act)
      const [, column = ''] = /^(?:drop|alter)\s+(?:column\s+)?(?:if\s+exists\s+)?(\w+)/i.exec(act) ?? []
      const place = `${table}.${column}`
      if (rename?.[1]?.toLowerCase() === 'to') refuse(table, table, `renames the table ${table}`)
      else if (rename) refuse(table, `${table}.${rename[1]}`, `renames ${table}.${rename[1]}`)
      else if (/^drop\s+(?!constraint\b)/i.test(act)) refuse(table, place, `drops ${place}`)
      else if (/^alter\s.*\b(?:set\s+data\s+)?type\s/is.test(act))
        refuse(table, place, `changes the type of ${place}`)
      else if (/^alter\s.*\bset\s+not\s+null\b/is.test(act) && !hasDefault(sql, table, column))
        refuse(table, place, `makes ${place} not null, without a default`)
      else if (
        /^add\s+(?:column\s+)?(?!constraint\b|check\b|unique\b|primary\b|foreign\b)/i.test(act) &&
        isRequired(act)
      )
        refuse(table, place, `adds a column to ${table} that is not null, without a default`)
    }
  }
  if (altered.size > 1)
    breaches.push(
      `${name}: alters ${[...altered].join(' and ')} in one transaction: a call that has one and asks for the other waits crosswise with it, and may be the one that is ended. A file for each`,
    )
  for (const { 0: statement, 1: table = '' } of sql.matchAll(
    /\bcreate\s+(?:unique\s+)?index\s[^;]*?\son\s+(?:only\s+)?(\w+)/gi,
  ))
    if (largeTables.has(table) && !createdHere.has(table) && !/\bconcurrently\b/i.test(statement))
      breaches.push(
        `${name}: makes an index of ${table} while nobody can write: «create index concurrently» in a file that begins with «-- outside a transaction»`,
      )
  return breaches
}

/** Splits an `alter table` into its actions, at commas outside parentheses. */
function actsOf(acts: string): string[] {
  let depth = 0
  let parted = ''
  for (const letter of acts) {
    if (letter === '(') depth++
    if (letter === ')') depth--
    parted += letter === ',' && depth === 0 ? '\0' : letter
  }
  return parted.split('\0').map((act) => act.trim())
}

const isRequired = (act: string) => /\bnot\s+null\b/i.test(act) && !/\b(?:default|generated)\b/i.test(act)

const hasDefault = (sql: string, table: string, column: string) =>
  new RegExp(`alter\\s+table\\s+${table}\\b[^;]*\\b${column}\\s+set\\s+default\\b`, 'i').test(sql)

/** Tables with hundreds of thousands of rows nationwide, or written by every call. */
const largeTables = new Set([
  ...['audit', 'book_choices', 'certificates', 'consents', 'enrolments', 'exam_schedules', 'family_links'],
  ...[
    'files',
    'jobs',
    'library_lines',
    'outbox',
    'packet_awards',
    'packet_lines',
    'payment_lines',
    'payments',
  ],
  ...[
    'result_anomalies',
    'result_differences',
    'result_marks',
    'results',
    'school_figures',
    'school_ledgers',
  ],
  ...['schools', 'sessions', 'students', 'tickets', 'users', 'bank_lines', 'participations'],
])

/**
 * Finds uses of `*` instead of a list of columns. A migration that adds a column would change the result of a statement
 * while instances run it, and one that drops an unused column would still break it.
 */
function starsOf(path: string, text: string, tables: ReadonlySet<string>): string[] {
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length
  const breaches = [...text.matchAll(/\.(?:selectAll|returningAll)\(/g)].map(
    ({ index, 0: call }) => `${path}:${lineAt(index)} ${call.slice(1)}): list the columns that are read`,
  )
  for (const { index, template } of templatesOf(text)) {
    const outer = outermost(template)
    for (const star of outer.matchAll(everything)) {
      const table = star[1] === undefined ? sourceOf(outer, star.index) : tableOfAlias(outer, star[1])
      if (table !== undefined && tables.has(table))
        breaches.push(
          `${path}:${lineAt(index + star.index)} takes all columns of ${table}: list those that are read`,
        )
    }
  }
  return breaches
}

/**
 * Finds the template literals of a text, each with blanks in place of its values; a template inside a value counts
 * separately. A backtick in a comment or pattern ends up in a template that holds no statement.
 */
function templatesOf(text: string): { index: number; template: string }[] {
  const templates: { index: number; template: string }[] = []
  const open: { index: number; template: string; braces: number }[] = []
  for (let position = 0; position < text.length; position++) {
    const [letter = '', inner] = [text[position], open.at(-1)]
    const within = inner !== undefined && inner.braces === 0
    if (letter === '`' && within) {
      open.pop()
      templates.push({ index: inner.index, template: `${inner.template}\`` })
      const outer = open.at(-1)
      if (outer) outer.template += text.slice(inner.index, position + 1).replaceAll(/[^\n]/g, ' ')
      continue
    }
    if (letter === '`') {
      open.push({ index: position, template: letter, braces: 0 })
      continue
    }
    if (!inner) continue
    const begins = within && letter === '$' && text[position + 1] === '{'
    inner.template += within && !begins ? letter : letter === '\n' ? letter : ' '
    if (begins) {
      inner.braces = 1
      inner.template += ' '
      position++
    } else if (!within) inner.braces += letter === '{' ? 1 : letter === '}' ? -1 : 0
  }
  return templates
}

/** A star that multiplies or counts follows a value, or is in parentheses. */
const everything = /(?:\b(?:select|distinct|returning)|,)\s+(?:(\w+)\.)?\*(?=[\s,`]|$)/gi

/**
 * Blanks out everything in parentheses, keeping the lines, because only what is outside determines a statement's
 * result.
 */
function outermost(template: string): string {
  let depth = 0
  return [...template]
    .map((letter) => {
      if (letter === ')') depth--
      const visible = depth <= 0 || letter === '\n' ? letter : ' '
      if (letter === '(') depth++
      return visible
    })
    .join('')
}

/** Returns the table that a bare `*` at this position refers to. */
function sourceOf(outer: string, position: number): string | undefined {
  const after = /^[^;]*?\*\s*from\s+(\w+)(?!\s*\()/i.exec(outer.slice(position))
  if (after) return after[1]
  return [...outer.slice(0, position).matchAll(/\b(?:into|update|delete\s+from)\s+(\w+)/gi)].at(-1)?.[1]
}

const tableOfAlias = (outer: string, alias: string) =>
  new RegExp(`\\b(?:from|join|into|update)\\s+(\\w+)\\s+(?:as\\s+)?${alias}\\b`, 'i').exec(outer)?.[1] ??
  (new RegExp(`\\b(?:from|join|into|update)\\s+${alias}\\b`, 'i').test(outer) ? alias : undefined)

/** Migrations up to this one are the baseline, which runs without other instances. */
const baseline = '0018'

/**
 * Returns one sentence for each breach: columns of the server's statements, and what a migration may do beside a
 * running server.
 */
export function checkSql(root: string): string[] {
  const paths = globSync('server/migrations/*.sql', { cwd: root }).sort()
  const migrations = paths.map((path) => ({
    name: path.replace(/^.*[\\/]/, ''),
    text: readFileSync(join(root, path), 'utf8'),
  }))
  const tables = new Set(
    migrations.flatMap(({ text }) =>
      [...text.matchAll(/\bcreate table (?:if not exists )?(\w+)/gi)].map((m) => m[1] ?? ''),
    ),
  )
  const sources = globSync('server/src/**/*.ts', { cwd: root }).map((path) => path.replaceAll('\\', '/'))
  return [
    ...sources
      .filter((path) => !path.endsWith('.test.ts'))
      .sort()
      .flatMap((path) => starsOf(path, readFileSync(join(root, path), 'utf8'), tables)),
    ...migrations
      .filter(({ name }) => name.slice(0, 4) > baseline)
      .flatMap(({ name, text }) => migrationBreaches(name, text)),
    ...migrations
      .filter(({ name }, index) => migrations[index - 1]?.name.slice(0, 4) === name.slice(0, 4))
      .map(({ name }) => `${name}: its number is taken; take the next one`),
  ]
}

if (import.meta.main) {
  const breaches = checkSql(join(import.meta.dirname, '..'))
  for (const breach of breaches) console.log(breach)
  console.log(
    breaches.length === 0 ? 'SQL keeps to the rules' : `${breaches.length} breaches of the rules of SQL`,
  )
  process.exitCode = breaches.length === 0 ? 0 : 1
}
