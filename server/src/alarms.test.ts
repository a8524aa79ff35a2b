import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { login } from '@podium/contract/accounts/calls'
import { emailVerify, verifyAccessCode } from '@podium/contract/accounts/calls-registration'
import { getFamilyStudents } from '@podium/contract/families/calls'
import { getSchool } from '@podium/contract/schools/calls'
import { startActing } from '@podium/contract/staff/calls-act-as-school'
import { exportStudents } from '@podium/contract/students/calls'
import { printFile, printPaper } from '@podium/contract/students/calls-print-lists'
import { exportOfficeStudents } from '@podium/contract/students/calls-register'
import { sql } from 'kysely'
import { aLinkedSchool, anAccount, anAddress, aPassword } from '#test/accounts-factories'
import { aDay, anOfficer, aSchool, aSeason, aTeacher, thisSeason } from '#test/factories'
import { valuesOf } from '#test/rows'
import { type TestServer, testServer } from '#test/server'
import { anEnteredStudent } from '#test/students-factories'
import { alarms, limits } from './platform/http/limits.ts'
import { createLogger } from './platform/telemetry/logger.ts'

/** Two instances on one database, behind a proxy that sets each call's source. */
let instances: TestServer[]
const lines: string[] = []
let owner: Awaited<ReturnType<typeof anOfficer>>
before(async () => {
  const log = createLogger('info', { write: (line) => void lines.push(line) })
  const options = { clock: () => aDay, log, limitScale: 1, settings: { trustProxy: ['127.0.0.1'] } }
  instances = [await testServer(options), await testServer(options)]
  // Mails stay in the outbox: their text is deleted once they are sent.
  for (const { outbox } of instances) await outbox.stop()
  await aSeason()
  owner = await anOfficer('owner')
  const { db } = (instances[0] as TestServer).deps
  await db.updateTable('staff').set({ password_hash: 'x' }).where('id', '=', owner.id).execute()
})

const instanceAt = (index: number) => instances[index % 2] as TestServer
const from = (index: number) => ({ 'x-forwarded-for': `198.51.${index >> 7}.${(index & 127) + 1}` })

interface Event {
  security?: string
  alarm?: string
  who?: string
  by?: string
  refusal?: string
  source?: string
  route?: string
  limit?: string
}
const events = (kind: string): Event[] =>
  lines.map((line): Event => JSON.parse(line)).filter(({ security }) => security === kind)

async function mailsOfAlarm(): Promise<{ subject: string; text: string }[]> {
  const { rows } = await sql<{ subject: string; text: string }>`
    select payload->>'subject' as subject, payload->>'text' as text from outbox
    where kind = 'owners' and key like 'owners:alarm-%' and payload->'to'->>'address' = ${owner.email} order by id`.execute(
    instanceAt(0).deps.db,
  )
  return rows
}

test('unknown family links, each from another source, raise one alarm when there are more than people mistype', async () => {
  const { points } = alarms['family-guesses']
  const guess = (index: number) =>
    instanceAt(index).call(getFamilyStudents, { query: { GroupId: randomUUID() } }, { headers: from(index) })
  for (let index = 0; index < points; index++) await guess(index)
  assert.deepEqual([events('alarm'), await mailsOfAlarm()], [[], []])
  await Promise.all([1, 2, 3, 4].map((more) => guess(points + more)))
  assert.deepEqual(valuesOf(events('alarm'), 'alarm'), ['family-guesses'])
  const [mail, ...otherMails] = await mailsOfAlarm()
  assert.deepEqual([mail?.subject, otherMails], ['Someone may be guessing family links', []])
  assert.match(mail?.text ?? '', /More than 100 unknown family links/)
})

test("an officer who exports too many files in an hour, also from schools' portals, raises an alarm that names them", async () => {
  const officer = await anOfficer('operations')
  const teacher = await aTeacher()
  await anEnteredStudent(instanceAt(0), teacher)
  const acting = { id: teacher.schoolId, reason: 'Asked by phone for the list', minutes: '15' as const }
  const { token } = await instanceAt(0).ask(startActing, acting, officer)
  const take = async (index: number) => {
    const [endpoint, by] = index % 2 ? [exportStudents, token] : [exportOfficeStudents, officer.token]
    const { status, headers } = await fetch(`${instanceAt(index).url}${endpoint.path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${by}`, 'content-type': 'application/json' },
      body: JSON.stringify({ FYear: thisSeason, format: 'csv' }),
    })
    assert.equal(status, 200)
    // The file name says who downloaded it and when.
    const name = new RegExp(`filename="Students.*, ${officer.name}, ..-...-.... ..\\... [AP]M\\.csv"`)
    assert.match(headers.get('content-disposition') ?? '', name)
  }
  const { points } = alarms['files-of-officer']
  for (let index = 0; index <= points; index++) await take(index)
  const raised = events('alarm').filter(({ alarm }) => alarm === 'files-of-officer')
  assert.deepEqual(valuesOf(raised, 'who'), [`office:${officer.id}`])
  const mail = (await mailsOfAlarm()).at(-1)
  assert.match(mail?.text ?? '', new RegExp(`${officer.name} has downloaded more than 60 files`))
})

