import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteSeason, firstSeason, officeSeasons } from '@podium/contract/catalogue/calls-seasons'
import { catalogueMessages } from '@podium/contract/catalogue/messages'
import type { BodyOf } from '@podium/contract/endpoint'
import { officeWaiting } from '@podium/contract/office/calls-overview'
import { sql } from 'kysely'
import { whileHeld } from '#test/database'
import { aDay, anOfficer, aSchool, aSeason, season } from '#test/factories'
import { auditLines } from '#test/file-call'
import { aFoundation } from '#test/payments-factories'
import { valuesOf } from '#test/rows'
import { beforehand, testServer } from '#test/server'

const server = beforehand(() => testServer({ clock: () => aDay }))

test('an installation without a season makes its first, once: this one or the next, with days within it; its office is told what is left to do', async () => {
  const owner = await anOfficer('owner')
  const steps = async (who = owner) => (await server.ask(officeWaiting, {}, who)).firstSteps
  const nothing = {
    season: false,
    events: false,
    people: false,
    accounts: false,
    open: false,
    schools: false,
  }
  assert.deepEqual(await steps(), nothing)
  assert.equal(await steps(await anOfficer('viewer')), null, 'who may not take the steps is not told of them')
  assert.deepEqual((await steps())?.people, true, 'the second has come')
  assert.deepEqual((await server.ask(officeSeasons, {}, owner)).next, { FYear: '2026-27', from: null })

  const days = { feeDueOn: '2026-12-15', resultsFrom: '2027-02-15', dateChoiceDays: 30 }
  const body = { FYear: season('2026-27'), ...days, share: { kind: 'perHead' } } as const
  const made = (change: Partial<BodyOf<typeof firstSeason>>, who = owner) =>
    server.call(firstSeason, { body: { ...body, ...change } }, who)
  for (const [change, path, message] of [
    [{ FYear: season('2025-26') }, 'FYear', catalogueMessages.firstSeason],
    [{ FYear: season('2028-29') }, 'FYear', catalogueMessages.firstSeason],
    [{ feeDueOn: '2026-03-31' }, 'feeDueOn', catalogueMessages.dayOutsideSeason],
    [{ resultsFrom: '2026-12-15' }, 'resultsFrom', catalogueMessages.resultsBeforeFees],
  ] as const) {
    const { status, body: said } = await made(change)
    assert.equal(status, 400)
    assert.deepEqual(
      said.issues?.find((issue) => issue.path === path),
      { path, message },
    )
  }
  assert.equal((await made({}, await anOfficer('accounts'))).status, 403)

  const nextDays = { feeDueOn: '2027-12-15', resultsFrom: '2028-02-15' }
  const both = await whileHeld(sql`lock table seasons in share row exclusive mode`, [
    () => made({}),
    () => made({ FYear: season('2027-28'), ...nextDays }),
  ])
  assert.deepEqual(valuesOf(both, 'status').sort(), [200, 409], 'of two at once one makes it')
  const { data } = await server.ask(officeSeasons, {}, owner)
  assert.deepEqual(valuesOf(data, 'state', 'events'), [['preparing', 0]])
  const [first] = data
  assert.deepEqual(
    (await server.ask(officeSeasons, {}, owner)).noAccount,
    ['registration', 'books'],
    'who opens it is told that nobody could pay',
  )
  assert.equal((await made({})).body.code, 'catalogue.season_exists')
  const told = await auditLines(['action'], { subject_kind: 'season' })
  assert.deepEqual(told, [{ action: 'season.made' }])
  assert.deepEqual(await steps(), { ...nothing, people: true, season: true })
  await server.ask(deleteSeason, { FYear: season(first?.FYear ?? ''), version: 1 }, owner)
})

test('a new office is told of its first steps until schools can enter students and pay', async () => {
  const owner = await anOfficer('owner')
  const steps = async () => (await server.ask(officeWaiting, {}, owner)).firstSteps
  await aSeason()
  const before = await steps()
  assert.deepEqual(
    [before?.season, before?.events, before?.open, before?.accounts],
    [true, true, true, false],
  )
  await aSchool()
  assert.equal((await steps())?.schools, true, 'there is nowhere yet to pay to')
  await aFoundation()
  assert.equal(await steps(), null)
})
