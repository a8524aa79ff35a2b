import { messages } from '@podium/contract/messages'
import { isPersonsName } from '@podium/contract/names'
import {
  type Contact,
  type contactForm,
  getContacts,
  getDesignations,
  getSchool,
  getTitles,
  type School,
  saveContact as save,
  setContactStatus,
} from '@podium/contract/schools/calls'
import type { Season } from '@podium/contract/season'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { audit } from '#platform/audit'
import type { SchoolScope } from '#platform/auth/scope'
import type { Db, Tx } from '#platform/db/database'
import { addedRow, changeRows, firstRow } from '#platform/db/rows'
import type { Deps } from '#platform/deps'
import { notFound, orNotFound, Refusal, refuseField } from '#platform/errors'
import { serve, write } from '#platform/http/http'
import { bounceOf } from '#platform/mail/bounces'

type Fields = z.output<typeof contactForm>

interface ContactInput extends Fields {
  id: number
  season: Season
  version?: number | undefined
}

/**
 * Checks that the season is visible to schools, that designation and title are active, and that the name is a person's name;
 * the contact's existing values are always allowed.
 */
async function checkChoices(tx: Tx, scope: SchoolScope, fields: ContactInput): Promise<void> {
  const season = await tx
    .selectFrom('seasons')
    .select('label')
    .where('label', '=', fields.season)
    .where('state', '<>', 'preparing')
    .executeTakeFirst()
  if (!season) throw refuseField('fyear', messages.contactSeasonUnknown)
  const existing = await tx
    .selectFrom('contacts')
    .select(['designation_id', 'title_id', 'name'])
    .where('id', '=', fields.id)
    .where('school_id', '=', scope.schoolId)
    .executeTakeFirst()
  const known = async (table: 'designations' | 'titles', id: number) => {
    const row = await tx.selectFrom(table).select('active').where('id', '=', id).executeTakeFirst()
    const had = table === 'designations' ? existing?.designation_id : existing?.title_id
    return row !== undefined && (row.active || had === id)
  }
  // A name saved before this rule may stay when other fields change.
  if (fields.name !== existing?.name && !isPersonsName(fields.name))
    throw refuseField('name', messages.nameLetters)
  if (!(await known('designations', fields.desgId))) throw refuseField('desgId', messages.designationRequired)
  if (!(await known('titles', fields.titleId))) throw refuseField('titleId', messages.titleRequired)
}

/** Changes a contact of the school, or (id 0) adds one for the office to confirm. Returns its id. */
async function saveContact(tx: Tx, scope: SchoolScope, now: Date, save: ContactInput): Promise<number> {
  await checkChoices(tx, scope, save)
  const columns = {
    designation_id: save.desgId,
    title_id: save.titleId,
    name: save.name,
    email: save.email,
    alt_email: save.altEmail,
    mobile: save.mobile,
    alt_mobile: save.altmobile,
  }
  if (save.id === 0) {
    const { id } = await addedRow(tx, 'contacts', ['id'], {
      ...columns,
      school_id: scope.schoolId,
      season: save.season,
      created_at: now,
    })
    await audit(
      tx,
      now,
      scope,
      'contact.asked_for',
      { kind: 'contact', id, season: save.season },
      { to: columns },
    )
    return id
  }
  const before = await tx
    .selectFrom('contacts')
    .select(['version', 'designation_id', 'title_id', 'name', 'email', 'alt_email', 'mobile', 'alt_mobile'])
    .where('id', '=', save.id)
    .where('school_id', '=', scope.schoolId)
    .forUpdate()
    .executeTakeFirstOrThrow(notFound)
  const { version, ...from } = before
  if (save.version !== undefined && save.version !== version) throw new Refusal('changed_meanwhile')
  await changeRows(tx, 'contacts', { where: { id: save.id }, set: { ...columns, version: version + 1 } })
  await audit(tx, now, scope, 'contact.saved', { kind: 'contact', id: save.id }, { from, to: columns })
  return save.id
}

/** Activates or deactivates a contact of the school; does nothing if it already has this state. */
async function switchContact(
  tx: Tx,
  scope: SchoolScope,
  now: Date,
  contact: { id: number; status: boolean },
): Promise<void> {
  const row = orNotFound(
    await firstRow(tx, 'contacts', { id: contact.id, school_id: scope.schoolId }, ['active'], { lock: true }),
  )
  if (row.active === contact.status) return
  await changeRows(tx, 'contacts', {
    where: { id: contact.id },
    set: { active: contact.status, version: sql`version + 1` },
  })
  const change = { from: { active: row.active }, to: { active: contact.status } }
  await audit(tx, now, scope, 'contact.switched', { kind: 'contact', id: contact.id }, change)
}

/** Routes for a school's own details. */
export function schoolDetailsRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, deps, getSchool, 'school', async ({ scope }) => ({ data: [await readSchool(deps.db, scope)] }))
}

/** The caller's school, with the field names of the specification (section 3). */
async function readSchool(db: Db, scope: SchoolScope): Promise<School> {
  const { rows } = await sql<School>`
    select code as "schCode", name as "schName", email as "schEmail", address as "schAddress",
      affiliation_no as "schAffiliationNo", group_id as "schGroupId", city as "cityName", district as "districtName",
      state as "stateName", country as "countryName", landline as "landLineNo", fax as "schFaxNo",
      website as "schWebSite", phone as "schPhoneNo", whatsapp as "whatsAppNo"
    from schools where id = ${scope.schoolId}`.execute(db)
  return orNotFound(rows[0])
}

/** Contacts of the school in a season, by designation; all if `active` is undefined. */
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

/** Designations or titles in order: the active ones, and those used by the school's contacts. */
async function listNames(db: Db, scope: SchoolScope, of: 'designations' | 'titles') {
  const { rows } = await sql<{ id: number; name: string }>`
    select l.id, l.name from ${sql.table(of)} l
    where l.active or exists (
      select from contacts c where c.school_id = ${scope.schoolId} and ${sql.ref(`c.${column[of]}`)} = l.id)
    order by l.position, l.id`.execute(db)
  return rows
}

const wanted = { true: true, false: false, '': undefined }

/** Routes for the school's contacts and their lists of choices. */
export function contactRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps
  serve(app, deps, getDesignations, 'school', async ({ scope }) => ({
    data: await listNames(db, scope, 'designations'),
  }))
  serve(app, deps, getTitles, 'school', async ({ scope }) => ({ data: await listNames(db, scope, 'titles') }))

  serve(app, deps, getContacts, 'school', async ({ scope, query }) => ({
    data: await findContacts(db, scope, query.FYear, wanted[query.status]),
  }))

  write(app, deps, save, 'school', async (tx, { scope, body, now }) => {
    const contact = { ...body, season: body.fyear }
    const id = await saveContact(tx, scope, now, contact)
    return { id, message: messages.saved }
  })

  write(app, deps, setContactStatus, 'school', async (tx, { scope, body, now }) => {
    await switchContact(tx, scope, now, body)
    return { message: messages.saved }
  })
}
