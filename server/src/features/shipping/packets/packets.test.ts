import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Endpoint } from '@podium/contract/endpoint'
import { confirmReceipt, getQuestionPaperStatus, trackOrder } from '@podium/contract/shipping/calls'
import { officeDueOfSchool } from '@podium/contract/shipping/calls-orders'
import {
  addressLabels,
  cancelPacket,
  courierFile,
  dispatchPackets,
  exportPackets,
  movePackets,
  officeCouriers,
  officePacket,
  officePackets,
  packingLists,
  resendPacket,
  saveCourier,
  savePacketCourier,
  undoMove,
} from '@podium/contract/shipping/calls-packets'
import { pdfLinePlaces, pdfText } from '#test/archives'
import { aDay, anOfficer, aTeacher, thisSeason } from '#test/factories'
import { takeCsv } from '#test/file-call'
import { changeRows, findRows, valuesOf } from '#test/rows'
import { beforehand, mailsLike, refused, testServer } from '#test/server'
import { aCourier, aPacket, aPaidSchool, packed } from '#test/shipping-factories'
import { momentOf, readFileHead, stepOf } from '../tracking/rules.ts'
import { splitLines } from './rules.ts'

const server = beforehand(() => testServer({ clock: () => aDay }))
const operations = beforehand(() => anOfficer('operations'))
const courier = beforehand(() => aCourier(server, operations))

let number = 0

/** A school with a dispatched parcel of papers that has its own consignment number. */
async function aSentPacket(copies = 2) {
  const world = await aPaidSchool(server, copies)
  const [id = 0] = await packed(server, operations, world.schoolId, { contents: 'papers' })
  const consignmentNo = `NX${++number}T${id}`
  await dispatchPacket(id, { consignmentNo, weightGrams: 1200 })
  return { ...world, id, consignmentNo }
}

const dispatchPacket = (
  id: number,
  more: { consignmentNo?: string; weightGrams?: number } = {},
  by = operations,
) => server.call(dispatchPackets, { body: { ids: [id], courierId: courier.courierId, ...more } }, by)
const move = (ids: number[], to: 'In transit' | 'Delivered' | 'Returned', remark = '') =>
  server.call(movePackets, { body: { ids, to, remark } }, operations)
/** The text of a file to print. */
async function printedText(endpoint: Endpoint, body: object): Promise<string> {
  const { status, bytes } = await server.download(endpoint, body, operations)
  assert.equal(status, 200)
  return pdfText(bytes)
}
const read = (id: number) => server.ask(officePacket, { packetId: String(id) }, operations)
const stateOf = async (id: number) => (await read(id)).packet.status

async function dueOf(schoolId: number) {
  const query = { FYear: thisSeason, contents: 'papers', schoolId: String(schoolId) } as const
  const body = await server.ask(officeDueOfSchool, query, operations)
  return body.data.map(({ wanted, packed: got }) => `${wanted}/${got}`)
}

test('a packing list shows the weight of its parcel, or a blank for it until it is weighed', async () => {
  const { schoolId } = await aPaidSchool(server, 2)
  const [id = 0] = await packed(server, operations, schoolId)
  const list = () => printedText(packingLists, { ids: [id] })
  assert.match(await list(), /Weight, kg/)
  await dispatchPacket(id, { weightGrams: 1250 })
  assert.match(await list(), /Weight 1\.3 kg/)
  assert.doesNotMatch(await list(), /Weight, kg/)
})

test('a dispatched parcel has courier, number and weight, and its school gets one e-mail', async () => {
  const { id, consignmentNo, teacher } = await aSentPacket()
  const { packet, track } = await read(id)
  assert.deepEqual(
    [packet.status, packet.courierName, packet.consignmentNo, packet.weightGrams],
    ['Dispatched', courier.name, consignmentNo, 1200],
  )
  assert.equal(packet.courierLink, `https://courier.example/track?no=${consignmentNo}`)
  assert.deepEqual(valuesOf(track, 'status', 'by'), [
    ['Dispatched', operations.name],
    ['Packed', operations.name],
  ])
  const mails = await findRows('outbox', { key: `packet:${id}:dispatched:${teacher.id}` }, ['key'])
  assert.equal(mails.length, 1)
  await refused('dispatch.wrong_state', dispatchPacket(id))
})

