import assert from 'node:assert/strict'
import { test } from 'node:test'
import { saveBookOrder } from '@podium/contract/books/calls'
import { paymentSummary, savePayment } from '@podium/contract/payments/calls'
import { verifyPayment } from '@podium/contract/payments/calls-verification'
import { approveWaiver, askWaiver } from '@podium/contract/payments/calls-waivers'
import type { PaymentKind } from '@podium/contract/payments/rules'
import { confirmReceipt, type OrderStatus, trackOrder } from '@podium/contract/shipping/calls'
import * as calls from '@podium/contract/shipping/calls-orders'
import {
  cancelPacket,
  dispatchPackets,
  movePackets,
  moveStatuses,
  resendPacket,
  undoMove,
} from '@podium/contract/shipping/calls-packets'
import { saveStudentDetails } from '@podium/contract/students/calls'
import { cancelStudent, correctStudent, moveStudent } from '@podium/contract/students/calls-register'
import fc from 'fast-check'
import { sql } from 'kysely'
import { mergeOf } from '#test/accounts-factories'
import { aDay, anOfficer, aSeason, aTeacher, thisSeason as FYear } from '#test/factories'
import { aFoundation, anOrder, aProof, aSubmission, yesToWaiver } from '#test/payments-factories'
import { findRow, findRows } from '#test/rows'
import { before, beforehand, testServer } from '#test/server'
import { aCourier } from '#test/shipping-factories'
import { anEntry } from '#test/students-factories'
import { countSchool } from './commands-needs.ts'

/**
 * Random sequences of what happens to the students and parcels of two schools, which are merged in the end: after every step
 * the office's counts are those of a recount, and of a plain one from the rows.
 */

const server = beforehand(() => testServer({ clock: () => aDay }))
const owner = beforehand(() => anOfficer('owner'))
const accounts = beforehand(() => anOfficer('accounts'))
const courier = beforehand(() => aCourier(server, owner))
before(async () => {
  await aSeason()
  await aFoundation()
})

type Teacher = Awaited<ReturnType<typeof aTeacher>>
interface Answer {
  status: number
  body: { message: string }
}
const reason = 'For the sequence'
const kinds: readonly PaymentKind[] = ['Registration Fee', 'Book Fee', 'Library Book Fee']
/** The school that students of another are moved to */
const neighbours = new Map<Teacher, Teacher>()

const pick = <Row>(rows: readonly Row[], at: number): Row | undefined => rows[at % Math.max(1, rows.length)]
const byId = (a: { id: number }, b: { id: number }) => a.id - b.id
async function studentAt({ schoolId }: Teacher, at: number) {
  const rows = await findRows('students', { school_id: schoolId, active: true }, ['id', 'version'])
  return pick(rows.toSorted(byId), at)
}

/** A parcel in one of these states; one is brought there if there is none. */
async function packetAt(teacher: Teacher, at: number, ...statuses: OrderStatus[]) {
  const packets = () => findRows('packets', { school_id: teacher.schoolId }, ['id', 'version', 'status'])
  const found = async () =>
    pick(
      (await packets()).filter(({ status }) => statuses.includes(status as OrderStatus)).toSorted(byId),
      at,
    )
  const before = { Packed: 'pack', Dispatched: 'send', Returned: 'return' } as Record<string, string>
  const ready = await found()
  if (ready) return ready
  await actions[before[statuses[0] ?? ''] ?? '']?.(teacher, at)
  return found()
}

const moved = async (id: number, to: (typeof moveStatuses)[number]) =>
  server.call(movePackets, { body: { ids: [id], to, remark: '' } }, owner)

