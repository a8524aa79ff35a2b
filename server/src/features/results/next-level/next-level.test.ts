import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stopJob } from '@podium/contract/office/calls-settings'
import {
  answerInvitations,
  approveNextLevel,
  decideNextLevel,
  makeNextLevel,
  nextLevelMail,
  nextLevelRound,
  nextLevelRounds,
  remindNextLevel,
  saveNextLevel,
  schoolInvitations,
  sendNextLevel,
  takeOverNextLevel,
} from '@podium/contract/results/calls-next-level'
import {
  exportNextLevel,
  nextLevelCandidate,
  nextLevelDifference,
  nextLevelList,
} from '@podium/contract/results/calls-next-level-list'
import { holdResults, unholdResults } from '@podium/contract/results/calls-office'
import { sql } from 'kysely'
import { whileHeld } from '#test/database'
import { aDay, anOfficer, aTeacher } from '#test/factories'
import { takeCsv } from '#test/file-call'
import { anEvent, aReleasedEvent, releaseRows } from '#test/results-factories'
import { changeRows, findRow, findRows, valuesOf } from '#test/rows'
import { beforehand, mailsLike, refused, testServer } from '#test/server'

let now = aDay
const server = beforehand(() =>
  testServer({ clock: () => now, settings: { publicUrl: 'https://podium.example' } }),
)

const bestTwo = {
  level: 2,
  classes: [7],
  clauses: [{ by: 'olympiad' as const, upToRank: 2, percent: 50, minimumPool: 0 }],
}
const terms = { answerBy: '2026-12-15', note: 'The exam is held in Namunapur.' }

/** Zoya of the other school and Asha are the best two; the event's list has been made. */
async function aList() {
  const world = await aReleasedEvent(server, { rules: { nextLevel: bestTwo } })
  const [officer, second] = [await anOfficer('results'), await anOfficer('results')]
  const eventYearId = world.event.id
  await server.ask(makeNextLevel, { eventYearId, ...terms }, officer)
  const [asha, kiran] = world.students
  assert.ok(asha && kiran)
  return { ...world, eventYearId, officer, second, asha, kiran }
}
type List = Awaited<ReturnType<typeof aList>>

const roundOf = async ({ eventYearId, officer }: List, by = officer) =>
  (await server.ask(nextLevelRound, { eventYearId: String(eventYearId) }, by)).round

async function statusesOf({ eventYearId, officer }: List, filters = {}) {
  const query = { eventYearId: String(eventYearId), ...filters }
  const body = await server.ask(nextLevelList, query, officer)
  return body.data.map(({ studentName, status }) => [studentName, status])
}

const shown = async (list: List) => ({
  eventYearId: list.eventYearId,
  version: (await roundOf(list)).version,
})

const approve = async (list: List, by: { token: string }) =>
  (await server.call(approveNextLevel, { body: await shown(list) }, by)).body

async function send(list: List) {
  assert.equal((await approve(list, list.second)).result, 'success')
  const { body } = await server.call(sendNextLevel, { body: await shown(list) }, list.officer)
  assert.equal(body.result, 'success', body.message)
  await server.jobs.drain()
}

const decide = async (
  list: List,
  as: 'invite' | 'leave' | 'rules',
  studentIds: number[],
  by = list.officer,
) =>
  (
    await server.call(
      decideNextLevel,
      { body: { ...(await shown(list)), as, studentIds, reason: 'Seen by the committee.' } },
      by,
    )
  ).body

async function mailsOf({ eventYearId }: List) {
  const rounds = await findRows('next_level_rounds', { event_id: eventYearId }, ['job_id'])
  return (await Promise.all(rounds.map((round) => mailsLike(server, `next-level:${round.job_id}:%`)))).flat()
}

test('when two officers send a list at once, one succeeds and each school is notified once', async () => {
  const list = await aList()
  assert.equal((await approve(list, list.second)).result, 'success')
  const body = await shown(list)
  const sending = () => server.call(sendNextLevel, { body }, list.officer)
  const answers = await whileHeld(
    sql`select from next_level_rounds where event_id = ${list.eventYearId} for update`,
    [sending, sending],
  )
  assert.deepEqual(valuesOf(answers, 'status').sort(), [200, 409])
  await server.jobs.drain()
  const { rows } = await sql<{ jobs: number }>`
    select count(*)::int as jobs from jobs
    where kind = 'next_level.send'
    and input->>'eventId' = ${String(list.eventYearId)}`.execute(server.deps.db)
  assert.equal(rows[0]?.jobs, 1)
})

