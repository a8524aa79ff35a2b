import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { signInOptions } from '@podium/contract/accounts/calls'
import { inviteColleague } from '@podium/contract/accounts/calls-invitations'
import { emailVerify } from '@podium/contract/accounts/calls-registration'
import { recordHistory } from '@podium/contract/audit-log/calls'
import { discardLine } from '@podium/contract/bank/calls'
import { brandTones } from '@podium/contract/brand'
import { hindiNames } from '@podium/contract/catalogue/calls'
import { verifyFamilyCode } from '@podium/contract/families/calls'
import {
  foundationSettings,
  type ReasonKind,
  reasonKinds,
  removeLogo,
  type StandardReason,
  saveColour,
  saveIdentity,
  saveLimits,
  saveLogo,
  saveReasons,
  saveSupport,
  specimen,
  standardReasons,
} from '@podium/contract/office/calls-settings'
import { savePayment } from '@podium/contract/payments/calls'
import { rejectPayment } from '@podium/contract/payments/calls-verification'
import { declineWaiver } from '@podium/contract/payments/calls-waivers'
import { askBackApplication, rejectApplication } from '@podium/contract/schools/calls-applications'
import { checkRows } from '@podium/contract/students/calls-grid'
import { rowFields } from '@podium/contract/students/rules-row'
import sharp from 'sharp'
import { buildEdge } from '#platform/http/edge'
import { servePages } from '#platform/http/pages'
import { anAddress } from '#test/accounts-factories'
import { pdfText } from '#test/archives'
import { aDay, anOfficer, aSeason, aTeacher, thisSeason } from '#test/factories'
import { aSchoolThatOwes, aSubmission } from '#test/payments-factories'
import { changeRows, valuesOf } from '#test/rows'
import { before, beforehand, mailsTo, refused, testServer } from '#test/server'
import { aFamily } from '#test/students-factories'
import { brandingSource } from './routes.ts'

let now = aDay
const server = beforehand(() => testServer({ clock: () => now }))
before(() => aSeason())
const owner = beforehand(() => anOfficer('owner'))
before(async () => {
  app = await buildEdge(server.deps)
  await servePages(app, join(import.meta.dirname, '../../../../../web'), brandingSource(server.deps))
  pages = await app.listen({ port: 0, host: '127.0.0.1' })
  built = await lists()
})
// Test files share a database, and others expect the default foundation.
after(async () => {
  await app.close()
  await server.deps.db.deleteFrom('foundation').execute()
})

const currentSettings = () => server.ask(foundationSettings, {}, owner)
/** The unbuilt pages, served like the built ones. */
let pages = ''
let app: Awaited<ReturnType<typeof buildEdge>>
const page = async (path: string) => {
  const answer = await fetch(pages + path)
  return { headers: answer.headers, text: await answer.text() }
}

const identity = {
  name: 'Namunawala Olympiad Foundation',
  shortName: 'Namunawala "N" & Co',
  postalAddress: 'Namuna Bhavan, \n\n 12  Sample Marg\nBengaluru 560001',
  website: 'https://namunawala.example',
}
const support = {
  phone: '+91 80 4000 0000',
  email: 'Help@Namunawala.example',
  hours: 'Monday to Saturday, 8 AM to 6 PM',
  hoursHi: 'सोमवार से शनिवार',
}
const limits = {
  importRows: 5000,
  proofMegabytes: 5,
  codeTries: 5,
  otpMinutes: 10,
  idleMinutes: 30,
  invitationDays: 7,
}

