import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { officeResultEvent, saveResultRules } from '@podium/contract/results/calls-office'
import { rulesOfEvent, tryRules, whatIfState } from '@podium/contract/results/calls-what-if'
import type { EventRules } from '@podium/contract/results/schemas'
import { aDay, anOfficer } from '#test/factories'
import { type AnEvent, anEvent, candidates, computeRows } from '#test/results-factories'
import { type TestServer, testServer } from '#test/server'

let server: TestServer
before(async () => {
  server = await testServer({ clock: () => aDay })
})

/** Last season's event with ten who sat, the first two of them equal but for the sections; this season's beside it. */
async function twoSeasons(letter: string, level = 1) {
  const last = await anEvent({ letter, level })
  const students = await candidates(
    last,
    Array.from({ length: 10 }, () => ({})),
  )
  const rows = students.map(({ roll }, i) => ({
    roll,
    marks: i === 0 ? [8, 30, 40] : i === 1 ? [6, 32, 40] : [2, 20, 30 - i],
  }))
  const computed = await computeRows(server, last, rows)
  const event = await anEvent({ letter, level })
  return { last, event, students, computed, token: computed.token }
}

async function rulesFor(event: AnEvent, token: string) {
  const { body } = await server.call(rulesOfEvent, { query: { eventYearId: String(event.id) } }, { token })
  const rules = body.versions[0]?.rules
  assert(rules)
  return { ...body, rules }
}

async function tried(event: AnEvent, rules: EventRules, token: string, on: 'event' | 'season' = 'event') {
  const { status, body } = await server.call(
    tryRules,
    { body: { eventYearId: event.id, rules, on } },
    { token },
  )
  assert.equal(status, 200, body.message)
  await server.jobs.drain()
  const found = await server.call(whatIfState, { query: { jobId: body.jobId } }, { token })
  assert.equal(found.body.job.state, 'done', found.body.job.error ?? '')
  return found.body.events
}

const stored = (setId: number) =>
  server.deps.db.selectFrom('results').selectAll().where('set_id', '=', setId).orderBy('student_id').execute()

test('the same rules change nobody, and a trial writes no result', async () => {
  const { event, computed, token, last } = await twoSeasons('M')
  const before = await stored(computed.setId)
  const { rules, base } = await rulesFor(event, token)
  assert.deepEqual(base, { FYear: last.season, students: 10, events: 1 })
  const [same] = await tried(event, rules, token)
  assert(same)
  assert.deepEqual([same.students, same.ranks, same.touched, same.children], [10, 0, 0, []])
  assert.deepEqual(same.medal, { before: 3, after: 3, gained: 0, lost: 0, changed: 0, kept: 3 })
  await tried(event, { ...rules, medals: [] }, token)
  assert.deepEqual(await stored(computed.setId), before)
  const leftOver = await server.deps.db
    .selectFrom('result_sets')
    .select('state')
    .where('id', '=', computed.setId)
    .execute()
  assert.deepEqual(leftOver, [{ state: 'computed' }])
})

test('another tie-break tells who would change places, and the medals with them', async () => {
  const { event, students, token } = await twoSeasons('S')
  const { rules } = await rulesFor(event, token)
  const tieBreak = ['Reasoning', 'Achievers section', 'Everyday']
  const [found] = await tried(event, { ...rules, tieBreak }, token)
  assert(found)
  assert.deepEqual([found.ranks, found.touched], [2, 2])
  assert.deepEqual(found.medal, { before: 3, after: 3, gained: 0, lost: 0, changed: 2, kept: 1 })
  const first = found.children.find((child) => child.examRollNo === students[0]?.roll)
  assert.deepEqual([first?.rank, first?.newRank], [1, 2])
  assert.deepEqual(first?.changes[0], { field: 'medal', from: 'Gold', to: 'Silver' })
})

