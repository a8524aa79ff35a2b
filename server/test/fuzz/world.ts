import { join } from 'node:path'
import { sql } from 'kysely'
import { demoFamilyLink, demoSchoolLink } from '#features/accounts/demo/rules'
import { tokenHash } from '#platform/auth/secrets'
import { changeRows, findRow } from '#platform/db/rows'
import { seedDemo } from '../../seed/demo.ts'
import type { Door } from '../../src/platform/auth/gate.ts'
import { mayDo, type Permission, type Role } from '../../src/platform/auth/policy.ts'
import { openSession } from '../../src/platform/auth/session.ts'
import { createLogger } from '../../src/platform/telemetry/logger.ts'
import { savedDatabase, testsShare } from '../database.ts'
import { aDay, aTeacher } from '../factories.ts'
import { type TestServer, testServer } from '../server.ts'
import type { Fields, Session, UploadFile } from './ask.ts'
import { familySamples, officeSamples, type Samples, schoolSamples } from './samples.ts'

const roles = ['owner', 'operations', 'accounts', 'results', 'viewer'] as const

const mailBounceSecret = 'a-secret-of-the-mail-server'

/** All callers, by the name used in findings. */
export const callerNames = [
  'nobody',
  'a family',
  'a person without a school',
  'a person whose application is pending',
  'staff of school A',
  'the coordinator of school A',
  'the coordinator of school B',
  ...roles.map((role) => `the office, ${role}` as const),
  'a disabled teacher',
  'a teacher whose session has run out',
  'an officer in the portal of school A',
  'the mail server',
] as const
export type CallerName = (typeof callerNames)[number]

type Callers = Readonly<Record<CallerName, string | undefined>>

/** Callers who must never see personal data of school B. */
export const strangersToB: ReadonlySet<string> = new Set<CallerName>([
  'nobody',
  'a family',
  'a person without a school',
  'a person whose application is pending',
  'staff of school A',
  'the coordinator of school A',
  'a disabled teacher',
  'a teacher whose session has run out',
  'an officer in the portal of school A',
  'the mail server',
])

/** Whether a caller's session is meant to be live. */
const mayLive = (name: CallerName): boolean =>
  !['nobody', 'a disabled teacher', 'a teacher whose session has run out', 'the mail server'].includes(name)

interface CallerIds {
  a: number
  b: number
  familyLink: string
}

const agent = { source: '127.0.0.1', agent: 'fuzz' }

/** Signs all callers in. */
async function makeCallers({ deps: { db } }: TestServer, of: CallerIds): Promise<Callers> {
  type Session = Parameters<typeof openSession>[2]
  const session = (kind: Session) => db.transaction().execute((tx) => openSession(tx, aDay, kind))
  const account = async (email: string) => {
    const { id } = await findRow(db, 'users', { email }, ['id'])
    return session({ kind: 'account', userId: id, ...agent })
  }
  const office = async (role: Role) => {
    const query = db.selectFrom('staff').select('id').where('role', '=', role).orderBy('id')
    return session({ kind: 'office', staffId: (await query.executeTakeFirstOrThrow()).id, ...agent })
  }
  const disabled = await aTeacher({ schoolId: of.a })
  await db.updateTable('users').set({ disabled_at: aDay }).where('id', '=', disabled.id).execute()
  const past = new Date(aDay.getTime() - 13 * 3_600_000)
  const coordinatorOfB = await findRow(db, 'users', { school_id: of.b, coordinator: true }, ['email'])
  return {
    nobody: undefined,
    'a family': await session({ kind: 'family', familyLinkId: of.familyLink, ...agent }),
    'a person without a school': await account('naveen@podium.example'),
    'a person whose application is pending': await account('waheeda@podium.example'),
    'staff of school A': await account('joel@podium.example'),
    'the coordinator of school A': await account('meera@podium.example'),
    'the coordinator of school B': await account(coordinatorOfB.email),
    'the office, owner': await office('owner'),
    'the office, operations': await office('operations'),
    'the office, accounts': await office('accounts'),
    'the office, results': await office('results'),
    'the office, viewer': await office('viewer'),
    'a disabled teacher': disabled.token,
    'a teacher whose session has run out': (await aTeacher({ schoolId: of.a, now: past })).token,
    'an officer in the portal of school A': await openActing(db, of.a, session),
    'the mail server': mailBounceSecret,
  }
}

