import { readDay, readTime, startOfDay } from '@podium/contract/season'
import type { OrderStatus } from '@podium/contract/shipping/calls'
import type { FileOutcome, MoveStatus } from '@podium/contract/shipping/calls-packets'

/** The facts that decide a parcel's next step. */
export interface ParcelStatus {
  status: OrderStatus
  /** Neither cancelled nor sent again in another parcel */
  counts: boolean
  /** The school has confirmed its arrival */
  confirmed: boolean
}

const after: Record<OrderStatus, readonly MoveStatus[]> = {
  Packed: [],
  Dispatched: ['In transit', 'Delivered', 'Returned'],
  'In transit': ['Delivered', 'Returned'],
  // A courier may report delivery too early: an unconfirmed parcel can still be returned.
  Delivered: ['Returned'],
  Returned: ['In transit'],
  Cancelled: [],
}

/** The next steps that an officer or a courier's file may set. */
export function nextSteps({ status, counts, confirmed }: ParcelStatus): readonly MoveStatus[] {
  return counts && !confirmed ? after[status] : []
}

/** Whether a returned parcel can be sent again. */
export const mayResend = ({ status, counts }: ParcelStatus) => status === 'Returned' && counts
export const mayCancel = ({ status, counts }: ParcelStatus) =>
  (status === 'Returned' || status === 'Packed') && counts

/** The courier's tracking page for a parcel; empty without a number or page. */
export function courierLink(template: string, consignmentNo: string): string {
  if (template === '' || (consignmentNo === '' && template.includes('{no}'))) return ''
  return template.replaceAll('{no}', encodeURIComponent(consignmentNo))
}

/** The meaning of a column in a courier's file. */
export type FileField = 'number' | 'packet' | 'status' | 'at' | 'remark'

/** Names of the columns, most likely first: a file may have a Status and the State of the address. */
const headings: Record<FileField, readonly string[]> = {
  number: [
    'consignmentno',
    'consignmentnumber',
    'consignment',
    'cnno',
    'docketno',
    'docket',
    'awb',
    'awbno',
    'awbnumber',
    'waybill',
    'waybillno',
    'trackingno',
    'trackingnumber',
    'trackingid',
    'articleno',
    'articlenumber',
    'lrno',
    'podno',
  ],
  packet: [
    'packetid',
    'packet',
    'packetno',
    'reference',
    'referenceno',
    'refno',
    'ref',
    'orderno',
    'orderid',
    'yourreference',
  ],
  status: [
    'status',
    'orderstatus',
    'currentstatus',
    'deliverystatus',
    'laststatus',
    'event',
    'state',
    'स्थिति',
  ],
  at: [
    'date',
    'statusdate',
    'datetime',
    'deliverydate',
    'delivereddate',
    'deliveredon',
    'lastupdate',
    'eventdate',
    'time',
    'laststatusdate',
    'when',
    'दिनांक',
    'तारीख',
  ],
  remark: [
    'remark',
    'remarks',
    'note',
    'notes',
    'location',
    'reason',
    'description',
    'comment',
    'comments',
    'receivedby',
    'टिप्पणी',
  ],
}

const fold = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/\(.*?\)/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]/gu, '')

export interface FileColumn {
  index: number
  heading: string
  /** Null: unused, or a repeated column */
  field: FileField | null
}

/** Recognises the columns in any order; undefined if status, or both number and parcel, are missing. */
export function readFileHead(cells: readonly string[]): FileColumn[] | undefined {
  const folded = cells.map(fold)
  const fields = new Map<number, FileField>()
  for (const [field, names] of Object.entries(headings) as [FileField, readonly string[]][]) {
    const name = names.find((name) => folded.includes(name))
    if (name !== undefined) fields.set(folded.indexOf(name), field)
  }
  const found = new Set(fields.values())
  if (!found.has('status') || !(found.has('number') || found.has('packet'))) return undefined
  return cells.map((heading, index) => ({ index, heading, field: fields.get(index) ?? null }))
}

/** Couriers' words for each step. The first match counts, so negations come first. After a failed attempt they try again. */
const words: readonly (readonly [MoveStatus, readonly string[]])[] = [
  ['Returned', ['rto', 'return', 'refused', 'rejected', 'लौट', 'वापस']],
  [
    'In transit',
    ['undelivered', 'notdelivered', 'outfordelivery', 'tobedelivered', 'attempt', 'receivedat', 'receivedin'],
  ],
  ['Delivered', ['delivered', 'dlvd', 'podreceived', 'received', 'पहुँच']],
  [
    'In transit',
    ['transit', 'dispatched', 'shipped', 'picked', 'hub', 'arrived', 'booked', 'manifest', 'रास्ते'],
  ],
]

/** The step meant by a courier's status text; undefined if unknown. */
export function stepOf(text: string): MoveStatus | undefined {
  const folded = fold(text)
  if (folded === '') return undefined
  return words.find(([, parts]) => parts.some((part) => folded.includes(part)))?.[0]
}

/** Parses a time as files write it (`2026-11-21`, `21/11/2026 14:30`), in IST, midday if it has no time; else undefined. */
export function momentOf(text: string): Date | undefined {
  const day = readDay(text)
  const [, time = ''] = /[T ,](\d{1,2}:\d\d(?::\d\d)?(?:\s*[ap]m)?)/i.exec(text) ?? []
  return day === undefined ? undefined : startOfDay(day, readTime(time) ?? 12 * 60)
}

/** The outcome of a row. */
export function outcomeOf(to: MoveStatus | undefined, packet: ParcelStatus | undefined): FileOutcome {
  if (!packet) return 'unknown'
  if (to === undefined) return 'unclear'
  if (packet.status === to || (to === 'In transit' && packet.status === 'Delivered')) return 'already'
  return nextSteps(packet).includes(to) ? 'known' : 'unfit'
}
