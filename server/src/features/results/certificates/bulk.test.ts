import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Endpoint } from '@podium/contract/endpoint'
import {
  officeCertificateFile,
  officeCertificateJob,
  schoolCertificateFile,
  schoolCertificateJob,
  startOfficeCertificates,
  startSchoolCertificates,
} from '@podium/contract/results/calls-certificates-bulk'
import { holdResults } from '@podium/contract/results/calls-office'
import { aDay, anOfficer, aTeacher } from '#test/factories'
import { releaseRows, searchBody } from '#test/results-factories'
import { aReleasedEvent } from '#test/results-public-factories'
import { type TestServer, testServer } from '#test/server'
import { certificatesKind, plannedFiles } from './rules.ts'

let server: TestServer
before(async () => {
  server = await testServer({ clock: () => aDay, settings: { publicUrl: 'https://podium.example' } })
})

async function fetchFile(endpoint: Endpoint, body: object, token: string) {
  const response = await fetch(server.url + endpoint.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
}

test('a school makes its certificates by a job and fetches them class by class; another school finds none of it', async () => {
  const { event, teacher } = await aReleasedEvent(server)
  const body = { ...searchBody(event), as: 'classes' as const }
  const { body: started } = await server.call(startSchoolCertificates, { body }, teacher)
  await server.jobs.drain()
  const { job } = (await server.call(schoolCertificateJob, {}, teacher)).body
  assert.deepEqual(
    [job?.state, job?.done, job?.total, job?.files.map(({ name, certificates }) => [name, certificates])],
    ['done', 5, 5, [[`Certificates Mathematics ${event.season} Class 7.pdf`, 5]]],
  )
  const part = { jobId: started.jobId, part: 1 }
  const { status, bytes } = await fetchFile(schoolCertificateFile, part, teacher.token)
  assert.deepEqual([status, bytes.toString('latin1').match(/\/Type \/Page\b/g)?.length], [200, 5])
  const stranger = await aTeacher()
  assert.equal((await fetchFile(schoolCertificateFile, part, stranger.token)).status, 404)
  assert.equal((await server.call(schoolCertificateJob, {}, stranger)).body.job, null)
})

test('a school has three of them made at a time and no more; the office is not counted with it', async () => {
  const { event, school, teacher } = await aReleasedEvent(server)
  await server.deps.db
    .insertInto('jobs')
    .values(
      [1, 2, 3].map((n) => ({
        id: `${school.id}-${n}`.padEnd(22, 'x'),
        kind: certificatesKind,
        school_id: school.id,
        state: 'waiting',
        total: 1,
        input: '{}',
        created_at: aDay,
        due_at: new Date(aDay.getTime() + 1e9),
      })),
    )
    .execute()
  const body = { ...searchBody(event), as: 'zip' as const }
  const refused = await server.call(startSchoolCertificates, { body }, teacher)
  assert.deepEqual([refused.status, refused.body.code], [503, 'busy'])
  const office = { eventYearId: event.id, as: 'zip' as const, schCode: school.code }
  const started = await server.call(startOfficeCertificates, { body: office }, await anOfficer('results'))
  assert.equal(started.status, 200)
  await server.deps.db.deleteFrom('jobs').where('kind', '=', certificatesKind).execute()
})

test('the office makes one ZIP with a PDF for each school; who may only read fetches nothing', async () => {
  const { event, school, other } = await aReleasedEvent(server)
  const officer = await anOfficer('results')
  const body = { eventYearId: event.id, as: 'zip' as const }
  const { body: started } = await server.call(startOfficeCertificates, { body }, officer)
  await server.jobs.drain()
  const { job } = (await server.call(officeCertificateJob, {}, officer)).body
  assert.deepEqual(
    job?.files.map(({ part, certificates }) => [part, certificates]),
    [[0, 6]],
  )
  const file = { jobId: started.jobId, part: 0 }
  const { bytes } = await fetchFile(officeCertificateFile, file, officer.token)
  assert.equal(bytes.length, job?.files[0]?.bytes)
  for (const code of [school.code, other.code]) assert.ok(bytes.includes(`${code} `), code)
  assert.equal((await fetchFile(officeCertificateFile, file, (await anOfficer('viewer')).token)).status, 403)
})

test('what is held, or was corrected since, is neither made nor fetched', async () => {
  const { event, school, teacher, rows } = await aReleasedEvent(server)
  const body = { ...searchBody(event), as: 'zip' as const }
  const { body: started } = await server.call(startSchoolCertificates, { body }, teacher)
  await server.jobs.drain()
  const file = { jobId: started.jobId, part: 0 }
  await releaseRows(server, event, rows)
  const old = await fetchFile(schoolCertificateFile, file, teacher.token)
  assert.match(old.bytes.toString(), /results\.certificates_old/)
  const officer = await anOfficer('results')
  const held = { eventYearId: event.id, schCode: school.code, reason: 'Two sheets are compared.' }
  await server.call(holdResults, { body: held }, officer)
  assert.equal((await fetchFile(schoolCertificateFile, file, teacher.token)).status, 404)
  const again = await server.call(startSchoolCertificates, { body }, teacher)
  assert.equal(again.body.code, 'results.no_certificates')
})

test('a long class comes in parts, and the same list gives the same files', () => {
  const rows = Array.from({ length: 700 }, (_, at) => ({
    studentId: at,
    classId: at < 650 ? 7 : 8,
    schoolId: 1,
    schoolCode: 'ABC0001',
    schoolName: 'Udaharan',
  }))
  const input = {
    eventId: 1,
    schoolId: null,
    state: '',
    classId: 0,
    action: null,
    language: 'en' as const,
    as: 'classes' as const,
    office: true,
    subjectName: 'Mathematics',
  }
  const files = plannedFiles(rows, input)
  assert.deepEqual(
    files.map(({ name, studentIds }) => [name, studentIds.length]),
    [
      ['Class 7 (1 of 3).pdf', 300],
      ['Class 7 (2 of 3).pdf', 300],
      ['Class 7 (3 of 3).pdf', 50],
      ['Class 8.pdf', 50],
    ],
  )
  assert.deepEqual(plannedFiles(rows, input), files)
})
