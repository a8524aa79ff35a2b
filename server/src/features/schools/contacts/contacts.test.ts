import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signInOptions } from '@podium/contract/accounts/calls'
import { messages } from '@podium/contract/messages'
import {
  type Contact,
  getContacts,
  getDesignations,
  getSchool,
  getTitles,
  saveContact,
  setContactStatus,
} from '@podium/contract/schools/calls'
import { aDay, aSchool, aSeason, aTeacher, thisSeason } from '#test/factories'
import { auditLine } from '#test/file-call'
import { aFoundation } from '#test/payments-factories'
import { changeRows, findRows, valuesOf } from '#test/rows'
import { beforehand, testServer } from '#test/server'
import { aSeasonOfItsOwn } from '#test/students-factories'

const server = beforehand(() => testServer({ clock: () => aDay }))

type Teacher = Awaited<ReturnType<typeof aTeacher>>
const FYear = thisSeason

async function aForm() {
  await aSeason()
  const { token } = await aTeacher()
  const designations = await server.ask(getDesignations, {}, { token })
  const titles = await server.ask(getTitles, {}, { token })
  return {
    id: 0,
    fyear: FYear as string,
    desgId: designations.data[0]?.id ?? 0,
    titleId: titles.data[0]?.id ?? 0,
    name: 'Hemant Namunawala',
    email: 'Hemant@School.Example',
    altEmail: '',
    mobile: '+91 90000 00417',
    altmobile: '',
  }
}

async function contactsOf(teacher: Teacher, status: 'true' | 'false' | '' = '') {
  const body = await server.ask(getContacts, { FYear, schId: String(teacher.schoolId), status }, teacher)
  return body.data
}

async function aContact(teacher: Teacher): Promise<Contact> {
  const { body } = await server.call(saveContact, { body: await aForm() }, teacher)
  assert.equal(body.message, messages.saved)
  const contact = (await contactsOf(teacher)).find((item) => item.id === body.id)
  assert.ok(contact)
  return contact
}

test('a repeated request adds a contact once', async () => {
  const teacher = await aTeacher()
  const once = { token: teacher.token, headers: { 'idempotency-key': 'contact-key-0001' } }
  const body = await aForm()
  const { id } = await server.ask(saveContact, body, once)
  assert.equal((await server.ask(saveContact, body, once)).id, id)
  assert.equal((await contactsOf(teacher)).length, 1)
})

test('a new contact is tidied, active, and not yet confirmed by the office [spec 2.14.5 7.31-33 8.10]', async () => {
  const contact = await aContact(await aTeacher())
  assert.deepEqual(
    [contact.contactEmail, contact.mobile, contact.status, contact.confirmed],
    ['hemant@school.example', '9000000417', true, false],
  )
})

test('a changed contact keeps its place and leaves the old and new values in the activity log [spec 2.14.7 7.31]', async () => {
  const teacher = await aTeacher()
  const contact = await aContact(teacher)
  const body = { ...(await aForm()), id: contact.id, version: contact.version, name: 'Hema Misaal' }
  await server.ask(saveContact, body, teacher)
  assert.equal((await contactsOf(teacher))[0]?.contactName, 'Hema Misaal')
  const line = await auditLine(['change'], { action: 'contact.saved', subject_id: contact.id })
  const { from, to } = line.change as { from: { name: string }; to: { name: string } }
  assert.deepEqual([from.name, to.name], ['Hemant Namunawala', 'Hema Misaal'])
})

test("a contact's name consists of letters; one from before that rule keeps its name when the rest is saved", async () => {
  const teacher = await aTeacher()
  const contact = await aContact(teacher)
  const body = { ...(await aForm()), id: contact.id }
  const save = (more: object) => server.send(saveContact, { body: { ...body, ...more } }, teacher)
  for (const id of [0, contact.id])
    assert.deepEqual((await save({ id, name: 'You won http://evil.example' })).body.issues, [
      { path: 'name', message: messages.nameLetters },
    ])
  const name = 'Hema Misaal 2 / office'
  await changeRows('contacts', { id: contact.id }, { name })
  const changed = await save({ name, mobile: '9000000418' })
  assert.equal(changed.status, 200, JSON.stringify(changed.body))
  const [row] = await contactsOf(teacher)
  assert.deepEqual([row?.name, row?.mobile], [name, '9000000418'])
})

