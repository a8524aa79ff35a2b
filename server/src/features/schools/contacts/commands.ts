import { messages } from '@podium/contract/messages'
import { isPersonsName } from '@podium/contract/names'
import type { contactForm } from '@podium/contract/schools/calls-contacts'
import type { Season } from '@podium/contract/season'
import type * as z from 'zod/mini'
import { audit } from '#platform/audit'
import type { SchoolScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { orNotFound, Refusal, refuseField } from '#platform/errors'

type Fields = z.output<typeof contactForm>

interface Save extends Fields {
  id: number
  season: Season
  version?: number | undefined
}

/**
 * The season must be one that schools see. Designation and title must be offered, and the name one of a person, or be
 * what the contact has.
 */
async function checkChoices(tx: Tx, scope: SchoolScope, fields: Save): Promise<void> {
  const season = await tx
    .selectFrom('seasons')
    .select('label')
    .where('label', '=', fields.season)
    .where('state', '<>', 'preparing')
    .executeTakeFirst()
  if (!season) throw refuseField('fyear', messages.contactSeasonUnknown)
  const own = await tx
    .selectFrom('contacts')
    .select(['designation_id', 'title_id', 'name'])
    .where('id', '=', fields.id)
    .where('school_id', '=', scope.schoolId)
    .executeTakeFirst()
  const known = async (table: 'designations' | 'titles', id: number) => {
    const row = await tx.selectFrom(table).select('active').where('id', '=', id).executeTakeFirst()
    const had = table === 'designations' ? own?.designation_id : own?.title_id
    return row !== undefined && (row.active || had === id)
  }
  // A name that was written down before names were letters stays, while something else is changed.
  if (fields.name !== own?.name && !isPersonsName(fields.name))
    throw refuseField('name', messages.nameLetters)
  if (!(await known('designations', fields.desgId))) throw refuseField('desgId', messages.designationRequired)
  if (!(await known('titles', fields.titleId))) throw refuseField('titleId', messages.titleRequired)
}

/** Changes a contact of the school, or (id 0) adds one that waits for the office to confirm it. Gives its id. */
export async function saveContact(tx: Tx, scope: SchoolScope, now: Date, save: Save): Promise<number> {
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
    const { id } = await tx
      .insertInto('contacts')
      .values({ ...columns, school_id: scope.schoolId, season: save.season, created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
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
  const before = orNotFound(
    await tx
      .selectFrom('contacts')
      .select(['version', 'designation_id', 'title_id', 'name', 'email', 'alt_email', 'mobile', 'alt_mobile'])
      .where('id', '=', save.id)
      .where('school_id', '=', scope.schoolId)
      .forUpdate()
      .executeTakeFirst(),
  )
  const { version, ...from } = before
  if (save.version !== undefined && save.version !== version) throw new Refusal('changed_meanwhile')
  await tx
    .updateTable('contacts')
    .set({ ...columns, version: version + 1 })
    .where('id', '=', save.id)
    .execute()
  await audit(tx, now, scope, 'contact.saved', { kind: 'contact', id: save.id }, { from, to: columns })
  return save.id
}

/** Switches a contact of the school on or off; asking for the state it has already changes nothing. */
export async function switchContact(
  tx: Tx,
  scope: SchoolScope,
  now: Date,
  contact: { id: number; status: boolean },
): Promise<void> {
  const row = orNotFound(
    await tx
      .selectFrom('contacts')
      .select('active')
      .where('id', '=', contact.id)
      .where('school_id', '=', scope.schoolId)
      .forUpdate()
      .executeTakeFirst(),
  )
  if (row.active === contact.status) return
  await tx
    .updateTable('contacts')
    .set((values) => ({ active: contact.status, version: values('version', '+', 1) }))
    .where('id', '=', contact.id)
    .execute()
  const change = { from: { active: row.active }, to: { active: contact.status } }
  await audit(tx, now, scope, 'contact.switched', { kind: 'contact', id: contact.id }, change)
}
