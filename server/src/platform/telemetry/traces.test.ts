import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { after, before, test } from 'node:test'
import { login } from '@podium/contract/accounts/calls'
import { emailVerify, forgotPassword } from '@podium/contract/accounts/calls-registration'
import { getState } from '@podium/contract/catalogue/calls-places'
import { verifyCertificate } from '@podium/contract/results/calls-public'
import { getStudentDetails, saveStudentDetails } from '@podium/contract/students/calls'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { aDay, thisSeason } from '#test/factories'
import { type TestServer, testServer } from '#test/server'
import { anEntry, aTeacherInSeason } from '#test/students-factories'
import { enqueueJob } from '../jobs/jobs.ts'
import { createLogger } from './logger.ts'

const value = z.object({
  stringValue: z.optional(z.string()),
  intValue: z.optional(z.union([z.string(), z.number()])),
})
const span = z.object({
  name: z.string(),
  spanId: z.string(),
  traceId: z.string(),
  parentSpanId: z.optional(z.string()),
  attributes: z.array(z.object({ key: z.string(), value })),
  status: z.object({ code: z.optional(z.number()) }),
})
const sent = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(span) })) })),
})
type Span = z.infer<typeof span>

/** A collector that speaks OTLP over HTTP, and the bodies it received. */
let collector: Server
const bodies: string[] = []
let server: TestServer
before(async () => {
  collector = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    bodies.push(`${request.method} ${request.url} ${body}`)
    response.setHeader('content-type', 'application/json').end('{}')
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const address = collector.address()
  if (address === null || typeof address === 'string') throw new Error('the collector does not listen')
  server = await testServer({ settings: { tracesTo: `http://127.0.0.1:${address.port}` } })
})
after(() => collector.close())

const attributeOf = ({ attributes }: Span, key: string) => {
  const found = attributes.find((attribute) => attribute.key === key)?.value
  return found?.stringValue ?? found?.intValue
}

test('a collector receives the spans of calls, statements and jobs, and nothing that anyone typed', async () => {
  const { db } = server.deps
  const typed = ['Gopaniya2026', 'asha.gopaniya@school.example', 'Wrong-password-42', '98.7654']
  await server.ask(verifyCertificate, { number: typed[0] ?? '' }, { token: 'T'.repeat(43) })
  await server.call(login, { body: { emailId: typed[1] ?? '', password: typed[2] ?? '' } })
  await server.ask(getState, { countryId: '1' })
  await fetch(`${server.url}/readyz`)
  await fetch(`${server.url}/r/gopaniya-link`)
  await sql`select ${typed[3]}::numeric / 0`.execute(db).catch(() => undefined)
  await db
    .transaction()
    .execute((tx) =>
      enqueueJob(tx, server.deps.clock(), { kind: 'overview.figures', season: thisSeason, input: {} }),
    )
  await server.jobs.drain()
  await server.stop()

  assert.ok(bodies.length > 0)
  for (const body of bodies) assert.match(body, /^POST \/v1\/traces /)
  const sentText = bodies.join('\n').toLowerCase()
  for (const text of [
    ...typed,
    'gopaniya',
    'T'.repeat(43),
    '?number',
    '127.0.0.1',
    'undici',
    'division by zero',
  ])
    assert.ok(!sentText.includes(text.toLowerCase()), text)

  const spans = bodies.flatMap((body) =>
    sent
      .parse(JSON.parse(body.slice(body.indexOf('{'))))
      .resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scopeSpan) => scopeSpan.spans)),
  )
  const named = (name: string) => spans.filter((span) => span.name === name)
  const [checked] = named(`GET ${verifyCertificate.path}`)
  assert.ok(checked, `there is no span of the call among ${[...new Set(spans.map(({ name }) => name))]}`)
  assert.equal(attributeOf(checked, 'http.route'), verifyCertificate.path)
  assert.deepEqual(
    [attributeOf(checked, 'http.response.status_code'), attributeOf(checked, 'podium.caller')],
    [200, 'anonymous'],
  )
  const statements = spans.filter(({ parentSpanId }) => parentSpanId === checked.spanId)
  assert.ok(
    statements.some((statement) =>
      /from "certificates" where "number" = \$1/.test(String(attributeOf(statement, 'db.query.text'))),
    ),
  )
  assert.ok(statements.every(({ traceId }) => traceId === checked.traceId))
  assert.ok(named(`POST ${login.path}`).length > 0)
  assert.ok(named(`GET ${getState.path}`).length > 0)
  const failed = spans.find((span) => attributeOf(span, 'error.type') === '22012')
  assert.deepEqual([failed?.name, failed?.status.code], ['select', 2])
  const [job] = named('job overview.figures')
  assert.ok(job && spans.some(({ parentSpanId, name }) => parentSpanId === job.spanId && name === 'insert'))
  assert.ok(!sentText.includes('readyz'))
})

