import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogueEvent, saveCatalogueEvent } from '@podium/contract/catalogue/calls-events'
import type { BodyOf } from '@podium/contract/endpoint'
import { explainResult, resultEvents, searchResults } from '@podium/contract/results/calls'
import { resolveAnomalies } from '@podium/contract/results/calls-corrections'
import {
  approveResults,
  computeResults,
  explainResultForOffice,
  holdResults,
  importMarks,
  officeResultEvent,
  officeResultEvents,
  previewResults,
  releaseResults,
  resultHolds,
  resultsSummary,
  saveResultRules,
  unholdResults,
  withdrawRelease,
} from '@podium/contract/results/calls-office'
import { rulesOfEvent } from '@podium/contract/results/calls-what-if'
import { aDay, anOfficer, aSchool, aTeacher } from '#test/factories'
import { auditLine, auditLines } from '#test/file-call'
import {
  type AnEvent,
  anEvent,
  asShown,
  candidates,
  computeRows,
  importRows,
  marksCsv,
  releaseRows,
  searchBody,
} from '#test/results-factories'
import { addRow, addRows, changeRows, findRows, valuesOf } from '#test/rows'
import { beforehand, refused, testServer } from '#test/server'

let now = aDay
const server = beforehand(() => testServer({ clock: () => now }))
const soon = 20 * 60_000

/** Two students of two schools in one event, and a user of each school. */
async function twoSchools() {
  const event = await anEvent()
  const [a, b] = [await aSchool(), await aSchool()]
  const students = await candidates(event, [{ schoolId: a.id }, { schoolId: b.id }])
  const [mine, theirs] = students
  assert(mine && theirs)
  const rows = students.map(({ roll }, i) => ({ roll, marks: [1, 1, 9 - i] }))
  const teachers = [await aTeacher({ schoolId: a.id }), await aTeacher({ schoolId: b.id })] as const
  return { event, a, b, mine, theirs, rows, teacher: teachers[0], otherTeacher: teachers[1] }
}

const search = (event: AnEvent, token: string, more: object = {}) =>
  server.call(searchResults, { body: searchBody(event, more) }, { token })

const eventSets = (event: AnEvent, token: string) =>
  server.ask(officeResultEvent, { eventYearId: String(event.id) }, { token })

const states = async (event: AnEvent, token: string) =>
  (await eventSets(event, token)).sets.map(({ version, state }) => `${version} ${state}`)

async function actions(kind: string, id: number) {
  const lines = await auditLines(['action'], { subject_kind: kind, subject_id: id })
  return lines.map(({ action }) => action)
}

test('a school sees nothing of results that are imported, computed or approved', async () => {
  const { event, rows, teacher } = await twoSchools()
  const awaited = { data: [], total: 0, state: 'awaited', version: null, releasedAt: null }
  const look = async () => {
    const { status, body } = await search(event, teacher.token)
    const { data, total, state, version, releasedAt } = body
    assert.equal(status, 200)
    assert.deepEqual({ data, total, state, version, releasedAt }, awaited)
  }
  await look()
  await importRows(server, event, rows)
  await look()
  const { setId } = await computeRows(server, event, rows)
  await look()
  await server.ask(approveResults, await asShown(server, setId), { token: (await anOfficer('owner')).token })
  await look()
})

test('a released result has the fields of the specification, and each step is logged [spec 7.27]', async () => {
  const { event, mine, rows, teacher } = await twoSchools()
  const { setId } = await releaseRows(server, event, rows)
  const { body } = await search(event, teacher.token, { action: '' })
  const resultLink = body.data[0]?.resultLink ?? ''
  assert.match(resultLink, /^\/r\/[0-9a-z]+-[0-9a-f]{32}$/)
  assert.deepEqual(body.data, [
    {
      resultId: `${setId}-${mine.id}`,
      eventYearId: event.id,
      classId: 7,
      className: 'Class 7',
      section: 'A',
      nioRollNo: mine.roll,
      studentName: mine.name,
      accessCode: '',
      absent: false,
      rawMarks: 11,
      marks: 11,
      finalClassRank: 1,
      finalStateRank: 1,
      zonalRank: 1,
      finalOlympiadRank: 1,
      medalNew: '',
      prize_Amount_Msg: 'Prize of ₹25,000',
      prizeAmount: 25_000,
      award: '',
      couponLink: '',
      resultLink,
      level2: 'NO',
      level3: '',
    },
  ])
  assert.deepEqual([body.state, body.version, body.total, body.maximumMarks], ['released', 1, 1, 100])
  assert.deepEqual(await actions('result_set', setId), [
    'results.imported',
    'results.import_finished',
    'results.compute_started',
    'results.computed',
    'results.approved',
    'results.released',
  ])
})

