import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { changeActions, changeList, exportChanges, recordHistory } from '@podium/contract/audit-log/calls'
import { codeAsWords } from '@podium/contract/audit-log/words'
import { messages } from '@podium/contract/messages'
import { officeSchoolHistory } from '@podium/contract/schools/calls-record'
import { setSchoolStatus } from '@podium/contract/schools/calls-write'
import type { Role } from '#platform/auth/policy'
import { aDay, anOfficer, aSchool, aTeacher, schoolCode } from '#test/factories'
import { takeCsv } from '#test/file-call'
import { aPendingPayment } from '#test/payments-factories'
import { addRows, changeRows, findRow, valuesOf } from '#test/rows'
import { beforehand, testServer } from '#test/server'
import { aPacket } from '#test/shipping-factories'
import { anEnteredStudent } from '#test/students-factories'
import { leavesOf } from './rules.ts'

const server = beforehand(() => testServer({ clock: () => aDay }))

type Line = {
  at?: Date
  action?: string
  kind?: string
  id?: string
  actor?: number
  schoolId?: number
  change?: object
}

/** Audit lines as other features write them. */
async function addLines(...entries: Line[]) {
  await addRows(
    'audit',
    entries.map(({ at, action, kind, id, actor, schoolId, change }) => ({
      at: at ?? aDay,
      actor_kind: actor === undefined ? 'system' : 'office',
      actor_id: actor ?? null,
      actor_name: 'Somebody',
      school_id: schoolId ?? null,
      action: action ?? 'test.done',
      subject_kind: kind ?? 'school',
      subject_id: id ?? '1',
      change: JSON.stringify(change ?? {}),
    })),
  )
}

const searchLog = async (query: Parameters<typeof server.ask<typeof changeList>>[1], role: Role = 'owner') =>
  server.ask(changeList, query, await anOfficer(role))

test('the history of a record says who changed it, when, and what the old and new values are', async () => {
  const { id } = await aSchool()
  const officer = await anOfficer('operations')
  await server.ask(setSchoolStatus, { id, version: 1, active: false, reason: 'Closed' }, officer)
  const body = await server.ask(recordHistory, { kind: 'school', id: String(id) }, officer)
  const [line] = body.data
  assert.deepEqual(
    [line?.action, line?.actorName, line?.at, line?.changes],
    [
      'school.deactivated',
      'Radhika Kalpanik',
      aDay.toISOString(),
      [{ field: 'reason', from: '', to: 'Closed' }],
    ],
  )
})

test('a role cannot open the history of a record of a kind it may not read', async () => {
  const read = async (kind: string, role: Role) =>
    (await server.send(recordHistory, { query: { kind, id: '1' } }, await anOfficer(role))).status
  assert.deepEqual([await read('payment', 'accounts'), await read('payment', 'results')], [200, 403])
  assert.deepEqual([await read('staff', 'owner'), await read('staff', 'operations')], [200, 403])
  assert.deepEqual([await read('unheard-of', 'owner'), await read('unheard-of', 'operations')], [200, 403])
})

test('the activity log is filtered by person, action, group of actions, record, school and days', async () => {
  const school = await aSchool()
  const officer = await anOfficer('accounts')
  const mark = randomUUID()
  const of = { kind: 'school', id: mark, schoolId: school.id }
  await addLines(
    { ...of, action: 'alpha.made', actor: officer.id },
    { ...of, action: 'alpha.kept', at: new Date('2026-11-18T18:29:59Z') },
    { ...of, action: 'beta.made', at: new Date('2026-11-18T18:30:00Z') },
  )
  const found = async (query: object) =>
    (await searchLog({ record: mark, ...query })).data.map(({ action }) => action)
  assert.deepEqual(await found({}), ['alpha.made', 'beta.made', 'alpha.kept'])
  assert.deepEqual(await found({ who: officer.email.toUpperCase() }), ['alpha.made'])
  // Otherwise this role could guess letter by letter an address that it may not see.
  assert.deepEqual(await found({ who: officer.email.slice(0, 20) }), [])
  assert.deepEqual(await found({ who: officer.email.slice(1) }), [])
  assert.deepEqual(await found({ who: 'nobody of this name' }), [])
  assert.deepEqual(await found({ by: 'system' }), ['beta.made', 'alpha.kept'])
  assert.deepEqual(await found({ action: 'alpha.' }), ['alpha.made', 'alpha.kept'])
  assert.deepEqual(await found({ action: 'beta.made' }), ['beta.made'])
  assert.deepEqual(await found({ school: school.code.toLowerCase() }), await found({}))
  assert.deepEqual(await found({ school: 'NOWHERE' }), [])
  // 19 November begins in India at 18:30 of the day before.
  assert.deepEqual(await found({ from: '2026-11-19', until: '2026-11-19' }), ['beta.made'])
})

