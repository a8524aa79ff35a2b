import { anOfficer, schoolCode } from '../factories.ts'
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
import { textFile } from './ask.ts'
import type { RecipeContext, Recipes } from './world.ts'

const bestTwo = {
  level: 2,
  classes: [7],
  clauses: [{ by: 'olympiad' as const, upToRank: 2, percent: 50, minimumPool: 0 }],
}
const terms = { answerBy: '2026-12-15' }

/** Creates an event with results and an officer's list of students for the next level. */
async function aRound(ctx: RecipeContext) {
  const world = await aReleasedEvent(ctx.server, { rules: { nextLevel: bestTwo } })
  const caller = await anOfficer('results')
  const eventYearId = world.event.id
  await ctx.done('POST office/nextLevel/make', { eventYearId, ...terms, caller })
  return { ...world, eventYearId, caller, asha: world.students[0]?.id ?? 0 }
}

async function seenRound(ctx: RecipeContext, { eventYearId }: Awaited<ReturnType<typeof aRound>>) {
  return ctx.row<{ eventYearId: number; version: number }>(
    `select event_id as "eventYearId", version from next_level_rounds where event_id = ${eventYearId}`,
  )
}

async function anApprovedRound(ctx: RecipeContext) {
  const round = await aRound(ctx)
  await ctx.done('POST office/nextLevel/approve', await seenRound(ctx, round))
  return round
}

/** Creates a round whose invitations were sent. */
export async function aSentRound(ctx: RecipeContext) {
  const round = await anApprovedRound(ctx)
  await ctx.done('POST office/nextLevel/send', { ...(await seenRound(ctx, round)), caller: round.caller })
  await ctx.drained()
  return round
}

/** Creates one student in an event of its own, with a file of marks. */
async function aCandidate() {
  const event = await anEvent()
  const [student] = await candidates(event, [{}])
  const roll = student?.roll ?? ''
  return { event, roll, schoolId: student?.school_id ?? 0, rows: [{ roll, marks: [1, 1, 1] }] }
}

async function anImportedSet(ctx: RecipeContext) {
  const { event, rows } = await aCandidate()
  const { setId, jobId } = await importRows(ctx.server, event, rows)
  return { setId, jobId }
}

/** Creates a computed version; returns it with its event and its one student. */
async function aComputedSet(ctx: RecipeContext) {
  const { event, rows, roll, schoolId } = await aCandidate()
  const { setId } = await computeRows(ctx.server, event, rows)
  return { eventYearId: event.id, setId, search: roll, schCode: await schoolCode(schoolId) }
}

const asShownIn = async (ctx: RecipeContext, { setId }: { setId: number }) => asShown(ctx.server, setId)

/** Creates a trial of changed rules for an event. */
async function aTrial(ctx: RecipeContext) {
  const { eventYearId } = await aComputedSet(ctx)
  const { versions } = (await ctx.done('GET office/results/rules', { eventYearId })) as {
    versions: { rules: object }[]
  }
  return { eventYearId, rules: versions[0]?.rules, on: 'event' }
}

async function certificatesToPrint(ctx: RecipeContext) {
  return { eventYearId: (await aReleasedEvent(ctx.server)).event.id, as: 'zip' }
}

async function aCertificatesJob(ctx: RecipeContext) {
  const { jobId } = await ctx.done('POST office/results/startCertificates', await certificatesToPrint(ctx))
  return { jobId }
}

/** Creates a version with a problem; returns it with the marks that mend it. */
async function anAnomaly(ctx: RecipeContext) {
  const { setId, event } = await importWithStrangers(ctx.server)
  const [student] = await candidates(event, [{}])
  const { anomalyId } = await ctx.row<{ anomalyId: number }>(
    `select min(id) as "anomalyId" from result_anomalies where set_id = ${setId}`,
  )
  return { setId, anomalyId, anomalyIds: [anomalyId], row: marksFor(student), format: 'csv' }
}

const marksFor = (student: { roll: string } | undefined) => ({
  nioRollNo: student?.roll ?? '',
  present: true,
  marks: [9, 9, 9],
})

async function aHold(ctx: RecipeContext) {
  const { event, school } = await aReleasedEvent(ctx.server)
  return { eventYearId: event.id, schCode: school.code }
}

