import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { login, me } from '@podium/contract/accounts/calls'
import { emailVerify, otpVerify, verifyAccessCode } from '@podium/contract/accounts/calls-registration'
import { verifyFamilyCode } from '@podium/contract/families/calls'
import { renewSchoolLink, showSchoolCode } from '@podium/contract/schools/calls-record'
import { officeConfirm, officeSignIn } from '@podium/contract/staff/calls'
import { sql } from 'kysely'
import { hashPassword } from '#platform/auth/passwords'
import { deriveKeys, totpCode } from '#platform/auth/secrets'
import { makeBackup } from '#platform/backup/backup'
import { folderOfBackups } from '#platform/backup/backup-store'
import { restoreBackup } from '#platform/backup/restore'
import { createFileStore } from '#platform/files/files'
import { aLinkedSchool, anAccount, anAddress, aPassword, codeFor } from '#test/accounts-factories'
import { emptyDatabase, temporaryFolder } from '#test/database'
import { aDay, anOfficer } from '#test/factories'
import { type TestServer, testServer } from '#test/server'
import { aFamily } from '#test/students-factories'
import { leftOf, planRotation, rotationJob } from './commands.ts'

const first = 'the first secret of this installation'
const second = 'and the one that came after it, in May'

let now = aDay
const start = (secret: string, secretPrevious?: string) =>
  testServer({ clock: () => now, settings: { secret, secretPrevious } })

/** The portal with its first SECRET, after a change of it, and after SECRET_PREVIOUS was removed. */
let original: TestServer
let changed: TestServer
let settled: TestServer

const password = 'three blue lamps on a hill'

async function signIn(server: TestServer, emailId: string) {
  const { body } = await server.call(login, { body: { emailId, password: aPassword } })
  return body.result === 'success'
}

async function anOfficerWithFactor(server: TestServer) {
  const email = `${randomUUID()}@foundation.example`
  await server.deps.db
    .insertInto('staff')
    .values({
      email,
      name: 'Tara Kalpanik',
      role: 'owner',
      created_at: aDay,
      password_hash: await hashPassword(server.deps.keys, password),
    })
    .execute()
  const cookies = new Map<string, string>()
  const begun = await server.ask(officeSignIn, { emailId: email, password }, { cookies })
  const secret = begun.secret ?? ''
  const done = await server.ask(officeConfirm, { code: totpCode(secret, now) }, { cookies })
  return { email, secret, recoveryCodes: done.recoveryCodes ?? [] }
}

/** Whether an officer can sign in with the password and this code; the clock moves on each time, because a code works once. */
async function officeOpens(server: TestServer, email: string, code: () => string) {
  now = new Date(now.getTime() + 60_000)
  const cookies = new Map<string, string>()
  const begun = await server.call(officeSignIn, { body: { emailId: email, password } }, { cookies })
  if (begun.body.result !== 'success') return 'no password'
  const done = await server.call(officeConfirm, { body: { code: code() } }, { cookies })
  return done.body.result
}

const schoolOpens = async (server: TestServer, { id, code }: { id: string; code: string }) =>
  (await server.call(verifyAccessCode, { body: { id, code } })).body.result
const familyOpens = async (server: TestServer, { groupId, code }: { groupId: string; code: string }) =>
  (await server.call(verifyFamilyCode, { body: { groupId, code } })).body.result

async function aWorld(server: TestServer) {
  const [comes, stays, old] = [await anAccount(server), await anAccount(server), await anAccount(server)]
  // As stored before key ids were introduced.
  await sql`update users set password_hash = regexp_replace(password_hash, '[$][^$]*$', '')
    where id = ${old.id}`.execute(server.deps.db)
  const session = await server.ask(login, { emailId: comes.email, password: aPassword })
  const family = await aFamily(server)
  const oldFamily = await aFamily(server)
  await sql`
    update family_links set access_code_sealed = split_part(access_code_sealed, '.', 2)
    where id = ${oldFamily.groupId}`.execute(server.deps.db)
  const school = await aLinkedSchool(server)
  const officer = await anOfficerWithFactor(server)
  const address = anAddress()
  const cookies = new Map<string, string>()
  await server.ask(emailVerify, { EmailId: address }, { cookies })
  const otp = await codeFor(server, address)
  return {
    comes,
    stays,
    old,
    token: session.token,
    families: [family, oldFamily],
    school,
    officer,
    asked: { address, otp, cookies },
  }
}

let world: Awaited<ReturnType<typeof aWorld>>
before(async () => {
  original = await start(first)
  world = await aWorld(original)
})

test('another SECRET without SECRET_PREVIOUS locks everyone out: the following tests depend on it', async () => {
  const other = await start(second)
  assert.equal(await signIn(other, world.comes.email), false)
  assert.equal(await schoolOpens(other, world.school), 'error')
  assert.equal((await leftOf(other.deps.db, other.deps.keys)).sealed, 4)
  const jobs = await other.deps.db.selectFrom('jobs').select('id').where('kind', '=', rotationJob).execute()
  assert.deepEqual(jobs, [], 'nothing is planned where nothing was changed')
})

