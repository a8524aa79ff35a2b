import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { deflateSync } from 'node:zlib'
import { importStatement, previewStatement } from '@podium/contract/bank/calls-statements'
import { type Endpoint, uploadsFile } from '@podium/contract/endpoint'
import { scheduleFile } from '@podium/contract/exams/calls-office'
import { saveLogo } from '@podium/contract/office/calls-settings'
import { savePayment } from '@podium/contract/payments/calls'
import { askOfficeWaiver, askWaiver } from '@podium/contract/payments/calls-waivers'
import { importMarks } from '@podium/contract/results/calls-office'
import { startSchoolImport } from '@podium/contract/schools/calls-import'
import { courierFile } from '@podium/contract/shipping/calls-packets'
import { roles } from '@podium/contract/staff/calls-people'
import { checkRows } from '@podium/contract/students/calls-grid'
import { importStudents } from '@podium/contract/students/calls-import'
import { mayDo, type Permission } from '#platform/auth/policy'
import { tokenHash } from '#platform/auth/secrets'
import { noGuard, serve, servedRoutes } from '#platform/http/http'
import { aDay, anOfficer, aTeacher } from '#test/factories'
import { aSchoolThatOwes, aSubmission } from '#test/payments-factories'
import { anEvent, importRows } from '#test/results-factories'
import { changeRows, valuesOf } from '#test/rows'
import { beforehand, type TestServer, testServer } from '#test/server'

const server = beforehand(() => testServer({ clock: () => aDay }))
const strict = beforehand(() => testServer({ clock: () => aDay, limitScale: 0 }))

/** 29 kB that inflate to 30 MB; whether sent as a picture, a spreadsheet or a PDF, it must be examined. */
const bomb = (() => {
  const packed = deflateSync(Buffer.from('#41'.repeat(10_000_000)), { level: 9 })
  return Buffer.concat([
    Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\n2 0 obj<</Filter/FlateDecode>>\nstream\n'),
    packed,
    Buffer.from('\nendstream endobj\n%%EOF\n'),
  ])
})()
const dataUrl = `data:application/pdf;base64,${bomb.toString('base64')}`

interface Input {
  query?: object
  body?: object
}

const calls = () => servedRoutes(server.app).filter(({ endpoint }) => uploadsFile(endpoint))

/** Sends the bomb in the way this call takes files. */
async function sendFile(to: TestServer, endpoint: Endpoint, { query, body }: Input, token?: string) {
  const file = endpoint.upload ? { file: { name: 'a.xlsx', bytes: new Uint8Array(bomb) } } : {}
  const fields = endpoint.fileField === '' ? {} : { [endpoint.fileField]: dataUrl }
  const answer = await to.send(endpoint, { query, body: { ...body, ...fields } }, { token, ...file })
  return [answer.status, answer.body.code]
}

/** Returns the figures of /metrics for files examined and processes started. */
async function looks(): Promise<string[]> {
  const text = await (await fetch(`${server.url}/metrics`)).text()
  return text.split('\n').filter((line) => /^podium_file(?:s_looked_at|_processes)_total/.test(line))
}

/** Lists the contents of the file folders, without the markers of instances. */
const storedFiles = ({ deps }: TestServer) =>
  ['files', 'received'].flatMap((folder) => {
    try {
      return readdirSync(join(deps.settings.dataDir, folder), { recursive: true, encoding: 'utf8' })
    } catch {
      return []
    }
  })

/** Returns a caller that a door lets in, and a signed-in one that it doesn't. */
async function callersOf(door: string) {
  if (door === 'school') return { let: (await aTeacher()).token, not: (await anOfficer('owner')).token }
  const permission = door.replace('office:', '') as Permission
  const role = (may: boolean) => roles.find((role) => mayDo(role, permission) === may)
  const other = role(false)
  return {
    let: (await anOfficer(role(true) ?? 'owner')).token,
    not: other ? (await anOfficer(other)).token : (await aTeacher()).token,
  }
}

test('every call with a file is refused by permission and limit before anyone reads the file', async () => {
  const before = await looks()
  const uploads = calls()
  assert.ok(uploads.length > 0)
  for (const { endpoint, door } of uploads) {
    const { let: token, not } = await callersOf(door)
    assert.deepEqual(await sendFile(server, endpoint, {}), [401, 'session.missing'], endpoint.path)
    assert.deepEqual((await sendFile(server, endpoint, {}, not))[0], 403, endpoint.path)
    assert.deepEqual(await sendFile(strict, endpoint, {}, token), [429, 'request.too_many'], endpoint.path)
  }
  assert.deepEqual(await looks(), before)
  assert.deepEqual([...storedFiles(server), ...storedFiles(strict)], [])
})

