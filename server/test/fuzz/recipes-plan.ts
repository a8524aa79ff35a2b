import { randomInt } from 'node:crypto'
import { anOfficer, aTeacher, eventOf, thisSeason } from '../factories.ts'
import { aCourier, aPacket, aPaidSchool, packed } from '../shipping-factories.ts'
import { aSeasonOfItsOwn, aWaitingSchool } from '../students-factories.ts'
import type { At, Recipes } from './world.ts'

const FYear = thisSeason
const bytes = (text: string) => new TextEncoder().encode(text)

/** Creates a parcel of books that is packed but not dispatched. */
async function aPackedOne(at: At) {
  const { schoolId } = await aPaidSchool(at.server, 1)
  const officer = await anOfficer('operations')
  const [id] = await packed(at.server, officer, schoolId)
  const { courierId, name } = await aCourier(at.server, officer)
  return { schoolId, id: id ?? 0, courierId, name }
}

async function sent(at: At) {
  const { id, courierId } = await aPackedOne(at)
  const consignmentNo = `NX${randomInt(1e6, 1e7)}`
  await at.done('POST office/dispatch/send', { body: { ids: [id], courierId, consignmentNo } })
  return { id, consignmentNo, courierId }
}

async function versionOf(at: At, id: number) {
  const { version } = await at.seen('packets', `id = ${id}`)
  return { packetId: id, version }
}

const courierLines = (consignmentNo: string) => ({
  name: 'courier.csv',
  bytes: bytes(`Remarks,Current Status,Date,AWB No\nGate,DELIVERED,20/11/2026 14:30,${consignmentNo}\n`),
})

async function packing(at: At) {
  const { code } = await at.row<{ code: string }>(
    `select code from schools where id = ${(await aPaidSchool(at.server, 1)).schoolId}`,
  )
  const { jobId } = await at.done('POST office/dispatch/packAll', {
    body: { FYear, contents: 'books', search: code },
  })
  return jobId
}

/** Calls about parcels. */
export const dispatchRecipes: Recipes = {
  'POST office/dispatch/pack': async (at) => ({
    body: { FYear, contents: 'books', schoolId: (await aPaidSchool(at.server, 1)).schoolId },
  }),
  'POST office/dispatch/packAll': async (at) => {
    const { schoolId } = await aPaidSchool(at.server, 1)
    const { code } = await at.row<{ code: string }>(`select code from schools where id = ${schoolId}`)
    return { body: { FYear, contents: 'books', search: code } }
  },
  'GET office/dispatch/job': async (at) => ({ query: { jobId: await packing(at) } }),
  'POST office/dispatch/cancelJob': async (at) => ({ body: { jobId: await packing(at) } }),
  'POST office/dispatch/send': async (at) => {
    const { id, courierId } = await aPackedOne(at)
    return { body: { ids: [id], courierId } }
  },
  'POST office/dispatch/saveCourier': async (at) => {
    const { id, courierId } = await sent(at)
    return { body: { ...(await versionOf(at, id)), courierId, consignmentNo: 'NX0418' } }
  },
  'POST office/dispatch/move': async (at) => ({ body: { ids: [(await sent(at)).id], to: 'Delivered' } }),
  'POST office/dispatch/undoMove': async (at) => {
    const { packets } = await at.done('POST office/dispatch/move', {
      body: { ids: [(await sent(at)).id], to: 'Delivered' },
    })
    return { body: { packets } }
  },
  'POST office/dispatch/resend': async (at) => {
    const { id } = await sent(at)
    await at.done('POST office/dispatch/move', { body: { ids: [id], to: 'Returned' } })
    return { body: { ...(await versionOf(at, id)), remark: 'Open again' } }
  },
  'POST office/dispatch/cancel': async (at) => ({
    body: { ...(await versionOf(at, (await aPackedOne(at)).id)), remark: 'Wrong class' },
  }),
  'POST office/dispatch/courier': () => ({
    body: { courierId: 0, name: `Namuna ${randomInt(1e9)}`, linkTemplate: '', active: true },
  }),
  'POST office/dispatch/courierFile': async (at) => ({
    query: { FYear },
    file: courierLines((await sent(at)).consignmentNo),
  }),
  'POST office/dispatch/labels': async () => ({
    body: { ids: [await aPacket({ schoolId: (await aTeacher()).schoolId })] },
  }),
  'POST office/dispatch/packingLists': async (at) => ({ body: { ids: [(await aPackedOne(at)).id] } }),
  'POST office/dispatch/saveSpares': async (at) => {
    const { rows = [] } = (await at
      .row<{ rows: { version: number }[] }>(
        `select coalesce(json_agg(json_build_object('version', version)), '[]') as rows from dispatch_spares where season = '${FYear}'`,
      )
      .catch(() => ({ rows: [] }))) as { rows: { version: number }[] }
    return { body: { FYear, percent: 5, minimum: 1, version: rows[0]?.version ?? 0 } }
  },
}