/** The actions; `at` chooses their subject. Undefined if there is none. */
const actions: Record<string, (teacher: Teacher, at: number) => Promise<Answer | undefined>> = {
  async enter(teacher, at) {
    const subjectName = ['M', 'M,S', 'S,E'][at % 3]
    const body = anEntry({ classId: 7 + (at % 2), subjectName, cb: at % 4 < 3 ? subjectName : '' })
    return server.call(saveStudentDetails, { body }, teacher)
  },
  async order(teacher, at) {
    const body = anOrder({ quantity: 1 + (at % 5), classId: 7 + (at % 2) })
    return server.call(saveBookOrder, { body }, teacher)
  },
  async pay(teacher, at) {
    const { dataList } = await server.ask(paymentSummary, { FYear }, teacher)
    const due = dataList.filter(
      (card) => card.paymentStatus_For_School === 0 && card.paymentStatus === 'Pending',
    )
    const kind = pick(
      kinds.filter((kind) => due.some((card) => card.paymentFor === kind)),
      at,
    )
    if (!kind) return undefined
    const { id } = await server.ask(savePayment, await aSubmission(server, teacher.token, kind), teacher)
    return server.call(verifyPayment, { body: { id, version: 1 } }, owner)
  },
  async pack({ schoolId }, at) {
    const contents = at % 2 === 0 ? 'books' : 'papers'
    const { data } = await server.ask(
      calls.officeDueOfSchool,
      { FYear, contents, schoolId: `${schoolId}` },
      owner,
    )
    const line = pick(
      data.filter(({ due }) => due > 0),
      at,
    )
    if (!line) return undefined
    const { eventYearId, classId, kind, due } = line
    const some = at % 3 > 0 && { lines: [{ eventYearId, classId, kind, quantity: 1 + (at % due) }] }
    const body = { FYear, contents, schoolId, most: at % 5 === 0 ? 2 : 0, ...some } as const
    return server.call(calls.packSchool, { body }, owner)
  },
  async packAll({ schoolId }, at) {
    const { code: search } = await findRow('schools', { id: schoolId })
    const contents = at % 2 === 0 ? 'books' : 'papers'
    const body = { FYear, contents, search, letter: at % 3 === 0 ? 'M' : '', most: 0 } as const
    const answer = await server.call(calls.packAll, { body }, owner)
    await server.jobs.drain()
    if (answer.status !== 200 || at % 4 > 0) return answer
    return server.call(calls.undoPacking, { body: { jobId: answer.body.jobId } }, owner)
  },
  async send(teacher, at) {
    const packet = await packetAt(teacher, at, 'Packed')
    const { courierId } = courier
    const more = { courierId, consignmentNo: '', weightGrams: null, remark: '' }
    return packet && server.call(dispatchPackets, { body: { ids: [packet.id], ...more } }, owner)
  },
  async step(teacher, at) {
    const packet = await packetAt(teacher, at, 'Dispatched', 'In transit', 'Delivered')
    const answer = packet && (await moved(packet.id, pick(moveStatuses, at) ?? 'Delivered'))
    if (answer?.status !== 200 || at % 4 > 0) return answer
    const packets = answer.body.packets.map(({ packetId, version }) => ({ packetId, version }))
    return server.call(undoMove, { body: { packets } }, owner)
  },
  async return(teacher, at) {
    const packet = await packetAt(teacher, at, 'Dispatched', 'In transit')
    return packet && moved(packet.id, 'Returned')
  },
  async resend(teacher, at) {
    const packet = await packetAt(teacher, at, 'Returned')
    const body = packet && { packetId: packet.id, version: packet.version, remark: reason }
    return body && server.call(resendPacket, { body }, owner)
  },
  async unpack(teacher, at) {
    const packet = await packetAt(teacher, at, 'Packed', 'Returned')
    const body = packet && { packetId: packet.id, version: packet.version, remark: reason }
    return body && server.call(cancelPacket, { body }, owner)
  },
  async receive(teacher, at) {
    const packet = await packetAt(teacher, at, 'Dispatched', 'In transit', 'Delivered')
    if (!packet) return undefined
    const { lines } = await server.ask(trackOrder, { PacketId: `${packet.id}` }, teacher)
    const counts = lines.map(({ quantity }) => quantity - (at % 2))
    return server.call(confirmReceipt, { body: { PacketId: packet.id, counts, remark: '' } }, teacher)
  },
  async spares(_, at) {
    const { version } = await server.ask(calls.officeSpares, { FYear }, owner)
    return server.call(
      calls.saveSpares,
      { body: { FYear, version, percent: (at * 7) % 51, minimum: at % 4 } },
      owner,
    )
  },
  async waive(teacher, at) {
    const student = await studentAt(teacher, at)
    if (!student) return undefined
    const body = { studentId: student.id, reason, attechment: await aProof(), attechmentName: 'letter.png' }
    const asked = await server.call(askWaiver, { body }, teacher)
    if (asked.status !== 200) return asked
    return server.call(approveWaiver, await yesToWaiver(server, accounts, asked.body.id), accounts)
  },
  async cancel(teacher, at) {
    const student = await studentAt(teacher, at)
    return student && server.call(cancelStudent, { body: { ...student, reason } }, owner)
  },
  async correct(teacher, at) {
    const student = await studentAt(teacher, at)
    const parents = { parentName: '', parentEmailId: '', parentMobileNo: '' }
    const to = { classId: 7 + (at % 2), section: 'C', studentName: 'Ira Misaal', ...parents, reason }
    return student && server.call(correctStudent, { body: { ...student, ...to, rollno: student.id } }, owner)
  },
  async move(teacher, at) {
    const student = await studentAt(teacher, at)
    if (!student) return undefined
    const { code: schCode } = await findRow('schools', { id: neighbours.get(teacher)?.schoolId ?? 0 })
    const body = { ...student, schCode, section: 'M', rollno: student.id, reason }
    return server.call(moveStudent, { body }, owner)
  },
}

