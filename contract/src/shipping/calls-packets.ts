import * as z from 'zod/mini'
import { allowance, endpoint } from '../endpoint.ts'
import { bodyId, largestId, optionalText, queryId, schoolName, seasonLabel, text } from '../fields.ts'
import { messages } from '../messages.ts'
import { orderStatuses, packetAward, packetContents, packetLine, packetReceipt } from './calls.ts'

/** Parcels in the office: their list, a single one, their tracking, couriers and papers. */

/** Most parcels printed or moved at once. */
export const maxPackets = 500

/** More filters of the list: received with different counts, confirmed, dispatched without a consignment number. */
export const packetMarks = ['', 'differs', 'confirmed', 'numberless'] as const

/** Filters of the list, also for the export and for actions on all matching parcels. */
export const packetFilters = {
  FYear: seasonLabel,
  /** Number of a parcel or a consignment, words of the school's name */
  search: optionalText(100),
  contents: z._default(z.enum(['', ...packetContents]), ''),
  status: z._default(z.enum(['', ...orderStatuses]), ''),
  state: optionalText(100),
  /** Courier id */
  courier: z._default(z.string().check(z.regex(/^\d{0,15}$/)), ''),
  mark: z._default(z.enum(packetMarks), ''),
}

const packetRow = z.object({
  packetId: z.int(),
  schoolId: z.int(),
  ...schoolName,
  city: z.string(),
  state: z.string(),
  contents: z.enum(packetContents),
  status: z.enum(orderStatuses),
  copies: z.int(),
  courierName: z.string(),
  consignmentNo: z.string(),
  weightGrams: z.nullable(z.int()),
  createdAt: z.string(),
  /** Time of the newest tracking entry */
  changedAt: z.string(),
  confirmed: z.boolean(),
  differs: z.boolean(),
  version: z.int(),
})
export type PacketRow = z.output<typeof packetRow>

/** Why a packed or returned parcel must not leave: what it holds, or where it would go, is no longer right. */
export const stops = [
  'dispatch.withheld',
  'dispatch.corrected',
  'dispatch.unpaid',
  'dispatch.address_changed',
] as const
export type StoppedBy = (typeof stops)[number]
const shownPacket = z.extend(packetRow, { stopped: z.nullable(z.enum(stops)) })
export type ShownPacket = z.output<typeof shownPacket>

const statusCounts = z.record(z.string(), z.int())

export const officePackets = endpoint('GET /api/office/dispatch/packets', {
  summary: 'The parcels that match the filters, newest first, 50 a page, with counts by state.',
  query: z.strictObject({ ...packetFilters, page: z._default(queryId, 1) }),
  answer: z.object({ data: z.array(shownPacket), total: z.int(), pageSize: z.int(), counts: statusCounts }),
})

const officeTrackLine = z.object({
  status: z.enum(orderStatuses),
  remarks: z.string(),
  at: z.string(),
  /** Empty if no person wrote it */
  by: z.string(),
})

export const officePacket = endpoint('GET /api/office/dispatch/packet', {
  summary: 'A parcel: destination, contents, tracking, and what can be done with it.',
  query: z.strictObject({ packetId: queryId }),
  answer: z.object({
    packet: z.extend(packetRow, {
      FYear: z.string(),
      customerName: z.string(),
      address: z.string(),
      city: z.string(),
      country: z.string(),
      pincode: z.string(),
      phoneNo: z.string(),
      courierId: z.nullable(z.int()),
      courierLink: z.string(),
      packedBy: z.string(),
      resends: z.nullable(z.int()),
      resentAs: z.nullable(z.int()),
    }),
    lines: z.array(packetLine),
    awards: z.array(packetAward),
    track: z.array(officeTrackLine),
    receipt: z.nullable(packetReceipt),
    can: z.object({
      dispatch: allowance,
      move: z.array(z.enum(orderStatuses)),
      resend: allowance,
      cancel: allowance,
    }),
  }),
})
export type OfficePacket = z.output<typeof officePacket.answer>

/** Which parcels: these, or all that match the filters (at most 500). */
const selection = {
  ids: z.optional(z.array(bodyId).check(z.minLength(1), z.maxLength(maxPackets))),
  filters: z.optional(z.strictObject(packetFilters)),
}

