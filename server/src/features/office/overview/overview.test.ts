import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  exportMails,
  mailQueue,
  mailTemplates,
  previewMail,
  resendMails,
  restoreMailText,
  saveMailText,
} from '@podium/contract/office/calls-mails'
import {
  exportNudges,
  nudgeList,
  officeSearch,
  officeWaiting,
  type SearchHitKind,
  seasonProgress,
  sendNudges,
} from '@podium/contract/office/calls-overview'
import { exportJobs, officeJobs, stopJob } from '@podium/contract/office/calls-settings'
import type { MailKind } from '@podium/contract/office/words-mails'
import { verifyPayment } from '@podium/contract/payments/calls-verification'
import { officeSchoolHistory } from '@podium/contract/schools/calls-record'
import { officeSchools } from '@podium/contract/schools/calls-register'
import { seasonOfYear, seasonYear } from '@podium/contract/season'
import { sql } from 'kysely'
import { enqueueJob } from '#platform/jobs/jobs'
import { anImport, aUtr } from '#test/bank-factories'
import { aDay, anOfficer, aSchool, aSeason, aTeacher, thisSeason } from '#test/factories'
import { auditLine, newestChange, takeCsv } from '#test/file-call'
import { anOrderedBook, aPendingPayment, aStudent } from '#test/payments-factories'
import { addRow, changeRows, findRows, valuesOf } from '#test/rows'
import { beforehand, mailsTo, testServer } from '#test/server'
import { aPacket } from '#test/shipping-factories'
import { anEnteredStudent, aSeasonOfItsOwn } from '#test/students-factories'
import { storeFigures } from './commands-figures.ts'

let now = aDay
const server = beforehand(() => testServer({ clock: () => now }))
const officer = beforehand(() => anOfficer('operations'))

const countFigures = () => storeFigures(server.deps.db, now, thisSeason)
const FYear = thisSeason
const progress = async (by = officer) => {
  const { body } = await server.call(seasonProgress, { query: { FYear } }, by)
  assert.ok(body.figures)
  return body.figures
}

test("a season's figures are counted in the background, and the page shows the last count", async () => {
  const season = await aSeasonOfItsOwn()
  const ask = () => server.ask(seasonProgress, { FYear: season }, officer)
  assert.deepEqual(await ask(), { result: 'success', message: '', figures: null, counting: true })
  await server.jobs.drain()
  const first = await ask()
  assert.deepEqual([first.figures?.students, first.counting], [0, false])
  now = new Date(now.getTime() + 61_000)
  assert.equal((await ask()).counting, true)
  await server.jobs.drain()
  assert.equal((await ask()).counting, false)
  now = aDay
})

test('the figures grow with what a school enters and sends, and the amounts add up', async () => {
  await countFigures()
  const old = await progress()
  await aPendingPayment(server)
  await anEnteredStudent(server, await aTeacher())
  await countFigures()
  const fresh = await progress()
  assert.ok(fresh.students > old.students && fresh.entered > old.entered && fresh.entries > old.entries)
  const { due, received, verifying, outstanding } = fresh.money ?? assert.fail()
  assert.ok(verifying > (old.money?.verifying ?? 0) && outstanding > (old.money?.outstanding ?? 0))
  assert.equal(due, received + verifying + outstanding)
  const sum = (all: readonly { students: number }[]) => all.reduce((n, one) => n + one.students, 0)
  assert.equal(sum(fresh.states), fresh.students)
  assert.equal(sum(fresh.subjects), fresh.entries)
  assert.equal(fresh.days.length, 30)
  assert.equal(fresh.days.at(-1)?.day, '2026-11-21')
})

