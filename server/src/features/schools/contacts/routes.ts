import { messages } from '@podium/contract/messages'
import { getSchool, type School } from '@podium/contract/schools/calls'
import {
  type Contact,
  getContacts,
  getDesignations,
  getTitles,
  saveContact as save,
  setContactStatus,
} from '@podium/contract/schools/calls-contacts'
import type { Season } from '@podium/contract/season'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { requireOwnSchool } from '#platform/auth/require-own-school'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db } from '#platform/db/database'
import type { Deps } from '#platform/deps'
import { orNotFound } from '#platform/errors'
import { serve, write } from '#platform/http/http'
import { bounceOf } from '#platform/mail/bounces'
import { saveContact, switchContact } from './commands.ts'

/** What a school sees of itself. */
export function schoolDetailsRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, deps, getSchool, 'school', async ({ scope, query }) => {
    requireOwnSchool(scope, query)
    return { data: [await readSchool(deps.db, scope)] }
  })
}

/** The own school under the names of the specification (section 3). */
export async function readSchool(db: Db, scope: SchoolScope): Promise<School> {
  const { rows } = await sql<School>`
    select code as "schCode", name as "schName", email as "schEmail", address as "schAddress",
      affiliation_no as "schAffiliationNo", group_id as "schGroupId", city as "cityName", district as "districtName",
      state as "stateName", country as "countryName", landline as "landLineNo", fax as "schFaxNo",
      website as "schWebSite", phone as "schPhoneNo", whatsapp as "whatsAppNo"
    from schools where id = ${scope.schoolId}`.execute(db)
  return orNotFound(rows[0])
}

/** Contacts of the school in a season, by designation; `active` undefined gives all. */
async function findContacts(
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
async function listNames(db: Db, scope: SchoolScope, of: 'designations' | 'titles') {
  const { rows } = await sql<{ id: number; name: string }>`
    select l.id, l.name from ${sql.table(of)} l
    where l.active or exists (
      select from contacts c where c.school_id = ${scope.schoolId} and ${sql.ref(`c.${column[of]}`)} = l.id)
    order by l.position, l.id`.execute(db)
  return rows
}

const wanted = { true: true, false: false, '': undefined }

/** The school's contact persons and the lists they are described by. */
export function contactRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps
  serve(app, deps, getDesignations, 'school', async ({ scope }) => ({
    data: await listNames(db, scope, 'designations'),
  }))
  serve(app, deps, getTitles, 'school', async ({ scope }) => ({
    data: await listNames(db, scope, 'titles'),
  }))

  serve(app, deps, getContacts, 'school', async ({ scope, query }) => {
    requireOwnSchool(scope, query)
    return { data: await findContacts(db, scope, query.FYear, wanted[query.status]) }
  })

  write(app, deps, save, 'school', async (tx, { scope, body, now }) => {
    requireOwnSchool(scope, body)
    const contact = { ...body, season: body.fyear }
    const id = await saveContact(tx, scope, now, contact)
    return { id, message: messages.saved }
  })

  write(app, deps, setContactStatus, 'school', async (tx, { scope, body, now }) => {
    await switchContact(tx, scope, now, body)
    return { message: messages.saved }
  })
}
