import assert from 'node:assert/strict'
import { test } from 'node:test'
import { className } from '@podium/contract/classes'
import type { WrittenLanguage } from '@podium/contract/languages'
import {
  familyCertificate,
  schoolCertificate,
  schoolCertificates,
} from '@podium/contract/results/calls-certificates'
import {
  officeCertificateFile,
  officeCertificateJob,
  schoolCertificateFile,
  schoolCertificateJob,
  startOfficeCertificates,
  startSchoolCertificates,
} from '@podium/contract/results/calls-certificates-bulk'
import { holdResults, unholdResults } from '@podium/contract/results/calls-office'
import { verifyCertificate } from '@podium/contract/results/calls-public'
import { mergeOf } from '#test/accounts-factories'
import { filesOf, pdfText } from '#test/archives'
import { aDay, anOfficer, aTeacher } from '#test/factories'
import {
  aFamilyOf,
  anEvent,
  aReleasedEvent,
  candidates,
  computeRows,
  releaseRows,
  searchBody,
} from '#test/results-factories'
import { addRow, addRows, changeRows, findRow } from '#test/rows'
import { beforehand, testServer } from '#test/server'
import { certificatesKind, plannedFiles } from './queries.ts'

const server = beforehand(() =>
  testServer({ clock: () => aDay, settings: { publicUrl: 'https://podium.example' } }),
)

const downloadAsSchool = (resultId: string, token: string, language = 'en') =>
  server.download(schoolCertificate, { resultId, language }, { token })

async function numberOf(studentId: number | undefined): Promise<string> {
  const { number } = await findRow('certificates', { student_id: studentId ?? 0, revoked_at: null })
  return number
}

const verify = (number: string) => server.ask(verifyCertificate, { number })

test("a school downloads a student's certificate with full name, medal, ranks, number and the address to verify it", async () => {
  const { event, idOf, teacher, students } = await aReleasedEvent(server)
  const { status, headers, bytes } = await downloadAsSchool(idOf(0), teacher.token)
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'application/pdf')
  assert.match(
    headers.get('content-disposition') ?? '',
    /Certificate of Merit Mathematics .* Asha Namunawala\.pdf/,
  )
  assert.match(bytes.toString('latin1'), /^%PDF-1\.7/)
  const number = await numberOf(students[0]?.id)
  const printed = number.replace(/(.{4})(.{4})(.{4})/, '$1-$2-$3')
  assert.ok(bytes.toString('latin1').includes(`(Certificate of Merit ${printed})`))
  const text = pdfText(bytes)
  for (const expected of [
    'Asha Namunawala',
    'Class 7, Udaharan Vidyalaya',
    `Mathematics Olympiad ${event.season}`,
  ])
    assert.ok(text.includes(expected), `${expected} in ${text}`)
  for (const expected of [
    'Gold medal',
    'First of 5 in the class',
    'Prize of ₹15,000',
    'Qualified for level 2',
  ])
    assert.ok(text.includes(expected), `${expected} in ${text}`)
  for (const expected of [printed, 'podium.example/verify', 'Result version 1', '2 of 6'])
    assert.ok(text.includes(expected), `${expected} in ${text}`)
})

test('the same certificate has the same number and the same bytes each time, and others in Hindi', async () => {
  const { idOf, teacher, students } = await aReleasedEvent(server)
  const file = await downloadAsSchool(idOf(1), teacher.token)
  const number = await numberOf(students[1]?.id)
  const two = await downloadAsSchool(idOf(1), teacher.token)
  assert.ok(file.bytes.equals(two.bytes))
  assert.equal(await numberOf(students[1]?.id), number)
  const hindi = await downloadAsSchool(idOf(1), teacher.token, 'hi')
  const fileName = decodeURIComponent(hindi.headers.get('content-disposition') ?? '')
  assert.match(fileName, /योग्यता प्रमाणपत्र गणित /)
  const text = pdfText(hindi.bytes)
  for (const expected of ['किरण नमूनावाला', 'प्रमाणपत्र संख्या', 'कक्षा 7', 'गणित'])
    assert.ok(text.includes(expected), text)
})

