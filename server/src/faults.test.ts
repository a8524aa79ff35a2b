import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { before, suite, test } from 'node:test'
import type { BodyOf } from '@podium/contract/endpoint'
import { type ErrorCode, errors } from '@podium/contract/errors'
import { savePayment } from '@podium/contract/payments/calls'
import { getContacts, saveContact } from '@podium/contract/schools/calls'
import { istDay, seasonAt } from '@podium/contract/season'
import { SMTPServer } from 'smtp-server'
import { atEnd, temporaryFolder, testDatabase } from '#test/database'
import { aContact, aSchool, aSeason, aTeacher, aWord } from '#test/factories'
import { aFoundation, aProof, aStudent } from '#test/payments-factories'
import { type Program, startProgram, until } from '#test/program'
import { findRows } from '#test/rows'
import { type Client, clientOf, type Response } from '#test/server'

/** A folder that can become full or read-only. */
interface SmallDisk {
  folder: string
  /** Stops the process that writes there from adding anything. */
  fill(pid: number): void
  free(pid: number): void
  lock(): void
  unlock(): void
}

/**
 * Creates the folder. If root may mount, it is a disk of 128 kB that is filled, or remounted read-only. Otherwise the
 * process is limited to files of 10 bytes, and the folder belongs to a user without write access: like a full quota and
 * a wrong owner.
 */
function smallDisk(): SmallDisk {
  const folder = temporaryFolder('podium-disk-')
  const mounted =
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=128k,mode=0700', 'podium', folder]).status === 0
  if (!mounted) {
    const limit = (pid: number, size: string) =>
      execFileSync('prlimit', [`--pid=${pid}`, `--fsize=${size}:unlimited`])
    return {
      folder,
      fill: (pid) => limit(pid, '10'),
      free: (pid) => limit(pid, 'unlimited'),
      lock: () => chmodSync(folder, 0o500),
      unlock: () => chmodSync(folder, 0o700),
    }
  }
  const unmount = () => void spawnSync('umount', ['-l', folder], { stdio: 'ignore' })
  atEnd(async () => unmount())
  // A run that is killed never reaches its end.
  process.once('exit', unmount)
  const filler = join(folder, 'filler')
  return {
    folder,
    fill() {
      for (let size = 128 * 1024; size >= 1; size = Math.floor(size / 2)) {
        try {
          writeFileSync(filler, Buffer.alloc(size), { flag: 'a' })
        } catch (thrown) {
          if ((thrown as NodeJS.ErrnoException).code !== 'ENOSPC') throw thrown
        }
      }
    },
    free: () => rmSync(filler),
    lock: () => void execFileSync('mount', ['-o', 'remount,ro', folder]),
    unlock: () => void execFileSync('mount', ['-o', 'remount,rw', folder]),
  }
}

/** A connection to a database that can be cut. */
interface Line {
  /** The database's address through it */
  url: string
  /** Breaks all connections, and refuses new ones. */
  cut(): Promise<void>
  mend(): Promise<void>
}

/**
 * Starts a proxy to the database at this address, on a port or a socket of this machine; stopped when the tests end.
 */
async function aLine(database: string): Promise<Line> {
  const url = new URL(database)
  const port = Number(url.searchParams.get('port') ?? (url.port || 5432))
  const folder = url.searchParams.get('host') ?? ''
  const target = folder.startsWith('/')
    ? { path: `${folder}/.s.PGSQL.${port}` }
    : { host: folder || url.hostname, port }
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(target)
    for (const [source, target] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(source)
      source.pipe(target)
      source.on('error', () => target.destroy())
      source.on('close', () => {
        sockets.delete(source)
        target.destroy()
      })
    }
  })
  const listen = async (ownPort: number) => {
    server.listen(ownPort, '127.0.0.1')
    await once(server, 'listening')
  }
  const cut = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.resetAndDestroy()
    await closed
  }
  await listen(0)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the line does not listen')
  url.search = ''
  url.host = `127.0.0.1:${address.port}`
  atEnd(cut)
  return { url: url.href, cut, mend: () => listen(address.port) }
}

/** Takes away what the real program depends on, and gives it back. */
const today = new Date()
const season = seasonAt(today)

