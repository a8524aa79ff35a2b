import type { Endpoint } from '@podium/contract/endpoint'
import type { familyCertificate } from '@podium/contract/results/calls-certificates'
import type { FamilyResult, familyResults } from '@podium/contract/results/calls-family'
import { resultPaths } from '@podium/contract/results/paths'
import { useEffect, useState } from 'react'
import { CallError, call } from '#shell/call.ts'
import { token } from '#shell/session.ts'

/** An endpoint as `call` needs it, which asks for method and path alone: its schemas stay on the server. */
const light = <E extends Endpoint>(at: Pick<E, 'method' | 'path'>) => at as E

const seeResults = light<typeof familyResults>(resultPaths.familyResults)
export const takeCertificate = light<typeof familyCertificate>(resultPaths.familyCertificate)

type Read = Promise<ReadonlyMap<number, FamilyResult[]>>

/** One call tells of all children of a session; their cards share it. */
let read: { token: string; results: Read; come?: ReadonlyMap<number, FamilyResult[]> } | undefined

function resultsOfAll(again: boolean): Read {
  const own = token()
  if (again || read?.token !== own) {
    const results = call(seeResults).then(
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
