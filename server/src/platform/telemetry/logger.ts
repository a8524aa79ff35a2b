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

/** What a database error is about, by its names in the schema: these quote no row. */
function placeOf(error: Error): Record<string, unknown> {
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
        // A database error's message can quote a row; its code and the names in the schema are enough to find the statement.
        if ('severity' in error)
          return { type: error.name, errorCode: code, message: 'database error', ...placeOf(error), where }
        return { type: error.name, errorCode: code, message: error.message, where }
      },
    },
  }
  return destination ? pino(options, destination) : pino(options)
}
