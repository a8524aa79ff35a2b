/** The database can't be opened; `message` is one line for the operator. */
export class DatabaseRefused extends Error {
  override name = 'DatabaseRefused'
}

const unreachable = [
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['ECONNRESET', 'EPIPE'],
]
const refused: Readonly<Record<string, string>> = {
  '28P01': 'The database refuses the user or the password of',
  '28000': 'The database refuses the user of',
  '3D000': 'There is no database of the name in',
}

/**
 * Returns why the PostgreSQL of a setting could not be reached, as one line for the operator; undefined for any other
 * error.
 */
export function databaseFault(error: unknown, setting = 'DATABASE_URL'): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code = codeOf(error)
  if (
    unreachable.includes(code) ||
    code.startsWith('08') ||
    /timeout exceeded when trying to connect/.test(error.message)
  )
    return `The database can't be reached${code && ` (${code})`}: check ${setting}, and that it runs.`
  if (/password must be a string/.test(error.message))
    return `The database asks for a password, and ${setting} has none.`
  return refused[code] && `${refused[code]} ${setting}.`
}

const codeOf = (error: Error) => ('code' in error ? String(error.code) : '')

/** The driver's messages, without a code, for a connection that is lost or was never made. */
const connectionLost = /^(Connection terminated|Client has encountered a connection error|Client was closed)/

/**
 * PostgreSQL's own codes: it is stopping or starting (57P01 to 57P03), has become a read-only standby (25006), its disk
 * or memory is full (53100, 53200, 53400), or the connection broke (08…), which is also PgBouncer's only code for
 * these.
 */
const unavailableCodes = /^(08...|57P0[1-3]|25006|53[124]00)$/

/**
 * Whether an error means that the database is away for now: it is starting, being replaced or cut off, and will answer
 * again by itself. It is unknown whether the failed statement took effect.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  // The socket of an embedded database that is restarting
  const noSocket = code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect'
  return (
    noSocket ||
    unavailableCodes.test(code) ||
    unreachable.includes(code) ||
    connectionLost.test(error.message)
  )
}

/** A lock that is not freed in time, a deadlock, no free connection. */
const crowdedCodes = new Set(['55P03', '40P01', '40001', '53300'])

/** Whether others were in the way: nothing of the transaction took effect, and it can succeed in a moment. */
export const isDatabaseCrowded = (error: unknown): boolean =>
  error instanceof Error && crowdedCodes.has(codeOf(error))