test('the search is narrowed by class, medal, prize and award, and comes in pages [spec 1.11 2.12.1 7.27 9.13]', async () => {
  const event = await anEvent({ letter: 'G' })
  const { id: schoolId } = await aSchool()
  const traits = Array.from({ length: 12 }, (_, i) => ({ schoolId, classId: i < 11 ? 7 : 8 }))
  const students = await candidates(event, traits)
  await releaseRows(
    server,
    event,
    students.map(({ roll }, i) => ({ roll, marks: [0, 0, 40 - i] })),
  )
  const { token } = await aTeacher({ schoolId })
  const found = async (more: object) => {
    const { body } = await search(event, token, more)
    return [body.data.length, body.total]
  }
  assert.deepEqual(await found({}), [12, 12])
  assert.deepEqual(await found({ classId: 8 }), [1, 1])
  assert.deepEqual(await found({ action: 2 }), [3, 3])
  assert.deepEqual(await found({ action: 3 }), [11, 11])
  assert.deepEqual(await found({ action: 5 }), [1, 1])
  assert.deepEqual(await found({ offset: 5, limit: 4 }), [4, 12])
})

test('an event is found by season, level and letter together, and not in another school', async () => {
  const { event, rows, b, teacher } = await twoSchools()
  await releaseRows(server, event, rows)
  assert.equal((await search(event, teacher.token, { examLevel: 2 })).status, 404)
  assert.equal((await search(event, teacher.token, { eventLetter: 'S' })).status, 404)
  assert.equal((await search(event, teacher.token, { fyear: '2026-27' })).status, 404)
  assert.equal((await search(event, teacher.token, { schCode: b.code })).status, 403)
})

test('a school sees only its own results, and no reasons of another school', async () => {
  const { event, mine, theirs, rows, teacher, otherTeacher } = await twoSchools()
  const { setId } = await releaseRows(server, event, rows)
  const { body } = await search(event, otherTeacher.token)
  assert.deepEqual(valuesOf(body.data, 'nioRollNo'), [theirs.roll])
  const why = (token: string, id: number) =>
    server.call(explainResult, { query: { resultId: `${setId}-${id}` } }, { token })
  assert.equal((await why(teacher.token, mine.id)).status, 200)
  assert.equal((await why(otherTeacher.token, mine.id)).status, 404)
  assert.equal((await why(teacher.token, theirs.id)).status, 404)
})

test('no one who imported, judged or computed a version, or joined later, can approve it; a second person can', async () => {
  const { event, rows } = await twoSchools()
  const [importer, judge, computer, approver] = [
    await anOfficer('results'),
    await anOfficer('results'),
    await anOfficer('owner'),
    await anOfficer('results'),
  ]
  const guest = { roll: 'NOBODY-7', marks: [1, 1, 1] }
  const { setId } = await importRows(server, event, [...rows, guest], importer)
  const accepted = { setId, kind: 'unknown_roll' as const, note: 'A guest.' }
  await server.ask(resolveAnomalies, accepted, judge)
  const approve = async (by: typeof importer) =>
    server.call(approveResults, { body: await asShown(server, setId) }, by)
  await refused('results.not_computed', approve(approver))
  await server.ask(computeResults, { setId }, computer)
  await server.jobs.drain()
  for (const own of [importer, judge, computer]) {
    await refused('results.same_person', approve(own))
    assert.equal((await eventSets(event, own.token)).sets[0]?.can.approve, 'results.same_person')
  }
  const newcomer = await anOfficer('owner')
  const later = { created_at: new Date(aDay.getTime() + 60_000) }
  await server.deps.db.updateTable('staff').set(later).where('id', '=', newcomer.id).execute()
  await refused('second.too_new', approve(newcomer))
  assert.equal((await eventSets(event, newcomer.token)).sets[0]?.can.approve, 'second.too_new')
  assert.equal((await eventSets(event, approver.token)).sets[0]?.can.approve, true)
  assert.equal((await approve(approver)).status, 200)
  await refused('results.wrong_state', approve(approver))
})

