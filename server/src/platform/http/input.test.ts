import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { login } from '@podium/contract/accounts/calls'
import { endpoint, usualBodyLimit } from '@podium/contract/endpoint'
import { sentenceOf } from '@podium/contract/errors'
import { formatSentence } from '@podium/contract/sentences'
import * as z from 'zod/mini'
import { aDay, anOfficer, aSeason, aTeacher, thisSeason } from '#test/factories'
import { newestChange } from '#test/file-call'
import { aFoundation } from '#test/payments-factories'
import { anEvent } from '#test/results-factories'
import { changeRows, findRows } from '#test/rows'
import { before, beforehand, testServer } from '#test/server'
import { Refusal } from '../errors.ts'
import { enqueueMail } from '../jobs/outbox.ts'
import { createLogger } from '../telemetry/logger.ts'
import { drainHandlers } from './edge.ts'
import { servedRoutes, write } from './http.ts'
import { limits } from './limits.ts'

let event = 0
const faults: string[] = []
const server = beforehand(() =>
  testServer({ clock: () => aDay, log: createLogger('error', { write: (line) => void faults.push(line) }) }),
)
before(async () => {
  await aSeason()
  await aFoundation()
  event = (await anEvent()).id
  await changeRows('events', { id: event }, { mode: 'Online' })
})

/** The query that each upload needs for its guard to accept it. */
const queries = (): Readonly<Record<string, string>> => ({
  '/api/ManageStudent/ImportStudents': `FYear=${thisSeason}`,
  '/api/office/bank/import': 'accountNo=000012345678&mapping=0.1.2.-1.-1.-1.-1.dmy',
  '/api/office/bank/look': '',
  '/api/office/dispatch/courierFile': `FYear=${thisSeason}`,
  '/api/office/results/import': `eventYearId=${event}`,
  '/api/office/schedules/file': `eventYearId=${event}`,
  '/api/office/schools/importStart': '',
  '/api/office/settings/saveLogo': 'version=1',
})

/** Returns every call that takes a file, with the token of someone who may send one. */
async function uploads() {
  const owner = await anOfficer('owner')
  const teacher = await aTeacher()
  const calls = servedRoutes(server.app).filter(({ endpoint }) => endpoint.upload)
  assert.deepEqual(calls.map(({ endpoint }) => endpoint.path).sort(), Object.keys(queries()))
  return calls.map(({ endpoint, door }) => ({
    path: `${endpoint.path}?${queries()[endpoint.path]}`,
    limit: endpoint.bodyLimit,
    token: (door === 'school' ? teacher : owner).token,
  }))
}

/** Sends these bytes unchanged and returns the status and the refusal's code. */
async function sent(path: string, token: string, contentType: string, body: string | Buffer<ArrayBuffer>) {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': contentType },
    body,
  })
  const { code } = (await response.json()) as { code: string }
  return [response.status, code]
}

const multipart = 'multipart/form-data; boundary=b'
const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
const malformed = [400, 'request.malformed']

test('a file cut off on arrival is refused as malformed by every call that accepts files', async () => {
  for (const { path, token } of await uploads()) {
    for (const body of [`${head}x\r\n`, head, '--b\r\n', '--b', `${head}x\r\n--c--\r\n`])
      assert.deepEqual(await sent(path, token, multipart, body), malformed, `${path} ${body}`)
  }
})

test('a form without a boundary or a file is refused as malformed by every call that accepts files', async () => {
  const field = '--b\r\ncontent-disposition: form-data; name="file"\r\n\r\nx\r\n--b--\r\n'
  const other = `${head.replace('"file"', '"other"')}x\r\n--b--\r\n`
  const poisoned = `${head.replace('"file"', '"__proto__"')}x\r\n--b--\r\n`
  for (const { path, token } of await uploads()) {
    assert.deepEqual(await sent(path, token, 'multipart/form-data', `${head}x\r\n--b--\r\n`), malformed, path)
    assert.deepEqual(await sent(path, token, 'multipart/form-data; boundary=', head), malformed, path)
    for (const body of [field, other, poisoned, ''])
      assert.deepEqual(await sent(path, token, multipart, body), malformed, `${path} ${body}`)
  }
})

