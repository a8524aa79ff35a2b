import type { SchoolContact, SchoolPerson, SchoolRecord } from '@podium/contract/schools/calls-record'
import type { Season } from '@podium/contract/season'
import { sql } from 'kysely'
import type { OfficeScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
import { found } from '#platform/errors'

const iso = (at: Date | null) => at?.toISOString() ?? null

type Dated<T, K extends keyof T> = Omit<T, K> & { [P in K]: null extends T[P] ? Date | null : Date }

/** The record of any school, or not_found. */
export async function schoolRecord(db: Db, _scope: OfficeScope, id: number): Promise<SchoolRecord> {
  const { rows } = await sql<
    Dated<Omit<SchoolRecord, 'mergedInto' | 'merged'>, 'createdAt' | 'inactiveSince'>
  >`
    select id, version, code as "schCode", name as "schName", address as "schAddress", city, district, state, zone,
      country, pin_code as "pinCode", phone as mobile, udise_code as "udiseCode", affiliation_no as "affiliationNo",
      email as "schEmail", group_id as "schGroupId", landline as "landLineNo", fax as "schFaxNo",
      website as "schWebSite", whatsapp as "whatsAppNo", created_at as "createdAt", active,
      inactive_reason as "inactiveReason", inactive_since as "inactiveSince"
    from schools where id = ${id}`.execute(db)
  const { createdAt, inactiveSince, ...record } = found(rows[0])
  const dates = { createdAt: createdAt.toISOString(), inactiveSince: iso(inactiveSince) }
  return { ...record, ...dates, ...(await mergesOf(db, id)) }
}

/** The school that one was merged into, and those that were merged into it. */
async function mergesOf(db: Db, id: number): Promise<Pick<SchoolRecord, 'mergedInto' | 'merged'>> {
  const { rows } = await sql<{ id: number; schCode: string; schName: string; at: Date; came: boolean }>`
    select o.id, o.code as "schCode", o.name as "schName", o.merged_at as at, true as came
    from schools o where o.merged_into = ${id}
    union all
    select t.id, t.code, t.name, o.merged_at, false from schools o join schools t on t.id = o.merged_into
    where o.id = ${id}
    order by at desc`.execute(db)
  const of = (wanted: boolean) =>
    rows
      .filter(({ came }) => came === wanted)
      .map(({ id, schCode, schName, at }) => ({ id, schCode, schName, at: at.toISOString() }))
  return { mergedInto: of(false)[0] ?? null, merged: of(true) }
}

/** Who can sign in, or could, for a school: the coordinator first. */
export async function schoolPeople(db: Db, _scope: OfficeScope, id: number): Promise<SchoolPerson[]> {
  const { rows } = await sql<Dated<SchoolPerson, 'lastSeen'>>`
    select u.id, u.version, u.name, u.email, u.mobile, u.designation, u.coordinator,
      u.disabled_at is not null as disabled,
      greatest(u.last_sign_in_at, (
        select max(s.last_seen_at) from sessions s where s.user_id = u.id and s.ended_at is null)) as "lastSeen"
    from users u where u.school_id = ${id}
    order by u.coordinator desc, u.disabled_at is not null, u.name, u.id`.execute(db)
  return rows.map((row) => ({ ...row, lastSeen: iso(row.lastSeen) }))
}

/** The school's contacts of a season, and those of any season that wait to be confirmed: these first. */
export async function schoolContacts(
  db: Db,
  _scope: OfficeScope,
  id: number,
  season: Season,
): Promise<SchoolContact[]> {
  const { rows } = await sql<Dated<SchoolContact, 'askedAt'>>`
    select c.id, c.version, c.season as fyear, d.name as designation, t.name as title, c.name, c.email,
      c.alt_email as "altEmail", c.mobile, c.alt_mobile as altmobile, c.active,
      c.confirmed_at is not null as confirmed, c.created_at as "askedAt"
    from contacts c join designations d on d.id = c.designation_id join titles t on t.id = c.title_id
    where c.school_id = ${id} and (c.season = ${season} or c.confirmed_at is null)
    order by c.confirmed_at is not null, not c.active, d.position, c.id`.execute(db)
  return rows.map((row) => ({ ...row, askedAt: row.askedAt.toISOString() }))
}

/** The school's link in force, as its letter carries it; undefined where there is none. */
export async function currentLink(db: Db, _scope: OfficeScope, id: number) {
  const row = await db
    .selectFrom('school_links')
    .select(['id', 'created_at', 'access_code_sealed'])
    .where('school_id', '=', id)
    .where('revoked_at', 'is', null)
    .orderBy(sql`came_from is not null`)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return (
    row && { id: row.id, createdAt: row.created_at.toISOString(), readable: row.access_code_sealed !== '' }
  )
}