test('a student left out while a stopped sending still writes is shown as invited, because the school reads so', async () => {
  const list = await aList()
  await approve(list, list.second)
  const { jobId } = await server.ask(sendNextLevel, await shown(list), list.officer)
  const zoya = list.students[6]?.id ?? 0
  await whileHeld<unknown>(sql`lock table outbox in share mode`, [
    () => server.jobs.drain(),
    async () => {
      await server.ask(stopJob, { id: jobId }, await anOfficer('owner'))
      return decide(list, 'leave', [zoya])
    },
  ])
  assert.deepEqual(await statusesOf(list, { status: 'toWithdraw' }), [['Zoya Kalpanik', 'toWithdraw']])
})

const invitationsOf = async ({ event }: List, by: { token: string }) =>
  (await server.ask(schoolInvitations, { FYear: event.season }, by)).data

test('the list contains the students eligible by the released results, with the clause each one meets', async () => {
  const list = await aList()
  const body = await server.ask(nextLevelList, { eventYearId: String(list.eventYearId) }, list.officer)
  assert.deepEqual(valuesOf(body.data, 'studentName', 'because', 'status'), [
    ['Zoya Kalpanik', { by: 'olympiad', rank: 1, upToRank: 2, percent: 100, neededPercent: 50 }, 'toInvite'],
    ['Asha Namunawala', { by: 'olympiad', rank: 2, upToRank: 2, percent: 90, neededPercent: 50 }, 'toInvite'],
  ])
  const rounds = await server.ask(nextLevelRounds, { season: list.event.season }, list.officer)
  assert.deepEqual(valuesOf(rounds.data, 'stage', 'eligible', 'invited', 'pending'), [['draft', 2, 2, 2]])
  await server.refuses(
    'next_level.made',
    makeNextLevel,
    { eventYearId: list.eventYearId, ...terms },
    list.officer,
  )
})

test("a list is searched by words of a student's current name, by exam roll number and by school", async () => {
  const list = await aList()
  const found = async (search: string) => (await statusesOf(list, { search })).map(([name]) => name)
  const { db } = server.deps
  const { exam_roll_no: roll } = await findRow('results', { student_id: list.asha.id })
  const [asha = ''] = await found(roll)
  assert.match(asha, /^Asha/)
  assert.deepEqual(await found('ASH'), [asha])
  assert.deepEqual(await found(`ash ${list.school.code}`), [asha])
  assert.deepEqual(await found(`ash ${list.other.code}`), [])
  assert.deepEqual([await found('%'), await found('quo')], [[], []])
  const renamed = { name: 'Quoriza Namunawala', name_key: 'quoriza namunawala' }
  await db.updateTable('students').set(renamed).where('id', '=', list.asha.id).execute()
  assert.deepEqual([await found('quo'), await found('ASH')], [[renamed.name], []])
  const moved = `NEW${roll}`
  await changeRows('students', { id: list.asha.id }, { exam_roll_no: moved })
  assert.deepEqual(
    [await found(roll), await found(moved)],
    [[renamed.name], []],
    'the results have the old roll number',
  )
  const rows = list.rows.map((row) => (row.roll === roll ? { ...row, roll: moved } : row))
  const { version } = await releaseRows(server, list.event, rows)
  const over = { ...(await shown(list)), visibleVersion: version }
  await server.ask(takeOverNextLevel, over, list.officer)
  assert.deepEqual(await found(moved), [renamed.name])
})

test('no list is made from unreleased results or for a subject without a next level', async () => {
  const officer = await anOfficer('results')
  const none = await anEvent()
  const lone = await aReleasedEvent(server, { rules: { nextLevel: null } })
  for (const [eventYearId, code] of [
    [none.id, 'next_level.nothing_out'],
    [lone.event.id, 'next_level.leads_nowhere'],
  ] as const)
    assert.equal(
      (await server.call(makeNextLevel, { body: { eventYearId, ...terms } }, officer)).body.code,
      code,
    )
  const past = { eventYearId: none.id, ...terms, answerBy: '2026-11-20' }
  const { body } = await server.call(makeNextLevel, { body: past }, officer)
  assert.equal(body.issues?.[0]?.path, 'answerBy')
})

