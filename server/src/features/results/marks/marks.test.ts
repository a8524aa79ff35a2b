import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { resolveAnomalies } from '@podium/contract/results/calls-corrections'
import { importMarks, officeResultEvent } from '@podium/contract/results/calls-office'
import { cancelStudent } from '@podium/contract/students/calls-register'
import { mint, type OfficeScope } from '#platform/auth/scope'
import { createFileStore } from '#platform/files/files'
import { cancelJob, type JobContext, readJob, startJobs } from '#platform/jobs/jobs'
import { testDatabase } from '#test/database'
import { aDay, anOfficer, aSchool } from '#test/factories'
import {
  type AnEvent,
  anEvent,
  anomaliesOf,
  aWorkbook,
  candidates,
  computeRows,
  type FileRow,
  importRows,
  importWithStrangers,
  marksCsv,
  releaseRows,
} from '#test/results-factories'
import { findRow, findRows, valuesOf } from '#test/rows'
import { beforehand, refused, testServer } from '#test/server'
import { runImport } from '../jobs.ts'
import { importKind, startImport } from './commands.ts'

const server = beforehand(() => testServer({ clock: () => aDay }))

const bytes = (text: string) => new TextEncoder().encode(text)

async function upload(event: AnEvent, text: string, name = 'marks.csv') {
  const { token } = await anOfficer('results')
  const query = { eventYearId: String(event.id) }
  return server.call(importMarks, { query }, { token, file: { name, bytes: bytes(text) } })
}

/** Imports one row of one candidate; returns the kinds of problems found, and what was done. */
async function problemsOf(row: Omit<FileRow, 'roll'> & { roll?: string }) {
  const event = await anEvent()
  const [student] = await candidates(event, [{}])
  const { setId, token } = await importRows(server, event, [{ roll: student?.roll ?? '', ...row }])
  const { data } = await anomaliesOf(server, setId, token)
  return data.map(({ kind, blocking, treatment, column }) => [kind, blocking, treatment, column])
}

const full = [10, 40, 50]
const cases: [why: string, row: Omit<FileRow, 'roll'> & { roll?: string }, expected: unknown[]][] = [
  ['nothing is odd about the full marks', { marks: full }, []],
  ['small letters and spaces around a roll number do no harm', { marks: full, attendance: 'present' }, []],
  [
    'above the maximum',
    { marks: [10.0001, 40, 50] },
    [['above_maximum', true, 'left_out', 'Achievers section']],
  ],
  [
    'above two maxima',
    { marks: [11, 41, 50] },
    [
      ['above_maximum', true, 'left_out', 'Achievers section'],
      ['above_maximum', true, 'left_out', 'Reasoning'],
    ],
  ],
  ['zero marks', { marks: [0, 0, 0] }, [['zero_marks', false, 'kept', '']]],
  [
    'absent but marked',
    { attendance: 'A', marks: [0, 1, 0] },
    [['absent_marked', true, 'as_absent', 'Attendance']],
  ],
  ['absent without marks', { attendance: 'AB', marks: ['', 'AB', '-'] }, []],
  ['a formula', { marks: ['=5+5', 1, 1] }, [['unreadable', true, 'left_out', 'Achievers section']]],
  ['words for marks', { marks: ['ten', 1, 1] }, [['unreadable', true, 'left_out', 'Achievers section']]],
  ['a negative mark', { marks: [-1, 1, 1] }, [['unreadable', true, 'left_out', 'Achievers section']]],
  ['five decimals', { marks: [1.00001, 1, 1] }, [['unreadable', true, 'left_out', 'Achievers section']]],
  [
    'an empty cell of a student who was present',
    { marks: ['', 1, 1] },
    [['unreadable', true, 'left_out', 'Achievers section']],
  ],
  [
    'unclear attendance',
    { attendance: 'maybe', marks: full },
    [['unreadable', true, 'left_out', 'Attendance']],
  ],
  [
    'a final score below the raw one',
    { marks: [1, 1, 1], final: 2.9 },
    [['final_score', true, 'left_out', 'Final Score']],
  ],
  [
    'a final score a whole mark above',
    { marks: [1, 1, 1], final: 4 },
    [['final_score', true, 'left_out', 'Final Score']],
  ],
  ['a final score with weights', { marks: [1, 1, 1], final: 3.0123 }, []],
  [
    'a mark that is not a number, with a final score',
    { marks: ['ten', 1, 1], final: 12.0012 },
    [['unreadable', true, 'left_out', 'Achievers section']],
  ],
  [
    'an empty cell, with the final score and its weights',
    { marks: ['', 1, 1], final: 12.0012, weight: 0.0012 },
    [['unreadable', true, 'left_out', 'Achievers section']],
  ],
  [
    'a mark above the maximum, with the intended final score',
    { marks: [99, 1, 1], final: 11.0012 },
    [['above_maximum', true, 'left_out', 'Achievers section']],
  ],
  [
    'a mark and a final score that are not numbers',
    { marks: ['ten', 1, 1], final: 'twelve' },
    [
      ['unreadable', true, 'left_out', 'Achievers section'],
      ['unreadable', true, 'left_out', 'Final Score'],
    ],
  ],
  [
    'final score and weights that differ',
    { marks: [1, 1, 1], final: 3.0123, weight: 0.0124 },
    [['final_score', true, 'left_out', 'Weight']],
  ],
]