test('a season is compared with the last one by the same day of the year; only some roles see the money', async () => {
  await countFigures()
  assert.equal((await progress()).before, null)
  const { id, payable } = await aPendingPayment(server)
  const { db } = server.deps
  const accounts = await anOfficer('accounts')
  await server.ask(verifyPayment, { id, version: 1 }, accounts)
  const next = seasonOfYear(seasonYear(thisSeason) + 1)
  await aSeason(next)
  const [today] = await db
    .selectFrom('students')
    .select(sql<number>`count(*)::int`.as('n'))
    .where('active', '=', true)
    .where('season', '=', thisSeason)
    .execute()
  const asOf = async (day: string, who = accounts) => {
    await storeFigures(db, new Date(`${day}T06:00:00Z`), next)
    return (await server.ask(seasonProgress, { FYear: next }, who)).figures?.before
  }
  const seen = await asOf('2027-11-21')
  assert.deepEqual([seen?.season, seen?.day, seen?.students], [thisSeason, '2026-11-21', today?.n])
  assert.ok(seen && seen.received >= payable && seen.entered > 0 && seen.entries >= seen.students)
  assert.equal((await asOf('2027-11-21', await anOfficer('results')))?.received, 0)
  // On the day before, no one had entered anything.
  assert.equal(await asOf('2027-11-20'), null)
})

test('amounts and waiting items are shown only to roles that may read them', async () => {
  await countFigures()
  const results = await anOfficer('results')
  const seen = await progress(results)
  assert.equal(seen.money, null)
  assert.ok(seen.days.every(({ received }) => received === 0))
  const { body } = await server.call(officeWaiting, {}, results)
  assert.deepEqual(
    [body.payments, body.mails, Array.isArray(body.results), typeof body.applications],
    [null, null, true, 'number'],
  )
})

test('decisions awaiting a second person and data requests are counted for roles that may read them', async () => {
  const waits = async (role: Parameters<typeof anOfficer>[0]) => {
    const { body } = await server.call(officeWaiting, {}, await anOfficer(role))
    return [body.refunds, body.accounts, body.requests, body.nextLevel]
  }
  const [refunds, accounts, requests] = await waits('owner')
  const proposer = await anOfficer('accounts')
  const refund = {
    ...{ school_id: (await aSchool()).id, season: thisSeason, amount: 500, pay_to: 'X', reason: 'Y' },
    ...{ proposed_by: proposer.id, proposed_at: aDay },
  }
  const decided = { decided_by: (await anOfficer('owner')).id, decided_at: aDay }
  await addRow('refunds', refund)
  await addRow('refunds', { ...refund, ...decided, state: 'approved' })
  await addRow('refunds', { ...refund, ...decided, state: 'rejected' })
  assert.deepEqual((await waits('owner')).slice(0, 3), [Number(refunds) + 2, accounts, requests])
  assert.deepEqual((await waits('results')).slice(0, 3), [null, null, null])
  assert.deepEqual((await waits('accounts')).slice(2), [null, null])
  const { oldest } = await server.ask(officeWaiting, {}, proposer)
  assert.ok(oldest.refunds && oldest.refunds <= aDay.toISOString())
})

test('items to pack are counted in advance, for roles that may read dispatch', async () => {
  const { id } = await aSchool()
  const marked = async (role: Parameters<typeof anOfficer>[0]) => {
    await addRow('dispatch_stale', { school_id: id, season: thisSeason })
    const { packets } = await server.ask(officeWaiting, {}, await anOfficer(role))
    const left = await findRows('dispatch_stale', { school_id: id }, ['id'])
    return [Array.isArray(packets), left.length]
  }
  assert.deepEqual(await marked('operations'), [true, 0])
  assert.deepEqual(await marked('results'), [false, 1])
})

