import { type DestinationStream, type Logger, pino } from 'pino'

const secret = [
  'authorization',
  'cookie',
  'password',
  'otp',
  'token',
  'email',
  'mobile',
  'code',
  'accessCode',
]
const redacted = ['req', ...secret.flatMap((name) => [name, `*.${name}`, `*.*.${name}`])]

/**
 * Database errors about statements, connections, locks, limits and the server itself. The messages of all others can quote a row:
 * their code and the names in the schema are enough to find the statement.
 */
const ofTheServer = /^(08|25|40|42|53|55|57|58)/

/** What a database error is about, by its names in the schema: these quote no row. */
function placeOf(error: Error): Record<string, unknown> {
  if (!('severity' in error)) return {}
  const names = Object.entries(error).filter(([name]) => ['table', 'column', 'constraint'].includes(name))
  return Object.fromEntries(names.sort().reverse())
}

/**
 * Creates the log: lines of JSON without personal data. Errors are logged by name, code and stack; values that a
 * database error quotes are left out.
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    redact: { paths: redacted, censor: '[hidden]' },
    serializers: {
      err: (error: unknown) => {
        if (!(error instanceof Error)) return { type: typeof error }
        const code = 'code' in error ? error.code : undefined
        const where = error.stack
          ?.split('\n')
          .filter((line) => line.trimStart().startsWith('at '))
          .slice(0, 12)
        const quotesRows = 'severity' in error && !ofTheServer.test(String(code))
        const message = quotesRows ? 'database error' : error.message
        return { type: error.name, errorCode: code, message, ...placeOf(error), where }
      },
    },
  }
  return destination ? pino(options, destination) : pino(options)
}