/** For each call, a state in which the database refuses the file, or why nothing in it decides. */
const states: ReadonlyMap<Endpoint, string | (() => Promise<{ input: Input; token: string; code: string }>)> =
  new Map<Endpoint, string | (() => Promise<{ input: Input; token: string; code: string }>)>([
    [
      savePayment,
      async () => {
        const { token } = await aSchoolThatOwes()
        const other = await aSchoolThatOwes()
        const body = { ...(await aSubmission(server, token)), individualRegIdList: other.ids }
        return { input: { body }, token, code: 'not_found' }
      },
    ],
    [
      askWaiver,
      async () => {
        const { token } = await aSchoolThatOwes()
        const [studentId] = (await aSchoolThatOwes()).ids
        return {
          input: { body: { studentId, reason: 'Hers.', attechmentName: 'a' } },
          token,
          code: 'not_found',
        }
      },
    ],
    [
      askOfficeWaiver,
      async () => {
        const { token } = await anOfficer('owner')
        const body = { studentId: 2_000_000_000, reason: 'Hers.', attechmentName: 'a' }
        return { input: { body }, token, code: 'not_found' }
      },
    ],
    [
      importStudents,
      async () => {
        const { token } = await aTeacher()
        return { input: { query: { FYear: '2019-20' } }, token, code: 'input.invalid' }
      },
    ],
    [
      saveLogo,
      async () => {
        const { token } = await anOfficer('owner')
        return { input: { query: { version: '99' } }, token, code: 'changed_meanwhile' }
      },
    ],
    [
      scheduleFile,
      async () => {
        const { token } = await anOfficer('owner')
        return { input: { query: { eventYearId: '2000000000' } }, token, code: 'not_found' }
      },
    ],
    [
      importMarks,
      async () => {
        const event = await anEvent()
        const { token } = await anOfficer('owner')
        await importRows(server, event, [{ roll: 'NOBODY-1', marks: [1, 1, 1] }])
        await changeRows(
          'result_sets',
          { event_id: event.id },
          { state: 'approved', release_at: new Date(aDay.getTime() + 60_000) },
        )
        return { input: { query: { eventYearId: String(event.id) } }, token, code: 'results.scheduled' }
      },
    ],
    [
      importStatement,
      async () => {
        const { token } = await anOfficer('owner')
        return {
          input: { query: { accountNo: '000111222333', mapping: '0.1.2.3.-1.-1.-1.dmy' } },
          token,
          code: 'bank.unknown_account',
        }
      },
    ],
    [previewStatement, 'a statement may be shown at any time, and nothing is kept of it'],
    [startSchoolImport, 'schools may be brought in at any time'],
    [courierFile, 'which parcels it is about stands in the file alone'],
  ])

test('a call that the database refuses is refused before the file is checked', async () => {
  assert.deepEqual(
    calls()
      .map(({ endpoint }) => endpoint.path)
      .sort(),
    valuesOf([...states.keys()], 'path').sort(),
    'each call with a file states here what the database refuses',
  )
  for (const [endpoint, state] of states) {
    if (typeof state === 'string') continue
    const { input, token, code } = await state()
    await server.jobs.drain()
    const [before, stored] = [await looks(), storedFiles(server)]
    assert.deepEqual((await sendFile(server, endpoint, input, token))[1], code, endpoint.path)
    assert.deepEqual(await looks(), before, endpoint.path)
    assert.deepEqual(storedFiles(server), stored, endpoint.path)
  }
})

test('a file whose sender is signed out while it arrives is refused, and nothing of it is kept', async () => {
  const school = await aSchoolThatOwes()
  const officer = await anOfficer('owner')
  const event = await anEvent()
  const part = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nName\r\n--b--\r\n'
  const counted = () =>
    server.deps.db
      .selectFrom('rate_limits')
      .select(({ fn }) => fn.sum('points').as('sum'))
      .where('key', 'like', 'sent-file%')
      .executeTakeFirstOrThrow()
  for (const [path, token, type, text] of [
    [
      savePayment.path,
      school.token,
      'application/json',
      JSON.stringify(await aSubmission(server, school.token)),
    ],
    [`${importMarks.path}?eventYearId=${event.id}`, officer.token, 'multipart/form-data; boundary=b', part],
  ] as const) {
    const [before, looked, stored] = [await counted(), await looks(), storedFiles(server)]
    async function* slowly() {
      yield Buffer.from(text.slice(0, -9))
      while ((await counted()).sum === before.sum) await turn()
      await changeRows('sessions', { token_hash: tokenHash(token) }, { ended_at: aDay })
      yield Buffer.from(text.slice(-9))
    }
    const { status } = await fetch(server.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
      body: ReadableStream.from(slowly()),
      duplex: 'half',
    })
    assert.deepEqual([status, await looks(), storedFiles(server)], [401, looked, stored], path)
  }
})

test('of one account ten large bodies may arrive at once, and more are told to wait until one has ended', async () => {
  const { token } = await aTeacher()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  async function* slowly() {
    yield Buffer.from('{')
    await released
    yield Buffer.from('}')
  }
  let busy = 0
  const send = async () => {
    const { status } = await fetch(server.url + checkRows.path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: ReadableStream.from(slowly()),
      duplex: 'half',
    })
    if (status === 503 && ++busy === 2) release()
    return status
  }
  const statuses = await Promise.all(Array.from({ length: 12 }, send))
  assert.deepEqual(statuses.sort(), [...Array(10).fill(400), 503, 503])
  assert.equal(await send(), 400)
})

test('a checked file is counted, and a refused one leaves nothing behind', async () => {
  const { token } = await aSchoolThatOwes()
  const body = await aSubmission(server, token)
  const [before, stored] = [await looks(), storedFiles(server)]
  assert.deepEqual(await sendFile(server, savePayment, { body }, token), [400, 'file.damaged'])
  assert.notDeepEqual(await looks(), before)
  assert.deepEqual(storedFiles(server), stored)
})

test('a call with a file cannot be served without a guard, and a large body is refused as not a file', async () => {
  const add = () =>
    serve(server.app, server.deps, { ...importStudents, path: '/another' }, 'school', async () =>
      assert.fail(),
    )
  assert.throws(add, /^Error: \/another brings a file and has no guard/)
  const another = { ...importStudents, path: '/another', upload: false }
  const guard = { guard: noGuard }
  assert.throws(
    () => serve(server.app, server.deps, another, 'school', async () => assert.fail(), guard),
    /the other way round/,
  )
  const large = servedRoutes(server.app).filter(
    ({ endpoint }) => endpoint.bodyLimit > 5 * 1024 * 1024 && !uploadsFile(endpoint),
  )
  assert.deepEqual(large, [])
})
