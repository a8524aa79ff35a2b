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
import { sendReminders } from '@podium/contract/office/calls-overview'
import type { MailKind } from '@podium/contract/office/words'
import { sql } from 'kysely'
import { aDay, anOfficer, aSeason, aTeacher, thisSeason } from '#test/factories'
import { auditLine, takeCsv } from '#test/file-call'
import { beforehand, mailsTo, refused, testServer } from '#test/server'

const now = aDay
const server = beforehand(() => testServer({ clock: () => now }))
const officer = beforehand(() => anOfficer('operations'))

test('the office edits the text of an e-mail, previews it, and restores the built-in text', async () => {
  const which = { kind: 'reminder-enrol', language: 'en' as const }
  const text = { subject: 'Hello {school}', body: 'Please begin.\n\nHere: {link}' }
  const preview = await server.ask(previewMail, { ...which, ...text }, officer)
  assert.equal(preview.subject, 'Hello Kalpanik Public School')
  assert.match(preview.text, /Dear .*\n\nPlease begin\.\n\nHere: https:/)
  await server.ask(saveMailText, { ...which, ...text, version: 0 }, officer)
  await aSeason()
  const teacher = await aTeacher()
  await server.ask(sendReminders, { FYear: thisSeason, ids: [teacher.schoolId] }, officer)
  assert.match((await mailsTo(server, teacher.email))[0]?.subject ?? '', /^Hello Udaharan/)
  await server.refuses('changed_meanwhile', saveMailText, { ...which, ...text, version: 0 }, officer)
  await server.ask(restoreMailText, { ...which, version: 1 }, officer)
  const body = await server.ask(mailTemplates, {}, officer)
  assert.equal(body.data.find(({ kind }) => kind === which.kind)?.en.isCustom, false)
})

test('an unknown placeholder or a missing required one is refused at its field', async () => {
  const save = async (subject: string, body: string) => {
    const input = { kind: 'reminder-pay', language: 'hi', subject, body, version: 0 }
    return (await server.send(saveMailText, { body: input }, officer)).body.issues?.[0]?.path
  }
  assert.equal(await save('Hello {password}', '{link}'), 'subject')
  assert.equal(await save('Hello', '{link} {secret}'), 'body')
  assert.equal(await save('Hello', 'No link'), 'body')
  // What every object of the language has is neither a placeholder nor a kind of e-mail.
  assert.equal(await save('Hello {constructor}', '{link}'), 'subject')
  for (const kind of ['unheard-of', 'constructor']) {
    const other = { kind, language: 'en', subject: 'a', body: 'b', version: 0 }
    await server.refuses('not_found', saveMailText, other, officer)
  }
})

test('an e-mail that was given up is sent again once, and its address is not shown in full', async () => {
  const { rows } = await sql<{ id: number }>`
    insert into outbox (key, kind, payload, created_at, due_at, attempts, failed_at, error)
    values (gen_random_uuid()::text, 'payment-verified', ${JSON.stringify({ to: { name: 'A', address: 'asha@school.example' }, subject: 'S', text: 'T' })}::jsonb,
      ${now}, ${now}, 11, ${now}, 'no such host') returning id`.execute(server.deps.db)
  const id = rows[0]?.id ?? 0
  const failed = await server.ask(mailQueue, { state: 'failed' }, officer)
  const mail = failed.data.find((row) => row.id === id)
  assert.deepEqual([mail?.to, mail?.error, mail?.attempts], ['a…@school.example', 'no such host', 11])
  const take = (token: string) =>
    takeCsv(server, exportMails, { state: 'failed', search: 'asha@school.example' }, { token })
  const file = await take(officer.token)
  assert.ok(file.text.includes('Payment verified,S,a…@school.example,,,,11,'), file.text)
  assert.ok(!file.text.includes('asha@'), 'addresses stay masked')
  const change = await auditLine(['change'], { action: 'mail.exported' })
  assert.deepEqual(change.change, { format: 'csv', mails: 1, filters: { state: 'failed', search: '•••' } })
  assert.equal((await take((await anOfficer('accounts')).token)).status, 403)
  const again = () => server.send(resendMails, { body: { ids: [id] } }, officer)
  assert.equal((await again()).status, 200)
  await refused('mails.not_failed', again())
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
    const body = await server.ask(mailQueue, { state: 'failed', search }, officer)
    assert.deepEqual([body.total, body.counts.failed], [body.data.length, body.data.length], search)
    return body.data.map(({ to, kind }) => `${to} ${kind}`)
  }
  const [schedule, waiver] = ['z…@school.example exam-schedule', 'z…@school.example waiver']
  assert.deepEqual(await found('Zora.one@school.example'), [schedule])
  assert.deepEqual(await found('zora_one@school.example'), [waiver])
  assert.deepEqual(await found('EXAM sl'), [schedule])
  assert.deepEqual(await found('परीक्षा का'), [schedule])
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
    where action = 'mail.searched_by_address' and actor_id = ${asking.id}
    group by change`.execute(server.deps.db)
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
  await refused('mails.address_search', ask('hidden.person@'))
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
