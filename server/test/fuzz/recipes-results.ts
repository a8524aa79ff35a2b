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
import type { At, Recipes } from './world.ts'

const bestTwo = {
  level: 2,
  classes: [7],
  clauses: [{ by: 'olympiad' as const, upToRank: 2, percent: 50, minimumPool: 0 }],
}
const terms = { answerBy: '2026-12-15', note: 'The exam is held in Namunapur.' }

/** Creates an event with results and an officer's list of students for the next level. */
async function aRound(at: At) {
  const world = await aReleasedEvent(at.server, { rules: { nextLevel: bestTwo } })
  const as = await anOfficer('results')
  const eventYearId = world.event.id
  await at.done('POST office/nextLevel/make', { body: { eventYearId, ...terms }, as })
  return { ...world, eventYearId, as, asha: world.students[0]?.id ?? 0 }
}
type Round = Awaited<ReturnType<typeof aRound>>

async function seen(at: At, { eventYearId }: Round) {
  const { version } = await at.row<{ version: number }>(
    `select version from next_level_rounds where event_id = ${eventYearId}`,
  )
  return { eventYearId, version }
}

async function approved(at: At) {
  const round = await aRound(at)
  await at.done('POST office/nextLevel/approve', { body: await seen(at, round) })
  return round
}

/** Creates a round whose invitations were sent. */
export async function aSentRound(at: At) {
  const round = await approved(at)
  await at.done('POST office/nextLevel/send', { body: await seen(at, round), as: round.as })
  await at.drained()
  return round
}

/** Creates one student in an event of its own, with a file of marks. */
async function aCandidate() {
  const event = await anEvent()
  const [student] = await candidates(event, [{}])
  const rows = [{ roll: student?.roll ?? '', marks: [1, 1, 1] }]
  return { event, student, rows }
}

async function imported(at: At) {
  const { event, rows } = await aCandidate()
  return { event, ...(await importRows(at.server, event, rows)) }
}

async function computed(at: At) {
  const { event, rows, student } = await aCandidate()
  return { event, student, ...(await computeRows(at.server, event, rows)) }
}

async function approvedSet(at: At) {
  const { setId } = await computed(at)
  await at.done('POST office/results/approve', { body: await asShown(at.server, setId) })
  return setId
}

/** Creates a trial of changed rules for an event. */
async function aTrial(at: At) {
  const { event } = await computed(at)
  const { versions } = (await at.done('GET office/results/rules', { query: { eventYearId: event.id } })) as {
    versions: { rules: object }[]
  }
  return { eventYearId: event.id, rules: versions[0]?.rules, on: 'event' }
}

async function certificates(at: At) {
  const { event } = await aReleasedEvent(at.server)
  const { jobId } = await at.done('POST office/results/startCertificates', {
    body: { eventYearId: event.id, as: 'zip' },
  })
  return jobId
}

async function anAnomaly(at: At) {
  const { setId } = await importWithStrangers(at.server)
  const { id } = await at.row<{ id: number }>(
    `select min(id) as id from result_anomalies where set_id = ${setId}`,
  )
  return { setId, anomalyIds: [id] }
}

/** Returns the code of the school of an event's one student. */
const codeOf = (at: At, schoolId: number | undefined) =>
  at.row<{ schCode: string }>(`select code as "schCode" from schools where id = ${schoolId ?? 0}`)

async function toHold(at: At) {
  const { event, school } = await aReleasedEvent(at.server)
  return { eventYearId: event.id, schCode: school.code, reason: 'A question about the exam' }
}

