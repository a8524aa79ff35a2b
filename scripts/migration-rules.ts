/**
 * What a migration may do while instances of the version before it serve: add. What takes away comes in a later version,
 * when none that uses it is running any more, and says so in a line: `-- unused since 0.4.0: students.fax`.
 */
export function migrationBreaches(name: string, text: string): string[] {
  const sql = text.replaceAll(/--.*$/gm, '')
  const released = new Set(
    [...text.matchAll(/^-- unused since \d+\.\d+\.\d+: (\w+(?:\.\w+)?)$/gm)].map(([, what]) => what),
  )
  const own = new Set(
    [...sql.matchAll(/\bcreate\s+(?:temp\s+)?table\s+(?:if not exists\s+)?(\w+)/gi)].map((m) => m[1]),
  )
  const found: string[] = []
  const refuse = (table: string, what: string, act: string) => {
    if (own.has(table) || released.has(what)) return
    found.push(
      `${name}: ${act}. Of a released version say «-- unused since 0.0.0: ${what}», else add and leave`,
    )
  }
  for (const [, table = ''] of sql.matchAll(/\bdrop\s+table\s+(?:if\s+exists\s+)?(\w+)/gi))
    refuse(table, table, `drops the table ${table}`)
  const altered = new Set<string>()
  for (const statement of sql.split(';')) {
    const [, table = '', acts = ''] =
      /\balter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?(\w+)\s+([\s\S]*)/i.exec(statement) ?? []
    if (largeTables.has(table) && !own.has(table)) altered.add(table)
    for (const act of actsOf(acts)) {
      const rename = /^rename\s+(?:column\s+)?(?!constraint\b)(\w+)(?:\s+to\s+(\w+))?/i.exec(act)
      const [, column = ''] = /^(?:drop|alter)\s+(?:column\s+)?(?:if\s+exists\s+)?(\w+)/i.exec(act) ?? []
      const place = `${table}.${column}`
      if (rename?.[1]?.toLowerCase() === 'to') refuse(table, table, `renames the table ${table}`)
      else if (rename) refuse(table, `${table}.${rename[1]}`, `renames ${table}.${rename[1]}`)
      else if (/^drop\s+(?!constraint\b)/i.test(act)) refuse(table, place, `drops ${place}`)
      else if (/^alter\s.*\b(?:set\s+data\s+)?type\s/is.test(act))
        refuse(table, place, `changes the type of ${place}`)
      else if (/^alter\s.*\bset\s+not\s+null\b/is.test(act) && !defaulted(sql, table, column))
        refuse(table, place, `makes ${place} not null, without a default`)
      else if (
        /^add\s+(?:column\s+)?(?!constraint\b|check\b|unique\b|primary\b|foreign\b)/i.test(act) &&
        needed(act)
      )
        refuse(table, place, `adds a column to ${table} that is not null, without a default`)
    }
  }
  if (altered.size > 1)
    found.push(
      `${name}: alters ${[...altered].join(' and ')} in one transaction: a call that has one and asks for the other waits crosswise with it, and may be the one that is ended. A file for each`,
    )
  for (const { 0: made, 1: table = '' } of sql.matchAll(
    /\bcreate\s+(?:unique\s+)?index\s[^;]*?\son\s+(?:only\s+)?(\w+)/gi,
  ))
    if (largeTables.has(table) && !own.has(table) && !/\bconcurrently\b/i.test(made))
      found.push(
        `${name}: makes an index of ${table} while nobody can write: «create index concurrently» in a file that begins with «-- outside a transaction»`,
      )
  return found
}

/** What an `alter table` does, act by act: commas outside parentheses part them. */
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

const needed = (act: string) => /\bnot\s+null\b/i.test(act) && !/\b(?:default|generated)\b/i.test(act)

const defaulted = (sql: string, table: string, column: string) =>
  new RegExp(`alter\\s+table\\s+${table}\\b[^;]*\\b${column}\\s+set\\s+default\\b`, 'i').test(sql)

/** Tables that a nation fills with hundreds of thousands of rows, or that every call writes. */
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
