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

/** The keys of writes whose answers were lost, by path and body */
const lost = new Map<string, string>()

/**
 * `call` that makes writes with a key; what can be aborted is a read. If the answer is lost and the user sends the write
 * again, the same key gets the first answer: the server would refuse the user's own change as another's, or make it twice.
 */
export async function callKeyed<E extends Endpoint>(
  endpoint: E,
  options: CallOptions<E>,
): Promise<Answer<E>> {
  if (endpoint.method === 'GET' || options.signal || options.file) return makeCall(endpoint, options)
  const write = endpoint.path + JSON.stringify(options.body)
  const idempotencyKey = options.idempotencyKey ?? lost.get(write) ?? crypto.randomUUID()
  try {
    const answer = await callOnce(endpoint, { ...options, idempotencyKey })
    lost.delete(write)
    // Off and on again: what is switched off once more then is not the lost write, unless it names a record's version.
    for (const other of lost.keys()) if (!other.includes('"version":')) lost.delete(other)
    return answer
  } catch (cause) {
    // Whether a fault came before or after the commit is not known.
    if (cause instanceof CallError && cause.status > 0 && cause.status < 500) lost.delete(write)
    else lost.set(write, idempotencyKey)
    throw cause
  }
}

/** Whether a call failed for no reason of its own and can be repeated as it is. */
export const canRepeat = ({ code }: CallError): boolean => ['network', 'transport', 'internal'].includes(code)
