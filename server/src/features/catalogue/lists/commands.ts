import type { ListKind, saveListEntry, switchListEntry } from '@podium/contract/catalogue/calls-lists'
import type { ParsedBody } from '@podium/contract/endpoint'
import { officeMessages } from '@podium/contract/office/messages'
import { type RawBuilder, sql } from 'kysely'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { firstRow } from '#platform/db/rows'
import { orNotFound, Refusal, refuseField } from '#platform/errors'
import { abroadState, entryIssues, refusePlacesScheduled } from './queries.ts'

type ListEntryInput = ParsedBody<typeof saveListEntry>

type Columns = Record<string, string | number>

/** The columns of a list entry, except its position. */
function columnsOf({ kind, name, nameHi, code, zone, stateId, day }: ReturnType<typeof blank>): Columns {
  const names = { name, name_hi: nameHi }
  if (kind === 'states') return { ...names, code, zone }
  if (kind === 'districts') return { ...names, state_id: stateId }
  if (kind === 'holidays') return { ...names, held_on: day }
  return names
}

const blank = (kind: ListKind) => ({ kind, name: '', nameHi: '', code: '', zone: '', stateId: 0, day: '' })

const ordered = (kind: ListKind) => kind === 'designations' || kind === 'titles' || kind === 'zones'

/** Refuses an entry with the same name (within its state), for holidays the same day, for states also the same code. */
async function refuseDuplicate(tx: Tx, save: ListEntryInput): Promise<void> {
  const { kind, id, name, stateId, day, code } = save
  const duplicate: RawBuilder<unknown> =
    kind === 'holidays'
      ? sql`held_on = ${day}::date`
      : kind === 'districts'
        ? sql`lower(name) = lower(${name}) and state_id = ${stateId}`
        : sql`lower(name) = lower(${name})`
  const taken = async (condition: RawBuilder<unknown>) => {
    const { rows } = await sql`select id from ${sql.table(kind)}
      where ${condition} and id <> ${id}`.execute(tx)
    return rows.length > 0
  }
  if (await taken(duplicate))
    throw refuseField(kind === 'holidays' ? 'day' : 'name', officeMessages.entryTaken)
  if (kind === 'states' && (await taken(sql`code = ${code}`)))
    throw refuseField('code', officeMessages.entryTaken)
}

/** A state's zone and a district's state must exist and be active. */
async function refuseUnknown(tx: Tx, { kind, zone, stateId }: ListEntryInput): Promise<void> {
  if (kind === 'states') {
    const known = await firstRow(tx, 'zones', { name: zone, active: true }, ['id'])
    if (!known || zone === abroadState) throw refuseField('zone', officeMessages.entryZoneRequired)
  }
  if (kind === 'districts') {
    const known = await tx.selectFrom('states').select('id').where('id', '=', stateId).executeTakeFirst()
    if (!known) throw refuseField('stateId', officeMessages.entryStateRequired)
  }
}

async function lockEntry(tx: Tx, kind: ListKind, id: number, version: number) {
  const { rows } = await sql<Columns & { version: number; active: boolean; name: string }>`
    select ${sql.join(['version', 'active', ...Object.keys(columnsOf(blank(kind)))].map((name) => sql.ref(name)))}
    from ${sql.table(kind)} where id = ${id} for update`.execute(tx)
  const row = orNotFound(rows[0])
  if (row.version !== version) throw new Refusal('changed_meanwhile')
  if (kind === 'zones' && row.name === abroadState) throw new Refusal('catalogue.entry_fixed')
  return row
}

/** Applies a new name, or a state's new zone, to the schools that use it. Returns how many. */
async function follow(tx: Tx, now: Date, save: ListEntryInput, before: Columns): Promise<number> {
  const { kind, name } = save
  const count = async (statement: RawBuilder<unknown>) =>
    Number((await sql`${statement}`.execute(tx)).numAffectedRows ?? 0)
  const countPlaced = async (statement: RawBuilder<unknown>) => {
    const schools = await count(statement)
    if (schools > 0) await refusePlacesScheduled(tx, now, sql`o.country = 'India'`)
    return schools
  }
  if (kind === 'zones' && before.name !== name) {
    await sql`update states set zone = ${name} where zone = ${before.name}`.execute(tx)
    return countPlaced(
      sql`update schools set zone = ${name} where zone = ${before.name} and country = 'India'`,
    )
  }
  if (kind === 'districts' && before.name !== name) {
    return count(sql`update schools set district = ${name}
      where country = 'India' and district = ${before.name} and state = (select name from states where id = ${before.state_id})`)
  }
  if (kind !== 'states' || (before.name === name && before.zone === save.zone)) return 0
  await sql`update users set state = ${name} where country = 'India' and state = ${before.name}`.execute(tx)
  await sql`update applications set state = ${name}
    where country = 'India' and state = ${before.name}`.execute(tx)
  await sql`update notices set states = (
      select jsonb_agg(case when s = ${before.name} then ${name}::text else s end) from jsonb_array_elements_text(states) s)
    where states ? ${before.name}`.execute(tx)
  return countPlaced(sql`update schools set state = ${name}, zone = ${save.zone}
    where country = 'India' and state = ${before.name}`)
}