test('each kind of problem is recorded with what was done about it', async () => {
  for (const [why, row, expected] of cases) {
    const noted = (await problemsOf(row)).filter(([kind]) => kind !== 'missing')
    assert.deepEqual(noted, expected, why)
  }
})

test('the marks of a cancelled student are reported when they are read', async () => {
  const event = await anEvent()
  const [student] = await candidates(event, [{}])
  assert(student)
  const cancelled = { id: student.id, version: 1, reason: 'Left the school' }
  await server.ask(cancelStudent, cancelled, await anOfficer('operations'))
  const { setId, token } = await importRows(server, event, [{ roll: student.roll, marks: [0, 0, 1] }])
  assert.deepEqual(valuesOf((await anomaliesOf(server, setId, token)).data, 'kind'), ['not_enrolled'])
})

test('an unknown roll number, a student not enrolled, a duplicate row and a missing student are recorded', async () => {
  const event = await anEvent()
  const [first, second, elsewhere, missing] = await candidates(event, [{}, {}, { enrolled: false }, {}])
  assert(first && second && elsewhere && missing)
  const { setId, token } = await importRows(server, event, [
    { roll: first.roll.toLowerCase(), marks: [1, 1, 1] },
    { roll: 'NOBODY-1', marks: [1, 1, 1] },
    { roll: elsewhere.roll, marks: [1, 1, 1] },
    { roll: first.roll, marks: [2, 2, 2] },
    { roll: second.roll, marks: [3, 3, 3] },
    { roll: '', marks: [3, 3, 3] },
  ])
  const { data, kinds } = await anomaliesOf(server, setId, token)
  assert.deepEqual(valuesOf(data, 'rowNo', 'nioRollNo', 'kind', 'blocking'), [
    [3, 'NOBODY-1', 'unknown_roll', true],
    [4, elsewhere.roll, 'not_enrolled', true],
    [5, first.roll, 'twice', true],
    [7, '', 'unreadable', true],
    [0, missing.roll, 'missing', false],
  ])
  // The marks come along where only the roll number has to be corrected.
  assert.deepEqual(
    data.map(({ marks }) => marks.length),
    [3, 3, 0, 0, 0],
  )
  assert.deepEqual(data[0]?.marks, [1, 1, 1])
  assert.deepEqual(
    kinds.find(({ kind }) => kind === 'twice'),
    { kind: 'twice', blocking: true, open: 1, all: 1 },
  )
  const marks = await findRows('result_marks', { set_id: setId }, 'all', 'row_no')
  assert.deepEqual(valuesOf(marks, 'student_id', 'raw_score'), [
    [first.id, 30_000],
    [second.id, 90_000],
  ])
})

