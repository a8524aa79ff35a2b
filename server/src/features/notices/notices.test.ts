import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { messages } from '@podium/contract/messages'
import {
  endNotice,
  exportNotices,
  getNotices,
  linkParts,
  type NoticeState,
  officeNotices,
  readNotice,
  saveNotice,
} from '@podium/contract/notices/calls'
import { aDay, anOfficer, aSchool, aTeacher, thisSeason } from '#test/factories'
import { auditLines, takeCsv } from '#test/file-call'
import { changeRows, valuesOf } from '#test/rows'
import { before, beforehand, refused, testServer } from '#test/server'

let officer: Awaited<ReturnType<typeof anOfficer>>
let now = aDay
const server = beforehand(() => testServer({ clock: () => now }))
before(async () => {
  officer = await anOfficer('operations')
})
beforeEach(() => {
  now = aDay
})

type Teacher = Awaited<ReturnType<typeof aTeacher>>

const filled = {
  id: 0,
  title: 'Books leave on Monday',
  text: 'Parcels leave on Monday.\nSee https://podium.example/books.',
  titleHi: '',
  textHi: '',
  important: false,
  audience: 'all' as const,
  states: [] as string[],
  schCode: '',
  from: '2026-11-21',
  until: '2026-11-30',
}

/** A notice for a new school only, so that tests do not see each other's. */
async function aNotice(changes: Partial<Record<keyof typeof filled, unknown>> = {}, traits = {}) {
  const school = await aSchool(traits)
  const teacher = await aTeacher({ schoolId: school.id })
  const body = { ...filled, audience: 'school', schCode: school.code, ...changes }
  const saved = await server.send(saveNotice, { body }, officer)
  assert.equal(saved.status, 200, JSON.stringify(saved.body))
  return { school, teacher, id: Number(saved.body.id), body }
}

const noticesOf = (teacher: Teacher, FYear: string = thisSeason) => server.ask(getNotices, { FYear }, teacher)
/** Only of this notice: others may be for all schools. */
const noticeSeenBy = async (teacher: Teacher, id: number) =>
  (await noticesOf(teacher)).data.find((notice) => notice.id === id)
const listedNotice = async (state: NoticeState, id: number) =>
  (await server.ask(officeNotices, { state }, officer)).data.find((notice) => notice.id === id)
const markRead = (teacher: Teacher, id: number) => server.send(readNotice, { body: { id } }, teacher)
const audited = (id: number) => auditLines(['action', 'actor_id'], { subject_kind: 'notice', subject_id: id })

test("a live notice appears on its school's dashboard as written, unread until someone has read it", async () => {
  const { teacher, id } = await aNotice({ titleHi: 'पुस्तकें', textHi: 'सोमवार को', important: true })
  const { data, unread } = await noticesOf(teacher)
  assert.deepEqual(
    data.filter((notice) => notice.id === id),
    [
      {
        id,
        title: 'Books leave on Monday',
        text: filled.text,
        titleHi: 'पुस्तकें',
        textHi: 'सोमवार को',
        important: true,
        from: '2026-11-21',
        until: '2026-11-30',
        read: false,
      },
    ],
  )
  assert.equal((await markRead(teacher, id)).status, 200)
  assert.equal((await markRead(teacher, id)).status, 200)
  const after = await noticesOf(teacher)
  assert.equal(after.data.find((notice) => notice.id === id)?.read, true)
  assert.equal(after.unread, unread - 1)
})

test('each person reads a notice for themselves: it stays unread for a colleague, and the office counts the school once', async () => {
  const { school, teacher, id } = await aNotice()
  const colleague = await aTeacher({ schoolId: school.id })
  await markRead(teacher, id)
  assert.equal((await noticeSeenBy(colleague, id))?.read, false)
  await markRead(colleague, id)
  const row = await listedNotice('live', id)
  assert.deepEqual([row?.schools, row?.schoolsRead, row?.schCode], [1, 1, school.code])
})

