import { setTimeout } from 'node:timers/promises'
import { addDays, istDay, seasonYear } from '@podium/contract/season'
import { sql } from 'kysely'
import { readFoundation } from '#platform/foundation'
import {
  demoAccounts,
  demoFamilyLink,
  demoInProgress,
  demoOfficers,
  demoPassword,
} from '../src/features/accounts/demo/rules.ts'
import { saveLateFee } from '../src/features/catalogue/seasons/commands.ts'
import { saveNotice } from '../src/features/notices/commands.ts'
import {
  addAffected,
  closeIncident,
  markNotified,
  noteIncident,
  openIncident,
} from '../src/features/privacy/incidents/commands.ts'
import type { Db, Tx } from '../src/platform/db/database.ts'
import { makeStatements } from './bank.ts'
import { seasonsOf } from './calendar.ts'
import { insertSeason } from './catalogue.ts'
import {
  assignCases,
  bounceSomeMails,
  makeContacts,
  makeDataRequests,
  makeFoundation,
  makeInvitation,
  makeOfficers,
  makeQuestions,
} from './office.ts'
import { makeCouriers, sendAwards, sendParcels } from './packets.ts'
import { makeWaivers } from './pay.ts'
import { correctResults, makeNextLevel, makeResults } from './results.ts'
import { makeApplicants, makeSchools } from './schools.ts'
import { openFamilies, pastYear, runInOrder, type SchoolEvent, thisYear } from './story.ts'
import type { School, SeedDeps, World } from './world.ts'

const hour = 3_600_000
const daysAgo = 60

/** Creates a closed drill: nothing has happened, and it affects one student without an e-mail. */
async function makeDrill({ db, deps, officers, seasons }: World, schools: readonly School[]) {
  const child = await db
    .selectFrom('students')
    .select('id')
    .where('season', '=', seasons[1].label)
    .where(
      'school_id',
      'in',
      schools.map(({ id }) => id),
    )
    .where('parent_email', '=', '')
    .where('active', '=', true)
    .orderBy('id')
    .executeTakeFirst()
  if (!child) return
  const day = istDay(new Date(deps.clock().getTime() - daysAgo * 24 * hour))
  const timeOn = (time: string) => new Date(`${day}T${time}:00+05:30`)
  await db.transaction().execute(async (tx) => {
    const id = await openIncident(tx, officers.operations, timeOn('10:30'), {
      title: 'Drill: a list of children left in a taxi',
      nature: 'lost',
      foundDay: day,
      foundTime: '10:00',
      happened: 'Invented for practice: a printed list was left in a taxi and brought back within the hour.',
      extent: 'One invented list with name, class and school of one child.',
      measures: 'The list was shredded. Lists are carried in closed folders.',
    })
    const text = 'No report to CERT-In or the Board: a drill is no incident of the law.'
    await noteIncident(tx, officers.operations, timeOn('10:50'), { id, text })
    const who = { by: 'list' as const, lines: String(child.id) }
    await addAffected(tx, officers.operations, timeOn('11:10'), { id, version: 1, who })
    const change = { id, version: 2, people: [], note: 'Tried out: the school would have been rung.' }
    await markNotified(tx, officers.operations, timeOn('11:30'), change)
    const note = 'Everybody knew what to do; all was written down after an hour and a half.'
    await closeIncident(tx, officers.owner, timeOn('12:00'), { id, version: 3, note })
  })
}

/** One school's Class 6 paid after the slots were assigned, and waits for them. */
const lateClass = { code: 'TUM0088', classId: 6 }

/**
 * Creates the hours of the online olympiads for all paid students: each class on one of the olympiad's two dates, in
 * three slots. In past seasons they were taken, with a few exceptions.
 */
