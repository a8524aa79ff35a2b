import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type AnomalyKind,
  correctMarksRow,
  exportAnomalies,
  reopenAnomalies,
  resolveAnomalies,
  searchCandidates,
} from '@podium/contract/results/calls-corrections'
import {
  approveResults,
  computeResults,
  officeResultEvent,
  resultsSummary,
} from '@podium/contract/results/calls-office'
import { sql } from 'kysely'
import { whileHeld } from '#test/database'
import { aDay, anOfficer } from '#test/factories'
import { auditLine, auditLines, takeCsv } from '#test/file-call'
import {
  anEvent,
  anomaliesOf,
  asShown,
  candidates,
  importRows,
  importWithStrangers,
} from '#test/results-factories'
import { findRows, valuesOf } from '#test/rows'
import { beforehand, refused, testServer } from '#test/server'

const server = beforehand(() => testServer({ clock: () => aDay }))

test('a version is not computed until every blocking row is accepted with a note', async () => {
  const { setId, token } = await importWithStrangers(server)
  const compute = () => server.call(computeResults, { body: { setId } }, { token })
  await refused('results.anomalies_open', compute())
  const [first, second] = (await anomaliesOf(server, setId, token)).data
  const resolve = (anomalyIds: number[], note: string) =>
    server.call(resolveAnomalies, { body: { setId, anomalyIds, note } }, { token })
  assert.equal((await resolve([first?.anomalyId ?? 0], '  ')).status, 400)
  assert.equal((await resolve([first?.anomalyId ?? 0], 'a guest')).body.resolved, 1)
  assert.equal((await resolve([first?.anomalyId ?? 0], 'again')).body.resolved, 0)
  await refused('results.anomalies_open', compute())
  assert.equal((await resolve([second?.anomalyId ?? 0], 'a guest too')).body.resolved, 1)
  assert.equal((await compute()).status, 200)
  await server.jobs.drain()
  const { data } = await anomaliesOf(server, setId, token, { open: 'false', pageSize: '1', page: '2' })
  assert.deepEqual(
    [data.length, data[0]?.resolution, data[0]?.resolvedBy],
    [1, 'a guest too', 'Radhika Kalpanik'],
  )
  await refused('results.wrong_state', resolve([first?.anomalyId ?? 0], 'late'))
})

test('a version is not computed while a row is being reopened', async () => {
  const { setId, token } = await importWithStrangers(server)
  const body = { setId, kind: 'unknown_roll' as const, note: 'guests' }
  await server.ask(resolveAnomalies, body, { token })
  // Like reopening: the version is locked, and its rows are open once that is committed.
  const reopening = sql`
    with held as (select id from result_sets where id = ${setId} for update)
    update result_anomalies set resolved_at = null, resolved_by = null where set_id in (select id from held)`
  const [answer] = await whileHeld(reopening, [
    () => server.call(computeResults, { body: { setId } }, { token }),
  ])
  assert.deepEqual([answer?.status, answer?.body.code], [409, 'results.anomalies_open'])
})

test('a computation that is started while a row is being accepted waits for it', async () => {
  const event = await anEvent()
  const [student] = await candidates(event, [{}])
  const rows = [{ roll: student?.roll ?? '', marks: [0, 0, 0] }]
  const { setId, token } = await importRows(server, event, rows)
  const accepted = { setId, kind: 'zero_marks' as const, note: 'left after a minute' }
  await whileHeld<object>(sql`select from result_anomalies where set_id = ${setId} for update`, [
    () => server.call(resolveAnomalies, { body: accepted }, { token }),
    () => server.call(computeResults, { body: { setId } }, { token }),
  ])
  const trail = await auditLines(['action'], { subject_kind: 'result_set', subject_id: setId })
  assert.deepEqual(valuesOf(trail, 'action').slice(-2), [
    'results.anomalies_resolved',
    'results.compute_started',
  ])
  await server.jobs.drain()
})

test('all rows of one kind are accepted at once, and rows of another version are not', async () => {
  const mine = await importWithStrangers(server)
  const other = await importWithStrangers(server)
  const kind: AnomalyKind = 'unknown_roll'
  const body = await server.ask(resolveAnomalies, { setId: mine.setId, kind, note: 'guests' }, mine)
  assert.equal(body.resolved, 2)
  const foreign = (await anomaliesOf(server, other.setId, other.token)).data.map(({ anomalyId }) => anomalyId)
  const tried = await server.ask(
    resolveAnomalies,
    { setId: mine.setId, anomalyIds: foreign, note: 'x' },
    mine,
  )
  assert.equal(tried.resolved, 0)
  assert.equal((await anomaliesOf(server, other.setId, other.token, { open: 'true' })).total, 2)
  const own = await anomaliesOf(server, other.setId, other.token)
  const [first = 0, second = 0] = valuesOf(own.data, 'anomalyId')
  const accept = (anomalyIds: number[]) =>
    server.ask(resolveAnomalies, { setId: other.setId, anomalyIds, note: 'guest' }, other)
  await accept([first])
  assert.equal((await accept([first, second])).resolved, 1)
  const lines = await auditLines(['subject_id', 'change'], { action: 'results.anomalies_resolved' })
  const logged = lines.filter(({ subject_id: id }) => [mine.setId, other.setId].map(String).includes(id))
  assert.deepEqual(valuesOf(logged, 'change'), [
    { kind, note: 'guests', resolved: 2 },
    { anomalyIds: [first], note: 'guest', resolved: 1 },
    { anomalyIds: [second], note: 'guest', resolved: 1 },
  ])
})