/** Starts a mail server that can hang: it then accepts connections but never answers. */
async function aMailServer() {
  const mails: string[] = []
  const silent: Socket[] = []
  const spoken = new Set<Socket>()
  let hanging = false
  let answer: Promise<unknown> = Promise.resolve()
  const smtp = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, _session, done) {
      let text = ''
      stream.on('data', (piece) => {
        text += piece
      })
      stream.on('end', () => {
        mails.push(text)
        answer.then(() => done(), done)
      })
    },
  })
  const door = createServer((socket) => {
    socket.on('error', () => undefined)
    if (hanging) return void silent.push(socket)
    spoken.add(socket)
    smtp.server.emit('connection', socket)
  })
  await new Promise<void>((listening) => door.listen(0, '127.0.0.1', listening))
  const address = door.address()
  if (address === null || typeof address === 'string') throw new Error('the mail server does not listen')
  atEnd(async () => {
    for (const socket of [...silent, ...spoken]) socket.destroy()
    door.close()
    smtp.close()
  })
  return {
    port: address.port,
    /** How many connections wait for an answer */
    waiting: () => silent.length,
    /** How many mails it has accepted for an address */
    taken: (to: string) => mails.filter((mail) => mail.includes(to)).length,
    hang: (on: boolean) => {
      hanging = on
      // Otherwise the next mail would use a connection that is still open.
      for (const socket of spoken) socket.destroy()
    },
    /** Accepts mails, but confirms them only after `then`. */
    answersAfter: (then: Promise<unknown>) => {
      answer = then
    },
  }
}

type Teacher = Awaited<ReturnType<typeof aTeacher>>