test('a student without a medal or prize gets a certificate of participation, which omits ranks of the lower half', async () => {
  const { idOf, teacher } = await aReleasedEvent(server, { rules: { medals: [], ladders: [] } })
  const text = pdfText((await downloadAsSchool(idOf(4), teacher.token)).bytes)
  assert.match(text, /Certificate of Participation/)
  assert.doesNotMatch(text, /rank/)
})

test('there is no certificate for another school, an absent student, or a withheld or unreleased result', async () => {
  const { event, school, idOf, teacher, rows } = await aReleasedEvent(server)
  const stranger = await aTeacher()
  const code = async (resultId: string, token: string) => {
    const { status, bytes } = await downloadAsSchool(resultId, token)
    assert.notEqual(status, 200)
    return (JSON.parse(bytes.toString()) as { code: string }).code
  }
  assert.equal(await code(idOf(0), stranger.token), 'not_found')
  assert.equal(await code(idOf(6), teacher.token), 'not_found')
  assert.equal(await code(idOf(5), teacher.token), 'results.absent')
  const { setId } = await computeRows(server, event, rows)
  assert.equal(await code(idOf(0).replace(/^\d+/, String(setId)), teacher.token), 'not_found')
  const { token } = await anOfficer('results')
  const held = { eventYearId: event.id, schCode: school.code, reason: 'Two sheets are compared.' }
  await server.ask(holdResults, held, { token })
  assert.equal(await code(idOf(0), teacher.token), 'not_found')
})

test('a school prints a list of certificates at once: a page per student who sat, with the same numbers as single ones', async () => {
  const { event, school, idOf, teacher, students } = await aReleasedEvent(server)
  await downloadAsSchool(idOf(1), teacher.token)
  const before = await numberOf(students[1]?.id)
  const all = await server.download(schoolCertificates, searchBody(event), teacher)
  assert.equal(all.status, 200)
  assert.equal(all.bytes.toString('latin1').match(/\/Type \/Page\b/g)?.length, 5)
  assert.equal(await numberOf(students[1]?.id), before)
  const medals = await server.download(schoolCertificates, searchBody(event, { action: 2 }), teacher)
  assert.equal(medals.bytes.toString('latin1').match(/\/Type \/Page\b/g)?.length, 1)
  const text = pdfText(all.bytes)
  for (const name of ['Asha Namunawala', 'किरण नमूनावाला', 'Chetan']) assert.ok(text.includes(name), name)
  assert.doesNotMatch(text, /Farah|Zoya/)
  const nobody = await server.download(schoolCertificates, searchBody(event, { classId: 12 }), teacher)
  assert.match(nobody.bytes.toString(), /results\.no_certificates/)
  const { token } = await anOfficer('results')
  const held = { eventYearId: event.id, schCode: school.code, reason: 'Two sheets are compared.' }
  await server.ask(holdResults, held, { token })
  const heldBack = await server.download(schoolCertificates, searchBody(event), teacher)
  assert.match(heldBack.bytes.toString(), /results\.no_certificates/)
})

test('two lists are drawn at a time; further requests wait or are asked to try again', async () => {
  const { event, teacher } = await aReleasedEvent(server)
  const all = await Promise.all(
    Array.from({ length: 60 }, () => server.download(schoolCertificates, searchBody(event), teacher)),
  )
  const drawn = all.filter(({ status }) => status === 200)
  const busy = all.filter(({ status, bytes }) => status === 503 && bytes.includes('"busy"'))
  assert.equal(drawn.length + busy.length, all.length)
  assert.ok(busy.length > 0 && drawn.length >= 22, `${busy.length} of ${all.length} are told to try again`)
})

test('a file of certificates holds 150, and a longer list is refused with a way to split it', async () => {
  const event = await anEvent()
  const teacher = await aTeacher()
  const many = await candidates(
    event,
    Array.from({ length: 151 }, () => ({ schoolId: teacher.schoolId })),
  )
  await releaseRows(
    server,
    event,
    many.map(({ roll }) => ({ roll, marks: [1, 1, 1] })),
  )
  const { bytes } = await server.download(schoolCertificates, searchBody(event), teacher)
  assert.match(bytes.toString(), /One file holds up to 150 certificates/)
})

