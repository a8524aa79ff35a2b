import assert from 'node:assert/strict'
import { test } from 'node:test'
import { istDay, seasonAt, seasonBefore } from '@podium/contract/season'
import {
  demoAccounts,
  demoFamilyLink,
  demoOfficers,
  demoPassword,
  demoSchoolLink,
} from '#features/accounts/demo/rules'
import { codeHash, deriveKeys, fullPasswordCost, totpCode } from '#platform/auth/secrets'
import type { OpenedDatabase } from '#platform/db/database'
import { SettingError, type Settings } from '#platform/settings'
import { createLogger } from '#platform/telemetry/logger'
import { seedDemo, signIns } from '../seed/demo.ts'
import { buildApp } from '../src/app.ts'
import { type RunningServer, startServer } from '../src/start.ts'

interface World {
  /** Called once the tests run. */
  database: () => OpenedDatabase
  /** When it was created, or shortly after. */
  now: () => Date
}

export async function rowsOf<Row = Record<string, unknown>>(
  { pool }: OpenedDatabase,
  sql: string,
): Promise<Row[]> {
  return (await pool.query(sql)).rows as Row[]
}

/** Hashes the relevant content of a world, without random values (ids of links, password hashes). */
export const figures = (database: OpenedDatabase) =>
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

/** Tests of the demo world's content, on any database. */
export function holdsTheWorld({ database, now }: World): void {
  const season = seasonAt(now())
  const last = seasonBefore(season)

  test('has three seasons, the current one open, and about three thousand students of twelve schools', async () => {
    const seasons = await rowsOf(
      database(),
      `select s.season, z.state, count(*)::int as students, count(distinct s.school_id)::int as schools
       from students s join seasons z on z.label = s.season group by 1, 2 order by 1`,
    )
    assert.deepEqual(
      seasons.map(({ season, state }) => [season, state]),
      [
        [seasonBefore(last), 'closed'],
        [last, 'closed'],
        [season, 'open'],
      ],
    )
    const students = seasons.reduce((sum, season) => sum + Number(season.students), 0)
    assert.ok(students > 2_800 && students < 3_400, String(students))
    const [schools] = await rowsOf(
      database(),
      `select count(*) as schools, count(distinct state) filter (where country = 'India') as states,
        count(*) filter (where country <> 'India') as abroad, count(*) filter (where zone = 'Abroad') as zone_abroad from schools`,
    )
    assert.deepEqual(schools, { schools: 12, states: 6, abroad: 1, zone_abroad: 1 })
  })

  test('has a notice for all schools in two languages, one for a state, and one that is planned', async () => {
    const notices = await rowsOf(
      database(),
      `select audience, important, body_hi <> '' as hindi, shows_from > '${istDay(now())}' as planned from notices order by id`,
    )
    assert.deepEqual(notices, [
      { audience: 'all', important: true, hindi: true, planned: false },
      { audience: 'state', important: false, hindi: true, planned: false },
      { audience: 'all', important: false, hindi: false, planned: true },
    ])
  })

  test('has work that somebody has taken on, and e-mails that came back', async () => {
    const assigned = await rowsOf(
      database(),
      `select g.kind, s.email from assignments g join staff s on s.id = g.staff_id order by 1`,
    )
    assert.deepEqual(assigned, [
      { kind: 'application', email: 'operations@podium.example' },
      { kind: 'bank-line', email: 'accounts@podium.example' },
      { kind: 'payment', email: 'accounts@podium.example' },
    ])
    const returned = await rowsOf(
      database(),
      `select u.email, b.status, a.address is not null as marked from mail_bounces b join outbox o on o.id = b.outbox_id
         join users u on u.id = o.user_id left join bounced_addresses a on a.address = u.email order by 1`,
    )
    assert.deepEqual(returned, [
      { email: 'arindam@podium.example', status: '5.7.1', marked: false },
      { email: 'rekha@podium.example', status: '5.2.2', marked: true },
    ])
  })

  test('has something in every state', async () => {
    const states = async (sql: string) => (await rowsOf(database(), sql)).map(({ state }) => state)
    assert.deepEqual(
      await states(`select distinct state from payments where season = '${season}' order by 1`),
      ['pending', 'rejected', 'verified'],
    )
    assert.deepEqual(
      await states(
        `select distinct p.status as state from packets p where season = '${season}' and p.status =
           (select status from packet_track t where t.packet_id = p.id order by at desc, id desc limit 1) order by 1`,
      ),
      ['Cancelled', 'Delivered', 'Dispatched', 'In transit', 'Packed', 'Returned'],
    )
    assert.deepEqual(
      await states(
        `select distinct case when paid then 'paid' when payment_id is null then 'unpaid' else 'sent' end as state
         from library_lines order by 1`,
      ),
      ['paid', 'sent', 'unpaid'],
    )
    assert.deepEqual(await states('select distinct state_of_review as state from applications order by 1'), [
      'approved',
      'asked',
      'rejected',
      'submitted',
    ])
    assert.deepEqual(
      await states(
        `select distinct s.state from result_sets s join events e on e.id = s.event_id where e.season = '${last}' order by 1`,
      ),
      ['approved', 'computed', 'imported', 'released', 'superseded'],
    )
    assert.deepEqual(await states('select distinct state from jobs'), ['done'])
  })

  test('adds up: what students owe, what payments cover, what is paid', async () => {
    const wrong = await rowsOf(
      database(),
      `select 'fees' as what, s.id from students s
         where s.reg_amount <> (select sum(fee) from enrolments n where n.student_id = s.id)
           or s.reg_retained <> (select sum(retained) from enrolments n where n.student_id = s.id)
       union all
       select 'books', s.id from students s
         where s.book_amount <> (select coalesce(sum(price), 0) from book_choices b where b.student_id = s.id)
           or s.book_count <> (select count(*) from book_choices b where b.student_id = s.id)
       union all
       select 'lines', p.id from payments p
         where p.payable <> p.gross - p.retained
           or p.gross <> (select sum(gross) from (select payment_id, gross from payment_lines
             union all select payment_id, gross from payment_library_lines) l where l.payment_id = p.id)
           or p.retained <> (select sum(retained) from (select payment_id, retained from payment_lines
             union all select payment_id, retained from payment_library_lines) l where l.payment_id = p.id)
       union all
       select 'library', l.id from library_lines l left join payments p on p.id = l.payment_id
         where l.paid <> (p.state is not distinct from 'verified') or p.state = 'rejected'
       union all
       select 'paid', s.id from students s
         where s.paid <> exists (select from payment_lines l join payments p on p.id = l.payment_id
           where l.student_id = s.id and l.purpose = 'registration' and l.live and p.state = 'verified')
           or s.paid <> (s.exam_roll_no is not null)
       union all
       select 'days', p.id from payments p where p.decided_at < p.submitted_at or p.submitted_at > '${now().toISOString()}'`,
    )
    assert.deepEqual(wrong, [])
  })

  test('numbers its receipts without gaps, in the order of the decisions', async () => {
    const receipts = await rowsOf<{ season: string; receipt_no: string; place: number }>(
      database(),
      `select season, receipt_no, row_number() over (partition by season order by decided_at, id)::int as place
       from payments where state = 'verified' order by season, place`,
    )
    assert.ok(receipts.length > 25)
    for (const { season, receipt_no, place } of receipts)
      assert.equal(receipt_no, `PD${season.slice(5)}/${String(place).padStart(6, '0')}`)
  })

  test('has children who end level, so that a tie-break decides or they share a rank', async () => {
    const [ties] = await rowsOf<{ ties: number }>(
      database(),
      `select count(*) as ties from (select from results where present
        group by set_id, class_id, final_score having count(*) > 1) as level`,
    )
    assert.ok(ties && ties.ties > 20, String(ties?.ties))
  })
}

