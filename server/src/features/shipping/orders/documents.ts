import { className } from '@podium/contract/classes'
import { istDay, istTime, type Season } from '@podium/contract/season'
import type { DueContents } from '@podium/contract/shipping/calls-orders'
import type { PacketRow } from '@podium/contract/shipping/calls-packets'
import type { FileAnswer } from '#platform/http/http'
import { type SheetColumn, type SheetValue, writeCsv, writeXlsx } from '#platform/sheets/spreadsheet-write'
import { contentTitle, kindName } from '../packets/rules.ts'
import type { DueLine } from './queries.ts'

type Format = 'xlsx' | 'csv'

function sheet(
  name: string,
  columns: readonly SheetColumn[],
  rows: SheetValue[][],
  format: Format,
): FileAnswer['file'] {
  return format === 'csv'
    ? { name: `${name}.csv`, mediaType: 'text/csv; charset=utf-8', content: writeCsv(columns, rows) }
    : {
        name: `${name}.xlsx`,
        mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        content: writeXlsx(name, columns, rows),
      }
}

const dueColumns: readonly SheetColumn[] = [
  { title: 'Code', width: 12 },
  { title: 'School', width: 36 },
  { title: 'City' },
  { title: 'District' },
  { title: 'State' },
  { title: 'Pin Code', width: 10 },
  { title: 'Subject' },
  { title: 'Class', width: 10 },
  { title: 'Item', width: 26 },
  { title: 'Wanted', kind: 'number' },
  { title: 'Spares', kind: 'number' },
  { title: 'Packed', kind: 'number' },
  { title: 'Due', kind: 'number' },
  { title: 'No longer right', kind: 'number' },
]

/** What has to go out, a line for each school, subject, class and kind. */
export function dueFile(lines: readonly DueLine[], contents: DueContents, season: Season, format: Format) {
  const rows = lines.map((line) => [
    line.schCode,
    line.schName,
    line.city,
    line.district,
    line.state,
    line.pinCode,
    line.subjectName,
    className(line.classId),
    kindName(line.kind),
    line.wanted,
    line.spare,
    line.packed,
    line.due,
    line.extra,
  ])
  return sheet(`${contentTitle[contents]} due ${season}`, dueColumns, rows, format)
}

const packetColumns: readonly SheetColumn[] = [
  { title: 'Packet Id', kind: 'number', width: 10 },
  { title: 'Code', width: 12 },
  { title: 'School', width: 36 },
  { title: 'City' },
  { title: 'State' },
  { title: 'Contents', width: 12 },
  { title: 'Copies', kind: 'number', width: 10 },
  { title: 'Status', width: 12 },
  { title: 'Courier', width: 20 },
  { title: 'Consignment No', width: 20 },
  { title: 'Weight (g)', kind: 'number', width: 12 },
  { title: 'Packed', kind: 'date' },
  { title: 'Last step', width: 18 },
  { title: 'Receipt', width: 14 },
]

const moment = (instant: string) => `${istDay(new Date(instant))} ${istTime(new Date(instant))}`
const receipt = ({ confirmed, differs }: PacketRow) =>
  confirmed ? (differs ? 'Counts differ' : 'Confirmed') : ''

/** Parcels as a file; its columns are what a courier's file may come back with. */
export function packetsFile(packets: readonly PacketRow[], season: Season, format: Format) {
  const rows = packets.map((packet) => [
    packet.packetId,
    packet.schCode,
    packet.schName,
    packet.city,
    packet.state,
    contentTitle[packet.contents],
    packet.copies,
    packet.status,
    packet.courierName,
    packet.consignmentNo,
    packet.weightGrams,
    istDay(new Date(packet.createdAt)),
    moment(packet.changedAt),
    receipt(packet),
  ])
  return sheet(`Packets ${season}`, packetColumns, rows, format)
}