async function makeSchedules({ db, seasons }: World): Promise<void> {
  for (const [yearsAgo, { label }] of seasons.entries()) {
    await sql`
      insert into exam_schedules (student_id, event_id, from_at, to_at, exam_status, schedule_status)
      select student_id, event_id, from_at, from_at + interval '1 hour',
        case when ${yearsAgo === 0} then 'Not started' when place % 29 = 0 then 'Missed' else 'Completed' end,
        case when place % 17 = 0 then 'Rescheduled' else 'Scheduled' end
      from (
        select n.student_id, n.event_id, row_number() over (order by s.school_id, s.class_id, s.section, s.roll_no) as place,
          (d.held_on + time '10:00' + s.roll_no % 3 * interval '90 minutes')
            at time zone 'Asia/Kolkata' as from_at
        from enrolments n join students s on s.id = n.student_id join events e on e.id = n.event_id
          join exam_dates d on d.event_id = e.id and d.ordinal = 1 + s.class_id % 2
        where e.season = ${label} and e.mode = 'Online' and s.active and s.paid
          and not (${yearsAgo === 0} and s.class_id = ${lateClass.classId} and s.school_id = (
            select id from schools where code = ${lateClass.code}))) turns`.execute(db)
  }
  await sql`
    insert into exam_slots (event_id, from_at, to_at, places)
    select event_id, from_at, to_at, greatest(40, ceil(count(*) / 20.0)::int * 20) from exam_schedules
    group by event_id, from_at, to_at order by event_id, from_at`.execute(db)
  await sql`
    update exam_schedules x set slot_id = l.id, notified_at = ${seasons[0].at(0.98)}::timestamptz
    from exam_slots l
    where l.event_id = x.event_id and l.from_at = x.from_at and l.to_at = x.to_at`.execute(db)
  // One school has not been notified of its hours yet.
  await sql`
    update exam_schedules x set notified_at = null from students s join schools o on o.id = s.school_id
    where s.id = x.student_id and s.season = ${seasons[0].label} and o.code = 'UIS0007'`.execute(db)
}

/** Receives a line of progress; the work continues when it resolves. */
type Progress = (line: string) => void | Promise<void>

/**
 * Fills an empty database with the demo world, before anyone is let in. Does nothing if there is data already,
 * including the finished demo world; an interrupted one is wiped and created again. Returns whether it was created. The
 * world depends only on the day of `deps.clock`.
 */
export async function seedDemo(deps: SeedDeps, say: Progress = () => undefined): Promise<boolean> {
  return inOneInstance(deps, async () => {
    const created = await deps.db.transaction().execute(claimDatabase)
    if (created) await make(deps, say)
    return created
  })
}

/** Whether this database is the complete demo world. */
export async function isDemo(db: Db): Promise<boolean> {
  return (await readFoundation(db)).demo
}

/**
 * Runs `act` in one instance only: several may start on one PostgreSQL; one creates the world, the others wait until it
 * is done or that instance is gone.
 */
async function inOneInstance<T>({ db }: SeedDeps, act: () => Promise<T>): Promise<T> {
  // Held by a transaction, which a pooler leaves in its session; a session's lock would not be safe.
  return db.transaction().execute(async (guard) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(guard)
    const key = sql`hashtext(${demoInProgress})`
    for (;;) {
      const { rows } = await sql<{ mine: boolean }>`
        select pg_try_advisory_xact_lock(${key}) as mine`.execute(guard)
      if (rows[0]?.mine) break
      await setTimeout(250)
    }
    return act()
  })
}

async function make(deps: SeedDeps, say: Progress): Promise<void> {
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
    await runInOrder(schools.flatMap((school) => pastYear(world, school, yearsAgo, courierId)))
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
  await runInOrder([...lateFees(world), ...schools.flatMap((school) => thisYear(world, school))])
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
  await assignCases(world)
  // With a mail server no mails were sent.
  if (!deps.settings.smtpUrl) await bounceSomeMails(world)
  await db.transaction().execute((tx) => finish(tx, deps, current.at(0)))
  await analyze(db)
  await say(`… done in ${((performance.now() - began) / 1000).toFixed(1)} s.`)
}