test('an unreachable collector disturbs no call', async () => {
  const away = await testServer({ settings: { tracesTo: 'http://127.0.0.1:9' } })
  for (let call = 0; call < 20; call++)
    assert.equal((await away.call(getState, { query: { countryId: '1' } })).status, 200)
  await away.stop()
})

test('the log names routes and no person: no e-mail, name, mobile, password or token of a request is in it', async () => {
  const lines: string[] = []
  const log = createLogger('trace', { write: (line) => void lines.push(line) })
  const server = await testServer({ clock: () => aDay, log })
  const teacher = await aTeacherInSeason()
  const canary = {
    email: 'canary.person@teachers.example',
    password: 'canary-password-unheard-of',
    name: 'Canary Namunawala',
    mobile: '9876501234',
  }
  await server.ask(emailVerify, { EmailId: canary.email })
  await server.ask(forgotPassword, { emailId: canary.email })
  await server.call(login, { body: { emailId: canary.email, password: canary.password } })
  await fetch(`${server.url}/api/Account/EmailVerify?EmailId=${canary.email}`)
  await fetch(`${server.url}/api/no/such/call?name=${encodeURIComponent(canary.name)}`)
  const entry = { studentName: canary.name, parentEmailId: canary.email, parentMobileNo: canary.mobile }
  await server.ask(saveStudentDetails, anEntry(entry), teacher)
  // Also a refused call, and a fault
  await server.send(saveStudentDetails, { body: { ...anEntry(entry), classId: 99 } }, teacher)
  await server.ask(getStudentDetails, { FYear: thisSeason, studentName: canary.name }, teacher)
  log.error({ err: new Error('a fault'), email: canary.email, body: { password: canary.password } }, 'fault')
  await server.drain()

  const all = lines.join('')
  assert.match(all, /"route":"\/api\/ManageStudent\/SaveStudentDetails"/)
  for (const [what, value] of Object.entries({ ...canary, token: teacher.token })) {
    assert.ok(
      !all.includes(value) && !all.includes(encodeURIComponent(value)),
      `the log contains the ${what}`,
    )
  }
})

test('the log tells why a call was refused, which statement failed, and nothing of a health check', async () => {
  const lines: Array<Record<string, unknown>> = []
  const log = createLogger('info', { write: (line) => void lines.push(JSON.parse(line)) })
  const server = await testServer({ clock: () => aDay, log })
  const { db, database } = server.deps
  await fetch(`${server.url}/healthz`)
  await fetch(`${server.url}/readyz`)
  await fetch(`${server.url}/metrics`)
  assert.ok(lines.every(({ msg }) => msg !== 'request'))

  const refused = await server.call(login, { body: { emailId: 'nobody@schools.example' } as never })
  const { refusal, reqId } = lines.find(({ msg }) => msg === 'request') ?? {}
  assert.deepEqual([refusal, reqId], ['input.invalid', refused.headers.get('x-request-id')])

  const { options } = database.pool
  const clients = await Promise.all(Array.from({ length: options.max }, () => database.pool.connect()))
  const patience = options.connectionTimeoutMillis
  options.connectionTimeoutMillis = 50
  try {
    await server.call(getState, { query: { countryId: '1' } })
  } finally {
    options.connectionTimeoutMillis = patience
    for (const client of clients) client.release()
  }
  const busy = lines.find(({ msg }) => msg === 'the database took too long') ?? {}
  assert.deepEqual([busy.level, busy.route], [40, '/api/Account/GetState'])
  assert.match(JSON.stringify(busy.err), /"errorCode":"53300"/)

  const twice = sql`insert into countries (id, code, name) select id, code, name from countries`
  log.error({ err: await twice.execute(db).catch((error: unknown) => error) }, 'fault')
  assert.match(JSON.stringify(lines.at(-1)?.err), /"table":"countries","constraint":"\w+"/)
  const slow = db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 1`.execute(tx)
    await sql`select pg_sleep(10)`.execute(tx)
  })
  log.error({ err: await slow.catch((error: unknown) => error) }, 'fault')
  assert.match(JSON.stringify(lines.at(-1)?.err), /"message":"canceling statement due to statement timeout"/)
})
