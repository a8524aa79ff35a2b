import { sql } from 'kysely'
import { linesWhere } from '#features/audit-log/queries'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'

/**
 * What has happened at a school and to it, the newest first, from before a line on; with what happened at schools that
 * were merged into it, whose lines stay as they were written.
 */
export function schoolHistory(db: Db, scope: OfficeScope, id: number, before: number | undefined) {
  return linesWhere(
    db,
    scope,
    sql`a.school_id = any(array(
    select o.id from schools o where o.id = ${id} or o.merged_into = ${id}))`,
    before,
  )
}
