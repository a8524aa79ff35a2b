import assert from 'node:assert/strict'
import { test } from 'node:test'
import { packetCertificates } from '@podium/contract/results/calls-certificates'
import { holdResults, unholdResults } from '@podium/contract/results/calls-office'
import type { Season } from '@podium/contract/season'
import { confirmReceipt, getOrder, trackOrder } from '@podium/contract/shipping/calls'
import {
  awardKinds,
  officeDue,
  officeDueItems,
  officeDueOfSchool,
  officeSpares,
  packSchool,
  saveSpares,
  sparePapers,
} from '@podium/contract/shipping/calls-orders'
import {
  cancelPacket,
  dispatchPackets,
  movePackets,
  officePacket,
  officePackets,
  packingLists,
  resendPacket,
} from '@podium/contract/shipping/calls-packets'
import { sql } from 'kysely'
import { pdfText } from '#test/archives'
import { aDay, anOfficer, eventOf, thisSeason } from '#test/factories'
import { type AReleasedEvent, aReleasedEvent, releaseRows } from '#test/results-factories'
import { beforehand, testServer } from '#test/server'
import { aCourier, aPaidSchool, packed } from '#test/shipping-factories'
import { countSchool } from '../orders/commands-needs.ts'

let now = aDay
const server = beforehand(() => testServer({ clock: () => now }))
const operations = beforehand(() => anOfficer('operations'))

const seasonOf = ({ event }: AReleasedEvent) => event.season as Season

async function ofSchool(world: AReleasedEvent) {
  const query = { FYear: seasonOf(world), contents: 'awards', schoolId: String(world.school.id) } as const
  return await server.ask(officeDueOfSchool, query, operations)
}

/** What the school must get: `7 gold 1/0` for one that is not packed, `+2` for packed ones no longer won. */
const dueOf = async (world: AReleasedEvent) =>
  (await ofSchool(world)).data.map(
    ({ classId, kind, wanted, packed: got, extra }) =>
      `${classId} ${kind} ${wanted}/${got}${extra > 0 ? `+${extra}` : ''}`,
  )

const packAwards = (world: AReleasedEvent) =>
  packed(server, operations, world.school.id, { FYear: seasonOf(world), contents: 'awards' })

const read = (packetId: number) => server.ask(officePacket, { packetId: String(packetId) }, operations)

/** The packed awards of the school, returned by the courier. */
async function aReturnedParcel(world: AReleasedEvent): Promise<number> {
  const [id = 0] = await packAwards(world)
  const { courierId } = await aCourier(server, operations)
  await server.ask(dispatchPackets, { ids: [id], courierId }, operations)
  await server.ask(movePackets, { ids: [id], to: 'Returned', remark: '' }, operations)
  return id
}

/** The same marks with the two best of the class swapped: the gold medal and two prizes change hands. */
async function corrected(world: AReleasedEvent) {
  const rows = world.rows.map((row, index) => ({
    ...row,
    marks: world.rows[[1, 0][index] ?? index]?.marks ?? [],
  }))
  await releaseRows(server, world.event, rows)
}

test('a release makes medals, prizes and certificates due, and absent students get none', async () => {
  const world = await aReleasedEvent(server)
  assert.deepEqual(await dueOf(world), ['7 gold 1/0', '7 prize 5/0', '7 certificate 5/0'])
  const { children } = await ofSchool(world)
  assert.deepEqual(
    children.map(({ studentName, kind, title, state }) => [studentName, kind, title, state]).slice(0, 3),
    [
      ['Asha Namunawala', 'gold', 'Gold medal', 'due'],
      ['Asha Namunawala', 'prize', 'Prize of ₹15,000', 'due'],
      ['किरण नमूनावाला', 'prize', 'Prize of ₹10,000', 'due'],
    ],
  )
  assert.ok(children.every(({ kind }) => kind !== 'certificate'))
})