test('a notice begins and ends with its days in India, not in Greenwich', async () => {
  const { teacher, id } = await aNotice({ from: '2026-11-22', until: '2026-11-23' })
  for (const [instant, shown] of [
    ['2026-11-21T18:29:59Z', false],
    ['2026-11-21T18:30:00Z', true],
    ['2026-11-23T18:29:59Z', true],
    ['2026-11-23T18:30:00Z', false],
  ] as const) {
    now = new Date(instant)
    const { token } = await aTeacher({ schoolId: teacher.schoolId, now })
    const body = await server.ask(getNotices, { FYear: thisSeason }, { token })
    assert.equal(
      body.data.some((notice) => notice.id === id),
      shown,
      instant,
    )
  }
})

test('the office sees a notice as planned, then live, then ended', async () => {
  const { id } = await aNotice({ from: '2026-11-22', until: '2026-11-23' })
  for (const [day, state] of [
    ['2026-11-21', 'planned'],
    ['2026-11-22', 'live'],
    ['2026-11-24', 'over'],
  ] as const) {
    now = new Date(`${day}T06:00:00Z`)
    officer = await anOfficer('operations', now)
    assert.equal((await listedNotice(state, id))?.state, state)
  }
  now = aDay
  officer = await anOfficer('operations')
})

test('a notice for states is seen only there, and not in a province of the same name abroad', async () => {
  const body = { ...filled, audience: 'state' as const, states: ['Punjab', 'Kerala'] }
  const saved = await server.ask(saveNotice, body, officer)
  const teacherIn = async (state: string, country = 'India') =>
    aTeacher({ schoolId: (await aSchool({ state, country })).id })
  assert.ok(await noticeSeenBy(await teacherIn('Kerala'), saved.id))
  assert.ok(await noticeSeenBy(await teacherIn('Punjab'), saved.id))
  assert.equal(await noticeSeenBy(await teacherIn('Karnataka'), saved.id), undefined)
  assert.equal(await noticeSeenBy(await teacherIn('Punjab', 'Pakistan'), saved.id), undefined)
  assert.equal((await markRead(await teacherIn('Karnataka'), saved.id)).status, 404)
})

test('a notice for all schools is seen by all, and a notice for one school by that school alone', async () => {
  const all = await server.ask(saveNotice, filled, officer)
  const stranger = await aTeacher({ schoolId: (await aSchool({ country: 'Nepal', state: 'Bagmati' })).id })
  assert.ok(await noticeSeenBy(stranger, all.id))
  const { id } = await aNotice()
  assert.equal(await noticeSeenBy(stranger, id), undefined)
  await refused('not_found', markRead(stranger, id))
})

test('planned and ended notices are not shown and cannot be marked read', async () => {
  const planned = await aNotice({ from: '2026-11-25' })
  const ended = await aNotice()
  await server.ask(endNotice, { id: ended.id, version: 1 }, officer)
  for (const { teacher, id } of [planned, ended]) {
    assert.equal(await noticeSeenBy(teacher, id), undefined)
    assert.equal((await markRead(teacher, id)).status, 404)
  }
})

test('a notice is not shown in another season', async () => {
  const { teacher, id } = await aNotice()
  assert.deepEqual((await noticesOf(teacher, '2025-26')).data, [])
  assert.ok(await noticeSeenBy(teacher, id))
})

test('important notices come first, then the newest', async () => {
  const { school, teacher, id: old } = await aNotice({ from: '2026-11-01' })
  const add = async (changes: object) => {
    const body = { ...filled, audience: 'school', schCode: school.code, ...changes }
    return Number((await server.send(saveNotice, { body }, officer)).body.id)
  }
  const newer = await add({})
  const important = await add({ from: '2026-10-01', important: true })
  const mine = new Set([old, newer, important])
  const order = (await noticesOf(teacher)).data.map((notice) => notice.id).filter((id) => mine.has(id))
  assert.deepEqual(order, [important, newer, old])
})

test('changed words make a notice unread again, changed days do not', async () => {
  const { teacher, id, body } = await aNotice()
  await markRead(teacher, id)
  const later = { ...body, id, version: 1, until: '2026-12-05' }
  assert.equal((await server.send(saveNotice, { body: later }, officer)).status, 200)
  assert.equal((await noticeSeenBy(teacher, id))?.read, true)
  const reworded = { ...later, version: 2, text: 'Parcels leave on Tuesday.' }
  assert.equal((await server.send(saveNotice, { body: reworded }, officer)).status, 200)
  assert.equal((await noticeSeenBy(teacher, id))?.read, false)
  assert.equal((await listedNotice('live', id))?.schoolsRead, 0)
})

