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
        // A database error's message can quote a row; its code is enough to find the statement.
        const message = 'severity' in error ? 'database error' : error.message
        return { type: error.name, errorCode: code, message, where }
      },
    },
  }
  return destination ? pino(options, destination) : pino(options)
}
