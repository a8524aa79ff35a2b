import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { searchResults } from '@podium/contract/results/calls'
import { holdResults } from '@podium/contract/results/calls-office'
import { aDay, anOfficer } from '#test/factories'
import { anEvent, candidates, searchBody } from '#test/results-factories'
import { aFamilyOf, aReleasedEvent, readBy } from '#test/results-public-factories'
import { type TestServer, testServer } from '#test/server'

let server: TestServer
before(async () => {
  server = await testServer({ clock: () => aDay })
})

test('a family reads the released results of its own children, with score, ranks and the reasons, and nobody else', async () => {
  const { event, students, idOf } = await aReleasedEvent(server)
  const [first, , , fourth] = students
  assert(first && fourth)
  const { token } = await aFamilyOf(server, [first, fourth], event.season)
  const children = await readBy(server, token)
  assert.deepEqual(
    children.map(({ individualRegId }) => individualRegId),
    [first.id, fourth.id],
  )
  const [asha, dev] = children.map(({ results }) => results[0])
  assert.equal(asha?.state, 'released')
  assert.equal(asha?.result?.resultId, idOf(0))
  assert.deepEqual(
    asha?.result?.ranks.map(({ scope, rank, pool }) => [scope, rank, pool]),
    [
      ['class', 1, 5],
      ['state', 2, 6],
      ['zonal', 2, 6],
      ['olympiad', 2, 6],
    ],
  )
  assert.deepEqual(asha?.result?.medalRules, [
    { medal: 'Gold', classRank: 1, minimumPool: 5, pool: 5, met: true },
  ])
  assert.deepEqual([asha?.result?.prize, asha?.result?.prizeAmount], ['Prize of ₹15,000', 15_000])
  assert.equal(asha?.result?.eligibility?.eligible, true)
  assert.deepEqual([dev?.result?.score.rawMarks, dev?.result?.eligibility?.eligible], [40, false])
  assert.doesNotMatch(JSON.stringify(children), /Kalpanik|Chetan|किरण/)
})

test('a family whose school is held reads that, and neither the result nor the reason', async () => {
  const { event, school, students } = await aReleasedEvent(server)
  const [first] = students
  assert(first)
  const { token } = await anOfficer('results')
  const held = { eventYearId: event.id, schCode: school.code, reason: 'Two sheets are compared.' }
  await server.call(holdResults, { body: held }, { token })
  const family = await aFamilyOf(server, [first], event.season)
  const children = await readBy(server, family.token)
  assert.deepEqual(
    children[0]?.results.map(({ state, result }) => [state, result]),
    [['held', null]],
  )
  assert.doesNotMatch(JSON.stringify(children), /sheets/)
})

test('before the release a family reads when results are expected, and of an absent child that it did not sit', async () => {
  const event = await anEvent()
  const [child] = await candidates(event, [{}])
  assert(child)
  const expectedOn = '2031-01-15'
  await server.deps.db
    .updateTable('seasons')
    .set({ results_from: expectedOn })
    .where('label', '=', event.season)
    .execute()
  const awaiting = await aFamilyOf(server, [child], event.season)
  const [before] = await readBy(server, awaiting.token)
  assert.deepEqual(
    before?.results.map(({ state, expectedOn: day, result }) => [state, day, result]),
    [['awaited', expectedOn, null]],
  )
  const released = await aReleasedEvent(server)
  const absent = released.students[5]
  const [unpaid] = await candidates(released.event, [{ schoolId: released.school.id }])
  assert(absent && unpaid)
  const { token } = await aFamilyOf(server, [absent, unpaid], released.event.season)
  const after = await readBy(server, token)
  assert.deepEqual(
    after.map(({ results }) => [results[0]?.state, results[0]?.result]),
    [
      ['absent', null],
      ['none', null],
    ],
  )
})

test('a gift certificate is linked to by https alone, whatever the database holds [spec 2.12.3]', async () => {
  const { event, students, setId, teacher } = await aReleasedEvent(server)
  const [first] = students
  assert(first)
  const { token } = await aFamilyOf(server, [first], event.season)
  const linked = async (coupon_link: string) => {
    const row = server.deps.db.updateTable('results').set({ coupon_link }).where('set_id', '=', setId)
    await row.where('student_id', '=', first.id).execute()
    const [child] = await readBy(server, token)
    const { body } = await server.call(searchResults, { body: searchBody(event) }, teacher)
    return [child?.results[0]?.result?.couponLink, body.data[0]?.couponLink]
  }
  const good = 'https://coupons.example/cup'
  assert.deepEqual(await linked(good), [good, good])
  for (const bad of ['javascript:alert(1)', 'http://coupons.example/cup', 'data:text/html,x', '//x.example'])
    assert.deepEqual(await linked(bad), ['', ''])
})

/** The same child, a season later. */
async function nextYear(name: string, schoolId: number) {
  const event = await anEvent()
  const [child] = await candidates(event, [{ name, schoolId, classId: 8 }])
  assert(child)
  const { db } = server.deps
  for (const student of [child]) {
    const name_key = name.toLowerCase()
    await db.updateTable('students').set({ name_key }).where('id', '=', student.id).execute()
  }
  return { event, child }
}

test("last season's result stands at the child of this season where school, mobile and name are the same, never by less", async () => {
  const last = await aReleasedEvent(server)
  const [asha, kiran] = last.students
  assert(asha && kiran)
  const mobile = '9000012345'
  await aFamilyOf(server, [asha, kiran], last.event.season, mobile)
  const { event, child } = await nextYear('Asha Namunawala', last.school.id)
  const seen = async (token: string) => {
    const children = await readBy(server, token)
    return children.flatMap(({ individualRegId, results }) =>
      results.map(({ fyear, state }) => [individualRegId === child.id, fyear, state]),
    )
  }
  const same = await aFamilyOf(server, [child], event.season, mobile)
  assert.deepEqual(await seen(same.token), [
    [true, event.season, 'awaited'],
    [true, last.event.season, 'released'],
  ])
  const otherMobile = await aFamilyOf(server, [child], event.season, '9000054321')
  assert.deepEqual(await seen(otherMobile.token), [[true, event.season, 'awaited']])
  const without = await aFamilyOf(server, [child], event.season)
  assert.deepEqual(await seen(without.token), [[true, event.season, 'awaited']])
  const elsewhere = await nextYear('Asha Namunawala', last.other.id)
  const otherSchool = await aFamilyOf(server, [elsewhere.child], elsewhere.event.season, mobile)
  const children = await readBy(server, otherSchool.token)
  assert.deepEqual(
    children[0]?.results.map(({ state }) => state),
    ['awaited'],
  )
})