test('a school that reads Hindi is notified of its parcel in Hindi', async () => {
  const { schoolId, teacher } = await aPaidSchool(server, 1)
  await changeRows('users', { id: teacher.id }, { language: 'hi' })
  const [id = 0] = await packed(server, operations, schoolId, { contents: 'papers' })
  await dispatchPacket(id)
  const [mail] = await mailsLike(server, `packet:${id}:dispatched:%`)
  assert.equal(mail?.subject, `पार्सल ${id} आपके विद्यालय के लिए रवाना`)
  assert.match(mail.text, /प्रश्न पत्र/)
  assert.ok(mail.text.includes(`/Importantlink/trackorder?season=${thisSeason}`), mail.text)
})

test("a courier's number belongs to one parcel only", async () => {
  const { consignmentNo } = await aSentPacket()
  const world = await aPaidSchool(server, 2)
  const [one = 0, other = 0] = await packed(server, operations, world.schoolId, {
    contents: 'papers',
    most: 2,
  })
  const taken = await refused('dispatch.number_taken', dispatchPacket(one, { consignmentNo }))
  assert.match(taken.issues?.[0]?.message ?? '', /^Parcel \d+ already has this number\.$/)
  const body = { ids: [one, other], courierId: courier.courierId, consignmentNo: 'NX99' }
  const both = await server.call(dispatchPackets, { body }, operations)
  assert.deepEqual([both.status, both.body.issues?.[0]?.path], [400, 'consignmentNo'])
  assert.equal(await stateOf(one), 'Packed')
})

test('a deactivated courier gets no parcels, and each courier name is unique', async () => {
  const off = await aCourier(server, operations)
  const change = { courierId: off.courierId, name: off.name, linkTemplate: '', active: false, version: 1 }
  await server.ask(saveCourier, change, operations)
  await server.refuses('changed_meanwhile', saveCourier, change, operations)
  const twice = { courierId: 0, name: off.name, linkTemplate: '', active: true }
  await server.refuses('dispatch.courier_known', saveCourier, twice, operations)
  const http = { ...twice, name: 'Other', linkTemplate: 'http://courier.example/{no}' }
  assert.equal((await server.send(saveCourier, { body: http }, operations)).status, 400)
  const [id = 0] = await packed(server, operations, (await aPaidSchool(server, 1)).schoolId)
  const body = { ids: [id], courierId: off.courierId }
  await server.refuses('dispatch.courier_off', dispatchPackets, body, operations)
})

test('parcels whose status allows the step move on, and the others stay', async () => {
  const { id } = await aSentPacket()
  const [waiting = 0] = await packed(server, operations, (await aPaidSchool(server, 1)).schoolId)
  const { body } = await move([id, waiting], 'Delivered', 'Signed for')
  assert.deepEqual([body.moved, body.left], [1, 1])
  assert.deepEqual([await stateOf(id), await stateOf(waiting)], ['Delivered', 'Packed'])
  await refused('dispatch.wrong_state', move([waiting], 'Delivered'))
})

test('a step is undone for the parcels no one has touched since, and the others keep it', async () => {
  const [wrong, returned, confirmed] = [await aSentPacket(), await aSentPacket(), await aSentPacket(1)]
  const ids = [wrong.id, returned.id, confirmed.id]
  const { packets } = (await move(ids, 'Delivered', 'Wrong list')).body
  await move([returned.id], 'Returned')
  const receipt = { PacketId: confirmed.id, counts: [1, 1], remark: '' }
  await server.ask(confirmReceipt, receipt, confirmed.teacher)
  const undo = () => server.call(undoMove, { body: { packets } }, operations)
  const { body } = await undo()
  assert.deepEqual([body.undone, body.left], [1, 2])
  assert.deepEqual(await Promise.all(ids.map(stateOf)), ['Dispatched', 'Returned', 'Delivered'])
  const { trackDetails } = await server.ask(trackOrder, { PacketId: String(wrong.id) }, wrong.teacher)
  assert.deepEqual(
    valuesOf(trackDetails, 'orderStatus'),
    ['Dispatched', 'Packed'],
    'the school does not see the undone step',
  )
  await refused('changed_meanwhile', undo())
  const { version } = (await read(wrong.id)).packet
  const handOver = { body: { packets: [{ packetId: wrong.id, version }] } }
  assert.equal((await server.call(undoMove, handOver, operations)).status, 409, 'its school was notified')
})