test('the author of the rules cannot approve what a colleague computed with them; the author of earlier rules can', async () => {
  const { event, rows } = await twoSchools()
  const [earlier, author, computer] = [
    await anOfficer('results'),
    await anOfficer('results'),
    await anOfficer('owner'),
  ]
  const save = async (by: typeof author) => {
    const { rulesVersion, versions } = await server.ask(rulesOfEvent, { eventYearId: String(event.id) }, by)
    const rules = versions[0]?.rules ?? assert.fail()
    await server.ask(saveResultRules, { eventYearId: event.id, rulesVersion, rules, note: 'Checked.' }, by)
  }
  await save(earlier)
  await save(author)
  const { setId } = await importRows(server, event, rows, computer)
  await server.ask(computeResults, { setId }, computer)
  await server.jobs.drain()
  const approve = async (by: typeof author) =>
    server.call(approveResults, { body: await asShown(server, setId) }, by)
  await refused('results.same_person', approve(author))
  assert.equal((await eventSets(event, author.token)).sets[0]?.can.approve, 'results.same_person')
  assert.equal((await approve(earlier)).status, 200)
})

test('only an approved version is released, and only once', async () => {
  const { event, rows } = await twoSchools()
  const { setId, token } = await computeRows(server, event, rows)
  const release = async () => server.call(releaseResults, { body: await asShown(server, setId) }, { token })
  await refused('results.not_approved', release())
  await server.ask(approveResults, await asShown(server, setId), { token: (await anOfficer('owner')).token })
  assert.equal((await release()).status, 200)
  await refused('results.wrong_state', release())
})

test('a scheduled release becomes visible by the clock alone, and can be withdrawn before', async () => {
  const { event, rows, teacher } = await twoSchools()
  try {
    const at = new Date(aDay.getTime() + soon)
    const { setId, approver } = await releaseRows(server, event, rows, at.toISOString())
    const { token } = approver
    assert.equal((await search(event, teacher.token)).body.state, 'awaited')
    await server.refuses(
      'results.scheduled',
      importMarks,
      { eventYearId: String(event.id) },
      { token, file: { name: 'm.csv', bytes: new TextEncoder().encode(marksCsv(event, rows.slice(1))) } },
    )
    await server.ask(withdrawRelease, { setId }, { token })
    await server.refuses('results.not_scheduled', withdrawRelease, { setId }, { token })
    const over = new Date(aDay.getTime() - 1).toISOString()
    await server.refuses(
      'results.release_past',
      releaseResults,
      { ...(await asShown(server, setId)), releaseAt: over },
      { token },
    )
    const later = new Date(at.getTime() + 60_000)
    await server.call(
      releaseResults,
      { body: { ...(await asShown(server, setId)), releaseAt: later.toISOString() } },
      { token },
    )
    now = at
    await server.jobs.drain()
    assert.deepEqual(
      await states(event, token),
      ['1 approved'],
      'the first job finds that the release was postponed',
    )
    now = new Date(later.getTime() - 1)
    assert.equal((await search(event, teacher.token)).body.state, 'awaited')
    now = later
    assert.deepEqual(await states(event, token), ['1 approved'])
    assert.equal((await search(event, teacher.token)).body.state, 'released')
    await server.refuses('results.not_scheduled', withdrawRelease, { setId }, { token })
    await server.jobs.drain()
    assert.deepEqual(await states(event, token), ['1 released'])
  } finally {
    now = aDay
  }
})