export const packingLists = endpoint('POST /api/office/dispatch/packingLists', {
  summary: 'The packing lists of parcels as one PDF, a page each.',
  body: z.strictObject(selection),
  answers: 'file',
})

export const addressLabels = endpoint('POST /api/office/dispatch/labels', {
  summary:
    'Address labels of parcels as a PDF, eight on an A4 sheet; the `first` labels of the first sheet are already used.',
  body: z.strictObject({ ...selection, first: z._default(z.int().check(z.minimum(0), z.maximum(7)), 0) }),
  answers: 'file',
})

export const exportPackets = endpoint('POST /api/office/dispatch/exportPackets', {
  summary:
    "All parcels that match the filters, as a spreadsheet; for roles that dispatch, also with the columns of a courier's upload file.",
  body: z.strictObject({
    ...packetFilters,
    format: z.enum(['xlsx', 'csv']),
    /** With the columns of this courier's upload file, by its id; 0: those of the list */
    forCourier: z._default(bodyId, 0),
  }),
  answers: 'file',
})

const remark = optionalText(300)
const consignment = optionalText(60)
const weight = z._default(
  z.nullable(
    z
      .int(messages.weightWhole)
      .check(z.minimum(1, messages.weightWhole), z.maximum(100_000, messages.weightWhole)),
  ),
  null,
)

const chosenCourier = z
  .int(messages.courierRequired)
  .check(z.minimum(1, messages.courierRequired), z.maximum(largestId, messages.courierRequired))

/**
 * Dispatches packed parcels with a courier; each school is e-mailed. Number and weight are for one parcel; several get
 * theirs by the courier's file. Of several, those stopped or not packed stay (`left`); if none remain, refuses with the
 * reason: dispatch.wrong_state or one of `stops`. Also refuses with dispatch.number_taken, dispatch.courier_off.
 */
export const dispatchPackets = endpoint('POST /api/office/dispatch/send', {
  summary: 'Dispatches packed parcels with a courier and notifies the schools.',
  body: z.strictObject({
    ids: z.array(bodyId).check(z.minLength(1), z.maxLength(maxPackets)),
    courierId: chosenCourier,
    consignmentNo: consignment,
    weightGrams: weight,
    remark,
  }),
  answer: z.object({ moved: z.int(), left: z.int() }),
})

export const savePacketCourier = endpoint('POST /api/office/dispatch/saveCourier', {
  summary: 'Changes courier, consignment number or weight of a dispatched parcel.',
  body: z.strictObject({
    packetId: bodyId,
    version: bodyId,
    courierId: chosenCourier,
    consignmentNo: consignment,
    weightGrams: weight,
  }),
})

/** States that a person or a courier's file can set. */
export const moveStatuses = ['In transit', 'Delivered', 'Returned'] as const
export type MoveStatus = (typeof moveStatuses)[number]

const movedPacket = z.object({
  packetId: z.int(),
  version: z.int(),
  /** Number of steps that a file has written */
  steps: z.optional(z.int()),
})
export type MovedPacket = z.output<typeof movedPacket>

export const movePackets = endpoint('POST /api/office/dispatch/move', {
  summary: 'Adds the next tracking step to parcels; those it does not fit stay as they are.',
  body: z.strictObject({
    ids: z.array(bodyId).check(z.minLength(1), z.maxLength(maxPackets)),
    to: z.enum(moveStatuses),
    remark,
  }),
  /** With the moved parcels and their new versions, which `undoMove` takes */
  answer: z.object({ moved: z.int(), left: z.int(), packets: z.array(movedPacket) }),
})

/** Refuses with changed_meanwhile if none is unchanged. */
export const undoMove = endpoint('POST /api/office/dispatch/undoMove', {
  summary:
    'Undoes the last tracking step of parcels, or the steps of a file; those changed or confirmed since stay as they are.',
  body: z.strictObject({
    packets: z
      .array(
        z.strictObject({
          packetId: bodyId,
          version: bodyId,
          steps: z.optional(z.int().check(z.minimum(1), z.maximum(maxPackets))),
        }),
      )
      .check(z.minLength(1), z.maxLength(maxPackets)),
  }),
  answer: z.object({ undone: z.int(), left: z.int() }),
})

const reason = text(messages.reasonRequired, 300)

