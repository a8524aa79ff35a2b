import type { Endpoint } from '@podium/contract/endpoint'

export type Fields = Record<string, unknown>

/** A caller: by token, by a browser's cookies, or nobody. */
export interface Session {
  token?: string | undefined
  cookies?: ReadonlyMap<string, string> | undefined
}

/** An uploaded file, sent as the part `file`. */
export interface UploadFile {
  name: string
  bytes: Uint8Array<ArrayBuffer>
}

export const textFile = (name: string, text: string): UploadFile => ({
  name,
  bytes: new TextEncoder().encode(text),
})

/** The input of one call. */
export interface Ask {
  query?: Fields
  body?: unknown
  file?: UploadFile
}

/** A request as sent over the wire, right or broken. */
export interface WireRequest {
  method: string
  path: string
  headers: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer> | FormData
}

/** The complete answer. */
export interface WireAnswer {
  status: number
  type: string
  /** Whether it is a file to save */
  file: boolean
  text: string
  /** The envelope; undefined if the answer is a file or not JSON. */
  body: Fields | undefined
  took: number
}

export const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`

/** Returns an element of a list by any number, modulo the length. */
export const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % list.length]

const asText = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** Formats a query as browsers do: a list repeats its name, half a character becomes U+FFFD. */
export function queryText(query: Fields): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value.slice(0, 100) : [value])
      .filter((item) => item !== undefined)
      .map((item) => [name, asText(item)]),
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

function headersOf({ token, cookies }: Session): Record<string, string> {
  const pairs = [...(cookies ?? [])].map(([name, value]) => `${name}=${value}`)
  return {
    // Compressing an answer takes longer than computing most of them.
    'accept-encoding': 'identity',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(pairs.length === 0 ? {} : { cookie: pairs.join('; ') }),
  }
}

/** Returns the request for an input, as a client would send it. */
export function requestOf(endpoint: Endpoint, ask: Ask, session: Session): WireRequest {
  const { method, path } = endpoint
  const request: WireRequest = {
    method,
    path: path + queryText(ask.query ?? {}),
    headers: headersOf(session),
  }
  if (endpoint.upload) {
    const form = new FormData()
    const { name, bytes } = ask.file ?? { name: 'empty.csv', bytes: new Uint8Array() }
    form.append('file', new Blob([bytes]), name)
    return { ...request, body: form }
  }
  if (method === 'GET') return request
  request.headers['content-type'] = 'application/json'
  return { ...request, body: JSON.stringify(ask.body ?? {}) }
}

const patience = 60_000

/** Sends a request and reads the whole answer; fails the test if none comes. */
export async function send(
  url: string,
  { method, path, headers, body }: WireRequest,
  cookies?: Map<string, string>,
): Promise<WireAnswer> {
  const began = performance.now()
  const signal = AbortSignal.timeout(patience)
  const response = await fetch(url + path, {
    method,
    headers,
    signal,
    ...(body === undefined ? {} : { body }),
  })
  for (const cookie of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    cookies?.set(name, value)
  }
  const type = response.headers.get('content-type') ?? ''
  // The bytes of a file as they are, because plain text in them is checked too.
  const text = type.startsWith('application/json')
    ? await response.text()
    : Buffer.from(await response.arrayBuffer()).toString('latin1')
  const took = performance.now() - began
  const file = response.headers.has('content-disposition')
  return { status: response.status, type, file, text, body: file ? undefined : read(type, text), took }
}

function read(type: string, text: string): Fields | undefined {
  if (!type.startsWith('application/json')) return undefined
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null ? (body as Fields) : undefined
  } catch {
    return undefined
  }
}

/** Whether a call did what it is for. */
export function succeeded({ answers }: Endpoint, { status, file, body }: WireAnswer): boolean {
  return status === 200 && (answers === 'file' ? file : body?.result === 'success')
}
