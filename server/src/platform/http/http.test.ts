import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { login } from '@podium/contract/accounts/calls'
import { getCountry, getState } from '@podium/contract/catalogue/calls-places'
import { endpoint } from '@podium/contract/endpoint'
import { sentenceOf } from '@podium/contract/errors'
import { newTokenHeader } from '@podium/contract/headers'
import { officeViews, saveView } from '@podium/contract/office/calls-saved-views'
import { startSchoolImport } from '@podium/contract/schools/calls-import'
import { sql } from 'kysely'
import { testDatabase } from '#test/database'
import { anOfficer, aTeacher } from '#test/factories'
import { beforehand, testServer } from '#test/server'
import { createLogger } from '../telemetry/logger.ts'
import { buildEdge, closeApp } from './edge.ts'
import { serve, servedRoutes } from './http.ts'

const server = beforehand(() => testServer({ clock: () => new Date('2026-11-21T06:00:00Z') }))

test('an undeclared call is answered with 404 in the envelope [spec 7.2]', async () => {
  const response = await fetch(`${server.url}/api/Nothing/Here`)
  assert.equal(response.status, 404)
  assert.deepEqual(await response.json(), {
    result: 'error',
    message: 'Not Found: there is nothing here.',
    code: 'not_found',
  })
})

test('an invalid address is refused in the envelope, without being repeated', async () => {
  const response = await fetch(`${server.url}/%ff`)
  assert.equal(response.status, 400)
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
  assert.deepEqual(await response.json(), {
    result: 'error',
    message: sentenceOf('request.malformed'),
    code: 'request.malformed',
  })
})

test('GET routes answer no HEAD [spec 7.46]', async () => {
  const response = await fetch(`${server.url}/healthz`, { method: 'HEAD' })
  assert.equal(response.status, 404)
})

test('health, readiness and metrics are served', async () => {
  for (const path of ['/healthz', '/readyz', '/metrics']) {
    assert.equal((await fetch(server.url + path)).status, 200, path)
  }
})

test('paths are matched without regard to case [spec 7.4]', async () => {
  assert.equal((await fetch(`${server.url}/API/OpenAPI.json`)).status, 200)
})

test('every answer has a request id, forbids caching and allows nothing from third parties', async () => {
  const { headers } = await fetch(`${server.url}/api/openapi.json`)
  assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.match(headers.get('permissions-policy') ?? '', /camera=\(\), .*geolocation=\(\), .*microphone=\(\)/)
  assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none';script-src 'self';/)
  assert.match(
    headers.get('content-security-policy') ?? '',
    /require-trusted-types-for 'script';trusted-types 'none'/,
  )
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
})

