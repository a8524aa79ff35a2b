import type { Season } from '@podium/contract/season'
import type { DueContents, LineKind } from '@podium/contract/shipping/calls-orders'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { orNotFound, Refusal } from '#platform/errors'
import { countIfStale, takeOffDue } from '../orders/commands-needs.ts'
import { type LineFilter, lineConditions } from '../orders/queries.ts'
import { type AwardItem, unpackedAwards } from '../queries.ts'
import { type PackLine, spareOf, splitLines } from './rules.ts'

/** Copies of a line that somebody wants packed. */
export type WantedLine = Omit<PackLine, 'spare'>

export interface Packing {
  schoolId: number
  season: Season
  contents: DueContents
  /** The copies that are wanted; left out: all that is due of the lines that `filter` leaves */
  lines?: readonly WantedLine[] | undefined
  filter?: LineFilter | undefined
  /** Copies of one parcel; 0: all in one */
  most: number
}

const lineKey = ({ eventId, classId, kind }: Omit<WantedLine, 'quantity'>) => `${eventId}.${classId}.${kind}`

/** A line that is due, with what is packed of it already and for how many children. */
interface DueLine extends WantedLine {
  packed: number
  children: number
}

/** What is due of the school, which is counted. */
async function dueLines(tx: Tx, { schoolId, season, contents, filter }: Packing): Promise<DueLine[]> {
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

/** The wanted copies, none more than are due; a line that is said twice is taken together. */
function chosen(due: readonly DueLine[], wanted: readonly WantedLine[]): DueLine[] {
  const asked = new Map<string, number>()
  for (const line of wanted) asked.set(lineKey(line), (asked.get(lineKey(line)) ?? 0) + line.quantity)
  const taken = due.flatMap((line) => {
    const quantity = asked.get(lineKey(line)) ?? 0
    if (quantity > line.quantity) throw new Refusal('dispatch.more_than_due')
    asked.delete(lineKey(line))
    return quantity > 0 ? [{ ...line, quantity }] : []
  })
  if ([...asked.values()].some((quantity) => quantity > 0)) throw new Refusal('dispatch.more_than_due')
  return taken
}

/**
 * Packs what is due of a school; gives the ids of the parcels. Whoever packs for the same school at the same time waits
 * for the school's row and then finds what is left. Refuses with `not_found`, `dispatch.nothing_due`,
 * `dispatch.more_than_due`.
 */
export async function packDue(tx: Tx, scope: OfficeScope, now: Date, packing: Packing): Promise<number[]> {
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
  for (const parcel of parcels) {
    const awards = takeItems(waiting, parcel)
    ids.push(
      await writePacket(tx, scope, now, { schoolId, season, contents, lines: parcel, awards, remark: '' }),
    )
  }
  await takeOffDue(tx, schoolId, season, contents, parcels.flat())
  return ids
}

/** Takes so many things of each line from what no parcel holds, by line, the first of its class first. */
const takeItems = (waiting: Map<string, AwardItem[]>, lines: readonly PackLine[]): AwardItem[] =>
  lines.flatMap((line) => waiting.get(lineKey(line))?.splice(0, line.quantity) ?? [])

interface NewPacket {
  schoolId: number
  season: string
  contents: string
  lines: readonly PackLine[]
  /** Of a parcel of awards: whose they are, as many of each line as it says */
  awards?: readonly AwardItem[]
  remark: string
  /** The returned parcel whose contents it sends again */
  resends?: number
}

/** Writes a parcel to the school's present address with its lines and the first line of its track. The school is locked. */
export async function writePacket(tx: Tx, scope: OfficeScope, now: Date, packet: NewPacket): Promise<number> {
  const { schoolId, season, contents, lines, awards = [], remark, resends } = packet
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
  await tx
    .insertInto('packet_track')
    .values({ packet_id: id, status: 'Packed', remarks: remark, at: now, staff_id: scope.staffId })
    .execute()
  const copies = lines.reduce((sum, line) => sum + line.quantity, 0)
  const subject = { kind: 'packet', id, schoolId, season }
  const to = { contents, copies, lines: lines.length, ...(resends === undefined ? {} : { resends }) }
  await audit(tx, now, scope, 'packet.packed', subject, { to })
  return id
}

async function writeAwards(tx: Tx, packetId: number, awards: readonly AwardItem[]): Promise<void> {
  if (awards.length === 0) return
  const of = <Key extends keyof AwardItem>(key: Key) => awards.map((award) => award[key])
  await sql`
    insert into packet_awards (packet_id, event_id, student_id, kind, class_id, says, version)
    select ${packetId}, * from unnest(${of('eventId')}::bigint[], ${of('studentId')}::bigint[], ${of('kind')}::text[],
      ${of('classId')}::int[], ${of('says')}::text[], ${of('version')}::int[])`.execute(tx)
}

/** The awards of a parcel as they were packed. */
export async function awardsOf(tx: Tx, packetId: number): Promise<AwardItem[]> {
  const { rows } = await sql<AwardItem>`
    select event_id as "eventId", student_id as "studentId", kind, class_id as "classId", says, version
    from packet_awards where packet_id = ${packetId}`.execute(tx)
  return rows
}

/** The lines of a parcel as they were packed. */
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
