import { randomInt, randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { aLinkedSchool } from '../accounts-factories.ts'
import { aDay, aSchool, aTeacher, thisSeason } from '../factories.ts'
import { aPendingPayment } from '../payments-factories.ts'
import { aFamily, anEnteredStudent } from '../students-factories.ts'
import type { Recipe, RecipeContext, Recipes } from './world.ts'

const FYear = thisSeason
const bytes = (text: string) => new TextEncoder().encode(text)

export const aSchoolForm = () => ({
  schName: `Zuvya Quolex ${randomUUID()}`,
  schAddress: '4 Udaharan Street',
  city: 'Namunapur',
  district: 'Namunapur',
  state: 'Karnataka',
  country: 'India',
  pinCode: `5${randomInt(10_000, 99_999)}`,
  mobile: `9${randomInt(1e8, 1e9)}`,
})

/** Creates an application that waits for the office. */
async function anApplication(ctx: RecipeContext) {
  const as = await aTeacher({ schoolId: null })
  await ctx.done('POST Account/SaveSchoolDetails', { body: aSchoolForm(), as })
  return ctx.seen('applications', `user_id = ${as.id}`)
}

async function aLink(ctx: RecipeContext) {
  const { school, id } = await aLinkedSchool(ctx.server)
  return { id: school.id, linkId: id }
}
const ofLink: Recipe = async (ctx) => ({ body: await aLink(ctx) })

/** Has the office invite a person to a school. */
async function anOfficerInvitation(ctx: RecipeContext) {
  const { id } = await aSchool()
  const body = { id, name: 'Tara Kalpanik', emailId: `${randomUUID()}@teachers.example` }
  const { invitationId } = await ctx.done('POST office/schools/invite', { body })
  return { id, invitationId }
}
const ofInvited: Recipe = async (ctx) => ({ body: await anOfficerInvitation(ctx) })

/** Returns a file with a new school, a similar one with an error, and one that can't be read. */
const schoolFile = (number = randomInt(1e9)) => ({
  name: 'schools.csv',
  bytes: bytes(
    [
      'State,Name of the School,PIN,Postal Address,Town,Dist.,Mobile No,U-DISE Code,School Code',
      `Karnataka,Zuvya Quolex ${number},560001,4 Udaharan Street,Namunapur,Namunapur,9${randomInt(1e8, 1e9)},,`,
      `Karnataka,Zuvia Quolex ${number},560001,4 Udaharan Street,Namunapur,Namunapur,9${randomInt(1e8, 1e9)},,`,
      'Karnatka,,12,,,,,,',
    ].join('\r\n'),
  ),
})

async function aSchoolImport(ctx: RecipeContext) {
  const { importId } = await ctx.done('POST office/schools/importStart', { file: schoolFile() })
  await ctx.drained()
  return importId
}

const fields = [
  'state',
  'schName',
  'pinCode',
  'schAddress',
  'city',
  'district',
  'mobile',
  'udiseCode',
  'schCode',
]

/** Creates two schools, one of which may be merged into the other. */
async function aPair() {
  const [target, source] = [await aSchool(), await aSchool()]
  const versions = { targetVersion: target.version, sourceVersion: source.version }
  return { target: target.id, source: source.id, ...versions, take: [], typed: source.code }
}

async function aLettersJob(ctx: RecipeContext, drained: boolean) {
  const { id } = await aLink(ctx)
  const body = { FYear, ids: String(id), language: 'en', codes: 'keep', schools: 1 }
  const { jobId } = await ctx.done('POST office/schools/letterStart', { body })
  if (drained) await ctx.drained()
  return jobId
}

/** Creates a school with a receipt and returns the filter for its receipts. */
async function receiptsOf(ctx: RecipeContext) {
  const { id, school } = await aPendingPayment(ctx.server)
  await ctx.done('POST office/payments/verify', { body: { id, version: 1 } })
  return { FYear, search: school.code }
}

async function aZip(ctx: RecipeContext) {
  return (await ctx.done('POST office/receipts/startZip', { body: await receiptsOf(ctx) })).jobId
}

/** Calls about schools in the office: applications, records, people, links, letters, files. */
export const schoolDeskRecipes: Recipes = {
  'POST office/receipts/startZip': async (ctx) => ({ body: await receiptsOf(ctx) }),
  'POST office/receipts/cancelZip': async (ctx) => ({ body: { jobId: await aZip(ctx) } }),
  'POST office/receipts/zipFile': async (ctx) => {
    const jobId = await aZip(ctx)
    await ctx.drained()
    return { body: { jobId } }
  },
  'POST office/Application/Approve': async (ctx) => ({ body: await anApplication(ctx) }),
  'POST office/Application/Reject': async (ctx) => ({
    body: { ...(await anApplication(ctx)), reason: 'Not a school' },
  }),
  'POST office/Application/AskBack': async (ctx) => ({
    body: { ...(await anApplication(ctx)), question: 'Which board?' },
  }),
  'POST office/schools/save': async () => {
    const { id, version } = await aSchool()
    return { body: { ...aSchoolForm(), id, version } }
  },
  'POST office/schools/create': () => ({ body: aSchoolForm() }),
  'POST office/schools/status': async () => {
    const { id, version } = await aSchool()
    return { body: { id, version, active: false, reason: 'Closed' } }
  },
  'POST office/schools/statusMany': async () => {
    const { id, version } = await aSchool()
    return { body: { schools: [{ id, version }], active: false, reason: 'Closed' } }
  },
  'POST office/schools/coordinator': async () => {
    const { id, schoolId } = await aTeacher()
    return { body: { id: schoolId, userId: id, reason: 'The head said so' } }
  },
  'POST office/schools/account': async () => {
    const { id, schoolId, version } = await aTeacher()
    return { body: { id: schoolId, userId: id, version, enabled: false, reason: 'Left' } }
  },
  'POST office/schools/removePerson': async () => {
    const { id, schoolId, version } = await aTeacher()
    return { body: { id: schoolId, userId: id, version, reason: 'Left' } }
  },
  'POST office/schools/confirmContact': async (ctx) => {
    const as = await aTeacher()
    const reach = { email: 'hema@school.example', altEmail: '', mobile: '9000000417', altmobile: '' }
    const body = { id: 0, fyear: FYear, desgId: 1, titleId: 1, name: 'Hema Misaal', ...reach }
    const { id: contactId } = await ctx.done('POST ManageSchool/Save_ContactPerson', { body, as })
    return { body: { id: as.schoolId, contactId, version: 1 } }
  },
  'POST office/schools/addressWorks': async (ctx) => {
    const { schoolId: id, email } = await aTeacher()
    await ctx.server.deps.db
      .insertInto('bounced_addresses')
      .values({ address: email, at: aDay, status: '5.1.1' })
      .execute()
    return { body: { id, email, at: aDay.toISOString() } }
  },
  'POST office/schools/invite': async () => ({
    body: { id: (await aSchool()).id, name: 'Tara Kalpanik', emailId: `${randomUUID()}@teachers.example` },
  }),
  'POST office/schools/resendInvitation': ofInvited,
  'POST office/schools/withdrawInvitation': ofInvited,
  'POST office/schools/code': ofLink,
  'POST office/schools/letter': ofLink,
  'POST office/schools/revokeLink': ofLink,
  'POST office/schools/renewLink': async () => ({ body: { id: (await aSchool()).id, linkId: '' } }),
  'POST office/schools/letterStart': async (ctx) => ({
    body: { FYear, ids: String((await aLink(ctx)).id), language: 'en', codes: 'keep', schools: 1 },
  }),
  'POST office/schools/letterCancel': async (ctx) => ({ body: { jobId: await aLettersJob(ctx, false) } }),
  'POST office/schools/letterFile': async (ctx) => ({
    body: { jobId: await aLettersJob(ctx, true), piece: 1 },
  }),
  'POST office/schools/importStart': () => ({ file: schoolFile() }),
  'GET office/schools/importOne': async (ctx) => ({ query: { id: await aSchoolImport(ctx) } }),
  'GET office/schools/importRows': async (ctx) => ({ query: { id: await aSchoolImport(ctx), state: 'new' } }),
  'GET office/schools/importFaults': async (ctx) => ({ query: { id: await aSchoolImport(ctx) } }),
  'POST office/schools/importMap': async (ctx) => ({ body: { id: await aSchoolImport(ctx), fields } }),
  'POST office/schools/importConfirm': async (ctx) => ({ body: { id: await aSchoolImport(ctx) } }),
  'POST office/schools/importDecide': async (ctx) => ({
    body: { id: await aSchoolImport(ctx), rows: [3], decision: 'same' },
  }),
  'POST office/schools/merge': async (ctx) => {
    const pair = await aPair()
    const query = { target: pair.target, source: pair.source }
    const { seen } = await ctx.done('GET office/schools/mergePreview', { query })
    return { body: { ...pair, seen } }
  },
  'GET office/schools/mergePreview': async () => {
    const { target, source } = await aPair()
    return { query: { target, source } }
  },
  'GET office/schools/mergeJob': async (ctx) => {
    // A merge is a background job only if the school is large.
    await ctx.row(
      `insert into jobs (id, kind, state, created_at) values ('a-merge', 'schools.merge', 'done', now()) returning id`,
    )
    return { query: { jobId: 'a-merge' } }
  },
}

/** Creates a student of a family that can be contacted. */
async function aChild(ctx: RecipeContext) {
  const { id } = await aFamily(ctx.server)
  return ctx.seen('students', `id = ${id}`)
}
const reason = 'The school has called.'

/** Calls about the students of all schools, in the office. */
export const studentDeskRecipes: Recipes = {
  'POST office/students/contact': async (ctx) => ({ body: { id: (await aChild(ctx)).id } }),
  'POST office/students/correct': async (ctx) => ({
    body: {
      ...(await aChild(ctx)),
      classId: 7,
      section: 'B',
      rollno: randomInt(1, 900_000),
      studentName: 'Ishita Namunawala',
      parentName: 'Hemant Namunawala',
      parentEmailId: '',
      parentMobileNo: '',
      reason,
    },
  }),
  'POST office/students/cancel': async (ctx) => {
    const { id } = await anEnteredStudent(ctx.server, await aTeacher())
    await ctx.row(`update students set paid = true where id = ${id} returning id`)
    return { body: { ...(await ctx.seen('students', `id = ${id}`)), reason } }
  },
  'POST office/students/move': async (ctx) => ({
    body: {
      ...(await aChild(ctx)),
      schCode: (await aSchool()).code,
      section: 'A',
      rollno: randomInt(1, 900_000),
      reason,
    },
  }),
  'POST office/students/familyCode': async (ctx) => ({ body: { id: (await aChild(ctx)).id } }),
  'POST office/students/familyMail': async (ctx) => ({ body: { id: (await aChild(ctx)).id } }),
  'POST office/students/familyMailMany': async (ctx) => ({ body: { ids: [(await aChild(ctx)).id] } }),
  'POST office/students/familyRenew': async (ctx) => {
    const { id } = await aChild(ctx)
    const { at: linked } = await ctx.row<{ at: Date | null }>(
      `select l.created_at as at from students s left join family_links l on l.id = s.family_link_id where s.id = ${id}`,
    )
    return { body: { id, createdAt: linked?.toISOString(), reason } }
  },
  'POST office/students/familyRevoke': async (ctx) => ({ body: { id: (await aChild(ctx)).id, reason } }),
}

const aNotice = {
  id: 0,
  title: 'Parcels',
  text: 'They leave on Monday.',
  important: false,
  audience: 'all',
  from: '2026-11-21',
  until: '2026-11-30',
}

/** Returns a mail's text with its current wording. */
async function aText(ctx: RecipeContext) {
  const { data } = (await ctx.done('GET office/mails/texts', {})) as {
    data: { kind: string; en: { subject: string; body: string; version: number } }[]
  }
  const text = data.find(({ en }) => en.version === 0)
  if (!text) throw new Error('every text was changed')
  return { kind: text.kind, language: 'en', subject: text.en.subject, body: text.en.body, version: 0 }
}

const aSavedView = {
  list: 'schools',
  name: 'Kerala, owing',
  filters: { state: 'Kerala' },
  hidden: [],
  shared: false,
}

async function foundationVersion(ctx: RecipeContext, part: string): Promise<number> {
  const found = await ctx.row<{ version: number }>(`select ${part}_version as version from foundation`)
  return found.version
}

async function aLogo() {
  const create = { width: 240, height: 80, channels: 3, background: '#1f4e8c' } as const
  return { name: 'logo.png', bytes: new Uint8Array(await sharp({ create }).png().toBuffer()) }
}

const aNote = { kind: 'call', body: 'Pays on Monday', followUp: '2026-11-23' }

/** Creates a note by the caller. */
async function aSavedNote(ctx: RecipeContext) {
  const { id } = await aSchool()
  const { noteId } = await ctx.done('POST office/schools/addNote', { body: { ...aNote, id } })
  return { noteId, version: 1 }
}

const aMailing = async () => ({
  FYear,
  subject: 'Dues of {school}',
  body: 'Please pay {amount}.',
  ids: String((await aSchool()).id),
  schools: 1,
})

/** Calls about notices, notes, mails, views, settings, reminders. */
export const deskRecipes: Recipes = {
  'GET office/schools/mails': async () => ({ query: { id: String((await aSchool()).id) } }),
  'GET office/schools/notes': async () => ({ query: { id: String((await aSchool()).id) } }),
  'POST office/mailings/send': async () => ({ body: await aMailing() }),
  'POST office/mailings/stop': async (ctx) => {
    const { mailingId } = await ctx.done('POST office/mailings/send', { body: await aMailing() })
    return { body: { mailingId } }
  },
  'POST office/schools/changeNote': async (ctx) => ({ body: { ...aNote, ...(await aSavedNote(ctx)) } }),
  'POST office/schools/deleteNote': async (ctx) => ({ body: await aSavedNote(ctx) }),
  'POST office/schools/followUp': async (ctx) => ({ body: { ...(await aSavedNote(ctx)), done: true } }),
  'POST office/nudges/send': async (ctx) => {
    const { data } = (await ctx.done('GET office/nudges/list', { query: { FYear } })) as {
      data: { id: number }[]
    }
    return { body: { FYear, ids: [data[0]?.id] } }
  },
  'POST office/notices/save': () => ({ body: aNotice }),
  'POST office/notices/end': async (ctx) => {
    const { id } = await ctx.done('POST office/notices/save', { body: aNotice })
    return { body: { id, version: 1 } }
  },
  'POST office/mails/preview': async (ctx) => {
    const { version: _, ...text } = await aText(ctx)
    return { body: text }
  },
  'POST office/mails/saveText': async (ctx) => ({ body: await aText(ctx) }),
  'POST office/mails/restoreText': async (ctx) => {
    const text = await aText(ctx)
    await ctx.done('POST office/mails/saveText', { body: { ...text, subject: `${text.subject} now` } })
    return { body: { kind: text.kind, language: text.language, version: 1 } }
  },
  'POST office/mails/resend': async (ctx) => {
    const payload = { to: { name: 'Hema', address: 'hema@school.example' }, subject: 'S', text: 'T' }
    const { id } = await ctx.row<{ id: number }>(
      `insert into outbox (key, kind, payload, created_at, due_at, failed_at, error)
       values ('${randomUUID()}', 'notice', '${JSON.stringify(payload)}', now(), now(), now(), 'no such mailbox') returning id`,
    )
    return { body: { ids: [id] } }
  },
  'POST office/views/save': () => ({ body: aSavedView }),
  'POST office/views/delete': async (ctx) => ({
    body: { id: (await ctx.done('POST office/views/save', { body: aSavedView })).id },
  }),
  'POST office/settings/saveFoundation': async (ctx) => ({
    body: {
      name: 'Podium Foundation',
      shortName: 'Podium',
      version: await foundationVersion(ctx, 'identity'),
    },
  }),
  'POST office/settings/saveSupport': async (ctx) => ({
    body: {
      phone: '1800 000 0000',
      email: 'help@foundation.example',
      hours: 'Monday to Friday',
      version: await foundationVersion(ctx, 'support'),
    },
  }),
  'POST office/settings/saveColour': async (ctx) => ({
    body: { colour: '#1f4e8c', version: await foundationVersion(ctx, 'colour') },
  }),
  'POST office/settings/saveLimits': async (ctx) => ({
    body: {
      importRows: 5000,
      proofMegabytes: 5,
      codeTries: 5,
      otpMinutes: 10,
      idleMinutes: 30,
      invitationDays: 7,
      version: await foundationVersion(ctx, 'limits'),
    },
  }),
  'POST office/settings/saveReasons': async (ctx) => {
    const { version } = await ctx.row<{ version: number }>(
      `select version from standard_reasons where kind = 'bank'`,
    )
    return { body: { kind: 'bank', reasons: [{ en: 'Interest', hi: '' }], version } }
  },
  'POST office/settings/saveLogo': async (ctx) => ({
    query: { version: await foundationVersion(ctx, 'logo') },
    file: await aLogo(),
  }),
  'POST office/settings/removeLogo': async (ctx) => {
    const file = await aLogo()
    await ctx.done('POST office/settings/saveLogo', {
      query: { version: await foundationVersion(ctx, 'logo') },
      file,
    })
    return { body: { version: await foundationVersion(ctx, 'logo') } }
  },
  'POST office/jobs/cancel': async (ctx) => ({ body: { id: await aLettersJob(ctx, false) } }),
}