test('a body that is not JSON or poisons prototypes is refused in the envelope', async () => {
  await aTeacher()
  for (const body of ['{', '{"__proto__":{"a":1}}']) {
    const response = await fetch(`${server.url}/api/Account/Login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    assert.equal(response.status, 400, body)
    assert.equal(((await response.json()) as { result: string }).result, 'error')
  }
})

/** Returns everything received on a connection after sending only these bytes. */
async function rawly(text: string): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.end(text)
  let got = ''
  socket.on('data', (bytes) => {
    got += bytes.toString()
  })
  await new Promise((resolve) => socket.once('close', resolve))
  return got
}

test('an answer common to everyone may be cached for a minute, and is not sent again to a caller who has it', async () => {
  const ask = (headers: Record<string, string> = {}) =>
    fetch(`${server.url}${getCountry.path}`, {
      headers: { authorization: `Bearer ${'x'.repeat(43)}`, ...headers },
    })
  const first = await ask()
  assert.equal(first.headers.get('cache-control'), 'public, max-age=60')
  const tag = first.headers.get('etag') ?? ''
  assert.match(tag, /^W\/"[\w-]{22}"$/)
  assert.deepEqual([first.headers.getSetCookie(), first.headers.get(newTokenHeader)], [[], null])
  const repeated = await ask({ 'if-none-match': tag })
  assert.deepEqual([repeated.status, await repeated.text(), repeated.headers.get('etag')], [304, '', tag])
  assert.equal((await ask({ 'if-none-match': 'W/"of-another-version"' })).status, 200)
  const states = await fetch(`${server.url}${getState.path}?countryId=1`, {
    headers: { 'if-none-match': tag },
  })
  assert.equal(states.status, 200)
  const refused = await fetch(`${server.url}${getState.path}?countryId=x`)
  assert.deepEqual([refused.status, refused.headers.get('cache-control')], [400, 'no-store'])
})

test('a call with personal answers cannot be declared cacheable', async () => {
  const privateCall = endpoint('GET /api/test/kept', { summary: 'A test.', cacheSeconds: 60 })
  for (const door of ['school', 'account', 'family', 'office:schools.read'] as const)
    assert.throws(
      () => serve(server.app, server.deps, privateCall, door, async () => ({})),
      /answers not everybody alike/,
    )
})

test('oversized headers and a request that is not HTTP are refused in the envelope', async () => {
  const cases = [
    [`GET /healthz HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(16 * 1024)}\r\n\r\n`, 431, 'request.too_large'],
    [`GET /healthz?x=${'x'.repeat(16 * 1024)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431, 'request.too_large'],
    ['नमस्ते\r\n\r\n', 400, 'request.malformed'],
    ['GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n', 400, 'request.malformed'],
  ] as const
  for (const [sent, status, code] of cases) {
    const [head = '', body = ''] = (await rawly(sent)).split('\r\n\r\n')
    assert.match(head, new RegExp(`^HTTP/1.1 ${status} .*\r\n`))
    assert.match(head, /\r\ncache-control: no-store\r\n/i)
    assert.deepEqual(
      JSON.parse(body),
      { result: 'error', message: sentenceOf(code), code },
      sent.slice(0, 40),
    )
  }
})

// Without our limit it would stay open for a minute.
test('a client that sends its headers too slowly is cut off', { timeout: 40_000 }, async () => {
  const { port } = new URL(server.url)
  const socket = connect(Number(port), '127.0.0.1')
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n')
  await new Promise((resolve) => socket.once('close', resolve).resume())
})

test('a client that sends its body too slowly is cut off', { timeout: 60_000 }, async () => {
  const { port } = new URL(server.url)
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(
    'POST /api/Account/Login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
  )
  await new Promise((resolve) => socket.once('close', resolve).resume())
})

// Its file alone could take fifteen minutes.
test('a stranger refused before the file has arrived cannot send the rest slowly', {
  timeout: 60_000,
}, async () => {
  const { port } = new URL(server.url)
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(
    `POST ${startSchoolImport.path} HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 90000000\r\n\r\n-`,
  )
  const [answer] = (await once(socket, 'data')) as [Buffer]
  assert.match(answer.toString(), /^HTTP\/1.1 401 /)
  await new Promise((resolve) => socket.once('close', resolve).resume())
})

