import type { BodyOf, Endpoint } from '@podium/contract/endpoint'
import type { TestServer } from './server.ts'

/** A CSV as it is easier to read in a test: quotes where a field can't do without (csv.test.ts says that all texts have them). */
export const readable = (csv: string): string =>
  csv.replace(/"((?:[^"]|"")*)"/g, (quoted: string, field: string) =>
    /[",\r\n]/.test(field) ? quoted : field,
  )

/** What a call answers whose answer is a CSV file: the status and the text. */
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

/** What the newest audit line of an act says. */
export async function toldOf(server: TestServer, action: string) {
  const { change } = await server.deps.db
    .selectFrom('audit')
    .select('change')
    .where('action', '=', action)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  return change
}
