import { className } from '@podium/contract/classes'
import { formatDay, istDay, type Season } from '@podium/contract/season'
import type { DueContents } from '@podium/contract/shipping/calls-orders'
import type { PacketRow, UploadColumn, UploadField } from '@podium/contract/shipping/calls-packets'
import { concurrencyLimit, withSlot } from '#platform/concurrency-limit'
import { makePdf, type PdfPage } from '#platform/pdf/pdf'
import { addressLine, type Letterhead, type TextStyle } from '#platform/pdf/pdf-text'
import {
  dayCell,
  type ListColumn,
  type SheetFormat,
  sheetFile,
  timestampCell,
} from '#platform/sheets/spreadsheet-write'
import type { DueLine } from '../orders/queries.ts'
import type { ListedPacket, PacketPaper } from './queries.ts'
import { classPlace, contentTitle, copiesText, kindName } from './rules.ts'

interface DocumentOptions {
  foundation: Letterhead
  createdAt: Date
}

/** Five hundred packing lists take seconds of CPU, so only two files are made at a time. */
const paperTurn = concurrencyLimit(2, 10)

/** Packing lists, one parcel to a page: by class, subject and book, with boxes to tick. */
export function packingPdf(packets: readonly ListedPacket[], making: DocumentOptions): Promise<Buffer> {
  const { foundation, createdAt } = making
  const foot = foundation.phone ? `Something missing? Call ${foundation.phone}.` : ''
  return withSlot(paperTurn, () =>
    makePdf({ title: 'Packing list', createdAt, foundation }, async (page) => {
      for (const [index, packet] of packets.entries()) {
        if (index > 0) page.newPage()
        page.numberFromHere([`Parcel ${packet.id}, ${packet.schCode}`, foot].filter(Boolean).join('. '))
        drawList(page, packet)
        await page.pause()
      }
    }),
  )
}

function drawList(page: PdfPage, packet: ListedPacket): void {
  page.heading(`Packing list · Parcel ${packet.id}`)
  const resent = packet.resends === null ? '' : `, resend of parcel ${packet.resends}`
  page.keyValues([
    ['Contents', `${contentTitle[packet.contents]} ${packet.season}${resent}`],
    ['School', `${packet.customerName} (${packet.schCode})`],
    ['Address', `${packet.address}, ${packet.city}, ${packet.state} ${packet.pinCode}, ${packet.country}`],
    ['Phone', packet.phone],
    ['Packed', formatDay(istDay(packet.createdAt))],
    ...(packet.courierName === ''
      ? []
      : [['Courier', `${packet.courierName} ${packet.consignmentNo}`.trim()] as const]),
    ...(packet.weightGrams === null
      ? []
      : [['Weight', `${(packet.weightGrams / 1000).toFixed(1)} kg`] as const]),
  ])
  page.space(8)
  const lines = packet.lines.toSorted((a, b) => classPlace(a.classId) - classPlace(b.classId))
  page.table({
    columns: [
      { title: 'Class', weight: 1.6 },
      { title: 'Subject', weight: 3 },
      { title: 'Item', weight: 3.4 },
      { title: 'Copies', weight: 1.2, align: 'right' },
      { title: 'Packed', weight: 1.2 },
      { title: 'Received', weight: 1.3 },
    ],
    grouped: true,
    rows: lines.map((line) => [
      line.className,
      `${line.subjectName} (${line.eventLetter})`,
      line.spare > 0
        ? `${line.bookCategory} (${line.quantity - line.spare} + ${line.spare} spare)`
        : line.bookCategory,
      String(line.quantity),
      '',
      '',
    ]),
    foot: ['Total', '', '', String(packet.copies), '', ''],
    toFillIn: true,
  })
  drawAwards(page, packet)
  page.room(60)
  const weight = packet.weightGrams === null ? ['Weight, kg'] : []
  const blanks = [...weight, 'Packed by', 'Received by, date']
  page.beside(
    blanks.map(() => 1),
    blanks.map((blank) => () => page.blank(blank)),
  )
}

