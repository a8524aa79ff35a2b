import { sql } from 'kysely'
import type { Db } from '#platform/database'
import type { OfficeScope } from '#platform/scope'
import { linesWhere } from '../changes/queries.ts'

/** What has happened at a school and to it, the newest first, from before a line on. */
export function schoolHistory(db: Db, scope: OfficeScope, id: number, before: number | undefined) {
  return linesWhere(db, scope, sql`a.school_id = ${id}`, before)
}
