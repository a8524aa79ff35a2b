import { randomInt, randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { addRow } from '#platform/db/rows'
import { aLinkedSchool, anAddress } from '../accounts-factories.ts'
import { aContact, aDay, aSchool, aTeacher } from '../factories.ts'
import { aPendingPayment } from '../payments-factories.ts'
import { aFamily, anEnteredStudent } from '../students-factories.ts'
import { textFile } from './ask.ts'
import type { RecipeContext, Recipes } from './world.ts'

export const aSchoolForm = () => ({
  schName: `Zuvya Quolex ${randomUUID()}`,
  pinCode: `5${randomInt(10_000, 99_999)}`,
  mobile: `9${randomInt(1e8, 1e9)}`,
})

/** Creates an application that waits for the office. */
async function anApplication(ctx: RecipeContext) {
  const caller = await aTeacher({ schoolId: null })
  await ctx.done('POST Account/SaveSchoolDetails', { ...aSchoolForm(), caller })
  return ctx.seen('applications', `user_id = ${caller.id}`)
}

async function aSchoolToChange() {
  const { id, version } = await aSchool()
  return { id, version }
}

/** Returns a person of a school, to be changed by the office. */
async function aPersonToChange() {
  const { id: userId, schoolId: id, version } = await aTeacher()
  return { id, userId, version, enabled: false }
}

async function aLink({ server }: RecipeContext) {
  const { school, id } = await aLinkedSchool(server)
  return { id: school.id, linkId: id }
}

const anInvitation = async () => ({ id: (await aSchool()).id, emailId: anAddress() })

/** Has the office invite a person to a school. */
async function anInvitedPerson(ctx: RecipeContext) {
  const invitation = await anInvitation()
  const { invitationId } = await ctx.done('POST office/schools/invite', invitation)
  return { id: invitation.id, invitationId }
}

/** Returns a file with a new school, a similar one with an error, and one that can't be read. */
const schoolFile = (number = randomInt(1e9)) =>
  textFile(
    'schools.csv',
    [
      'State,Name of the School,PIN,Postal Address,Town,Dist.,Mobile No,U-DISE Code,School Code',
      `Karnataka,Zuvya Quolex ${number},560001,4 Udaharan Street,Namunapur,Namunapur,9${randomInt(1e8, 1e9)},,`,
      `Karnataka,Zuvia Quolex ${number},560001,4 Udaharan Street,Namunapur,Namunapur,9${randomInt(1e8, 1e9)},,`,
      'Karnatka,,12,,,,,,',
    ].join('\r\n'),
  )

/** Imports that file; returns what the calls about an import choose from. */
async function aSchoolImport(ctx: RecipeContext) {
  const { importId } = await ctx.done('POST office/schools/importStart', { upload: schoolFile() })
  await ctx.drained()
  const fields = 'state schName pinCode schAddress city district mobile udiseCode schCode'.split(' ')
  return { id: importId, fields, rows: [3], decision: 'same' }
}

/** Creates two schools, one of which may be merged into the other. */
async function aPair() {
  const [target, source] = [await aSchool(), await aSchool()]
  const versions = { targetVersion: target.version, sourceVersion: source.version }
  return { target: target.id, source: source.id, ...versions, take: [], typed: source.code }
}

async function lettersToPrint(ctx: RecipeContext) {
  return { ids: (await aLink(ctx)).id, codes: 'keep', schools: 1 }
}

async function aLettersJob(ctx: RecipeContext) {
  const { jobId } = await ctx.done('POST office/schools/letterStart', await lettersToPrint(ctx))
  return { jobId }
}

/** Creates a school with a receipt and returns the filter for its receipts. */
async function receiptsOf(ctx: RecipeContext) {
  const { id, school } = await aPendingPayment(ctx.server)
  await ctx.done('POST office/payments/verify', { id })
  return { search: school.code }
}

async function aZip(ctx: RecipeContext) {
  const { jobId } = await ctx.done('POST office/receipts/startZip', await receiptsOf(ctx))
  return { jobId }
}

/** Calls about schools in the office: applications, records, people, links, letters, files. */
export const schoolDeskRecipes: Recipes = {
  'POST office/receipts/startZip': receiptsOf,
  'POST office/receipts/cancelZip': aZip,
  'POST office/receipts/zipFile': async (ctx) => {
    const zip = await aZip(ctx)
    await ctx.drained()
    return zip
  },
  'POST office/Application/Approve': anApplication,
  'POST office/Application/Reject': anApplication,
  'POST office/Application/AskBack': anApplication,
  'POST office/schools/save': async () => ({ ...aSchoolForm(), ...(await aSchoolToChange()) }),
  'POST office/schools/create': aSchoolForm,
  'POST office/schools/status': async () => ({ ...(await aSchoolToChange()), active: false }),
  'POST office/schools/statusMany': async () => ({ schools: [await aSchoolToChange()], active: false }),
  'POST office/schools/coordinator': aPersonToChange,
  'POST office/schools/account': aPersonToChange,
  'POST office/schools/removePerson': aPersonToChange,
  'POST office/schools/confirmContact': async (ctx) => {
    const caller = await aTeacher()
    const { id: contactId } = await ctx.done('POST ManageSchool/Save_ContactPerson', { ...aContact, caller })
    return { id: caller.schoolId, contactId }
  },
  'POST office/schools/addressWorks': async (ctx) => {
    const { schoolId: id, email } = await aTeacher()
    await addRow(ctx.server.deps.db, 'bounced_addresses', { address: email, at: aDay, status: '5.1.1' })
    return { id, email, at: aDay.toISOString() }
  },
  'POST office/schools/invite': anInvitation,
  'POST office/schools/resendInvitation': anInvitedPerson,
  'POST office/schools/withdrawInvitation': anInvitedPerson,
  'POST office/schools/code': aLink,
  'POST office/schools/letter': aLink,
  'POST office/schools/revokeLink': aLink,
  'POST office/schools/renewLink': async () => ({ id: (await aSchool()).id, linkId: '' }),
  'POST office/schools/letterStart': lettersToPrint,
  'POST office/schools/letterCancel': aLettersJob,
  'POST office/schools/letterFile': async (ctx) => {
    const job = await aLettersJob(ctx)
    await ctx.drained()
    return job
  },
  'POST office/schools/importStart': () => ({ upload: schoolFile() }),
  'GET office/schools/importOne': aSchoolImport,
  'GET office/schools/importRows': aSchoolImport,
  'GET office/schools/importFaults': aSchoolImport,
  'POST office/schools/importMap': aSchoolImport,
  'POST office/schools/importConfirm': aSchoolImport,
  'POST office/schools/importDecide': aSchoolImport,
  'POST office/schools/merge': async (ctx) => {
    const pair = await aPair()
    const { seen } = await ctx.done('GET office/schools/mergePreview', pair)
    return { ...pair, seen }
  },
  'GET office/schools/mergePreview': aPair,
  'GET office/schools/mergeJob': (ctx) =>
    // A merge is a background job only if the school is large.
    ctx.row(
      `insert into jobs (id, kind, state, created_at) values ('a-merge', 'schools.merge', 'done', now())
       returning id as "jobId"`,
    ),
}

/** Creates a student of a family that can be contacted. */
async function aChild(ctx: RecipeContext) {
  return ctx.seen('students', (await aFamily(ctx.server)).id)
}

async function aChildToChange(ctx: RecipeContext) {
  const rollno = randomInt(1, 900_000)
  const parents = { parentName: 'Hemant Namunawala', parentEmailId: '', parentMobileNo: '' }
  return { ...(await aChild(ctx)), rollno, ...parents }
}

/** Calls about the students of all schools, in the office. */
export const studentDeskRecipes: Recipes = {
  'POST office/students/contact': aChild,
  'POST office/students/correct': aChildToChange,
  'POST office/students/cancel': async (ctx) => {
    const { id } = await anEnteredStudent(ctx.server, await aTeacher())
    return ctx.row(`update students set paid = true where id = ${id} returning id, version`)
  },
  'POST office/students/move': async (ctx) => ({
    ...(await aChildToChange(ctx)),
    schCode: (await aSchool()).code,
  }),
  'POST office/students/familyCode': aChild,
  'POST office/students/familyMail': aChild,
  'POST office/students/familyMailMany': async (ctx) => ({ ids: [(await aChild(ctx)).id] }),
  'POST office/students/familyRenew': async (ctx) => {
    const { id } = await aChild(ctx)
    const { at: linked } = await ctx.row<{ at: Date | null }>(
      `select l.created_at as at from students s left join family_links l on l.id = s.family_link_id where s.id = ${id}`,
    )
    return { id, createdAt: linked?.toISOString() }
  },
  'POST office/students/familyRevoke': aChild,
}

const aNotice = () => ({ id: 0, audience: 'all', from: '2026-11-21', until: '2026-11-30' })

/** Returns a mail's text with its current wording. */
async function aText(ctx: RecipeContext) {
  const { data } = (await ctx.done('GET office/mails/texts')) as {
    data: { kind: string; en: { subject: string; body: string; version: number } }[]
  }
  const text = data.find(({ en }) => en.version === 0)
  if (!text) throw new Error('every text was changed')
  return { kind: text.kind, ...text.en }
}

const aSavedView = () => ({ list: 'schools', filters: { state: 'Kerala' }, hidden: [], shared: false })

async function foundationVersion(ctx: RecipeContext, part: string) {
  return ctx.row<{ version: number }>(`select ${part}_version as version from foundation`)
}

async function aLogo(ctx: RecipeContext) {
  const create = { width: 240, height: 80, channels: 3, background: '#1f4e8c' } as const
  const bytes = new Uint8Array(await sharp({ create }).png().toBuffer())
  return { ...(await foundationVersion(ctx, 'logo')), upload: { name: 'logo.png', bytes } }
}

const aNote = { kind: 'call', followUp: '2026-11-23' }

/** Creates a note by the caller. */
async function aSavedNote(ctx: RecipeContext) {
  const { id } = await aSchool()
  const { noteId } = await ctx.done('POST office/schools/addNote', { ...aNote, id })
  return { ...aNote, noteId }
}

const aMailing = async () => ({
  subject: 'Dues of {school}',
  body: 'Please pay {amount}.',
  ids: (await aSchool()).id,
  schools: 1,
})

/** Calls about notices, notes, mails, views, settings, reminders. */
export const deskRecipes: Recipes = {
  'GET office/schools/mails': aSchoolToChange,
  'GET office/schools/notes': aSchoolToChange,
  'POST office/mailings/send': aMailing,
  'POST office/mailings/stop': async (ctx) => {
    const { mailingId } = await ctx.done('POST office/mailings/send', await aMailing())
    return { mailingId }
  },
  'POST office/schools/changeNote': aSavedNote,
  'POST office/schools/deleteNote': aSavedNote,
  'POST office/schools/followUp': aSavedNote,
  'POST office/reminders/send': async (ctx) => {
    const { data } = await ctx.done('GET office/reminders/list')
    return { ids: (data as { id: number }[]).slice(0, 1).map(({ id }) => id) }
  },
  'POST office/notices/save': aNotice,
  'POST office/notices/end': async (ctx) => ({
    id: (await ctx.done('POST office/notices/save', aNotice())).id,
  }),
  'POST office/mails/preview': aText,
  'POST office/mails/saveText': aText,
  'POST office/mails/restoreText': async (ctx) => {
    const text = await aText(ctx)
    await ctx.done('POST office/mails/saveText', { ...text, subject: `${text.subject} now` })
    return { kind: text.kind }
  },
  'POST office/mails/resend': async (ctx) => {
    const payload = { to: { name: 'Hema', address: 'hema@school.example' }, subject: 'S', text: 'T' }
    const { id } = await ctx.row<{ id: number }>(
      `insert into outbox (key, kind, payload, created_at, due_at, failed_at, error)
       values ('${randomUUID()}', 'notice', '${JSON.stringify(payload)}', now(), now(), now(), 'no such mailbox') returning id`,
    )
    return { ids: [id] }
  },
  'POST office/views/save': aSavedView,
  'POST office/views/delete': async (ctx) => ({
    id: (await ctx.done('POST office/views/save', aSavedView())).id,
  }),
  'POST office/settings/saveFoundation': (ctx) => foundationVersion(ctx, 'identity'),
  'POST office/settings/saveSupport': (ctx) => foundationVersion(ctx, 'support'),
  'POST office/settings/saveColour': async (ctx) => ({
    ...(await foundationVersion(ctx, 'colour')),
    colour: '#1f4e8c',
  }),
  'POST office/settings/saveLimits': async (ctx) => ({
    ...(await foundationVersion(ctx, 'limits')),
    importRows: 5000,
    proofMegabytes: 5,
    codeTries: 5,
    otpMinutes: 10,
    idleMinutes: 30,
    invitationDays: 7,
  }),
  'POST office/settings/saveReasons': async (ctx) => ({
    ...(await ctx.row(`select version from standard_reasons where kind = 'bank'`)),
    kind: 'bank',
    reasons: [{ en: 'Interest', hi: '' }],
  }),
  'POST office/settings/saveLogo': aLogo,
  'POST office/settings/removeLogo': async (ctx) => {
    await ctx.done('POST office/settings/saveLogo', await aLogo(ctx))
    return foundationVersion(ctx, 'logo')
  },
  'POST office/jobs/cancel': async (ctx) => ({ id: (await aLettersJob(ctx)).jobId }),
}