test('a scheduled release makes nothing due before its hour, and everything by the clock alone', async () => {
  const world = await aReleasedEvent(server)
  await packAwards(world)
  const later = new Date(now.getTime() + 600_000)
  const rows = world.rows.map((row, index) => ({
    ...row,
    marks: world.rows[[1, 0][index] ?? index]?.marks ?? [],
  }))
  await releaseRows(server, world.event, rows, later.toISOString())
  const before = await dueOf(world)
  now = later
  try {
    assert.deepEqual(before, ['7 gold 1/1', '7 prize 5/5', '7 certificate 5/5'])
    assert.deepEqual(await dueOf(world), ['7 gold 1/1', '7 prize 5/3+2', '7 certificate 5/3+2'])
  } finally {
    now = aDay
  }
})

test('a parcel of awards names the students, to the packer, on the packing list and to the school', async () => {
  const world = await aReleasedEvent(server)
  const [id = 0] = await packAwards(world)
  const { awards, lines } = await read(id)
  assert.deepEqual(
    lines.map(({ bookCategory, quantity }) => [bookCategory, quantity]),
    [
      ['Gold medal', 1],
      ['Prize', 5],
      ['Certificate', 5],
    ],
  )
  assert.equal(awards.length, 11)
  assert.deepEqual(
    awards.slice(0, 3).map(({ studentName, title, gone }) => [studentName, title, gone]),
    [
      ['Asha Namunawala', 'Gold medal', false],
      ['Asha Namunawala', 'Prize of ₹15,000', false],
      ['Asha Namunawala', 'Certificate', false],
    ],
  )
  const list = await server.download(packingLists, { ids: [id] }, operations)
  const text = pdfText(list.bytes)
  assert.match(text, /Asha Namunawala Mathematics Gold medal, Prize of ₹15,000,\s+Certificate/)

  const courier = await aCourier(server, operations)
  const send = { ids: [id], courierId: courier.courierId, consignmentNo: `AW${id}` }
  await server.ask(dispatchPackets, send, operations)
  const orders = await server.ask(getOrder, { FYear: seasonOf(world) }, world.teacher)
  assert.deepEqual(
    orders.data.map(({ packetId, contents, orderStatus }) => [packetId, contents, orderStatus]),
    [[id, 'awards', 'Dispatched']],
  )
  const way = await server.ask(trackOrder, { PacketId: String(id) }, world.teacher)
  assert.deepEqual([way.awards.length, way.courierDetails?.consignmentNo], [11, `AW${id}`])
  const counted = { PacketId: id, counts: [1, 5, 4], remark: '' }
  const receipt = await server.ask(confirmReceipt, counted, world.teacher)
  assert.equal(receipt.differs, true)
})

test('after a correction only the difference is due: a medal passes on, prizes and certificates are reissued', async () => {
  const world = await aReleasedEvent(server)
  await packAwards(world)
  await corrected(world)
  assert.deepEqual(await dueOf(world), ['7 gold 1/1', '7 prize 5/3+2', '7 certificate 5/3+2'])
  const { children } = await ofSchool(world)
  const gone = children.filter(({ state }) => state === 'gone')
  assert.deepEqual(gone.map(({ studentName, kind }) => `${studentName} ${kind}`).sort(), [
    'Asha Namunawala certificate',
    'Asha Namunawala gold',
    'Asha Namunawala prize',
    'किरण नमूनावाला certificate',
    'किरण नमूनावाला prize',
  ])
  const query = { FYear: seasonOf(world), contents: 'awards', show: 'extra' } as const
  const extra = await server.ask(officeDue, query, operations)
  assert.deepEqual([extra.sums.schools, extra.sums.extra], [1, 4])
  const [second = 0] = await packAwards(world)
  assert.deepEqual(
    (await read(second)).awards.map(({ studentName, title }) => `${studentName}: ${title}`),
    [
      'Asha Namunawala: Prize of ₹10,000',
      'Asha Namunawala: Certificate',
      'किरण नमूनावाला: Prize of ₹15,000',
      'किरण नमूनावाला: Certificate',
    ],
  )
  const body = { FYear: seasonOf(world), contents: 'awards', schoolId: world.school.id } as const
  await server.refuses('dispatch.nothing_due', packSchool, body, operations)
})