test('a school with withheld results reads a neutral sentence and no reason, others see theirs; later it sees them', async () => {
  const { event, a, mine, rows, teacher, otherTeacher } = await twoSchools()
  const { setId, token } = await releaseRows(server, event, rows)
  const held = { eventYearId: event.id, schCode: a.code }
  await server.ask(holdResults, { ...held, reason: 'Answer sheets are being looked at' }, { token })
  const { body } = await search(event, teacher.token)
  assert.deepEqual([body.state, body.data, body.total, body.version], ['withheld', [], 0, null])
  assert.equal(body.message, "Your school's results are withheld while they are being checked.")
  assert.ok(!JSON.stringify(body).includes('Answer sheets'))
  const why = () => server.call(explainResult, { query: { resultId: `${setId}-${mine.id}` } }, teacher)
  assert.equal((await why()).status, 404)
  assert.equal((await search(event, otherTeacher.token)).body.state, 'released')
  const figures = await server.ask(resultsSummary, { setId: String(setId) }, { token })
  assert.deepEqual([figures.withheld.schools, figures.withheld.results], [1, 1])
  const listed = await server.ask(resultHolds, { eventYearId: String(event.id) }, { token })
  assert.deepEqual(valuesOf(listed.data, 'schCode', 'reason'), [
    [a.code, 'Answer sheets are being looked at'],
  ])
  await server.ask(unholdResults, held, { token })
  assert.equal((await server.call(unholdResults, { body: held }, { token })).status, 404)
  assert.equal((await search(event, teacher.token)).body.state, 'released')
  assert.equal((await why()).status, 200)
})

test('a correction is the next version: until its release schools see the first, then only the second', async () => {
  const { event, mine, rows, teacher } = await twoSchools()
  const first = await releaseRows(server, event, rows)
  const corrected = rows.map((row, i) => (i === 0 ? { ...row, marks: [0, 1, 3] } : row))
  const second = await computeRows(server, event, corrected)
  const seen = async () => {
    const { body } = await search(event, teacher.token)
    return [body.version, body.data.length, body.data[0]?.rawMarks]
  }
  assert.deepEqual(await seen(), [1, 1, 11])
  const summary = await server.ask(resultsSummary, { setId: String(second.setId) }, second)
  assert.deepEqual(summary.changes, { version: 1, added: 0, removed: 0, changed: 2 })
  const { token } = await anOfficer('owner')
  await server.ask(approveResults, await asShown(server, second.setId), { token })
  await server.call(releaseResults, { body: await asShown(server, second.setId) }, { token })
  await server.jobs.drain()
  assert.deepEqual(await seen(), [2, 1, 4])
  assert.deepEqual(await states(event, token), ['2 released', '1 superseded'])
  const old = await server.call(explainResult, { query: { resultId: `${first.setId}-${mine.id}` } }, teacher)
  assert.equal(old.status, 404)
})

test('a scheduled correction replaces the first version on time, before any worker has run', async () => {
  const { event, rows, teacher } = await twoSchools()
  try {
    await releaseRows(server, event, rows)
    const at = new Date(aDay.getTime() + soon)
    const corrected = rows.map((row) => ({ ...row, marks: [0, 1, 3] }))
    await releaseRows(server, event, corrected, at.toISOString())
    assert.equal((await search(event, teacher.token)).body.version, 1)
    now = at
    const { body } = await search(event, teacher.token)
    assert.deepEqual([body.version, body.data.length, body.data[0]?.rawMarks], [2, 1, 4])
  } finally {
    now = aDay
  }
})

