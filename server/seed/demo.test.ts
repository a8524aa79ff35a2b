import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { istDay, parseSeason, type Season } from '@podium/contract/season'
import {
  demoAccounts,
  demoFamilyLink,
  demoOfficers,
  demoPassword,
  demoSchoolLink,
} from '#features/demo/rules'
import type { OpenedDatabase } from '#platform/database'
import { createFileStore } from '#platform/files'
import { createLogger } from '#platform/logger'
import { codeHash, deriveKeys, fullPasswordCost } from '#platform/secrets'
import { readSettings, SettingError } from '#platform/settings'
import { totpCode } from '#platform/totp'
import { migratedDatabase, temporaryFolder, testDatabase, testedKind } from '#test/database'
import { holdsTheWorld, rowsOf } from '#test/demo-world'
import { aDay } from '#test/factories'
import { buildApp } from '../src/app.ts'
import { type Running, startServer } from '../src/start.ts'
import { currentSeason } from './calendar.ts'
import { seedDemo } from './demo.ts'
import { signIns } from './sign-ins.ts'

const log = createLogger('error')
const dataDir = temporaryFolder('podium-demo-')
const settings = readSettings({ DATA_DIR: dataDir, SECRET: 'a secret that only the tests know, long enough' })

const seed = (database: OpenedDatabase, say?: (line: string) => Promise<void>) =>
  seedDemo(
    {
      db: database.db,
      database,
      settings,
      keys: deriveKeys(settings.secret),
      files: createFileStore(dataDir),
      clock: () => aDay,
      log,
      limits: {
        take: async () => {
          throw new Error('the demo world asks no limit')
        },
        giveBack: async () => {
          throw new Error('the demo world asks no limit')
        },
        forget: async () => {
          throw new Error('the demo world asks no limit')
        },
      },
      databaseKind: database.kind,
    },
    say,
  )

/** A start on this database with the demo mode off. */
const start = (database: OpenedDatabase) =>
  startServer({ settings: { ...settings, demo: false }, log, database, onFatal: () => undefined })

/** Everything that counts of a world, without what chance makes (ids of links, hashes of passwords). */
const figures = (database: OpenedDatabase) =>
  rowsOf(
    database,
    `select md5(string_agg(t::text, '|' order by t)) as hash, count(*) as rows from (
      select concat_ws(',', h.code, s.season, s.class_id, s.section, s.roll_no, s.name, s.parent_mobile, s.letters, s.cb, s.reg_amount,
        s.book_amount, s.active, s.paid, s.locked, s.exam_roll_no, s.created_at) as t
      from students s join schools h on h.id = s.school_id
      union all
      select concat_ws(',', h.code, p.season, p.purpose, p.reference, p.payable, p.state, p.receipt_no, p.utr, p.proof_sha256, p.decided_at)
      from payments p join schools h on h.id = p.school_id
      union all
      select concat_ws(',', h.code, l.season, l.class_id, l.kind, l.quantity, l.price, l.retained, l.paid, l.created_at)
      from library_lines l join schools h on h.id = l.school_id
      union all
      select concat_ws(',', r.exam_roll_no, r.event_id, r.final_score, r.class_rank, r.olympiad_rank, r.medal, r.prize) from results r
    ) as all_of_it`,
  )

/**
 * On the embedded database the browser's tests make the world with the real program, and `e2e/demo-world.test.ts` asks the
 * same of it; one that was cut off goes with its folder (embedded.test.ts), so it is never made anew.
 */
const skip = testedKind === 'embedded' && 'its turn is TEST_DATABASE=postgres'

/** What the world is when all but the season that runs is made. Interrupted then, nothing more of it is made. */
async function pastSeasons(database: OpenedDatabase, interrupt: boolean) {
  const killed = new Error('killed')
  let found: Awaited<ReturnType<typeof figures>> = []
  const world = seed(database, async (line) => {
    if (!line.includes('2026-27')) return
    found = await figures(database)
    if (interrupt) throw killed
  })
  if (interrupt) await assert.rejects(world, killed)
  else assert.equal(await world, true)
  return found
}