/** Updates the planner's statistics; skips the system catalogue, which would take as long as the tables. */
async function analyze(db: Db): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0
    order by 1`.execute(db)
  await db.transaction().execute(async (tx) => {
    // On a slow machine, reading all tables takes longer than a request's statement may.
    await sql`set local statement_timeout = '5min'`.execute(tx)
    // For so small a world, six thousand rows per table tell the planner as much as thirty thousand, in half the time.
    await sql`set local default_statistics_target = 20`.execute(tx)
    await sql`analyze ${sql.join(rows.map(({ name }) => sql.table(name)))}`.execute(tx)
  })
}

/** Takes an empty database, or one left by an interrupted run; returns false if it holds someone's data. */
async function claimDatabase(tx: Tx): Promise<boolean> {
  const interrupted = await tx
    .selectFrom('counters')
    .select('name')
    .where('name', '=', demoInProgress)
    .executeTakeFirst()
  if (interrupted) await clearTables(tx)
  const { rows } = await sql<{ taken: boolean }>`
    select exists (select from foundation) or exists (select from schools) or exists (select from users)
      or exists (select from staff) as taken`.execute(tx)
  if (rows[0]?.taken) return false
  await tx.insertInto('counters').values({ name: demoInProgress, value: 1 }).execute()
  await tx
    .insertInto('foundation')
    .values({ id: 1, name: 'Podium Foundation', support_phone: '', support_email: '' })
    .execute()
  return true
}

/** Empties all tables except those filled by migrations. */
async function clearTables(tx: Tx): Promise<void> {
  const lists = ['countries', 'states', 'districts', 'designations', 'titles', 'zones', 'standard_reasons']
  const keptTables = ['schema_migrations', ...lists]
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename <> all(${keptTables}::text[])
    order by 1`.execute(tx)
  await sql`truncate ${sql.join(rows.map(({ name }) => sql.table(name)))}
    restart identity cascade`.execute(tx)
}

/** Completes the world. Mails of earlier seasons were read long ago. */
async function finish(tx: Tx, { settings }: SeedDeps, since: Date): Promise<void> {
  // A real mail server must get none of them: the addresses are invented.
  if (settings.smtpUrl) await tx.deleteFrom('outbox').execute()
  else await tx.deleteFrom('outbox').where('created_at', '<', since).execute()
  await tx.updateTable('foundation').set({ demo: true }).execute()
  await tx.deleteFrom('counters').where('name', '=', demoInProgress).execute()
}

/**
 * Creates the national holidays on fixed days in the demo world's seasons and the next one, and its schools' districts.
 */
async function makeLists({ db, seasons: [current] }: World): Promise<void> {
  const year = seasonYear(current.label)
  const holidays = [year - 1, year, year + 1].flatMap((from) => [
    { held_on: `${from}-08-15`, name: 'Independence Day' },
    { held_on: `${from}-10-02`, name: 'Gandhi Jayanti' },
    { held_on: `${from}-12-25`, name: 'Christmas Day' },
    { held_on: `${from + 1}-01-26`, name: 'Republic Day' },
  ])
  await db
    .insertInto('holidays')
    .values(holidays)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await sql`
    insert into districts (state_id, name)
    select distinct s.id, h.district from schools h join states s on s.name = h.state
    where h.country = 'India' and h.district <> '' on conflict do nothing`.execute(db)
}

/**
 * Returns when the office announces late fees: one already in force, for Environment, and one in the last week for
 * three subjects.
 */