test('a stricter way to the next level and fewer medals say who would lose them', async () => {
  const { event, token } = await twoSeasons('E')
  const { rules } = await rulesFor(event, token)
  assert(rules.nextLevel)
  const strict: EventRules = {
    ...rules,
    medals: rules.medals.filter(({ medal }) => medal === 'Gold'),
    ladders: [],
    nextLevel: {
      ...rules.nextLevel,
      clauses: [{ by: 'olympiad', upToRank: 1, percent: 50, minimumPool: 0 }],
    },
  }
  const [found] = await tried(event, strict, token)
  assert(found)
  assert.deepEqual(found.medal, { before: 3, after: 1, gained: 0, lost: 2, changed: 0, kept: 1 })
  assert.equal(found.nextLevel.after, 1)
  assert.equal(found.nextLevel.lost, found.nextLevel.before - 1)
  assert.equal(found.prize.after + found.award.after, 0)
})

test('what is changed can be tried on every subject of that season', async () => {
  const { event, last, token } = await twoSeasons('M', 2)
  const { db } = server.deps
  const other = await anEvent({ letter: 'G' })
  await db.updateTable('events').set({ season: last.season, level: 2 }).where('id', '=', other.id).execute()
  const all = await candidates(
    { ...other, season: last.season },
    Array.from({ length: 10 }, () => ({})),
  )
  await computeRows(
    server,
    other,
    all.map(({ roll }, i) => ({ roll, marks: [0, 0, 40 - i] })),
  )
  const { rules } = await rulesFor(event, token)
  const found = await tried(event, { ...rules, medals: [] }, token, 'season')
  assert.deepEqual(
    found.map(({ eventLetter, medal }) => [eventLetter, medal.lost]),
    [
      ['M', 3],
      ['G', 3],
    ],
  )
  assert.equal(found[1]?.nextLevel.before, found[1]?.nextLevel.after)
})

test('each save of the rules is a version with its reason; the old ones stay to be read', async () => {
  const event = await anEvent()
  const { token } = await anOfficer('results')
  const { rules } = await rulesFor(event, token)
  const save = (rulesVersion: number, change: Partial<EventRules>, note: string) =>
    server.call(
      saveResultRules,
      { body: { eventYearId: event.id, rulesVersion, rules: { ...rules, ...change }, note } },
      { token },
    )
  assert.equal((await save(1, { onePrize: false }, 'Two prizes are allowed now')).status, 200)
  assert.equal((await save(2, { medals: [] }, 'No medals')).status, 200)
  assert.equal((await save(2, {}, 'Late')).body.code, 'changed_meanwhile')
  const { versions, rulesVersion } = await rulesFor(event, token)
  assert.equal(rulesVersion, 3)
  assert.deepEqual(
    versions.map(({ version, note, rules: one }) => [version, note, one.onePrize, one.medals.length]),
    [
      [3, 'No medals', true, 0],
      [2, 'Two prizes are allowed now', false, 3],
      [1, '', true, 3],
    ],
  )
  const { body } = await server.call(
    officeResultEvent,
    { query: { eventYearId: String(event.id) } },
    { token },
  )
  assert.deepEqual(body.rules.medals, [])
})

test('a trial is refused for rules that do not fit, without an earlier season, and to who may not change rules', async () => {
  const event = await anEvent({ letter: 'H' })
  const { token } = await anOfficer('owner')
  const { rules, base } = await rulesFor(event, token)
  assert.equal(base, null)
  const ask = (some: Partial<EventRules>, as = token) =>
    server.call(
      tryRules,
      { body: { eventYearId: event.id, rules: { ...rules, ...some }, on: 'event' } },
      { token: as },
    )
  const none = await ask({})
  assert.deepEqual([none.status, none.body.code], [409, 'catalogue.no_results'])
  assert.equal((await ask({ tieBreak: ['Nothing'] })).body.code, 'results.rules_unfit')
  assert.equal((await ask({}, (await anOfficer('operations')).token)).status, 403)
})
