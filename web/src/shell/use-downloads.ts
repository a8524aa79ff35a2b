import type { Endpoint } from '@podium/contract/endpoint'
import { useState } from 'react'
import { download } from './download.ts'
import { tellRefusal } from './tell-refusal.ts'

/** Fetches files and says why where there is none; `busy` is which one is under way. `fetchFile` answers whether it came. */
export function useDownloads<Name extends string | number>() {
  const [busy, setBusy] = useState<Name>()
  async function fetchFile<E extends Endpoint>(
    name: Name,
    endpoint: E,
    wanted: Parameters<typeof download<E>>[1],
  ) {
    setBusy(name)
    try {
      await download(endpoint, wanted)
      return true
    } catch (cause) {
      tellRefusal(cause)
      return false
    } finally {
      setBusy(undefined)
    }
  }
  return { busy, fetchFile }
}