test("a file over its call's limit is refused as too large by every call that accepts files", async () => {
  for (const { path, token, limit } of await uploads()) {
    // The size is checked while the file arrives; sending a hundred megabytes would show nothing more.
    if (limit > 20 * 1024 * 1024) continue
    const large = Buffer.concat([
      Buffer.from(head),
      Buffer.alloc(limit + 1, 'x'),
      Buffer.from('\r\n--b--\r\n'),
    ])
    assert.deepEqual(await sent(path, token, multipart, large), [413, 'request.too_large'], path)
  }
})

test("a file's name is kept without a path, signs that hide or turn it, and all that is too long", async () => {
  const { token } = await anOfficer('owner')
  for (const [name, kept] of [
    ['../..\\schools.csv', 'schools.csv'],
    ['a\u202egpj\u0001\u0000.csv', 'agpj.csv'],
    [`${'a'.repeat(3_000)}.csv`, `${'a'.repeat(96)}.csv`],
    [' ', 'file'],
  ] as const) {
    const body = `${head.replace('a.csv', name)}School Name,City\nKalpanik,Pune\r\n--b--\r\n`
    await sent('/api/office/schools/importStart', token, multipart, body)
    assert.deepEqual(await newestChange('schools.import_checked'), { file: kept })
    const stored = await findRows('school_imports', { file_name: kept }, ['file_name'])
    assert.equal(stored.length, 1, name)
  }
})

/** Sends the beginning of a JSON body of 1 MB and returns the answer's status: it comes before the rest. */
async function statusBeforeBody({ url }: { url: string }, path: string, token: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.setTimeout(10_000, () => socket.destroy())
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{"`,
  )
  const answer = await new Promise<string>((resolve) => {
    socket.once('data', (bytes) => resolve(bytes.toString()))
    socket.once('close', () => resolve(''))
  })
  socket.destroy()
  return answer.slice(9, 12)
}

test('a large JSON body is refused before it is read, if its sender may not send it', async () => {
  const strict = await testServer({ clock: () => aDay, limitScale: 1 })
  const teacher = await aTeacher()
  const large = servedRoutes(server.app).filter(
    ({ endpoint }) => !endpoint.upload && endpoint.bodyLimit > usualBodyLimit,
  )
  assert.ok(large.length > 5)
  for (const { endpoint, door } of large) {
    const { path } = endpoint
    assert.notEqual(door, 'public', path)
    assert.equal(await statusBeforeBody(strict, path, 'x'.repeat(43)), '401', path)
    if (door.startsWith('office:'))
      assert.equal(await statusBeforeBody(strict, path, teacher.token), '403', path)
    if (endpoint.fileField === '' || door !== 'school') continue
    const sender = await aTeacher()
    for (let sent = 0; sent < limits['sent-file.per-account'].points; sent++)
      await strict.deps.limits.take('sent-file.per-account', String(sender.id))
    assert.equal(await statusBeforeBody(strict, path, sender.token), '429', path)
  }
})