test('a duplicate row is recorded with its differences; it counts if the first row was left out for an error', async () => {
  const event = await anEvent()
  const [child, other] = await candidates(event, [{}, {}])
  assert(child && other)
  const { setId, token } = await importRows(server, event, [
    { roll: child.roll, marks: [99, 1, 1] },
    { roll: other.roll, marks: [1, 1, 1] },
    { roll: child.roll, marks: [2, 2, 2] },
    { roll: child.roll, marks: [3, 3, 3.5] },
    { roll: other.roll, marks: [1, 1, 1] },
    { roll: other.roll, marks: [0, 0, 0], attendance: 'A' },
  ])
  const { data } = await anomaliesOf(server, setId, token)
  assert.deepEqual(valuesOf(data, 'rowNo', 'kind', 'treatment', 'note'), [
    [2, 'above_maximum', 'left_out', 'The maximum is 10.'],
    [4, 'twice', 'kept', 'The student is in the file before, with an error; this row counts.'],
    [
      5,
      'twice',
      'left_out',
      'The student is already in row 4 with other marks: 2 + 2 + 2 there, 3 + 3 + 3.5 here.',
    ],
    [6, 'twice', 'left_out', 'The student is already in row 3 with the same marks.'],
    [7, 'twice', 'left_out', 'The student is already in row 3 with other marks: 1 + 1 + 1 there, A here.'],
  ])
  const { raw_score: raw } = await findRow('result_marks', { set_id: setId, student_id: child.id })
  assert.equal(raw, 60_000)
})

test('a duplicate row is found across the batches of a large file', async () => {
  const event = await anEvent()
  const { id } = await aSchool()
  const students = await candidates(
    event,
    Array.from({ length: 2_500 }, () => ({ schoolId: id })),
  )
  const rows = students.map(({ roll }) => ({ roll, marks: [1, 1, 1] }))
  const late = students.at(-1)?.roll ?? ''
  const { setId, token, jobId } = await importRows(server, event, [
    { roll: late, marks: [99, 9, 9] },
    ...rows,
    { roll: rows[0]?.roll ?? '', marks: [9, 9, 9] },
  ])
  const { data } = await anomaliesOf(server, setId, token)
  assert.deepEqual(valuesOf(data, 'kind', 'rowNo'), [
    ['above_maximum', 2],
    ['twice', 2_502],
    ['twice', 2_503],
  ])
  const { raw } = await server.deps.db
    .selectFrom('result_marks')
    .select((marks) => marks.fn.sum<number>('raw_score').as('raw'))
    .where('set_id', '=', setId)
    .executeTakeFirstOrThrow()
  assert.equal(raw, 2_500 * 30_000)
  const job = await readJob(server.deps.db, jobId)
  assert.deepEqual([job?.state, (job?.done ?? 0) >= 2_501], ['done', true])
})

test('unknown, missing and repeated columns are refused by name, and nothing is saved', async () => {
  const event = await anEvent()
  const body = await refused(
    'results.columns',
    upload(event, 'Roll No,Achievers section,Reasoning,Shoe size,Roll No\nR1,1,1,1,R1\n'),
  )
  assert.deepEqual(
    body.issues?.map(({ message }) => message),
    [
      'The column Attendance is missing.',
      'The column Everyday is missing.',
      'The column Shoe size is not known here.',
      'The column Roll No appears twice.',
    ],
  )
  const sets = await findRows('result_sets', { event_id: event.id }, ['id'])
  assert.equal(sets.length, 0)
})