test('coordinators, or else all staff, are notified of a release once, not while withheld, and of relevant corrections', async () => {
  const { event, a, b, rows } = await twoSchools()
  const { id: coordinator } = await aTeacher({ schoolId: a.id, coordinator: true })
  await aTeacher({ schoolId: b.id })
  const ofB = await findRows('users', { school_id: b.id }, ['id'])
  const all = ofB.map(({ id }) => id).sort()
  assert.equal(all.length, 2)
  const { token } = await anOfficer('owner')
  const held = { eventYearId: event.id, schCode: b.code }
  await server.ask(holdResults, { ...held, reason: 'x' }, { token })
  const first = await releaseRows(server, event, rows)
  const mails = async (setId: number) =>
    (
      await server.deps.db
        .selectFrom('outbox')
        .select('key')
        .where('key', 'like', `results:${setId}:%`)
        .execute()
    )
      .map(({ key }) => Number(key.split(':')[2]))
      .sort()
  assert.deepEqual(await mails(first.setId), [coordinator])
  await server.ask(unholdResults, held, { token })
  assert.deepEqual(await mails(first.setId), [...all, coordinator].sort())
  const same = rows.map((row, i) => (i === 1 ? { ...row, marks: [0, 0, 1] } : row))
  assert.deepEqual(await mails((await releaseRows(server, event, same)).setId), all)
  // Its users could not sign in to see it.
  await changeRows('schools', { id: b.id }, { active: false })
  assert.deepEqual(await mails((await releaseRows(server, event, rows)).setId), [])
})

test('rules are saved only over the version that was read, and results of older rules cannot be approved', async () => {
  const { event, rows } = await twoSchools()
  const { setId, token } = await computeRows(server, event, rows)
  const { rules, event: shown } = await eventSets(event, token)
  const body = {
    eventYearId: event.id,
    rulesVersion: shown.rulesVersion,
    rules: { ...rules, onePrize: false },
  }
  const unfit = { ...body, rules: { ...rules, tieBreak: ['Needlework'] } }
  await server.refuses('results.rules_unfit', saveResultRules, unfit, { token })
  assert.equal((await server.ask(saveResultRules, body, { token })).rulesVersion, 2)
  await server.refuses('changed_meanwhile', saveResultRules, body, { token })
  const approver = await anOfficer('owner')
  const approve = async () => server.call(approveResults, { body: await asShown(server, setId) }, approver)
  await refused('results.rules_changed', approve())
  await server.ask(computeResults, { setId }, { token })
  await server.jobs.drain()
  assert.equal((await approve()).status, 200)
})

test('an approved version of older rules is not released; a scheduled one keeps rules, and exam dates up to its day', async () => {
  const { event, rows } = await twoSchools()
  const december = (day: number) => `${event.season.slice(0, 4)}-12-${day}`
  const { setId, token } = await computeRows(server, event, rows)
  const second = await anOfficer('owner')
  const approve = async () => server.ask(approveResults, await asShown(server, setId), second)
  const release = async (at: object = {}) =>
    server.call(releaseResults, { body: { ...(await asShown(server, setId)), ...at } }, { token })
  const save = async (onePrize: boolean) => {
    const { rules, event: shown } = await eventSets(event, token)
    const body = { eventYearId: event.id, rulesVersion: shown.rulesVersion, rules: { ...rules, onePrize } }
    return (await server.send(saveResultRules, { body }, { token })).body
  }
  await approve()
  await save(false)
  assert.equal((await eventSets(event, token)).sets[0]?.can.release, 'results.rules_changed')
  await refused('results.rules_changed', release())
  await server.ask(computeResults, { setId }, { token })
  await server.jobs.drain()
  await approve()
  const dates = [10, 15].map((day, n) => ({ event_id: event.id, ordinal: n + 1, held_on: december(day) }))
  await addRows('exam_dates', dates)
  assert.equal((await release({ releaseAt: `${december(20)}T06:00:00Z` })).status, 200)
  assert.equal((await save(true)).code, 'results.scheduled')
  assert.equal((await eventSets(event, token)).can.saveRules, 'results.scheduled')
  const { event: shown } = await server.ask(catalogueEvent, { eventYearId: String(event.id) }, second)
  const move = (secondDate: string) => {
    const { eventYearId, version, examMode, closesOn, firstDate, sections } = shown
    const body = { eventYearId, version, examMode, closesOn, firstDate, secondDate, sections }
    return server.send(saveCatalogueEvent, { body }, second)
  }
  assert.equal((await move(december(21))).body.issues?.[0]?.path, 'secondDate')
  assert.equal((await move(december(20))).status, 200)
})

