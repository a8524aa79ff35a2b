import type { BodyOf, Endpoint } from '@podium/contract/endpoint'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../src/platform/db/database.ts'
import type { Schema } from '../src/platform/db/schema.generated.ts'
import { testDatabase } from './database.ts'
import type { TestServer } from './server.ts'

/**
 * Makes a CSV easier to read in a test: quotes only where needed (spreadsheet.test.ts checks that all texts are
 * quoted).
 */
export const readable = (csv: string): string =>
  csv.replace(/"((?:[^"]|"")*)"/g, (quoted: string, field: string) =>
    /[",\r\n]/.test(field) ? quoted : field,
  )

/** Makes a call whose answer is a CSV file; returns the status, the text and its lines. */
export async function takeCsv<E extends Endpoint>(
  server: TestServer,
  endpoint: E,
  body: Omit<BodyOf<E>, 'format'>,
  by: { token: string },
) {
  const { status, bytes } = await server.download(endpoint, { ...body, format: 'csv' }, by)
  const text = status === 200 ? readable(bytes.toString()) : bytes.toString()
  return { status, text, lines: text.trim().split(/\r?\n/) }
}

type AuditColumn = keyof Selectable<Schema['audit']>
type AuditWhere = { [Column in AuditColumn]?: string | number | readonly (string | number)[] }

function auditQuery<Column extends AuditColumn>(db: Db, columns: readonly Column[], where: AuditWhere) {
  let query = db.selectFrom('audit').select(columns)
  for (const [column, value] of Object.entries(where))
    query = query.where(sql`${sql.ref(column)}::text`, 'in', [value].flat().map(String))
  return query
}

/** Returns these columns of the audit lines of an action, a subject, a school (or of several, by lists), oldest first. */
export async function auditLines<Column extends AuditColumn>(columns: readonly Column[], where: AuditWhere) {
  const { db } = await testDatabase()
  return auditQuery(db, columns, where).orderBy('id').execute()
}

/** Returns the same of the newest one. */
export async function auditLine<Column extends AuditColumn>(columns: readonly Column[], where: AuditWhere) {
  const { db } = await testDatabase()
  return auditQuery(db, columns, where).orderBy('id', 'desc').executeTakeFirstOrThrow()
}

/** Returns the change in the newest audit line of an action. */
export const newestChange = async (action: string) => (await auditLine(['change'], { action })).change

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
