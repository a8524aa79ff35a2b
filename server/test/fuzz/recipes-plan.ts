import { randomInt } from 'node:crypto'
import { anOfficer, aTeacher, eventOf, thisSeason } from '../factories.ts'
import { aCourier, aPacket, aPaidSchool, packed } from '../shipping-factories.ts'
import { aSeasonOfItsOwn, aWaitingSchool } from '../students-factories.ts'
import type { RecipeContext, Recipes } from './world.ts'

const FYear = thisSeason
const bytes = (text: string) => new TextEncoder().encode(text)

/** Creates a parcel of books that is packed but not dispatched. */
async function aPackedOne(ctx: RecipeContext) {
  const { schoolId } = await aPaidSchool(ctx.server, 1)
  const officer = await anOfficer('operations')
  const [id] = await packed(ctx.server, officer, schoolId)
  const { courierId, name } = await aCourier(ctx.server, officer)
  return { schoolId, id: id ?? 0, courierId, name }
}

async function aSentPacket(ctx: RecipeContext) {
  const { id, courierId } = await aPackedOne(ctx)
  const consignmentNo = `NX${randomInt(1e6, 1e7)}`
  await ctx.done('POST office/dispatch/send', { body: { ids: [id], courierId, consignmentNo } })
  return { id, consignmentNo, courierId }
}

async function versionOf(ctx: RecipeContext, id: number) {
  const { version } = await ctx.seen('packets', `id = ${id}`)
  return { packetId: id, version }
}

const courierLines = (consignmentNo: string) => ({
  name: 'courier.csv',
  bytes: bytes(`Remarks,Current Status,Date,AWB No\nGate,DELIVERED,20/11/2026 14:30,${consignmentNo}\n`),
})

async function packing(ctx: RecipeContext) {
  const { code } = await ctx.row<{ code: string }>(
    `select code from schools where id = ${(await aPaidSchool(ctx.server, 1)).schoolId}`,
  )
  const { jobId } = await ctx.done('POST office/dispatch/packAll', {
    body: { FYear, contents: 'books', search: code },
  })
  return jobId
}

/** Calls about parcels. */
export const dispatchRecipes: Recipes = {
  'POST office/dispatch/pack': async (ctx) => ({
    body: { FYear, contents: 'books', schoolId: (await aPaidSchool(ctx.server, 1)).schoolId },
  }),
  'POST office/dispatch/packAll': async (ctx) => {
    const { schoolId } = await aPaidSchool(ctx.server, 1)
    const { code } = await ctx.row<{ code: string }>(`select code from schools where id = ${schoolId}`)
    return { body: { FYear, contents: 'books', search: code } }
  },
  'GET office/dispatch/job': async (ctx) => ({ query: { jobId: await packing(ctx) } }),
  'POST office/dispatch/cancelJob': async (ctx) => ({ body: { jobId: await packing(ctx) } }),
  'POST office/dispatch/undoPacking': async (ctx) => {
    const jobId = await packing(ctx)
    await ctx.drained()
    return { body: { jobId } }
  },
  'POST office/dispatch/send': async (ctx) => {
    const { id, courierId } = await aPackedOne(ctx)
    return { body: { ids: [id], courierId } }
  },
  'POST office/dispatch/saveCourier': async (ctx) => {
    const { id, courierId } = await aSentPacket(ctx)
    return { body: { ...(await versionOf(ctx, id)), courierId, consignmentNo: 'NX0418' } }
  },
  'POST office/dispatch/move': async (ctx) => ({
    body: { ids: [(await aSentPacket(ctx)).id], to: 'Delivered' },
  }),
  'POST office/dispatch/undoMove': async (ctx) => {
    const { packets } = await ctx.done('POST office/dispatch/move', {
      body: { ids: [(await aSentPacket(ctx)).id], to: 'Delivered' },
    })
    return { body: { packets } }
  },
  'POST office/dispatch/resend': async (ctx) => {
    const { id } = await aSentPacket(ctx)
    await ctx.done('POST office/dispatch/move', { body: { ids: [id], to: 'Returned' } })
    return { body: { ...(await versionOf(ctx, id)), remark: 'Open again' } }
  },
  'POST office/dispatch/cancel': async (ctx) => ({
    body: { ...(await versionOf(ctx, (await aPackedOne(ctx)).id)), remark: 'Wrong class' },
  }),
  'POST office/dispatch/courier': () => ({
    body: { courierId: 0, name: `Namuna ${randomInt(1e9)}`, linkTemplate: '', active: true },
  }),
  'POST office/dispatch/courierFile': async (ctx) => ({
    query: { FYear },
    file: courierLines((await aSentPacket(ctx)).consignmentNo),
  }),
  'POST office/dispatch/labels': async () => ({
    body: { ids: [await aPacket({ schoolId: (await aTeacher()).schoolId })] },
  }),
  'POST office/dispatch/packingLists': async (ctx) => ({ body: { ids: [(await aPackedOne(ctx)).id] } }),
  'POST office/dispatch/saveSpares': async (ctx) => {
    const { rows = [] } = (await ctx
      .row<{ rows: { version: number }[] }>(
        `select coalesce(json_agg(json_build_object('version', version)), '[]') as rows from dispatch_spares where season = '${FYear}'`,
      )
      .catch(() => ({ rows: [] }))) as { rows: { version: number }[] }
    return { body: { FYear, percent: 5, minimum: 1, version: rows[0]?.version ?? 0 } }
  },
}