test('after a change of SECRET all codes, passwords and second factors still work, and a job seals them again', async (step) => {
  const kept = await original.deps.db.selectFrom('family_links').selectAll().orderBy('id').execute()
  // As if another instance were working on it: then this one plans nothing.
  const { db } = original.deps
  const elsewhere = {
    id: 'elsewhere',
    kind: rotationJob,
    state: 'running',
    claimed_until: new Date('2099-01-01'),
  }
  await db
    .insertInto('jobs')
    .values({ ...elsewhere, created_at: now })
    .execute()
  changed = await start(second, first)
  const { keys } = changed.deps

  await step.test('what was issued before the change works before the job has run', async () => {
    assert.equal(await signIn(changed, world.stays.email), true)
    const { otp, address, cookies } = world.asked
    const proved = await changed.call(otpVerify, { body: { EmailId: address, otp } }, { cookies })
    assert.equal(proved.body.result, 'success', proved.body.message)
  })

  await db.deleteFrom('jobs').where('id', '=', elsewhere.id).execute()
  await planRotation(changed.deps)
  await changed.drain()
  const job = await db
    .selectFrom('jobs')
    .selectAll()
    .where('kind', '=', rotationJob)
    .executeTakeFirstOrThrow()
  assert.deepEqual([job.state, job.done, job.total], ['done', 4, 4])
  const { sealed, left } = job.output as { sealed: number; left: unknown }
  assert.equal(sealed, 4)
  // Of two accounts and the officer, whose recovery codes are also from before.
  assert.deepEqual(left, await leftOf(db, keys))
  assert.deepEqual(left, { passwords: 3, recoveryCodes: 1, schoolCodes: 0, sealed: 0 })
  const anew = await db.selectFrom('family_links').selectAll().orderBy('id').execute()
  for (const [index, link] of anew.entries()) {
    const { access_code_sealed: sealedNow, access_code_hash: hashNow, ...rest } = link
    const { access_code_sealed: sealedThen, access_code_hash: hashThen, ...then } = kept[index] ?? link
    assert.deepEqual(rest, then)
    assert.notEqual(sealedNow, sealedThen)
    assert.notEqual(hashNow, hashThen)
  }

  await step.test('everyone can sign in as before', async () => {
    assert.equal((await changed.call(me, {}, world)).status, 200)
    for (const account of [world.comes, world.old]) assert.equal(await signIn(changed, account.email), true)
    for (const family of world.families) assert.equal(await familyOpens(changed, family), 'success')
    assert.equal(await schoolOpens(changed, world.school), 'success')
    const { email, secret, recoveryCodes } = world.officer
    assert.equal(await officeOpens(changed, email, () => totpCode(secret, now)), 'success')
    assert.equal(await officeOpens(changed, email, () => recoveryCodes[0] ?? ''), 'success')
    assert.equal(
      await officeOpens(changed, email, () => recoveryCodes[0] ?? ''),
      'error',
      'a code works once',
    )
  })

  await step.test('a wrong password and a wrong code fail, even with two secrets', async () => {
    await changed.refuses('account.wrong_sign_in', login, {
      emailId: world.comes.email,
      password: 'not this one',
    })
    assert.equal(await schoolOpens(changed, { ...world.school, code: 'WRONG234' }), 'error')
  })

  await step.test('an account that has signed in no longer depends on the previous secret', async () => {
    assert.deepEqual(await leftOf(db, keys), { passwords: 0, recoveryCodes: 1, schoolCodes: 0, sealed: 0 })
  })
})

test('without SECRET_PREVIOUS everything sealed and hashed again still works, and old recovery codes do not', async () => {
  settled = await start(second)
  const { token, comes, stays, old, families, school, officer } = world
  assert.equal((await settled.call(me, {}, { token })).status, 200)
  for (const account of [comes, stays, old]) assert.equal(await signIn(settled, account.email), true)
  for (const family of families) assert.equal(await familyOpens(settled, family), 'success')
  assert.equal(await schoolOpens(settled, school), 'success')
  assert.equal(await officeOpens(settled, officer.email, () => totpCode(officer.secret, now)), 'success')
  assert.equal(await officeOpens(settled, officer.email, () => officer.recoveryCodes[1] ?? ''), 'error')
  const owner = await anOfficer('owner', now)
  const body = { id: school.school.id, linkId: school.id }
  const shown = await settled.call(showSchoolCode, { body }, owner)
  assert.equal(shown.body.code?.replaceAll(' ', ''), school.code, 'the letter can be printed again')
  assert.equal((await settled.call(renewSchoolLink, { body }, owner)).body.result, 'success')
})

test('a start with SECRET_PREVIOUS resumes an interrupted job and skips what no secret opens', async () => {
  const school = await aLinkedSchool(original)
  const foreign = await aLinkedSchool(await start('a third secret, of another installation'))
  const again = await start(second, first)
  await again.drain()
  assert.equal(await schoolOpens(settled, school), 'success')
  assert.equal(await schoolOpens(again, foreign), 'error')
  const { rows } = await sql<{ output: unknown }>`
    select output from jobs where kind = 'secret.rotation'
    order by created_at desc, ended_at desc limit 1`.execute(again.deps.db)
  assert.deepEqual(rows[0]?.output, {
    sealed: 1,
    left: { passwords: 0, recoveryCodes: 1, schoolCodes: 0, sealed: 1 },
  })
})

test('a backup made with the previous secret restores while SECRET_PREVIOUS is set', async () => {
  const store = folderOfBackups(temporaryFolder('podium-backup-'))
  const { files } = original.deps
  const made = await makeBackup({ database: original.database, files, secret: first, store, now })
  const database = await emptyDatabase()
  const open = () => store.open(made.name)
  const restored = { database, files: createFileStore(temporaryFolder('podium-restored-')), open }
  await assert.rejects(restoreBackup({ ...restored, secret: second }), /another SECRET/)
  const done = await restoreBackup({ ...restored, secret: second, secretPrevious: first })
  assert.equal(done.rows, made.rows)
  const keys = deriveKeys(second, undefined, first)
  assert.equal((await leftOf(database.db, keys)).passwords, 0)
})
