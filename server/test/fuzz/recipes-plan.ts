import { randomInt } from 'node:crypto'
import { anOfficer, aTeacher, eventOf, schoolCode, thisSeason } from '../factories.ts'
import { aCourier, aPacket, aPaidSchool, packed } from '../shipping-factories.ts'
import { aSeasonOfItsOwn, aWaitingSchool } from '../students-factories.ts'
import { textFile } from './ask.ts'
import type { RecipeContext, Recipes } from './world.ts'

/** Creates a parcel of books that is packed but not dispatched. */
async function aPackedOne(ctx: RecipeContext) {
  const { schoolId } = await aPaidSchool(ctx.server, 1)
  const officer = await anOfficer('operations')
  const ids = await packed(ctx.server, officer, schoolId)
  const { courierId } = await aCourier(ctx.server, officer)
  return { packetId: ids[0] ?? 0, ids, courierId }
}

async function aSentPacket(ctx: RecipeContext) {
  const packet = { ...(await aPackedOne(ctx)), consignmentNo: `NX${randomInt(1e6, 1e7)}` }
  await ctx.done('POST office/dispatch/send', packet)
  return packet
}

async function aDeliveredPacket(ctx: RecipeContext) {
  return { ids: (await aSentPacket(ctx)).ids, to: 'Delivered' }
}

async function packetVersion(ctx: RecipeContext, packetId: number) {
  const { version } = await ctx.seen('packets', packetId)
  return { packetId, version }
}

async function aSchoolToPackFor(ctx: RecipeContext) {
  const { schoolId } = await aPaidSchool(ctx.server, 1)
  return { contents: 'books', schoolId, search: await schoolCode(schoolId) }
}

async function aPackingJob(ctx: RecipeContext) {
  const { jobId } = await ctx.done('POST office/dispatch/packAll', await aSchoolToPackFor(ctx))
  return { jobId }
}

/** Calls about parcels. */
export const dispatchRecipes: Recipes = {
  'POST office/dispatch/pack': aSchoolToPackFor,
  'POST office/dispatch/packAll': aSchoolToPackFor,
  'GET office/dispatch/job': aPackingJob,
  'POST office/dispatch/cancelJob': aPackingJob,
  'POST office/dispatch/undoPacking': async (ctx) => {
    const job = await aPackingJob(ctx)
    await ctx.drained()
    return job
  },
  'POST office/dispatch/send': aPackedOne,
  'POST office/dispatch/saveCourier': async (ctx) => {
    const { packetId, courierId } = await aSentPacket(ctx)
    return { ...(await packetVersion(ctx, packetId)), courierId, consignmentNo: 'NX0418' }
  },
  'POST office/dispatch/move': aDeliveredPacket,
  'POST office/dispatch/undoMove': async (ctx) => {
    const { packets } = await ctx.done('POST office/dispatch/move', await aDeliveredPacket(ctx))
    return { packets }
  },
  'POST office/dispatch/resend': async (ctx) => {
    const { packetId, ids } = await aSentPacket(ctx)
    await ctx.done('POST office/dispatch/move', { ids, to: 'Returned' })
    return packetVersion(ctx, packetId)
  },
  'POST office/dispatch/cancel': async (ctx) => packetVersion(ctx, (await aPackedOne(ctx)).packetId),
  'POST office/dispatch/courier': () => ({
    courierId: 0,
    name: `Namuna ${randomInt(1e9)}`,
    linkTemplate: '',
    active: true,
  }),
  'POST office/dispatch/courierFile': async (ctx) => {
    const { consignmentNo } = await aSentPacket(ctx)
    const line = `Gate,DELIVERED,20/11/2026 14:30,${consignmentNo}`
    return { upload: textFile('courier.csv', `Remarks,Current Status,Date,AWB No\n${line}\n`) }
  },
  'POST office/dispatch/labels': async () => ({ ids: [await aPacket(await aTeacher())] }),
  'POST office/dispatch/packingLists': aPackedOne,
  'POST office/dispatch/saveSpares': (ctx) =>
    ctx.row(
      `select coalesce(max(version), 0) as version from dispatch_spares where season = '${thisSeason}'`,
    ),
}

async function aPaperSchool(ctx: RecipeContext) {
  const { schoolId } = await aPaidSchool(ctx.server, 1)
  return { eventYearId: (await eventOf('M')).id, schoolId, kind: 'attendance' }
}

async function aPapersJob(ctx: RecipeContext) {
  const { schoolId, ...papers } = await aPaperSchool(ctx)
  const search = await schoolCode(schoolId)
  const { jobId } = await ctx.done('POST office/exams/start', { ...papers, search })
  return { jobId }
}

let slots = 0
const hour = 3_600_000

async function hours() {
  const { id: eventYearId } = await eventOf('K')
  const from = Date.parse('2026-12-30T04:30:00Z') + 2 * hour * slots++
  const [start, end] = [from, from + hour].map((time) => new Date(time).toISOString())
  return { slotId: 0, eventYearId, from: start, to: end, places: 5 }
}

async function aSlot(ctx: RecipeContext) {
  const slot = await hours()
  const { slotId } = await ctx.done('POST office/schedules/slot', slot)
  return { slotId, eventYearId: slot.eventYearId }
}

async function someSlots(ctx: RecipeContext) {
  return { slots: [{ id: (await aSlot(ctx)).slotId, version: 1 }], days: 1 }
}

async function aSlotToAssign(ctx: RecipeContext) {
  return { ...(await aSlot(ctx)), schCode: (await aWaitingSchool(1)).code }
}