test('a family downloads the certificate of its own child only', async () => {
  const { event, idOf, students } = await aReleasedEvent(server)
  const [mine, theirs] = students
  assert(mine && theirs)
  const { token } = await aFamilyOf(server, [mine], event.season)
  const own = await server.download(familyCertificate, { resultId: idOf(0) }, { token })
  assert.equal(own.status, 200)
  assert.match(own.bytes.toString('latin1'), /^%PDF/)
  assert.equal((await server.download(familyCertificate, { resultId: idOf(1) }, { token })).status, 404)
  assert.equal((await server.download(familyCertificate, { resultId: '1-999999999' }, { token })).status, 404)
})

test('anyone can verify a certificate by its number, however typed, and sees initials instead of the name', async () => {
  const { event, idOf, teacher, students } = await aReleasedEvent(server)
  await downloadAsSchool(idOf(0), teacher.token)
  const number = await numberOf(students[0]?.id)
  const { state, data } = await verify(` ${number.slice(0, 4).toLowerCase()} ${number.slice(4)}`)
  assert.equal(state, 'valid')
  assert.deepEqual(
    [data?.initials, data?.subjectName, data?.fyear, data?.kind, data?.medal, data?.prize, data?.schoolName],
    ['A. N.', 'Mathematics', event.season, 'merit', 'Gold', 'Prize of ₹15,000', 'Udaharan Vidyalaya'],
  )
  const json = JSON.stringify(data)
  for (const hidden of ['Asha', 'Namunawala', 'Class 7', students[0]?.roll ?? '?'])
    assert.ok(!json.includes(hidden), hidden)
})

test('verification says suspended while the result is withheld, and revoked once a correction has changed it', async () => {
  const { event, school, idOf, teacher, students, rows } = await aReleasedEvent(server)
  await downloadAsSchool(idOf(0), teacher.token)
  const number = await numberOf(students[0]?.id)
  const { token } = await anOfficer('results')
  const held = { eventYearId: event.id, schCode: school.code }
  await server.ask(holdResults, { ...held, reason: 'Two sheets are compared.' }, { token })
  const suspended = await verify(number)
  assert.deepEqual([suspended.state, suspended.data], ['suspended', null])
  await server.ask(unholdResults, held, { token })
  const corrected = rows.map((row, i) => (i === 0 ? { ...row, marks: [1, 5, 5] } : row))
  const { setId } = await releaseRows(server, event, corrected)
  assert.deepEqual(await verify(number).then(({ state, data }) => [state, data]), ['replaced', null])
  const again = await downloadAsSchool(idOf(0).replace(/^\d+/, String(setId)), teacher.token)
  assert.equal(again.status, 200)
  const next = await numberOf(students[0]?.id)
  assert.notEqual(next, number)
  const now = await verify(next)
  assert.deepEqual([now.state, now.data?.version, now.data?.medal], ['valid', 2, ''])
  assert.match(pdfText(again.bytes), /Result version 2/)
})

test('a name corrected in the register is on certificates from the next correction of the results on', async () => {
  const { event, idOf, teacher, students, rows } = await aReleasedEvent(server)
  const printed = async (resultId: string) => {
    const text = pdfText((await downloadAsSchool(resultId, teacher.token)).bytes)
    return [
      await numberOf(students[0]?.id),
      text.includes('Asha Namunawala'),
      text.includes('Usha Namunawala'),
    ]
  }
  const before = await printed(idOf(0))
  await changeRows('students', { id: students[0]?.id ?? 0 }, { name: 'Usha Namunawala' })
  assert.deepEqual(await printed(idOf(0)), before)
  const { setId } = await releaseRows(server, event, rows)
  assert.equal((await verify(String(before[0]))).state, 'replaced')
  const [, old, corrected] = await printed(idOf(0).replace(/^\d+/, String(setId)))
  assert.deepEqual([before.slice(1), old, corrected], [[true, false], false, true])
})

test('an unknown number is reported as unknown, and too many attempts are stopped', async () => {
  assert.deepEqual(await verify('AAAA-BBBB-CCCC').then(({ state, data }) => [state, data]), ['unknown', null])
  const { body } = await server.send(verifyCertificate, { query: { number: '' } })
  assert.equal(body.message, 'Certificate number is required')
  const strict = await testServer({ clock: () => aDay, limitScale: 1 })
  const statuses: number[] = []
  for (let i = 0; i < 22; i++)
    statuses.push((await strict.call(verifyCertificate, { query: { number: `AAAA-BBBB-CC${i}` } })).status)
  assert.equal(statuses[0], 200)
  assert.equal(statuses.at(-1), 429)
})