interface Served {
  settings: Settings
  /** The world and its server: called once the tests run. */
  database: () => OpenedDatabase
  running: () => RunningServer
}

const log = createLogger('error')

/** Tests of how the demo world is served, on any database. */
export function servesTheWorld({ settings, database, running }: Served): void {
  const post = (url: string, payload: object) => running().app.inject({ method: 'POST', url, payload })

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
        await running().app.inject({ method: 'POST', url: '/api/office/Confirm', payload, cookies })
      ).json()
      assert.equal(second.result, 'success', email)
    }
  })

  test('takes the full cost of a guess at its passwords', () => {
    assert.deepEqual(running().deps.keys.passwordCost, fullPasswordCost)
  })

  test('opens its school link and its family link with the codes of the demo page', async () => {
    const { id, code } = demoSchoolLink
    const { result } = (await post('/api/Account/VerifyAccessCode', { id, code })).json()
    assert.equal(result, 'success')
    const [family] = await rowsOf(
      database(),
      `select l.access_code_hash, (select count(*) from students s where s.family_link_id = l.id) as children
       from family_links l where l.id = '${demoFamilyLink.id}'`,
    )
    const hash = codeHash(deriveKeys(settings.secret), demoFamilyLink.id, demoFamilyLink.code)
    assert.deepEqual(family, { access_code_hash: hash, children: 2 })
  })

  test('leaves a world alone that is there, its changes too', async () => {
    const before = await figures(database())
    assert.equal(await seedDemo(running().deps), false)
    assert.deepEqual(await figures(database()), before)
  })

  test('has pages with links, codes and mails', async () => {
    const page = await running().app.inject('/demo')
    assert.equal(page.statusCode, 200)
    for (const expected of [demoPassword, demoSchoolLink.code, demoFamilyLink.code, 'meera@podium.example'])
      assert.ok(page.body.includes(expected), expected)
    assert.doesNotMatch(page.body, /<script|style="/)
    await running().outbox.drain()
    const mails = await running().app.inject('/demo/mail')
    const [, address = ''] = /href="(\/demo\/mail\/[^"]*verified[^"]*)"/.exec(mails.body) ?? []
    const mail = await running().app.inject(address)
    assert.match(mail.body, /Receipt-PD\d{2}-\d{6}\.pdf/)
    const receipt = await running().app.inject(`${address}/0`)
    assert.equal(receipt.headers['content-type'], 'application/pdf')
    assert.match(String(receipt.headers['content-disposition']), /^attachment;/)
    assert.equal(receipt.rawPayload.subarray(0, 5).toString(), '%PDF-')
    assert.equal((await running().app.inject('/demo/mail/..%2f..%2fsecret')).statusCode, 404)
  })

  const pages = ['/demo', '/demo/mail', '/demo/demo.css', '/demo/anything']

  test('has no pages where the demo mode is off', async () => {
    const off = await buildApp({ ...running().deps, settings: { ...settings, demo: false } })
    for (const url of pages) assert.equal((await off.inject(url)).statusCode, 404, url)
    await off.close()
  })

  test('is not served where the demo mode is off: its passwords are known to everybody', async () => {
    const start = startServer({
      settings: { ...settings, demo: false },
      log,
      database: database(),
      onFatal: () => undefined,
    })
    await assert.rejects(
      start,
      (error) => error instanceof SettingError && /^DEMO is off/.test(error.message),
    )
  })

  test('has no pages on a database that is no demo world', async () => {
    await database().db.updateTable('foundation').set({ demo: false }).execute()
    for (const url of pages) assert.equal((await running().app.inject(url)).statusCode, 404, url)
    await database().db.updateTable('foundation').set({ demo: true }).execute()
  })
}