test('a returned parcel with awards that a correction withdrew is not sent again; unpacked it is packed correctly', async () => {
  const world = await aReleasedEvent(server)
  const id = await aReturnedParcel(world)
  await corrected(world)
  const { version } = (await read(id)).packet
  const again = { packetId: id, version, remark: 'The school is open again' }
  await server.refuses('dispatch.corrected', resendPacket, again, operations)
  await server.ask(cancelPacket, again, operations)
  assert.deepEqual(await dueOf(world), ['7 gold 1/0', '7 prize 5/0', '7 certificate 5/0'])
  const [right = 0] = await packAwards(world)
  const gold = (await read(right)).awards.find(({ kind }) => kind === 'gold')
  assert.equal(gold?.studentName, 'किरण नमूनावाला')
})

test('a school whose results are withheld has nothing due, and its packed awards are not marked as wrong', async () => {
  const world = await aReleasedEvent(server)
  const [id = 0] = await packAwards(world)
  const results = await anOfficer('results')
  const school = { eventYearId: world.event.id, schCode: world.school.code }
  await server.ask(holdResults, { ...school, reason: 'Sheets are counted again' }, results)
  assert.deepEqual(await dueOf(world), [])
  assert.ok((await read(id)).awards.every(({ gone }) => !gone))
  await server.ask(unholdResults, school, results)
  assert.deepEqual(await dueOf(world), ['7 gold 1/1', '7 prize 5/5', '7 certificate 5/5'])
})

test('a packed parcel whose awards a correction has changed, or whose results are withheld, is not dispatched', async () => {
  const world = await aReleasedEvent(server)
  const other = await aReleasedEvent(server)
  const [id = 0] = await packAwards(world)
  const [right = 0] = await packAwards(other)
  const { courierId } = await aCourier(server, operations)
  const results = await anOfficer('results')
  const school = { eventYearId: world.event.id, schCode: world.school.code }
  await server.ask(holdResults, { ...school, reason: 'Sheets are counted again' }, results)
  const can = async () => (await read(id)).can.dispatch
  assert.equal(await can(), 'dispatch.withheld')
  await server.refuses('dispatch.withheld', dispatchPackets, { ids: [id], courierId }, operations)
  const query = { FYear: seasonOf(world), contents: 'awards', search: world.school.code } as const
  const [listed] = (await server.ask(officePackets, query, operations)).data
  assert.equal(listed?.stopped, 'dispatch.withheld')
  await server.ask(unholdResults, school, results)
  assert.equal(await can(), true)
  await corrected(world)
  assert.equal(await can(), 'dispatch.corrected')
  await server.refuses('dispatch.corrected', dispatchPackets, { ids: [id], courierId }, operations)
  const { moved, left } = await server.ask(dispatchPackets, { ids: [id, right], courierId }, operations)
  assert.deepEqual([moved, left], [1, 1])
  assert.equal((await read(id)).packet.status, 'Packed')
  assert.equal((await read(right)).packet.status, 'Dispatched')
})

test('a returned parcel of withheld results is not sent again before they are released', async () => {
  const world = await aReleasedEvent(server)
  const id = await aReturnedParcel(world)
  const results = await anOfficer('results')
  const school = { eventYearId: world.event.id, schCode: world.school.code }
  await server.ask(holdResults, { ...school, reason: 'Sheets are counted again' }, results)
  const { packet, can } = await read(id)
  assert.equal(can.resend, 'dispatch.withheld')
  const again = { packetId: id, version: packet.version, remark: 'The school is open again' }
  await server.refuses('dispatch.withheld', resendPacket, again, operations)
  await server.ask(unholdResults, school, results)
  await server.ask(resendPacket, again, operations)
})

