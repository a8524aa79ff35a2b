/** The database can't be opened; `message` is one line for the person at the console. */
export class DatabaseRefused extends Error {
  override name = 'DatabaseRefused'
}

const unreachable = [
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['ECONNRESET', 'EPIPE'],
]
const refused: Readonly<Record<string, string>> = {
  '28P01': 'The database refuses the user or the password of DATABASE_URL.',
  '28000': 'The database refuses the user of DATABASE_URL.',
  '3D000': 'There is no database of the name in DATABASE_URL.',
}

/** Why a PostgreSQL could not be reached, as one line for the operator; undefined for another error. */
export function databaseFault(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code = codeOf(error)
  if (
    unreachable.includes(code) ||
    code.startsWith('08') ||
    /timeout exceeded when trying to connect/.test(error.message)
  )
    return `The database can't be reached${code && ` (${code})`}: check DATABASE_URL, and that it runs.`
  return refused[code]
}

const codeOf = (error: Error) => ('code' in error ? String(error.code) : '')

/** What the driver says, without a code, of a connection that is gone or never came about. */
const lost = /^(Connection terminated|Client has encountered a connection error|Client was closed)/

/**
 * PostgreSQL's own: it stops or starts (57P01 to 57P03), has become a standby that nobody may write to (25006), its disk or
 * memory is full (53100, 53200, 53400), or the line broke (08…), which is also all that PgBouncer says of such things.
 */
const away = /^(08...|57P0[1-3]|25006|53[124]00)$/

/**
 * Whether the database is away for now, by what somebody who asked it was told: it is started, replaced or cut off, and
 * answers again by itself. Whether what was asked was done is not known.
 */
export function databaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  // A socket of the embedded database that is being started again
  const noSocket = code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect'
  return noSocket || away.test(code) || unreachable.includes(code) || lost.test(error.message)
}