test('viewers read and change nothing; other roles and schools have no access', async () => {
  const { event, rows, teacher } = await twoSchools()
  const { setId } = await computeRows(server, event, rows)
  const viewer = (await anOfficer('viewer')).token
  const accounts = (await anOfficer('accounts')).token
  const eventYearId = String(event.id)
  const reads = [
    () => [officeResultEvents, { query: { season: event.season } }] as const,
    () => [officeResultEvent, { query: { eventYearId } }] as const,
    () => [previewResults, { query: { setId: String(setId) } }] as const,
    () => [resultsSummary, { query: { setId: String(setId) } }] as const,
    () => [resultHolds, { query: { eventYearId } }] as const,
  ]
  for (const read of reads) {
    const [endpoint, input] = read()
    assert.equal((await server.send(endpoint, input, { token: viewer })).status, 200, endpoint.path)
    for (const token of [accounts, teacher.token])
      assert.equal((await server.send(endpoint, input, { token })).status, 403, endpoint.path)
    assert.equal((await server.send(endpoint, input)).status, 401, endpoint.path)
  }
  for (const endpoint of [computeResults, approveResults, releaseResults, withdrawRelease])
    for (const token of [viewer, accounts, teacher.token])
      assert.equal((await server.send(endpoint, { body: { setId } }, { token })).status, 403, endpoint.path)
  assert.equal((await server.send(searchResults, { body: searchBody(event) }, { token: viewer })).status, 403)
  const { can, sets } = await eventSets(event, viewer)
  assert.deepEqual(
    [can, sets[0]?.can.compute],
    [{ import: 'access.denied', correct: 'access.denied', saveRules: 'access.denied' }, 'access.denied'],
  )
  assert.deepEqual(await states(event, viewer), ['1 computed'])
})

test('the events of a season start with the released ones, and say whether the school has results [spec 7.26]', async () => {
  const { event, rows, a, teacher } = await twoSchools()
  const { token } = await releaseRows(server, event, rows)
  await addRow('events', {
    season: event.season,
    letter: 'E',
    mode: 'Offline',
    closes_on: event.closes_on,
    maximum_marks: 100,
    sections: JSON.stringify(event.sectionList),
    rules: '{}',
  })
  const read = async (as: { token: string } = teacher) =>
    (await server.ask(resultEvents, { FYear: event.season }, as)).data.map(
      ({ eventLetter, released, mine, withheld: held, leadsOn }) => [
        eventLetter,
        released,
        mine,
        held,
        leadsOn,
      ],
    )
  assert.deepEqual(await read(), [
    ['M', true, true, false, true],
    ['E', false, false, false, true],
  ])
  assert.deepEqual((await read(await aTeacher()))[0], ['M', true, false, false, true])
  await server.ask(holdResults, { eventYearId: event.id, schCode: a.code, reason: 'x' }, { token })
  assert.deepEqual((await read())[0], ['M', true, true, true, true])
})

test('the office reads the reasons of a computed result before its release', async () => {
  const { event, mine, rows } = await twoSchools()
  const { setId, token } = await computeRows(server, event, rows)
  const body = await server.ask(explainResultForOffice, { resultId: `${setId}-${mine.id}` }, { token })
  assert.deepEqual([body.why.studentName, body.why.versions.releasedAt], [mine.name, null])
})

