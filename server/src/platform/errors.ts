import type { Issue } from '@podium/contract/endpoint'
import { type ErrorCode, errors } from '@podium/contract/errors'

interface RefusalOptions {
  /** Replaces the catalogue's sentence where it names something of this case. */
  message?: string
  issues?: Issue[]
  /** Fields that stand beside `result` and `message` in the answer. */
  fields?: Record<string, unknown>
  /** Seconds after which a 429 or 503 may be tried again. */
  retryAfter?: number
  /** For the log alone: ids and names of rules that say more of a security event. */
  facts?: Readonly<Record<string, string | number>>
}

/** An expected refusal, by its code in the contract's catalogue; the edge turns it into an answer. Anything else that is thrown is a fault. */
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

/** Refuses one field of the input with the message that its form shows under it. */
export function refuseField(path: string, message: string): Refusal {
  return new Refusal('input.invalid', { issues: [{ path, message }] })
}

/** The row, or a refusal where the guarded statement found none: another school's row is `not_found` as an unknown one is. */
export function orNotFound<Row>(row: Row | undefined, code: ErrorCode = 'not_found'): Row {
  if (row === undefined) throw new Refusal(code)
  return row
}

/** The place of sent files or backups can't be used now; `message` is one line for the operator, with its own word for the fault. */
export class StoreFault extends Error {
  override name = 'StoreFault'

  static of(place: string, thrown: unknown): StoreFault {
    const { name, message } = thrown as Error
    const line = `The store ${place} can't be used: ${name} ${message}`
    return new StoreFault(line.slice(0, 300), { cause: thrown })
  }
}
