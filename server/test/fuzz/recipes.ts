import { aTeacher, aWord } from '../factories.ts'
import { anEnteredStudent } from '../students-factories.ts'
import { accountRecipes, staffRecipes } from './recipes-accounts.ts'
import { moneyRecipes } from './recipes-money.ts'
import { deskRecipes, schoolDeskRecipes, studentDeskRecipes } from './recipes-office.ts'
import { catalogueRecipes, dispatchRecipes, examRecipes } from './recipes-plan.ts'
import { resultDeskRecipes } from './recipes-results.ts'
import { enrolmentRecipes, familyRecipes, resultRecipes, schoolRecipes } from './recipes-school.ts'
import type { RecipeContext, Recipes } from './world.ts'

/** Creates a request about a student's data, recorded by the office. */
async function aDataRequest(ctx: RecipeContext, kind = 'export') {
  const { id: studentId } = await anEnteredStudent(ctx.server, await aTeacher())
  const { id } = await ctx.done('POST office/privacy/ask', {
    body: { studentId, kind, words: 'Please send me all.', contact: '' },
  })
  return Number(id)
}

const check = (id: number) => ({ id, version: 1, method: 'call-back', note: 'Called back.' })

async function checked(ctx: RecipeContext) {
  const id = await aDataRequest(ctx)
  await ctx.done('POST office/privacy/check', { body: check(id) })
  return id
}

const facts = () => ({
  title: `Lost ${aWord()}`,
  nature: 'lost',
  happened: 'A list was lost.',
  foundDay: '2026-11-21',
  foundTime: '10:00',
})

async function opened(ctx: RecipeContext) {
  const { id } = await ctx.done('POST office/incidents/open', { body: facts() })
  return Number(id)
}

const seen = (ctx: RecipeContext, id: number) => ctx.seen('incidents', `id = ${id}`)

const list = (...lines: (string | number)[]) => ({ by: 'list', lines: lines.join('\n') })

/** Creates a breach that affects a student whose family has no e-mail; with `mail` also the teacher, who has one. */
async function aBreachWithPeople(ctx: RecipeContext, { mail = true } = {}) {
  const id = await opened(ctx)
  const teacher = await aTeacher()
  const child = await anEnteredStudent(ctx.server, teacher)
  const who = list(child.id, ...(mail ? [teacher.email] : []))
  await ctx.done('POST office/incidents/add', { body: { ...(await seen(ctx, id)), who } })
  return id
}

const mail = {
  en: { subject: 'About data', text: 'A list went to a wrong address.' },
  hi: { subject: 'डेटा के बारे में', text: 'एक सूची ग़लत पते पर गई।' },
}

async function aMailedBreach(ctx: RecipeContext) {
  const id = await aBreachWithPeople(ctx)
  await ctx.done('POST office/incidents/mail', { body: { ...(await seen(ctx, id)), mail } })
  return id
}

/** Creates a breach of which everyone was notified. */
async function aCompletedBreach(ctx: RecipeContext) {
  const id = await aBreachWithPeople(ctx, { mail: false })
  const note = 'By phone'
  await ctx.done('POST office/incidents/toldOtherwise', { body: { ...(await seen(ctx, id)), note } })
  return id
}

/** Calls about requests for students' data, and breaches of personal data. */
const trustRecipes: Recipes = {
  'POST office/privacy/ask': async (ctx) => ({
    body: {
      studentId: (await anEnteredStudent(ctx.server, await aTeacher())).id,
      kind: 'export',
      words: 'Please send me all.',
      contact: '',
    },
  }),
  'POST office/privacy/check': async (ctx) => ({ body: check(await aDataRequest(ctx)) }),
  'POST office/privacy/carryOut': async (ctx) => ({ body: { id: await checked(ctx), version: 2 } }),
  'POST office/privacy/decline': async (ctx) => ({
    body: { id: await aDataRequest(ctx), version: 1, reason: 'Not theirs' },
  }),
  'POST office/privacy/file': async (ctx) => {
    const id = await checked(ctx)
    await ctx.done('POST office/privacy/carryOut', { body: { id, version: 2 } })
    return { body: { id, format: 'json' } }
  },
  'POST office/incidents/open': () => ({ body: facts() }),
  'POST office/incidents/change': async (ctx) => ({
    body: { ...(await seen(ctx, await opened(ctx))), ...facts(), extent: 'One list' },
  }),
  'POST office/incidents/note': async (ctx) => ({
    body: { id: await opened(ctx), text: 'Reported to the Board' },
  }),
  'POST office/incidents/find': async (ctx) => ({
    body: { id: await opened(ctx), who: { by: 'filter', codes: 'VNK0417', who: 'both' } },
  }),
  'POST office/incidents/add': async (ctx) => ({
    body: { ...(await seen(ctx, await opened(ctx))), who: list((await aTeacher()).email) },
  }),
  'POST office/incidents/remove': async (ctx) => ({ body: await seen(ctx, await aBreachWithPeople(ctx)) }),
  'POST office/incidents/toldOtherwise': async (ctx) => ({
    body: { ...(await seen(ctx, await aBreachWithPeople(ctx))), note: 'By phone' },
  }),
  'POST office/incidents/mail': async (ctx) => ({
    body: { ...(await seen(ctx, await aBreachWithPeople(ctx))), mail },
  }),
  'POST office/incidents/send': async (ctx) => ({ body: await seen(ctx, await aMailedBreach(ctx)) }),
  'POST office/incidents/close': async (ctx) => ({
    body: { ...(await seen(ctx, await aCompletedBreach(ctx))), note: 'The list was found.' },
  }),
  'POST office/incidents/reopen': async (ctx) => {
    const id = await aCompletedBreach(ctx)
    await ctx.done('POST office/incidents/close', { body: { ...(await seen(ctx, id)), note: 'Found.' } })
    return { body: { ...(await seen(ctx, id)), reason: 'Another list' } }
  },
  'POST office/backups/runRetention': () => ({ body: { dry: true } }),
}

/** Valid inputs of calls that can't be derived from names and types: each first creates what it needs. */
export const recipes: Recipes = {
  ...accountRecipes,
  ...staffRecipes,
  ...enrolmentRecipes,
  ...schoolRecipes,
  ...resultRecipes,
  ...familyRecipes,
  ...schoolDeskRecipes,
  ...studentDeskRecipes,
  ...deskRecipes,
  ...moneyRecipes,
  ...resultDeskRecipes,
  ...dispatchRecipes,
  ...examRecipes,
  ...catalogueRecipes,
  ...trustRecipes,
}

/** Calls that the fuzzer does not make succeed, and why. */
export const unreached: Readonly<Record<string, string>> = {
  'POST office/SetUp': 'sets up an empty portal, once; this one is full of people',
  'POST office/catalogue/first': 'makes the first season; this portal has three',
}