test('the exported file names the kind of e-mail that an entry is about', async () => {
  const mark = randomUUID()
  const change = { kind: 'payment-verified', error: '' }
  await addLines({ action: 'mail.resent', kind: 'mail', id: mark, change })
  const [line] = (await searchLog({ record: mark })).data
  assert.deepEqual(line?.changes, [{ field: 'kind', from: '', to: 'payment-verified', as: 'mails' }])
  const file = await takeCsv(server, exportChanges, { record: mark }, await anOfficer('owner'))
  assert.match(JSON.stringify(file), /Kind: Payment verified/)
})

test("names and counts are marked, so that the screen can show them in the reader's language", async () => {
  const [packet, student] = [randomUUID(), randomUUID()]
  const counted = { 'Science, Class 1, Question paper': '0 of 1', remark: messages.receivedBySchool }
  await addLines({ action: 'packet.confirmed', kind: 'packet', id: packet, change: counted })
  await addLines({ kind: 'student', id: student, change: { classId: 7 } })
  const school = randomUUID()
  await addLines({
    kind: 'school',
    id: school,
    change: { from: { state: 'Kerala' }, to: { state: 'Punjab' } },
  })
  const changesOf = async (record: string) => (await searchLog({ record })).data[0]?.changes
  assert.deepEqual(await changesOf(packet), [
    { field: 'remark', from: '', to: 'Confirmed by the school', as: 'names' },
    { field: '=Science, Class 1, Question paper', from: '', to: '0 of 1', as: 'counted' },
  ])
  assert.deepEqual(await changesOf(student), [{ field: 'classId', from: '', to: 'Class 7', as: 'names' }])
  assert.deepEqual(await changesOf(school), [{ field: 'state', from: 'Kerala', to: 'Punjab', as: 'names' }])
})

test('the activity log comes in pages of fifty, and each entry appears once', async () => {
  const mark = randomUUID()
  await addLines(...Array.from({ length: 53 }, () => ({ id: mark })))
  const first = await searchLog({ record: mark })
  const second = await searchLog({ record: mark, page: '2' })
  assert.deepEqual([first.data.length, first.total, first.more, second.data.length], [50, 53, false, 3])
  assert.equal(new Set(valuesOf([...first.data, ...second.data], 'id')).size, 53)
})

test("an import is one entry in the log and in the school's history; its students are listed on request", async () => {
  const { id: schoolId, code } = await aSchool()
  const later = new Date(aDay.getTime() + 60_000)
  const imported = (at: Date, count: number) =>
    Array.from({ length: count }, () => ({
      ...{ at, action: 'student.imported', kind: 'student', id: randomUUID(), schoolId },
      change: { to: { name: 'Aarav' } },
    }))
  const first = imported(aDay, 43)
  await addLines(...first, ...imported(later, 1), { at: later, action: 'test.done', schoolId })
  const summaryOf = (data: readonly { action: string; times?: number | undefined; changes: unknown[] }[]) =>
    data.map(({ action, times, changes }) => [action, times ?? 1, changes.length])
  const expected = [
    ['test.done', 1, 0],
    ['student.imported', 1, 1],
    ['student.imported', 43, 0],
  ]
  const { data, total } = await searchLog({ school: code })
  assert.deepEqual([summaryOf(data), total], [expected, 3])
  const query = { id: String(schoolId) }
  const history = await server.ask(officeSchoolHistory, query, await anOfficer('owner'))
  assert.deepEqual(summaryOf(history.data), expected)
  const each = await searchLog({ school: code, action: 'student.imported' })
  assert.equal(each.total, 44)
  const found = await searchLog({ kind: 'student', record: first[0]?.id ?? '' })
  assert.deepEqual(summaryOf(found.data), [['student.imported', 1, 1]])
})