test('waiting items are counted by season, and money by the season of its day', async () => {
  const accounts = await anOfficer('accounts')
  const other = await aSeasonOfItsOwn()
  const waits = async () => {
    const { payments, bankLines } = await server.ask(officeWaiting, {}, accounts)
    const of = (all: typeof payments, season: string) => all?.find(({ FYear }) => FYear === season)?.n ?? 0
    return [
      of(payments, thisSeason),
      of(payments, other),
      of(bankLines, '2025-26'),
      of(bankLines, thisSeason),
    ]
  }
  const before = await waits()
  const { id } = await aPendingPayment(server)
  await anImport(server, accounts.token, [
    { narration: `LAST DAY ${aUtr()}`, amount: 1, day: '31/03/2026' },
    { narration: `FIRST DAY ${aUtr()}`, amount: 1, day: '01/04/2026' },
  ])
  const grown = (by: readonly number[]) => before.map((n, index) => n + (by[index] ?? 0))
  assert.deepEqual(await waits(), grown([1, 0, 1, 1]))
  const oldestLine = async (by: typeof officer) => (await server.ask(officeWaiting, {}, by)).oldest.bankLines
  assert.ok((await oldestLine(accounts))?.startsWith('2026-03-30'), 'the day begins at midnight in India')
  assert.equal(await oldestLine(await anOfficer('results')), undefined)
  await changeRows('payments', { id }, { season: other })
  assert.deepEqual(await waits(), grown([0, 1, 1, 1]))
  // A matched line whose money the bank has returned waits again.
  const utr = aUtr()
  await anImport(server, accounts.token, [{ narration: 'FIRST', amount: 7, day: '02/04/2026', utr }])
  const { id: lineId } = await server.deps.db
    .updateTable('bank_lines')
    .set({ state: 'booked', to_credit: 700 })
    .where('utr', '=', utr)
    .returning('id')
    .executeTakeFirstOrThrow()
  assert.deepEqual(await waits(), grown([0, 1, 1, 1]))
  await anImport(server, accounts.token, [{ narration: 'RTN', amount: -7, day: '03/04/2026', utr }])
  assert.deepEqual(await waits(), grown([0, 1, 1, 2]))
  const decided = { returned_decided_at: new Date() }
  await server.deps.db.updateTable('bank_lines').set(decided).where('id', '=', lineId).execute()
  assert.deepEqual(await waits(), grown([0, 1, 1, 1]))
})

test('schools are listed by their next step with the days left', async () => {
  const teacher = await aTeacher({ schoolId: (await aSchool({ state: 'Sikkim' })).id })
  const row = async () => {
    await countFigures()
    const { body } = await server.call(nudgeList, { query: { FYear, state: 'Sikkim' } }, officer)
    return body.data.find(({ id }) => id === teacher.schoolId)
  }
  const empty = await row()
  assert.deepEqual([empty?.step, empty?.students, empty?.can], ['enrol', 0, true])
  const numberIs = async (numbers: { whatsapp: string; phone: string }) => {
    await server.deps.db.updateTable('schools').set(numbers).where('id', '=', teacher.schoolId).execute()
    return (await row())?.phone
  }
  assert.equal(await numberIs({ whatsapp: '9000000417', phone: '9000000418' }), '9000000417')
  assert.equal(await numberIs({ whatsapp: '', phone: '9000000418' }), '9000000418')
  assert.ok(empty?.daysLeft !== null && (empty?.daysLeft ?? -1) >= 0)
  await anOrderedBook(server, teacher)
  const ordered = await row()
  assert.equal(ordered?.step, 'enrol', 'a library’s order is no step')
  await anEnteredStudent(server, teacher)
  const owing = await row()
  assert.equal(owing?.step, 'pay')
  assert.ok((owing?.due ?? 0) > (ordered?.due ?? 0))
  const register = await server.call(officeSchools, { query: { FYear, state: 'Sikkim' } }, officer)
  assert.equal(owing?.due, register.body.data[0]?.due, 'one amount in the reminders and the register')
  await changeRows('schools', { id: teacher.schoolId }, { active: false })
  assert.equal(await row(), undefined)
})

test('a school to remind is found by words of its name or by its code, and by nothing else', async () => {
  const name = 'Nirmal Vatika Sample School'
  const { id, code } = await aSchool({ state: 'Manipur', name })
  await aSchool({ state: 'Manipur', name: 'Another Sample School' })
  await countFigures()
  const found = async (search: string) => {
    const query = { FYear, state: 'Manipur', search }
    return (await server.ask(nudgeList, query, officer)).data.map((row) => row.id)
  }
  assert.equal((await found('')).length, 2)
  assert.deepEqual(await found('vatika NIRMAL'), [id])
  assert.deepEqual(await found(code.toLowerCase()), [id])
  assert.deepEqual([await found('vatika another'), await found('?')], [[], []])
})

test('an officer exports the schools to remind; the export is logged, and amounts depend on the role', async () => {
  const school = await aSchool({ state: 'Mizoram' })
  await anEnteredStudent(server, await aTeacher({ schoolId: school.id }))
  await countFigures()
  const filters = { FYear, search: school.code, step: 'pay', state: 'Mizoram', within: '' } as const
  const take = async (role: 'operations' | 'results') =>
    (await takeCsv(server, exportNudges, filters, await anOfficer(role))).text
  const [head, line, ...others] = (await take('operations')).trim().split('\n')
  assert.ok(head?.includes('Next step,Until,Days left,Students,Outstanding'))
  assert.match(line ?? '', new RegExp(`^${school.code},.*,Mizoram,Pay,.*,1,[1-9]\\d*,1,`))
  assert.deepEqual(others, [])
  assert.deepEqual(await newestChange('nudge.exported'), { format: 'csv', schools: 1, filters })
  assert.match(await take('results'), /,Mizoram,Pay,.*,1,,1,/)
})

