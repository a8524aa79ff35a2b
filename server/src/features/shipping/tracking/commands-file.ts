import { cutText } from '@podium/contract/fields'
import type { Season } from '@podium/contract/season'
import type { OrderStatus } from '@podium/contract/shipping/calls'
import {
  type CourierFileRow,
  type FileOutcome,
  fileOutcomes,
  type MoveStatus,
} from '@podium/contract/shipping/calls-packets'
import { sql } from 'kysely'
import { audit } from '#platform/audit'
import type { OfficeScope } from '#platform/auth/scope'
import type { Tx } from '#platform/db/database'
import { Refusal } from '#platform/errors'
import { readSheet } from '#platform/sheets/spreadsheet'
import { cellText, type SheetRow } from '#platform/sheets/spreadsheet-rows'
import { lockPackets, writeStep } from './commands.ts'
import { type FileColumn, type FileField, momentOf, outcomeOf, readFileHead, stepOf } from './rules.ts'

/** A parsed row of a courier's file. */
interface ReadRow {
  row: number
  number: string
  packet: string
  courierStatus: string
  at: Date | undefined
  remark: string
}

export interface ReadFile {
  columns: FileColumn[]
  rows: ReadRow[]
}

function readRow({ number: row, cells }: SheetRow, columns: readonly FileColumn[]): ReadRow {
  const cellOf = (field: FileField) => {
    const column = columns.find((column) => column.field === field)
    return column ? cells[column.index] : undefined
  }
  const text = (field: FileField) => cellText(cellOf(field)).trim()
  return {
    row,
    number: text('number'),
    packet: text('packet'),
    courierStatus: cutText(text('status'), 100),
    at: momentOf(text('at')),
    remark: cutText(text('remark'), 300),
  }
}

/** Reads a courier's file; refuses with `sheet.*`, `dispatch.no_heads`. */
export async function readCourierFile(bytes: Buffer, name: string): Promise<ReadFile> {
  const [head, ...body] = await readSheet(bytes, name)
  const columns = head && readFileHead(head.cells.map((cell) => cellText(cell)))
  if (!columns) throw new Refusal('dispatch.no_heads')
  return { columns, rows: body.map((row) => readRow(row, columns)) }
}

interface Match {
  id: number
  number: string
  schName: string
}

/** The parcels named in the file, by id and consignment number. A number shared by two parcels matches neither. */
async function matches(tx: Tx, season: Season, { rows }: ReadFile) {
  const ids = rows.map(({ packet }) => packet).filter((packet) => /^\d{1,15}$/.test(packet))
  const numbers = rows.map(({ number }) => number.toUpperCase()).filter(Boolean)
  const found = await sql<Match>`
    select p.id, upper(p.consignment_no) as number, o.name as "schName"
    from packets p join schools o on o.id = p.school_id
    where p.season = ${season} and (p.id = any(${ids}::bigint[])
      or (p.consignment_no <> '' and upper(p.consignment_no) = any(${numbers}::text[])))`.execute(tx)
  const byId = new Map(found.rows.map((match) => [String(match.id), match]))
  const byNumber = new Map<string, Match | undefined>()
  for (const match of found.rows) byNumber.set(match.number, byNumber.has(match.number) ? undefined : match)
  return (row: ReadRow) =>
    row.packet !== '' ? byId.get(row.packet.replace(/^0+/, '')) : byNumber.get(row.number.toUpperCase())
}

/** Saves the consignment number from the courier's file for a parcel without one, unless another parcel has it. */
async function giveNumber(tx: Tx, packetId: number, number: string): Promise<void> {
  if (number === '') return
  await sql`
    update packets p set consignment_no = ${number}, version = p.version + 1,
      courier_link = replace(c.link_template, '{no}', ${encodeURIComponent(number)})
    from couriers c
    where c.id = p.courier_id and p.id = ${packetId} and p.consignment_no = ''
      and p.status in ('Dispatched', 'In transit', 'Delivered')
      and not exists (select from packets d
      where d.courier_id = p.courier_id and d.consignment_no = ${number})`.execute(tx)
}

/** Checks or applies the file. Returns rows with their outcome in file order; each row sees the effect of earlier rows. */
export async function runCourierFile(
  tx: Tx,
  scope: OfficeScope,
  now: Date,
  file: ReadFile & { season: Season; apply: boolean; name: string },
) {
  const matchOf = await matches(tx, file.season, file)
  const matched = new Set(file.rows.map((row) => matchOf(row)?.id).filter((id) => id !== undefined))
  const current = new Map((await lockPackets(tx, [...matched])).map((packet) => [packet.id, packet]))
  const planned: { shown: CourierFileRow; at: Date }[] = []
  const steps = new Map<number, number>()
  for (const row of file.rows) {
    const match = matchOf(row)
    const packet = match && current.get(match.id)
    const to = stepOf(row.courierStatus)
    const outcome = row.number === '' && row.packet === '' ? 'unclear' : outcomeOf(to, packet)
    // Future dates are replaced by now, as are missing ones.
    const at = row.at && row.at <= now ? row.at : now
    planned.push({ shown: shownRow(row, match, packet?.status ?? null, to, outcome), at })
    if (file.apply && match && packet && match.number === '') await giveNumber(tx, packet.id, row.number)
    if (outcome !== 'known' || !packet || !to) continue
    if (file.apply) {
      await writeStep(tx, scope, now, packet, { to, remark: row.remark, at })
      steps.set(packet.id, (steps.get(packet.id) ?? 0) + 1)
    }
    current.set(packet.id, { ...packet, status: to })
  }
  const rows = planned.map(({ shown, at }) => ({ ...shown, at: shown.to ? at.toISOString() : null }))
  const counts = Object.fromEntries(
    fileOutcomes.map((outcome) => [outcome, rows.filter((row) => row.outcome === outcome).length]),
  )
  if (file.apply) {
    const subject = { kind: 'packets', id: 'file', season: file.season }
    await audit(tx, now, scope, 'packet.file_applied', subject, { file: file.name, ...counts })
  }
  return {
    columns: file.columns.map(({ heading, field }) => ({ heading, field })),
    counts,
    rows,
    applied: file.apply ? (counts.known ?? 0) : 0,
    packets: (await lockPackets(tx, [...steps.keys()])).map(({ id, version }) => ({
      packetId: id,
      version,
      steps: steps.get(id),
    })),
  }
}

function shownRow(
  row: ReadRow,
  match: Match | undefined,
  now: OrderStatus | null,
  to: MoveStatus | undefined,
  outcome: FileOutcome,
): CourierFileRow {
  return {
    row: row.row,
    packetId: match?.id ?? null,
    consignmentNo: row.number === '' ? (match?.number ?? '') : row.number,
    schName: match?.schName ?? '',
    courierStatus: row.courierStatus,
    to: to ?? null,
    now,
    at: null,
    remark: row.remark,
    outcome,
  }
}