test('a connection lost in the middle of a file causes no internal error', async () => {
  const { port } = new URL(server.url)
  for (const { path, token } of await uploads()) {
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${multipart}\r\nContent-Length: 5000\r\n\r\n${head}x`,
    )
    await new Promise((resolve) => socket.once('connect', resolve))
    await new Promise((resolve) => socket.end().once('close', resolve).resume())
  }
  await drainHandlers(server.app)
  assert.deepEqual(faults, [])
})

test('JSON nested deeper than any call needs is refused with a sentence, however deep it is', async () => {
  const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth)
  for (const depth of [33, 5_000, 100_000]) {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const body = open === '[' ? nested(depth, open, close) : nested(depth, open, close).replace(':}', ':1}')
      if (body.length > 256 * 1024) continue
      const response = await fetch(server.url + login.path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      assert.deepEqual(
        [response.status, await response.json()],
        [
          400,
          {
            result: 'error',
            code: 'request.malformed',
            message: formatSentence('nestedTooDeeply', { n: 32 }),
          },
        ],
        `${depth} ${open}`,
      )
    }
  }
  const shallow = await sent(login.path, '', 'application/json', nested(32, '[', ']'))
  assert.deepEqual(shallow, [400, 'input.invalid'])
})

test('a property name with a meaning in JavaScript is refused like any unknown field', async () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    const response = await fetch(`${server.url}/api/Account/GetState?countryId=1&${name}=x`)
    const { code, issues } = (await response.json()) as { code: string; issues: { path: string }[] }
    assert.deepEqual([response.status, code, issues?.[0]?.path], [400, 'input.invalid', name], name)
  }
  const message = sentenceOf('request.malformed')
  for (const body of ['{"__proto__":1}', '{"email":{"__proto__":1}}', '{"constructor":{"prototype":1}}']) {
    const answer = await server.app.inject({
      method: 'POST',
      url: login.path,
      headers: { 'content-type': 'application/json' },
      payload: body,
    })
    assert.deepEqual([answer.statusCode, answer.json().message], [400, message], body)
  }
})

const letter = (to: string) => ({
  key: `write:${to}`,
  kind: 'otp' as const,
  to: { name: '', address: to },
  subject: 'A letter',
  text: 'What it says',
})

const told = endpoint('POST /api/probe/told', { summary: 'Writes a mail.' })
const refused = endpoint('POST /api/probe/refused', { summary: 'Writes a mail, and refuses then.' })
const quiet = endpoint('POST /api/probe/quiet', { summary: 'Writes nothing to be sent.' })

test('a call commits its data and queues its e-mail with its answer, and a refused call leaves nothing', async () => {
  let woken = 0
  const server = await testServer({
    clock: () => aDay,
    routes: ({ app, deps }) => {
      const counting = { ...deps, wake: () => void woken++ }
      write(app, counting, told, 'public', async (tx, { now }) => {
        await enqueueMail(tx, now, letter('told@teachers.example'))
      })
      write(app, counting, refused, 'public', async (tx, { now }) => {
        await enqueueMail(tx, now, letter('refused@teachers.example'))
        throw new Refusal('not_found')
      })
      write(app, counting, quiet, 'public', async () => ({ message: 'Nothing to send.' }))
    },
  })
  const waiting = async () =>
    (
      await server.deps.db
        .selectFrom('outbox')
        .select('key')
        .where('key', 'like', 'write:%')
        .orderBy('id')
        .execute()
    ).map(({ key }) => key)
  assert.deepEqual(await server.ask(told), { result: 'success', message: '' })
  assert.deepEqual(await waiting(), ['write:told@teachers.example'])
  assert.equal(woken, 1)
  assert.equal((await server.call(refused)).status, 404)
  assert.deepEqual(await waiting(), ['write:told@teachers.example'])
  assert.equal((await server.call(quiet)).body.message, 'Nothing to send.')
  assert.equal(woken, 1, 'no job or e-mail is waiting')
})

test('a repeated idempotency key gets the first answer of that call, and means nothing to another call', async () => {
  const server = await testServer({
    clock: () => aDay,
    routes: ({ app, deps }) => {
      for (const [call, says] of [
        [told, 'told'],
        [quiet, 'quiet'],
      ] as const) {
        let times = 0
        write(app, deps, call, 'public', async () => ({ message: `${says} ${++times}` }))
      }
    },
  })
  const headers = { 'idempotency-key': 'one-key-of-a-client' }
  const answers = []
  for (const call of [told, told, quiet, quiet])
    answers.push((await server.call(call, {}, { headers })).body.message)
  assert.deepEqual(answers, ['told 1', 'told 1', 'quiet 1', 'quiet 1'])
})

const versioned = endpoint('POST /api/probe/versioned', {
  summary: 'Changes a record.',
  body: z.strictObject({ version: z.int() }),
})

test('a write with a version that is sent again with its key is not refused as changed meanwhile', async () => {
  let current = 1
  const server = await testServer({
    clock: () => aDay,
    routes: ({ app, deps }) => {
      write(app, deps, versioned, 'public', async (_, { body }) => {
        if (body.version !== current) throw new Refusal('changed_meanwhile')
        return { message: `saved as ${++current}` }
      })
    },
  })
  const save = async (version: number, key: string) =>
    (await server.call(versioned, { body: { version } }, { headers: { 'idempotency-key': key } })).body
      .message
  assert.equal(await save(1, 'key-of-one-user'), 'saved as 2')
  assert.equal(await save(1, 'key-of-one-user'), 'saved as 2')
  assert.equal(await save(1, 'key-of-another'), sentenceOf('changed_meanwhile'))
  assert.equal(await save(2, 'key-of-another'), 'saved as 3')
})
