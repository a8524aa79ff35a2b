import { audit } from '#platform/audit'
import { mayDo } from '#platform/auth/policy'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import type { Deps } from '#platform/deps'
import { Refusal } from '#platform/errors'
import { readSearch } from './rules-search.ts'

/**
 * The list masks the mobiles of parents. Who may not see them does not find children by them, and who may does so with a
 * whole number, so many times an hour. Answers whether the search is for one.
 */
export async function refuseMobileSearch(
  { limits }: Pick<Deps, 'limits'>,
  scope: OfficeScope,
  search: string,
): Promise<boolean> {
  if (readSearch(search).mobile === '') return false
  if (!mayDo(scope.role, 'students.contact')) throw new Refusal('students.mobile_search')
  await limits.take('contact-search.per-staff', String(scope.staffId))
  return true
}

interface FoundChild {
  id: number
  schId: number
  FYear: string
}

/** That somebody looked for a mobile, and whose it was said to be; never the number. */
export async function tellMobileSearch(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  found: readonly FoundChild[],
): Promise<void> {
  const all = { kind: 'students', id: 'mobile' }
  await audit(tx, now, scope, 'students.found_by_mobile', all, { students: found.length })
  for (const { id, schId, FYear } of found) {
    const child = { kind: 'student', id, schoolId: schId, season: FYear }
    await audit(tx, now, scope, 'student.found_by_mobile', child)
  }
}
