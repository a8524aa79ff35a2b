import { anOfficer } from '../factories.ts'
import {
  anEvent,
  aReleasedEvent,
  asShown,
  candidates,
  computeRows,
  importRows,
  importWithStrangers,
  marksCsv,
  releaseRows,
} from '../results-factories.ts'
import type { RecipeContext, Recipes } from './world.ts'

const bestTwo = {
  level: 2,
  classes: [7],
  clauses: [{ by: 'olympiad' as const, upToRank: 2, percent: 50, minimumPool: 0 }],
}
const terms = { answerBy: '2026-12-15', note: 'The exam is held in Namunapur.' }

/** Creates an event with results and an officer's list of students for the next level. */
async function aRound(ctx: RecipeContext) {
  const world = await aReleasedEvent(ctx.server, { rules: { nextLevel: bestTwo } })
  const as = await anOfficer('results')
  const eventYearId = world.event.id
  await ctx.done('POST office/nextLevel/make', { body: { eventYearId, ...terms }, as })
  return { ...world, eventYearId, as, asha: world.students[0]?.id ?? 0 }
}
type Round = Awaited<ReturnType<typeof aRound>>

async function seenRound(ctx: RecipeContext, { eventYearId }: Round) {
  const { version } = await ctx.row<{ version: number }>(
    `select version from next_level_rounds where event_id = ${eventYearId}`,
  )
  return { eventYearId, version }
}

async function anApprovedRound(ctx: RecipeContext) {
  const round = await aRound(ctx)
  await ctx.done('POST office/nextLevel/approve', { body: await seenRound(ctx, round) })
  return round
}

/** Creates a round whose invitations were sent. */
export async function aSentRound(ctx: RecipeContext) {
  const round = await anApprovedRound(ctx)
  await ctx.done('POST office/nextLevel/send', { body: await seenRound(ctx, round), as: round.as })
  await ctx.drained()
  return round
}

/** Creates one student in an event of its own, with a file of marks. */
async function aCandidate() {
  const event = await anEvent()
  const [student] = await candidates(event, [{}])
  const rows = [{ roll: student?.roll ?? '', marks: [1, 1, 1] }]
  return { event, student, rows }
}

async function imported(ctx: RecipeContext) {
  const { event, rows } = await aCandidate()
  return { event, ...(await importRows(ctx.server, event, rows)) }
}

async function computed(ctx: RecipeContext) {
  const { event, rows, student } = await aCandidate()
  return { event, student, ...(await computeRows(ctx.server, event, rows)) }
}

async function anApprovedSet(ctx: RecipeContext) {
  const { setId } = await computed(ctx)
  await ctx.done('POST office/results/approve', { body: await asShown(ctx.server, setId) })
  return setId
}

/** Creates a trial of changed rules for an event. */
async function aTrial(ctx: RecipeContext) {
  const { event } = await computed(ctx)
  const { versions } = (await ctx.done('GET office/results/rules', { query: { eventYearId: event.id } })) as {
    versions: { rules: object }[]
  }
  return { eventYearId: event.id, rules: versions[0]?.rules, on: 'event' }
}

async function aCertificatesJob(ctx: RecipeContext) {
  const { event } = await aReleasedEvent(ctx.server)
  const { jobId } = await ctx.done('POST office/results/startCertificates', {
    body: { eventYearId: event.id, as: 'zip' },
  })
  return jobId
}

async function anAnomaly(ctx: RecipeContext) {
  const { setId } = await importWithStrangers(ctx.server)
  const { id } = await ctx.row<{ id: number }>(
    `select min(id) as id from result_anomalies where set_id = ${setId}`,
  )
  return { setId, anomalyIds: [id] }
}

/** Returns the code of the school of an event's one student. */
const codeOf = (ctx: RecipeContext, schoolId: number | undefined) =>
  ctx.row<{ schCode: string }>(`select code as "schCode" from schools where id = ${schoolId ?? 0}`)

async function aHold(ctx: RecipeContext) {
  const { event, school } = await aReleasedEvent(ctx.server)
  return { eventYearId: event.id, schCode: school.code, reason: 'A question about the exam' }
}

