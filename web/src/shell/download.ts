import type { BodyOf, Endpoint, QueryOf } from '@podium/contract/endpoint'
import { callFile } from './call.ts'

export interface DownloadOptions<E extends Endpoint> {
  query?: QueryOf<E>
  body?: BodyOf<E>
}

/** How long the address of a blob is valid, in ms, for browsers that are slow to save it. */
const urlLifetime = 60_000

/** Downloads a file with the session's token and saves it under the server's name. Throws CallError. */
export async function download<E extends Endpoint>(
  endpoint: E,
  options: DownloadOptions<E> = {},
): Promise<void> {
  save(await callFile(endpoint, options))
}

function save({ blob, name }: { blob: Blob; name: string }): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), urlLifetime)
}

/**
 * Opens a PDF or picture in a new tab. The tab opens at once, while the click still allows it, and is filled later. If
 * the browser blocks it, or a dialog was shown in between (the tab would cover it), the file is saved instead. Throws
 * CallError.
 */
export async function openFile<E extends Endpoint>(
  endpoint: E,
  options: DownloadOptions<E> = {},
): Promise<void> {
  let tab = window.open('', '_blank')
  if (tab) tab.opener = null
  const beforeAsking = () => {
    tab?.close()
    tab = null
  }
  try {
    const file = await callFile(endpoint, { ...options, beforeAsking })
    if (!tab) return save(file)
    const url = URL.createObjectURL(file.blob)
    tab.location.href = url
    setTimeout(() => URL.revokeObjectURL(url), urlLifetime)
  } catch (cause) {
    tab?.close()
    throw cause
  }
}