test('a version recomputed, withheld or scheduled since it was shown is neither approved nor released', async () => {
  const { event, a, rows } = await twoSchools()
  const { setId, token } = await computeRows(server, event, rows)
  const approver = await anOfficer('owner')
  const shown = async () => {
    const { sets } = await eventSets(event, approver.token)
    return { setId, seen: sets.find((set) => set.setId === setId)?.seen ?? '' }
  }
  const before = await shown()
  await server.ask(computeResults, { setId }, { token })
  await server.jobs.drain()
  const approve = (body: typeof before) => server.call(approveResults, { body }, approver)
  await refused('changed_meanwhile', approve(before))
  assert.equal((await approve(await shown())).status, 200)
  const approved = await shown()
  await addRow('result_holds', {
    event_id: event.id,
    school_id: a.id,
    reason: 'A copied sheet',
    held_at: aDay,
  })
  const release = (body: BodyOf<typeof releaseResults>) => server.call(releaseResults, { body }, approver)
  await refused('changed_meanwhile', release(approved))
  const unscheduled = await shown()
  const inHours = (hours: number) => new Date(aDay.getTime() + hours * 3_600_000).toISOString()
  assert.equal((await release({ ...unscheduled, releaseAt: inHours(1) })).status, 200)
  await refused('changed_meanwhile', release({ ...unscheduled, releaseAt: inHours(2) }))
  assert.equal((await release(await shown())).status, 200)
})

test('before the last exam marks need a reason and approval is refused; an early release needs a reason', async () => {
  const { event, rows } = await twoSchools()
  const { db } = server.deps
  const days = ['2026-11-19', '2026-11-22']
  const dates = days.map((held_on, n) => ({ event_id: event.id, ordinal: n + 1, held_on }))
  await addRows('exam_dates', dates)
  await changeRows('seasons', { label: event.season }, { results_from: '2026-11-22' })
  const [importer, second] = [await anOfficer('results'), await anOfficer('results')]
  const upload = async (early?: string) => {
    const file = { name: 'marks.csv', bytes: new TextEncoder().encode(marksCsv(event, rows)) }
    const query = { eventYearId: String(event.id), ...(early === undefined ? {} : { early }) }
    const { status, body } = await server.call(importMarks, { query }, { token: importer.token, file })
    await server.jobs.drain()
    return { status, body }
  }
  const silent = (await upload()).body
  assert.deepEqual([silent.code, silent.issues?.[0]?.path], ['results.early_marks', 'early'])
  const { setId } = (await upload('Schools of the first date alone.')).body
  await server.ask(computeResults, { setId }, importer)
  await server.jobs.drain()
  const approve = async () => server.call(approveResults, { body: await asShown(server, setId) }, second)
  const shown = await eventSets(event, second.token)
  assert.deepEqual(
    [shown.event.lastExamOn, shown.event.resultsFrom, shown.sets[0]?.earlyReason],
    ['2026-11-22', '2026-11-22', 'Schools of the first date alone.'],
  )
  assert.equal(shown.sets[0]?.can.approve, 'results.exams_to_come')
  assert.deepEqual([(await approve()).status, (await approve()).body.code], [409, 'results.exams_to_come'])
  const examsEnd = (held_on: string) =>
    db.updateTable('exam_dates').set({ held_on }).where('event_id', '=', event.id).where('ordinal', '=', 2)
  await examsEnd('2026-11-21').execute()
  assert.equal((await approve()).status, 200)
  const release = async (more: { releaseAt?: string; early?: string }) =>
    (await server.call(releaseResults, { body: { ...(await asShown(server, setId)), ...more } }, second)).body
  const early = await release({ releaseAt: '2026-11-21T18:00:00Z' })
  assert.deepEqual([early.code, early.issues?.[0]?.path], ['results.early_release', 'early'])
  // 00:00 of the announced day in India is 18:30 UTC of the day before.
  assert.equal((await release({ releaseAt: '2026-11-21T18:30:00Z' })).result, 'success')
  // An exam date moved after the approval still counts.
  await examsEnd('2026-11-22').execute()
  assert.equal((await release({ early: 'Asked for.' })).code, 'results.exams_to_come')
  await examsEnd('2026-11-21').execute()
  assert.equal((await release({ early: 'The board has asked for it.' })).result, 'success')
  const line = await auditLine(['change'], { action: 'results.released', subject_id: setId })
  assert.equal((line.change as { early?: string }).early, 'The board has asked for it.')
})
