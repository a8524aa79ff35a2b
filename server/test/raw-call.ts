import type { TestServer } from './server.ts'

export type Fields = Record<string, unknown>

export interface Sent {
  token?: string | undefined
  cookies?: Map<string, string> | undefined
}

export interface RawCall {
  method: 'GET' | 'POST'
  /** Below /api/, as the specification spells it */
  path: string
}

/** Makes a call as a program of others would: by path and names alone, with an Authorization header even when nobody is signed in. */
export async function rawCall(
  server: TestServer,
  { method, path }: RawCall,
  fields: Fields,
  sent: Sent = {},
) {
  const { token = '', cookies } = sent
  const url = new URL(`/api/${path}`, server.url)
  if (method === 'GET') {
    for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, String(value))
  }
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(cookies ? { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') } : {}),
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
    },
    ...(method === 'POST' ? { body: JSON.stringify(fields) } : {}),
  })
  return { status: response.status, body: (await response.json()) as Fields }
}