function lateFees({ db, officers, seasons: [season] }: World): SchoolEvent[] {
  const set = async (at: Date, letters: readonly string[], lateFrom: string, lateFee: number) => {
    const events = await db
      .selectFrom('events')
      .select(['id', 'version'])
      .where('season', '=', season.label)
      .where('level', '=', 1)
      .where('letter', 'in', letters)
      .execute()
    const named = events.map(({ id, version }) => ({ eventYearId: id, version }))
    const fee = { FYear: season.label, events: named, lateFrom, lateFee }
    await db.transaction().execute((tx) => saveLateFee(tx, officers.owner, at, fee))
  }
  const announced = season.at(0.84)
  const since = istDay(season.at(0.92))
  const last = addDays(season.days.closesOn, -6)
  return [
    // In a season that has just begun there is no day in between.
    ...(since > istDay(announced) ? [{ at: announced, act: () => set(announced, ['V'], since, 25) }] : []),
    { at: announced, act: () => set(announced, ['M', 'S', 'E'], last, 50) },
  ]
}

/** Creates the office's notices: an important one for all in two languages, one for a state, one that is planned. */
async function makeNotices({ db, officers, seasons }: World): Promise<void> {
  const [season] = seasons
  const last = season.at(1)
  const today = istDay(last)
  const plain = { id: 0, titleHi: '', textHi: '', important: false, states: [], schCode: '' }
  const notices = [
    {
      ...plain,
      at: season.at(0.95),
      title: 'Entries close soon: check your list',
      text: `Entries of this season close on the day shown on your dashboard. Please check names and subjects before you pay: after the payment nothing can be changed.\nHow to correct a list: https://podium.example/help/lists`,
      titleHi: 'प्रविष्टियाँ जल्द बंद होंगी: अपनी सूची जाँचें',
      textHi:
        'इस सत्र की प्रविष्टियाँ आपके डैशबोर्ड पर दिखाए दिन बंद होंगी। भुगतान से पहले नाम और विषय जाँच लें: भुगतान के बाद कुछ नहीं बदला जा सकता।\nसूची कैसे सुधारें: https://podium.example/help/lists',
      important: true,
      audience: 'all' as const,
      until: addDays(today, 20),
    },
    {
      ...plain,
      at: season.at(0.97),
      title: 'Parcels in Karnataka take two days longer',
      text: 'The courier has moved its centre in Karnataka. Parcels with books arrive up to two days later than usual until the end of the month.',
      titleHi: 'कर्नाटक में पार्सल दो दिन देर से पहुँचेंगे',
      textHi:
        'कूरियर कंपनी ने कर्नाटक में अपना केंद्र बदला है। इस महीने के अंत तक पुस्तकों के पार्सल दो दिन तक देर से पहुँच सकते हैं।',
      audience: 'state' as const,
      states: ['Karnataka'],
      until: addDays(today, 10),
    },
    {
      ...plain,
      at: last,
      from: addDays(today, 25),
      title: 'Admit cards can be printed from today',
      text: 'Roll numbers are final. Print the admit cards and hand them out a week before the exam.',
      audience: 'all' as const,
      until: addDays(today, 60),
    },
  ]
  for (const { at, ...notice } of notices) {
    const dated = { from: istDay(at), ...notice }
    await db.transaction().execute((tx) => saveNotice(tx, officers.operations, at, dated))
  }
}

/** Returns the sign-ins of the demo world, printed at startup after the address. */
export function signIns(publicUrl: string): string {
  const wide = Math.max(...[...demoAccounts, ...demoOfficers].map(({ email }) => email.length)) + 2
  const line = (email: string, what: string) => `  ${email.padEnd(wide)}${what}`
  return [
    `Demo world. The password of all is ${demoPassword}`,
    `Schools, ${publicUrl}/login`,
    ...demoAccounts.map(({ email, shows }) => line(email, shows)),
    `The foundation, ${publicUrl}/office (codes of the second factor are on the demo page)`,
    ...demoOfficers.map(({ email, role }) => line(email, role)),
    `A family, ${publicUrl}/student?id=${demoFamilyLink.id} (access code ${demoFamilyLink.code})`,
    `Demo page with links, codes and mails: ${publicUrl}/demo`,
  ].join('\n')
}
