import { checkRequest, enterRequest } from '../src/features/privacy/requests/commands.ts'
import type { School, World } from './world.ts'

const day = 86_400_000

const stories = [
  {
    days: 3,
    kind: 'export',
    words: 'The mother rang: she wants to know all that we hold.',
    reach: '9000004171',
    check: '',
  },
  {
    days: 40,
    kind: 'erase',
    words: 'A letter of the father: the family has moved abroad.',
    reach: '',
    check: 'Called back on the number on record; the father says so himself.',
  },
] as const

/** Two requests about children's data that have reached the office: one waits, one was checked and waits for a second person. */
export async function makeDataRequests(world: World, schools: readonly School[]): Promise<void> {
  const { db, deps, officers, seasons } = world
  const schoolIds = schools.map(({ scope }) => scope.schoolId)
  const children = await db
    .selectFrom('students')
    .select('id')
    .where('season', '=', seasons[1].label)
    .where('school_id', 'in', schoolIds)
    .where('active', '=', true)
    .where('locked', '=', false)
    .orderBy('id', 'desc')
    .limit(stories.length)
    .execute()
  for (const [index, { days, kind, words, reach, check }] of stories.entries()) {
    const child = children[index]
    if (!child) continue
    const at = new Date(deps.clock().getTime() - days * day)
    await db.transaction().execute(async (tx) => {
      const asking = { studentId: child.id, kind, words, reach }
      const id = await enterRequest(tx, officers.operations, at, asking)
      if (check === '') return
      const checked = { id, version: 1, method: 'call-back', note: check }
      await checkRequest(tx, officers.operations, new Date(at.getTime() + day), checked)
    })
  }
}