test("all steps written by a courier's file are undone together, and no earlier ones", async () => {
  const [twice, once, touched] = [await aSentPacket(), await aSentPacket(), await aSentPacket()]
  await move([once.id], 'In transit')
  const rows = [
    `${twice.consignmentNo},In transit`,
    `${twice.consignmentNo},Delivered`,
    `${once.consignmentNo},Delivered`,
    `${touched.consignmentNo},In transit`,
  ]
  const { packets, applied } = (await upload(['AWB No,Status', ...rows].join('\n'), 'yes')).body
  assert.equal(applied, 4)
  assert.deepEqual(valuesOf(packets, 'steps').sort(), [1, 1, 2])
  await move([touched.id], 'Delivered')
  const body = await server.ask(undoMove, { packets }, operations)
  assert.deepEqual([body.undone, body.left], [2, 1])
  const states = await Promise.all([twice, once, touched].map(({ id }) => stateOf(id)))
  assert.deepEqual(states, ['Dispatched', 'In transit', 'Delivered'])
  const { version } = (await read(once.id)).packet
  const all = { body: { packets: [{ packetId: once.id, version, steps: 500 }] } }
  await server.call(undoMove, all, operations)
  assert.equal(await stateOf(once.id), 'Dispatched', 'its school was notified of the dispatch')
})

test('a returned parcel is sent again once, as a new parcel, and each refers to the other', async () => {
  const { id, schoolId } = await aSentPacket()
  await move([id], 'Returned', 'Closed')
  const { version } = (await read(id)).packet
  const body = { packetId: id, version, remark: 'Open again' }
  const answers = await Promise.all([1, 2].map(() => server.call(resendPacket, { body }, operations)))
  assert.deepEqual(valuesOf(answers, 'status').sort(), [200, 409])
  const made = answers.find(({ status }) => status === 200)?.body.packetId ?? 0
  const [old, fresh] = [await read(id), await read(made)]
  assert.deepEqual([old.packet.resentAs, fresh.packet.resends], [made, id])
  assert.deepEqual(valuesOf(fresh.lines, 'quantity'), valuesOf(old.lines, 'quantity'))
  assert.deepEqual(await dueOf(schoolId), ['2/2', '2/2'], 'nothing is due, and nothing counted twice')
})

test('an unpacked parcel makes its contents due again, and a parcel on its way cannot be unpacked', async () => {
  const { id, schoolId } = await aSentPacket()
  const body = { packetId: id, version: (await read(id)).packet.version, remark: 'Wrong class' }
  await server.refuses('dispatch.wrong_state', cancelPacket, body, operations)
  await move([id], 'Returned')
  const { version } = (await read(id)).packet
  await server.ask(cancelPacket, { ...body, version }, operations)
  assert.deepEqual(await dueOf(schoolId), ['2/0', '2/0'])
  const labels = await server.post(addressLabels, { ids: [id] }, operations)
  assert.equal(labels.status, 409, 'no label for a parcel that no longer exists')
})

const asFile = (text: string) => ({ name: 'courier.csv', bytes: new TextEncoder().encode(text) })
const upload = (text: string, apply?: 'yes') =>
  server.call(
    courierFile,
    { query: { FYear: thisSeason, ...(apply ? { apply } : {}) } },
    { token: operations.token, file: asFile(text) },
  )

test("a courier's file with columns in any order is previewed first and saved on confirmation", async () => {
  const [first, second] = [await aSentPacket(), await aSentPacket()]
  await move([second.id], 'Delivered')
  const text = [
    'Remarks,Current Status,Date,AWB No,Zone',
    `Gate,DELIVERED,20/11/2026 14:30,${first.consignmentNo},N`,
    `,Delivered,20/11/2026,${second.consignmentNo},N`,
    ',Delivered,20/11/2026,NOBODY1,N',
    `,Lost in the post,20/11/2026,${second.consignmentNo},N`,
  ].join('\n')
  const shown = await upload(text)
  assert.deepEqual(shown.body.counts, { known: 1, already: 1, unknown: 1, unfit: 0, unclear: 1 })
  assert.equal(shown.body.applied, 0)
  assert.equal(await stateOf(first.id), 'Dispatched', 'nothing is saved before the preview')
  const written = await upload(text, 'yes')
  assert.equal(written.body.applied, 1)
  const { packet, track } = await read(first.id)
  assert.deepEqual([packet.status, track[0]?.remarks], ['Delivered', 'Gate'])
  assert.equal((await upload(text, 'yes')).body.counts.already, 2, 'the same file twice changes nothing')
})

