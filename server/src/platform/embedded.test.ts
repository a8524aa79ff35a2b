import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { freshDataDir, temporaryFolder, testedKind } from '../../test/database.ts'
import { type OpenedDatabase, openDatabase } from './database.ts'
import { type Embedded, startEmbedded } from './embedded.ts'
import { FolderInUse, lockFolder, startOf } from './embedded-lock.ts'

const deadPid = 4_194_304 - 1

function open(dataDir: string, onError = (error: Error) => assert.fail(error)): Promise<OpenedDatabase> {
  return openDatabase({ dataDir, onError })
}

async function count({ db }: OpenedDatabase): Promise<number | undefined> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from marks`.execute(db)
  return rows[0]?.n
}

describe('the embedded database', {
  skip: testedKind !== 'embedded' && 'its turn is TEST_DATABASE=embedded',
}, () => {
  test('every commit reaches the disk before it is acknowledged', async () => {
    const database = await open(await freshDataDir())
    const fsyncs = async () => (await database.embedded?.fsyncs()) ?? 0
    await sql`create table marks (id int)`.execute(database.db)
    for (let turn = 1; turn <= 5; turn += 1) {
      const before = await fsyncs()
      await sql`insert into marks values (${turn})`.execute(database.db)
      assert.ok((await fsyncs()) > before, 'the commit was acknowledged without an fsync')
    }
    const before = await fsyncs()
    await count(database)
    assert.equal(await fsyncs(), before, 'reading needs no fsync, or the counter counts something else')
    await database.close()
  })

  test('a new data folder becomes a database that keeps its data over a restart', async () => {
    const dataDir = join(temporaryFolder('podium-new-'), 'data')
    const first = await open(dataDir)
    await sql`create table marks (id int)`.execute(first.db)
    await sql`insert into marks values (1)`.execute(first.db)
    await first.close()
    const second = await open(dataDir)
    assert.equal(await count(second), 1)
    await second.close()
    assert.deepEqual(readdirSync(dataDir).sort(), ['database', 'database.lock.2'])
  })

  test('a start that was cut off before its database was kept does not spoil the next, which keeps its own', async () => {
    const dataDir = temporaryFolder('podium-cut-')
    for (const name of ['database', 'database.new']) {
      mkdirSync(join(dataDir, name))
      writeFileSync(join(dataDir, name, 'PG_VERSION'), '18\n')
    }
    writeFileSync(join(dataDir, 'database.unkept'), '')
    const onError = (error: Error) => assert.fail(error)
    const database = await openDatabase({ dataDir, sync: 'kept', onError })
    const fsyncs = async () => (await database.embedded?.fsyncs()) ?? 0
    await sql`create table marks (id int)`.execute(database.db)
    assert.equal(await fsyncs(), 0)
    assert.ok(readdirSync(dataDir).includes('database.unkept'))
    await database.embedded?.keep()
    assert.ok(!readdirSync(dataDir).includes('database.unkept'))
    await sql`insert into marks values (1)`.execute(database.db)
    assert.ok((await fsyncs()) > 0, 'a commit after that reached no disk')
    await database.close()
    const next = await openDatabase({ dataDir, sync: 'kept', onError })
    const before = (await next.embedded?.fsyncs()) ?? 0
    await sql`insert into marks values (2)`.execute(next.db)
    assert.ok(((await next.embedded?.fsyncs()) ?? 0) > before, 'a folder that was kept waits for nothing')
    assert.equal(await count(next), 2)
    await next.close()
  })

  test('a second start on the folder is refused in one line that names the process', async () => {
    const dataDir = await freshDataDir()
    const database = await open(dataDir)
    await assert.rejects(open(dataDir), (error: Error) => {
      assert.match(
        error.message,
        new RegExp(`^The data folder .* is in use by process ${process.pid};[^\n]*$`),
      )
      return true
    })
    await sql`select 1`.execute(database.db)
    await database.close()
  })

  test('the end of its process is a fatal error of the server, and nothing waits for it', async () => {
    const dataDir = await freshDataDir()
    let told: (error: Error) => void
    const fatal = new Promise<Error>((done) => {
      told = done
    })
    const database = await openDatabase({
      dataDir,
      onError: (error, isFatal) => {
        if (isFatal) told(error)
      },
    })
    await sql`create table marks (id int)`.execute(database.db)
    const sleeping = assert.rejects(sql`select pg_sleep(5)`.execute(database.db))
    process.kill(database.embedded?.pid ?? 0, 'SIGKILL')
    assert.match((await fatal).message, /embedded database ended unexpectedly \(SIGKILL\)/)
    await sleeping
    await assert.rejects(sql`select 1`.execute(database.db))
    await database.close()
    const again = await open(dataDir)
    assert.equal(await count(again), 0)
    await again.close()
  })

  test('a server killed outright takes its database process along, and the next start goes on', async () => {
    const dataDir = await freshDataDir()
    const server = fork(new URL('../../test/embedded-writer.ts', import.meta.url), [dataDir], {
      execArgv: [],
    })
    for (let acknowledged = 0; acknowledged < 20; acknowledged += 1) await once(server, 'message')
    server.kill('SIGKILL')
    await once(server, 'exit')
    const database = await open(dataDir)
    assert.ok(((await count(database)) ?? 0) >= 20)
    await database.close()
  })

  test('a transaction that falls silent is rolled back, so that it does not hold the others up', async () => {
    const dataDir = await freshDataDir()
    const embedded = await startEmbedded({ dataDir, idleInTransaction: 50, onEnd: assert.fail })
    const silent = new Wire(embedded)
    await silent.ask(query('create table marks (id int)'))
    await silent.ask(query('begin; insert into marks values (1)'))
    const other = new Wire(embedded)
    assert.match(await other.ask(query("select 'rows: ' || count(*) from marks")), /rows: 0/)
    assert.match(silent.heard, /25P03/)
    await embedded.close()
  })

  test('connections that interleave their messages get their own answers', async () => {
    const dataDir = await freshDataDir()
    const embedded = await startEmbedded({ dataDir, idleInTransaction: 10_000, onEnd: assert.fail })
    const [first, second] = [new Wire(embedded), new Wire(embedded)]
    first.send(begun('FIRST'))
    second.send(begun('SECOND'))
    const answers = await Promise.all([first.ask(finished), second.ask(finished)])
    assert.match(answers[0], /FIRST/)
    assert.doesNotMatch(answers[0], /SECOND/)
    assert.match(answers[1], /SECOND/)
    await embedded.close()
  })
})

describe('the lock of a data folder', () => {
  const lockFile = (folder: string, owner: object) =>
    writeFileSync(join(folder, 'database.lock.7'), JSON.stringify(owner))

  test('is taken over from a process that is gone', () => {
    const folder = temporaryFolder('podium-lock-')
    lockFile(folder, { pid: deadPid, start: 'x', serverPid: deadPid, serverStart: 'x' })
    const release = lockFolder(folder, process.pid)
    assert.deepEqual(readdirSync(folder), ['database.lock.8'])
    assert.throws(() => lockFolder(folder, process.pid), FolderInUse)
    release()
    lockFolder(folder, process.pid)()
  })

  test('is taken over when the number belongs to another process now', {
    skip: startOf(process.pid) === '',
  }, () => {
    const folder = temporaryFolder('podium-lock-')
    lockFile(folder, { pid: process.pid, start: 'long ago', serverPid: process.pid, serverStart: 'long ago' })
    lockFolder(folder, process.pid)()
  })

  test('half written by a machine that lost its power, it is taken over', () => {
    const folder = temporaryFolder('podium-lock-')
    writeFileSync(join(folder, 'database.lock.7'), '{"pid":')
    lockFolder(folder, process.pid)()
  })
})

/** A connection that says exactly what it is told: `pg` always sends whole statements at once. */
class Wire {
  heard = ''
  readonly #socket

  constructor({ host, port }: Embedded) {
    this.#socket =
      process.platform === 'win32' ? connect(port, host) : connect(join(host, `.s.PGSQL.${port}`))
    this.#socket.on('data', (data) => {
      this.heard += data.toString('latin1')
    })
    const body = Buffer.from('\0\x03\0\0user\0postgres\0database\0postgres\0\0', 'latin1')
    this.send(Buffer.concat([size(body.length + 4), body]))
  }

  send(bytes: Buffer): void {
    this.#socket.write(bytes)
  }

  /** Sends and waits until the database is ready again: ReadyForQuery is six bytes and comes last. */
  async ask(bytes: Buffer): Promise<string> {
    while (this.heard.at(-6) !== 'Z') await once(this.#socket, 'data')
    this.heard = ''
    this.send(bytes)
    while (this.heard.at(-6) !== 'Z') await once(this.#socket, 'data')
    return this.heard
  }
}

function size(length: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(length)
  return bytes
}

function message(type: string, body: string): Buffer {
  const bytes = Buffer.from(body, 'latin1')
  return Buffer.concat([Buffer.from(type), size(bytes.length + 4), bytes])
}

const query = (text: string) => message('Q', `${text}\0`)
/** Parse and Bind of a statement without its Execute. */
const begun = (word: string) =>
  Buffer.concat([message('P', `\0select '${word}'\0\0\0`), message('B', '\0\0\0\0\0\0\0\0')])
/** Execute and Sync. */
const finished = Buffer.concat([message('E', '\0\0\0\0\0'), message('S', '')])
