import type { Endpoint } from '@podium/contract/endpoint'
import { useState } from 'react'
import { toast } from '#ui/toast.tsx'
import { CallError } from './call.ts'
import { download } from './download.ts'
import { translateSentence } from './language/sentences.ts'

/** Shows why a call was refused: `.catch(showRefusal)`. Rethrows other errors. */
export function showRefusal(cause: unknown): asserts cause is CallError {
  if (!(cause instanceof CallError)) throw cause
  toast.error(translateSentence(cause.message))
}

/** Downloads files and shows why one is refused; `busy` is the running one. `fetchFile` resolves to success. */
export function useDownloads<Name extends string | number>() {
  const [busy, setBusy] = useState<Name>()
  async function fetchFile<E extends Endpoint>(
    name: Name,
    endpoint: E,
    options: Parameters<typeof download<E>>[1],
  ) {
    setBusy(name)
    try {
      await download(endpoint, options)
      return true
    } catch (cause) {
      showRefusal(cause)
      return false
    } finally {
      setBusy(undefined)
    }
  }
  return { busy, fetchFile }
}