async function aPaperSchool(ctx: RecipeContext) {
  const { schoolId } = await aPaidSchool(ctx.server, 1)
  return { FYear, eventYearId: (await eventOf('M')).id, schoolId, kind: 'attendance' }
}

async function aPapersJob(ctx: RecipeContext, drained: boolean) {
  const { schoolId, FYear, eventYearId, kind } = await aPaperSchool(ctx)
  const { code } = await ctx.row<{ code: string }>(`select code from schools where id = ${schoolId}`)
  const { jobId } = await ctx.done('POST office/exams/start', {
    body: { FYear, eventYearId, kind, search: code },
  })
  if (drained) await ctx.drained()
  return jobId
}

let slots = 0
const hours = { from: '2026-12-30T04:30:00Z', to: '2026-12-30T05:30:00Z' }

async function aSlot(ctx: RecipeContext) {
  const { id: eventYearId } = await eventOf('K')
  const from = new Date(Date.parse(hours.from) + ++slots * 7_200_000)
  const to = new Date(from.getTime() + 3_600_000)
  const body = { slotId: 0, eventYearId, from: from.toISOString(), to: to.toISOString(), places: 5 }
  const { slotId } = await ctx.done('POST office/schedules/slot', { body })
  return { slotId: Number(slotId), eventYearId }
}

