import { createHash } from 'node:crypto'
import { Refusal } from './errors.ts'

/**
 * A mark of what a screen shows: the same facts give the same mark. An answer that a decision is made from carries it,
 * the decision brings it back, and the command makes it anew under its locks.
 */
export function seenMark(shown: unknown): string {
  return createHash('sha256').update(JSON.stringify(shown)).digest('base64url')
}

/** Refuses a decision upon anything else than what was shown: `changed_meanwhile`. */
export function refuseUnseen(seen: string, shown: unknown): void {
  if (seen !== seenMark(shown)) throw new Refusal('changed_meanwhile')
}