interface Count {
  of: string
  wanted: number
  packed: number
  due: number
}

async function counted({ schoolId }: Teacher): Promise<Count[]> {
  const { rows } = await sql<Count>`
    select of, wanted, packed, due, spare, extra from (
      select school_id, concat_ws(' ', contents, event_id, class_id, kind) as of, wanted, packed, due, spare, extra from dispatch_needs
      union all select school_id, contents || ' of ' || part, wanted, packed, due, spare, extra from dispatch_parts
      union all select school_id, contents || ' in all', wanted, packed, due, spare, extra from dispatch_sums) c
    where school_id = ${schoolId} order by of collate "C"`.execute(server.deps.db)
  return rows
}

/** What a school must get, and what is in its parcels, plainly from its rows. */
async function fromRows({ schoolId }: Teacher): Promise<Count[]> {
  const { percent, minimum } = (await server.ask(calls.officeSpares, { FYear }, owner)).rule
  const { rows } = await sql<Count>`
    select of, sum(wanted)::int as wanted, sum(packed)::int as packed, greatest(0, sum(wanted) - sum(packed))::int as due from (
      select concat_ws(' ', 'books', b.event_id, s.class_id, b.kind) as of, 1 as wanted, 0 as packed
      from students s join book_choices b on b.student_id = s.id
      where s.school_id = ${schoolId} and s.active and s.id in (
        select l.student_id from payment_lines l join payments p on p.id = l.payment_id
        where l.purpose = 'books' and l.live and p.state = 'verified')
      union all
      select concat_ws(' ', 'books', event_id, class_id, kind), quantity, 0 from library_lines
      where school_id = ${schoolId} and active and paid
      union all
      select concat_ws(' ', 'papers', event_id, s.class_id, 'paper'),
        (count(*) + greatest(ceil(count(*) * ${percent}::int / 100.0), ${minimum}::int))::int, 0
      from students s join enrolments n on n.student_id = s.id join events e on e.id = n.event_id
      where s.school_id = ${schoolId} and s.active and s.paid and e.mode = 'Offline' group by event_id, s.class_id
      union all
      select concat_ws(' ', k.contents, l.event_id, l.class_id, l.kind), 0, l.quantity
      from packets k join packet_lines l on l.packet_id = k.id
      where k.school_id = ${schoolId} and k.status <> 'Cancelled' and k.id not in (
        select resends_id from packets where resends_id is not null)) parts
    group by of order by of collate "C"`.execute(server.deps.db)
  return rows
}

async function check(teacher: Teacher): Promise<void> {
  await server.ask(calls.officeDue, { FYear, contents: 'books' }, owner)
  const kept = await counted(teacher)
  await server.deps.db.transaction().execute((tx) => countSchool(tx, teacher.schoolId, FYear))
  assert.deepEqual(kept, await counted(teacher), 'kept = counted again')
  const lines = kept.filter(({ of }) => /^\w+ \d/.test(of))
  const figures = lines.map(({ of, wanted, packed, due }) => ({ of, wanted, packed, due }))
  assert.deepEqual(figures, await fromRows(teacher), 'counted = from the rows')
}

const names = Object.keys(actions)
const step = fc.record({
  what: fc.constantFrom('enter', 'enter', 'pay', 'pay', 'pay', 'pack', 'pack', ...names),
  at: fc.nat(60),
  /** By which of two schools */
  by: fc.constantFrom(0, 0, 0, 1),
})
const sequence = fc.array(step, { minLength: 20, maxLength: 28 })

test('whatever happens to students and parcels, what is wanted, packed and due is what the rows say', async () => {
  const done = new Set<string>()
  const count = (what: string, answer: Answer | undefined) => {
    assert.ok((answer?.status ?? 200) < 500, `${what}: ${answer?.body.message}`)
    if (answer?.status === 200) done.add(what)
  }
  await fc.assert(
    fc.asyncProperty(sequence, async (steps) => {
      const first = await aTeacher({ coordinator: true })
      const second = await aTeacher({ coordinator: true })
      neighbours.set(first, second).set(second, first)
      for (const { what, at, by } of [{ what: 'enter', at: 2, by: 0 }, ...steps]) {
        const [teacher, other] = by === 0 ? [first, second] : [second, first]
        count(what, await actions[what]?.(teacher, at))
        await check(teacher)
        if (what === 'move' || what === 'spares') await check(other)
      }
      const schools = { target: first.schoolId, source: second.schoolId }
      count('merge', await mergeOf(server, owner, schools))
      await check(first)
    }),
    { numRuns: 10, seed: 4, endOnFailure: true },
  )
  for (const what of [...names, 'merge']) assert.ok(done.has(what), `${what} was never done`)
})
