import type { Issue } from '@podium/contract/endpoint'
import { type ErrorCode, errors } from '@podium/contract/errors'

interface RefusalOptions {
  /** Replaces the catalogue's sentence when the message must name something specific. */
  message?: string
  issues?: Issue[]
  /** Fields added beside `result` and `message` in the answer. */
  fields?: Record<string, unknown>
  /** Seconds before a 429 or 503 may be retried. */
  retryAfter?: number
  /** For the log only: ids and rule names that give a security event more detail. */
  facts?: Readonly<Record<string, string | number>>
}

/**
 * An expected refusal, identified by its code in the contract's catalogue; the HTTP edge turns it into an answer. Any
 * other thrown error is a fault.
 */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly issues: Issue[] | undefined
  readonly fields: Record<string, unknown> | undefined
  readonly retryAfter: number | undefined
  readonly facts: RefusalOptions['facts']

  constructor(code: ErrorCode, options: RefusalOptions = {}) {
    super(options.message ?? errors[code].sentence)
    this.name = 'Refusal'
    this.code = code
    this.status = errors[code].status
    this.issues = options.issues
    this.fields = options.fields
    this.retryAfter = options.retryAfter
    this.facts = options.facts
  }
}

/** Refuses one field of the input; the form shows the message under that field. */
export function refuseField(path: string, message: string): Refusal {
  return new Refusal('input.invalid', { issues: [{ path, message }] })
}

/** For `executeTakeFirstOrThrow`: another school's row is `not_found`, just like an unknown one. */
export const notFound = () => new Refusal('not_found')

/** Returns the row, or refuses if there is none. */
export function orNotFound<Row>(row: Row | undefined, code: ErrorCode = 'not_found'): Row {
  if (row === undefined) throw new Refusal(code)
  return row
}

/**
 * The store of uploaded files or backups can't be used at the moment; `message` is one line for the operator, quoting
 * the store's own error.
 */
export class StoreFault extends Error {
  override name = 'StoreFault'

  static of(place: string, thrown: unknown): StoreFault {
    const { name, message } = thrown as Error
    const line = `The store ${place} can't be used: ${name} ${message}`
    return new StoreFault(line.slice(0, 300), { cause: thrown })
  }
}