test("a role reads in the activity log what it may read elsewhere, and no one reads parents' names there", async () => {
  const mark = randomUUID()
  await addLines({ id: mark, kind: 'staff' }, { id: mark, kind: 'result' }, { id: mark, kind: 'school' })
  const kinds = async (role: Role) =>
    (await searchLog({ record: mark }, role)).data.map(({ subjectKind }) => subjectKind)
  assert.deepEqual(await kinds('owner'), ['school', 'result', 'staff'])
  assert.deepEqual(await kinds('operations'), ['school'])
  assert.deepEqual(await kinds('viewer'), ['school', 'result'])
  const teacher = await aTeacher()
  await anEnteredStudent(server, teacher, { parentName: 'Hemant Namunawala' })
  const found = await searchLog({ school: await schoolCode(teacher.schoolId) })
  assert.ok(found.data.some(({ action }) => action === 'student.added'))
  assert.doesNotMatch(JSON.stringify(found.data), /Hemant/)
})

test('a filter on actions or kinds that a role may not read finds nothing; other roles find their entries', async () => {
  const mark = `kept_${randomUUID().replaceAll(/[^a-z]/g, '')}`
  await addLines({ action: `${mark}.alone`, kind: 'staff' }, { action: `${mark}.both`, kind: 'staff' })
  await addLines({ action: `${mark}.both`, kind: 'school' })
  const kinds = async (query: object, role: Role) =>
    (await searchLog(query, role)).data.map(({ subjectKind }) => subjectKind)
  assert.deepEqual(await kinds({ kind: 'staff', action: `${mark}.alone` }, 'owner'), ['staff'])
  assert.deepEqual(await kinds({ kind: 'staff' }, 'viewer'), [])
  assert.deepEqual(await kinds({ action: `${mark}.alone` }, 'viewer'), [])
  assert.deepEqual(await kinds({ action: `${mark}.both` }, 'viewer'), ['school'])
  assert.deepEqual(await kinds({ action: `${mark}.` }, 'viewer'), ['school'])
})

test('a search finds entries by words of the person, the old and new values, the school and the student', async () => {
  const teacher = await aTeacher({ name: 'Gulmohar Sandook' })
  const student = await anEnteredStudent(server, teacher, { studentName: 'नीलकंठ Parijatwala' })
  const code = await schoolCode(teacher.schoolId)
  const of = { schoolId: teacher.schoolId }
  await addLines(
    { ...of, action: 'words.changed', change: { from: { city: 'Chandanpur' }, to: { city: 'कमलगढ़' } } },
    {
      ...of,
      action: 'words.moved',
      kind: 'student',
      id: String(student.id),
      change: { reason: 'Near_Home-2' },
    },
  )
  const found = async (search: string, more: object = {}) =>
    (await searchLog({ search, ...more })).data.map(({ action }) => action).toSorted()
  assert.deepEqual(await found('gulmohar sand'), ['student.added'])
  assert.deepEqual(await found(teacher.email), ['student.added'])
  assert.deepEqual(await found('chandanp'), ['words.changed'])
  assert.deepEqual(await found('कमलगढ़'), ['words.changed'])
  assert.deepEqual(await found('near home'), ['words.moved'])
  assert.deepEqual(await found('nea home'), [])
  // Found by the student's name, whatever the line itself says.
  assert.deepEqual(await found('parijat'), ['student.added', 'words.moved'])
  assert.deepEqual(await found('नीलकंठ'), ['student.added', 'words.moved'])
  assert.deepEqual(await found(code.toLowerCase()), ['student.added', 'words.changed', 'words.moved'])
  assert.deepEqual(await found(`${code} कमल`), ['words.changed'])
  assert.deepEqual(await found(`${(await aSchool()).code} कमल`), [])
  assert.deepEqual(await found('parijat', { until: '2020-01-01' }), [])
  assert.deepEqual(await found('parijat', { action: 'words.' }), ['words.moved'])
  assert.deepEqual(await found('%'), [])
})

test('a search finds entries by the numbers of a payment and of a parcel', async () => {
  const { id } = await aPendingPayment(server)
  const { reference } = await findRow('payments', { id: Number(id) })
  const { schoolId } = await aTeacher()
  const packet = String(await aPacket({ schoolId }))
  await addLines({ action: 'words.packed', kind: 'packet', id: packet })
  const found = async (search: string, action: string) =>
    (await searchLog({ search, action }, 'viewer')).data.length
  assert.equal(await found(reference.toLowerCase(), 'payment.submitted'), 1)
  assert.equal(await found(`${reference}9`, 'payment.submitted'), 0)
  assert.deepEqual([await found(packet, 'words.'), await found('nx0417', 'words.')], [1, 1])
})