async function saveNames(form: Partial<typeof identity> = {}) {
  const { version } = (await currentSettings()).identity
  return server.send(saveIdentity, { body: { ...identity, ...form, version } }, owner)
}
async function saveReach(form: Partial<typeof support> = {}) {
  const { version } = (await currentSettings()).support
  return server.send(saveSupport, { body: { ...support, ...form, version } }, owner)
}
async function changeLimits(moved: Partial<Record<keyof typeof limits, unknown>>) {
  const { version } = (await currentSettings()).limits
  return server.send(saveLimits, { body: { ...limits, ...moved, version } }, owner)
}
async function changeColour(colour: string) {
  const { version } = (await currentSettings()).colour
  return server.send(saveColour, { body: { colour, version } }, owner)
}
async function sendLogo(bytes: Buffer, name = 'logo.png') {
  const { version } = (await currentSettings()).logo
  return server.send(
    saveLogo,
    { query: { version } },
    { ...owner, file: { name, bytes: new Uint8Array(bytes) } },
  )
}
const picture = (width: number, height: number, background = '#803018') =>
  sharp({ create: { width, height, channels: 3, background } })
const mailOf = async (address: string) => (await mailsTo(server, address))[0]?.text ?? ''

type Officer = Awaited<ReturnType<typeof anOfficer>>
let built: Awaited<ReturnType<typeof lists>>

const lists = async (by: Officer = owner) => (await server.ask(standardReasons, {}, by)).data
const listOf = async (kind: ReasonKind) => {
  const list = (await lists()).find((item) => item.kind === kind)
  if (!list) throw new Error(`no list of ${kind}`)
  return list
}
const save = async (kind: ReasonKind, reasons: StandardReason[], by = owner, version?: number) =>
  server.call(saveReasons, { body: { kind, reasons, version: version ?? (await listOf(kind)).version } }, by)

// Test files share a database, and others expect the default lists.
after(async () => {
  for (const { kind, reasons } of built)
    await changeRows('standard_reasons', { kind }, { reasons: JSON.stringify(reasons) })
})

test('each kind of decision offers reasons that its call accepts, in Hindi where a school reads them', async () => {
  const rules = {
    payment: rejectPayment.body.shape.reason,
    application: rejectApplication.body.shape.reason,
    request: askBackApplication.body.shape.question,
    bank: discardLine.body.shape.reason,
    waiver: declineWaiver.body.shape.reason,
  }
  const data = await lists(await anOfficer('viewer'))
  assert.deepEqual(valuesOf(data, 'kind'), [...reasonKinds])
  for (const { kind, reasons } of data) {
    assert.ok(reasons.length >= 3, kind)
    for (const { en, hi } of reasons) {
      assert.equal(rules[kind].safeParse(en).success, true, en)
      assert.equal(hi !== '', kind !== 'bank', en)
    }
  }
})

test('a list of reasons is saved whole, trimmed and in order, and the log shows old and new', async () => {
  const reasons = [
    { en: ' Not a school’s  money ', hi: '' },
    { en: 'Interest', hi: 'ब्याज' },
  ]
  const before = await listOf('bank')
  assert.equal((await save('bank', reasons)).status, 200)
  const now = await listOf('bank')
  assert.deepEqual(
    [now.reasons, now.version],
    [[{ en: 'Not a school’s money', hi: '' }, reasons[1]], before.version + 1],
  )
  const query = { kind: 'foundation', id: '1' }
  const { data } = await server.ask(recordHistory, query, owner)
  const change = data[0]?.changes.find(({ field }) => /bankReasons/i.test(field))
  assert.equal(data[0]?.action, 'foundation.reasons_changed')
  assert.match(change?.to ?? '', /Not a school’s money, Interest \(ब्याज\)/)
  assert.equal((await save('bank', [])).status, 200)
  assert.deepEqual((await listOf('bank')).reasons, [])
})

test("only the owner changes a list of reasons, and not over someone else's newer change", async () => {
  const { reasons, version } = await listOf('waiver')
  assert.equal((await save('waiver', [], await anOfficer('operations'))).status, 403)
  await save('waiver', [...reasons].reverse())
  await refused('changed_meanwhile', save('waiver', [], owner, version))
  assert.deepEqual((await listOf('waiver')).reasons, [...reasons].reverse())
})