test('an officer invites or leaves out a student by hand with a reason, and can return to the rules', async () => {
  const list = await aList()
  const { asha, kiran, students } = list
  assert.equal((await decide(list, 'leave', [asha.id])).changed, 1)
  assert.equal((await decide(list, 'invite', [kiran.id])).changed, 1)
  assert.deepEqual(await statusesOf(list, { how: 'hand' }), [
    ['Asha Namunawala', 'left'],
    ['किरण नमूनावाला', 'toInvite'],
  ])
  const absent = students[5]
  assert.equal((await decide(list, 'invite', [absent?.id ?? 0])).code, 'not_found')
  const of = async (nioRollNo: string) =>
    (await server.ask(nextLevelCandidate, { eventYearId: String(list.eventYearId), nioRollNo }, list.officer))
      .candidate?.can
  assert.deepEqual(
    [await of(kiran.roll), await of(asha.roll.toLowerCase()), await of(absent?.roll ?? ''), await of('R999')],
    ['next_level.listed', true, 'next_level.absent', undefined],
  )
  await decide(list, 'rules', [asha.id, kiran.id])
  assert.deepEqual(await statusesOf(list), [
    ['Zoya Kalpanik', 'toInvite'],
    ['Asha Namunawala', 'toInvite'],
    ['किरण नमूनावाला', 'left'],
  ])
  await decide(list, 'leave', [asha.id])
  await changeRows('students', { id: asha.id }, { active: false })
  await decide(list, 'rules', [asha.id])
  assert.deepEqual((await statusesOf(list))[1], ['Asha Namunawala', 'left'], 'who has left meanwhile')
  const stale = {
    eventYearId: list.eventYearId,
    version: 1,
    as: 'leave' as const,
    studentIds: [asha.id],
    reason: 'x',
  }
  await server.refuses('changed_meanwhile', decideNextLevel, stale, list.officer)
})

test('no one approves a list they made or changed, and nothing is sent without approval', async () => {
  const list = await aList()
  const { officer, second, kiran } = list
  await server.refuses('next_level.not_approved', sendNextLevel, await shown(list), officer)
  assert.equal((await approve(list, officer)).code, 'next_level.same_person')
  await decide(list, 'invite', [kiran.id], second)
  assert.equal((await approve(list, second)).code, 'next_level.same_person')
  assert.equal(
    (await approve(list, officer)).code,
    'next_level.same_person',
    'their changes are still in the list',
  )
  const newcomer = await anOfficer('owner')
  const later = { created_at: new Date(aDay.getTime() + 60_000) }
  await server.deps.db.updateTable('staff').set(later).where('id', '=', newcomer.id).execute()
  assert.equal((await approve(list, newcomer)).code, 'second.too_new')
  assert.equal((await approve(list, await anOfficer('owner'))).result, 'success')
  await decide(list, 'leave', [kiran.id])
  await server.refuses('next_level.not_approved', sendNextLevel, await shown(list), officer)
})

test('each school gets one e-mail in its language with its own students, and sees only them', async () => {
  const list = await aList()
  const { teacher, other, asha } = list
  const stranger = await aTeacher({ schoolId: other.id, coordinator: true })
  await sql`update users set language = 'hi' where id = ${stranger.id}`.execute(server.deps.db)
  assert.deepEqual(await invitationsOf(list, teacher), [], 'nothing is shown before sending')
  const query = {
    eventYearId: String(list.eventYearId),
    kind: 'invitation' as const,
    schCode: list.school.code,
  }
  const { mail } = await server.ask(nextLevelMail, query, list.officer)
  assert.ok(mail?.en.text.includes(`Class 7 A, ${asha.roll}`) && mail.hi.text.includes(asha.roll))
  await send(list)
  const mails = await mailsOf(list)
  assert.equal(mails.length, 2)
  // In the next season the page would otherwise open without them.
  assert.ok(mails.every(({ text }) => text.includes(`/result/nextlevel?season=${list.event.season}`)))
  const own = mails.filter(({ text }) => text.includes(asha.roll))
  assert.deepEqual(
    own.map(({ text }) => [text.includes('15-Dec-2026'), text.includes('Asha'), text.includes(terms.note)]),
    [[true, false, true]],
  )
  assert.match(mails.find((mail) => mail !== own[0])?.subject ?? '', /आमंत्रित/)
  const [event] = await invitationsOf(list, teacher)
  assert.deepEqual(
    event?.children.map(({ studentName, answer }) => [studentName, answer]),
    [['Asha Namunawala', '']],
  )
  const round = await roundOf(list)
  assert.deepEqual([round.stage, round.pending, round.waiting, round.open], ['sent', 0, 2, 2])
  assert.equal((await server.call(sendNextLevel, { body: await shown(list) }, list.officer)).status, 409)
})