test('accepting a row can be undone with a reason until the version is approved, and stays in the history', async () => {
  const { setId, token } = await importWithStrangers(server)
  const reopen = (anomalyIds: number[], reason: string) =>
    server.call(reopenAnomalies, { body: { setId, anomalyIds, reason } }, { token })
  const compute = () => server.call(computeResults, { body: { setId } }, { token })
  const settle = () =>
    server.call(resolveAnomalies, { body: { setId, kind: 'unknown_roll', note: 'guests' } }, { token })
  const id = (await anomaliesOf(server, setId, token)).data[0]?.anomalyId ?? 0
  assert.equal((await reopen([id], 'too early')).body.reopened, 0)
  await settle()
  assert.equal((await compute()).status, 200)
  await server.jobs.drain()

  assert.equal((await reopen([id], '  ')).status, 400)
  assert.equal((await reopen([id], 'The roll number is a slip of the pen.')).body.reopened, 1)
  assert.equal((await compute()).body.code, 'results.anomalies_open', 'it needs another decision')
  const row = (await anomaliesOf(server, setId, token)).data.find(({ anomalyId }) => anomalyId === id)
  assert.deepEqual([row?.resolved, row?.resolution, row?.resolvedBy], [false, '', ''])
  assert.deepEqual(row?.reopened, [
    {
      resolution: 'guests',
      by: 'Radhika Kalpanik',
      at: aDay.toISOString(),
      reason: 'The roll number is a slip of the pen.',
      reopenedBy: 'Radhika Kalpanik',
      reopenedAt: aDay.toISOString(),
    },
  ])
  const approver = await anOfficer('results')
  await server.refuses('results.not_computed', approveResults, await asShown(server, setId), approver)

  await settle()
  await compute()
  await server.jobs.drain()
  await server.ask(approveResults, await asShown(server, setId), approver)
  await refused('results.anomalies_kept', reopen([id], 'too late'))
  assert.equal((await anomaliesOf(server, setId, token)).reopen, 'results.anomalies_kept')
  assert.equal((await anomaliesOf(server, setId, (await anOfficer('viewer')).token)).reopen, 'access.denied')
})

test('an officer exports the problems of a file row by row, and the log says who', async () => {
  const { setId } = await importWithStrangers(server)
  const by = await anOfficer('viewer')
  const { lines } = await takeCsv(server, exportAnomalies, { setId, kind: 'unknown_roll', open: true }, by)
  assert.deepEqual(
    lines.slice(1).map((line) => line.split(',').slice(0, 3)),
    [
      ['3', 'NOBODY-1', 'Unknown roll no'],
      ['4', 'NOBODY-2', 'Unknown roll no'],
    ],
  )
  const line = await auditLine(['action'], { actor_id: by.id, actor_kind: 'office' })
  assert.equal(line.action, 'results.anomalies_exported')
})

test('an officer corrects a problem row in place: its marks count for the named student, and the log has the correction', async () => {
  const { event, setId, token } = await importWithStrangers(server)
  const [student, later] = await candidates(event, [{ name: 'Ishita Namunawala' }, {}])
  assert.ok(student && later)
  const open = async () => (await anomaliesOf(server, setId, token, { open: 'true' })).data
  const [first, second] = await open()
  const correct = (anomalyId: number, row: object) =>
    server.send(
      correctMarksRow,
      {
        body: {
          setId,
          anomalyId,
          note: 'Sheet read again',
          row: { present: true, marks: [9, 38, 45], ...row },
        },
      },
      { token },
    )
  const anomalyId = first?.anomalyId ?? 0
  const wrong = await correct(anomalyId, { nioRollNo: 'NOBODY-9', marks: [99, 38, 45] })
  assert.deepEqual(
    wrong.body.issues?.map(({ path }) => path),
    ['rows.0.marks.0'],
  )
  const query = { eventYearId: String(event.id), search: 'namuna' }
  const found = (await server.ask(searchCandidates, query, { token })).data
  assert.deepEqual(valuesOf(found, 'nioRollNo', 'studentName'), [[student.roll, 'Ishita Namunawala']])
  assert.equal((await correct(anomalyId, { nioRollNo: student.roll })).status, 200)
  const taken = await correct(second?.anomalyId ?? 0, { nioRollNo: student.roll })
  assert.deepEqual(taken.body.issues, [
    { path: 'rows.0.nioRollNo', message: 'This student’s marks come from row 3 of the file.' },
  ])
  const absent = { nioRollNo: later.roll, present: false, marks: [] }
  assert.equal((await correct(second?.anomalyId ?? 0, absent)).status, 200)
  assert.deepEqual(
    (await open()).filter(({ blocking }) => blocking),
    [],
  )
  const settled = (await anomaliesOf(server, setId, token, { open: 'false' })).data[0]
  assert.deepEqual(
    [settled?.treatment, settled?.resolution],
    ['corrected', `${student.roll} · 9 + 38 + 45 · Sheet read again`],
  )
  await server.ask(computeResults, { setId }, { token })
  await server.jobs.drain()
  const rows = await findRows(
    'results',
    { set_id: setId, student_id: [student.id, later.id] },
    ['present', 'raw_score'],
    'student_id',
  )
  assert.deepEqual(rows, [
    { present: true, raw_score: 920_000 },
    { present: false, raw_score: 0 },
  ])
  await refused('results.wrong_state', correct(anomalyId, { nioRollNo: student.roll }))
  const { change } = await server.deps.db
    .selectFrom('audit')
    .select('change')
    .where('action', '=', 'results.row_corrected')
    .where('subject_id', '=', String(setId))
    .orderBy('id')
    .executeTakeFirstOrThrow()
  assert.deepEqual(change, {
    from: { rollNo: 'NOBODY-1' },
    to: { rollNo: student.roll, present: true, marks: [90_000, 380_000, 450_000], final: 920_000 },
    row: 3,
    note: 'Sheet read again',
  })
})