test('writing, changing and ending a notice is each logged', async () => {
  const { id, body } = await aNotice()
  await server.send(saveNotice, { body: { ...body, id, version: 1, important: true } }, officer)
  await server.ask(endNotice, { id, version: 2 }, officer)
  assert.deepEqual(await audited(id), [
    { action: 'notice.written', actor_id: officer.id },
    { action: 'notice.changed', actor_id: officer.id },
    { action: 'notice.ended', actor_id: officer.id },
  ])
})

test('an ended notice cannot be changed or ended again', async () => {
  const { id, body } = await aNotice({ until: '2026-11-21' })
  now = new Date('2026-11-21T18:30:00Z')
  const { token } = await anOfficer('operations', now)
  for (const [endpoint, sent] of [
    [saveNotice, { ...body, id, version: 1, until: '2026-12-01' }],
    [endNotice, { id, version: 1 }],
  ] as const) {
    await server.refuses('notices.over', endpoint, sent, { token })
  }
  assert.equal((await audited(id)).length, 1)
})

test('of two officers who change the same notice, the second is refused', async () => {
  const { id, body } = await aNotice()
  const change = (text: string) =>
    server.send(saveNotice, { body: { ...body, id, version: 1, text } }, officer)
  const both = await Promise.all([change('One'), change('Other')])
  assert.deepEqual(valuesOf(both, 'status').sort(), [200, 409])
  await server.refuses('changed_meanwhile', endNotice, { id, version: 1 }, officer)
})

test('a save sent twice with one key creates one notice', async () => {
  const { school } = await aNotice()
  const body = { ...filled, audience: 'school', schCode: school.code }
  const options = { token: officer.token, headers: { 'idempotency-key': `notice-${school.code}` } }
  const first = await server.send(saveNotice, { body }, options)
  const second = await server.send(saveNotice, { body }, options)
  assert.equal(first.body.id, second.body.id)
})

