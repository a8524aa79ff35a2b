import assert from 'node:assert/strict'
import { test } from 'node:test'
import { savePayment } from '@podium/contract/payments/calls'
import { verifyPayment } from '@podium/contract/payments/calls-verification'
import { getOrder, getQuestionPaperStatus, trackOrder } from '@podium/contract/shipping/calls'
import {
  dispatchJobState,
  exportDue,
  officeDue,
  officeDueItems,
  officeDueOfSchool,
  packAll,
  packSchool,
  undoPacking,
} from '@podium/contract/shipping/calls-orders'
import { dispatchPackets, officePackets, packingLists } from '@podium/contract/shipping/calls-packets'
import { correctStudent, moveStudent } from '@podium/contract/students/calls-register'
import { sql } from 'kysely'
import { pdfText } from '#test/archives'
import { aDay, anOfficer, aSchool, aTeacher, eventOf, schoolCode, season, thisSeason } from '#test/factories'
import { auditLines, newestChange, takeCsv } from '#test/file-call'
import { aFoundation, anOrderedBook, aSubmission } from '#test/payments-factories'
import { findRow, findRows, valuesOf } from '#test/rows'
import { beforehand, refused, testServer } from '#test/server'
import { aCourier, aPacket, aPaidSchool, packed } from '#test/shipping-factories'
import { anEnteredStudent, aSeasonOfItsOwn } from '#test/students-factories'
import { safeLink } from '../queries.ts'

const server = beforehand(() => testServer({ clock: () => aDay }))
const operations = beforehand(() => anOfficer('operations'))

type World = Awaited<ReturnType<typeof aPaidSchool>>

/** What the school must get by line: `M 7 cb 3/0` for three wanted and none packed. */
async function dueOf({ schoolId }: Pick<World, 'schoolId'>, contents: 'books' | 'papers' = 'books') {
  const query = { FYear: thisSeason, contents, schoolId: String(schoolId) }
  const body = await server.ask(officeDueOfSchool, query, operations)
  return body.data.map(
    (line) => `${line.eventLetter} ${line.classId} ${line.kind} ${line.wanted}/${line.packed}`,
  )
}

test('books are due once their payment is verified, papers of offline subjects once the student is paid', async () => {
  const world = await aPaidSchool(server, 3)
  assert.deepEqual(await dueOf(world), ['M 7 cb 3/0'])
  assert.deepEqual(await dueOf(world, 'papers'), ['M 7 paper 3/0', 'S 7 paper 3/0'])
  await anEnteredStudent(server, world.teacher)
  assert.deepEqual(await dueOf(world), ['M 7 cb 3/0'], 'a book that is not paid is not due')
})

test('books that are paid for before the fee go along when the student is corrected to another class, or moved', async () => {
  await aFoundation()
  const [from, to] = [await aTeacher({ coordinator: true }), await aTeacher()]
  const { id } = await anEnteredStudent(server, from)
  const sent = await server.ask(savePayment, await aSubmission(server, from.token, 'Book Fee'), from)
  await server.ask(verifyPayment, { id: sent.id, version: 1 }, await anOfficer('accounts'))
  assert.deepEqual(await dueOf(from), ['M 7 cb 1/0'])
  const owner = await anOfficer('owner')
  const version = async () => (await findRow('students', { id }, ['version'])).version
  const parents = { parentName: '', parentEmailId: '', parentMobileNo: '' }
  const place = { section: 'A', rollno: id, reason: 'Asked for' }
  const corrected = { classId: 8, studentName: 'Ira Misaal', ...parents, ...place }
  await server.ask(correctStudent, { id, version: await version(), ...corrected }, owner)
  assert.deepEqual(await dueOf(from), ['M 8 cb 1/0'])
  const schCode = await schoolCode(to.schoolId)
  await server.ask(moveStudent, { id, version: await version(), schCode, ...place }, owner)
  assert.deepEqual([await dueOf(from), await dueOf(to)], [[], ['M 8 cb 1/0']])
})

test("paid copies of a library order are due next to the students' copies", async () => {
  const world = await aPaidSchool(server, 1)
  await anOrderedBook(server, world.teacher, { quantity: 10 })
  assert.deepEqual(await dueOf(world), ['M 7 cb 1/0'])
  const submission = await aSubmission(server, world.teacher.token, 'Library Book Fee')
  const sent = await server.ask(savePayment, submission, world.teacher)
  const accounts = await anOfficer('accounts')
  await server.ask(verifyPayment, { id: sent.id, version: 1 }, accounts)
  assert.deepEqual(await dueOf(world), ['M 7 cb 11/0'])
})

