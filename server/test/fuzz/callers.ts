import type { Door } from '../../src/platform/auth/gate.ts'
import { mayDo, type Permission, type Role } from '../../src/platform/auth/policy.ts'
import { openSession } from '../../src/platform/auth/session.ts'
import { aDay, aTeacher } from '../factories.ts'
import type { TestServer } from '../server.ts'

const roles = ['owner', 'operations', 'accounts', 'results', 'viewer'] as const

export const mailBounceSecret = 'a-secret-of-the-mail-server'

/** Everybody who calls, by the name that a finding says. */
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

export type Callers = Readonly<Record<CallerName, string | undefined>>

/** Who must never see what is personal of school B. */
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

/** Whose session is not to be over. */
export const mayLive = (name: CallerName): boolean =>
  !['nobody', 'a disabled teacher', 'a teacher whose session has run out', 'the mail server'].includes(name)

interface Of {
  a: number
  b: number
  familyLink: string
}

const agent = { source: '127.0.0.1', agent: 'fuzz' }

/** Signs everybody in. */
export async function makeCallers({ deps: { db } }: TestServer, of: Of): Promise<Callers> {
  type Session = Parameters<typeof openSession>[2]
  const session = (kind: Session) => db.transaction().execute((tx) => openSession(tx, aDay, kind))
  const account = async (email: string) => {
    const { id } = await db
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    return session({ kind: 'account', userId: id, ...agent })
  }
  const office = async (role: Role) => {
    const query = db.selectFrom('staff').select('id').where('role', '=', role).orderBy('id')
    return session({ kind: 'office', staffId: (await query.executeTakeFirstOrThrow()).id, ...agent })
  }
  const disabled = await aTeacher({ schoolId: of.a })
  await db.updateTable('users').set({ disabled_at: aDay }).where('id', '=', disabled.id).execute()
  const past = new Date(aDay.getTime() - 13 * 3_600_000)
  const coordinatorOfB = await db
    .selectFrom('users')
    .select('email')
    .where('school_id', '=', of.b)
    .where('coordinator', '=', true)
    .executeTakeFirstOrThrow()
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
    'an officer in the portal of school A': await visiting(db, of.a, session),
    'the mail server': mailBounceSecret,
  }
}

async function visiting(
  db: TestServer['deps']['db'],
  schoolId: number,
  open: (session: Parameters<typeof openSession>[2]) => Promise<string>,
): Promise<string> {
  const staff = await db
    .selectFrom('staff')
    .select('id')
    .where('role', '=', 'operations')
    .executeTakeFirstOrThrow()
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('school_id', '=', schoolId)
    .where('coordinator', '=', true)
    .executeTakeFirstOrThrow()
  const until = new Date(aDay.getTime() + 3_600_000)
  const visit = await db
    .insertInto('school_visits')
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
  return open({ kind: 'account', userId: user.id, visit: { id: visit.id, until }, ...agent })
}

/** Who usually makes the calls behind a door. */
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
  const role = roles.find((one) => caller === `the office, ${one}`)
  if (door.startsWith('office:'))
    return role !== undefined && mayDo(role, door.slice('office:'.length) as Permission)
  if (/school [AB]$/.test(caller)) return true
  return door === 'account' && caller.startsWith('a person')
}