for (const [field, changes, message] of [
  ['title', { title: ' ' }, messages.noticeTitleRequired],
  ['title', { title: 'x'.repeat(121) }, 'At most 120 characters.'],
  ['text', { text: '\n' }, messages.noticeTextRequired],
  ['text', { text: 'x'.repeat(2001) }, 'At most 2000 characters.'],
  ['textHi', { titleHi: 'शीर्षक' }, messages.noticeHindiPair],
  ['titleHi', { textHi: 'पाठ' }, messages.noticeHindiPair],
  ['audience', { audience: 'families' }, messages.noticeAudienceRequired],
  ['states', { audience: 'state' }, messages.noticeStateRequired],
  ['states', { audience: 'state', states: ['Kerala', 'Atlantis'] }, messages.stateUnknown],
  ['schCode', { audience: 'school' }, messages.noticeSchoolRequired],
  ['schCode', { audience: 'school', schCode: 'NOSUCH1' }, messages.noticeSchoolUnknown],
  ['from', { from: '' }, messages.noticeFromRequired],
  ['from', { from: '2026-02-30' }, messages.noticeFromRequired],
  ['until', { until: '30/11/2026' }, messages.noticeUntilRequired],
  ['until', { until: '2026-11-20' }, messages.noticeUntilEarly],
  ['until', { from: '2026-11-01', until: '2026-11-20' }, messages.noticeUntilOver],
] as const) {
  test(`a notice with ${JSON.stringify(changes).slice(0, 60)} is refused: ${message}`, async () => {
    const count = () =>
      server.deps.db
        .selectFrom('notices')
        .select((n) => n.fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    const earlier = await count()
    const refused = await server.send(saveNotice, { body: { ...filled, ...changes } }, officer)
    assert.equal(refused.status, 400)
    assert.deepEqual(refused.body.issues, [{ path: field, message }])
    assert.deepEqual(await count(), earlier)
  })
}

test('a notice cannot be addressed to a deactivated school', async () => {
  const school = await aSchool()
  await changeRows('schools', { id: school.id }, { active: false })
  const body = { ...filled, audience: 'school', schCode: school.code }
  const refused = await server.send(saveNotice, { body }, officer)
  assert.deepEqual(refused.body.issues, [{ path: 'schCode', message: messages.noticeSchoolUnknown }])
})

test('viewers, accounts and results staff read notices but write none', async () => {
  const { id, body } = await aNotice()
  for (const role of ['viewer', 'accounts', 'results'] as const) {
    const { token } = await anOfficer(role)
    const list = await server.ask(officeNotices, {}, { token })
    assert.equal(list.data.find((notice) => notice.id === id)?.can.edit, 'access.denied')
    for (const [endpoint, sent] of [
      [saveNotice, { ...body, id, version: 1 }],
      [saveNotice, body],
      [endNotice, { id, version: 1 }],
    ] as const) {
      await server.refuses('access.denied', endpoint, sent, { token })
    }
  }
  assert.equal((await audited(id)).length, 1)
})

test('a notice that does not exist is not found', async () => {
  const body = { ...filled, id: 999_999_999, version: 1 }
  assert.equal((await server.send(saveNotice, { body }, officer)).status, 404)
  assert.equal((await server.send(endNotice, { body: { id: 999_999_999, version: 1 } }, officer)).status, 404)
})

test('https addresses in a text become links, without the punctuation around them; nothing else does', () => {
  const links = (text: string) =>
    linkParts(text)
      .filter((part) => part.link)
      .map((part) => part.text)
  assert.deepEqual(links('See https://a.example/x?y=1, and (https://b.example/).'), [
    'https://a.example/x?y=1',
    'https://b.example/',
  ])
  for (const text of ['http://a.example', 'javascript:alert(1)', 'https://', 'xhttps://a.example', ''])
    assert.deepEqual(links(text), [], text)
  const text = '<b>https://a.example/"onclick</b>\nन https://b.example।'
  assert.equal(valuesOf(linkParts(text), 'text').join(''), text)
  assert.deepEqual(links(text), ['https://a.example/', 'https://b.example'])
})

test('only the office exports the notices of a status as a file, and the export is logged', async () => {
  const { school, teacher, id } = await aNotice({ title: 'Parcels, and what is in them' })
  await markRead(teacher, id)
  const take = (token: string, state: NoticeState = 'live') =>
    takeCsv(server, exportNotices, { state }, { token })
  const { text } = await take(officer.token)
  assert.ok(text.includes('"Parcels, and what is in them"'), text)
  assert.ok(text.includes(`${school.name} (${school.code}),2026-11-21,2026-11-30,,1,1,`), text)
  assert.ok(!(await take(officer.token, 'planned')).text.includes(school.code))
  const told = await server.deps.db
    .selectFrom('audit')
    .select('change')
    .where('action', '=', 'notice.exported')
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const { format, filters } = told.change as Record<string, unknown>
  assert.deepEqual([format, filters], ['csv', { state: 'live', search: '' }])
  assert.equal((await take(teacher.token)).status, 403)
})

test('a search covers titles and texts in both languages, in the list and its file, and treats signs literally', async () => {
  const { id } = await aNotice({ title: 'Zuvya hundert', titleHi: 'ज़ुव्या', textHi: '100% पार्सल' })
  const { id: other } = await aNotice({ title: 'Quolex', text: 'Of 1000 parcels none is late.' })
  const found = async (search: string) => {
    const body = await server.ask(officeNotices, { search }, officer)
    assert.equal(body.total, body.data.length)
    assert.ok(body.counts.live >= 2)
    return [id, other].map((item) => body.data.some((notice) => notice.id === item))
  }
  assert.deepEqual(await found('ZUVYA'), [true, false])
  assert.deepEqual(await found('100% पार्सल'), [true, false])
  assert.deepEqual(await found('parcels none'), [false, true])
  assert.deepEqual(await found('z_vya'), [false, false])
  const { text } = await takeCsv(server, exportNotices, { state: 'live', search: 'zuvya' }, officer)
  assert.deepEqual(
    ['Zuvya', 'Quolex'].map((item) => text.includes(item)),
    [true, false],
  )
})
