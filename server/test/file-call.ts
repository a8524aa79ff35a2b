import type { BodyOf, Endpoint } from '@podium/contract/endpoint'
import type { TestServer } from './server.ts'

/**
 * Makes a CSV easier to read in a test: quotes only where needed (spreadsheet.test.ts checks that all texts are
 * quoted).
 */
export const readable = (csv: string): string =>
  csv.replace(/"((?:[^"]|"")*)"/g, (quoted: string, field: string) =>
    /[",\r\n]/.test(field) ? quoted : field,
  )

/** Makes a call whose answer is a CSV file; returns the status and the text. */
export async function takeCsv<E extends Endpoint>(
  server: TestServer,
  endpoint: E,
  body: Omit<BodyOf<E>, 'format'>,
  { token }: { token: string },
): Promise<{ status: number; text: string }> {
  const answer = await fetch(server.url + endpoint.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, format: 'csv' }),
  })
  const text = await answer.text()
  return { status: answer.status, text: answer.ok ? readable(text) : text }
}

/** Returns the change in the newest audit line of an action. */
export async function toldOf(server: TestServer, action: string) {
  const { change } = await server.deps.db
    .selectFrom('audit')
    .select('change')
    .where('action', '=', action)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  return change
}

export type Fields = Record<string, unknown>

export interface Credentials {
  token?: string | undefined
  cookies?: Map<string, string> | undefined
}

export interface RawCall {
  method: 'GET' | 'POST'
  /** Below /api/, as the specification spells it */
  path: string
}

/**
 * Makes a call as a third-party program would: only by path and names, with an Authorization header even if nobody is
 * signed in.
 */
export async function rawCall(
  server: TestServer,
  { method, path }: RawCall,
  fields: Fields,
  sent: Credentials = {},
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