test("a courier's file adds the number of a parcel dispatched without one", async () => {
  const [id = 0] = await packed(server, operations, (await aPaidSchool(server, 1)).schoolId)
  await dispatchPacket(id)
  await upload(`Packet Id,Docket No,Status\n${id},DK${id},In Transit\n`, 'yes')
  const { packet } = await read(id)
  assert.deepEqual([packet.status, packet.consignmentNo], ['In transit', `DK${id}`])
})

test('the exported file of parcels describes their contents in words, and a courier can return it', async () => {
  const { consignmentNo } = await aSentPacket()
  const filters = { FYear: thisSeason, search: consignmentNo }
  const { status, lines } = await takeCsv(server, exportPackets, filters, operations)
  assert.equal(status, 200)
  const [titles = '', line = ''] = lines
  assert.equal(line.split(',')[titles.split(',').indexOf('Contents')], 'Question papers')
  // The State of the address comes before the Status of the parcel.
  const returned = await upload(`${titles}\n${line.replace('Dispatched', 'Delivered')}\n`)
  assert.equal(returned.body.counts.known, 1)
})

test("parcels are exported in the columns of a courier's upload file; a courier without columns is refused", async () => {
  const { courierId, name } = await aCourier(server, operations)
  const { id, consignmentNo } = await aSentPacket()
  const { packet } = await read(id)
  const filters = { FYear: thisSeason, search: consignmentNo, forCourier: courierId }
  const take = () => takeCsv(server, exportPackets, filters, operations)
  const { status, text } = await take()
  assert.deepEqual([status, text.includes('dispatch.no_columns')], [409, true])
  const uploadColumns = [
    { title: 'PIN', field: 'pinCode' as const, fixed: '' },
    { title: 'Consignee', field: 'customerName' as const, fixed: '' },
    { title: 'Service', field: 'fixed' as const, fixed: 'Surface' },
    { title: 'Ref. No', field: 'packetId' as const, fixed: '' },
    { title: 'COD', field: 'fixed' as const, fixed: '' },
    { title: 'Kg', field: 'weightKg' as const, fixed: '' },
  ]
  const facts = { courierId, name, linkTemplate: '', active: true }
  const untitled = [{ title: ' ', field: 'pinCode', fixed: '' }]
  const wrong = await server.send(
    saveCourier,
    { body: { ...facts, uploadColumns: untitled, version: 1 } },
    operations,
  )
  assert.equal(wrong.body.issues?.[0]?.path, 'uploadColumns.0.title')
  await server.ask(saveCourier, { ...facts, uploadColumns, version: 1 }, operations)
  // Who changes only the name keeps the columns.
  await server.ask(saveCourier, { ...facts, version: 2 }, operations)
  const couriers = (await server.ask(officeCouriers, {}, operations)).data
  assert.deepEqual(couriers.find((row) => row.courierId === courierId)?.uploadColumns, uploadColumns)
  assert.deepEqual((await take()).lines, [
    'PIN,Consignee,Service,Ref. No,COD,Kg',
    `${packet.pincode},${packet.customerName},Surface,${id},,1.2`,
  ])
})

test("a role that only reads parcels exports their list, but no courier's file, label or packing list: they have addresses and phones", async () => {
  const { id } = await aSentPacket()
  const { courierId, name } = await aCourier(server, operations)
  const uploadColumns = [{ title: 'Phone', field: 'phone', fixed: '' }] as const
  const facts = { courierId, name, linkTemplate: '', active: true, version: 1 }
  await server.ask(saveCourier, { ...facts, uploadColumns: [...uploadColumns] }, operations)
  for (const role of ['viewer', 'accounts'] as const) {
    const officer = await anOfficer(role)
    const take = (forCourier: number) =>
      takeCsv(server, exportPackets, { FYear: thisSeason, forCourier }, officer)
    assert.deepEqual([(await take(0)).status, (await take(courierId)).status], [200, 403])
    for (const papers of [addressLabels, packingLists])
      assert.equal((await server.download(papers, { ids: [id] }, officer)).status, 403)
  }
})

test("a courier's file without a status is refused", async () => {
  await refused('dispatch.no_heads', upload('AWB No,Date\nNX1,20/11/2026\n'))
})

