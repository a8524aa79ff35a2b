import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteSeason, firstSeason, officeSeasons } from '@podium/contract/catalogue/calls-seasons'
import type { BodyOf } from '@podium/contract/endpoint'
import { officeWaiting } from '@podium/contract/office/calls-overview'
import { officeMessages } from '@podium/contract/office/messages'
import { sql } from 'kysely'
import { whileHeld } from '#test/database'
import { aDay, anOfficer, aSchool, aSeason, season } from '#test/factories'
import { auditLines } from '#test/file-call'
import { aFoundation } from '#test/payments-factories'
import { valuesOf } from '#test/rows'
import { beforehand, refused, testServer } from '#test/server'

const server = beforehand(() => testServer({ clock: () => aDay }))

test('an installation without a season creates its first, once, and shows the office its next steps', async () => {
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
  assert.equal(await steps(await anOfficer('viewer')), null, 'only those who may take the steps see them')
  assert.deepEqual((await steps())?.people, true, 'a second person has joined')
  assert.deepEqual((await server.ask(officeSeasons, {}, owner)).next, { FYear: '2026-27', from: null })

  const days = { feeDueOn: '2026-12-15', resultsFrom: '2027-02-15', dateChoiceDays: 30 }
  const body = { FYear: season('2026-27'), ...days, share: { kind: 'perHead' } } as const
  const create = (change: Partial<BodyOf<typeof firstSeason>>, who = owner) =>
    server.call(firstSeason, { body: { ...body, ...change } }, who)
  for (const [change, path, message] of [
    [{ FYear: season('2025-26') }, 'FYear', officeMessages.firstSeason],
    [{ FYear: season('2028-29') }, 'FYear', officeMessages.firstSeason],
    [{ feeDueOn: '2026-03-31' }, 'feeDueOn', officeMessages.dayOutsideSeason],
    [{ resultsFrom: '2026-12-15' }, 'resultsFrom', officeMessages.resultsBeforeFees],
  ] as const) {
    const { status, body: answer } = await create(change)
    assert.equal(status, 400)
    assert.deepEqual(
      answer.issues?.find((issue) => issue.path === path),
      { path, message },
    )
  }
  assert.equal((await create({}, await anOfficer('accounts'))).status, 403)

  const nextDays = { feeDueOn: '2027-12-15', resultsFrom: '2028-02-15' }
  const both = await whileHeld(sql`lock table seasons in share row exclusive mode`, [
    () => create({}),
    () => create({ FYear: season('2027-28'), ...nextDays }),
  ])
  assert.deepEqual(valuesOf(both, 'status').sort(), [200, 409], 'of two at once, one creates it')
  const { data } = await server.ask(officeSeasons, {}, owner)
  assert.deepEqual(valuesOf(data, 'state', 'events'), [['preparing', 0]])
  const [first] = data
  assert.deepEqual(
    (await server.ask(officeSeasons, {}, owner)).noAccount,
    ['registration', 'books'],
    'no account to pay to yet',
  )
  await refused('catalogue.season_exists', create({}))
  const lines = await auditLines(['action'], { subject_kind: 'season' })
  assert.deepEqual(lines, [{ action: 'season.made' }])
  assert.deepEqual(await steps(), { ...nothing, people: true, season: true })
  await server.ask(deleteSeason, { FYear: season(first?.FYear ?? ''), version: 1 }, owner)
})

test('a new office sees its first steps until schools can enter students and pay', async () => {
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