test('a school creates certificates by a job and downloads them class by class; another school finds none of them', async () => {
  const { event, teacher } = await aReleasedEvent(server)
  const body = { ...searchBody(event), as: 'classes' as const }
  const started = await server.ask(startSchoolCertificates, body, teacher)
  await server.jobs.drain()
  const { job } = await server.ask(schoolCertificateJob, {}, teacher)
  assert.equal(job?.can.download, true)
  assert.deepEqual(
    [job?.state, job?.done, job?.total, job?.files.map(({ name, certificates }) => [name, certificates])],
    ['done', 5, 5, [[`Certificates Mathematics ${event.season} Class 7.pdf`, 5]]],
  )
  const part = { jobId: started.jobId, part: 1 }
  const { status, bytes } = await server.download(schoolCertificateFile, part, teacher)
  assert.deepEqual([status, bytes.toString('latin1').match(/\/Type \/Page\b/g)?.length], [200, 5])
  const stranger = await aTeacher()
  assert.equal((await server.download(schoolCertificateFile, part, stranger)).status, 404)
  assert.equal((await server.ask(schoolCertificateJob, {}, stranger)).job, null)
})

test('the files in a ZIP are named by subject, season and class, in the language of the certificates', async () => {
  const namesIn = async (language: WrittenLanguage) => {
    const { event, teacher } = await aReleasedEvent(server)
    const body = { ...searchBody(event), as: 'zip' as const, language }
    const { jobId } = await server.ask(startSchoolCertificates, body, teacher)
    await server.jobs.drain()
    const { job } = await server.ask(schoolCertificateJob, {}, teacher)
    const { bytes } = await server.download(schoolCertificateFile, { jobId, part: 0 }, teacher)
    const names = [job?.files[0]?.name, ...(await filesOf(bytes)).map(({ name }) => name)]
    return names.map((name) => name?.replace(event.season, 'SEASON'))
  }
  const title = 'Certificates Mathematics SEASON'
  assert.deepEqual(await namesIn('en'), [`${title}.zip`, `${title} Class 7.pdf`])
  const hindi = 'प्रमाणपत्र गणित SEASON'
  assert.deepEqual(await namesIn('hi'), [`${hindi}.zip`, `${hindi} कक्षा 7.pdf`])
})