test('a search finds no parent by values that the log masks, and no staff by values the role may not read', async () => {
  const teacher = await aTeacher()
  const parent = {
    parentName: 'Hemchampa Gupt',
    parentMobileNo: '9812098120',
    parentEmailId: 'gupt.ghar@family.example',
  }
  const student = await anEnteredStudent(server, teacher, { studentName: 'Kaner Dikhta', ...parent })
  const change = {
    from: { parentMobile: '9812098121', name: 'Kaner' },
    to: { parentMobile: '9812098120', name: 'Kanera' },
  }
  await addLines(
    { kind: 'student', id: String(student.id), change: { deeper: { list: [change] }, ...change } },
    { kind: 'staff', action: 'words.staff', change: { to: { email: 'kachnar@office.example' } } },
  )
  const found = async (search: string, role: Role = 'owner') => (await searchLog({ search }, role)).total
  assert.equal(await found('kanera'), 1)
  for (const masked of [
    '9812098120',
    '98120',
    '9812098121',
    '+91 98120 98120',
    'hemchampa',
    'gupt',
    'gupt.ghar@family.example',
  ])
    assert.equal(await found(masked), 0, masked)
  assert.deepEqual([await found('kachnar'), await found('kachnar', 'operations')], [1, 0])
})

test("a search for the importer finds one entry for the import; a search for a student finds that student's", async () => {
  const teacher = await aTeacher({ name: 'Amaltas Bharti' })
  const [first, second] = [
    await anEnteredStudent(server, teacher, { studentName: 'Semal Chhaya' }),
    await anEnteredStudent(server, teacher, { studentName: 'Palash Chhaya' }),
  ]
  await changeRows(
    'audit',
    { subject_kind: 'student', subject_id: [String(first.id), String(second.id)] },
    { action: 'student.imported', at: aDay },
  )
  const found = async (search: string) =>
    (await searchLog({ search })).data.map(({ subjectId, times }) => [subjectId, times ?? 1])
  assert.deepEqual(await found('amaltas bharti'), [[String(second.id), 2]])
  assert.deepEqual(await found('semal'), [[String(first.id), 1]])
})

test('the filter offers the actions and kinds that have occurred', async () => {
  const mark = `made_${randomUUID().replaceAll(/[^a-z]/g, '')}`
  await addLines({ action: `${mark}.done`, kind: mark })
  const body = await server.ask(changeActions, {}, await anOfficer('viewer'))
  assert.ok(body.actions.includes(`${mark}.done`) && body.kinds.includes(mark))
})

test("entries show names for ids, amounts in rupees, dates in the screen's format, and deleted records as such", async () => {
  const mark = randomUUID()
  const [teacher, school] = [await aTeacher({ name: 'Asha Misaal' }), await aSchool()]
  const { id: student } = await anEnteredStudent(server, teacher, { studentName: 'Ishita Namunawala' })
  const change = {
    from: { classId: 7, letters: 'M,S', active: true, paidOn: '2026-11-21' },
    to: { classId: 13, letters: 'S', active: false, paidOn: '2026-11-22T04:30:00Z' },
    user: teacher.id,
    school_id: school.id,
    students: [student, 999_999_999],
    schools: 3,
    payable: 1_245_050,
    filters: { search: '', status: 'sent', page: 2 },
  }
  await addLines({ id: mark, kind: 'participation', action: 'list.signed_off', change })
  await addLines({ id: String(teacher.id), kind: 'user', action: `told.${mark.replaceAll(/[^a-z]/g, '')}` })
  const [line] = (await searchLog({ record: mark })).data
  const shown = line?.changes.map(({ within = [], field, from, to, as }) =>
    [[...within, field].join('/'), from, to, as ?? 'text'].join(' | '),
  )
  assert.deepEqual(shown?.toSorted(), [
    'active | yes | no | words',
    'classId | Class 7 | LKG | names',
    'filters/status |  | sent | words',
    'letters | Mathematics, Science | Science | names',
    'paidOn | 21-Nov-2026 | 22-Nov-2026 10:00 AM | text',
    'payable |  | ₹12,450.50 | text',
    `school_id |  | ${school.code} ${school.name} | names`,
    'schools |  | 3 | text',
    'students |  | Ishita Namunawala, gone:999999999 | names',
    'user |  | Asha Misaal | names',
  ])
  const debits = async (action: string, change: object) => {
    const id = randomUUID()
    await addLines({ id, kind: 'bank-statement', action, change })
    const [line] = (await searchLog({ record: id })).data
    return line?.changes.map(({ to }) => to)
  }
  assert.deepEqual(await debits('bank.imported', { outgoing: 12 }), ['12'])
  assert.deepEqual(await debits('bank.imported', { outgoingLines: 12 }), ['12'])
  assert.deepEqual(await debits('bank.statement_reconciled', { outgoing: 1_180 }), ['₹11.80'])
  await addLines({ id: '2026-11-21', kind: 'money-day' })
  const [day] = (await searchLog({ kind: 'money-day', record: '2026-11-21' })).data
  assert.equal(day?.subjectName, '21-Nov-2026')
  const [named] = (await searchLog({ kind: 'user', record: String(teacher.id) })).data
  assert.equal(named?.subjectName, 'Asha Misaal')
})

