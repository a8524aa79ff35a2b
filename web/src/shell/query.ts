import type { BodyOf, Endpoint, QueryOf } from '@podium/contract/endpoint'
import { QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { type Answer, CallError, call } from './call.ts'

/** Returns a text as it is once typing has paused for `ms`: for queries that follow it. */
export function useDebounced(typed: string, ms = 250): string {
  const [settled, setSettled] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), ms)
    return () => clearTimeout(timer)
  }, [typed, ms])
  return settled
}

/** Refusals are final; a lost connection or a busy server is retried twice. */
function shouldRetry(tries: number, cause: Error): boolean {
  return tries < 2 && cause instanceof CallError && (cause.status === 0 || cause.status === 503)
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 15_000, gcTime: 5 * 60_000, retry: shouldRetry, refetchOnWindowFocus: false },
    mutations: { retry: false },
  },
})

interface EndpointInput<E extends Endpoint> {
  query?: QueryOf<E>
  body?: BodyOf<E>
}

/** Returns the season of a call's input, however the call spells it; undefined if it has none. */
function seasonOf(...parts: unknown[]): unknown {
  const entries = parts.flatMap((part) => (part && typeof part === 'object' ? Object.entries(part) : []))
  return entries.find(([name]) => /^(?:fyear|season)$/i.test(name))?.[1]
}

/**
 * Query options for an endpoint; the key is the path and the input. Earlier data stays while another filter or page
 * loads, but never that of another season.
 */
export function endpointQuery<E extends Endpoint>(endpoint: E, input: EndpointInput<E> = {}) {
  return queryOptions<Answer<E>, CallError>({
    queryKey: [endpoint.path, input.query ?? null, input.body ?? null],
    queryFn: ({ signal }) => call(endpoint, { ...input, signal }),
    placeholderData: (previous, query) =>
      seasonOf(...(query?.queryKey ?? [])) === seasonOf(input.query, input.body) ? previous : undefined,
  })
}

/** Queries an endpoint, GET or POST, and caches the answer. `enabled: false` waits. */
export function useEndpoint<E extends Endpoint>(
  endpoint: E,
  input: EndpointInput<E> & { enabled?: boolean } = {},
) {
  const { enabled, ...rest } = input
  return useQuery({ ...endpointQuery(endpoint, rest), enabled: enabled ?? true })
}

/** Queries an endpoint without the cache: for what a user is about to confirm, where an old answer is wrong. */
export function useFreshQuery<E extends Endpoint>(
  endpoint: E,
  input: EndpointInput<E> & { enabled?: boolean } = {},
) {
  const { enabled, ...rest } = input
  const options = { ...endpointQuery(endpoint, rest), placeholderData: undefined, staleTime: 0, gcTime: 0 }
  return useQuery({ ...options, enabled: enabled ?? true })
}

const nothing: readonly Endpoint[] = []

/** Returns a function that refetches shown answers of these calls, or of `'all'`. Pass a module constant. */
export function useInvalidate(calls: readonly Endpoint[] | 'all' = nothing): () => Promise<void> {
  const client = useQueryClient()
  return useCallback(async () => {
    if (calls === 'all') await client.invalidateQueries()
    else await Promise.all(calls.map(({ path }) => client.invalidateQueries({ queryKey: [path] })))
  }, [client, calls])
}
