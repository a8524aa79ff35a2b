import { aTeacher, aWord } from '../factories.ts'
import { anEnteredStudent } from '../students-factories.ts'
import { accountRecipes, staffRecipes } from './recipes-accounts.ts'
import { moneyRecipes } from './recipes-money.ts'
import { deskRecipes, schoolDeskRecipes, studentDeskRecipes } from './recipes-office.ts'
import { catalogueRecipes, dispatchRecipes, examRecipes } from './recipes-plan.ts'
import { resultDeskRecipes } from './recipes-results.ts'
import { enrolmentRecipes, familyRecipes, resultRecipes, schoolRecipes } from './recipes-school.ts'
import type { RecipeContext, Recipes } from './world.ts'

async function aStudentToAskAbout({ server }: RecipeContext) {
  return { studentId: (await anEnteredStudent(server, await aTeacher())).id, kind: 'export' }
}

/** Creates a request about a student's data, recorded by the office. */
async function aDataRequest(ctx: RecipeContext) {
  const { id } = await ctx.done('POST office/privacy/ask', await aStudentToAskAbout(ctx))
  return { id, version: 1, method: 'call-back' }
}

async function aCheckedRequest(ctx: RecipeContext) {
  const request = await aDataRequest(ctx)
  await ctx.done('POST office/privacy/check', request)
  return { ...request, version: 2 }
}

const aBreach = () => ({
  title: `Lost ${aWord()}`,
  nature: 'lost',
  foundDay: '2026-11-21',
  foundTime: '10:00',
})

const seen = (ctx: RecipeContext, id: unknown) => ctx.seen('incidents', Number(id))

async function anOpenBreach(ctx: RecipeContext) {
  return seen(ctx, (await ctx.done('POST office/incidents/open', aBreach())).id)
}

const list = (...lines: (string | number)[]) => ({ by: 'list', lines: lines.join('\n') })

/** Creates a breach that affects a student whose family has no e-mail; with `mail` also the teacher, who has one. */
async function aBreachWithPeople(ctx: RecipeContext, { mail = true } = {}) {
  const breach = await anOpenBreach(ctx)
  const teacher = await aTeacher()
  const child = await anEnteredStudent(ctx.server, teacher)
  await ctx.done('POST office/incidents/add', {
    ...breach,
    who: list(child.id, ...(mail ? [teacher.email] : [])),
  })
  return seen(ctx, breach.id)
}

const mail = {
  en: { subject: 'About data', text: 'A list went to a wrong address.' },
  hi: { subject: 'डेटा के बारे में', text: 'एक सूची ग़लत पते पर गई।' },
}

/** Creates a breach of which everyone was notified. */
async function aCompletedBreach(ctx: RecipeContext) {
  const breach = await aBreachWithPeople(ctx, { mail: false })
  await ctx.done('POST office/incidents/notifyOtherwise', breach)
  return seen(ctx, breach.id)
}

/** Calls about requests for students' data, and breaches of personal data. */
const trustRecipes: Recipes = {
  'POST office/privacy/ask': aStudentToAskAbout,
  'POST office/privacy/check': aDataRequest,
  'POST office/privacy/carryOut': aCheckedRequest,
  'POST office/privacy/decline': aDataRequest,
  'POST office/privacy/file': async (ctx) => {
    const request = await aCheckedRequest(ctx)
    await ctx.done('POST office/privacy/carryOut', request)
    return { id: request.id, format: 'json' }
  },
  'POST office/incidents/open': aBreach,
  'POST office/incidents/change': async (ctx) => ({
    ...(await anOpenBreach(ctx)),
    ...aBreach(),
    extent: 'One list',
  }),
  'POST office/incidents/note': anOpenBreach,
  'POST office/incidents/find': async (ctx) => ({
    ...(await anOpenBreach(ctx)),
    who: { by: 'filter', codes: 'VNK0417', who: 'both' },
  }),
  'POST office/incidents/add': async (ctx) => ({
    ...(await anOpenBreach(ctx)),
    who: list((await aTeacher()).email),
  }),
  'POST office/incidents/remove': (ctx) => aBreachWithPeople(ctx),
  'POST office/incidents/notifyOtherwise': (ctx) => aBreachWithPeople(ctx),
  'POST office/incidents/mail': async (ctx) => ({ ...(await aBreachWithPeople(ctx)), mail }),
  'POST office/incidents/send': async (ctx) => {
    const breach = await aBreachWithPeople(ctx)
    await ctx.done('POST office/incidents/mail', { ...breach, mail })
    return seen(ctx, breach.id)
  },
  'POST office/incidents/close': aCompletedBreach,
  'POST office/incidents/reopen': async (ctx) => {
    const breach = await aCompletedBreach(ctx)
    await ctx.done('POST office/incidents/close', breach)
    return seen(ctx, breach.id)
  },
  'POST office/backups/runRetention': () => ({ dry: true }),
}

/** What calls need that can't be derived from names and types: each recipe first creates it. */
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
