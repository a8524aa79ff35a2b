import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { istDay, parseSeason, type Season } from '@podium/contract/season'
import { deriveKeys } from '#platform/auth/secrets'
import { watchSecurity } from '#platform/auth/security-events'
import type { OpenedDatabase } from '#platform/db/database'
import { primaryReads } from '#platform/db/database-replica'
import { createFileStore } from '#platform/files/files'
import { readSettings, SettingError } from '#platform/settings'
import { createLogger } from '#platform/telemetry/logger'
import { migratedDatabase, saveDatabase, temporaryFolder, testDatabase } from '#test/database'
import { tablesWithRows } from '#test/database-reset'
import { figures, holdsTheWorld, rowsOf, servesTheWorld } from '#test/demo-served'
import { aDay } from '#test/factories'
import { type RunningServer, startServer } from '../src/start.ts'
import { currentSeason } from './calendar.ts'
import { seedDemo } from './demo.ts'

const log = createLogger('error')
const dataDir = temporaryFolder('podium-demo-')
const settings = readSettings({ DATA_DIR: dataDir, SECRET: 'a secret that only the tests know, long enough' })

const noLimit = async () => {
  throw new Error('the demo world asks no limit')
}

const seed = (database: OpenedDatabase, say?: (line: string) => Promise<void>) =>
  seedDemo(
    {
      db: database.db,
      reads: primaryReads(database.db),
      database,
      settings,
      keys: deriveKeys(settings.secret),
      files: createFileStore(dataDir),
      clock: () => aDay,
      log,
      security: watchSecurity(log),
      alarm: async () => {
        throw new Error('the demo world sets off no alarm')
      },
      limits: {
        passes: noLimit,
        take: noLimit,
        giveBack: noLimit,
        forget: noLimit,
        noteKnown: noLimit,
        isKnown: noLimit,
      },
    },
    say,
  )

/** Starts the server on this database with the demo mode off. */
const start = (database: OpenedDatabase) =>
  startServer({ settings: { ...settings, demo: false }, log, database, onFatal: () => undefined })

/**
 * Returns the state of the world when all but the current season is made. If interrupted at that point, nothing more is
 * made.
 */
async function pastSeasons(database: OpenedDatabase, interrupt: boolean) {
  const killed = new Error('killed')
  let state: Awaited<ReturnType<typeof figures>> = []
  const world = seed(database, async (line) => {
    if (!line.includes('2026-27')) return
    state = await figures(database)
    if (interrupt) throw killed
  })
  if (interrupt) await assert.rejects(world, killed)
  else assert.equal(await world, true)
  return state
}

describe('the demo world', () => {
  let database: OpenedDatabase
  let running: RunningServer
  let worlds: Array<Awaited<ReturnType<typeof pastSeasons>>>

  before(async () => {
    database = await migratedDatabase()
    worlds = [await pastSeasons(database, true)]
    // Half of its people can already sign in
    await assert.rejects(start(database), SettingError)
    worlds.push(await pastSeasons(database, false))
    database = await saveDatabase('the demo world', database, dataDir)
    running = await startServer({
      settings,
      log,
      database,
      limitScale: 1000,
      onFatal: (error) => {
        throw error
      },
    })
  })

  after(async () => {
    await running?.stop()
    await database?.close()
  })

  holdsTheWorld({ database: () => database, now: () => aDay })
  servesTheWorld({ settings, database: () => database, running: () => running })

  test('is created again, identical, after an interrupted start', () => {
    const [interrupted, anew] = worlds
    assert.ok(Number(interrupted?.[0]?.rows) > 5000, JSON.stringify(interrupted))
    assert.deepEqual(anew, interrupted)
  })

  test('keeps what the migrations have filled in, though an interrupted world was wiped', async () => {
    const filled = await tablesWithRows((await testDatabase()).pool)
    const world = await tablesWithRows(database.pool)
    assert.deepEqual(
      filled.filter((name) => !world.includes(name)),
      [],
    )
    assert.ok(filled.length > 5)
  })
})

test('the demo world is not created in a database that is already in use', async () => {
  const database = await testDatabase()
  await database.db
    .insertInto('staff')
    .values({ email: 'first@foundation.example', name: 'Anand Udaharan', role: 'owner', created_at: aDay })
    .execute()
  assert.equal(await seed(database), false)
  assert.deepEqual(await rowsOf(database, 'select count(*) as schools from schools'), [{ schools: 0 }])
})

function labelled(label: string): Season {
  const season = parseSeason(label)
  if (!season) throw new Error(label)
  return season
}

test('the current season is usable on whatever day the demo starts', () => {
  const cases: Array<[day: string, label: string, closesOn: string]> = [
    ['2026-04-01', '2026-27', '2026-11-30'],
    ['2026-10-31', '2026-27', '2026-11-30'],
    ['2026-11-21', '2026-27', '2026-12-21'],
    ['2027-02-10', '2026-27', '2027-03-12'],
    ['2027-03-20', '2026-27', '2027-03-31'],
  ]
  for (const [day, label, closesOn] of cases) {
    const now = new Date(`${day}T04:00:00Z`)
    const season = currentSeason(now)
    assert.equal(season.label, labelled(label))
    assert.equal(season.days.closesOn, closesOn, day)
    assert.ok(season.days.firstExamOn > closesOn)
    assert.ok(season.at(1) <= now, 'nothing happens in the future')
    assert.ok(istDay(season.at(0)) >= `${label.slice(0, 4)}-04-01`, 'nothing happens before the season')
    const shares = Array.from({ length: 101 }, (_, share) => season.at(share / 100).getTime())
    assert.deepEqual(
      shares,
      shares.toSorted((a, b) => a - b),
    )
  }
})