test('the list of due schools is filtered by words, subject and kind, and its totals add up', async () => {
  const world = await aPaidSchool(server, 2)
  const search = await schoolCode(world.schoolId)
  const query = { FYear: thisSeason, contents: 'books', search } as const
  const body = await server.ask(officeDue, query, operations)
  assert.deepEqual(valuesOf(body.data, 'schCode', 'wanted', 'packed', 'due'), [[search, 2, 0, 2]])
  assert.deepEqual(body.sums, { schools: 1, wanted: 2, packed: 0, due: 2, spare: 0, extra: 0 })
  assert.equal(body.counting, 0)
  const science = await server.ask(officeDue, { ...query, letter: 'S' }, operations)
  assert.equal(science.total, 0)
  const items = await server.ask(officeDueItems, { ...query, contents: 'papers' }, operations)
  assert.deepEqual(valuesOf(items.data, 'eventLetter', 'bookCategory', 'due'), [
    ['M', 'Question paper', 2],
    ['S', 'Question paper', 2],
  ])
  const file = await auditLines(['id'], { action: 'dispatch.due_exported' })
  const [titles, line, ...more] = (await takeCsv(server, exportDue, query, operations)).lines
  assert.match(titles ?? '', /,Item,Paid,Spares,Packed,To pack,No longer correct$/)
  assert.match(line ?? '', new RegExp(`^${search},.*Mathematics,Class 7,Comprehensive Book,2,0,0,2,0$`))
  assert.deepEqual(more, [])
  const after = await auditLines(['id'], { action: 'dispatch.due_exported' })
  assert.equal(after.length, file.length + 1)
})

test('what filtered schools must get is the sum of their own lines, whether they are few or nearly all', async () => {
  const { db } = server.deps
  const season = await aSeasonOfItsOwn()
  const event = await eventOf('M')
  const schools = [await aSchool(), await aSchool(), await aSchool({ state: 'Sikkim' })]
  // School, class, wanted, packed, due, spare, extra: due; packed; packed but not wanted; too many as well as some due.
  const lines = [
    [0, 7, 9, 3, 6, 1, 0],
    [1, 7, 0, 4, 0, 0, 4],
    [0, 8, 5, 2, 3, 0, 1],
    [2, 8, 7, 6, 1, 0, 2],
    [1, 9, 6, 6, 0, 2, 0],
    [2, 9, 5, 1, 4, 1, 0],
    [2, 10, 3, 0, 3, 0, 0],
  ]
  for (const [school = 0, ...figures] of lines)
    await sql`
      insert into dispatch_needs (school_id, season, contents, event_id, kind, class_id, wanted, packed, due, spare, extra)
      values (${schools[school]?.id}, ${season}, 'papers', ${event.id}, 'paper',
      ${sql.join(figures)})`.execute(db)
  const { rows: counts } = await sql<{ most: boolean }>`
    select 2 * count(*) filter (where state = 'Karnataka') > count(*) as most from schools`.execute(db)
  assert.deepEqual(counts, [{ most: true }])
  for (const show of ['due', 'all'] as const)
    for (const state of ['Karnataka', 'Sikkim']) {
      const query = { FYear: season, contents: 'papers', show, state } as const
      const body = await server.ask(officeDueItems, query, operations)
      const { rows } = await sql`
        select n.class_id as "classId", count(*)::int as schools, sum(wanted)::int as wanted, sum(packed)::int as packed,
          sum(due)::int as due, sum(spare)::int as spare, sum(extra)::int as extra
        from dispatch_needs n join schools o on o.id = n.school_id
        where n.season = ${season} and o.state = ${state} and ${show === 'due' ? sql`n.due > 0` : sql`n.wanted > 0`}
        group by n.class_id order by n.class_id`.execute(db)
      const shown = body.data.map(({ classId, schools: many, wanted, packed: gone, due, spare, extra }) => ({
        classId,
        schools: many,
        wanted,
        packed: gone,
        due,
        spare,
        extra,
      }))
      assert.deepEqual(shown, rows, `${show} ${state}`)
    }
})

test('packed items are no longer due, and are not packed twice', async () => {
  const world = await aPaidSchool(server, 3)
  await packed(server, operations, world.schoolId)
  assert.deepEqual(await dueOf(world), ['M 7 cb 3/3'])
  const body = { FYear: thisSeason, contents: 'books', schoolId: world.schoolId } as const
  await server.refuses('dispatch.nothing_due', packSchool, body, operations)
})

