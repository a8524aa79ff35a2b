import type { BodyOf, Endpoint, QueryOf } from '@podium/contract/endpoint'
import { callFile } from './call.ts'

interface Wanted<E extends Endpoint> {
  query?: QueryOf<E>
  body?: BodyOf<E>
}

/** The address of a blob stays usable this long, for a browser that is slow to take it. */
const lifetime = 60_000

/** Fetches a file with the session's token and saves it under the server's name. Throws CallError. */
export async function download<E extends Endpoint>(endpoint: E, wanted: Wanted<E> = {}): Promise<void> {
  save(await callFile(endpoint, wanted))
}

function save({ blob, name }: { blob: Blob; name: string }): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), lifetime)
}

/**
 * Opens a PDF or picture in a tab of its own. The tab opens at once, while the press still counts, and is filled when
 * the file is there; a browser that refuses tabs saves the file instead, and so it is done after a dialog: it would stand
 * behind the tab. Throws CallError.
 */
export async function openFile<E extends Endpoint>(endpoint: E, wanted: Wanted<E> = {}): Promise<void> {
  let tab = window.open('', '_blank')
  if (tab) tab.opener = null
  const beforeAsking = () => {
    tab?.close()
    tab = null
  }
  try {
    const file = await callFile(endpoint, { ...wanted, beforeAsking })
    if (!tab) return save(file)
    const url = URL.createObjectURL(file.blob)
    tab.location.href = url
    setTimeout(() => URL.revokeObjectURL(url), lifetime)
  } catch (cause) {
    tab?.close()
    throw cause
  }
}