test('the school counts the contents and confirms them once, and the office sees the differences', async () => {
  const { id, teacher } = await aSentPacket(3)
  const query = { PacketId: String(id) }
  const way = await server.ask(trackOrder, query, teacher)
  assert.deepEqual(valuesOf(way.lines, 'subjectName', 'quantity'), [
    ['Mathematics', 3],
    ['Science', 3],
  ])
  assert.equal(way.can.confirm, true)
  const body = { PacketId: id, counts: [3, 2], remark: 'One is torn' }
  await server.refuses('dispatch.counts_missing', confirmReceipt, { ...body, counts: [3] }, teacher)
  const answers = await Promise.all([1, 2].map(() => server.call(confirmReceipt, { body }, teacher)))
  assert.deepEqual(valuesOf(answers, 'status').sort(), [200, 409])
  const { packet, receipt, lines } = await read(id)
  assert.deepEqual([packet.status, packet.differs, receipt?.remark], ['Delivered', true, 'One is torn'])
  assert.deepEqual(valuesOf(lines, 'received'), [3, 2])
  const papers = await server.ask(getQuestionPaperStatus, { FYear: thisSeason }, teacher)
  assert.equal(papers.data?.[0]?.confirmed, true)
  const listed = async (query: object) => {
    const body = await server.ask(officePackets, { FYear: thisSeason, ...query }, operations)
    return { ids: body.data.map(({ packetId }) => packetId), total: body.total, counts: body.counts }
  }
  assert.deepEqual((await listed({ mark: 'differs', search: String(id) })).ids, [id])
  const [search, state] = [packet.schCode, packet.state]
  const one = await listed({ search, state, status: 'Delivered' })
  assert.deepEqual(one, { ids: [id], total: 1, counts: { Delivered: 1 } })
  assert.deepEqual(await listed({ search, state, page: '2' }), { ...one, ids: [] })
  assert.deepEqual((await listed({ search, state: 'Nowhere' })).ids, [])
  assert.equal((await move([id], 'Returned')).status, 409, 'a received parcel cannot be returned')
})

test('a parcel that is not on its way cannot be confirmed, nor by another school', async () => {
  const world = await aPaidSchool(server, 1)
  const [id = 0] = await packed(server, operations, world.schoolId)
  const body = { PacketId: id, counts: [1], remark: '' }
  await server.refuses('dispatch.not_sent', confirmReceipt, body, world.teacher)
  await dispatchPacket(id)
  const foreign = await server.call(confirmReceipt, { body }, await aTeacher())
  assert.equal(foreign.status, 404)
})

test('courier details are corrected only over the latest status', async () => {
  const { id } = await aSentPacket()
  const { version } = (await read(id)).packet
  const body = {
    packetId: id,
    version,
    courierId: courier.courierId,
    consignmentNo: `C${id}`,
    weightGrams: 900,
  }
  await server.ask(savePacketCourier, body, operations)
  await server.refuses('changed_meanwhile', savePacketCourier, body, operations)
  const { packet } = await read(id)
  assert.deepEqual([packet.consignmentNo, packet.weightGrams], [`C${id}`, 900])
})

test('labels show the address, the pin code and the packet', async () => {
  const teacher = await aTeacher()
  const id = await aPacket(teacher)
  const text = await printedText(addressLabels, { ids: [id], first: 3 })
  for (const expected of ['Udaharan School', 'PIN 560001', `Parcel ${id}`])
    assert.ok(text.includes(expected), expected)
})

test('a parcel is not dispatched to an address that its school has left since: its label is printed again first', async () => {
  const { schoolId } = await aPaidSchool(server, 1)
  const [id = 0] = await packed(server, operations, schoolId)
  const [sent = 0] = await packed(server, operations, schoolId, { contents: 'papers' })
  await dispatchPacket(sent)
  await changeRows('schools', { id: schoolId }, { address: '9 Nayi Sadak', pin_code: '560099' })
  assert.equal((await read(id)).can.dispatch, 'dispatch.address_changed')
  await refused('dispatch.address_changed', dispatchPacket(id))
  await printedText(packingLists, { ids: [id] })
  await refused('dispatch.address_changed', dispatchPacket(id))
  const label = await printedText(addressLabels, { ids: [id, sent] })
  assert.match(label, /9 Nayi Sadak/)
  assert.equal((await read(id)).packet.pincode, '560099')
  assert.notEqual((await read(sent)).packet.pincode, '560099', 'it is on its way to the old address')
  const [line] = await findRows('audit', { action: 'packet.readdressed', subject_id: String(id) }, ['change'])
  assert.deepEqual((line?.change as { to: object } | undefined)?.to, {
    address: '9 Nayi Sadak',
    pin_code: '560099',
  })
  await dispatchPacket(id)
  assert.equal(await stateOf(id), 'Dispatched')
})