test('a school does not see withheld results in its parcel, and confirms only what it is shown', async () => {
  const world = await aReleasedEvent(server)
  const [id = 0] = await packAwards(world)
  const { courierId } = await aCourier(server, operations)
  await server.ask(dispatchPackets, { ids: [id], courierId }, operations)
  const seen = async () => {
    const body = await server.ask(trackOrder, { PacketId: String(id) }, world.teacher)
    return [body.lines.length, body.awards.length]
  }
  assert.deepEqual(await seen(), [3, 11])
  const results = await anOfficer('results')
  const school = { eventYearId: world.event.id, schCode: world.school.code }
  await server.ask(holdResults, { ...school, reason: 'Sheets are counted again' }, results)
  assert.deepEqual(await seen(), [0, 0])
  const office = await read(id)
  assert.deepEqual([office.lines.length, office.awards.length], [3, 11])
  const counted = { PacketId: id, counts: [1, 5, 5], remark: '' }
  await server.refuses('dispatch.counts_missing', confirmReceipt, counted, world.teacher)
  const during = { PacketId: id, counts: [], remark: 'The box has come' }
  assert.equal((await server.send(confirmReceipt, { body: during }, world.teacher)).status, 200)
  await server.ask(unholdResults, school, results)
  assert.deepEqual(await seen(), [3, 11])
  const counts = async () => (await read(id)).lines.map(({ received }) => received)
  assert.deepEqual(await counts(), [null, null, null])
  const rest = { PacketId: id, counts: [1, 5, 4], remark: '' }
  assert.equal((await server.send(confirmReceipt, { body: rest }, world.teacher)).status, 200)
  assert.deepEqual(await counts(), [1, 5, 4], 'hidden lines are counted once they are shown')
  const { receipt } = await read(id)
  assert.deepEqual([receipt?.differs, receipt?.remark], [true, 'The box has come'])
  await server.refuses('dispatch.confirmed', confirmReceipt, rest, world.teacher)
})

test("a role that packs prints a parcel's certificates as they are correct today", async () => {
  const world = await aReleasedEvent(server)
  const [id = 0] = await packAwards(world)
  const viewer = await anOfficer('viewer')
  assert.equal((await server.download(packetCertificates, { packetId: id }, viewer)).status, 403)
  const whole = await server.download(packetCertificates, { packetId: id }, operations)
  assert.equal(whole.status, 200)
  assert.equal(whole.bytes.toString('latin1').match(/\/Type \/Page\b/g)?.length, 5)
  await corrected(world)
  const rest = await server.download(packetCertificates, { packetId: id }, operations)
  assert.equal(rest.bytes.toString('latin1').match(/\/Type \/Page\b/g)?.length, 3)
  assert.equal((await server.download(packetCertificates, { packetId: id, part: 2 }, operations)).status, 409)
})

test('spare papers are a percentage of a class, rounded up, at least the minimum, and none without students', () => {
  const cases = [
    [0, 5, 2, 0],
    [1, 5, 0, 1],
    [1, 5, 2, 2],
    [40, 5, 1, 2],
    [41, 5, 1, 3],
    [30, 0, 0, 0],
    [30, 0, 1, 1],
  ] as const
  for (const [students, percent, minimum, spare] of cases)
    assert.equal(sparePapers(students, { percent, minimum }), spare, `${students} at ${percent} %`)
})

test('the rule for spare papers counts in what is due and packed, and stays in later seasons', async () => {
  const world = await aPaidSchool(server, 3)
  const query = { FYear: thisSeason, contents: 'papers', schoolId: String(world.schoolId) } as const
  const papers = async () =>
    (await server.ask(officeDueOfSchool, query, operations)).data.map(
      ({ eventLetter, wanted, packed: got, due, spare }) => [eventLetter, wanted, got, due, spare],
    )
  await packed(server, operations, world.schoolId, { contents: 'papers' })
  const rule = { FYear: thisSeason, percent: 40, minimum: 1, version: 0 }
  const viewer = await anOfficer('viewer')
  assert.equal((await server.call(saveSpares, { body: rule }, viewer)).status, 403)
  await server.ask(saveSpares, rule, operations)
  try {
    await server.refuses('changed_meanwhile', saveSpares, rule, operations)
    assert.deepEqual(await papers(), [
      ['M', 5, 3, 2, 2],
      ['S', 5, 3, 2, 2],
    ])
    const [id = 0] = await packed(server, operations, world.schoolId, { contents: 'papers' })
    assert.deepEqual(
      (await read(id)).lines.map(({ quantity, spare }) => [quantity, spare]),
      [
        [2, 2],
        [2, 2],
      ],
    )
    const next = await server.ask(officeSpares, { FYear: '2040-41' }, operations)
    assert.deepEqual(next, {
      result: 'success',
      message: '',
      rule: { percent: 40, minimum: 1 },
      setFor: thisSeason,
      version: 0,
    })
  } finally {
    const off = { FYear: thisSeason, percent: 0, minimum: 0, version: 1 }
    await server.ask(saveSpares, off, operations)
  }
  assert.deepEqual(await papers(), [
    ['M', 3, 5, 0, 0],
    ['S', 3, 5, 0, 0],
  ])
})