test('a file that is no spreadsheet is refused', async () => {
  const event = await anEvent()
  await refused('sheet.not_spreadsheet', upload(event, '<html><table></table></html>'))
  await refused('sheet.empty', upload(event, ''))
  await refused('sheet.not_spreadsheet', upload(event, '\u0000\u0001\u0002'))
})

test('a file with headings and no rows is refused, and replaces no version', async () => {
  const event = await anEvent()
  const [student] = await candidates(event, [{}])
  const { setId } = await importRows(server, event, [{ roll: student?.roll ?? '', marks: full }])
  await refused('sheet.empty', upload(event, marksCsv(event, [])))
  const sets = await findRows('result_sets', { event_id: event.id }, ['id', 'state'])
  assert.deepEqual(sets, [{ id: setId, state: 'imported' }])
})

test('columns may be in any order, in capitals, with extra columns and Indian digits', async () => {
  const event = await anEvent()
  const [student] = await candidates(event, [{}])
  const header = 'EVERYDAY;Student Name;attendance;REASONING;achievers  section;Exam Roll No.'
  const { body } = await upload(event, `${header}\n५;Anaya;P;4;3.०;${student?.roll}\n`)
  await server.jobs.drain()
  const [marks] = await findRows('result_marks', { set_id: body.setId })
  assert.deepEqual(marks?.section_marks, [30_000, 40_000, 50_000])
})

test('a spreadsheet is read like a text file: a formula by its result, one without a result as empty', async () => {
  const event = await anEvent()
  const [first, second] = await candidates(event, [{}, {}])
  const rows = [
    ['Roll No', 'Attendance', ...event.sectionList.map(({ name }) => name)],
    [first?.roll ?? '', 'P', 1.5, 2, null],
    [second?.roll ?? '', 'P', 1, 2, null],
  ]
  const workbook = await aWorkbook(rows, {
    '1,4': { formula: 'C2+D2', result: 3.5 },
    '2,4': { formula: 'C3+D3' },
  })
  const { token } = await anOfficer('results')
  const file = { name: 'marks.xlsx', bytes: workbook }
  const body = await server.ask(importMarks, { eventYearId: String(event.id) }, { token, file })
  await server.jobs.drain()
  const marks = await findRows('result_marks', { set_id: body.setId })
  assert.deepEqual(valuesOf(marks, 'student_id', 'raw_score'), [[first?.id, 70_000]])
  const { data } = await anomaliesOf(server, body.setId, token)
  assert.deepEqual(valuesOf(data, 'rowNo', 'kind', 'column'), [[3, 'unreadable', 'Everyday']])
})

test('a file that ends mid-row leaves a failed version, and the next file is accepted', async () => {
  const event = await anEvent()
  const [student] = await candidates(event, [{}])
  const header = 'Roll No,Attendance,Achievers section,Reasoning,Everyday\n'
  const { body } = await upload(event, `${header}${student?.roll},P,1,1,1\nR,P,1,1,${'1'.repeat(3000)}\n`)
  await server.jobs.drain()
  const { token } = await anOfficer('results')
  const read = async () =>
    (await server.ask(officeResultEvent, { eventYearId: String(event.id) }, { token })).sets
  const [failed] = await read()
  assert.deepEqual([failed?.setId, failed?.state, failed?.job?.state], [body.setId, 'failed', 'failed'])
  const again = await importRows(server, event, [{ roll: student?.roll ?? '', marks: [1, 1, 1] }])
  assert.equal(again.version, 2)
  assert.equal((await read())[0]?.state, 'imported')
})

test('a newer import supersedes a version that is not released', async () => {
  const event = await anEvent()
  const [student] = await candidates(event, [{}])
  const rows = [{ roll: student?.roll ?? '', marks: [1, 1, 1] }]
  await computeRows(server, event, rows)
  const second = await importRows(server, event, rows)
  const body = await server.ask(officeResultEvent, { eventYearId: String(event.id) }, second)
  assert.deepEqual(valuesOf(body.sets, 'version', 'state'), [
    [2, 'imported'],
    [1, 'superseded'],
  ])
})

