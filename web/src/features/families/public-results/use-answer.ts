import type { Endpoint, QueryOf } from '@podium/contract/endpoint'
import { useEffect, useState } from 'react'
import { type Answer, CallError, call } from '#shell/call.ts'

interface State<E extends Endpoint> {
  data?: Answer<E>
  error?: CallError
}

/** Reads an endpoint for a page without a query cache; undefined asks nothing. */
export function useAnswer<E extends Endpoint>(endpoint: E, query: QueryOf<E> | undefined) {
  const [state, setState] = useState<State<E>>({})
  const [tries, setTries] = useState(0)
  const key = query && JSON.stringify(query)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try asks the same again
  useEffect(() => {
    setState({})
    if (key === undefined) return
    const leaving = new AbortController()
    call(endpoint, { query: JSON.parse(key) as QueryOf<E>, signal: leaving.signal }).then(
      (data) => setState({ data }),
      (cause) => {
        if (leaving.signal.aborted) return
        if (!(cause instanceof CallError)) throw cause
        setState({ error: cause })
      },
    )
    return () => leaving.abort()
  }, [endpoint, key, tries])
  return { ...state, again: () => setTries(tries + 1) }
}
