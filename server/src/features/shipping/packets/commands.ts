import type { ParsedBody } from '@podium/contract/endpoint'
import type { Season } from '@podium/contract/season'
import type { DueContents, LineKind } from '@podium/contract/shipping/calls-orders'
import {
  type saveCourier as saveCourierCall,
  type UploadColumn,
  uploadColumns,
} from '@podium/contract/shipping/calls-packets'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { audit, insertAudit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { addRow } from '#platform/db/rows'
import { notFound, orNotFound, Refusal } from '#platform/errors'
import type { Job } from '#platform/jobs/jobs'
import { countIfStale, reduceDue } from '../orders/commands-needs.ts'
import { type LineFilter, lineConditions } from '../orders/queries.ts'
import { type AwardItem, unpackedAwards } from '../queries.ts'
import { packetsOfJob } from './queries.ts'
import { type PackLine, spareOf, splitLines } from './rules.ts'

/** Copies of a line to pack. */
type WantedLine = Omit<PackLine, 'spare'>

interface PackRequest {
  schoolId: number
  season: Season
  contents: DueContents
  /** The copies to pack; if omitted, everything due in lines that match `filter` */
  lines?: readonly WantedLine[] | undefined
  filter?: LineFilter | undefined
  /** Maximum copies in a parcel; 0: no limit */
  most: number
  /** The job that packs for many schools */
  jobId?: string
}

const lineKey = ({ eventId, classId, kind }: Omit<WantedLine, 'quantity'>) => `${eventId}.${classId}.${kind}`

/** A line that is due, with the copies already packed and the number of students. */
interface DueLine extends WantedLine {
  packed: number
  children: number
}

/** Reads what is due to a school, whose count must be current. */
async function dueLines(tx: Tx, { schoolId, season, contents, filter }: PackRequest): Promise<DueLine[]> {
  const conditions = filter ? lineConditions(filter) : []
  const where = conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
  const { rows } = await sql<DueLine>`
    select n.event_id as "eventId", n.class_id as "classId", n.kind, n.due as quantity, n.packed,
      n.wanted - n.spare as children
    from dispatch_needs n join events e on e.id = n.event_id join subjects u on u.letter = e.letter
    where n.school_id = ${schoolId} and n.season = ${season} and n.contents = ${contents} and n.due > 0 and ${where}
    order by u.position, e.level, n.class_id, n.kind`.execute(tx)
  return rows
}

/** The copies to pack, limited to those due; repeated lines are added up. */
function chosen(due: readonly DueLine[], wanted: readonly WantedLine[]): DueLine[] {
  const quantities = new Map<string, number>()
  for (const line of wanted)
    quantities.set(lineKey(line), (quantities.get(lineKey(line)) ?? 0) + line.quantity)
  const taken = due.flatMap((line) => {
    const quantity = quantities.get(lineKey(line)) ?? 0
    if (quantity > line.quantity) throw new Refusal('dispatch.more_than_due')
    quantities.delete(lineKey(line))
    return quantity > 0 ? [{ ...line, quantity }] : []
  })
  if ([...quantities.values()].some((quantity) => quantity > 0)) throw new Refusal('dispatch.more_than_due')
  return taken
}

/**
 * Packs what is due to a school and returns the ids of the parcels. Concurrent packing for the same school waits on the
 * school's row and then sees what is left. Refuses with `not_found`, `dispatch.nothing_due`, `dispatch.more_than_due`.
 */
export async function packDue(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  packing: PackRequest,
): Promise<number[]> {
  const { schoolId, season, contents } = packing
  const { rows } = await sql`select id from schools where id = ${schoolId} for no key update`.execute(tx)
  orNotFound(rows[0])
  await countIfStale(tx, schoolId, season)
  const due = await dueLines(tx, packing)
  const lines = (packing.lines ? chosen(due, packing.lines) : due).map(
    ({ packed, children, ...line }): PackLine => ({
      ...line,
      spare: contents === 'papers' ? spareOf(line.quantity, packed, children) : 0,
    }),
  )
  const parcels = splitLines(lines, packing.most)
  if (parcels.length === 0) throw new Refusal('dispatch.nothing_due')
  const unpacked = contents === 'awards' ? await unpackedAwards(tx, schoolId, season) : []
  const waiting = Map.groupBy(unpacked, lineKey)
  const ids: number[] = []
  const { jobId } = packing
  for (const parcel of parcels) {
    const awards = takeItems(waiting, parcel)
    const packet = { schoolId, season, contents, lines: parcel, awards, remark: '', jobId }
    ids.push(await writePacket(tx, scope, now, packet))
  }
  await reduceDue(tx, schoolId, season, contents, parcels.flat())
  return ids
}

/** Takes the needed number of unpacked awards for each line, in class order. */
const takeItems = (waiting: Map<string, AwardItem[]>, lines: readonly PackLine[]): AwardItem[] =>
  lines.flatMap((line) => waiting.get(lineKey(line))?.splice(0, line.quantity) ?? [])

interface NewPacket {
  schoolId: number
  season: string
  contents: string
  lines: readonly PackLine[]
  /** In a parcel of awards: the recipients, as many as the lines say */
  awards?: readonly AwardItem[]
  remark: string
  /** The returned parcel whose contents are sent again */
  resends?: number
  /** The job that packs for many schools */
  jobId?: string | undefined
}

/** Creates a parcel to the school's current address, with its lines and first tracking entry. The school must be locked. */
export async function writePacket(tx: Tx, scope: OfficeScope, now: Date, packet: NewPacket): Promise<number> {
  const { schoolId, season, contents, lines, awards = [], remark, resends, jobId } = packet
  const { rows } = await sql<{ id: number }>`
    insert into packets (school_id, season, contents, customer_name, address, city, state, country, pin_code, phone,
      created_at, packed_by, resends_id)
    select id, ${season}, ${contents}, name, address, city, state, country, pin_code, phone, ${now}::timestamptz,
      ${scope.staffId}, ${resends ?? null}
    from schools where id = ${schoolId} returning id`.execute(tx)
  const id = orNotFound(rows[0]).id
  if (lines.length > 0)
    await tx
      .insertInto('packet_lines')
      .values(
        lines.map((line) => ({
          packet_id: id,
          event_id: line.eventId,
          class_id: line.classId,
          kind: line.kind,
          quantity: line.quantity,
          spare: line.spare,
        })),
      )
      .execute()
  await writeAwards(tx, id, awards)
  await addRow(tx, 'packet_track', {
    packet_id: id,
    status: 'Packed',
    remarks: remark,
    at: now,
    staff_id: scope.staffId,
  })
  const copies = lines.reduce((sum, line) => sum + line.quantity, 0)
  const subject = { kind: 'packet', id, schoolId, season }
  const to = { contents, copies, lines: lines.length, ...(resends === undefined ? {} : { resends }) }
  await audit(tx, now, scope, 'packet.packed', subject, { to, ...(jobId === undefined ? {} : { jobId }) })
  return id
}

/**
 * Unpacks all parcels of a packing job, or none: refuses with `dispatch.moved_on` if one is no longer packed. Locks the
 * schools, then the parcels, in the order used by all packing. Their schools are recounted like others that have changed.
 */
export async function unpackJob(tx: Tx, scope: OfficeScope, now: Date, job: Job): Promise<number> {
  const ids = (await packetsOfJob(tx, job)).map(({ id }) => id)
  await sql`
    select id from schools where id in (select school_id from packets where id = any(${ids}::bigint[]))
    order by id for no key update`.execute(tx)
  await sql`select id from packets where id = any(${ids}::bigint[]) order by id for update`.execute(tx)
  const packets = await packetsOfJob(tx, job)
  if (packets.length === 0 || !packets.every(({ packed }) => packed)) throw new Refusal('dispatch.moved_on')
  const these = sql`packets p where p.id = any(${ids}::bigint[])`
  await sql`
    insert into packet_track (packet_id, status, remarks, at, staff_id)
    select p.id, 'Cancelled', '', greatest(${now}::timestamptz, max(t.at)), ${scope.staffId}
    from packets p join packet_track t on t.packet_id = p.id where p.id = any(${ids}::bigint[])
    group by p.id`.execute(tx)
  await sql`
    ${insertAudit(now, scope)}, p.school_id, p.season, 'packet.tracked', 'packet', p.id::text,
      ${JSON.stringify({ from: 'Packed', to: 'Cancelled' })}::jsonb
    from ${these}`.execute(tx)
  await sql`insert into dispatch_stale (school_id, season) select distinct p.school_id, p.season
    from ${these}`.execute(tx)
  await sql`
    update packets set status = 'Cancelled', counts = false, version = version + 1
    where id = any(${ids}::bigint[])`.execute(tx)
  await sql`
    update jobs set output = coalesce(output, '{}'::jsonb) || ${JSON.stringify({ unpacked: ids.length })}::jsonb
    where id = ${job.id}`.execute(tx)
  const subject = { kind: 'job', id: job.id, ...(job.season ? { season: job.season } : {}) }
  await audit(tx, now, scope, 'dispatch.packing_undone', subject, { packets: ids.length })
  return ids.length
}

async function writeAwards(tx: Tx, packetId: number, awards: readonly AwardItem[]): Promise<void> {
  if (awards.length === 0) return
  const of = <Key extends keyof AwardItem>(key: Key) => awards.map((award) => award[key])
  await sql`
    insert into packet_awards (packet_id, event_id, student_id, kind, class_id, award_key, version)
    select ${packetId}, * from unnest(${of('eventId')}::bigint[], ${of('studentId')}::bigint[], ${of('kind')}::text[],
      ${of('classId')}::int[], ${of('awardKey')}::text[], ${of('version')}::int[])`.execute(tx)
}

/** The awards packed in a parcel. */
export async function awardsOf(tx: Tx, packetId: number): Promise<AwardItem[]> {
  const { rows } = await sql<AwardItem>`
    select event_id as "eventId", student_id as "studentId", kind, class_id as "classId", award_key as "awardKey", version
    from packet_awards where packet_id = ${packetId}`.execute(tx)
  return rows
}

/** The lines packed in a parcel. */
export async function linesOf(tx: Tx, packetId: number): Promise<PackLine[]> {
  const rows = await tx
    .selectFrom('packet_lines')
    .select(['event_id', 'class_id', 'kind', 'quantity', 'spare'])
    .where('packet_id', '=', packetId)
    .execute()
  return rows.map((row) => ({
    eventId: row.event_id,
    classId: row.class_id,
    kind: row.kind as LineKind,
    quantity: row.quantity,
    spare: row.spare,
  }))
}

type Courier = ParsedBody<typeof saveCourierCall>

const titlesOf = (columns: readonly UploadColumn[]) => columns.map(({ title }) => title).join(', ')

/** Adds (id 0) or changes a courier and returns its id. Dispatched parcels keep their courier name and link. */
export async function saveCourier(tx: Tx, scope: OfficeScope, now: Date, save: Courier): Promise<number> {
  const { courierId: id, name, linkTemplate: link_template, active, uploadColumns: columns } = save
  const facts = { name, link_template, active }
  const row = { ...facts, ...(columns && { upload_columns: JSON.stringify(columns) }) }
  const to = { ...facts, ...(columns && { upload_columns: titlesOf(columns) }) }
  // One writer at a time, so that the second sees the first one's courier.
  await sql`select pg_advisory_xact_lock(hashtext('couriers'))`.execute(tx)
  const known = await tx
    .selectFrom('couriers')
    .select('id')
    .where('name', '=', name)
    .where('id', '<>', id)
    .executeTakeFirst()
  if (known) throw new Refusal('dispatch.courier_known')
  if (id === 0) {
    const courier = await tx.insertInto('couriers').values(row).returning('id').executeTakeFirstOrThrow()
    await audit(tx, now, scope, 'courier.added', { kind: 'courier', id: courier.id }, { to })
    return courier.id
  }
  const before = await tx
    .selectFrom('couriers')
    .select(['name', 'link_template', 'active', 'upload_columns', 'version'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(notFound)
  if (before.version !== save.version) throw new Refusal('changed_meanwhile')
  const changed = { ...row, version: before.version + 1 }
  await tx.updateTable('couriers').set(changed).where('id', '=', id).execute()
  const from = { ...before, upload_columns: titlesOf(z.parse(uploadColumns, before.upload_columns)) }
  await audit(tx, now, scope, 'courier.changed', { kind: 'courier', id }, { from, to })
  return id
}