test('the stored totals by item, school and subject equal the sums of the lines after packing and corrections', async () => {
  const world = await aReleasedEvent(server)
  await packAwards(world)
  await corrected(world)
  const FYear = seasonOf(world)
  for (const show of ['due', 'all'] as const) {
    const query = { FYear, contents: 'awards', show } as const
    const kept = await server.ask(officeDueItems, query, operations)
    const { rows } = await sql<{
      kind: string
      schools: number
      wanted: number
      packed: number
      due: number
    }>`
      select kind, count(*)::int as schools, sum(wanted)::int as wanted, sum(packed)::int as packed, sum(due)::int as due
      from dispatch_needs where season = ${FYear} and contents = 'awards' and ${show === 'due' ? sql`due > 0` : sql`true`}
      group by class_id, kind`.execute(server.deps.db)
    const byKind = (item: { kind: string }) => (awardKinds as readonly string[]).indexOf(item.kind)
    assert.deepEqual(
      kept.data.map(({ kind, schools, wanted, packed: got, due }) => ({
        kind,
        schools,
        wanted,
        packed: got,
        due,
      })),
      rows.toSorted((a, b) => byKind(a) - byKind(b)),
    )
    for (const filter of [{ letter: 'M' }, { classId: '7' }, { letter: 'M', classId: '7' }]) {
      const { sums } = await server.ask(officeDue, { ...query, ...filter }, operations)
      const total = (of: (row: (typeof rows)[number]) => number) =>
        rows.reduce((sum, row) => sum + of(row), 0)
      assert.equal(
        sums.due,
        total(({ due }) => due),
      )
      if (show === 'all')
        assert.equal(
          sums.wanted,
          total(({ wanted }) => wanted),
        )
    }
  }
})

test('packing reduces what is due exactly as counting the school again would', async () => {
  const { schoolId } = await aPaidSchool(server, 5)
  const world = await aReleasedEvent(server)
  const places = [
    [schoolId, thisSeason],
    [world.school.id, seasonOf(world)],
  ] as const
  const kept = async () =>
    (
      await sql`
      select n.school_id, n.contents, n.event_id || ' ' || n.class_id || ' ' || n.kind as of, wanted, packed, due, spare, extra
      from dispatch_needs n where (n.school_id, n.season) in (${sql.join(places.map((place) => sql`(${sql.join(place)})`))})
      union all
      select n.school_id, n.contents, part, wanted, packed, due, spare, extra
      from dispatch_parts n where (n.school_id, n.season) in (${sql.join(places.map((place) => sql`(${sql.join(place)})`))})
      union all
      select n.school_id, n.contents, 'all', wanted, packed, due, spare, extra
      from dispatch_sums n where (n.school_id, n.season) in (${sql.join(places.map((place) => sql`(${sql.join(place)})`))})
      order by 1, 2, 3`.execute(server.deps.db)
    ).rows
  await packed(server, operations, schoolId, { most: 2 })
  const event = await eventOf('M')
  const part = { eventYearId: event.id, classId: 7, kind: 'paper' as const, quantity: 2 }
  await packed(server, operations, schoolId, { contents: 'papers', lines: [part, part] })
  await packAwards(world)
  const taken = await kept()
  const due = taken.filter((row) => Number(Object(row).packed) > 0 && Number(Object(row).due) > 0)
  assert.ok(due.length > 0, 'a part is packed and the rest is due')
  for (const [id, season] of places)
    await server.deps.db.transaction().execute((tx) => countSchool(tx, id, season))
  assert.deepEqual(taken, await kept())
})