/**
 * Adds an entry, or changes one and everything that uses it, in one transaction. Refuses missing values, a duplicate name,
 * code or day, the zone abroad, `results.places_scheduled`, `changed_meanwhile`, `not_found`. Returns its id and the number of schools affected.
 */
export async function saveEntry(tx: Tx, scope: OfficeScope, now: Date, save: ListEntryInput) {
  const issues = entryIssues(save)
  if (issues.length > 0) throw new Refusal('input.invalid', { issues })
  const { kind, id, version } = save
  // One writer at a time, so that the second sees the first one's entry.
  await sql`select pg_advisory_xact_lock(hashtext(${kind}))`.execute(tx)
  await refuseUnknown(tx, save)
  await refuseDuplicate(tx, save)
  const columns = columnsOf(save)
  if (id === 0) {
    const more: Columns = kind === 'states' ? { country_id: 1 } : {}
    const all = Object.entries({ ...columns, ...more })
    const place = ordered(kind)
      ? {
          name: sql`, position`,
          value: sql`, (select coalesce(max(position), 0) + 1 from ${sql.table(kind)})`,
        }
      : { name: sql``, value: sql`` }
    const { rows } = await sql<{ id: number }>`
      insert into ${sql.table(kind)} (${sql.join(all.map(([name]) => sql.ref(name)))}${place.name})
      values (${sql.join(all.map(([, value]) => sql`${value}`))}${place.value}) returning id`.execute(tx)
    const made = orNotFound(rows[0]).id
    await audit(
      tx,
      now,
      scope,
      'list.added',
      { kind: 'list_entry', id: `${kind}.${made}` },
      { to: { list: kind, ...columns } },
    )
    return { id: made, touched: 0 }
  }
  const row = await lockEntry(tx, kind, id, version)
  const names = Object.keys(columns)
  const from = Object.fromEntries(names.map((name) => [name, row[name] ?? '']))
  if (names.every((name) => from[name] === columns[name])) return { id, touched: 0 }
  await sql`update ${sql.table(kind)} set version = version + 1,
    ${sql.join(names.map((name) => sql`${sql.ref(name)} = ${columns[name]}`))} where id = ${id}`.execute(tx)
  const touched = await follow(tx, now, save, from)
  const change = { list: kind, from, to: columns, ...(touched > 0 ? { schools: touched } : {}) }
  await audit(tx, now, scope, 'list.changed', { kind: 'list_entry', id: `${kind}.${id}` }, change)
  return { id, touched }
}

/**
 * Deactivates or reactivates an entry. Records that use it keep it. Refuses a zone that has states (`catalogue.entry_used`),
 * the zone abroad, `changed_meanwhile`, `not_found`.
 */
export async function switchEntry(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { kind, id, version, active }: ParsedBody<typeof switchListEntry>,
): Promise<void> {
  const row = await lockEntry(tx, kind, id, version)
  if (row.active === active) return
  if (kind === 'zones' && !active) {
    const state = await tx.selectFrom('states').select('id').where('zone', '=', row.name).executeTakeFirst()
    if (state) throw new Refusal('catalogue.entry_used')
  }
  await sql`update ${sql.table(kind)} set active = ${active}, version = version + 1
    where id = ${id}`.execute(tx)
  const change = { list: kind, name: row.name, from: { active: row.active }, to: { active } }
  await audit(tx, now, scope, 'list.switched', { kind: 'list_entry', id: `${kind}.${id}` }, change)
}

/** Reorders a list. Refuses an order that does not contain each entry once, because the list has changed. */
export async function orderEntries(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  { kind, ids }: { kind: 'designations' | 'titles' | 'zones'; ids: readonly number[] },
): Promise<void> {
  const rows = await tx
    .selectFrom(kind)
    .select(['id', 'name'])
    .orderBy('position')
    .orderBy('id')
    .forUpdate()
    .execute()
  const known = new Set(rows.map((row) => row.id))
  if (ids.length !== rows.length || new Set(ids).size !== ids.length || ids.some((id) => !known.has(id)))
    throw new Refusal('changed_meanwhile')
  await sql`update ${sql.table(kind)} l set position = o.place
    from unnest(${[...ids]}::int[]) with ordinality as o (id, place) where l.id = o.id`.execute(tx)
  const nameOf = new Map(rows.map((row) => [row.id, row.name]))
  const change = {
    from: { order: rows.map(({ name }) => name).join(', ') },
    to: { order: ids.map((id) => nameOf.get(id)).join(', ') },
  }
  await audit(tx, now, scope, 'list.ordered', { kind: 'list_entry', id: kind }, change)
}