/** Calls about exam papers, online exam hours and teachers' questions. */
export const examRecipes: Recipes = {
  'POST office/exams/print': async (ctx) => ({ body: await aPaperSchool(ctx) }),
  'POST ManageSchool/ExamPapers': async (ctx) => {
    const { teacher } = await aPaidSchool(ctx.server, 1)
    const { id } = await ctx.row<{ id: number }>(
      `select id from participations where school_id = ${teacher.schoolId} order by event_id limit 1`,
    )
    return { body: { eventManagementId: id, kind: 'attendance' }, as: teacher }
  },
  'POST office/exams/start': async (ctx) => {
    const { schoolId: _, ...body } = await aPaperSchool(ctx)
    return { body }
  },
  'POST office/exams/cancelJob': async (ctx) => ({ body: { jobId: await aPapersJob(ctx, false) } }),
  'POST office/exams/file': async (ctx) => ({ body: { jobId: await aPapersJob(ctx, true), classId: 7 } }),
  'POST office/schedules/slot': async () => ({
    body: { slotId: 0, eventYearId: (await eventOf('K')).id, ...hours, places: 5 },
  }),
  'POST office/schedules/deleteSlot': async (ctx) => ({
    body: { slotId: (await aSlot(ctx)).slotId, version: 1 },
  }),
  'POST office/schedules/deleteMany': async (ctx) => ({
    body: { slots: [{ id: (await aSlot(ctx)).slotId, version: 1 }] },
  }),
  'POST office/schedules/changeMany': async (ctx) => ({
    body: { slots: [{ id: (await aSlot(ctx)).slotId, version: 1 }], days: 1 },
  }),
  'POST office/schedules/assign': async (ctx) => {
    const { code } = await aWaitingSchool(1)
    return { body: { ...(await aSlot(ctx)), schCode: code } }
  },
  'POST office/schedules/tell': async (ctx) => {
    const { code } = await aWaitingSchool(1)
    const slot = await aSlot(ctx)
    await ctx.done('POST office/schedules/assign', { body: { ...slot, schCode: code } })
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
  'POST office/questions/accept': async (ctx) => ({ body: await aQuestion(ctx) }),
  'POST office/questions/decline': async (ctx) => ({ body: { ...(await aQuestion(ctx)), reason: 'Known' } }),
  'POST office/questions/acceptMany': async (ctx) => ({ body: { questions: [await aQuestion(ctx)] } }),
  'POST office/questions/declineMany': async (ctx) => ({
    body: { questions: [await aQuestion(ctx)], reason: 'Known' },
  }),
}

async function aQuestion(ctx: RecipeContext) {
  const options = { option1: '51', option2: '53', option3: '55', option4: '57', answer: 2 }
  const about = { FYear, classId: 7, eventLetter: 'M', chapter: 'Chapter01' }
  const body = { ...about, question: `Which is prime? ${randomInt(1e9)}`, ...options }
  const { id } = await ctx.done('POST ManageSchool/Save_TeacherQuestion', { body, as: await aTeacher() })
  return { id, version: 1 }
}

/** Creates an event in a season of its own, as the office sees it. */
async function anOwnEvent(ctx: RecipeContext) {
  const label = await aSeasonOfItsOwn('preparing')
  const { id } = await ctx.row<{ id: number }>(
    `select id from events where season = '${label}' and letter = 'M' and level = 1`,
  )
  const { event, fees } = (await ctx.done('GET office/catalogue/event', { query: { eventYearId: id } })) as {
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

async function opening(ctx: RecipeContext) {
  const plan = (await ctx.done('GET office/catalogue/plan', { query: { from: FYear } })) as unknown as Plan
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
  'POST office/catalogue/open': async (ctx) => ({ body: await opening(ctx) }),
  'POST office/catalogue/season': async (ctx) => {
    const label = await aSeasonOfItsOwn('preparing')
    const row = await ctx.row<{ version: number; feeDueOn: string; resultsFrom: string; share: object }>(
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
  'POST office/catalogue/addEvent': async (ctx) => {
    const { label, event } = await anOwnEvent(ctx)
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
  'POST office/catalogue/saveEvent': async (ctx) => {
    const { id, event } = await anOwnEvent(ctx)
    const { version, examMode, closesOn, firstDate, secondDate, sections } = event
    return { body: { eventYearId: id, version, examMode, closesOn, firstDate, secondDate, sections } }
  },
  'POST office/catalogue/feesEffect': async (ctx) => {
    const { id, classes } = await anOwnEvent(ctx)
    return { body: { eventYearId: id, classes } }
  },
  'POST office/catalogue/saveFees': async (ctx) => {
    const { id, classes, event } = await anOwnEvent(ctx)
    const dearer = classes.map((row) => ({ ...row, fee: 999 }))
    return { body: { eventYearId: id, classes: dearer, version: event.version } }
  },
  'POST office/catalogue/saveLateFee': async (ctx) => {
    const { label, id, event } = await anOwnEvent(ctx)
    const events = [{ eventYearId: id, version: event.version }]
    return { body: { FYear: label, events, lateFrom: event.closesOn, lateFee: 20 } }
  },
  'POST office/catalogue/saveEntry': () => ({
    body: { kind: 'designations', id: 0, name: `Warden ${randomInt(1e9)}` },
  }),
  'POST office/catalogue/switchEntry': async (ctx) => {
    const { id } = await ctx.row<{ id: number }>('select max(id) as id from titles where active')
    return { body: { kind: 'titles', ...(await ctx.seen('titles', `id = ${id}`)), active: false } }
  },
  'POST office/catalogue/orderList': async (ctx) => {
    const { ids } = await ctx.row<{ ids: number[] }>('select json_agg(id order by id desc) as ids from zones')
    return { body: { kind: 'zones', ids } }
  },
}