test('two officers who pack for a school at the same moment pack each copy once', async () => {
  const world = await aPaidSchool(server, 4)
  const other = await anOfficer('owner')
  const body = { FYear: thisSeason, contents: 'books', schoolId: world.schoolId } as const
  const answers = await Promise.all(
    [operations, other, operations, other].map((officer) => server.call(packSchool, { body }, officer)),
  )
  assert.deepEqual(valuesOf(answers, 'status').sort(), [200, 409, 409, 409])
  const lines = await server.deps.db
    .selectFrom('packet_lines as l')
    .innerJoin('packets as p', 'p.id', 'l.packet_id')
    .select('l.quantity')
    .where('p.school_id', '=', world.schoolId)
    .execute()
  assert.deepEqual(lines, [{ quantity: 4 }])
})

test('part of an order is packed and the rest stays due; packing more than is due is refused', async () => {
  const world = await aPaidSchool(server, 3)
  const event = await eventOf('M')
  const lines = (quantity: number) => [{ eventYearId: event.id, classId: 7, kind: 'cb' as const, quantity }]
  await packed(server, operations, world.schoolId, { lines: lines(2) })
  assert.deepEqual(await dueOf(world), ['M 7 cb 3/2'])
  const body = { FYear: thisSeason, contents: 'books', schoolId: world.schoolId, lines: lines(2) } as const
  await server.refuses('dispatch.more_than_due', packSchool, body, operations)
  assert.deepEqual(await dueOf(world), ['M 7 cb 3/2'])
})

test('parcels of a given size together contain everything that is due', async () => {
  const world = await aPaidSchool(server, 5)
  const ids = await packed(server, operations, world.schoolId, { contents: 'papers', most: 4 })
  assert.equal(ids.length, 3)
  const lines = await findRows('packet_lines', { packet_id: ids }, ['packet_id', 'quantity'])
  const of = (id: number) =>
    lines.filter((line) => line.packet_id === id).reduce((sum, line) => sum + line.quantity, 0)
  assert.deepEqual(ids.map(of), [4, 4, 2])
  assert.deepEqual(await dueOf(world, 'papers'), ['M 7 paper 5/5', 'S 7 paper 5/5'])
})

test('a job packs all filtered schools, and only the filtered lines', async () => {
  const world = await aPaidSchool(server, 2)
  const filters = {
    FYear: thisSeason,
    contents: 'papers',
    search: await schoolCode(world.schoolId),
    letter: 'S',
  } as const
  const body = await server.ask(packAll, { ...filters, most: 0 }, operations)
  await server.jobs.drain()
  const state = await server.ask(dispatchJobState, { jobId: body.jobId }, operations)
  assert.deepEqual([state.job?.state, state.job?.outcome], ['done', { packets: 1, schools: 1, skipped: 0 }])
  assert.deepEqual(await dueOf(world, 'papers'), ['M 7 paper 2/0', 'S 7 paper 2/2'])
})

test('exactly what a job has packed is unpacked together, unless a parcel has moved on', async () => {
  const [world, other] = [await aPaidSchool(server, 2), await aPaidSchool(server, 1)]
  const search = await schoolCode(world.schoolId)
  await packed(server, operations, other.schoolId)
  const packBooks = async () => {
    const body = { FYear: thisSeason, contents: 'books', search, most: 1 } as const
    const { jobId } = await server.ask(packAll, body, operations)
    await server.jobs.drain()
    return jobId
  }
  const stateOf = async (jobId: string) => (await server.ask(dispatchJobState, { jobId }, operations)).job
  const statuses = async (school_id: number) =>
    valuesOf(await findRows('packets', { school_id }, ['id', 'status']), 'id', 'status')
  const undo = (jobId: string, by = operations) => server.send(undoPacking, { body: { jobId } }, by)
  const due = await dueOf(world)
  const jobId = await packBooks()
  assert.equal((await stateOf(jobId))?.undoable, 2)
  assert.equal((await undo(jobId, await anOfficer('viewer'))).status, 403)
  assert.equal((await undo(jobId)).body.unpacked, 2)
  assert.deepEqual(await dueOf(world), due)
  assert.deepEqual(
    (await statuses(world.schoolId)).map(([, status]) => status),
    ['Cancelled', 'Cancelled'],
  )
  assert.deepEqual(
    (await statuses(other.schoolId)).map(([, status]) => status),
    ['Packed'],
  )
  for (const { id } of await findRows('packets', { school_id: world.schoolId }, ['id'])) {
    const [line] = await auditLines(['change'], { action: 'packet.tracked', subject_id: String(id) })
    assert.deepEqual(line?.change, { from: 'Packed', to: 'Cancelled' })
  }
  assert.deepEqual(await newestChange('dispatch.packing_undone'), { packets: 2 })
  const undone = await stateOf(jobId)
  assert.deepEqual([undone?.undoable, undone?.outcome.unpacked], [0, 2])
  await refused('dispatch.moved_on', undo(jobId))

  const again = await packBooks()
  const [sent, kept] = (await statuses(world.schoolId)).filter(([, status]) => status === 'Packed')
  const { courierId } = await aCourier(server, operations)
  const send = { body: { ids: [Number(sent?.[0])], courierId } }
  assert.equal((await server.call(dispatchPackets, send, operations)).status, 200)
  assert.equal((await stateOf(again))?.undoable, 0)
  await refused('dispatch.moved_on', undo(again))
  const left = (await statuses(world.schoolId)).filter(([, status]) => status === 'Packed')
  assert.deepEqual(left, [kept])
})