test('an empty, too long or duplicate reason is refused at its place, and so are more than twenty', async () => {
  const { reasons } = await listOf('payment')
  const refused = async (list: StandardReason[]) => {
    const { status, body } = await save('payment', list)
    return [status, body.message]
  }
  const reason = (en: string, hi = '') => ({ en, hi })
  assert.deepEqual(await refused([reason('Paid'), reason(' ')]), [400, 'Please enter a reason.'])
  assert.deepEqual(await refused([reason('a'.repeat(201))]), [400, 'At most 200 characters.'])
  assert.deepEqual(await refused([reason('Paid', 'अ'.repeat(201))]), [400, 'At most 200 characters.'])
  assert.deepEqual(await refused([reason('Paid'), reason(' Paid ')]), [
    400,
    'Two reasons of a list are the same. Please delete one.',
  ])
  const many = Array.from({ length: 21 }, (_, at) => reason(`Reason ${at}`))
  assert.deepEqual(await refused(many), [400, 'At most 20 reasons in a list.'])
  assert.deepEqual((await listOf('payment')).reasons, reasons)
  assert.equal((await save('payment', many.slice(1))).status, 200)
})

test('a school that reads Hindi gets the Hindi text of a reason chosen in English', async () => {
  await save('request', [
    { en: 'Please send the board.', hi: 'कृपया बोर्ड भेजें।' },
    { en: 'Untold', hi: '' },
  ])
  const { names } = await server.ask(hindiNames)
  assert.deepEqual([names['Please send the board.'], names.Untold], ['कृपया बोर्ड भेजें।', undefined])
})

test('every officer sees the settings, and only the owner changes them', async () => {
  const calls = [
    [saveIdentity, { body: { ...identity, version: 1 } }],
    [saveSupport, { body: { ...support, version: 1 } }],
    [saveColour, { body: { colour: '', version: 1 } }],
    [saveLimits, { body: { ...limits, version: 1 } }],
    [removeLogo, { body: { version: 1 } }],
  ] as const
  for (const role of ['operations', 'accounts', 'results', 'viewer'] as const) {
    const officer = await anOfficer(role)
    await server.ask(foundationSettings, {}, officer)
    for (const [call, input] of calls)
      assert.equal((await server.send(call, input, officer)).status, 403, `${role} ${call.path}`)
  }
})