test('a parcel with more books than are paid now is not dispatched: unpacked, only the paid ones are due', async () => {
  const { schoolId, students } = await aPaidSchool(server, 3)
  const [id = 0] = await packed(server, operations, schoolId)
  await changeRows('students', { id: students[0]?.id ?? 0 }, { active: false })
  const { packet, can } = await read(id)
  assert.equal(can.dispatch, 'dispatch.unpaid')
  await refused('dispatch.unpaid', dispatchPacket(id))
  const again = { packetId: id, version: packet.version, remark: 'One has left' }
  await server.ask(cancelPacket, again, operations)
  const [right = 0] = await packed(server, operations, schoolId)
  assert.equal((await read(right)).packet.copies, 2)
  await dispatchPacket(right)
})

test('on a label, nothing of a long name and address is printed over something else', async () => {
  const id = await aPacket(await aTeacher())
  const address =
    'Survey No. 45/2, Namuna Nagar 3rd Cross Road, Opposite the Old Sample Temple Tank, '.repeat(2)
  const name = 'Tiruvalluvar Udaharanam Matriculation Higher Secondary School and Junior College'
  await changeRows('packets', { id }, { customer_name: name, address })
  const lines = pdfLinePlaces((await server.download(addressLabels, { ids: [id] }, operations)).bytes)
  assert.ok(lines.length >= 9, JSON.stringify(lines))
  for (const [index, line] of lines.slice(1).entries())
    assert.ok(line.top >= (lines[index]?.bottom ?? 0), `${lines[index]?.text} / ${line.text}`)
})

test("a courier's words for a status are understood, whatever text is around them", () => {
  const cases = [
    ['Delivered', 'Delivered'],
    ['UNDELIVERED - door locked', 'In transit'],
    ['Undelivered, returned to origin', 'Returned'],
    ['Received at destination hub', 'In transit'],
    ['Received by the office', 'Delivered'],
    ['RTO Initiated', 'Returned'],
    ['Out For Delivery', 'In transit'],
    ['In-Transit to hub', 'In transit'],
    ['Shipment booked', 'In transit'],
    ['Lost', undefined],
    ['', undefined],
  ] as const
  for (const [text, step] of cases) assert.equal(stepOf(text), step, text)
})

test("a courier's dates are read as days in India", () => {
  const cases = [
    ['2026-11-20', '2026-11-20T06:30:00.000Z'],
    ['20/11/2026 14:30', '2026-11-20T09:00:00.000Z'],
    ['20-Nov-2026 02:30 PM', '2026-11-20T09:00:00.000Z'],
    ['20.11.26', '2026-11-20T06:30:00.000Z'],
    ['31/02/2026', undefined],
    ['yesterday', undefined],
  ] as const
  for (const [text, at] of cases) assert.equal(momentOf(text)?.toISOString(), at, text)
})

test('a header row needs a status and a number, and takes the first column of each kind', () => {
  assert.equal(readFileHead(['Status', 'Date']), undefined)
  assert.deepEqual(
    readFileHead(['Packet ID', 'Status', 'Status'])?.map(({ field }) => field),
    ['packet', 'status', null],
  )
})

test('splitting a parcel loses nothing, and no part is too large', () => {
  const lines = [5, 1, 7].map((quantity, index) => ({
    eventId: index,
    classId: 7,
    kind: 'paper' as const,
    quantity,
    spare: index === 2 ? 2 : 0,
  }))
  const parcels = splitLines(lines, 4)
  assert.deepEqual(
    parcels.map((parcel) => parcel.map(({ eventId, quantity }) => [eventId, quantity])),
    [
      [[0, 4]],
      [
        [0, 1],
        [1, 1],
        [2, 2],
      ],
      [[2, 4]],
      [[2, 1]],
    ],
  )
  assert.deepEqual(splitLines(lines, 0), [lines])
  const spares = parcels.map((parcel) => parcel.map(({ spare }) => spare))
  assert.deepEqual(spares, [[0], [0, 0, 0], [1], [1]], 'spare papers are packed last')
})