/** Calls about marks, versions, rules, certificates and the next level, in the office. */
export const resultDeskRecipes: Recipes = {
  'POST office/results/import': async () => {
    const { event, rows } = await aCandidate()
    return { eventYearId: event.id, upload: textFile('marks.csv', marksCsv(event, rows)) }
  },
  'POST office/results/compute': anImportedSet,
  'POST office/results/approve': async (ctx) => asShownIn(ctx, await aComputedSet(ctx)),
  'POST office/results/release': async (ctx) => {
    const set = await aComputedSet(ctx)
    await ctx.done('POST office/results/approve', await asShownIn(ctx, set))
    return asShownIn(ctx, set)
  },
  'POST office/results/withdraw': async (ctx) => {
    const { event, rows } = await aCandidate()
    return { setId: (await releaseRows(ctx.server, event, rows, '2026-12-20T04:30:00Z')).setId }
  },
  'GET office/results/candidates': aComputedSet,
  'POST office/results/correctRow': anAnomaly,
  'POST office/results/resolve': anAnomaly,
  'POST office/results/reopen': async (ctx) => {
    const anomaly = await anAnomaly(ctx)
    await ctx.done('POST office/results/resolve', anomaly)
    return anomaly
  },
  'POST office/results/hold': aHold,
  'POST office/results/unhold': async (ctx) => {
    const hold = await aHold(ctx)
    await ctx.done('POST office/results/hold', hold)
    return hold
  },
  'POST office/results/correct': async (ctx) => {
    const { event, students } = await aReleasedEvent(ctx.server)
    return { eventYearId: event.id, rows: [marksFor(students[0])] }
  },
  'POST office/results/decidePapers': async (ctx) => {
    const set = await aComputedSet(ctx)
    await ctx.row(`update result_sets set papers_differ = true where id = ${set.setId} returning id`)
    return asShownIn(ctx, set)
  },
  'GET office/results/previewSchools': async (ctx) => ({ setId: (await aComputedSet(ctx)).setId }),
  'GET office/results/schoolPreview': aComputedSet,
  'GET office/results/previewCorrections': aComputedSet,
  'POST office/results/saveRules': async (ctx) => {
    const trial = await aTrial(ctx)
    const version = await ctx.row<{ rulesVersion: number }>(
      `select rules_version as "rulesVersion" from events where id = ${trial.eventYearId}`,
    )
    return { ...trial, ...version }
  },
  'POST office/results/whatIf': aTrial,
  'GET office/results/whatIf': async (ctx) => {
    const { jobId } = await ctx.done('POST office/results/whatIf', await aTrial(ctx))
    await ctx.drained()
    return { jobId }
  },
  'POST office/results/startCertificates': certificatesToPrint,
  'POST office/results/cancelCertificates': aCertificatesJob,
  'POST office/results/certificateFile': async (ctx) => {
    const { jobId } = await aCertificatesJob(ctx)
    await ctx.drained()
    return { jobId, part: 0 }
  },
  'POST office/results/packetCertificates': (ctx) =>
    ctx.row(`select min(packet_id) as "packetId" from packet_awards where kind = 'certificate'`),
  'POST office/results/exportAnomalies': anAnomaly,
  'POST office/results/exportPreview': async (ctx) => ({ setId: (await aReleasedEvent(ctx.server)).setId }),
  'POST office/nextLevel/make': async (ctx) => {
    const { event } = await aReleasedEvent(ctx.server, { rules: { nextLevel: bestTwo } })
    return { eventYearId: event.id, ...terms }
  },
  'POST office/nextLevel/save': async (ctx) => ({ ...(await seenRound(ctx, await aRound(ctx))), ...terms }),
  'POST office/nextLevel/decide': async (ctx) => {
    const round = await aRound(ctx)
    return { ...(await seenRound(ctx, round)), studentIds: [round.asha], as: 'leave' }
  },
  'POST office/nextLevel/approve': async (ctx) => seenRound(ctx, await aRound(ctx)),
  'POST office/nextLevel/send': async (ctx) => seenRound(ctx, await anApprovedRound(ctx)),
  'POST office/nextLevel/remind': async (ctx) => ({ eventYearId: (await aSentRound(ctx)).eventYearId }),
  'POST office/nextLevel/takeOver': async (ctx) => {
    const round = await newerResults(ctx)
    const visible = await ctx.row<{ visibleVersion: number }>(
      `select max(version) as "visibleVersion" from result_sets where event_id = ${round.eventYearId}`,
    )
    return { ...(await seenRound(ctx, round)), ...visible }
  },
  'GET office/nextLevel/difference': async (ctx) => ({ eventYearId: (await newerResults(ctx)).eventYearId }),
  'GET office/nextLevel/mail': async (ctx) => ({
    eventYearId: (await aRound(ctx)).eventYearId,
    kind: 'invitation',
  }),
}

/** Creates a list whose results were released again after it was made. */
async function newerResults(ctx: RecipeContext) {
  const round = await aRound(ctx)
  const rows = round.rows.map((row, index) => (index === 0 ? { ...row, marks: [0, 0, 1] } : row))
  await releaseRows(ctx.server, round.event, rows)
  return round
}