test('name, short name and addresses appear on pages, in e-mails and on papers as soon as they are saved', async () => {
  assert.equal((await saveNames()).status, 200)
  assert.equal((await saveReach()).status, 200)
  const set = await currentSettings()
  assert.equal(set.identity.postalAddress, 'Namuna Bhavan\n12 Sample Marg\nBengaluru 560001')
  assert.equal(set.support.email, 'help@namunawala.example')
  for (const path of ['/login', '/dashboard', '/office', '/student', '/verify/ABC']) {
    const { text } = await page(path)
    assert.match(text, /<html data-portal="Namunawala &#34;N&#34; &#38; Co" /, path)
    assert.match(text, /<title>Namunawala &#34;N&#34; &#38; Co/, path)
  }
  const options = await server.ask(signInOptions)
  assert.equal(options.foundation, identity.name)
  assert.deepEqual([options.supportHours, options.supportHoursHi], [support.hours, support.hoursHi])
  for (const [language, line] of [
    ['en', `Call ${support.phone} (${support.hours}) or write to help@namunawala.example.`],
    ['hi', `${support.phone} पर फ़ोन करें (${support.hoursHi}) या help@namunawala.example पर लिखें।`],
  ] as const) {
    const EmailId = anAddress()
    await server.ask(emailVerify, { EmailId, language })
    const text = await mailOf(EmailId)
    assert.ok(text.includes(line), text)
    const below = `${identity.name}\nNamuna Bhavan\n12 Sample Marg\nBengaluru 560001\n${identity.website}`
    assert.ok(text.trimEnd().endsWith(below), text)
  }
  const words = pdfText((await server.download(specimen, {}, owner)).bytes)
  assert.match(words, /Namunawala Olympiad Foundation/)
  assert.match(words, /Namuna Bhavan, 12 Sample Marg, Bengaluru 560001/)
})

test('without a short name pages show the name; without Hindi hours Hindi readers see the English ones', async () => {
  assert.equal((await saveNames({ shortName: '' })).status, 200)
  assert.equal((await saveReach({ hoursHi: '' })).status, 200)
  assert.match((await page('/login')).text, /data-portal="Namunawala Olympiad Foundation"/)
  assert.equal((await server.ask(signInOptions)).supportHoursHi, support.hours)
})

test('a missing or malformed value is refused at its field', async () => {
  const refused = async (sent: Promise<{ status: number; body: object }>, path: string) => {
    const { status, body } = await sent
    assert.equal(status, 400, path)
    assert.deepEqual(valuesOf((body as { issues: { path: string }[] }).issues, 'path'), [path])
  }
  await refused(saveNames({ name: ' ' }), 'name')
  await refused(saveNames({ shortName: 'x'.repeat(31) }), 'shortName')
  await refused(saveNames({ postalAddress: 'a\nb\nc\nd\ne\nf\ng' }), 'postalAddress')
  for (const website of [
    'namunawala.example',
    'http://a.example',
    'https://user@a.example',
    'https://a b.example',
  ])
    await refused(saveNames({ website }), 'website')
  await refused(saveReach({ phone: '' }), 'phone')
  await refused(saveReach({ phone: 'call us' }), 'phone')
  await refused(saveReach({ email: 'nobody' }), 'email')
  await refused(saveReach({ hours: '' }), 'hours')
})

test('of two officers who save one section at once the second is refused; two sections are saved side by side', async () => {
  const { identity: then, support: reach } = await currentSettings()
  const save = () => server.send(saveIdentity, { body: { ...identity, version: then.version } }, owner)
  const answers = await Promise.all([save(), save()])
  assert.deepEqual(valuesOf(answers, 'status').sort(), [200, 409])
  assert.ok(answers.some(({ body }) => body.code === 'changed_meanwhile'))
  const other = { ...support, version: reach.version }
  assert.equal((await server.send(saveSupport, { body: other }, owner)).status, 200)
})

test('a change is logged with old and new values of only the changed fields', async () => {
  await saveReach({ phone: '1800 111' })
  await saveReach({ phone: '1800 222' })
  const body = await server.ask(recordHistory, { kind: 'foundation', id: '1' }, owner)
  const [last] = body.data
  assert.equal(last?.action, 'foundation.support_changed')
  assert.deepEqual(last?.changes, [{ field: 'support_phone', from: '1800 111', to: '1800 222' }])
})

test('the colour reaches every page as a style sheet that the policy allows, and resetting restores the built-in one', async () => {
  assert.equal((await changeColour('7A1F3D')).status, 200)
  assert.equal((await currentSettings()).colour.colour, '#7a1f3d')
  const { text, headers } = await page('/student')
  assert.match(headers.get('content-security-policy') ?? '', /style-src 'self';/)
  const [, address = ''] = /<link rel="stylesheet" id="brand" href="([^"]+)">/.exec(text) ?? []
  const sheet = await page(address)
  assert.match(sheet.headers.get('content-type') ?? '', /^text\/css/)
  assert.match(sheet.headers.get('cache-control') ?? '', /immutable/)
  const { light, dark } = brandTones('#7a1f3d')
  assert.ok(
    sheet.text.includes(`--primary:${light.primary}`) && sheet.text.includes(`--header:${dark.header}`),
  )
  assert.equal(
    (await page(address.replace(/\/[\w-]{22}/, `/${'x'.repeat(22)}`))).headers.get('cache-control'),
    'no-store',
  )
  assert.equal((await changeColour('')).status, 200)
  assert.doesNotMatch((await page('/student')).text, /id="brand"/)
})