export const resendPacket = endpoint('POST /api/office/dispatch/resend', {
  summary: 'Repacks a returned parcel as a new one that names it.',
  body: z.strictObject({ packetId: bodyId, version: bodyId, remark: reason }),
  answer: z.object({ packetId: z.int() }),
})

export const cancelPacket = endpoint('POST /api/office/dispatch/cancel', {
  summary: 'Unpacks a packed or returned parcel; its contents are due again.',
  body: z.strictObject({ packetId: bodyId, version: bodyId, remark: reason }),
})

/** What a column of a courier's upload file has; `fixed`: the same text, or nothing, in each row. */
export const uploadFields = [
  'packetId',
  'customerName',
  'schCode',
  'address',
  'city',
  'state',
  'pinCode',
  'country',
  'phone',
  'contents',
  'copies',
  'weightKg',
  'weightGrams',
  'consignmentNo',
  'packedOn',
  'fixed',
] as const
export type UploadField = (typeof uploadFields)[number]

const uploadColumn = z.strictObject({
  /** The heading that the courier asks for */
  title: text(messages.columnTitleRequired, 60),
  field: z.enum(uploadFields),
  /** The text of a `fixed` column */
  fixed: optionalText(100),
})
export type UploadColumn = z.output<typeof uploadColumn>

/** The columns of the file in which a courier takes orders, in their order; none: it takes no file. */
export const uploadColumns = z.array(uploadColumn).check(z.maxLength(40))

const courier = z.object({
  courierId: z.int(),
  name: z.string(),
  uploadColumns,
  linkTemplate: z.string(),
  active: z.boolean(),
  packets: z.int(),
  version: z.int(),
})
export type OfficeCourier = z.output<typeof courier>

export const officeCouriers = endpoint('GET /api/office/dispatch/couriers', {
  summary: 'The couriers to choose from.',
  answer: z.object({ data: z.array(courier) }),
})

export const courierForm = z.strictObject({
  name: text(messages.courierNameRequired, 80),
  /** https, with {no} for the consignment number; or empty */
  linkTemplate: z.pipe(
    optionalText(200),
    z.string().check(z.regex(/^(https:\/\/[^\s<>"']+)?$/i, messages.courierLinkInvalid)),
  ),
  active: z.boolean(),
  /** Absent: as they are */
  uploadColumns: z.optional(uploadColumns),
})

/** Refuses with dispatch.courier_known, changed_meanwhile, not_found. */
export const saveCourier = endpoint('POST /api/office/dispatch/courier', {
  summary: 'Adds a courier (id 0) or changes one.',
  body: z.extend(courierForm, { courierId: bodyId, version: z.optional(bodyId) }),
  answer: z.object({ courierId: z.int() }),
})

export const fileOutcomes = ['known', 'already', 'unknown', 'unfit', 'unclear'] as const
export type FileOutcome = (typeof fileOutcomes)[number]

const fileRow = z.object({
  row: z.int(),
  packetId: z.nullable(z.int()),
  consignmentNo: z.string(),
  schName: z.string(),
  courierStatus: z.string(),
  to: z.nullable(z.enum(orderStatuses)),
  now: z.nullable(z.enum(orderStatuses)),
  at: z.nullable(z.string()),
  remark: z.string(),
  outcome: z.enum(fileOutcomes),
})
export type CourierFileRow = z.output<typeof fileRow>

/**
 * `known`: will be written; `already`: has this state; `unknown`: no such parcel; `unfit`: not possible from its state;
 * `unclear`: an unknown status, or a row without either number. With `apply` the known ones are written.
 */
export const courierFile = endpoint('POST /api/office/dispatch/courierFile', {
  summary:
    "Reads a courier's file of states (CSV or XLSX, columns in any order): first a preview, then written.",
  query: z.strictObject({ FYear: seasonLabel, apply: z._default(z.enum(['', 'yes']), '') }),
  answer: z.object({
    columns: z.array(z.object({ heading: z.string(), field: z.nullable(z.string()) })),
    counts: z.record(z.string(), z.int()),
    rows: z.array(fileRow),
    /** Rows written; 0 if they were only shown */
    applied: z.int(),
    /** The parcels that have moved, as they are now, for `undoMove` */
    packets: z.array(movedPacket),
  }),
  upload: true,
  bodyLimit: 6 * 1024 * 1024,
})