/** Calls about exam papers, online exam hours and teachers' questions. */
export const examRecipes: Recipes = {
  'POST office/exams/print': aPaperSchool,
  'POST ManageSchool/ExamPapers': async (ctx) => {
    const { teacher: caller } = await aPaidSchool(ctx.server, 1)
    const { id } = await ctx.row<{ id: number }>(
      `select id from participations where school_id = ${caller.schoolId} order by event_id limit 1`,
    )
    return { eventManagementId: id, kind: 'attendance', caller }
  },
  'POST office/exams/start': aPaperSchool,
  'POST office/exams/cancelJob': aPapersJob,
  'POST office/exams/file': async (ctx) => {
    const job = await aPapersJob(ctx)
    await ctx.drained()
    return job
  },
  'POST office/schedules/slot': hours,
  'POST office/schedules/deleteSlot': aSlot,
  'POST office/schedules/deleteMany': someSlots,
  'POST office/schedules/changeMany': someSlots,
  'POST office/schedules/assign': aSlotToAssign,
  'POST office/schedules/tell': async (ctx) => {
    const slot = await aSlotToAssign(ctx)
    await ctx.done('POST office/schedules/assign', slot)
    return { eventYearId: slot.eventYearId }
  },
  'POST office/schedules/file': async () => {
    const { students } = await aWaitingSchool(1)
    const text = `End,Start,Exam Roll No,Exam Date\n11:30,10:30,${students[0]?.exam_roll_no},14/12/2026\n`
    return { eventYearId: (await eventOf('K')).id, upload: textFile('hours.csv', text) }
  },
  'POST office/questions/accept': aQuestion,
  'POST office/questions/decline': aQuestion,
  'POST office/questions/acceptMany': someQuestions,
  'POST office/questions/declineMany': someQuestions,
}

async function aQuestion(ctx: RecipeContext) {
  const caller = await aTeacher()
  const { id } = await ctx.done('POST ManageSchool/Save_TeacherQuestion', { ...questionToSend(), caller })
  return { id, version: 1 }
}

async function someQuestions(ctx: RecipeContext) {
  return { questions: [await aQuestion(ctx)] }
}

export const questionToSend = () => ({
  chapter: 'Chapter01',
  question: `Which of these is prime? ${randomInt(1e9)}`,
  option1: '51',
  option2: '53',
  option3: '55',
  option4: '57',
  answer: 2,
})

/** Creates an event in a season of its own, as the office sees it. */
async function anOwnEvent(ctx: RecipeContext) {
  const label = await aSeasonOfItsOwn('preparing')
  const { id } = await ctx.row<{ id: number }>(
    `select id from events where season = '${label}' and letter = 'M' and level = 1`,
  )
  const { event, fees } = (await ctx.done('GET office/catalogue/event', { eventYearId: id })) as {
    event: { version: number; closesOn: string }
    fees: Record<string, unknown>[]
  }
  const classes = fees.map(({ className: _, students: __, ...row }) => row)
  return { ...event, FYear: label, eventYearId: id, classes }
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

async function opening(ctx: RecipeContext) {
  const plan = (await ctx.done('GET office/catalogue/plan', { from: thisSeason })) as unknown as Plan
  const events = plan.events.map(({ eventLetter, examLevel, examMode, closesOn, firstDate, secondDate }) => ({
    eventLetter,
    examLevel,
    examMode,
    closesOn: closesOn.to,
    firstDate: firstDate?.to ?? '',
    secondDate: secondDate?.to ?? '',
  }))
  const days = { feeDueOn: plan.feeDueOn.to, resultsFrom: plan.resultsFrom.to }
  return { ...plan, ...days, from: thisSeason, events }
}

async function aSeasonToOpen() {
  return { FYear: await aSeasonOfItsOwn('preparing'), state: 'open' }
}

/** Calls about seasons, prices and lists. */
export const catalogueRecipes: Recipes = {
  'GET office/catalogue/plan': () => ({ from: thisSeason }),
  'POST office/catalogue/open': opening,
  'POST office/catalogue/season': async (ctx) => {
    const { FYear } = await aSeasonToOpen()
    const row = await ctx.row<{ version: number; feeDueOn: string; resultsFrom: string; share: object }>(
      `select version, fee_due_on::text as "feeDueOn", results_from::text as "resultsFrom", share_rule as share
       from seasons where label = '${FYear}'`,
    )
    return { FYear, dateChoiceDays: 30, ...row }
  },
  'POST office/catalogue/state': aSeasonToOpen,
  'POST office/catalogue/delete': aSeasonToOpen,
  'POST office/catalogue/addEvent': async (ctx) => ({
    ...(await anOwnEvent(ctx)),
    littleStar: false,
    examLevel: 2,
    maximumMarks: 100,
  }),
  'POST office/catalogue/saveEvent': anOwnEvent,
  'POST office/catalogue/feesEffect': anOwnEvent,
  'POST office/catalogue/saveFees': async (ctx) => {
    const event = await anOwnEvent(ctx)
    return { ...event, classes: event.classes.map((row) => ({ ...row, fee: 999 })) }
  },
  'POST office/catalogue/saveLateFee': async (ctx) => {
    const { FYear, eventYearId, version, closesOn } = await anOwnEvent(ctx)
    return { FYear, events: [{ eventYearId, version }], lateFrom: closesOn, lateFee: 20 }
  },
  'POST office/catalogue/saveEntry': () => ({
    kind: 'designations',
    id: 0,
    name: `Warden ${randomInt(1e9)}`,
  }),
  'POST office/catalogue/switchEntry': async (ctx) => ({
    kind: 'titles',
    ...(await ctx.seen('titles', 'id = (select max(id) from titles where active)')),
    active: false,
  }),
  'POST office/catalogue/orderList': async (ctx) => ({
    kind: 'zones',
    ...(await ctx.row('select json_agg(id order by id desc) as ids from zones')),
  }),
}
