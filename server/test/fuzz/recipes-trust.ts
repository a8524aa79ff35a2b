import { aTeacher, aWord } from '../factories.ts'
import { anEnteredStudent } from '../students-factories.ts'
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

const list = (...lines: (string | number)[]) => ({ by: 'list', lines: lines.join('\n') })

/** A breach with a child affected whose family has no e-mail; with `mail` its teacher too, who has one. */
async function affecting(at: At, { mail = true } = {}) {
  const id = await opened(at)
  const teacher = await aTeacher()
  const child = await anEnteredStudent(at.server, teacher)
  const who = list(child.id, ...(mail ? [teacher.email] : []))
  await at.done('POST office/incidents/add', { body: { ...(await seen(at, id)), who } })
  return id
}

const mail = {
  en: { subject: 'About data', text: 'A list went to a wrong address.' },
  hi: { subject: 'डेटा के बारे में', text: 'एक सूची ग़लत पते पर गई।' },
}

async function written(at: At) {
  const id = await affecting(at)
  await at.done('POST office/incidents/mail', { body: { ...(await seen(at, id)), mail } })
  return id
}

/** A breach of which everybody was told. */
async function done(at: At) {
  const id = await affecting(at, { mail: false })
  const note = 'By phone'
  await at.done('POST office/incidents/toldOtherwise', { body: { ...(await seen(at, id)), note } })
  return id
}

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
  'POST office/incidents/note': async (at) => ({
    body: { id: await opened(at), text: 'Reported to the Board' },
  }),
  'POST office/incidents/find': async (at) => ({
    body: { id: await opened(at), who: { by: 'filter', codes: 'VNK0417', who: 'both' } },
  }),
  'POST office/incidents/add': async (at) => ({
    body: { ...(await seen(at, await opened(at))), who: list((await aTeacher()).email) },
  }),
  'POST office/incidents/remove': async (at) => ({ body: await seen(at, await affecting(at)) }),
  'POST office/incidents/toldOtherwise': async (at) => ({
    body: { ...(await seen(at, await affecting(at))), note: 'By phone' },
  }),
  'POST office/incidents/mail': async (at) => ({ body: { ...(await seen(at, await affecting(at))), mail } }),
  'POST office/incidents/send': async (at) => ({ body: await seen(at, await written(at)) }),
  'POST office/incidents/close': async (at) => ({
    body: { ...(await seen(at, await done(at))), note: 'The list was found.' },
  }),
  'POST office/incidents/reopen': async (at) => {
    const id = await done(at)
    await at.done('POST office/incidents/close', { body: { ...(await seen(at, id)), note: 'Found.' } })
    return { body: { ...(await seen(at, id)), reason: 'Another list' } }
  },
  'POST office/care/runRetention': () => ({ body: { dry: true } }),
}
