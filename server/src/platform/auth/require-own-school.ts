import { Refusal } from '../errors.ts'
import type { SchoolScope } from './scope.ts'

/** What a specified call says about the school; the session knows better. */
interface SaidSchool {
  schId?: number | undefined
  schCode?: string | undefined
}

/** Compares the school that a request names with the session's; another one is refused with 403 (docs/security.md, T13). */
export function requireOwnSchool(scope: SchoolScope, said: SaidSchool): void {
  const otherId = said.schId !== undefined && said.schId !== scope.schoolId
  const otherCode =
    said.schCode !== undefined && said.schCode.toUpperCase() !== scope.schoolCode.toUpperCase()
  if (otherId || otherCode) throw new Refusal('access.other_school')
}