test("a school has at most three certificate jobs at a time, and the office's jobs are not counted", async () => {
  const { event, school, teacher } = await aReleasedEvent(server)
  await addRows(
    'jobs',
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
  const body = { ...searchBody(event), as: 'zip' as const }
  await server.refuses('busy', startSchoolCertificates, body, teacher)
  const office = { eventYearId: event.id, as: 'zip' as const, schCode: school.code }
  await server.ask(startOfficeCertificates, office, await anOfficer('results'))
  await server.deps.db.deleteFrom('jobs').where('kind', '=', certificatesKind).execute()
})

test('the office creates one ZIP with a PDF for each school, and a role that only reads cannot download it', async () => {
  const { event, school, other } = await aReleasedEvent(server)
  const officer = await anOfficer('results')
  const body = { eventYearId: event.id, as: 'zip' as const }
  const started = await server.ask(startOfficeCertificates, body, officer)
  await server.jobs.drain()
  const { job } = await server.ask(officeCertificateJob, {}, officer)
  assert.deepEqual(
    job?.files.map(({ part, certificates }) => [part, certificates]),
    [[0, 6]],
  )
  const file = { jobId: started.jobId, part: 0 }
  const { bytes } = await server.download(officeCertificateFile, file, officer)
  assert.equal(bytes.length, job?.files[0]?.bytes)
  for (const code of [school.code, other.code]) assert.ok(bytes.includes(`${code} `), code)
  assert.equal((await server.download(officeCertificateFile, file, await anOfficer('viewer'))).status, 403)
})

test('certificates of a result withheld or corrected since are neither created nor downloaded', async () => {
  const { event, school, teacher, rows } = await aReleasedEvent(server)
  const body = { ...searchBody(event), as: 'zip' as const }
  const started = await server.ask(startSchoolCertificates, body, teacher)
  await server.jobs.drain()
  const file = { jobId: started.jobId, part: 0 }
  await releaseRows(server, event, rows)
  const isOld = async () => {
    assert.equal(
      (await server.ask(schoolCertificateJob, {}, teacher)).job?.can.download,
      'results.certificates_old',
    )
    const old = await server.download(schoolCertificateFile, file, teacher)
    assert.match(old.bytes.toString(), /results\.certificates_old/)
  }
  await isOld()
  const officer = await anOfficer('results')
  const held = { eventYearId: event.id, schCode: school.code, reason: 'Two sheets are compared.' }
  await server.ask(holdResults, held, officer)
  await isOld()
  await server.refuses('results.no_certificates', startSchoolCertificates, body, teacher)
})

test("the office's ZIP is not downloaded once one of its schools is withheld; one without that school is", async () => {
  const { event, school, other } = await aReleasedEvent(server)
  const officer = await anOfficer('results')
  const create = async (schCode = '') => {
    const body = { eventYearId: event.id, as: 'zip' as const, schCode }
    const { jobId } = await server.ask(startOfficeCertificates, body, officer)
    await server.jobs.drain()
    return { jobId, part: 0 }
  }
  const [whole, ofOther] = [await create(), await create(other.code)]
  const held = { eventYearId: event.id, schCode: school.code, reason: 'Two sheets are compared.' }
  await server.ask(holdResults, held, officer)
  const download = (file: typeof whole) => server.download(officeCertificateFile, file, officer)
  assert.match((await download(whole)).bytes.toString(), /results\.certificates_old/)
  assert.equal((await download(ofOther)).status, 200)
  const longAgo = new Date(aDay.getTime() - 60_000)
  await changeRows('result_holds', { school_id: school.id }, { held_at: longAgo })
  assert.equal((await download(await create())).status, 200)
})

test("the office's files of a school are not downloaded once it is merged with a withheld one", async () => {
  const { event, school, other } = await aReleasedEvent(server)
  const officer = await anOfficer('results')
  const created = async (schCode: string) => {
    const body = { eventYearId: event.id, as: 'zip' as const, schCode }
    const { jobId } = await server.ask(startOfficeCertificates, body, officer)
    await server.jobs.drain()
    return { jobId, part: 0 }
  }
  const files = [await created(''), await created(other.code)]
  await addRow('result_holds', {
    event_id: event.id,
    school_id: school.id,
    reason: 'Two sheets are compared.',
    held_by: officer.id,
    held_at: new Date(aDay.getTime() - 60_000),
  })
  const pair = { target: school.id, source: other.id }
  assert.equal((await mergeOf(server, await anOfficer('owner'), pair)).status, 200)
  await server.jobs.drain()
  for (const file of files) {
    const { bytes } = await server.download(officeCertificateFile, file, officer)
    assert.match(bytes.toString().slice(0, 300), /results\.certificates_old/)
  }
})

test('a large class is split into parts, and the same list gives the same files', () => {
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
  const names = { title: 'Certificates Mathematics 2026-27', nameOfClass: className }
  const files = plannedFiles(rows, input, names)
  assert.deepEqual(
    files.map(({ name, studentIds }) => [name, studentIds.length]),
    [
      ['Certificates Mathematics 2026-27 Class 7 (1 of 3).pdf', 300],
      ['Certificates Mathematics 2026-27 Class 7 (2 of 3).pdf', 300],
      ['Certificates Mathematics 2026-27 Class 7 (3 of 3).pdf', 50],
      ['Certificates Mathematics 2026-27 Class 8.pdf', 50],
    ],
  )
  assert.deepEqual(plannedFiles(rows, input, names), files)
  // Of a school's name, which may be cut off, no file needs the end.
  const ofSchool = plannedFiles(rows, { ...input, as: 'zip' }, names)
  assert.equal(ofSchool[1]?.name, 'Certificates Mathematics 2026-27 ABC0001 (2 of 3) Udaharan.pdf')
})
