import type { Endpoint, QueryOf } from '@podium/contract/endpoint'
import { useEffect, useState } from 'react'
import { type Answer, CallError, call } from '#shell/call.ts'

interface Asked<E extends Endpoint> {
  data: Answer<E> | undefined
  error: CallError | undefined
}

/** Reads an endpoint once for a page before the sign-in, where there is no query cache. `enabled: false` waits. */
export function useAnswer<E extends Endpoint>(endpoint: E, query: QueryOf<E>, enabled = true) {
  const [state, setState] = useState<Asked<E>>({ data: undefined, error: undefined })
  const [tries, setTries] = useState(0)
  const key = JSON.stringify(query)
  useEffect(() => {
    if (!enabled) return
    const leaving = new AbortController()
    const asked = { query: JSON.parse(key) as QueryOf<E>, signal: leaving.signal }
    call(endpoint, asked).then(
      (data) => setState({ data, error: undefined }),
      (cause) => {
        if (leaving.signal.aborted) return
        if (!(cause instanceof CallError)) throw cause
        setState({ data: undefined, error: cause })
        // A lost connection or a busy server is tried twice more, by itself.
        if (tries < 2 && [0, 503].includes(cause.status)) setTimeout(() => setTries(tries + 1), 2000)
      },
    )
    return () => leaving.abort()
  }, [endpoint, key, enabled, tries])
  const again = () => {
    setState({ data: undefined, error: undefined })
    setTries(tries + 1)
  }
  return { ...state, again }
}