/** Draws the recipients of a parcel's awards, a row for each student and subject, to be ticked by packer and school. */
function drawAwards(page: PdfPage, { awards }: ListedPacket): void {
  if (awards.length === 0) return
  const rows: string[][] = []
  let child = ''
  for (const award of awards) {
    const recipient = `${award.classId} ${award.section} ${award.rollNo} ${award.studentName} ${award.eventYearId}`
    const title = award.gone ? `${award.title} (no longer right)` : award.title
    const last = rows.at(-1)
    if (recipient === child && last) last[4] = `${last[4]}, ${title}`
    else {
      const place = `${award.className}${award.section === '-' ? '' : ` ${award.section}`}`
      rows.push([place, String(award.rollNo), award.studentName, award.subjectName, title, ''])
    }
    child = recipient
  }
  page.subheading('For whom')
  page.table({
    columns: [
      { title: 'Class', weight: 1.4 },
      { title: 'Roll No', weight: 0.9, align: 'right' },
      { title: 'Student', weight: 3 },
      { title: 'Subject', weight: 1.8 },
      { title: 'What', weight: 3.4 },
      { title: 'Given', weight: 0.9 },
    ],
    rows,
    toFillIn: true,
  })
}

const mm = 72 / 25.4
/** Eight labels on A4, 99.1 × 67.7 mm, a standard sheet. */
const sheet = { left: 4.65 * mm, top: 13.1 * mm, width: 99.1 * mm, height: 67.7 * mm, gap: 2.5 * mm }
const labelsOfSheet = 8
const inset = 14
const qrSide = 58
const soft = '#4a555f'

/** Address labels, eight to a sheet; the first `first` places of the first sheet stay empty. */
export function labelsPdf(
  packets: readonly PacketPaper[],
  making: DocumentOptions & { first: number },
): Promise<Buffer> {
  const { foundation, createdAt } = making
  return withSlot(paperTurn, () =>
    makePdf({ title: 'Address labels', createdAt, foundation, bare: true }, async (page) => {
      for (const [index, packet] of packets.entries()) {
        const place = (index + making.first) % labelsOfSheet
        if (place === 0 && index > 0) page.newPage()
        drawLabel(page, place, packet, making)
        if (place === 0) await page.pause()
      }
    }),
  )
}

/** The sender with the return address, in at most two lines. */
function fromLine(page: PdfPage, foundation: Letterhead): string {
  const [name, address] = [foundation.shortName ?? foundation.name, addressLine(foundation)]
  const whole = `From ${name}${address === '' ? '' : `, ${address}`}`
  return page.painter.lines(whole, page.width, { size: 7.5 }).length > 2 ? `From ${name}` : whole
}

function drawLabel(page: PdfPage, place: number, packet: PacketPaper, making: DocumentOptions): void {
  const x = sheet.left + (place % 2) * (sheet.width + sheet.gap)
  const y = sheet.top + Math.floor(place / 2) * sheet.height
  const width = sheet.width - 2 * inset
  let nameEnd = 0
  page.at({ x: x + inset, y: y + inset, width: width - qrSide - 8 }, () => {
    page.text(fromLine(page, making.foundation), { size: 7.5, color: soft })
    page.space(3)
    const sizes = [12, 10, 8.5].map((size) => ({ size, bold: true }))
    const fitting = sizes.find(
      (style) => page.painter.lines(packet.customerName, page.width, style).length < 3,
    )
    page.text(packet.customerName, fitting ?? { size: 7, bold: true })
    nameEnd = page.y
  })
  const code = packet.country === 'India' ? `PIN ${packet.pinCode}` : `${packet.pinCode} ${packet.country}`
  const address = (size: number): [string, TextStyle][] => [
    [packet.address, { size }],
    [`${packet.city}, ${packet.state}`, { size }],
    [code, { size: size + 2.5, bold: true }],
    [`Phone ${packet.phone}`, { size: size - 0.5 }],
  ]
  const parcel = y + sheet.height - inset - 24
  const top = Math.max(nameEnd + 2, y + inset + 56)
  const tall = (size: number) =>
    address(size).reduce((sum, [text, style]) => sum + page.painter.height(text, width, style), 0)
  page.at({ x: x + inset, y: top, width }, () => {
    for (const [text, style] of address([9.5, 8.5, 7.5].find((size) => tall(size) <= parcel - top) ?? 6.5))
      page.text(text, style)
  })
  page.at({ x: x + inset, y: parcel, width }, () => {
    const what = contentTitle[packet.contents]
    page.text(`Parcel ${packet.id} · ${packet.schCode}`, { size: 9.5, bold: true })
    const copies = packet.copies > 0 ? ` · ${copiesText(packet.copies)}` : ''
    page.text(`${what} ${packet.season}${copies}`, { size: 8.5, color: soft })
  })
  page.at({ x: x + inset + width - qrSide, y: y + inset - 6, width: qrSide }, () =>
    page.qr(`PACKET ${packet.id}`, qrSide),
  )
}

const wantedTitles = { books: 'Paid', papers: 'Needed', awards: 'Won' } as const