/** Calls about marks, versions, rules, certificates and the next level, in the office. */
export const resultDeskRecipes: Recipes = {
  'POST office/results/import': async () => {
    const { event, rows } = await aCandidate()
    const file = { name: 'marks.csv', bytes: new TextEncoder().encode(marksCsv(event, rows)) }
    return { query: { eventYearId: event.id }, file }
  },
  'GET office/results/job': async (ctx) => ({ query: { jobId: (await imported(ctx)).jobId } }),
  'POST office/results/compute': async (ctx) => ({ body: { setId: (await imported(ctx)).setId } }),
  'POST office/results/approve': async (ctx) => ({
    body: await asShown(ctx.server, (await computed(ctx)).setId),
  }),
  'POST office/results/release': async (ctx) => ({
    body: await asShown(ctx.server, await anApprovedSet(ctx)),
  }),
  'POST office/results/withdraw': async (ctx) => {
    const { event, rows } = await aCandidate()
    return { body: { setId: (await releaseRows(ctx.server, event, rows, '2026-12-20T04:30:00Z')).setId } }
  },
  'GET office/results/candidates': async (ctx) => {
    const { event, student } = await computed(ctx)
    return { query: { eventYearId: event.id, search: student?.roll ?? '' } }
  },
  'POST office/results/correctRow': async (ctx) => {
    const { event, setId } = await importWithStrangers(ctx.server)
    const [student] = await candidates(event, [{}])
    const { id } = await ctx.row<{ id: number }>(
      `select min(id) as id from result_anomalies where set_id = ${setId}`,
    )
    const row = { nioRollNo: student?.roll ?? '', present: true, marks: [9, 9, 9] }
    return { body: { setId, anomalyId: id, row, note: 'A slip of the pen' } }
  },
  'POST office/results/resolve': async (ctx) => ({ body: { ...(await anAnomaly(ctx)), note: 'Looked at' } }),
  'POST office/results/reopen': async (ctx) => {
    const body = await anAnomaly(ctx)
    await ctx.done('POST office/results/resolve', { body: { ...body, note: 'Looked at' } })
    return { body: { ...body, reason: 'A slip of the pen' } }
  },
  'POST office/results/hold': async (ctx) => ({ body: await aHold(ctx) }),
  'POST office/results/unhold': async (ctx) => {
    const body = await aHold(ctx)
    await ctx.done('POST office/results/hold', { body })
    return { body: { eventYearId: body.eventYearId, schCode: body.schCode } }
  },
  'POST office/results/correct': async (ctx) => {
    const { event, students } = await aReleasedEvent(ctx.server)
    const row = { nioRollNo: students[0]?.roll ?? '', present: true, marks: [9, 9, 9] }
    return { body: { eventYearId: event.id, reason: 'Question 7 had two right answers.', rows: [row] } }
  },
  'POST office/results/decidePapers': async (ctx) => {
    const { setId } = await computed(ctx)
    await ctx.row(`update result_sets set papers_differ = true where id = ${setId} returning id`)
    return { body: { ...(await asShown(ctx.server, setId)), note: 'The second paper was harder' } }
  },
  'GET office/results/previewSchools': async (ctx) => ({ query: { setId: (await computed(ctx)).setId } }),
  'GET office/results/schoolPreview': async (ctx) => {
    const { setId, student } = await computed(ctx)
    return { query: { setId, ...(await codeOf(ctx, student?.school_id)) } }
  },
  'GET office/results/previewCorrections': async (ctx) => {
    const { setId, student } = await computed(ctx)
    return { query: { setId, ...(await codeOf(ctx, student?.school_id)) } }
  },
  'POST office/results/saveRules': async (ctx) => {
    const { eventYearId, rules } = await aTrial(ctx)
    const { rulesVersion } = await ctx.row<{ rulesVersion: number }>(
      `select rules_version as "rulesVersion" from events where id = ${eventYearId}`,
    )
    return { body: { eventYearId, rules, rulesVersion, note: 'As decided' } }
  },
  'POST office/results/whatIf': async (ctx) => ({ body: await aTrial(ctx) }),
  'GET office/results/whatIf': async (ctx) => {
    const { jobId } = await ctx.done('POST office/results/whatIf', { body: await aTrial(ctx) })
    await ctx.drained()
    return { query: { jobId } }
  },
  'POST office/results/startCertificates': async (ctx) => ({
    body: { eventYearId: (await aReleasedEvent(ctx.server)).event.id },
  }),
  'POST office/results/cancelCertificates': async (ctx) => ({ body: { jobId: await aCertificatesJob(ctx) } }),
  'POST office/results/certificateFile': async (ctx) => {
    const jobId = await aCertificatesJob(ctx)
    await ctx.drained()
    return { body: { jobId, part: 0 } }
  },
  'POST office/results/packetCertificates': async (ctx) => {
    const { id } = await ctx.row<{ id: number }>(
      `select packet_id as id from packet_awards where kind = 'certificate' order by 1 limit 1`,
    )
    return { body: { packetId: id } }
  },
  'POST office/results/exportAnomalies': async (ctx) => ({
    body: { setId: (await anAnomaly(ctx)).setId, format: 'csv' },
  }),
  'POST office/results/exportPreview': async (ctx) => ({
    body: { setId: (await aReleasedEvent(ctx.server)).setId, format: 'csv' },
  }),
  'POST office/nextLevel/make': async (ctx) => {
    const { event } = await aReleasedEvent(ctx.server, { rules: { nextLevel: bestTwo } })
    return { body: { eventYearId: event.id, ...terms } }
  },
  'POST office/nextLevel/save': async (ctx) => ({
    body: { ...(await seenRound(ctx, await aRound(ctx))), ...terms },
  }),
  'POST office/nextLevel/decide': async (ctx) => {
    const round = await aRound(ctx)
    const decision = { studentIds: [round.asha], as: 'leave', reason: 'Seen by the committee.' }
    return { body: { ...(await seenRound(ctx, round)), ...decision } }
  },
  'POST office/nextLevel/approve': async (ctx) => ({ body: await seenRound(ctx, await aRound(ctx)) }),
  'POST office/nextLevel/send': async (ctx) => ({ body: await seenRound(ctx, await anApprovedRound(ctx)) }),
  'POST office/nextLevel/remind': async (ctx) => ({
    body: { eventYearId: (await aSentRound(ctx)).eventYearId },
  }),
  'POST office/nextLevel/takeOver': async (ctx) => {
    const round = await newerResults(ctx)
    const { visibleVersion } = await ctx.row<{ visibleVersion: number }>(
      `select max(version) as "visibleVersion" from result_sets where event_id = ${round.eventYearId}`,
    )
    return { body: { ...(await seenRound(ctx, round)), visibleVersion } }
  },
  'GET office/nextLevel/difference': async (ctx) => ({
    query: { eventYearId: (await newerResults(ctx)).eventYearId },
  }),
  'GET office/nextLevel/mail': async (ctx) => ({
    query: { eventYearId: (await aRound(ctx)).eventYearId, kind: 'invitation' },
  }),
}

/** Creates a list whose results were released again after it was made. */
async function newerResults(ctx: RecipeContext) {
  const round = await aRound(ctx)
  const rows = round.rows.map((row, index) => (index === 0 ? { ...row, marks: [0, 0, 1] } : row))
  await releaseRows(ctx.server, round.event, rows)
  return round
}
