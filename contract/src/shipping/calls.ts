import * as z from 'zod/mini'
import { allowance, endpoint } from '../endpoint.ts'
import { bodyId, olympiad, optionalText, queryId, seasonLabel } from '../fields.ts'
import { messages } from '../messages.ts'

/** Parcels to a school: books, awards and question papers, with their tracking (specification, sections 2.13, 3, 7). */

export const packetContents = ['books', 'papers', 'awards'] as const
/** `Cancelled`: unpacked before it reached the school; its contents go into another parcel. */
export const orderStatuses = [
  'Packed',
  'Dispatched',
  'In transit',
  'Delivered',
  'Returned',
  'Cancelled',
] as const
export type OrderStatus = (typeof orderStatuses)[number]

/** Copies of one book, or question papers, for one class in a parcel. */
export const packetLine = z.object({
  eventYearId: z.int(),
  ...olympiad,
  classId: z.int(),
  className: z.string(),
  /** `cb` …, or `paper` */
  kind: z.string(),
  /** The name of the kind of book, or `Question paper` */
  bookCategory: z.string(),
  quantity: z.int(),
  /** Spare question papers, included in the quantity */
  spare: z.int(),
  /** As counted by the school when it confirmed the receipt; null before */
  received: z.nullable(z.int()),
})
export type PacketLine = z.output<typeof packetLine>

/** An award for one student in a parcel. */
export const packetAward = z.object({
  eventYearId: z.int(),
  ...olympiad,
  classId: z.int(),
  className: z.string(),
  section: z.string(),
  rollNo: z.int(),
  studentName: z.string(),
  /** `gold` … `certificate` */
  kind: z.string(),
  /** `Gold medal`, the message of a prize, the title of an award */
  title: z.string(),
  /** No longer this student's, because the results were corrected */
  gone: z.boolean(),
})
export type PacketAward = z.output<typeof packetAward>

/** Up to this number, certificates in a parcel are listed by student; more are only counted by class. */
export const maxNamedCertificates = 60

export const packetReceipt = z.object({
  confirmedBy: z.string(),
  confirmedAt: z.string(),
  /** Counted differently from the packing list */
  differs: z.boolean(),
  remark: z.string(),
})
export type PacketReceipt = z.output<typeof packetReceipt>

const packet = z.object({
  packetId: z.int(),
  contents: z.enum(packetContents),
  customerName: z.string(),
  address: z.string(),
  city: z.string(),
  state: z.string(),
  country: z.string(),
  pincode: z.string(),
  phoneNo: z.string(),
  /** An instant in UTC; screens show it in IST (+0530) */
  creationDate: z.string(),
  /** The newest tracking entry */
  orderStatus: z.enum(orderStatuses),
  /** Whether the school has confirmed its arrival */
  confirmed: z.boolean(),
})
export type Packet = z.output<typeof packet>

const ofSeason = z.strictObject({ SchId: z.optional(queryId), FYear: seasonLabel })

export const getOrder = endpoint('GET /api/ManageBook/GetOrder', {
  summary: "A school's parcels of books and awards in a season, newest first.",
  query: ofSeason,
  answer: z.object({ data: z.array(packet) }),
})

export const getQuestionPaperStatus = endpoint('GET /api/ManageBook/Get_QuestionPaperStatus', {
  summary: "A school's parcels of question papers in a season; null if there are none.",
  query: ofSeason,
  answer: z.object({ data: z.nullable(z.array(packet)) }),
})

const trackLine = z.object({
  orderStatus: z.enum(orderStatuses),
  remarks: z.string(),
  creationDate: z.string(),
})
export type TrackLine = z.output<typeof trackLine>

const courier = z.object({
  courierName: z.string(),
  consignmentNo: z.string(),
  /** Address of the courier's tracking page: https, or empty */
  courierLink: z.string(),
})
export type Courier = z.output<typeof courier>

export const trackOrder = endpoint('GET /api/ManageBook/TrackOrder', {
  summary: 'The tracking of a parcel, newest first, and its courier, null until it is dispatched.',
  query: z.strictObject({ PacketId: queryId }),
  answer: z.object({
    trackDetails: z.array(trackLine),
    courierDetails: z.nullable(courier),
    /** Empty if the parcel has no packing list */
    lines: z.array(packetLine),
    /** For a parcel of awards: the students */
    awards: z.array(packetAward),
    /** Null until it is weighed */
    weightGrams: z.nullable(z.int()),
    /** The returned parcel whose contents this one resends, and the parcel that resends this one's */
    resends: z.nullable(z.int()),
    resentAs: z.nullable(z.int()),
    receipt: z.nullable(packetReceipt),
    can: z.object({ confirm: allowance }),
  }),
})

/** Refuses with not_found, dispatch.not_sent, dispatch.confirmed; a missing count is an issue at its field. */
export const confirmReceipt = endpoint('POST /api/ManageBook/ConfirmReceipt', {
  summary: 'A school confirms that a parcel has arrived, with its count of each line.',
  body: z.strictObject({
    PacketId: bodyId,
    /** One count for each line of the parcel, in order */
    counts: z
      .array(
        z
          .int(messages.countRequired)
          .check(z.minimum(0, messages.countRequired), z.maximum(9999, messages.countRequired)),
      )
      .check(z.maxLength(1000)),
    remark: optionalText(500),
  }),
  answer: z.object({ differs: z.boolean() }),
})