test('values in a list are compared with the value of the same name', () => {
  const rules = (gold: number, best: string) => ({
    medals: [
      { medal: 'Gold', classRank: gold },
      { medal: 'Silver', classRank: 2 },
    ],
    sections: [{ name: best, maximum: 20 }],
  })
  assert.deepEqual(leavesOf({ from: rules(1, 'Logic'), to: rules(2, 'Logic'), 'fee 7': 100 }), [
    { within: ['medals', 'Gold'], field: 'classRank', from: 1, to: 2 },
    { within: ['=Class 7'], field: 'fee', from: undefined, to: 100 },
  ])
  assert.deepEqual(
    valuesOf(leavesOf({ from: rules(1, 'Logic'), to: rules(1, 'Science') }), 'within', 'from', 'to'),
    [
      [['sections', '=Logic'], 20, undefined],
      [['sections', '=Science'], undefined, 20],
    ],
  )
})

test('an entry hides the names and amounts that its reader may not see elsewhere', async () => {
  const mark = randomUUID()
  const found = { name: 'Ishita', regAmount: 17_500, reason: 'Left' }
  await addLines({
    id: mark,
    kind: 'student',
    action: 'student.cancelled',
    change: { ...found, amount: 175 },
  })
  await addLines({ id: mark, kind: 'school', change: { paymentId: 999_999_999, amount: 20_000 } })
  const fieldsSeen = async (role: Role) =>
    (
      await Promise.all(
        ['student', 'school'].map(
          async (kind) => (await server.ask(recordHistory, { kind, id: mark }, await anOfficer(role))).data,
        ),
      )
    ).flatMap((each) => each.flatMap(({ changes }) => changes.map(({ field, to }) => `${field} ${to}`)))
  assert.deepEqual((await fieldsSeen('results')).toSorted(), ['name Ishita', 'paymentId •••', 'reason Left'])
  assert.deepEqual((await fieldsSeen('accounts')).toSorted(), [
    'amount ₹175',
    'amount ₹200',
    'name Ishita',
    'paymentId gone:999999999',
    'reason Left',
    'regAmount ₹17,500',
  ])
})

test('an export contains exactly the filtered entries and is itself logged', async () => {
  const mark = randomUUID()
  await addLines({ id: mark, change: { from: { city: 'Old' }, to: { city: '=New' } } }, { id: randomUUID() })
  const owner = await anOfficer('owner')
  const body = { record: mark, format: 'csv' as const }
  const file = await server.post(exportChanges, body, owner)
  const rows = (await file.text()).trim().split('\n')
  assert.equal(rows.length, 2)
  assert.match(rows[1] ?? '', /City: Old → =New/)
  const own = await searchLog({ who: owner.email, action: 'changes.exported' })
  assert.deepEqual(
    own.data[0]?.changes.find(({ field }) => field === 'lines'),
    { field: 'lines', from: '', to: '1' },
  )
})

test('a date that does not exist is refused', async () => {
  await server.refuses('input.invalid', changeList, { from: '2026-02-30' }, await anOfficer('owner'))
})

test('typed text that resembles a timestamp but is not one is shown as typed', async () => {
  const { id } = await aSchool()
  const owner = await anOfficer('owner')
  const reason = '2026-11-21T25:00:00Z'
  await server.ask(setSchoolStatus, { id, version: 1, active: false, reason }, owner)
  const filter = { kind: 'school', record: String(id) }
  const { status, text } = await takeCsv(server, exportChanges, filter, owner)
  assert.equal(status, 200, text)
  assert.match(text, new RegExp(`Reason: .*${reason}`))
})

test('a code of an earlier version is shown as its spaced-out name', () => {
  assert.equal(codeAsWords('postalAddress'), 'Postal address')
  assert.equal(codeAsWords('next_level'), 'Next level')
  assert.equal(codeAsWords('bank-line'), 'Bank line')
})
