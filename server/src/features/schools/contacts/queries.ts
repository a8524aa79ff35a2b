import type { Contact } from '@podium/contract/schools/calls-contacts'
import type { Season } from '@podium/contract/season'
import { sql } from 'kysely'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
import { bounceOf } from '#platform/mail/bounces'

/** Contacts of the school in a season, by designation; `active` undefined gives all. */
export async function findContacts(
  db: Db,
  scope: SchoolScope,
  season: Season,
  active: boolean | undefined,
): Promise<Contact[]> {
  const wanted = active === undefined ? sql`` : sql` and c.active = ${active}`
  const { rows } = await sql<Contact>`
    select c.id, c.version, c.designation_id as "desgId", d.name as designation, c.school_id as "schId", c.season as fyear,
      c.title_id as "titleId", t.name as title, c.name, c.name as "contactName", c.email,
      c.email as "contactEmail", ${bounceOf('c.email')} as bounced, c.alt_email as "altEmail", c.mobile, c.alt_mobile as altmobile, c.active as status,
      c.confirmed_at is not null as confirmed
    from contacts c join designations d on d.id = c.designation_id join titles t on t.id = c.title_id
    where c.school_id = ${scope.schoolId} and c.season = ${season}${wanted}
    order by d.position, c.id`.execute(db)
  return rows
}

const column = { designations: 'designation_id', titles: 'title_id' } as const

/** Designations or titles in their order: those that are offered, and those that contacts of the school have. */
export async function listNames(db: Db, scope: SchoolScope, of: 'designations' | 'titles') {
  const { rows } = await sql<{ id: number; name: string }>`
    select l.id, l.name from ${sql.table(of)} l
    where l.active or exists (
      select from contacts c where c.school_id = ${scope.schoolId} and ${sql.ref(`c.${column[of]}`)} = l.id)
    order by l.position, l.id`.execute(db)
  return rows
}
