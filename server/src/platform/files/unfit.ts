import type { ErrorCode } from '@podium/contract/errors'

/** Why a file may not be kept. Thrown where it is looked at, in a process that knows nothing of the contract (sandbox.ts). */
export class Unfit extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode) {
    super(code)
    this.code = code
  }
}