test('a row with a mark above the maximum is corrected from its own marks, one with a mark that is no number from none', async () => {
  const event = await anEvent()
  const [high, unread] = (await candidates(event, [{}, {}])).map(({ roll }) => roll)
  const { setId, token } = await importRows(server, event, [
    { roll: high ?? '', marks: [99, 38, 45] },
    { roll: unread ?? '', marks: [99, 'x', 45] },
  ])
  const { data } = await anomaliesOf(server, setId, token, { kind: 'above_maximum' })
  assert.deepEqual(
    data.map(({ nioRollNo, marks }) => [nioRollNo, marks]),
    [
      [high, [99, 38, 45]],
      [unread, []],
    ],
  )
})

test('before approving, the second person sees how many rows were excluded, count as absent or were typed by hand', async () => {
  const event = await anEvent()
  const [right, sick, typed, lost] = (await candidates(event, [{}, {}, {}, {}, {}])).map(({ roll }) => roll)
  const rows = [
    { roll: right ?? '', marks: [1, 1, 1] },
    { roll: right ?? '', marks: [2, 1, 1] },
    // One row with two problems
    { roll: 'NOBODY-1', marks: ['x', 'y', 1] },
    { roll: 'NOBODY-2', marks: [1, 1, 1] },
    { roll: sick ?? '', attendance: 'A', marks: [1, 1, 1] },
  ]
  const { setId, token } = await importRows(server, event, rows)
  const correct = async (kind: AnomalyKind, roll: string | undefined, of = (_roll: string) => true) => {
    const { data } = await anomaliesOf(server, setId, token, { kind })
    const anomalyId = data.find(({ nioRollNo }) => of(nioRollNo))?.anomalyId ?? 0
    const row = { nioRollNo: roll ?? '', present: true, marks: [9, 38, 45] }
    await server.ask(correctMarksRow, { setId, anomalyId, row, note: '' }, { token })
  }
  await correct('unknown_roll', typed, (roll) => roll === 'NOBODY-2')
  await correct('missing', lost, (roll) => roll === lost)
  for (const { kind } of (await anomaliesOf(server, setId, token)).kinds)
    await server.ask(resolveAnomalies, { setId, kind, note: 'Seen' }, { token })
  await server.ask(computeResults, { setId }, { token })
  await server.jobs.drain()
  const summary = await server.ask(resultsSummary, { setId: String(setId) }, await anOfficer('results'))
  assert.deepEqual(summary.rows, { excluded: 2, asAbsent: 1, corrected: 2, missing: 1 })
})

test('whoever typed marks cannot approve the version, even after reopening the row for a colleague to accept', async () => {
  const { event, setId, token } = await importWithStrangers(server)
  const [student] = await candidates(event, [{}])
  const author = await anOfficer('results')
  const odd = (await anomaliesOf(server, setId, token)).data.map(({ anomalyId }) => anomalyId)
  const row = { nioRollNo: student?.roll ?? '', present: true, marks: [9, 38, 45] }
  await server.ask(correctMarksRow, { setId, anomalyId: odd[0] ?? 0, row, note: '' }, author)
  await server.ask(reopenAnomalies, { setId, anomalyIds: odd, reason: 'By mistake' }, author)
  await server.ask(resolveAnomalies, { setId, anomalyIds: odd, note: 'Right' }, { token })
  await server.ask(computeResults, { setId }, { token })
  await server.jobs.drain()
  const shown = await asShown(server, setId)
  const approve = (by: { token: string }) => server.call(approveResults, { body: shown }, by)
  await refused('results.same_person', approve(author))
  const { sets } = await server.ask(officeResultEvent, { eventYearId: String(event.id) }, author)
  assert.equal(sets[0]?.can.approve, 'results.same_person')
  assert.equal((await approve(await anOfficer('results'))).status, 200)
})
