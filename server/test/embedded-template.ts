// A data folder with a migrated database that those of the tests are copies of. Started as a program it makes one: several processes
// of tests that begin at the same time would each make their own.
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../src/platform/db/database.ts'
import { migrate, readMigrations } from '../src/platform/db/migrate.ts'
import { failLoudly, patient } from './patient.ts'

/** A migration changes the hash, and with it the template the databases are copied from. */
export async function migrationsHash(): Promise<string> {
  const hash = createHash('sha256')
  for (const { name, sha256 } of await readMigrations()) hash.update(`${name} ${sha256}\n`)
  return hash.digest('hex').slice(0, 12)
}

/** Where templates are kept: where a run says, for its parts have folders for temporary files of their own. */
const templates =
  process.env.TEST_TEMPLATES ?? join(tmpdir(), `podium-test-postgres-${process.getuid?.() ?? 0}`)

/** A migrated data folder, made once per set of migrations and kept: a copy of it opens in a fraction of the time. */
export async function embeddedTemplate(): Promise<string> {
  const folder = join(templates, await migrationsHash())
  if (existsSync(folder)) return folder
  const draft = `${folder}.${randomUUID()}`
  mkdirSync(draft, { recursive: true, mode: 0o700 })
  const database = await openDatabase({ ...patient, dataDir: draft, durable: false, onError: failLoudly })
  await migrate(database)
  await database.close()
  try {
    renameSync(draft, folder)
  } catch (error) {
    // Another process was faster; its copy is as good.
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}

// Not awaited: test files, which are loaded at once, import this one. What fails here ends the process all the same.
if (import.meta.main) void embeddedTemplate()