test("students' lists that an officer prints in a school's portal are counted like exports", async () => {
  const officer = await anOfficer('operations')
  const teacher = await aTeacher()
  await anEnteredStudent(instanceAt(0), teacher)
  const acting = { id: teacher.schoolId, reason: 'Asked by phone for the list', minutes: '15' as const }
  const { token } = await instanceAt(0).ask(startActing, acting, officer)
  const { printId } = await instanceAt(0).ask(
    printPaper,
    { FYear: thisSeason, paper: 'class-list' },
    { token },
  )
  await instanceAt(0).jobs.drain()
  // The file is on the instance that has printed it: in this test they have folders of their own.
  for (let taken = 0; taken <= alarms['files-of-officer'].points; taken++)
    assert.equal((await instanceAt(0).download(printFile, { printId }, { token })).status, 200)
  assert.equal(events('alarm').at(-1)?.who, `office:${officer.id}`)
})

test('two instances share one limit: of many attempts at once exactly the allowed number are checked', async () => {
  const { id, code } = await aLinkedSchool(instanceAt(0))
  const tries = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      instanceAt(index).call(verifyAccessCode, { body: { id, code: 'WRONG234' } }, { headers: from(500) }),
    ),
  )
  const { points } = limits['school-code.per-link']
  assert.equal(tries.filter(({ status }) => status === 200).length, points)
  const right = await instanceAt(1).call(verifyAccessCode, { body: { id, code } }, { headers: from(500) })
  assert.equal(right.status, 429)
})

test('reached limits and refused calls for another school or role are logged with who and where', async () => {
  const teacher = await aTeacher()
  const other = await aSchool()
  const officer = await anOfficer('viewer')
  const before = lines.length
  const headers = { 'x-forwarded-for': '203.0.113.9' }
  await instanceAt(0).call(getSchool, { query: { schCode: other.code } }, { token: teacher.token, headers })
  await instanceAt(0).send(
    exportOfficeStudents,
    { body: { FYear: thisSeason, search: '', format: 'csv' } },
    { token: officer.token, headers },
  )
  await instanceAt(0).call(login, { body: { emailId: anAddress(), password: 'not this one' } }, { headers })
  const EmailId = anAddress()
  for (const _ of [1, 2]) await instanceAt(0).call(emailVerify, { body: { EmailId } }, { headers })
  const fresh = lines
    .slice(before)
    .map((line): Event => JSON.parse(line))
    .filter(({ security }) => security)
  assert.deepEqual(valuesOf(fresh, 'security', 'refusal', 'who', 'source'), [
    ['denied', 'access.other_school', `account:${teacher.id}`, '203.0.113.9'],
    ['denied', 'access.denied', `office:${officer.id}`, '203.0.113.9'],
    ['sign-in-failed', 'account.wrong_sign_in', '', '203.0.113.9'],
    ['limited', 'request.too_many', '', '203.0.113.9'],
  ])
  assert.equal(fresh.at(-1)?.limit, 'otp.per-minute')
  assert.ok(!lines.join('').includes(EmailId))
  const metrics = await (await fetch(`${instanceAt(0).url}/metrics`)).text()
  assert.match(metrics, /podium_security_events_total\{event="denied"\} 2\n/)
})

test('each sign-in is logged with its method', async () => {
  const account = await anAccount(instanceAt(0))
  const body = await instanceAt(0).ask(login, { emailId: account.email, password: aPassword })
  const { who, by, source } = events('signed-in').at(-1) ?? {}
  assert.deepEqual([who, by, source], [`account:${account.id}`, 'password', '127.0.0.1'])
  const all = lines.join('')
  assert.ok(!all.includes(account.email) && !all.includes(body.token))
})