test('a contact for an unknown season, or one still in preparation, is refused and nothing is saved', async () => {
  const teacher = await aTeacher()
  const contact = await aContact(teacher)
  for (const fyear of [await aSeasonOfItsOwn('preparing'), '2099-00'])
    for (const id of [0, contact.id]) {
      const refused = await server.send(saveContact, { body: { ...(await aForm()), id, fyear } }, teacher)
      assert.equal(refused.status, 400)
      assert.deepEqual(refused.body.issues, [{ path: 'fyear', message: messages.contactSeasonUnknown }])
    }
  const rows = await findRows('contacts', { school_id: teacher.schoolId }, ['season', 'version'])
  assert.deepEqual(rows, [{ season: FYear, version: contact.version }])
})

test('a contact that someone else changed meanwhile is not overwritten', async () => {
  const teacher = await aTeacher()
  const contact = await aContact(teacher)
  const body = { ...(await aForm()), id: contact.id, version: contact.version }
  await server.ask(saveContact, body, teacher)
  await server.refuses('changed_meanwhile', saveContact, { ...body, name: 'Late Udaharan' }, teacher)
})

test('a contact can be deactivated and listed by its status [spec 2.14.4 4.17 7.34 7.44]', async () => {
  const teacher = await aTeacher()
  const { id } = await aContact(teacher)
  await server.ask(setContactStatus, { id, status: false }, teacher)
  assert.deepEqual(valuesOf(await contactsOf(teacher, 'true'), 'id'), [])
  assert.deepEqual(valuesOf(await contactsOf(teacher, 'false'), 'id'), [id])
})

test('another school sees no contact and can change none', async () => {
  const { id } = await aContact(await aTeacher())
  const other = await aTeacher()
  assert.deepEqual(await contactsOf(other), [])
  const body = { ...(await aForm()), id }
  assert.equal((await server.call(saveContact, { body }, other)).status, 404)
  assert.equal((await server.call(setContactStatus, { body: { id, status: false } }, other)).status, 404)
})

for (const [field, value, message] of [
  ['desgId', 0, 'Designation is required.'],
  ['desgId', 9999, 'Designation is required.'],
  ['titleId', 0, 'Title is required.'],
  ['name', ' ', 'Contact Name is required.'],
  ['email', '', 'E-mail is required.'],
  ['email', 'nobody', 'Enter valid E-mail.'],
  ['altEmail', 'nobody', 'Enter valid E-mail.'],
  ['mobile', '', 'Enter valid mobile no.'],
  ['mobile', '12345', 'Enter valid mobile no.'],
  ['mobile', '1234567890123', 'Enter valid mobile no.'],
  ['altmobile', 'abc', 'Enter valid mobile no.'],
] as const) {
  test(`${field} “${value}” is refused with “${message}” and nothing is saved [spec 5.20]`, async () => {
    const teacher = await aTeacher()
    const refused = await server.send(saveContact, { body: { ...(await aForm()), [field]: value } }, teacher)
    assert.equal(refused.status, 400)
    assert.deepEqual(refused.body.issues, [{ path: field, message }])
    assert.deepEqual(await contactsOf(teacher), [])
  })
}

test('a school reads its details under exactly the names of the specification [spec 7.28]', async () => {
  const school = await aSchool({ name: 'Kalpanik Vidyalaya' })
  const rest = {
    affiliation_no: 'CBSE 830417',
    group_id: 'KG-4',
    landline: '080-00000417',
    fax: '080-00000418',
    website: 'https://kalpanik.example',
    whatsapp: '9000000418',
  }
  await server.deps.db.updateTable('schools').set(rest).where('id', '=', school.id).execute()
  const teacher = await aTeacher({ schoolId: school.id })
  for (const query of [{}, { schCode: school.code }, { schCode: school.code.toLowerCase() }]) {
    const body = await server.ask(getSchool, query, teacher)
    assert.deepEqual(body.data, [
      {
        schCode: school.code,
        schName: 'Kalpanik Vidyalaya',
        schEmail: school.email,
        schAddress: '1 Namuna Road',
        schAffiliationNo: 'CBSE 830417',
        schGroupId: 'KG-4',
        cityName: 'Kalpanagar',
        districtName: 'Kalpanagar',
        stateName: 'Karnataka',
        countryName: 'India',
        landLineNo: '080-00000417',
        schFaxNo: '080-00000418',
        schWebSite: 'https://kalpanik.example',
        schPhoneNo: '9000000000',
        whatsAppNo: '9000000418',
      },
    ])
  }
})

test("another school's code is refused, known or not", async () => {
  const teacher = await aTeacher()
  for (const schCode of [(await aSchool()).code, 'NOSUCH99']) {
    await server.refuses('access.other_school', getSchool, { schCode }, teacher)
  }
})

test("anyone can read the foundation's support e-mail address", async () => {
  await aFoundation()
  const body = await server.ask(signInOptions)
  assert.equal(body.supportEmail, 'help@foundation.example')
})