test('a colour on which text is unreadable is refused, and so is anything that is not a colour', async () => {
  for (const [colour, sentence] of [
    ['#ffd000', /too light/],
    ['#777777', /too light/],
    ['red', /six digits/],
    ['#12345', /six digits/],
  ] as const) {
    const { status, body } = await changeColour(colour)
    assert.equal(status, 400, colour)
    assert.match((body.issues as { message: string }[])[0]?.message ?? '', sentence)
  }
})

test('a logo is redrawn, appears on pages and papers, and is removed together with its file', async () => {
  const bytes = await picture(400, 100).jpeg().withMetadata().toBuffer()
  assert.equal((await sendLogo(bytes, '../../our logo.jpeg')).status, 200)
  const { logo } = await currentSettings()
  assert.deepEqual([logo.name, logo.width, logo.height], ['our logo.png', 400, 100])
  const { text } = await page('/login')
  assert.ok(text.includes(`data-logo="${logo.address}" data-logo-size="400 100"`), text)
  assert.match(text, /<link rel="icon" href="\/src\/ui\/icon\.svg"/, 'a long logo is no sign for a tab')
  const served = await fetch(pages + logo.address)
  assert.equal(served.headers.get('content-type'), 'image/png')
  assert.match(served.headers.get('cache-control') ?? '', /immutable/)
  const drawn = await sharp(Buffer.from(await served.arrayBuffer())).metadata()
  assert.deepEqual([drawn.format, drawn.width, drawn.exif], ['png', 400, undefined])
  const paper = await server.download(specimen, {}, owner)
  assert.match(paper.bytes.toString('latin1'), /\/Subtype \/Image/)
  // Nearly square, so it is also the tab's icon; the previous one is gone.
  assert.equal((await sendLogo(await picture(128, 120).png().toBuffer())).status, 200)
  assert.equal((await fetch(pages + logo.address)).status, 404)
  assert.match(
    (await page('/login')).text,
    /<link rel="icon" href="\/brand\/[\w-]{22}\.png" type="image\/png">/,
  )
  const { version } = (await currentSettings()).logo
  await server.ask(removeLogo, { version }, owner)
  await server.refuses('changed_meanwhile', removeLogo, { version }, owner)
  assert.doesNotMatch((await page('/login')).text, /data-logo/)
  assert.deepEqual(
    await server.deps.db.selectFrom('files').selectAll().where('kind', '=', 'logo').execute(),
    [],
  )
  assert.doesNotMatch(
    (await server.download(specimen, {}, owner)).bytes.toString('latin1'),
    /\/Subtype \/Image/,
  )
})

test('a logo is refused when it is no picture, too small, too long, too heavy or invisible on paper', async () => {
  const cases: [Buffer, string][] = [
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'logo.not_picture'],
    [Buffer.from('%PDF-1.7\n%%EOF'), 'logo.not_picture'],
    [Buffer.from('GIF89a=1;alert(1)//'), 'logo.not_picture'],
    [Buffer.concat([(await picture(200, 100).png().toBuffer()).subarray(0, 60)]), 'file.damaged'],
    [await picture(63, 100).png().toBuffer(), 'logo.too_small'],
    [await picture(900, 100).png().toBuffer(), 'logo.too_long'],
    [await picture(100, 300).png().toBuffer(), 'logo.too_long'],
    [await picture(200, 100, '#f4f4f0').png().toBuffer(), 'logo.unseen'],
    [Buffer.alloc(1024 * 1024 + 1), 'logo.too_large'],
  ]
  for (const [bytes, code] of cases) assert.equal((await sendLogo(bytes)).body.code, code)
  const officer = await anOfficer('operations')
  const file = { name: 'a.png', bytes: new Uint8Array(await picture(200, 100).png().toBuffer()) }
  assert.equal((await server.send(saveLogo, { query: { version: 1 } }, { ...officer, file })).status, 403)
})