describe('the demo world', { skip }, () => {
  let database: OpenedDatabase
  let running: Running
  let made: Array<Awaited<ReturnType<typeof pastSeasons>>>

  before(async () => {
    database = await migratedDatabase()
    made = [await pastSeasons(database, true)]
    // Half of its people can sign in already
    await assert.rejects(start(database), SettingError)
    made.push(await pastSeasons(database, false))
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

  const post = (url: string, payload: object) => running.app.inject({ method: 'POST', url, payload })

  holdsTheWorld({ database: () => database, now: () => aDay })

  test('lets everybody in who is printed at the start', async () => {
    const printed = signIns(settings.publicUrl)
    for (const { email } of demoAccounts) {
      assert.ok(printed.includes(email))
      const { result } = (await post('/api/Account/Login', { emailId: email, password: demoPassword })).json()
      assert.equal(result, 'success', email)
    }
    for (const { email, totpSecret } of demoOfficers) {
      assert.ok(printed.includes(email))
      const first = await post('/api/office/SignIn', { emailId: email, password: demoPassword })
      assert.equal(first.json().result, 'success', email)
      const cookies = Object.fromEntries(first.cookies.map(({ name, value }) => [name, value]))
      const code = totpCode(totpSecret, new Date())
      const payload = { code }
      const second = (
        await running.app.inject({ method: 'POST', url: '/api/office/Confirm', payload, cookies })
      ).json()
      assert.equal(second.result, 'success', email)
    }
  })

  test('takes the full cost of a guess at its passwords', () => {
    assert.deepEqual(running.deps.keys.passwordCost, fullPasswordCost)
  })

  test('opens its school link and its family link with the codes of the demo page', async () => {
    const { id, code } = demoSchoolLink
    const { result } = (await post('/api/Account/VerifyAccessCode', { id, code })).json()
    assert.equal(result, 'success')
    const [family] = await rowsOf(
      database,
      `select l.access_code_hash, (select count(*) from students s where s.family_link_id = l.id) as children
       from family_links l where l.id = '${demoFamilyLink.id}'`,
    )
    const hash = codeHash(deriveKeys(settings.secret), demoFamilyLink.id, demoFamilyLink.code)
    assert.deepEqual(family, { access_code_hash: hash, children: 2 })
  })

  test('leaves a world alone that is there, its changes too', async () => {
    const before = await figures(database)
    assert.equal(await seed(database), false)
    assert.deepEqual(await figures(database), before)
  })

  test('is made anew, the same, after it was interrupted', () => {
    const [interrupted, anew] = made
    assert.ok(Number(interrupted?.[0]?.rows) > 5000, JSON.stringify(interrupted))
    assert.deepEqual(anew, interrupted)
  })

  test('has pages with links, codes and mails', async () => {
    const page = await running.app.inject('/demo')
    assert.equal(page.statusCode, 200)
    for (const told of [demoPassword, demoSchoolLink.code, demoFamilyLink.code, 'meera@podium.example'])
      assert.ok(page.body.includes(told), told)
    assert.doesNotMatch(page.body, /<script|style="/)
    await running.outbox.drain()
    const mails = await running.app.inject('/demo/mail')
    const [, address = ''] = /href="(\/demo\/mail\/[^"]*verified[^"]*)"/.exec(mails.body) ?? []
    const mail = await running.app.inject(address)
    assert.match(mail.body, /Receipt-PD27-\d{6}\.pdf/)
    const receipt = await running.app.inject(`${address}/0`)
    assert.equal(receipt.headers['content-type'], 'application/pdf')
    assert.match(String(receipt.headers['content-disposition']), /^attachment;/)
    assert.equal(receipt.rawPayload.subarray(0, 5).toString(), '%PDF-')
    assert.equal((await running.app.inject('/demo/mail/..%2f..%2fsecret')).statusCode, 404)
  })

  const pages = ['/demo', '/demo/mail', '/demo/demo.css', '/demo/anything']

  test('has no pages where the demo mode is off', async () => {
    const off = await buildApp({ ...running.deps, settings: { ...settings, demo: false } })
    for (const url of pages) assert.equal((await off.inject(url)).statusCode, 404, url)
    await off.close()
  })

  test('is not served where the demo mode is off: its passwords are known to everybody', async () => {
    const start = startServer({
      settings: { ...settings, demo: false },
      log,
      database,
      onFatal: () => undefined,
    })
    await assert.rejects(
      start,
      (error) => error instanceof SettingError && /^DEMO is off/.test(error.message),
    )
  })

  test('has no pages on a database that is no demo world', async () => {
    await database.db.updateTable('foundation').set({ demo: false }).execute()
    for (const url of pages) assert.equal((await running.app.inject(url)).statusCode, 404, url)
    await database.db.updateTable('foundation').set({ demo: true }).execute()
  })
})

test('the demo world is not made where somebody has begun', async () => {
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

test('the current season is usable on whatever day the demo is started', () => {
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
      shares.toSorted((one, other) => one - other),
    )
  }
})