async function openActing(
  db: TestServer['deps']['db'],
  schoolId: number,
  open: (session: Parameters<typeof openSession>[2]) => Promise<string>,
): Promise<string> {
  const staff = await findRow(db, 'staff', { role: 'operations' }, ['id'])
  const user = await findRow(db, 'users', { school_id: schoolId, coordinator: true }, ['id'])
  const until = new Date(aDay.getTime() + 3_600_000)
  const acting = await db
    .insertInto('acting_sessions')
    .values({
      school_id: schoolId,
      staff_id: staff.id,
      user_id: user.id,
      reason: 'Asked by phone',
      started_at: aDay,
      until,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return open({ kind: 'account', userId: user.id, acting: { id: acting.id, until }, ...agent })
}

/** Returns the usual caller of a door's calls. */
export function usualCaller(door: Door): CallerName {
  if (door === 'public') return 'nobody'
  if (door === 'mail-server') return 'the mail server'
  if (door === 'family') return 'a family'
  return door.startsWith('office:') ? 'the office, owner' : 'the coordinator of school A'
}

/** Whether a door can open for a caller at all. */
export function mayEnter(door: Door, caller: CallerName): boolean {
  if (door === 'public') return true
  if (door === 'mail-server' || caller === 'the mail server')
    return door === 'mail-server' && caller === 'the mail server'
  if (door === 'family') return caller === 'a family'
  const role = roles.find((role) => caller === `the office, ${role}`)
  if (door.startsWith('office:'))
    return role !== undefined && mayDo(role, door.slice('office:'.length) as Permission)
  if (/school [AB]$/.test(caller)) return true
  return door === 'account' && caller.startsWith('a person')
}

/** Marks all personal data of school B; it must never reach school A, a family, or anyone without a school. */
export const foreignMark = 'Parayimark'

/** A fault in the server's log; a refused job is logged with another message. */
export interface Fault {
  msg: string
  route?: string
  err?: { type: string; message: string; where?: string[] }
}

export interface World {
  server: TestServer
  callers: Callers
  /** What school A, its families and the office know, by kind of door */
  samples: { school: Samples; family: Samples; office: Samples; foreign: Samples }
  /** Signs in again everyone whose session a call has ended or whose account it has changed. */
  revive(): Promise<void>
  /** Whether a caller's session should be live, that is, no call of its own has ended it. */
  shouldLive(caller: CallerName): boolean
  /** Returns the faults logged since the last call of this */
  takeFaults(): Fault[]
}

/** School A is the demo's first school; school B has paid, chosen and received everything. */
const schoolA = demoSchoolLink.schoolCode
const coordinatorOfB = 'kiran@podium.example'

/**
 * Creates the demo world on its own server, with all callers signed in; reuses the world of `seed/demo.test.ts` if that
 * ran before.
 */
export async function aWorldToFuzz(): Promise<World> {
  const faults: Fault[] = []
  const log = createLogger('error', {
    write(line: string) {
      const entry = JSON.parse(line) as Fault
      if (entry.msg !== 'job failed') faults.push(entry)
    },
  })
  const made = await savedDatabase('the demo world')
  if (made) testsShare(made.database)
  const settings = { mailBounceSecret, ...(made && { filesDir: join(made.files, 'files') }) }
  const server = await testServer({ clock: () => aDay, limitScale: 1_000_000, log, settings })
  const { db } = server.deps
  await seedDemo(server.deps)
  const a = await findRow(db, 'schools', { code: schoolA }, ['id', 'code'])
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
    revive: await makeReviver(server, callers),
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

/**
 * Returns a function that restores all callers to their current state, except those whose sessions are meant to be
 * over.
 */
async function makeReviver({ deps: { db } }: TestServer, callers: Callers): Promise<() => Promise<void>> {
  const alive = callerNames.flatMap((name) => {
    const token = callers[name]
    return token === undefined || !mayLive(name) ? [] : [tokenHash(token)]
  })
  const sessions = await db.selectFrom('sessions').selectAll().where('token_hash', 'in', alive).execute()
  const idsOf = (key: 'user_id' | 'staff_id' | 'acting_session_id') =>
    sessions.flatMap((session) => (session[key] === null ? [] : [session[key]]))
  const users = await db.selectFrom('users').selectAll().where('id', 'in', idsOf('user_id')).execute()
  const staff = await db.selectFrom('staff').selectAll().where('id', 'in', idsOf('staff_id')).execute()
  const schools = users.flatMap(({ school_id }) => (school_id === null ? [] : [school_id]))
  return async () => {
    for (const { id, school_id, coordinator } of users)
      await changeRows(db, 'users', { where: { id }, set: { school_id, coordinator, disabled_at: null } })
    for (const { id, role } of staff)
      await db.updateTable('staff').set({ role, disabled_at: null }).where('id', '=', id).execute()
    await changeRows(db, 'schools', { where: { id: schools }, set: { active: true, inactive_since: null } })
    await changeRows(db, 'acting_sessions', {
      where: { id: idsOf('acting_session_id') },
      set: { ended_at: null },
    })
    await changeRows(db, 'family_links', { where: { id: demoFamilyLink.id }, set: { revoked_at: null } })
    await db.updateTable('sessions').set({ ended_at: null }).where('token_hash', 'in', alive).execute()
  }
}

/** Writes the mark into a school's personal data. */
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

/** What a recipe has created: the call takes the values that its schemas have fields for. */
export interface Given extends Fields {
  /** Who makes the call, if not its usual caller */
  caller?: CallerName | Session
  upload?: UploadFile
}

/** What a recipe can use. */
export interface RecipeContext extends World {
  /** Returns a statement's first row; if there is none, the recipe is faulty. */
  row<Row>(statement: string): Promise<Row>
  /** Returns the id and version of a row, as a screen has seen them; by its id or by a condition. */
  seen(table: string, which: number | string): Promise<{ id: number; version: number }>
  /** Returns the id of a table's newest row. */
  newest(table: string): Promise<number>
  /** Makes another call by its name, which must succeed; returns its answer. */
  done(name: string, given?: Given): Promise<Fields>
  /** Creates a next-level list with sent invitations: its event, an invited student, and the teacher */
  aSentRound(): Promise<{ eventYearId: number; teacher: Session; asha: number }>
  /** Waits until all pending jobs have ended. */
  drained(): Promise<void>
  owner: Session
}

/** Creates the state that a call needs, and returns the input that names it. */
type Recipe = (ctx: RecipeContext) => Given | Promise<Given>

/** By method and path below /api/. */
export type Recipes = Readonly<Record<string, Recipe>>