const dueColumns = (contents: DueContents): readonly ListColumn<DueLine>[] => [
  { title: 'School code', width: 12, value: (line) => line.schCode },
  { title: 'School', width: 36, value: (line) => line.schName },
  { title: 'City', value: (line) => line.city },
  { title: 'District', value: (line) => line.district },
  { title: 'State', value: (line) => line.state },
  { title: 'Pin Code', width: 10, value: (line) => line.pinCode },
  { title: 'Subject', value: (line) => line.subjectName },
  { title: 'Class', width: 10, value: (line) => className(line.classId) },
  { title: 'Item', width: 26, value: (line) => kindName(line.kind) },
  { title: wantedTitles[contents], kind: 'number', value: (line) => line.wanted },
  { title: 'Spares', kind: 'number', value: (line) => line.spare },
  { title: 'Packed', kind: 'number', value: (line) => line.packed },
  { title: 'To pack', kind: 'number', value: (line) => line.due },
  { title: 'No longer correct', kind: 'number', value: (line) => line.extra },
]

/** What must be shipped as a file: a row for each school, subject, class and kind. */
export const dueFile = (
  lines: readonly DueLine[],
  contents: DueContents,
  season: Season,
  format: SheetFormat,
) => sheetFile(`${contentTitle[contents]} to pack ${season}`, dueColumns(contents), lines, format)

const packetColumns: readonly ListColumn<PacketRow>[] = [
  { title: 'Packet Id', kind: 'number', width: 10, value: (packet) => packet.packetId },
  { title: 'School code', width: 12, value: (packet) => packet.schCode },
  { title: 'School', width: 36, value: (packet) => packet.schName },
  { title: 'City', value: (packet) => packet.city },
  { title: 'State', value: (packet) => packet.state },
  { title: 'Contents', width: 12, value: (packet) => contentTitle[packet.contents] },
  { title: 'Copies', kind: 'number', width: 10, value: (packet) => packet.copies },
  { title: 'Status', width: 12, value: (packet) => packet.status },
  { title: 'Courier', width: 20, value: (packet) => packet.courierName },
  { title: 'Consignment No', width: 20, value: (packet) => packet.consignmentNo },
  { title: 'Weight (g)', kind: 'number', width: 12, value: (packet) => packet.weightGrams },
  { title: 'Packed', kind: 'date', value: (packet) => dayCell(packet.createdAt) },
  { title: 'Last step', width: 18, value: (packet) => timestampCell(packet.changedAt) },
  { title: 'Receipt', width: 14, value: (packet) => receipt(packet) },
]

/** The values of a courier's upload file; the courier returns the parcel's number as its reference. */
const uploadValues: Record<UploadField, (packet: PacketPaper) => string | number | null> = {
  packetId: ({ id }) => id,
  customerName: ({ customerName }) => customerName,
  schCode: ({ schCode }) => schCode,
  address: ({ address }) => address,
  city: ({ city }) => city,
  state: ({ state }) => state,
  pinCode: ({ pinCode }) => pinCode,
  country: ({ country }) => country,
  phone: ({ phone }) => phone,
  contents: ({ contents }) => contentTitle[contents],
  copies: ({ copies }) => copies,
  weightKg: ({ weightGrams }) => (weightGrams === null ? null : weightGrams / 1000),
  weightGrams: ({ weightGrams }) => weightGrams,
  consignmentNo: ({ consignmentNo }) => consignmentNo,
  packedOn: ({ createdAt }) => istDay(createdAt),
  fixed: () => null,
}

const uploadKinds: Partial<Record<UploadField, ListColumn<PacketPaper>['kind']>> = {
  packetId: 'number',
  copies: 'number',
  weightKg: 'mark',
  weightGrams: 'number',
  packedOn: 'date',
}

/** Parcels in the columns in which a courier takes orders. */
export function uploadFile(
  packets: readonly PacketPaper[],
  { courier, columns }: { courier: string; columns: readonly UploadColumn[] },
  season: Season,
  format: SheetFormat,
) {
  const listed = columns.map(({ title, field, fixed }): ListColumn<PacketPaper> => {
    const kind = uploadKinds[field]
    return { title, ...(kind ? { kind } : {}), value: field === 'fixed' ? () => fixed : uploadValues[field] }
  })
  return sheetFile(`Parcels for ${courier} ${season}`, listed, packets, format)
}

const receipt = ({ confirmed, differs }: PacketRow) =>
  confirmed ? (differs ? 'Counts differ' : 'Confirmed') : ''

/** Parcels as a file, with the columns that a courier's status file can return. */
export const packetsFile = (packets: readonly PacketRow[], season: Season, format: SheetFormat) =>
  sheetFile(`Parcels ${season}`, packetColumns, packets, format)