/** Calls about marks, versions, rules, certificates and the next level, in the office. */
export const resultDeskRecipes: Recipes = {
  'POST office/results/import': async () => {
    const { event, rows } = await aCandidate()
    const file = { name: 'marks.csv', bytes: new TextEncoder().encode(marksCsv(event, rows)) }
    return { query: { eventYearId: event.id }, file }
  },
  'GET office/results/job': async (at) => ({ query: { jobId: (await imported(at)).jobId } }),
  'POST office/results/compute': async (at) => ({ body: { setId: (await imported(at)).setId } }),
  'POST office/results/approve': async (at) => ({
    body: await asShown(at.server, (await computed(at)).setId),
  }),
  'POST office/results/release': async (at) => ({ body: await asShown(at.server, await approvedSet(at)) }),
  'POST office/results/withdraw': async (at) => {
    const { event, rows } = await aCandidate()
    return { body: { setId: (await releaseRows(at.server, event, rows, '2026-12-20T04:30:00Z')).setId } }
  },
  'GET office/results/candidates': async (at) => {
    const { event, student } = await computed(at)
    return { query: { eventYearId: event.id, search: student?.roll ?? '' } }
  },
  'POST office/results/correctRow': async (at) => {
    const { event, setId } = await importWithStrangers(at.server)
    const [student] = await candidates(event, [{}])
    const { id } = await at.row<{ id: number }>(
      `select min(id) as id from result_anomalies where set_id = ${setId}`,
    )
    const row = { nioRollNo: student?.roll ?? '', present: true, marks: [9, 9, 9] }
    return { body: { setId, anomalyId: id, row, note: 'A slip of the pen' } }
  },
  'POST office/results/resolve': async (at) => ({ body: { ...(await anAnomaly(at)), note: 'Looked at' } }),
  'POST office/results/reopen': async (at) => {
    const body = await anAnomaly(at)
    await at.done('POST office/results/resolve', { body: { ...body, note: 'Looked at' } })
    return { body: { ...body, reason: 'A slip of the pen' } }
  },
  'POST office/results/hold': async (at) => ({ body: await toHold(at) }),
  'POST office/results/unhold': async (at) => {
    const body = await toHold(at)
    await at.done('POST office/results/hold', { body })
    return { body: { eventYearId: body.eventYearId, schCode: body.schCode } }
  },
  'POST office/results/correct': async (at) => {
    const { event, students } = await aReleasedEvent(at.server)
    const row = { nioRollNo: students[0]?.roll ?? '', present: true, marks: [9, 9, 9] }
    return { body: { eventYearId: event.id, reason: 'Question 7 had two right answers.', rows: [row] } }
  },
  'POST office/results/decidePapers': async (at) => {
    const { setId } = await computed(at)
    await at.row(`update result_sets set papers_differ = true where id = ${setId} returning id`)
    return { body: { ...(await asShown(at.server, setId)), note: 'The second paper was harder' } }
  },
  'GET office/results/previewSchools': async (at) => ({ query: { setId: (await computed(at)).setId } }),
  'GET office/results/schoolPreview': async (at) => {
    const { setId, student } = await computed(at)
    return { query: { setId, ...(await codeOf(at, student?.school_id)) } }
  },
  'GET office/results/previewCorrections': async (at) => {
    const { setId, student } = await computed(at)
    return { query: { setId, ...(await codeOf(at, student?.school_id)) } }
  },
  'POST office/results/saveRules': async (at) => {
    const { eventYearId, rules } = await aTrial(at)
    const { rulesVersion } = await at.row<{ rulesVersion: number }>(
      `select rules_version as "rulesVersion" from events where id = ${eventYearId}`,
    )
    return { body: { eventYearId, rules, rulesVersion, note: 'As decided' } }
  },
  'POST office/results/whatIf': async (at) => ({ body: await aTrial(at) }),
  'GET office/results/whatIf': async (at) => {
    const { jobId } = await at.done('POST office/results/whatIf', { body: await aTrial(at) })
    await at.drained()
    return { query: { jobId } }
  },
  'POST office/results/startCertificates': async (at) => ({
    body: { eventYearId: (await aReleasedEvent(at.server)).event.id },
  }),
  'POST office/results/cancelCertificates': async (at) => ({ body: { jobId: await certificates(at) } }),
  'POST office/results/certificateFile': async (at) => {
    const jobId = await certificates(at)
    await at.drained()
    return { body: { jobId, part: 0 } }
  },
  'POST office/results/packetCertificates': async (at) => {
    const { id } = await at.row<{ id: number }>(
      `select packet_id as id from packet_awards where kind = 'certificate' order by 1 limit 1`,
    )
    return { body: { packetId: id } }
  },
  'POST office/results/exportAnomalies': async (at) => ({
    body: { setId: (await anAnomaly(at)).setId, format: 'csv' },
  }),
  'POST office/results/exportPreview': async (at) => ({
    body: { setId: (await aReleasedEvent(at.server)).setId, format: 'csv' },
  }),
  'POST office/nextLevel/make': async (at) => {
    const { event } = await aReleasedEvent(at.server, { rules: { nextLevel: bestTwo } })
    return { body: { eventYearId: event.id, ...terms } }
  },
  'POST office/nextLevel/save': async (at) => ({ body: { ...(await seen(at, await aRound(at))), ...terms } }),
  'POST office/nextLevel/decide': async (at) => {
    const round = await aRound(at)
    const said = { studentIds: [round.asha], as: 'leave', reason: 'Seen by the committee.' }
    return { body: { ...(await seen(at, round)), ...said } }
  },
  'POST office/nextLevel/approve': async (at) => ({ body: await seen(at, await aRound(at)) }),
  'POST office/nextLevel/send': async (at) => ({ body: await seen(at, await approved(at)) }),
  'POST office/nextLevel/remind': async (at) => ({
    body: { eventYearId: (await aSentRound(at)).eventYearId },
  }),
  'POST office/nextLevel/takeOver': async (at) => {
    const round = await newerResults(at)
    const { visibleVersion } = await at.row<{ visibleVersion: number }>(
      `select max(version) as "visibleVersion" from result_sets where event_id = ${round.eventYearId}`,
    )
    return { body: { ...(await seen(at, round)), visibleVersion } }
  },
  'GET office/nextLevel/difference': async (at) => ({
    query: { eventYearId: (await newerResults(at)).eventYearId },
  }),
  'GET office/nextLevel/mail': async (at) => ({
    query: { eventYearId: (await aRound(at)).eventYearId, kind: 'invitation' },
  }),
}

/** Creates a list whose results were released again after it was made. */
async function newerResults(at: At) {
  const round = await aRound(at)
  const rows = round.rows.map((row, index) => (index === 0 ? { ...row, marks: [0, 0, 1] } : row))
  await releaseRows(at.server, round.event, rows)
  return round
}
