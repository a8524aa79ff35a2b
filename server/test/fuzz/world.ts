import { join } from 'node:path'
import { sql } from 'kysely'
import { demoFamilyLink, demoSchoolLink } from '#features/accounts/demo/rules'
import { tokenHash } from '#platform/auth/secrets'
import { seedDemo } from '../../seed/demo.ts'
import { createLogger } from '../../src/platform/telemetry/logger.ts'
import { takenOver, testsShare } from '../database.ts'
import { aDay } from '../factories.ts'
import { type TestServer, testServer } from '../server.ts'
import {
  type CallerName,
  type Callers,
  callerNames,
  mailBounceSecret,
  makeCallers,
  mayLive,
} from './callers.ts'
import { familySamples, officeSamples, type Samples, schoolSamples } from './samples.ts'

/** Stands in whatever is personal of school B, and must never reach school A, a family, or somebody without a school. */
export const foreignMark = 'Parayimark'

/** A fault as the server's log tells it; long work that was refused is logged by another name. */
export interface Fault {
  msg: string
  route?: string
  err?: { type: string; message: string; where?: string[] }
}

export interface World {
  server: TestServer
  callers: Callers
  /** What school A, its families and the office know; by the kind of door */
  samples: { school: Samples; family: Samples; office: Samples; foreign: Samples }
  /** Lets everybody in again whose session a call has ended, or whose account it has changed. */
  revive(): Promise<void>
  /** Whether a caller of the table has a session that no call of its own has ended. */
  shouldLive(caller: CallerName): boolean
  /** Faults that the server has logged since they were taken last */
  takeFaults(): Fault[]
}

/** School A of the fuzzer is the demo's first, school B one that has paid, chosen and received everything. */
const schoolA = demoSchoolLink.schoolCode
const coordinatorOfB = 'kiran@podium.example'

/** The demo world on a server of its own, with everybody signed in who may call: that of `seed/demo.test.ts` where it ran before. */
export async function aWorldToFuzz(): Promise<World> {
  const faults: Fault[] = []
  const log = createLogger('error', {
    write(line: string) {
      const entry = JSON.parse(line) as Fault
      if (entry.msg !== 'job failed') faults.push(entry)
    },
  })
  const made = await takenOver('the demo world')
  if (made) testsShare(made.database)
  const settings = { mailBounceSecret, ...(made && { filesDir: join(made.files, 'files') }) }
  const server = await testServer({ clock: () => aDay, limitScale: 1_000_000, log, settings })
  const { db } = server.deps
  await seedDemo(server.deps)
  const a = await db
    .selectFrom('schools')
    .select(['id', 'code'])
    .where('code', '=', schoolA)
    .executeTakeFirstOrThrow()
  const b = await db
    .selectFrom('schools as s')
    .innerJoin('users as u', 'u.school_id', 's.id')
    .select(['s.id', 's.code'])
    .where('u.email', '=', coordinatorOfB)
    .executeTakeFirstOrThrow()
  await mark(server, b.id)
  const callers = await makeCallers(server, { a: a.id, b: b.id, familyLink: demoFamilyLink.id })
  return {
    server,
    callers,
    revive: await reviving(server, callers),
    shouldLive: mayLive,
    samples: {
      school: await schoolSamples(db, a.id),
      foreign: await schoolSamples(db, b.id),
      family: await familySamples(db, demoFamilyLink.id),
      office: await officeSamples(db),
    },
    takeFaults: () => faults.splice(0),
  }
}

/** What brings back the people of the table as they are now, but for those whose sessions are to be over. */
async function reviving({ deps: { db } }: TestServer, callers: Callers): Promise<() => Promise<void>> {
  const alive = callerNames.flatMap((name) => {
    const token = callers[name]
    return token === undefined || !mayLive(name) ? [] : [tokenHash(token)]
  })
  const sessions = await db.selectFrom('sessions').selectAll().where('token_hash', 'in', alive).execute()
  const idsOf = (key: 'user_id' | 'staff_id' | 'visit_id') =>
    sessions.flatMap((session) => (session[key] === null ? [] : [session[key]]))
  const users = await db.selectFrom('users').selectAll().where('id', 'in', idsOf('user_id')).execute()
  const staff = await db.selectFrom('staff').selectAll().where('id', 'in', idsOf('staff_id')).execute()
  const schools = users.flatMap(({ school_id }) => (school_id === null ? [] : [school_id]))
  return async () => {
    for (const { id, school_id, coordinator } of users)
      await db
        .updateTable('users')
        .set({ school_id, coordinator, disabled_at: null })
        .where('id', '=', id)
        .execute()
    for (const { id, role } of staff)
      await db.updateTable('staff').set({ role, disabled_at: null }).where('id', '=', id).execute()
    await db
      .updateTable('schools')
      .set({ active: true, inactive_since: null })
      .where('id', 'in', schools)
      .execute()
    await db
      .updateTable('school_visits')
      .set({ ended_at: null })
      .where('id', 'in', idsOf('visit_id'))
      .execute()
    await db
      .updateTable('family_links')
      .set({ revoked_at: null })
      .where('id', '=', demoFamilyLink.id)
      .execute()
    await db.updateTable('sessions').set({ ended_at: null }).where('token_hash', 'in', alive).execute()
  }
}

/** Writes the mark into what is personal of a school. */
async function mark({ deps: { db } }: TestServer, schoolId: number): Promise<void> {
  const statements = [
    sql`update students set name = ${foreignMark} || ' ' || id, parent_name = ${foreignMark}, parent_email = lower(${foreignMark}) || id || '@family.example'
      where school_id = ${schoolId}`,
    sql`update results set student_name = ${foreignMark} || ' ' || student_id where school_id = ${schoolId}`,
    sql`delete from result_lists where school_id = ${schoolId}`,
    sql`update contacts set name = ${foreignMark}, email = lower(${foreignMark}) || '@school.example' where school_id = ${schoolId}`,
    sql`update users set name = ${foreignMark}, address = ${foreignMark} where school_id = ${schoolId}`,
    sql`update payments set remarks = ${foreignMark} where school_id = ${schoolId}`,
    sql`update teacher_questions set question = ${foreignMark} || question where school_id = ${schoolId}`,
  ]
  for (const statement of statements) await statement.execute(db)
}
