import { randomInt } from 'node:crypto'
import type { BodyOf } from '@podium/contract/endpoint'
import { verifyFamilyCode } from '@podium/contract/families/calls'
import type { saveStudentDetails } from '@podium/contract/students/calls'
import { unseal } from '#platform/auth/secrets'
import { aTeacher } from './factories.ts'
import type { TestServer } from './server.ts'
import { anEnteredStudent } from './students-factories.ts'

type Entry = Partial<BodyOf<typeof saveStudentDetails>>

/** A mobile number that no other test uses. */
export const aMobile = () => `9${randomInt(1e8, 1e9)}`

/** Children of one parent's mobile, entered by a teacher of a school of their own (or of `teacher`'s), with the link and code that the school would print. */
export async function aFamily(
  server: TestServer,
  children: Entry[] = [{}],
  teacher?: { token: string; schoolId: number },
) {
  const { db, keys } = server.deps
  const by = teacher ?? (await aTeacher())
  const mobile = aMobile()
  const ids: number[] = []
  for (const child of children) {
    const entered = await anEnteredStudent(server, by, {
      parentName: 'Hemant Namunawala',
      parentEmailId: `f${mobile}@family.example`,
      parentMobileNo: mobile,
      ...child,
    })
    ids.push(entered.id)
  }
  const link = await db
    .selectFrom('family_links as l')
    .innerJoin('students as st', 'st.family_link_id', 'l.id')
    .select(['l.id', 'l.access_code_sealed'])
    .where('st.id', '=', ids[0] ?? 0)
    .executeTakeFirstOrThrow()
  const code = unseal(keys, link.access_code_sealed)
  return { teacher: by, schoolId: by.schoolId, ids, id: ids[0] ?? 0, groupId: link.id, code, mobile }
}

/** The same after the access code: with the family's token. */
export async function aVisitingFamily(server: TestServer, children?: Entry[]) {
  const family = await aFamily(server, children)
  const { groupId, code } = family
  const { body } = await server.call(verifyFamilyCode, { body: { groupId, code } })
  return { ...family, token: body.token }
}