test('a school whose results are withheld is neither notified nor shown anything', async () => {
  const list = await aList()
  const held = {
    eventYearId: list.eventYearId,
    schCode: list.school.code,
    reason: 'Two sheets are compared.',
  }
  await server.ask(holdResults, held, list.officer)
  await send(list)
  assert.deepEqual(await statusesOf(list), [
    ['Zoya Kalpanik', 'waiting'],
    ['Asha Namunawala', 'toInvite'],
  ])
  assert.deepEqual(await invitationsOf(list, list.teacher), [])
  const { withheld: waiting, stage, can } = await roundOf(list)
  assert.deepEqual([waiting, stage, can.send], [1, 'sent', 'next_level.nothing_new'])
})

test('of two teachers who answer differently at once the second is refused, and one who sends the same again is not', async () => {
  const list = await aList()
  await send(list)
  const colleague = await aTeacher({ schoolId: list.school.id })
  const answer = (answer: 'yes' | 'no', was: '' | 'yes', by: { token: string }) => {
    const answers = [{ studentId: list.asha.id, answer, was }]
    return server.call(answerInvitations, { body: { eventYearId: list.eventYearId, answers } }, by)
  }
  assert.equal((await answer('yes', '', list.teacher)).status, 200)
  await refused('changed_meanwhile', answer('no', '', colleague))
  assert.equal((await answer('yes', '', list.teacher)).status, 200)
  assert.equal((await answer('no', 'yes', colleague)).status, 200)
})

test('a school answers for its own invited students until the last day, and may change its answer', async () => {
  const list = await aList()
  const { eventYearId, teacher, asha, kiran, other } = list
  const answer = async (studentId: number, reply: 'yes' | 'no', by: { token: string } = teacher) => {
    const body = { eventYearId, answers: [{ studentId, answer: reply, note: 'Moves away.' }] }
    const { body: answered } = await server.call(answerInvitations, { body }, by)
    return answered.code ?? answered.answered
  }
  assert.equal(await answer(asha.id, 'yes'), 'not_found', 'before the school was notified')
  await send(list)
  assert.equal(await answer(asha.id, 'yes'), 1)
  assert.equal(await answer(asha.id, 'no'), 1)
  assert.equal(await answer(kiran.id, 'yes'), 'not_found', 'not invited')
  assert.equal(await answer(asha.id, 'yes', await aTeacher({ schoolId: other.id })), 'not_found')
  const { body } = await server.call(
    nextLevelList,
    { query: { eventYearId: String(eventYearId), status: 'no' } },
    list.officer,
  )
  assert.deepEqual(valuesOf(body.data, 'studentName', 'answerNote'), [['Asha Namunawala', 'Moves away.']])
  const file = await takeCsv(server, exportNextLevel, { eventYearId, status: 'no' }, list.officer)
  assert.match(file.text, /Asha Namunawala.*Declined.*Moves away\./)
  now = new Date('2026-12-15T18:31:00Z')
  try {
    const later = await aTeacher({ schoolId: list.school.id, now })
    const officer = await anOfficer('results', now)
    assert.equal(await answer(asha.id, 'yes', later), 'next_level.closed')
    const terms2 = {
      eventYearId,
      version: (await roundOf(list, officer)).version,
      ...terms,
      answerBy: '2026-12-20',
    }
    assert.equal((await server.call(saveNextLevel, { body: terms2 }, officer)).body.result, 'success')
    assert.equal((await roundOf(list, officer)).stage, 'sent', 'what schools know already needs no approval')
    assert.equal(await answer(asha.id, 'yes', later), 1)
  } finally {
    now = aDay
  }
})

test('schools that have not answered are reminded, each at most once a day, and as many as the office is told', async () => {
  const list = await aList()
  await send(list)
  const counted = async () => {
    const { open, due } = await roundOf(list)
    return [open, due]
  }
  assert.deepEqual(await counted(), [2, 2])
  const reason = 'Two sheets are compared.'
  const { eventYearId } = list
  await server.ask(holdResults, { eventYearId, schCode: list.other.code, reason }, list.officer)
  assert.deepEqual(await counted(), [2, 1])
  await server.ask(unholdResults, { eventYearId, schCode: list.other.code }, list.officer)
  const body = {
    eventYearId: list.eventYearId,
    answers: [{ studentId: list.asha.id, answer: 'yes' as const }],
  }
  await server.ask(answerInvitations, body, list.teacher)
  await aTeacher({ schoolId: list.other.id, coordinator: true })
  const remind = async () => {
    const { body: asked } = await server.call(
      remindNextLevel,
      { body: { eventYearId: list.eventYearId } },
      list.officer,
    )
    await server.jobs.drain()
    return asked.code
  }
  assert.equal(await remind(), undefined)
  const mails = await mailsOf(list)
  assert.deepEqual([mails.length, mails[0]?.text.includes(list.asha.roll)], [1, false])
  assert.deepEqual(await counted(), [1, 0])
  assert.equal(await remind(), 'next_level.nobody_open')
})

