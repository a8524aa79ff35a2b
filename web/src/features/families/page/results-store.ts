import { type FamilyResult, familyResults } from '@podium/contract/results/calls-family'
import { useEffect, useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import { token } from '#shell/session.ts'

type Read = Promise<ReadonlyMap<number, FamilyResult[]>>

/** One call tells of all children of a session; their cards share it. */
let read: { token: string; results: Read; come?: ReadonlyMap<number, FamilyResult[]> } | undefined

function resultsOfAll(again: boolean): Read {
  const own = token()
  if (again || read?.token !== own) {
    const results = call(familyResults).then(
      ({ data }) => new Map(data.map((child) => [child.individualRegId, child.results])),
    )
    const here: typeof read = { token: own, results }
    read = here
    results.then(
      (come) => {
        here.come = come
      },
      () => {
        read = undefined
      },
    )
  }
  return read.results
}

/** Resolves once the results have come or will not, two seconds at most: the page waits, so that no card grows under a finger. */
export const resultsSettled = (): Promise<unknown> =>
  Promise.race([resultsOfAll(false), new Promise((resolve) => setTimeout(resolve, 2_000))])

interface State {
  results?: FamilyResult[]
  error?: CallError
}

/** The results of one child of the family that is signed in. */
export function useResultsOf(individualRegId: number) {
  const [state, setState] = useState<State>(() =>
    read?.token === token() && read.come ? { results: read.come.get(individualRegId) ?? [] } : {},
  )
  const [tries, setTries] = useState(0)
  useEffect(() => {
    let here = true
    resultsOfAll(tries > 0).then(
      (all) => here && setState({ results: all.get(individualRegId) ?? [] }),
      (cause) => {
        if (!(cause instanceof CallError)) throw cause
        if (here) setState({ error: cause })
      },
    )
    return () => {
      here = false
    }
  }, [individualRegId, tries])
  const again = () => {
    setState({})
    setTries(tries + 1)
  }
  return { ...state, again }
}