suite('when a dependency of the portal fails', () => {
  let line: Line
  let disk: SmallDisk
  let mail: Awaited<ReturnType<typeof aMailServer>>
  let portal: Program
  let client: Client
  before(async () => {
    const { pool } = await testDatabase()
    line = await aLine(pool.options.connectionString ?? '')
    disk = smallDisk()
    mail = await aMailServer()
    portal = await startProgram({
      DATABASE_URL: line.url,
      DATA_DIR: temporaryFolder('podium-data-'),
      FILES_URL: `file://${disk.folder}`,
      SMTP_URL: `smtp://127.0.0.1:${mail.port}/?greetingTimeout=300`,
      SECRET: 'a secret that only the tests know, long enough',
      LOG_LEVEL: 'fatal',
    })
    client = clientOf(portal.url)
    await aSeason(season)
  })

  const ready = () =>
    until(async () => ((await fetch(`${portal.url}/readyz`)).ok ? true : undefined), 'the portal is ready')
  const away = () =>
    until(
      async () => ((await fetch(`${portal.url}/readyz`)).status === 503 ? true : undefined),
      '/readyz says that the database is away',
    )
  const alive = async () => assert.equal((await fetch(`${portal.url}/healthz`)).status, 200)

  const contact = (teacher: Teacher, name: string) =>
    client.call(saveContact, { body: { ...aContact, fyear: season, name } }, teacher)
  const contactsOf = (teacher: Teacher) => {
    const query = { FYear: season, schId: String(teacher.schoolId), status: '' as const }
    return client.call(getContacts, { query }, teacher)
  }

  /** Creates a teacher whose school owes for a student, and the payment that the teacher sends. */
  async function aPayer() {
    await aFoundation()
    const school = await aSchool()
    const teacher = await aTeacher({ schoolId: school.id, now: today })
    const student = await aStudent({ schoolId: school.id, season })
    const body: BodyOf<typeof savePayment> = {
      mode: 3,
      payableAmount: 150,
      paymentDate: istDay(today),
      remarks: 'Transferred',
      attechment: await aProof(),
      attechmentName: 'slip.png',
      individualRegIdList: [student.id],
      paymentFor: 'Registration Fee',
    }
    const headers = { 'idempotency-key': randomUUID() }
    return { teacher, send: () => client.call(savePayment, { body }, { token: teacher.token, headers }) }
  }

  const savedContacts = async ({ schoolId }: Teacher) => {
    const payments = await findRows('payments', { school_id: schoolId }, ['id'])
    const files = await findRows('files', { school_id: schoolId }, ['id'])
    return [payments.length, files.length]
  }

  function refused({ status, headers, body }: Response<unknown>, code: ErrorCode) {
    assert.equal(status, 503, body.message)
    assert.deepEqual([body.result, body.code, body.message], ['error', code, errors[code].sentence])
    assert.ok(Number(headers.get('retry-after')) > 0)
  }

  /** Waits until the mail to an address was sent and recorded. */
  const mailSent = async (to: string) => {
    const { pool } = await testDatabase()
    await until(
      async () =>
        (
          await pool.query(
            `select from outbox where key in (
           select 'payment:' || p.id || ':received:' || u.id from users u join payments p on p.submitted_by = u.id
           where u.email = $1) and done_at is not null`,
            [to],
          )
        ).rows.length === 1 || undefined,
      `the e-mail to ${to} is done in the outbox`,
    )
  }

  test('while the database is away calls say to try again, nothing acknowledged is lost, and afterwards all works', async () => {
    const teacher = await aTeacher({ now: today })
    const acknowledged: string[] = []
    const tried: string[] = []
    const write = async () => {
      const name = `Hemant ${aWord()}`
      tried.push(name)
      const { status, body } = await contact(teacher, name)
      if (status === 200) acknowledged.push(name)
      else assert.deepEqual([status, body.code], [503, 'database_away'])
    }
    await write()
    assert.equal(acknowledged.length, 1)
    // Some of these are in progress when the connection breaks.
    const underWay = Array.from({ length: 40 }, write)
    await line.cut()
    await Promise.all(underWay)
    await away()
    await alive()
    refused(await contactsOf(teacher), 'database_away')
    refused(await contact(teacher, 'Hemant Later'), 'database_away')
    await line.mend()
    await ready()
    await write()
    const names = (await contactsOf(teacher)).body.data.map(({ name }) => name)
    assert.equal(names.filter((name) => name === 'Hemant Later').length, 0)
    for (const name of acknowledged) assert.equal(names.filter((item) => item === name).length, 1, name)
    assert.equal(new Set(names).size, names.length)
    for (const name of names) assert.ok(tried.includes(name))
    assert.equal(acknowledged.at(-1), tried.at(-1))
  })

  test('an e-mail sent while the database was away is not sent a second time', async () => {
    const { teacher, send } = await aPayer()
    const takenAway = Promise.withResolvers<void>()
    mail.answersAfter(takenAway.promise)
    assert.equal((await send()).status, 200)
    await until(async () => mail.taken(teacher.email) || undefined, 'the mail server has the mail')
    await line.cut()
    takenAway.resolve()
    await away()
    await line.mend()
    await ready()
    await mailSent(teacher.email)
    assert.equal(mail.taken(teacher.email), 1)
  })

  test('on a full disk a call says so and keeps nothing, and the same call succeeds once there is room', async () => {
    const { teacher, send } = await aPayer()
    disk.fill(portal.child.pid ?? 0)
    refused(await send(), 'file.store_away')
    assert.deepEqual(await savedContacts(teacher), [0, 0])
    await alive()
    disk.free(portal.child.pid ?? 0)
    const drafts = readdirSync(disk.folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /(^|\/)\./.test(name),
    )
    assert.deepEqual(drafts, [])
    assert.equal((await send()).status, 200)
    assert.equal((await send()).status, 200)
    assert.deepEqual(await savedContacts(teacher), [1, 1])
  })

  test('in a read-only folder of files a call fails in the same way, and calls without files work', async () => {
    const { teacher, send } = await aPayer()
    disk.lock()
    refused(await send(), 'file.store_away')
    assert.deepEqual(await savedContacts(teacher), [0, 0])
    assert.equal((await contact(teacher, 'Hemant Meanwhile')).status, 200)
    disk.unlock()
    assert.equal((await send()).status, 200)
    assert.deepEqual(await savedContacts(teacher), [1, 1])
  })

  test('a hanging mail server delays no call, and its e-mails are sent once when it responds again', async () => {
    const payers = await Promise.all([aPayer(), aPayer(), aPayer()])
    mail.hang(true)
    const before = mail.waiting()
    for (const { send } of payers) assert.equal((await send()).status, 200)
    await until(async () => mail.waiting() > before || undefined, 'a mail waits for a word')
    for (const { teacher } of payers) assert.equal((await contact(teacher, 'Hemant Beside')).status, 200)
    const { pool } = await testDatabase()
    await until(
      async () =>
        (await pool.query("select from outbox where error ~ 'reeting' and done_at is null")).rows.length >
          0 || undefined,
      'the wait for a greeting has timed out',
    )
    mail.hang(false)
    for (const { teacher } of payers) {
      await mailSent(teacher.email)
      assert.equal(mail.taken(teacher.email), 1)
    }
  })
})
