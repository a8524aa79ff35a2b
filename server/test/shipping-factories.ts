import type { BodyOf } from '@podium/contract/endpoint'
import { savePayment } from '@podium/contract/payments/calls'
import { verifyPayment } from '@podium/contract/payments/calls-verification'
import type { Season } from '@podium/contract/season'
import type { orderStatuses, Packet } from '@podium/contract/shipping/calls'
import { packSchool } from '@podium/contract/shipping/calls-orders'
import { saveCourier } from '@podium/contract/shipping/calls-packets'
import { aDay, anOfficer, aSeason, aTeacher, thisSeason } from './factories.ts'
import { aFoundation, aSubmission } from './payments-factories.ts'
import { addRow, addRows, changeRows } from './rows.ts'
import type { TestServer } from './server.ts'
import { anEnteredStudent } from './students-factories.ts'

interface PacketTraits {
  schoolId: number
  season?: Season
  contents?: Packet['contents']
  courierName?: string
  courierLink?: string
  createdAt?: Date
  /** The statuses of its tracking, an hour apart */
  way?: readonly (typeof orderStatuses)[number][]
}

/** Creates a parcel to a school, packed on `aDay` by default. Returns its id. */
export async function aPacket(traits: PacketTraits): Promise<number> {
  const season = await aSeason(traits.season ?? thisSeason)
  const { createdAt = aDay, way = ['Packed', 'Dispatched'] } = traits
  const { id } = await addRow('packets', {
    school_id: traits.schoolId,
    season,
    contents: traits.contents ?? 'books',
    customer_name: 'Udaharan School',
    address: '1 Namuna Road',
    city: 'Kalpanagar',
    state: 'Karnataka',
    country: 'India',
    pin_code: '560001',
    phone: '9000000000',
    courier_name: traits.courierName ?? 'Namuna Express',
    consignment_no: 'NX0417',
    courier_link: traits.courierLink ?? 'https://courier.example/track/NX0417',
    created_at: createdAt,
    status: way.at(-1) ?? 'Packed',
  })
  const lines = way.map((status, hour) => ({
    packet_id: id,
    status,
    remarks: `${status} at the depot`,
    at: new Date(createdAt.getTime() + hour * 3_600_000),
  }))
  if (lines.length > 0) await addRows('packet_track', lines)
  return id
}

/**
 * Creates a school with this many students in Class 7, in Mathematics and Science, each with the Comprehensive Book of
 * Mathematics: entered, sent and verified by calls. As many books, and papers of each subject, are to be shipped.
 */
export async function aPaidSchool(server: TestServer, students = 3) {
  await aFoundation()
  const teacher = await aTeacher()
  await changeRows('users', { id: teacher.id }, { coordinator: true })
  const entered = []
  for (let n = 0; n < students; n++) entered.push(await anEnteredStudent(server, teacher))
  const accounts = await anOfficer('accounts')
  for (const kind of ['Registration Fee', 'Book Fee'] as const) {
    const submission = await aSubmission(server, teacher.token, kind)
    const body = await server.ask(savePayment, submission, teacher)
    const decided = await server.call(verifyPayment, { body: { id: body.id, version: 1 } }, accounts)
    if (decided.status !== 200) throw new Error(`not verified: ${JSON.stringify(decided.body)}`)
  }
  return { teacher, schoolId: teacher.schoolId, students: entered }
}

/** Packs everything to be shipped to a school and returns the parcels' ids. */
export async function packed(
  server: TestServer,
  officer: { token: string },
  schoolId: number,
  body: Partial<BodyOf<typeof packSchool>> = {},
): Promise<number[]> {
  const all = { FYear: thisSeason, contents: 'books', schoolId, most: 0, ...body } as const
  const answer = await server.call(packSchool, { body: all }, officer)
  if (answer.status !== 200) throw new Error(`not packed: ${JSON.stringify(answer.body)}`)
  return answer.body.packetIds
}

let couriers = 0

/** Creates a courier of the office, with a tracking page. */
export async function aCourier(server: TestServer, officer: { token: string }) {
  const name = `Namuna Express ${++couriers}`
  const body = { courierId: 0, name, linkTemplate: 'https://courier.example/track?no={no}', active: true }
  const answer = await server.ask(saveCourier, body, officer)
  return { courierId: answer.courierId, name }
}
