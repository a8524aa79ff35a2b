import { anEnteredStudent } from '../enrolment-factories.ts'
import { anOfficer, aTeacher, aWord } from '../factories.ts'
import type { At, Recipes } from './recipe.ts'

/** A request about a child's data that the office has taken down. */
async function asked(at: At, kind = 'export') {
  const { id: studentId } = await anEnteredStudent(at.server, await aTeacher())
  const { id } = await at.done('POST office/privacy/ask', {
    body: { studentId, kind, words: 'Please send me all.', reach: '' },
  })
  return Number(id)
}

const check = (id: number) => ({ id, version: 1, method: 'call-back', note: 'Called back.' })

async function checked(at: At) {
  const id = await asked(at)
  await at.done('POST office/privacy/check', { body: check(id) })
  return id
}

const facts = () => ({
  title: `Lost ${aWord()}`,
  nature: 'lost',
  happened: 'A list was lost.',
  foundDay: '2026-11-21',
  foundTime: '10:00',
})

async function opened(at: At) {
  const { id } = await at.done('POST office/incidents/open', { body: facts() })
  return Number(id)
}

const seen = (at: At, id: number) => at.seen('incidents', `id = ${id}`)

/** A breach with a child affected whose family has no e-mail; with `mail` its teacher too, who has one. */
async function affecting(at: At, { mail = true } = {}) {
  const id = await opened(at)
  const teacher = await aTeacher()
  const child = await anEnteredStudent(at.server, teacher)
  const pick = { how: 'list', lines: `${child.id}\n${mail ? teacher.email : ''}` }
  await at.done('POST office/incidents/pick', { body: { ...(await seen(at, id)), pick } })
  return id
}

const told = (language: string) => ({
  what: `A list went to a wrong address (${language}).`,
  consequences: 'Somebody may know the class.',
  measures: 'It was deleted.',
  safety: 'Be careful with calls.',
  contact: 'The office.',
})
const words = { en: told('en'), hi: told('hi') }

async function worded(at: At) {
  const id = await affecting(at)
  await at.done('POST office/incidents/words', { body: { ...(await seen(at, id)), words } })
  return id
}

async function askedToSend(at: At) {
  const id = await worded(at)
  await at.done('POST office/incidents/askSending', {
    body: await seen(at, id),
    as: await anOfficer('operations'),
  })
  return id
}

/** A breach of which everything is noted that must be before it is closed. */
async function done(at: At) {
  const id = await affecting(at, { mail: false })
  await at.done('POST office/incidents/toldOtherwise', {
    body: { ...(await seen(at, id)), note: 'By phone' },
  })
  for (const clock of ['cert', 'board'])
    await at.done('POST office/incidents/report', { body: { ...(await seen(at, id)), clock, ...reported } })
  return id
}
const reported = { outcome: 'needless', day: '2026-11-21', time: '10:30', note: 'Not listed' }

/** Requests about children's data, and breaches of personal data. */
export const trustRecipes: Recipes = {
  'POST office/privacy/ask': async (at) => ({
    body: {
      studentId: (await anEnteredStudent(at.server, await aTeacher())).id,
      kind: 'export',
      words: 'Please send me all.',
      reach: '',
    },
  }),
  'POST office/privacy/check': async (at) => ({ body: check(await asked(at)) }),
  'POST office/privacy/carryOut': async (at) => ({ body: { id: await checked(at), version: 2 } }),
  'POST office/privacy/decline': async (at) => ({
    body: { id: await asked(at), version: 1, reason: 'Not theirs' },
  }),
  'POST office/privacy/file': async (at) => {
    const id = await checked(at)
    await at.done('POST office/privacy/carryOut', { body: { id, version: 2 } })
    return { body: { id, format: 'json' } }
  },
  'POST office/incidents/open': () => ({ body: facts() }),
  'POST office/incidents/change': async (at) => ({
    body: { ...(await seen(at, await opened(at))), ...facts(), extent: 'One list' },
  }),
  'POST office/incidents/report': async (at) => ({
    body: { ...(await seen(at, await opened(at))), clock: 'cert', ...reported },
  }),
  'POST office/incidents/preview': async (at) => ({
    body: { id: await opened(at), pick: { how: 'schools', codes: 'VNK0417', who: 'both' } },
  }),
  'POST office/incidents/pick': async (at) => ({
    body: { ...(await seen(at, await opened(at))), pick: { how: 'list', lines: (await aTeacher()).email } },
  }),
  'POST office/incidents/unpick': async (at) => {
    const id = await affecting(at)
    const pick = await at.row<{ id: number }>(`select id from incident_picks where incident_id = ${id}`)
    return { body: { ...(await seen(at, id)), pickId: pick.id } }
  },
  'POST office/incidents/toldOtherwise': async (at) => ({
    body: { ...(await seen(at, await affecting(at))), note: 'By phone' },
  }),
  'POST office/incidents/words': async (at) => ({
    body: { ...(await seen(at, await affecting(at))), words },
  }),
  'POST office/incidents/askSending': async (at) => ({ body: await seen(at, await worded(at)) }),
  'POST office/incidents/withdrawSending': async (at) => ({ body: await seen(at, await askedToSend(at)) }),
  'POST office/incidents/approveSending': async (at) => ({ body: await seen(at, await askedToSend(at)) }),
  'POST office/incidents/close': async (at) => ({
    body: { ...(await seen(at, await done(at))), conclusion: 'The list was found.' },
  }),
  'POST office/incidents/reopen': async (at) => {
    const id = await done(at)
    const body = { ...(await seen(at, id)), conclusion: 'The list was found.' }
    await at.done('POST office/incidents/close', { body })
    return { body: { ...(await seen(at, id)), reason: 'Another list' } }
  },
  'POST office/care/runRetention': () => ({ body: { dry: true } }),
}
