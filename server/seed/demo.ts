import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { demoUnderWay } from '../src/features/accounts/demo/rules.ts'
import { readFoundation } from '../src/features/office/settings/queries-foundation.ts'
import type { Db, Tx } from '../src/platform/db/database.ts'
import { makeStatements } from './bank.ts'
import { seasonsOf } from './calendar.ts'
import { insertSeason } from './catalogue.ts'
import { makeDrill } from './incidents.ts'
import { lateFees } from './late.ts'
import { makeLists } from './lists.ts'
import { makeNextLevel } from './next-level.ts'
import { makeNotices } from './notices.ts'
import { makeFoundation, makeOfficers } from './office.ts'
import { makeCouriers } from './packets.ts'
import { sendAwards, sendParcels } from './parcels.ts'
import { makeContacts, makeInvitation, makeQuestions } from './people.ts'
import { makeDataRequests } from './privacy.ts'
import { correctResults, makeResults } from './results.ts'
import { makeSchedules } from './schedules.ts'
import { makeApplicants, makeSchools } from './schools.ts'
import { happen, openFamilies, pastYear, thisYear } from './story.ts'
import { makeWaivers } from './waivers.ts'
import type { SeedDeps, World } from './world.ts'

/** Takes a line of what is being done; the making goes on when it has. */
type Say = (line: string) => void | Promise<void>

/**
 * Fills an empty database with the demo world, before anybody is let in. Does nothing where there is something already,
 * the finished demo world included; one that was interrupted is wiped and made anew. Answers whether it was made.
 * The world depends on the day of `deps.clock` alone.
 */
export async function seedDemo(deps: SeedDeps, say: Say = () => undefined): Promise<boolean> {
  return alone(deps, async () => {
    const begun = await deps.db.transaction().execute(begin)
    if (begun) await make(deps, say)
    return begun
  })
}

/** Whether this database is the demo world, whole. */
export async function isDemo(db: Db): Promise<boolean> {
  return (await readFoundation(db)).demo
}

/**
 * Several instances may start on one PostgreSQL: one makes the world, the others wait until it is made or its maker is
 * gone.
 */
async function alone<T>({ db }: SeedDeps, act: () => Promise<T>): Promise<T> {
  // Held by a transaction, which a pooler leaves in its session, as it would not leave a lock of the session.
  return db.transaction().execute(async (guard) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(guard)
    const key = sql`hashtext(${demoUnderWay})`
    for (;;) {
      const { rows } = await sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(${key}) as mine`.execute(
        guard,
      )
      if (rows[0]?.mine) break
      await setTimeout(250)
    }
    return act()
  })
}

async function make(deps: SeedDeps, say: Say): Promise<void> {
  const { db } = deps
  const began = performance.now()
  const now = deps.clock()
  const seasons = seasonsOf(now)
  const [current, last, first] = seasons
  const since = first.at(0)
  await say('The demo world is being made: the foundation and its schools …')
  await makeFoundation(deps, since)
  const world: World = { deps, db, seasons, officers: await makeOfficers(deps, since) }
  for (const { label, days, at } of [first, last, current])
    await db.transaction().execute((tx) => insertSeason(tx, label, at(0), 'open', days))
  const schools = await makeSchools(world)
  const courierId = await makeCouriers(world, since)
  await analyze(db)
  for (const yearsAgo of [2, 1] as const) {
    const season = seasons[yearsAgo]
    await say(`… the season ${season.label}: students, payments, results …`)
    await happen(schools.flatMap((school) => pastYear(world, school, yearsAgo, courierId)))
    await analyze(db)
    await makeResults(world, season, yearsAgo === 2)
    await sendAwards(world, schools, yearsAgo, courierId)
    if (yearsAgo === 1) {
      await correctResults(world, season)
      await makeNextLevel(world, season, schools)
    }
    await db.updateTable('seasons').set({ state: 'closed' }).where('label', '=', season.label).execute()
  }
  await say(`… the season ${current.label}, which runs …`)
  await happen([...lateFees(world), ...schools.flatMap((school) => thisYear(world, school))])
  await makeStatements(world, schools)
  await makeLists(world)
  await makeContacts(world, schools)
  await makeQuestions(world, schools)
  await makeInvitation(world, schools)
  await makeNotices(world)
  await sendParcels(world, schools, courierId)
  await makeSchedules(world)
  await openFamilies(world)
  await makeApplicants(world)
  await makeWaivers(world, schools)
  await makeDataRequests(world, schools)
  await makeDrill(world, schools)
  await db.transaction().execute((tx) => finish(tx, deps, current.at(0)))
  await analyze(db)
  await say(`… done in ${((performance.now() - began) / 1000).toFixed(1)} s.`)
}

/** Tells the planner what the tables hold; the catalogue of the system is left out, which takes as long as they do. */
async function analyze(db: Db): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0 order by 1`.execute(
    db,
  )
  await db.transaction().execute(async (tx) => {
    // Reading all tables takes a slow machine longer than a statement of a request may.
    await sql`set local statement_timeout = '5min'`.execute(tx)
    // Six thousand rows of a table tell the planner as much of so small a world as thirty thousand do, in half the time.
    await sql`set local default_statistics_target = 20`.execute(tx)
    await sql`analyze ${sql.join(rows.map(({ name }) => sql.table(name)))}`.execute(tx)
  })
}

/** Takes the empty database, or one that an interrupted run has left; false where it belongs to somebody. */
async function begin(tx: Tx): Promise<boolean> {
  const interrupted = await tx
    .selectFrom('counters')
    .select('name')
    .where('name', '=', demoUnderWay)
    .executeTakeFirst()
  if (interrupted) await wipe(tx)
  const { rows } = await sql<{ taken: boolean }>`
    select exists (select from foundation) or exists (select from schools) or exists (select from users)
      or exists (select from staff) as taken`.execute(tx)
  if (rows[0]?.taken) return false
  await tx.insertInto('counters').values({ name: demoUnderWay, value: 1 }).execute()
  await tx
    .insertInto('foundation')
    .values({ id: 1, name: 'Podium Foundation', support_phone: '', support_email: '' })
    .execute()
  return true
}

/** Empties all tables but those that the migrations have filled. */
async function wipe(tx: Tx): Promise<void> {
  const kept = ['schema_migrations', 'countries', 'states', 'districts', 'designations', 'titles', 'zones']
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename <> all(${kept}::text[])
    order by 1`.execute(tx)
  await sql`truncate ${sql.join(rows.map(({ name }) => sql.table(name)))} restart identity cascade`.execute(
    tx,
  )
}

/** The last step, which makes the world a whole one. Mails of earlier seasons were read long ago. */
async function finish(tx: Tx, { settings }: SeedDeps, since: Date): Promise<void> {
  // A real mail server gets none of them: the addresses are invented.
  if (settings.smtpUrl) await tx.deleteFrom('outbox').execute()
  else await tx.deleteFrom('outbox').where('created_at', '<', since).execute()
  await tx.updateTable('foundation').set({ demo: true }).execute()
  await tx.deleteFrom('counters').where('name', '=', demoUnderWay).execute()
}