async function aPaperSchool(at: At) {
  const { schoolId } = await aPaidSchool(at.server, 1)
  return { FYear, eventYearId: (await eventOf('M')).id, schoolId, kind: 'attendance' }
}

async function papers(at: At, drained: boolean) {
  const { schoolId, FYear, eventYearId, kind } = await aPaperSchool(at)
  const { code } = await at.row<{ code: string }>(`select code from schools where id = ${schoolId}`)
  const { jobId } = await at.done('POST office/exams/start', {
    body: { FYear, eventYearId, kind, search: code },
  })
  if (drained) await at.drained()
  return jobId
}

let slots = 0
const hours = { from: '2026-12-30T04:30:00Z', to: '2026-12-30T05:30:00Z' }

async function aSlot(at: At) {
  const { id: eventYearId } = await eventOf('K')
  const from = new Date(Date.parse(hours.from) + ++slots * 7_200_000)
  const to = new Date(from.getTime() + 3_600_000)
  const body = { slotId: 0, eventYearId, from: from.toISOString(), to: to.toISOString(), places: 5 }
  const { slotId } = await at.done('POST office/schedules/slot', { body })
  return { slotId: Number(slotId), eventYearId }
}

/** Calls about exam papers, online exam hours and teachers' questions. */
export const examRecipes: Recipes = {
  'POST office/exams/print': async (at) => ({ body: await aPaperSchool(at) }),
  'POST ManageSchool/ExamPapers': async (at) => {
    const { teacher } = await aPaidSchool(at.server, 1)
    const { id } = await at.row<{ id: number }>(
      `select id from participations where school_id = ${teacher.schoolId} order by event_id limit 1`,
    )
    return { body: { eventManagementId: id, kind: 'attendance' }, as: teacher }
  },
  'POST office/exams/start': async (at) => {
    const { schoolId: _, ...body } = await aPaperSchool(at)
    return { body }
  },
  'POST office/exams/cancelJob': async (at) => ({ body: { jobId: await papers(at, false) } }),
  'POST office/exams/file': async (at) => ({ body: { jobId: await papers(at, true), classId: 7 } }),
  'POST office/schedules/slot': async () => ({
    body: { slotId: 0, eventYearId: (await eventOf('K')).id, ...hours, places: 5 },
  }),
  'POST office/schedules/deleteSlot': async (at) => ({
    body: { slotId: (await aSlot(at)).slotId, version: 1 },
  }),
  'POST office/schedules/deleteMany': async (at) => ({
    body: { slots: [{ id: (await aSlot(at)).slotId, version: 1 }] },
  }),
  'POST office/schedules/changeMany': async (at) => ({
    body: { slots: [{ id: (await aSlot(at)).slotId, version: 1 }], days: 1 },
  }),
  'POST office/schedules/assign': async (at) => {
    const { code } = await aWaitingSchool(1)
    return { body: { ...(await aSlot(at)), schCode: code } }
  },
  'POST office/schedules/tell': async (at) => {
    const { code } = await aWaitingSchool(1)
    const slot = await aSlot(at)
    await at.done('POST office/schedules/assign', { body: { ...slot, schCode: code } })
    return { body: { eventYearId: slot.eventYearId } }
  },
  'POST office/schedules/file': async () => {
    const { students } = await aWaitingSchool(1)
    const text = `End,Start,Exam Roll No,Exam Date\n11:30,10:30,${students[0]?.exam_roll_no},14/12/2026\n`
    return {
      query: { eventYearId: (await eventOf('K')).id },
      file: { name: 'hours.csv', bytes: bytes(text) },
    }
  },
  'POST office/questions/accept': async (at) => ({ body: await aQuestion(at) }),
  'POST office/questions/decline': async (at) => ({ body: { ...(await aQuestion(at)), reason: 'Known' } }),
  'POST office/questions/acceptMany': async (at) => ({ body: { questions: [await aQuestion(at)] } }),
  'POST office/questions/declineMany': async (at) => ({
    body: { questions: [await aQuestion(at)], reason: 'Known' },
  }),
}

async function aQuestion(at: At) {
  const options = { option1: '51', option2: '53', option3: '55', option4: '57', answer: 2 }
  const about = { FYear, classId: 7, eventLetter: 'M', chapter: 'Chapter01' }
  const body = { ...about, question: `Which is prime? ${randomInt(1e9)}`, ...options }
  const { id } = await at.done('POST ManageSchool/Save_TeacherQuestion', { body, as: await aTeacher() })
  return { id, version: 1 }
}

