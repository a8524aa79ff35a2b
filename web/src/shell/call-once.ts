import type { Endpoint } from '@podium/contract/endpoint'
import { type Answer, CallError, type CallOptions, makeCall } from './call.ts'

/**
 * `call` for a write with a key. If the connection breaks, it may be the answer that was lost: the write is sent once
 * more, and the same key gets that answer without writing again.
 */
export function callOnce<E extends Endpoint>(
  endpoint: E,
  options: CallOptions<E> & { idempotencyKey: string },
): Promise<Answer<E>> {
  return makeCall(endpoint, options).catch((cause: unknown) => {
    if (!(cause instanceof CallError) || cause.code !== 'network') throw cause
    return makeCall(endpoint, options)
  })
}

/** The keys of writes without an answer, by path and body */
const unanswered = new Map<string, string>()

/**
 * Makes a write with a record's version as a write with a key, which it keeps until it is answered: if the answer is
 * lost and the write sent again, the server would refuse the user's own change as another user's.
 */
export async function callVersioned<E extends Endpoint>(
  endpoint: E,
  options: CallOptions<E>,
): Promise<Answer<E>> {
  const write = endpoint.path + JSON.stringify(options.body)
  const idempotencyKey = options.idempotencyKey ?? unanswered.get(write) ?? crypto.randomUUID()
  unanswered.set(write, idempotencyKey)
  try {
    const answer = await callOnce(endpoint, { ...options, idempotencyKey })
    unanswered.delete(write)
    return answer
  } catch (cause) {
    // Whether a fault came before or after the commit is not known.
    if (cause instanceof CallError && cause.status > 0 && cause.status < 500) unanswered.delete(write)
    throw cause
  }
}

/** Whether a call failed for no reason of its own and can be repeated as it is. */
export const canRepeat = ({ code }: CallError): boolean => ['network', 'transport', 'internal'].includes(code)