test("a reminder goes to each person in their language, is logged and appears in the school's history", async () => {
  const teacher = await aTeacher()
  const colleague = await aTeacher({ schoolId: teacher.schoolId })
  await changeRows('users', { id: colleague.id }, { language: 'hi' })
  const { body } = await server.call(sendNudges, { body: { FYear, ids: [teacher.schoolId] } }, officer)
  assert.deepEqual([body.sent, body.mails, body.leftOut], [1, 2, 0])
  assert.match((await mailsTo(server, teacher.email))[0]?.text ?? '', /has no students entered/)
  assert.match((await mailsTo(server, colleague.email))[0]?.text ?? '', /कोई विद्यार्थी दर्ज नहीं/)
  const history = await server.call(officeSchoolHistory, { query: { id: String(teacher.schoolId) } }, officer)
  assert.equal(history.body.data[0]?.action, 'nudge.sent')
})

test('a school is not reminded twice within three days, nor by two officers at once', async () => {
  const teacher = await aTeacher()
  const body = { FYear, ids: [teacher.schoolId] }
  const both = await Promise.all([
    server.send(sendNudges, { body }, officer),
    server.send(sendNudges, { body }, await anOfficer('owner')),
  ])
  assert.deepEqual(valuesOf(both, 'status').sort(), [200, 409])
  assert.equal((await mailsTo(server, teacher.email)).length, 1)
  now = new Date(aDay.getTime() + 3 * 86_400_000 + 1)
  const by = await anOfficer('operations', now)
  assert.equal((await server.send(sendNudges, { body }, by)).status, 200)
  now = aDay
})

test('a school with nothing to do or without staff gets no reminder, and other roles send none', async () => {
  const nobody = (await aSchool()).id
  const refused = await server.send(sendNudges, { body: { FYear, ids: [nobody] } }, officer)
  assert.deepEqual([refused.status, refused.body.code], [409, 'nudges.too_soon'])
  for (const role of ['accounts', 'results', 'viewer'] as const) {
    const answer = await server.send(sendNudges, { body: { FYear, ids: [nobody] } }, await anOfficer(role))
    assert.equal(answer.status, 403)
  }
})

test('the office edits the text of an e-mail, previews it, and restores the built-in text', async () => {
  const which = { kind: 'nudge-enrol', language: 'en' as const }
  const text = { subject: 'Hello {school}', body: 'Please begin.\n\nHere: {link}' }
  const preview = await server.call(previewMail, { body: { ...which, ...text } }, officer)
  assert.equal(preview.body.subject, 'Hello Kalpanik Public School')
  assert.match(preview.body.text, /Dear .*\n\nPlease begin\.\n\nHere: https:/)
  assert.equal(
    (await server.call(saveMailText, { body: { ...which, ...text, version: 0 } }, officer)).status,
    200,
  )
  const teacher = await aTeacher()
  await server.ask(sendNudges, { FYear, ids: [teacher.schoolId] }, officer)
  assert.match((await mailsTo(server, teacher.email))[0]?.subject ?? '', /^Hello Udaharan/)
  const stale = await server.send(saveMailText, { body: { ...which, ...text, version: 0 } }, officer)
  assert.equal(stale.body.code, 'changed_meanwhile')
  await server.ask(restoreMailText, { ...which, version: 1 }, officer)
  const { body } = await server.call(mailTemplates, {}, officer)
  assert.equal(body.data.find(({ kind }) => kind === which.kind)?.en.own, false)
})

test('an unknown placeholder or a missing required one is refused at its field', async () => {
  const save = async (subject: string, body: string) => {
    const input = { kind: 'nudge-pay', language: 'hi', subject, body, version: 0 }
    return (await server.send(saveMailText, { body: input }, officer)).body.issues?.[0]?.path
  }
  assert.equal(await save('Hello {password}', '{link}'), 'subject')
  assert.equal(await save('Hello', '{link} {secret}'), 'body')
  assert.equal(await save('Hello', 'No link'), 'body')
  const other = { kind: 'unheard-of', language: 'en', subject: 'a', body: 'b', version: 0 }
  assert.equal((await server.send(saveMailText, { body: other }, officer)).status, 404)
})