test('the same file again creates no version; with a row less it does, and accepted rows stay accepted', async () => {
  const { event, rows, setId, token } = await importWithStrangers(server)
  await server.ask(resolveAnomalies, { setId, kind: 'unknown_roll', note: 'guests' }, { token })
  const send = (of: readonly FileRow[]) => upload(event, marksCsv(event, of))
  const same = (await send(rows)).body
  assert.deepEqual([same.same, same.setId, same.version], [true, setId, 1])
  const next = (await send(rows.slice(0, 2))).body
  assert.deepEqual([next.same, next.version], [false, 2])
  await server.jobs.drain()
  const { data } = await anomaliesOf(server, next.setId, token)
  assert.deepEqual(valuesOf(data, 'nioRollNo', 'resolved', 'resolution'), [['NOBODY-1', true, 'guests']])
  const { rows: count } = await findRow('result_sets', { id: next.setId })
  assert.equal(count, 2)
})

test('a file that corrects results schools have seen needs a reason', async () => {
  const event = await anEvent()
  const [student] = await candidates(event, [{}])
  const rows = [{ roll: student?.roll ?? '', marks: [1, 1, 1] }]
  await releaseRows(server, event, rows)
  const other = [{ roll: student?.roll ?? '', marks: [1, 1, 2] }]
  const { status, body } = await upload(event, marksCsv(event, other))
  assert.deepEqual([status, body.code, body.issues?.[0]?.path], [400, 'results.reason_missing', 'reason'])
  assert.equal((await importRows(server, event, other)).version, 2)
})

test('a file shown as the next version replaces none that has been imported meanwhile', async () => {
  const event = await anEvent()
  const [student] = await candidates(event, [{}])
  const fileOf = (mark: number) => marksCsv(event, [{ roll: student?.roll ?? '', marks: [1, 1, mark] }])
  const { token } = await anOfficer('results')
  const send = (mark: number, version: number) => {
    const query = { eventYearId: String(event.id), version: String(version) }
    const file = { name: 'marks.csv', bytes: bytes(fileOf(mark)) }
    return server.send(importMarks, { query }, { token, file })
  }
  assert.equal(
    (await importRows(server, event, [{ roll: student?.roll ?? '', marks: [1, 1, 1] }])).version,
    1,
  )
  await refused('changed_meanwhile', send(2, 1))
  const states = await findRows('result_sets', { event_id: event.id }, ['version', 'state'])
  assert.deepEqual(states, [{ version: 1, state: 'imported' }])
  assert.equal((await send(1, 1)).body.same, true, 'the same file, whose answer was lost')
  assert.equal((await send(2, 2)).body.version, 2)
})

test('an officer can send twenty large files an hour, and nothing of the next one is stored', async () => {
  const strict = await testServer({ clock: () => aDay, limitScale: 1 })
  const send = async (token: string) =>
    (
      await strict.send(
        importMarks,
        { query: { eventYearId: '999999999' } },
        { token, file: { name: 'marks.csv', bytes: bytes('Roll No,Attendance') } },
      )
    ).body.code
  const { token } = await anOfficer('results')
  for (let at = 0; at < 20; at++) assert.notEqual(await send(token), 'request.too_many')
  assert.equal(await send(token), 'request.too_many')
  const other = await anOfficer('results')
  assert.notEqual(await send(other.token), 'request.too_many', 'each officer has a separate count')
})

const students = 7_000
const silent = { info: () => undefined, error: () => undefined }