test('limits stay within their bounds: those for security are never looser than built in', async () => {
  for (const [key, value] of [
    ['importRows', 99],
    ['importRows', 5001],
    ['proofMegabytes', 6],
    ['codeTries', 2],
    ['codeTries', 6],
    ['otpMinutes', 11],
    ['idleMinutes', 31],
    ['idleMinutes', 10.5],
    ['invitationDays', 15],
  ] as const) {
    const { status, body } = await changeLimits({ [key]: value })
    assert.equal(status, 400, `${key} ${value}`)
    assert.match(
      (body.issues as { message: string }[])[0]?.message ?? '',
      /^Enter a whole number from \d+ to \d+\.$/,
    )
  }
})

test('a changed limit applies at once, and resetting restores the built-in value', async () => {
  const moved = { importRows: 100, proofMegabytes: 1, otpMinutes: 4, idleMinutes: 10, invitationDays: 2 }
  assert.equal((await changeLimits(moved)).status, 200)
  const options = await server.ask(signInOptions)
  assert.deepEqual([options.importRows, options.proofMegabytes], [100, 1])

  const teacher = await aTeacher()
  const rows = Array.from({ length: 101 }, (_, at) => ({ row: at + 1, cells: rowFields.map(() => '') }))
  const many = await server.send(checkRows, { body: { FYear: thisSeason, rows } }, teacher)
  assert.equal(many.body.message, 'These are more than 100 students. Please enter them in several parts.')

  const proof = `data:image/png;base64,${Buffer.alloc(1024 * 1024 + 1).toString('base64')}`
  const { token } = await aSchoolThatOwes()
  const paying = { ...(await aSubmission(server, token)), attechment: proof }
  const large = await server.send(savePayment, { body: paying }, { token })
  assert.equal(
    large.body.message,
    'This file is larger than 1 MB. Please choose a smaller one.',
    JSON.stringify(large.body),
  )

  const EmailId = anAddress()
  assert.equal((await server.ask(emailVerify, { EmailId })).expiresIn, 240)
  assert.match(await mailOf(EmailId), /It works for 4 minutes\./)

  const coordinator = await aTeacher({ coordinator: true })
  const invited = { name: 'Asha', emailId: anAddress(), language: 'en' as const }
  assert.equal((await server.send(inviteColleague, { body: invited }, coordinator)).status, 200)
  assert.match(await mailOf(invited.emailId), /The link works once, within 2 days/)

  const minutes = (n: number) => new Date(aDay.getTime() + n * 60_000)
  const officer = await anOfficer('viewer')
  now = minutes(2)
  await server.ask(foundationSettings, {}, officer)
  now = minutes(13)
  assert.equal((await server.call(foundationSettings, {}, officer)).status, 401)
  now = aDay

  assert.equal((await changeLimits({})).status, 200)
  const row = await server.deps.db.selectFrom('foundation').select('limits').executeTakeFirstOrThrow()
  assert.deepEqual(row.limits, {}, 'what is built in is not kept')
})

test('fewer wrong access codes are allowed when the office says so', async () => {
  const strict = await testServer({ clock: () => aDay, limitScale: 1 })
  const { body } = await strict.call(foundationSettings, {}, owner)
  const version = body.limits.version
  assert.equal(
    (await strict.send(saveLimits, { body: { ...limits, codeTries: 3, version } }, owner)).status,
    200,
  )
  const family = await aFamily(strict)
  const tries = []
  for (let at = 0; at < 4; at++)
    tries.push(
      (await strict.send(verifyFamilyCode, { body: { groupId: family.groupId, code: 'WRNG-CODE' } })).status,
    )
  assert.equal(tries[3], 429)
  assert.ok(!tries.slice(0, 3).includes(429), String(tries))
})