test('an e-mail that was given up is sent again once, and its address is not shown in full', async () => {
  const { rows } = await sql<{ id: number }>`
    insert into outbox (key, kind, payload, created_at, due_at, attempts, failed_at, error)
    values (gen_random_uuid()::text, 'payment-verified', ${JSON.stringify({ to: { name: 'A', address: 'asha@school.example' }, subject: 'S', text: 'T' })}::jsonb,
      ${now}, ${now}, 11, ${now}, 'no such host') returning id`.execute(server.deps.db)
  const id = rows[0]?.id ?? 0
  const failed = await server.call(mailQueue, { query: { state: 'failed' } }, officer)
  const mail = failed.body.data.find((row) => row.id === id)
  assert.deepEqual([mail?.to, mail?.error, mail?.attempts], ['a…@school.example', 'no such host', 11])
  const take = (token: string) =>
    takeCsv(server, exportMails, { state: 'failed', search: 'asha@school.example' }, { token })
  const file = await take(officer.token)
  assert.ok(file.text.includes('Payment verified,S,a…@school.example,,,,11,'), file.text)
  assert.ok(!file.text.includes('asha@'), 'addresses stay masked')
  const told = await auditLine(['change'], { action: 'mail.exported' })
  assert.deepEqual(told.change, { format: 'csv', mails: 1, filters: { state: 'failed', search: '•••' } })
  assert.equal((await take((await anOfficer('accounts')).token)).status, 403)
  const again = () => server.send(resendMails, { body: { ids: [id] } }, officer)
  assert.equal((await again()).status, 200)
  assert.equal((await again()).body.code, 'mails.not_failed')
})

/** Undeliverable e-mails, each with an address and a kind. */
async function giveUpMails(mails: readonly { address: string; kind: MailKind }[]) {
  for (const { address, kind } of mails)
    await sql`
      insert into outbox (key, kind, payload, created_at, due_at, attempts, failed_at, error)
      values (gen_random_uuid()::text, ${kind}, ${JSON.stringify({ to: { name: 'A', address }, subject: 'S' })}::jsonb,
        ${now}, ${now}, 11, ${now}, 'no such host')`.execute(server.deps.db)
}

test('an e-mail is found by the name of its kind in either language, and by its full address', async () => {
  await giveUpMails([
    { address: 'zora.one@school.example', kind: 'exam-schedule' },
    { address: 'zora.two@school.example', kind: 'waiver' },
    { address: 'not.zora@school.example', kind: 'waiver' },
    // Characters that are wildcards in a pattern
    { address: 'zora_one@school.example', kind: 'waiver' },
  ])
  const found = async (search: string) => {
    const { body } = await server.call(mailQueue, { query: { state: 'failed', search } }, officer)
    assert.deepEqual([body.total, body.counts.failed], [body.data.length, body.data.length], search)
    return body.data.map(({ to, kind }) => `${to} ${kind}`)
  }
  const [one, waiver] = ['z…@school.example exam-schedule', 'z…@school.example waiver']
  assert.deepEqual(await found('Zora.one@school.example'), [one])
  assert.deepEqual(await found('zora_one@school.example'), [waiver])
  assert.deepEqual(await found('EXAM sl'), [one])
  assert.deepEqual(await found('परीक्षा का'), [one])
  assert.deepEqual(await found('fee wai'), [waiver, 'n…@school.example waiver', waiver])
  assert.deepEqual(
    [await found('zora.one@school.exampl'), await found('zora.one@'), await found('%ora')],
    [[], [], []],
  )
  const body = await server.ask(mailQueue, { state: 'sent', search: 'zora.one@school.example' }, officer)
  assert.deepEqual([body.data, body.total, body.counts.failed], [[], 0, 1])
})