/** A queued file of three and a half batches, with an unknown student and one who occurs twice. */
async function aWaitingFile() {
  const { db } = await testDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'podium-resume-'))
  const files = createFileStore(dataDir)
  const event = await anEvent()
  const { id: schoolId } = await aSchool()
  const part = Array.from({ length: students / 2 }, () => ({ schoolId }))
  const all = [...(await candidates(event, part)), ...(await candidates(event, part))]
  const rows = all.map(({ roll }) => ({ roll, marks: [1, 2, 3] }))
  const strangers = [
    { roll: 'NOBODY-9', marks: [1, 1, 1] },
    { roll: all[0]?.roll ?? '', marks: [9, 9, 9] },
  ]
  const bytes = Buffer.from(marksCsv(event, [...rows, ...strangers]))
  const file = { name: 'marks.csv', stored: await files.put(bytes) }
  const { id: staffId } = await anOfficer('results')
  const scope = mint<OfficeScope>({
    kind: 'office',
    staffId,
    name: 'Radhika',
    email: 'radhika@podium.example',
    role: 'results',
    session: '',
  })
  const { setId, jobId } = await db
    .transaction()
    .execute((tx) => startImport(tx, files, scope, aDay, { eventId: event.id, file }))
  return { db, dataDir, files, event, setId, jobId }
}

const progressOf = (setId: number) => findRow('result_sets', { id: setId }, ['state', 'read_to', 'rows'])

async function assertWhole({ db, setId }: Awaited<ReturnType<typeof aWaitingFile>>) {
  const marks = await db
    .selectFrom('result_marks')
    .select(({ fn }) => [fn.countAll<number>().as('n'), fn.sum<number>('raw_score').as('raw')])
    .where('set_id', '=', setId)
    .executeTakeFirstOrThrow()
  assert.deepEqual([Number(marks.n), Number(marks.raw)], [students, students * 60_000])
  const anomalies = await findRows('result_anomalies', { set_id: setId }, ['kind', 'row_no'], 'id')
  assert.deepEqual(anomalies, [
    { kind: 'unknown_roll', row_no: students + 2 },
    { kind: 'twice', row_no: students + 3 },
  ])
  const { state, rows } = await progressOf(setId)
  assert.deepEqual([state, rows], ['imported', students + 2])
}

// First, because a server then starts on all queued files.
test('a delayed runner adds nothing after another runner has taken its file over', async () => {
  const waiting = await aWaitingFile()
  const { db, files, jobId } = waiting
  const job = await readJob(db, jobId)
  assert(job)
  const context = { db, clock: () => aDay, checkpoint: () => Promise.resolve() }
  const { promise: wake, resolve: awake } = Promise.withResolvers<void>()
  const { promise: asleep, resolve: sleep } = Promise.withResolvers<void>()
  const held = runImport(files, job, {
    ...context,
    progress: (done) => {
      if (done < 2_000) return Promise.resolve()
      sleep()
      return wake
    },
  })
  await asleep
  await runImport(files, job, { ...context, progress: () => Promise.resolve() })
  awake()
  await assert.rejects(held, /read elsewhere/)
  await assertWhole(waiting)
  await cancelJob(db, aDay, jobId)
})

test('after a restart in the middle of a file the import continues behind the last batch', async () => {
  const waiting = await aWaitingFile()
  const { db, files, dataDir, jobId } = waiting
  const jobs = startJobs({
    db,
    clock: () => aDay,
    log: silent,
    requesters: { [importKind]: 'program' },
    handlers: {
      [importKind]: (job, context) => {
        const progress: JobContext['progress'] = (done, total) => {
          if (done >= 4_000) void jobs.stop()
          return context.progress(done, total)
        }
        return runImport(files, job, { ...context, progress })
      },
    },
  })
  await jobs.drain()
  assert.deepEqual(await progressOf(waiting.setId), { state: 'importing', read_to: 4_001, rows: 4_000 })
  assert.equal((await readJob(db, jobId))?.state, 'waiting')

  const server = await testServer({ clock: () => aDay, settings: { dataDir } })
  await server.jobs.drain()
  await assertWhole(waiting)
  const job = await readJob(db, jobId)
  assert.deepEqual([job?.state, job?.done], ['done', students + 3])
})