test('a correction shows who joins and who leaves the list, and no school hears of it before approval and sending', async () => {
  const list = await aList()
  const { eventYearId, event, rows, asha, officer, teacher } = list
  await send(list)
  const query = { query: { eventYearId: String(eventYearId) } }
  await refused('next_level.no_difference', server.call(nextLevelDifference, query, officer))
  await releaseRows(
    server,
    event,
    rows.map((row) => (row.roll === asha.roll ? { ...row, marks: [1, 20, 20] } : row)),
  )
  const difference = (await server.call(nextLevelDifference, query, officer)).body
  assert.deepEqual(valuesOf(difference.data, 'studentName', 'change', 'notified'), [
    ['Asha Namunawala', 'removed', true],
    ['किरण नमूनावाला', 'added', false],
  ])
  assert.deepEqual(await statusesOf(list), [
    ['Zoya Kalpanik', 'waiting'],
    ['Asha Namunawala', 'waiting'],
  ])
  const over = { ...(await shown(list)), visibleVersion: difference.visibleVersion }
  const taken = await server.ask(takeOverNextLevel, over, officer)
  assert.deepEqual([taken.added, taken.removed], [1, 1])
  assert.equal(
    (await invitationsOf(list, teacher))[0]?.children.length,
    1,
    'the school still sees the list it was sent',
  )
  assert.deepEqual((await statusesOf(list)).sort(), [
    ['Asha Namunawala', 'toWithdraw'],
    ['Zoya Kalpanik', 'waiting'],
    ['किरण नमूनावाला', 'toInvite'],
  ])
  await send(list)
  const [now2] = await invitationsOf(list, teacher)
  assert.deepEqual(
    now2?.children.map(({ studentName, withdrawn }) => [studentName, withdrawn]),
    [
      ['Asha Namunawala', true],
      ['किरण नमूनावाला', false],
    ],
  )
  assert.equal((await mailsOf(list)).length, 2, 'one for the invitation, one for the change')
})

test('a list that corrected results have outdated is neither approved nor sent before it is updated', async () => {
  const list = await aList()
  const { event, rows, asha, officer, second } = list
  const code = 'next_level.corrected'
  const sendTo = async () => server.call(sendNextLevel, { body: await shown(list) }, officer)
  assert.equal((await approve(list, second)).result, 'success')
  const worse = rows.map((row) => (row.roll === asha.roll ? { ...row, marks: [1, 20, 20] } : row))
  await releaseRows(server, event, worse)
  await refused(code, sendTo())
  assert.equal((await roundOf(list)).can.send, code)
  assert.equal((await decide(list, 'leave', [list.students[6]?.id ?? 0])).result, 'success')
  await refused(code, server.call(approveNextLevel, { body: await shown(list) }, second))
  assert.equal((await roundOf(list, second)).can.approve, code)
  const { visibleVersion } = await roundOf(list)
  await server.ask(
    takeOverNextLevel,
    { ...(await shown(list)), visibleVersion: visibleVersion ?? 0 },
    officer,
  )
  assert.equal((await approve(list, second)).result, 'success')
  assert.equal((await sendTo()).status, 200)
})

test('a decision by hand survives a correction of the results', async () => {
  const list = await aList()
  const { eventYearId, event, rows, asha, kiran, officer } = list
  await decide(list, 'invite', [asha.id])
  await decide(list, 'leave', [list.students[6]?.id ?? 0])
  const { version } = await releaseRows(
    server,
    event,
    rows.map((row) => (row.roll === asha.roll ? { ...row, marks: [1, 20, 20] } : row)),
  )
  const over = { ...(await shown(list)), visibleVersion: version }
  await server.ask(takeOverNextLevel, { ...over, eventYearId }, officer)
  assert.deepEqual((await statusesOf(list)).sort(), [
    ['Asha Namunawala', 'toInvite'],
    ['Zoya Kalpanik', 'left'],
    [kiran.name, 'toInvite'],
  ])
})