test('each search for an address is logged without the address, and an officer has twenty an hour', async () => {
  const strict = await testServer({ clock: () => aDay, limitScale: 1 })
  const asking = await anOfficer('operations')
  const find = async (search: string) =>
    (await strict.call(mailQueue, { query: { state: 'failed', search } }, asking)).status
  for (let tries = 0; tries < 20; tries++) assert.equal(await find(`somebody.${tries}@school.example`), 200)
  assert.equal(await find('somebody@school.example'), 429)
  assert.equal(await find('password reset'), 200)
  const { rows } = await sql<{ change: unknown; lines: number }>`
    select change, count(*)::int as lines from audit
    where action = 'mail.searched_by_address' and actor_id = ${asking.id} group by change`.execute(
    server.deps.db,
  )
  assert.deepEqual(rows, [{ change: { mails: 0 }, lines: 20 }])
})

test('a role without access to addresses finds e-mails by kind only, in the list and in the file', async () => {
  await giveUpMails([{ address: 'hidden.person@school.example', kind: 'reset' }])
  const viewer = await anOfficer('viewer')
  const ask = (search: string, by = viewer) =>
    server.send(mailQueue, { query: { state: 'failed', search } }, by)
  assert.equal((await ask('hidden.pers')).body.total, 0)
  assert.equal((await ask('hidden.person@school.example', officer)).body.total, 1)
  assert.equal((await ask('password reset')).body.total, 1)
  const refused = await ask('hidden.person@')
  assert.deepEqual([refused.status, refused.body.code], [403, 'mails.address_search'])
  const take = (search: string) => takeCsv(server, exportMails, { state: 'failed', search }, viewer)
  assert.equal((await take('@school')).status, 403)
  assert.equal((await take('hidden.pers')).text.trim().split('\n').length, 1)
  assert.match((await take('password reset')).text, /^Password reset,S,h…@school.example,/m)
})

test('search results come in pages, newest first', async () => {
  await giveUpMails(
    Array.from({ length: 51 }, () => ({ address: 'paged@school.example', kind: 'joined' as const })),
  )
  const page = (n: number) =>
    server.ask(mailQueue, { state: 'failed', search: 'paged@school.example', page: String(n) }, officer)
  const [first, second] = [await page(1), await page(2)]
  assert.deepEqual([first.total, first.data.length, second.data.length], [51, 50, 1])
  const ids = [...first.data, ...second.data].map(({ id }) => id)
  assert.deepEqual(
    ids,
    ids.toSorted((a, b) => b - a),
  )
  assert.equal(new Set(ids).size, 51)
})

test('a waiting background job is stopped once; an ended or unknown job cannot be stopped', async () => {
  const later = new Date(now.getTime() + 86_400_000)
  const id = await server.deps.db
    .transaction()
    .execute((tx) => enqueueJob(tx, now, { kind: 'test.work', input: {}, total: 7, dueAt: later }))
  const { body } = await server.call(officeJobs, {}, officer)
  assert.equal(body.data.find((row) => row.id === id)?.total, 7)
  const stop = (which: string, by = officer) => server.send(stopJob, { body: { id: which } }, by)
  assert.equal((await stop(id, await anOfficer('viewer'))).status, 403)
  assert.equal((await stop(id)).status, 200)
  assert.equal((await stop(id)).body.code, 'jobs.ended')
  assert.equal((await stop('nowhere')).status, 404)
})

test('only the office exports the background jobs of a status, in words, and the export is logged', async () => {
  const dueAt = new Date(now.getTime() + 86_400_000)
  const work = (kind: string) => ({ kind, input: {}, total: 7, dueAt })
  const id = await server.deps.db.transaction().execute((tx) => enqueueJob(tx, now, work('schools.letters')))
  const take = (state: 'open' | 'failed', by: { token: string }) => takeCsv(server, exportJobs, { state }, by)
  const viewer = await anOfficer('viewer')
  assert.match((await take('open', viewer)).text, /^Letters to schools,,Waiting,0,7,,/m)
  const told = (await newestChange('job.exported')) as Record<string, unknown>
  assert.deepEqual([told.format, told.filters], ['csv', { state: 'open', search: '' }])
  assert.doesNotMatch((await take('failed', viewer)).text, /Letters to schools/)
  assert.equal((await take('open', await aTeacher())).status, 403)
  assert.equal((await server.send(stopJob, { body: { id } }, officer)).status, 200)
})

