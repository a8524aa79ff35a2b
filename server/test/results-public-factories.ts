import { familyResults } from '@podium/contract/results/calls-public'
import { newId } from '#platform/auth/secrets'
import { openSession } from '#platform/auth/session'
import { aDay, aSchool, aTeacher } from './factories.ts'
import { type AnEvent, anEvent, candidates, releaseRows } from './results-factories.ts'
import type { TestServer } from './server.ts'

/** Worlds for tests of what leaves the school: pages behind links, families, certificates. */

/** Marks of six children of one class, from the best down, of 100; the last one stayed away. */
const marksOfSix = [
  [10, 40, 40],
  [9, 35, 36],
  [8, 30, 32],
  [7, 20, 13],
  [1, 10, 10],
]

/** Six children of a school in one event and one of another school, the event released. */
export async function aReleasedEvent(server: TestServer, traits: Parameters<typeof anEvent>[0] = {}) {
  const event = await anEvent(traits)
  const [school, other] = [await aSchool({ name: 'Udaharan Vidyalaya' }), await aSchool()]
  const names = ['Asha Namunawala', 'किरण नमूनावाला', 'Chetan', 'Dev K. Misaal', 'Esha Misaal', 'Farah Misaal']
  const students = await candidates(event, [
    ...names.map((name) => ({ name, schoolId: school.id })),
    { name: 'Zoya Kalpanik', schoolId: other.id },
  ])
  const marks = [...marksOfSix, ['', '', ''], [10, 40, 50]]
  const rows = students.map(({ roll }, i) => ({
    roll,
    attendance: i === 5 ? 'A' : 'P',
    marks: marks[i] ?? [],
  }))
  const { setId } = await releaseRows(server, event, rows)
  const idOf = (index: number) => `${setId}-${students[index]?.id}`
  const teacher = await aTeacher({ schoolId: school.id })
  return { event, school, other, students, rows, setId, idOf, teacher }
}

type Student = { id: number; school_id: number }

/** The link of a family over these children in a season, as the school has made it, and a session that its code has opened. */
export async function aFamilyOf(
  server: TestServer,
  children: readonly Student[],
  season: string,
  mobile = '',
): Promise<{ token: string; linkId: string }> {
  const { db } = server.deps
  const linkId = newId()
  await db
    .insertInto('family_links')
    .values({
      id: linkId,
      school_id: children[0]?.school_id ?? 0,
      season,
      parent_mobile: mobile,
      access_code_hash: '',
      access_code_sealed: '',
      created_at: aDay,
    })
    .execute()
  for (const { id } of children)
    await db.updateTable('students').set({ family_link_id: linkId }).where('id', '=', id).execute()
  const token = await db
    .transaction()
    .execute((tx) =>
      openSession(tx, aDay, { kind: 'family', familyLinkId: linkId, source: '127.0.0.1', agent: 'test' }),
    )
  return { token, linkId }
}

/** What a family reads. */
export async function readBy(server: TestServer, token: string) {
  const { body } = await server.call(familyResults, {}, { token })
  return body.data
}

export type AReleasedEvent = Awaited<ReturnType<typeof aReleasedEvent>>
export type { AnEvent }
