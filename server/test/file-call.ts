import type { BodyOf, Endpoint } from '@podium/contract/endpoint'
import type { TestServer } from './server.ts'

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
  return { status: answer.status, text: await answer.text() }
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