/** Creates an event in a season of its own, as the office sees it. */
async function anOwnEvent(at: At) {
  const label = await aSeasonOfItsOwn('preparing')
  const { id } = await at.row<{ id: number }>(
    `select id from events where season = '${label}' and letter = 'M' and level = 1`,
  )
  const { event, fees } = (await at.done('GET office/catalogue/event', { query: { eventYearId: id } })) as {
    event: Record<string, unknown> & { version: number }
    fees: Record<string, unknown>[]
  }
  const classes = fees.map(({ className: _, students: __, ...row }) => row)
  return { label, id, event, classes }
}

interface Plan {
  token: string
  feeDueOn: { to: string }
  resultsFrom: { to: string }
  dateChoiceDays: number
  share: object
  events: {
    eventLetter: string
    examLevel: number
    examMode: string
    closesOn: { to: string }
    firstDate: { to: string } | null
    secondDate: { to: string } | null
  }[]
}

async function opening(at: At) {
  const plan = (await at.done('GET office/catalogue/plan', { query: { from: FYear } })) as unknown as Plan
  const events = plan.events.map((event) => ({
    eventLetter: event.eventLetter,
    examLevel: event.examLevel,
    examMode: event.examMode,
    closesOn: event.closesOn.to,
    firstDate: event.firstDate?.to ?? '',
    secondDate: event.secondDate?.to ?? '',
  }))
  const days = { feeDueOn: plan.feeDueOn.to, resultsFrom: plan.resultsFrom.to }
  return {
    from: FYear,
    token: plan.token,
    ...days,
    dateChoiceDays: plan.dateChoiceDays,
    share: plan.share,
    events,
  }
}

/** Calls about seasons, prices and lists. */
export const catalogueRecipes: Recipes = {
  'GET office/catalogue/plan': () => ({ query: { from: FYear } }),
  'POST office/catalogue/open': async (at) => ({ body: await opening(at) }),
  'POST office/catalogue/season': async (at) => {
    const label = await aSeasonOfItsOwn('preparing')
    const row = await at.row<{ version: number; feeDueOn: string; resultsFrom: string; share: object }>(
      `select version, fee_due_on::text as "feeDueOn", results_from::text as "resultsFrom", share_rule as share
       from seasons where label = '${label}'`,
    )
    return { body: { FYear: label, dateChoiceDays: 30, ...row } }
  },
  'POST office/catalogue/state': async () => ({
    body: { FYear: await aSeasonOfItsOwn('preparing'), version: 1, state: 'open' },
  }),
  'POST office/catalogue/delete': async () => ({
    body: { FYear: await aSeasonOfItsOwn('preparing'), version: 1 },
  }),
  'POST office/catalogue/addEvent': async (at) => {
    const { label, event } = await anOwnEvent(at)
    return {
      body: {
        FYear: label,
        eventLetter: 'M',
        subjectName: 'Mathematics',
        littleStar: false,
        examLevel: 2,
        examMode: 'Offline',
        closesOn: event.closesOn,
        firstDate: event.firstDate,
        secondDate: event.secondDate,
        maximumMarks: 100,
      },
    }
  },
  'POST office/catalogue/saveEvent': async (at) => {
    const { id, event } = await anOwnEvent(at)
    const { version, examMode, closesOn, firstDate, secondDate, sections } = event
    return { body: { eventYearId: id, version, examMode, closesOn, firstDate, secondDate, sections } }
  },
  'POST office/catalogue/feesEffect': async (at) => {
    const { id, classes } = await anOwnEvent(at)
    return { body: { eventYearId: id, classes } }
  },
  'POST office/catalogue/saveFees': async (at) => {
    const { id, classes, event } = await anOwnEvent(at)
    const dearer = classes.map((row) => ({ ...row, fee: 999 }))
    return { body: { eventYearId: id, classes: dearer, version: event.version } }
  },
  'POST office/catalogue/saveLateFee': async (at) => {
    const { label, id, event } = await anOwnEvent(at)
    const events = [{ eventYearId: id, version: event.version }]
    return { body: { FYear: label, events, lateFrom: event.closesOn, lateFee: 20 } }
  },
  'POST office/catalogue/saveEntry': () => ({
    body: { kind: 'designations', id: 0, name: `Warden ${randomInt(1e9)}` },
  }),
  'POST office/catalogue/switchEntry': async (at) => {
    const { id } = await at.row<{ id: number }>('select max(id) as id from titles where active')
    return { body: { kind: 'titles', ...(await at.seen('titles', `id = ${id}`)), active: false } }
  },
  'POST office/catalogue/orderList': async (at) => {
    const { ids } = await at.row<{ ids: number[] }>('select json_agg(id order by id desc) as ids from zones')
    return { body: { kind: 'zones', ids } }
  },
}