test('a background job is found by its name in either language, within its status', async () => {
  const db = server.deps.db
  const dueAt = new Date(now.getTime() + 86_400_000)
  const work = (kind: string) =>
    db.transaction().execute((tx) => enqueueJob(tx, now, { kind, input: {}, total: 7, dueAt }))
  const [papers, payments] = [await work('exams.papers'), await work('bank-book')]
  const found = async (search: string, state: 'open' | 'failed' = 'open') => {
    const { body } = await server.call(officeJobs, { query: { state, search } }, officer)
    assert.equal(body.total, body.data.length)
    return body.data.map(({ id }) => id)
  }
  assert.deepEqual(await found('exam PAP'), [papers])
  assert.deepEqual(await found('परीक्षा पत्र'), [papers])
  assert.deepEqual(await found('Bank matches'), [payments])
  assert.deepEqual(await found('exam papers', 'failed'), [])
  assert.deepEqual(await found('nothing is called this'), [])
  const { text } = await takeCsv(server, exportJobs, { state: 'open', search: 'exam papers' }, officer)
  const rows = text.trim().split('\n').slice(1)
  assert.deepEqual([rows.length, rows[0]?.startsWith('Exam papers,')], [1, true])
  assert.equal((await server.send(officeJobs, { query: { search: 'x'.repeat(101) } }, officer)).status, 400)
})

const foundBy = async (search: string, by = officer) =>
  (await server.call(officeSearch, { query: { search } }, by)).body.data
const kindsFound = async (search: string, by = officer): Promise<SearchHitKind[]> => [
  ...new Set((await foundBy(search, by)).map(({ kind }) => kind)),
]

test('one search finds schools, students, payments, bank lines, parcels and people by what each is known by', async () => {
  const utr = aUtr()
  const { school, teacher, id } = await aPendingPayment(server, 1, { changes: { utr } })
  await anImport(server, (await anOfficer('accounts')).token, [{ narration: 'NEFT', amount: 150, utr }])
  const packet = await aPacket({ schoolId: school.id })
  const student = await aStudent({ schoolId: school.id, name: `Zubeida ${school.code}wala` })
  const [first] = await foundBy(school.code.toLowerCase())
  assert.deepEqual(first, {
    kind: 'school',
    id: school.id,
    title: school.name,
    facts: [school.code, school.city],
    FYear: '',
    state: '',
  })
  const [child] = await foundBy(`zubei ${school.code}wal`)
  assert.deepEqual([child?.kind, child?.id, child?.FYear], ['student', student.id, thisSeason])
  const byUtr = await foundBy(utr)
  assert.deepEqual(
    valuesOf(
      byUtr.filter(({ kind }) => kind === 'payment' || kind === 'bankLine'),
      'kind',
    ),
    ['payment', 'bankLine'],
  )
  const payment = byUtr.find(({ kind }) => kind === 'payment')
  assert.deepEqual([payment?.id, payment?.state, payment?.FYear], [id, 'pending', thisSeason])
  const [byReference] = (await foundBy(payment?.title ?? '')).filter(({ kind }) => kind === 'payment')
  assert.equal(byReference?.id, id)
  assert.ok((await foundBy(String(packet))).some((row) => row.kind === 'packet' && row.id === packet))
  assert.ok((await foundBy('nx04')).some((row) => row.kind === 'packet'))
  const [person] = await foundBy(teacher.email.slice(0, 12))
  assert.deepEqual([person?.kind, person?.id], ['person', school.id])
  assert.deepEqual(await foundBy('x'), [])
})

test("the search shows a role only kinds it may read, no family's mobile number, and at most five of each kind", async () => {
  const utr = aUtr()
  const { school } = await aPendingPayment(server, 1, { changes: { utr } })
  await aPacket({ schoolId: school.id })
  const results = await anOfficer('results')
  assert.deepEqual(await kindsFound(utr, results), [])
  assert.deepEqual(await kindsFound('NX0417', results), [])
  assert.ok((await kindsFound('NX0417', await anOfficer('viewer'))).includes('packet'))
  const mobile = '9812345670'
  await changeRows('students', { school_id: school.id }, { parent_mobile: mobile })
  assert.deepEqual(await kindsFound(mobile), [])
  for (let n = 0; n < 6; n++) await aSchool({ name: `Quintus Vidyalaya ${n}` })
  assert.equal((await foundBy('quintus')).length, 5)
})
