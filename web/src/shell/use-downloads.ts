import type { Endpoint } from '@podium/contract/endpoint'
import { useState } from 'react'
import { CallError } from './call.ts'
import { type DownloadOptions, download } from './download.ts'
import { translateSentence } from './language/sentences.ts'
import { settle, showError } from './use-action.ts'

/** Shows why a call was refused: `.catch(showRefusal)`, until its `action` succeeds. Rethrows other errors. */
export function showRefusal(cause: unknown, action?: string): asserts cause is CallError {
  if (!(cause instanceof CallError)) throw cause
  showError(translateSentence(cause.message), action)
}

/**
 * Saves a file, or opens it in a new tab (`openFile`), or shows why it is refused: until it is asked for again. Resolves
 * to whether it did.
 */
export async function fetchFile<E extends Endpoint>(
  endpoint: E,
  options?: DownloadOptions<E>,
  get: typeof download = download,
): Promise<boolean> {
  const action = JSON.stringify([endpoint.path, options])
  settle(action)
  try {
    await get(endpoint, options)
    return true
  } catch (cause) {
    showRefusal(cause, action)
    return false
  }
}

/** Downloads files; `busy` is the running one. Otherwise like `fetchFile`. */
export function useDownloads<Name extends string | number>() {
  const [busy, setBusy] = useState<Name>()
  const fetchNamed = <E extends Endpoint>(name: Name, endpoint: E, options: DownloadOptions<E>) => {
    setBusy(name)
    return fetchFile(endpoint, options).finally(() => setBusy(undefined))
  }
  return { busy, fetchFile: fetchNamed }
}
