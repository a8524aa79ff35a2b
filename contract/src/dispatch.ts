import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { queryId, seasonLabel } from './fields.ts'

/** Parcels to a school: books, awards and question papers, with their way (specification, sections 2.13, 3, 7). */

export const packetContents = ['books', 'papers', 'awards'] as const
export const orderStatuses = ['Packed', 'Dispatched', 'In transit', 'Delivered', 'Returned'] as const

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
  /** The instant in UTC; screens show it in the +0530 zone */
  creationDate: z.string(),
  /** The newest line of the track */
  orderStatus: z.enum(orderStatuses),
})
export type Packet = z.output<typeof packet>

const ofSeason = z.strictObject({ SchId: z.optional(queryId), FYear: seasonLabel })

export const getOrder = endpoint({
  method: 'GET',
  path: '/api/ManageBook/GetOrder',
  summary: "A school's parcels of books and awards in a season, the newest first.",
  query: ofSeason,
  answer: z.object({ data: z.array(packet) }),
})

export const getQuestionPaperStatus = endpoint({
  method: 'GET',
  path: '/api/ManageBook/Get_QuestionPaperStatus',
  summary: "A school's parcels of question papers in a season; null where there are none.",
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
  /** Where the courier shows the parcel: an https address, or empty */
  courierLink: z.string(),
})
export type Courier = z.output<typeof courier>

export const trackOrder = endpoint({
  method: 'GET',
  path: '/api/ManageBook/TrackOrder',
  summary: 'The way of a parcel, the newest line first, and its courier: null until it is handed over.',
  query: z.strictObject({ PacketId: queryId }),
  answer: z.object({ trackDetails: z.array(trackLine), courierDetails: z.nullable(courier) }),
})
