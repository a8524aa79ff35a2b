import { foldName } from '@podium/contract/names'
import type { SchoolRecordFields } from '@podium/contract/schools/calls-write'
import { placeIssues } from '#features/schools/places/queries'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import { endSessionsOfUser } from '#platform/auth/session'
import { eachOf } from '#platform/bulk'
import type { Db, Tx } from '#platform/db/database'
import { found, Refusal } from '#platform/errors'
import { findLikelySchools } from '../applications/queries.ts'
import { makeSchool, refuseTakenUdise, zoneOf } from '../commands.ts'

/** The form's fields as columns. */
export function columnsOf(form: SchoolRecordFields) {
  return {
    name: form.schName,
    address: form.schAddress,
    city: form.city,
    district: form.district,
    state: form.state,
    country: form.country,
    pin_code: form.pinCode,
    phone: form.mobile,
    udise_code: form.udiseCode,
    affiliation_no: form.affiliationNo,
    email: form.schEmail,
    group_id: form.schGroupId,
    landline: form.landLineNo,
    fax: form.schFaxNo,
    website: form.schWebSite,
    whatsapp: form.whatsAppNo,
  }
}

async function refuseUnknownPlace(tx: Tx, form: SchoolRecordFields, had?: string): Promise<void> {
  const issues = await placeIssues(tx, form.country, form.state, had)
  if (issues.length > 0) throw new Refusal('input.invalid', { issues })
}

/** Locks a school; refuses one that is not there, that was merged, or that somebody else has changed since `version` was shown. */
async function lockSchool(tx: Tx, id: number, version: number) {
  const school = found(
    await tx
      .selectFrom('schools')
      .select([
        'id',
        'code',
        'name',
        'name_key',
        'email',
        'address',
        'city',
        'district',
        'state',
        'zone',
        'country',
        'pin_code',
        'affiliation_no',
        'udise_code',
        'group_id',
        'landline',
        'fax',
        'website',
        'phone',
        'whatsapp',
        'active',
        'created_at',
        'version',
        'inactive_reason',
        'inactive_since',
        'search_key',
        'merged_into',
        'merged_at',
      ])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst(),
  )
  if (school.merged_into !== null) throw new Refusal('schools.merged')
  if (school.version !== version) throw new Refusal('changed_meanwhile')
  return school
}

interface Save extends SchoolRecordFields {
  id: number
  version: number
}

/** Changes a school's details; the audit line has what differs. Refuses fields, `changed_meanwhile`, `not_found`. */
export async function saveRecord(tx: Tx, scope: OfficeScope, now: Date, save: Save): Promise<void> {
  const before = await lockSchool(tx, save.id, save.version)
  await refuseUnknownPlace(tx, save, before.state)
  await refuseTakenUdise(tx, save.udiseCode, save.id)
  const to = { ...columnsOf(save), zone: await zoneOf(tx, save) }
  const columns = Object.keys(to) as (keyof typeof to)[]
  const changed = columns.filter((column) => before[column] !== to[column])
  if (changed.length === 0) return
  await tx
    .updateTable('schools')
    .set({ ...to, name_key: foldName(save.schName), version: before.version + 1 })
    .where('id', '=', save.id)
    .execute()
  const only = (of: Record<keyof typeof to, string>) =>
    Object.fromEntries(changed.map((column) => [column, of[column]]))
  const subject = { kind: 'school', id: save.id, schoolId: save.id }
  await audit(tx, now, scope, 'school.changed', subject, { from: only(before), to: only(to) })
}

interface Creation extends SchoolRecordFields {
  /** Empty: the next free one */
  schCode: string
  compared: boolean
}

/**
 * Makes a school that has not applied itself. Refuses fields, a taken code, and, until they have been compared,
 * known schools that look like it (`schools.likely`).
 */
export async function createSchool(tx: Tx, scope: OfficeScope, now: Date, form: Creation) {
  await refuseUnknownPlace(tx, form)
  if (!form.compared) {
    const likely = await findLikelySchools(tx, { ...form, phone: form.mobile })
    if (likely.length > 0) throw new Refusal('schools.likely')
  }
  const columns = columnsOf(form)
  const school = await makeSchool(tx, now, columns, form.schCode === '' ? undefined : form.schCode)
  const subject = { kind: 'school', id: school.id, schoolId: school.id }
  await audit(tx, now, scope, 'school.created', subject, { to: { code: school.code, ...columns } })
  return { schId: school.id, schCode: school.code }
}

interface Standing {
  id: number
  version: number
  active: boolean
  reason: string
}

/**
 * Switches a school off or on. Off: its people are signed out, and the gate lets nobody of it in. Refuses the standing
 * that it has already, `changed_meanwhile`, `not_found`.
 */
export async function setStanding(tx: Tx, scope: OfficeScope, now: Date, standing: Standing): Promise<void> {
  const { id, version, active, reason } = standing
  const before = await lockSchool(tx, id, version)
  if (before.active === active) throw new Refusal(active ? 'schools.active' : 'schools.inactive')
  await tx
    .updateTable('schools')
    .set({
      active,
      inactive_reason: active ? '' : reason,
      inactive_since: active ? null : now,
      version: version + 1,
    })
    .where('id', '=', id)
    .execute()
  if (!active) {
    const people = await tx.selectFrom('users').select('id').where('school_id', '=', id).execute()
    for (const person of people) await endSessionsOfUser(tx, now, person.id)
  }
  const action = active ? 'school.activated' : 'school.deactivated'
  await audit(tx, now, scope, action, { kind: 'school', id, schoolId: id }, { reason })
}

/** Switches several schools off or on, each by itself; which of them were refused, and why, is answered. */
export function setStandings(
  db: Db,
  scope: OfficeScope,
  now: Date,
  standings: readonly Standing[],
  key: string | undefined,
) {
  return eachOf(db, now, { caller: `office:${scope.staffId}`, key }, standings, async (tx, standing) => {
    await setStanding(tx, scope, now, standing)
    return { id: standing.id }
  })
}
