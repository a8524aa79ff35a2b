import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type OpenedDatabase, openDatabase } from '#platform/db/database'
import { refuseOtherEngine } from '#platform/db/database-engine'
import { DatabaseRefused, databaseFault } from '#platform/db/database-fault'
import { holdsEmbedded } from '#platform/db/embedded-folder'
import { grantUse, MigrationRefused, migrate, missingMigrations, readMigrations } from '#platform/db/migrate'
import { SettingError, type Settings } from '#platform/settings'
import { linkToOwner, resetOwnerFactor } from './features/staff/commands-console.ts'

const print = (line: string) => console.log(line)

/** Opens the database of the settings, alongside the portal if that is running. */
export const openFor = (
  settings: Pick<Settings, 'databaseUrl' | 'databasePool' | 'databasePooler' | 'dataDir'>,
): Promise<OpenedDatabase> =>
  openDatabase({
    url: settings.databaseUrl,
    poolSize: settings.databasePool,
    pooler: settings.databasePooler,
    dataDir: settings.dataDir,
    beside: true,
    onError: (error) => console.error(error.message),
  })

/** Does the same for changing tables: with the role of DATABASE_MIGRATE_URL, if the portal's own may not. */
export async function openToMigrate(settings: Settings): Promise<OpenedDatabase> {
  const { databaseMigrateUrl: url } = settings
  if (url === undefined) return openFor(settings)
  // Bypasses the pooler, if any: it connects directly to the database.
  const database = await openFor({ ...settings, databaseUrl: url, databasePooler: undefined })
  try {
    await database.pool.query('select')
    return database
  } catch (thrown) {
    await database.close()
    throw new DatabaseRefused(databaseFault(thrown, 'DATABASE_MIGRATE_URL') ?? String(thrown), {
      cause: thrown,
    })
  }
}

/** Lets the portal's role use tables that another role has created. */
export async function openToPortal(settings: Settings, { pool }: OpenedDatabase): Promise<void> {
  const { databaseUrl, databaseMigrateUrl } = settings
  if (databaseUrl === undefined || databaseMigrateUrl === undefined) return
  const role = decodeURIComponent(new URL(databaseUrl).username)
  await grantUse(pool, role)
  print(`${role} may read and write its rows, and nothing else.`)
}

export const hasDatabase = ({ databaseUrl, dataDir }: Pick<Settings, 'databaseUrl' | 'dataDir'>) =>
  databaseUrl !== undefined || holdsEmbedded(dataDir)

/** Refuses to create an embedded database merely to read it. */
export function refuseWithoutDatabase(settings: Pick<Settings, 'databaseUrl' | 'dataDir'>): void {
  if (!hasDatabase(settings))
    throw new SettingError(`There is no database in ${settings.dataDir}: set DATA_DIR or DATABASE_URL`)
}

export async function applyMigrations(settings: Settings): Promise<number> {
  const database = await openToMigrate(settings)
  try {
    await refuseOtherEngine(database)
    const applied = await migrate(database)
    await openToPortal(settings, database)
    for (const name of applied) print(name)
    const newest = (await readMigrations()).at(-1)?.name ?? ''
    print(
      applied.length === 0 ? `The database is at ${newest} already.` : `The database is at ${newest} now.`,
    )
    return 0
  } finally {
    await database.close()
  }
}

/** Runs `act` on a database of this version. */
async function withCurrent(settings: Settings, act: (database: OpenedDatabase) => Promise<void>) {
  refuseWithoutDatabase(settings)
  const database = await openFor(settings)
  try {
    const missing = await missingMigrations(database)
    if (missing.length > 0)
      throw new MigrationRefused(
        `The database lacks ${missing.length} migrations of this version: run \`npm run migrate\` first.`,
      )
    await act(database)
    return 0
  } finally {
    await database.close()
  }
}

export function inviteOwner(settings: Settings, mail: string, name: string | undefined): Promise<number> {
  return withCurrent(settings, async ({ db }) => {
    const { publicUrl } = settings
    const invitation = await db
      .transaction()
      .execute((tx) => linkToOwner(tx, new Date(), { mail, name, publicUrl }))
    print(
      `With this link ${invitation.name} sets a password as owner, once and within ${invitation.days} days:`,
    )
    print(invitation.link)
    print('The same link goes out by mail as soon as the portal runs. Links from before work no more.')
    if (invitation.hasFactor)
      print(
        'The second factor stays: `npm run owner -- reset-second-factor` takes it back if it is lost, too.',
      )
  })
}

export function resetOwner(settings: Settings, mail: string): Promise<number> {
  return withCurrent(settings, async ({ db }) => {
    const { name } = await db.transaction().execute((tx) => resetOwnerFactor(tx, new Date(), mail))
    print(`The second factor and the recovery codes of ${name} work no more, and ${name} is signed out.`)
    print('A new one is set up at the next sign-in with the password.')
  })
}

export async function version(): Promise<number> {
  const file = join(import.meta.dirname, '../package.json')
  const { version: number }: { version: string } = JSON.parse(readFileSync(file, 'utf8'))
  const newest = (await readMigrations()).at(-1)?.name ?? ''
  print(`Podium ${number}, database ${newest.replace('.sql', '')}, Node ${process.versions.node}`)
  return 0
}