test('a packing list names school, class, subject, book and copies', async () => {
  const world = await aPaidSchool(server, 3)
  const ids = await packed(server, operations, world.schoolId)
  const { status, bytes } = await server.download(packingLists, { ids }, operations)
  assert.equal(status, 200)
  const text = pdfText(bytes)
  assert.match(
    text,
    new RegExp(
      `Parcel ${ids[0]} .*${await schoolCode(world.schoolId)}.* Class 7 Mathematics \\(M\\) Comprehensive Book 3`,
    ),
  )
})

test('a role that only reads dispatch does not pack, and results staff see none of it', async () => {
  const world = await aPaidSchool(server, 1)
  const viewer = await anOfficer('viewer')
  const query = { FYear: thisSeason, contents: 'books' } as const
  await server.ask(officeDue, query, viewer)
  const body = { ...query, schoolId: world.schoolId }
  assert.equal((await server.call(packSchool, { body }, viewer)).status, 403)
  assert.equal(
    (await server.call(officePackets, { query: { FYear: thisSeason } }, await anOfficer('results'))).status,
    403,
  )
  assert.deepEqual(await dueOf(world), ['M 7 cb 1/0'])
})

type Teacher = Awaited<ReturnType<typeof aTeacher>>

const ordersOf = async (teacher: Teacher, FYear: string = thisSeason) =>
  (await server.ask(getOrder, { FYear }, teacher)).data
const papersOf = async (teacher: Teacher) =>
  (await server.ask(getQuestionPaperStatus, { FYear: thisSeason }, teacher)).data

test('an order shows its address, when it was packed and where it is now [spec 2.13.8 7.20]', async () => {
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

test('a school sees its parcels newest first, of books and awards, season by season', async () => {
  const teacher = await aTeacher()
  const older = await aPacket({ ...teacher, createdAt: new Date('2026-10-01T06:00:00Z') })
  const newer = await aPacket({ ...teacher, contents: 'awards' })
  await aPacket({ ...teacher, contents: 'papers' })
  const past = await aPacket({ ...teacher, season: season('2025-26') })
  const idsOf = async (FYear: string) => (await ordersOf(teacher, FYear)).map(({ packetId }) => packetId)
  assert.deepEqual(await idsOf(thisSeason), [newer, older])
  assert.deepEqual(await idsOf('2025-26'), [past])
})

test('question papers have a list of their own, null while nothing is packed [spec 2.13.9 7.22]', async () => {
  const teacher = await aTeacher()
  await aPacket(teacher)
  assert.equal(await papersOf(teacher), null)
  const packetId = await aPacket({ ...teacher, contents: 'papers' })
  assert.deepEqual(
    (await papersOf(teacher))?.map((packet) => [packet.packetId, packet.contents]),
    [[packetId, 'papers']],
  )
})

test('the track of a parcel shows its courier and every step, newest first [spec 2.13.8 7.21]', async () => {
  const teacher = await aTeacher()
  const PacketId = String(await aPacket(teacher))
  const body = await server.ask(trackOrder, { PacketId }, teacher)
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

test('a parcel not yet dispatched has no courier details [spec 7.21]', async () => {
  const teacher = await aTeacher()
  const PacketId = String(await aPacket({ ...teacher, courierName: '', way: ['Packed'] }))
  const body = await server.ask(trackOrder, { PacketId }, teacher)
  assert.equal(body.courierDetails, null)
})

test('a courier link that is not https is hidden from schools', async () => {
  const teacher = await aTeacher()
  const PacketId = String(await aPacket({ ...teacher, courierLink: 'javascript:alert(1)' }))
  const body = await server.ask(trackOrder, { PacketId }, teacher)
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
  test(`the courier link “${typed}” is shown as “${shown}”`, () => assert.equal(safeLink(typed), shown))
}

test('another school sees no parcel, and its track is answered as if it did not exist', async () => {
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

test('a packet id that is no number and an unknown season are refused', async () => {
  const teacher = await aTeacher()
  const odd = await server.send(trackOrder, { query: { PacketId: "1' or '1" } }, teacher)
  const year = await server.send(getOrder, { query: { FYear: '2026-28' } }, teacher)
  assert.deepEqual([odd.status, year.status], [400, 400])
})