test('a client that does not read its answers is cut off', { timeout: 60_000 }, async () => {
  const listener = server.app.server
  const { port } = new URL(server.url)
  assert.equal(listener.timeout, 120_000)
  listener.setTimeout(500)
  const opened = once(listener, 'connection') as Promise<[Socket]>
  const client = connect(Number(port), '127.0.0.1').pause()
  // More than the system keeps for a connection
  client.write('GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(30))
  const [socket] = await opened
  await once(socket, 'close')
  listener.setTimeout(120_000)
  client.destroy()
})

test('metrics need the token, and in production no one gets them without one', async () => {
  const metricsToken = 'a-token-that-only-the-operator-knows'
  const closed = await testServer({ settings: { production: true } })
  const guarded = await testServer({ settings: { production: true, metricsToken } })
  const read = async (url: string, token?: string) =>
    (await fetch(`${url}/metrics`, token ? { headers: { authorization: `Bearer ${token}` } } : {})).status
  assert.deepEqual([await read(closed.url), await read(closed.url, metricsToken)], [404, 404])
  assert.deepEqual([await read(guarded.url), await read(guarded.url, `${metricsToken}!`)], [404, 404])
  assert.equal(await read(guarded.url, metricsToken), 200)
})

test('calls tell search engines not to index them', async () => {
  for (const path of ['/api/openapi.json', '/api/Account/SignInOptions', '/healthz'])
    assert.equal((await fetch(server.url + path)).headers.get('x-robots-tag'), 'noindex, nofollow', path)
})

test('a body over the limit of its call is answered with 413', async () => {
  const response = await fetch(`${server.url}/api/Account/Login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ emailId: 'x'.repeat(300_000), password: 'y' }),
  })
  assert.equal(response.status, 413)
  assert.equal(((await response.json()) as { code: string }).code, 'request.too_large')
})

test("another site's page cannot make a browser call us, nor guess the next page [spec 7.46]", async () => {
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-purpose': 'prefetch' }] as const) {
    const response = await fetch(`${server.url}/api/Account/SignInOptions`, { headers })
    assert.equal(response.status, 403)
  }
})

test("a GET call by another site's page is refused by its origin too, where a browser sends nothing else", async () => {
  const { db, settings } = server.deps
  const ask = async (path: string, origin?: string) => {
    const headers = origin === undefined ? {} : { origin }
    return (await fetch(`${server.url}/api/${path}`, { headers })).status
  }
  const mails = async () =>
    Number((await sql<{ n: number }>`select count(*)::int as n from outbox`.execute(db)).rows[0]?.n)
  const before = await mails()
  const emailId = 'nobody.at.all@school.example'
  const changing = [
    `Account/ForgotPassword?emailId=${emailId}`,
    `Account/EmailVerify?emailId=${emailId}`,
    `Account/OTPVerify?EmailId=${emailId}&otp=123456`,
    'ManageStudent/Delete_Student?studentId=1',
    'ManageSchool/SetExamDate?eventManagementId=1&examDateId=1',
  ]
  for (const path of [...changing, 'Account/SignInOptions'])
    for (const origin of ['https://evil.example', 'null', `${settings.publicUrl}.evil.example`])
      assert.equal(await ask(path, origin), 403, `${path} ${origin}`)
  assert.equal(await mails(), before)
  for (const origin of [undefined, new URL(settings.publicUrl).origin])
    assert.equal(await ask('Account/SignInOptions', origin), 200)
  // The way the specification's own client calls it, without any header
  assert.equal(await ask(`Account/EmailVerify?emailId=${emailId}`), 200)
  assert.equal(await mails(), before + 1)
})

test('the OpenAPI document is version 3.1 and lists every served call', async () => {
  const document = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as {
    openapi: string
    paths: Record<string, Record<string, unknown>>
  }
  assert.equal(document.openapi, '3.1.0')
  const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const really = servedRoutes(server.app).map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`)
  assert.deepEqual(documented.sort(), really.sort())
})

test('a compressed body is never unpacked: a few kilobytes could become any size', async () => {
  const packed = gzipSync(JSON.stringify({ emailId: 'somebody@school.example', password: 'not this one' }))
  const response = await fetch(`${server.url}/api/Account/Login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body: packed,
  })
  assert.equal(response.status, 400)
  assert.equal(((await response.json()) as { code: string }).code, 'request.malformed')
})

test('text that no database can store is refused as input, without an internal error', async () => {
  const { token } = await aTeacher({ now: new Date('2026-11-21T06:00:00Z') })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  for (const [path, body, code] of [
    ['GetStudentDetails', { FYear: '2026-27', classId: 0, subjectName: 'a\u0000b' }, 'request.malformed'],
    ['Delete_Student', { studentId: 1, version: Number.MAX_SAFE_INTEGER }, 'input.invalid'],
  ] as const) {
    const response = await fetch(`${server.url}/api/ManageStudent/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    assert.equal(response.status, 400, path)
    assert.equal(((await response.json()) as { code: string }).code, code)
  }
})

test('half a character at the end of cut text is dropped, and a NUL in a document is refused', async () => {
  const officer = await anOfficer('operations', new Date('2026-11-21T06:00:00Z'))
  const save = (filters: Record<string, string>) =>
    server.call(
      saveView,
      { body: { list: 'schools', name: 'Cut', filters, hidden: [], shared: false } },
      officer,
    )
  const cut = await save({ search: 'Lotus \u{1f33a}'.slice(0, -1), '\ud83cx': 'y' })
  assert.equal(cut.status, 200, cut.body.message)
  const views = (await server.ask(officeViews, { list: 'schools' }, officer)).data
  assert.deepEqual(views[0]?.filters, { search: 'Lotus ', x: 'y' })
  assert.deepEqual((await save({ search: 'a\0b' })).body.code, 'request.malformed')
})

test('a call for which no database connection becomes free may be tried again', async () => {
  const { pool } = await testDatabase()
  const { options } = pool
  const clients = await Promise.all(Array.from({ length: options.max }, () => pool.connect()))
  const patience = options.connectionTimeoutMillis
  options.connectionTimeoutMillis = 50
  try {
    const response = await server.send(login, {
      body: { emailId: 'nobody@schools.example', password: 'Wrong-one-42' },
    })
    assert.equal(response.status, 503)
    assert.equal(response.body.message, sentenceOf('busy'))
    assert.equal(response.headers.get('retry-after'), '2')
  } finally {
    options.connectionTimeoutMillis = patience
    for (const client of clients) client.release()
  }
})

test('one name in two spellings with two values is refused: their order decides nothing', async () => {
  const { token } = await aTeacher({ now: new Date('2026-11-21T06:00:00Z') })
  const status = async (query: string) => {
    const headers = { authorization: `Bearer ${token}` }
    return (await fetch(`${server.url}/api/ManageSchool/Get_ContactPerson?${query}`, { headers })).status
  }
  assert.equal(await status('FYear=2026-27&fyear=2025-26'), 400)
  assert.equal(await status('FYear=2026-27&FYear=2025-26'), 400)
  assert.equal(await status('FYear=2026-27&fyear=2026-27'), 200)
})

test('a stopping server waits for the handler of a caller who has disconnected', async () => {
  const app = await buildEdge(server.deps)
  const begun = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  let ended = false
  app.get('/long', async () => {
    begun.resolve()
    await goOn.promise
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
    ended = true
    return {}
  })
  const address = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const caller = connect({ port: Number(address.port), host: '127.0.0.1' })
  caller.write('GET /long HTTP/1.1\r\nHost: x\r\n\r\n')
  await begun.promise
  caller.destroy()
  app.server.once('close', () => goOn.resolve())
  await closeApp(app)
  assert.equal(ended, true)
})

test('a stopping server finishes an answer, and does not wait for another call on the connection', async () => {
  const app = await buildEdge(server.deps)
  const answer = new PassThrough()
  app.get('/long', (_request, reply) => reply.type('text/plain').send(answer))
  const address = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const caller = connect({ port: Number(address.port), host: '127.0.0.1' })
  caller.write('GET /long HTTP/1.1\r\nHost: x\r\n\r\n')
  answer.write('begun')
  await once(caller, 'data')
  const began = performance.now()
  const closed = closeApp(app)
  answer.end('ended')
  const [rest] = await once(caller, 'data')
  assert.match(String(rest), /ended/)
  await closed
  // Connections are kept alive for twenty seconds, and a stop has ten.
  assert.ok(performance.now() - began < 10_000)
})

test('a caller who leaves before a compressed answer has arrived is no fault of ours', async () => {
  const lines: string[] = []
  const log = createLogger('info', { write: (line) => void lines.push(line) })
  const app = await buildEdge({ ...server.deps, log })
  const begun = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  app.post('/large', async () => {
    begun.resolve()
    await goOn.promise
    return { all: 'a line of a long list, '.repeat(200_000) }
  })
  const address = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const gone = once(app.server, 'connection').then(([socket]) => once(socket, 'close'))
  const caller = connect({ port: Number(address.port), host: '127.0.0.1' })
  const head = ['Host: x', 'Accept-Encoding: gzip', 'Content-Type: application/json', 'Content-Length: 2']
  caller.write(`POST /large HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n{}`)
  await begun.promise
  caller.destroy()
  await gone
  goOn.resolve()
  await closeApp(app)
  assert.doesNotMatch(lines.join(''), /"level":50|Premature/)
})
