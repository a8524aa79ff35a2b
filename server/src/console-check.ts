import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deriveKeys, newId } from '#platform/auth/secrets'
import type { OpenedDatabase } from '#platform/db/database'
import { refuseOtherEngine } from '#platform/db/database-engine'
import { DatabaseRefused, databaseFault } from '#platform/db/database-fault'
import { missingMigrations, readMigrations } from '#platform/db/migrate'
import { backupStoreOf, fileStoreOf, tryStore } from '#platform/files/stores'
import { askMailServer } from '#platform/mail/mail'
import { readSettings, type Settings } from '#platform/settings'
import { hasDatabase, openFor, openToMigrate } from './console-commands.ts'
import { checkSecrets } from './features/office/secret-rotation/commands.ts'

/** Checks one thing and returns its status in a few words; throws an error with one line if something is wrong. */
type Check = () => Promise<string> | string

/** Checks everything the portal needs, printing one line each. Returns 1 if anything is wrong. */
export async function check(env: Readonly<Record<string, string | undefined>>): Promise<number> {
  let wrong = 0
  const look = async (what: string, run: Check) => {
    try {
      console.log(`ok     ${what.padEnd(10)} ${await run()}`)
    } catch (thrown) {
      wrong++
      console.log(`WRONG  ${what.padEnd(10)} ${linesOf(thrown)}`)
    }
  }
  let settings: Settings | undefined
  await look('settings', () => {
    settings = readSettings(env)
    return settings.production ? 'production' : 'not production (NODE_ENV)'
  })
  if (!settings) return 1
  const { dataDir, filesDir, filesBucket, backupDir, backupBucket, smtpUrl } = settings
  await lookAtDatabase(settings, look)
  await lookAtOthers(settings, look)
  const files = filesBucket && fileStoreOf(settings)
  await look('files', async () => {
    if (!files) return writable(filesDir)
    const store = await files
    await tryStore(store)
    return store.place
  })
  const backups = backupBucket && backupStoreOf(settings)
  await look('backups', async () => {
    if (!backups) return writable(backupDir)
    const store = await backups
    await tryStore(store)
    const { length } = await store.names()
    return `${store.place}, ${length} backups in it`
  })
  await look('mail', async () => {
    if (smtpUrl === undefined)
      return `no SMTP_URL: nobody gets a mail, they are kept in ${join(dataDir, 'mail')}`
    await askMailServer(smtpUrl)
    return new URL(smtpUrl).host
  })
  return wrong === 0 ? 0 : 1
}

/** One line; only what is to be run, which we say ourselves, follows in lines of its own. */
function linesOf(thrown: unknown): string {
  const text = databaseFault(thrown) ?? (thrown instanceof Error ? thrown.message : String(thrown))
  const [line = '', ...more] = text.split('\n')
  return thrown instanceof DatabaseRefused ? [line, ...more].join(`\n${' '.repeat(7)}`) : line
}

async function lookAtDatabase(settings: Settings, look: (what: string, at: Check) => Promise<void>) {
  let database: OpenedDatabase | undefined
  await look('database', async () => {
    if (!hasDatabase(settings)) return 'embedded, not made yet: the first start makes it'
    const opened = await openFor(settings)
    const version = await versionOf(opened)
    database = opened
    return settings.databaseUrl === undefined ? `embedded ${version}` : version
  })
  if (!database) return
  const { db, pool } = database
  const opened = database
  let current = false
  try {
    await look('migrations', async () => {
      const missing = await missingMigrations(opened)
      current = missing.length === 0
      const newest = (await readMigrations()).at(-1)?.name ?? ''
      return current ? `at ${newest}` : `${missing.length} wait for \`npm run migrate\` or the next start`
    })
    await look('clock', async () => {
      const before = Date.now()
      const { rows } = await pool.query<{ now: Date }>('select clock_timestamp() as now')
      return clockOf(before, Date.now(), rows[0]?.now.getTime() ?? 0)
    })
    if (current)
      await look('secret', async () => {
        const keys = deriveKeys(settings.secret, undefined, settings.secretPrevious)
        const { factors, unopened, left: dependent } = await checkSecrets(db, keys)
        if (unopened > 0)
          throw new Error(
            `${unopened} of ${factors} second factors don't open with SECRET: was it changed without SECRET_PREVIOUS?`,
          )
        const needed = Object.entries(dependent ?? {}).flatMap(([what, count]) =>
          count > 0 ? [`${count} ${what}`] : [],
        )
        const still =
          needed.length > 0 ? `still needed for ${needed.join(', ')}` : 'needed no more: take it away'
        return `opens ${factors} second factors${dependent ? `; SECRET_PREVIOUS is ${still}` : ''}`
      })
  } finally {
    await database.close()
  }
}

/** The other addresses of the database, if there are any: a start doesn't need them. */
async function lookAtOthers(settings: Settings, look: (what: string, at: Check) => Promise<void>) {
  const { databaseReadUrl, databaseMigrateUrl } = settings
  if (databaseReadUrl !== undefined)
    await look('standby', () =>
      asked(openFor({ ...settings, databaseUrl: databaseReadUrl }), 'DATABASE_READ_URL', {
        ask: 'select pg_is_in_recovery() as holds',
        otherwise: 'what DATABASE_READ_URL leads to is no standby',
      }),
    )
  if (databaseMigrateUrl !== undefined)
    await look('migrating', () =>
      asked(openToMigrate(settings), 'DATABASE_MIGRATE_URL', {
        ask: `select has_schema_privilege(current_schema(), 'create') as holds`,
        otherwise: 'the role of DATABASE_MIGRATE_URL may not create tables',
      }),
    )
}

async function asked(
  opening: Promise<OpenedDatabase>,
  setting: string,
  { ask, otherwise }: { ask: string; otherwise: string },
): Promise<string> {
  const database = await opening
  try {
    const { rows } = await database.pool.query<{ holds: boolean; user: string }>(
      `select ok.holds, current_user as user from (${ask}) as ok`,
    )
    if (!rows[0]?.holds) throw new Error(otherwise)
    return `as ${rows[0].user}`
  } catch (thrown) {
    const fault = databaseFault(thrown, setting)
    throw fault === undefined ? thrown : new Error(fault, { cause: thrown })
  } finally {
    await database.close()
  }
}

async function versionOf(opened: OpenedDatabase): Promise<string> {
  try {
    await refuseOtherEngine(opened)
    const { rows } = await opened.pool.query<{ server_version: string }>('show server_version')
    return `PostgreSQL ${rows[0]?.server_version}`
  } catch (thrown) {
    await opened.close()
    throw thrown
  }
}

const maxApart = 5_000

/** Compares the database's clock with ours before and after the query: a difference within that span means nothing. */
function clockOf(before: number, after: number, databaseTime: number): string {
  const apart = Math.max(before - databaseTime, databaseTime - after, 0)
  if (apart > maxApart)
    throw new Error(`${Math.round(apart / 1000)} s apart from the database's: set both by NTP`)
  return "as the database's"
}

async function writable(folder: string): Promise<string> {
  const probe = join(folder, `.check-${newId()}`)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(probe, 'x', { mode: 0o600, flush: true })
    await rm(probe)
    return folder
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? ` (${thrown.code})` : ''
    throw new Error(`${folder} can't be written to${code}`)
  }
}
