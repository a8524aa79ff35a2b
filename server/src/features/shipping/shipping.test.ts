import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { getOrder, getQuestionPaperStatus, trackOrder } from '@podium/contract/shipping/calls'
import { aDay, aTeacher, season, thisSeason } from '../../../test/factories.ts'
import { type TestServer, testServer } from '../../../test/server.ts'
import { aPacket } from '../../../test/shipping-factories.ts'
import { safeLink } from './queries.ts'

let server: TestServer
before(async () => {
  server = await testServer({ clock: () => aDay })
})

type Teacher = Awaited<ReturnType<typeof aTeacher>>

const ordersOf = async (teacher: Teacher, FYear: string = thisSeason) =>
  (await server.call(getOrder, { query: { FYear } }, teacher)).body.data
const papersOf = async (teacher: Teacher) =>
  (await server.call(getQuestionPaperStatus, { query: { FYear: thisSeason } }, teacher)).body.data

test('an order says where it goes, when it was packed and where it is now [spec 2.13.8 7.20]', async () => {
  const teacher = await aTeacher()
  const packetId = await aPacket({ ...teacher, way: ['Packed', 'Dispatched', 'In transit'] })
  assert.deepEqual(await ordersOf(teacher), [
    {
      packetId,
      contents: 'books',
      customerName: 'Udaharan School',
      address: '1 Namuna Road',
      city: 'Kalpanagar',
      state: 'Karnataka',
      country: 'India',
      pincode: '560001',
      phoneNo: '9000000000',
      creationDate: '2026-11-21T06:00:00.000Z',
      orderStatus: 'In transit',
      confirmed: false,
    },
  ])
})

test('a school with several parcels sees the newest first, books and awards, each season for itself', async () => {
  const teacher = await aTeacher()
  const older = await aPacket({ ...teacher, createdAt: new Date('2026-10-01T06:00:00Z') })
  const newer = await aPacket({ ...teacher, contents: 'awards' })
  await aPacket({ ...teacher, contents: 'papers' })
  const past = await aPacket({ ...teacher, season: season('2025-26') })
  const idsOf = async (FYear: string) => (await ordersOf(teacher, FYear)).map(({ packetId }) => packetId)
  assert.deepEqual(await idsOf(thisSeason), [newer, older])
  assert.deepEqual(await idsOf('2025-26'), [past])
})

test('question papers are a list of their own, null while nothing was packed [spec 2.13.9 7.22]', async () => {
  const teacher = await aTeacher()
  await aPacket(teacher)
  assert.equal(await papersOf(teacher), null)
  const packetId = await aPacket({ ...teacher, contents: 'papers' })
  assert.deepEqual(
    (await papersOf(teacher))?.map((packet) => [packet.packetId, packet.contents]),
    [[packetId, 'papers']],
  )
})

test('the track of a parcel gives its courier and every step, the newest first [spec 2.13.8 7.21]', async () => {
  const teacher = await aTeacher()
  const PacketId = String(await aPacket(teacher))
  const { body } = await server.call(trackOrder, { query: { PacketId } }, teacher)
  assert.deepEqual(body.courierDetails, {
    courierName: 'Namuna Express',
    consignmentNo: 'NX0417',
    courierLink: 'https://courier.example/track/NX0417',
  })
  assert.deepEqual(body.trackDetails, [
    {
      orderStatus: 'Dispatched',
      remarks: 'Dispatched at the depot',
      creationDate: '2026-11-21T07:00:00.000Z',
    },
    { orderStatus: 'Packed', remarks: 'Packed at the depot', creationDate: '2026-11-21T06:00:00.000Z' },
  ])
})

test('a parcel that no courier has yet has no courier details [spec 7.21]', async () => {
  const teacher = await aTeacher()
  const PacketId = String(await aPacket({ ...teacher, courierName: '', way: ['Packed'] }))
  const { body } = await server.call(trackOrder, { query: { PacketId } }, teacher)
  assert.equal(body.courierDetails, null)
})

test('a courier link that is not https reaches no school', async () => {
  const teacher = await aTeacher()
  const PacketId = String(await aPacket({ ...teacher, courierLink: 'javascript:alert(1)' }))
  const { body } = await server.call(trackOrder, { query: { PacketId } }, teacher)
  assert.equal(body.courierDetails?.courierLink, '')
})

for (const [typed, shown] of [
  ['https://courier.example/t?id=1', 'https://courier.example/t?id=1'],
  ['http://courier.example/t', ''],
  ['JavaScript:alert(1)', ''],
  ['data:text/html,x', ''],
  ['courier.example', ''],
  ['', ''],
] as const) {
  test(`the courier link «${typed}» is shown as «${shown}»`, () => assert.equal(safeLink(typed), shown))
}

test('another school sees no parcel, and its track is as if it were not there', async () => {
  const owner = await aTeacher()
  const PacketId = String(await aPacket({ ...owner, contents: 'papers' }))
  await aPacket(owner)
  const stranger = await aTeacher()
  assert.deepEqual([await ordersOf(stranger), await papersOf(stranger)], [[], null])
  const foreign = await server.send(trackOrder, { query: { PacketId } }, stranger)
  const missing = await server.send(trackOrder, { query: { PacketId: '999999999' } }, stranger)
  assert.equal(foreign.status, 404)
  assert.deepEqual(foreign.body, missing.body)
})

test('a packet id that is no number and a year that is no season are refused', async () => {
  const teacher = await aTeacher()
  const odd = await server.send(trackOrder, { query: { PacketId: "1' or '1" } }, teacher)
  const year = await server.send(getOrder, { query: { FYear: '2026-28' } }, teacher)
  assert.deepEqual([odd.status, year.status], [400, 400])
})
