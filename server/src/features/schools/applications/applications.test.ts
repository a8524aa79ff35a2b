import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { me } from '@podium/contract/accounts/calls'
import {
  answerAskedBack,
  getOwnApplication,
  saveSchoolDetails,
  withdrawApplication,
} from '@podium/contract/accounts/calls-application'
import { foldName } from '@podium/contract/names'
import {
  approveApplication,
  askBackApplication,
  exportApplications,
  getApplication,
  listApplications,
  rejectApplication,
} from '@podium/contract/schools/calls-applications'
import { officeInvite } from '@podium/contract/schools/calls-record'
import { setSchoolAccount } from '@podium/contract/schools/calls-write'
import { aDay, anApplication, anOfficer, aSchool, aTeacher } from '#test/factories'
import { auditLines, newestChange, takeCsv } from '#test/file-call'
import { changeRows, findRow, findRows, valuesOf } from '#test/rows'
import { beforehand, mailsTo, refused, testServer } from '#test/server'

const server = beforehand(() => testServer({ clock: () => aDay }))

test('an approved application creates a school with its own code, and the applicant becomes its coordinator [spec 1.5]', async () => {
  const { id, teacher, name } = await anApplication()
  const { token } = await anOfficer('operations')
  const shown = await server.ask(getApplication, { id: String(id) }, { token })
  assert.match(shown.proposedCode, /^KVM\d{4}$/)
  const approved = await server.ask(approveApplication, { id, version: 1 }, { token })
  const user = await findRow('users', { id: teacher.id })
  assert.equal(user.school_id, approved.schId)
  assert.equal(user.coordinator, true)
  const school = await findRow('schools', { id: approved.schId })
  assert.equal(school.name, name)
  assert.equal((await mailsTo(server, teacher.email)).length, 1)
})

test('a repeated approval gets the first answer: its officer lost that on the way', async () => {
  const { id } = await anApplication()
  const { token } = await anOfficer('operations')
  const once = { token, headers: { 'idempotency-key': `approval-${id}` } }
  const first = await server.ask(approveApplication, { id, version: 1 }, once)
  assert.deepEqual(await server.ask(approveApplication, { id, version: 1 }, once), first)
})

test('the queue counts the search results by status, and an approved application names its school', async () => {
  const name = `Sanket Udaharan Vidyalaya ${randomInt(1e9)}`
  const first = await anApplication({ name })
  await anApplication({ name })
  const { token } = await anOfficer('operations')
  const body = await server.ask(approveApplication, { id: first.id, version: 1 }, { token })
  const list = await server.ask(listApplications, { search: name }, { token })
  assert.deepEqual([list.counts, list.total], [{ submitted: 1, asked: 0, approved: 1, rejected: 0 }, 1])
  const schoolOf = async (id: number) =>
    (await server.ask(getApplication, { id: String(id) }, { token })).school
  assert.deepEqual(await schoolOf(first.id), { schId: body.schId, schCode: body.schCode })
  assert.equal(await schoolOf(list.data[0]?.id ?? 0), null)
})

test('an applicant approved into a school that has staff joins it, not as its coordinator, and the staff is told', async () => {
  const school = await aSchool()
  const colleague = await aTeacher({ schoolId: school.id })
  const { id, teacher } = await anApplication()
  const { token } = await anOfficer('owner')
  const invited = { id: school.id, name: 'Joel Namunawala', emailId: teacher.email }
  const { invitationId } = await server.ask(officeInvite, invited, { token })
  const approved = await server.ask(approveApplication, { id, version: 1, schId: school.id }, { token })
  assert.deepEqual([approved.schId, approved.schCode], [school.id, school.code])
  const { withdrawn_at } = await findRow('school_invitations', { id: invitationId })
  assert.deepEqual(withdrawn_at, aDay)
  const user = await findRow('users', { id: teacher.id })
  assert.deepEqual([user.school_id, user.coordinator], [school.id, false])
  const [mail] = await mailsTo(server, colleague.email)
  assert.ok(mail?.text.includes(user.name) && mail.text.includes(school.name))
})

test('an applicant approved into a school whose only account is deactivated becomes its coordinator', async () => {
  const left = await aTeacher({ coordinator: true })
  const { token } = await anOfficer('owner')
  const off = { id: left.schoolId, userId: left.id, version: 1, enabled: false, reason: 'Left the school' }
  await server.ask(setSchoolAccount, off, { token })
  const { id, teacher } = await anApplication()
  await server.ask(approveApplication, { id, version: 1, schId: left.schoolId }, { token })
  assert.equal((await findRow('users', { id: teacher.id })).coordinator, true)
})

test('approving an applicant into a school that exists needs a proof from the last ten minutes, a new school none', async () => {
  const officer = await anOfficer('operations', new Date(aDay.getTime() - 11 * 60_000))
  const [newcomer, stranger] = [await anApplication(), await anApplication()]
  const into = { id: stranger.id, version: 1, schId: (await aSchool()).id }
  await server.refuses('session.confirm', approveApplication, into, officer)
  assert.equal((await findRow('users', { id: stranger.teacher.id })).school_id, null)
  await server.ask(approveApplication, { id: newcomer.id, version: 1 }, officer)
})

test('likely duplicates are shown with what matches, the strongest first', async () => {
  const pin = `56${randomInt(1000, 9999)}`
  const udise = String(randomInt(1e10, 1e11))
  const name = `Misaal Bal Niketan ${pin}`
  const sameName = await aSchool({ name })
  const sameCode = await aSchool({ name: 'Something Else' })
  const onlyPin = await aSchool({ name: 'Third Academy' })
  await changeRows('schools', { id: [sameName.id, onlyPin.id] }, { pin_code: pin })
  await changeRows('schools', { id: sameCode.id }, { udise_code: udise, name_key: 'something else' })
  await changeRows('schools', { id: sameName.id }, { name_key: foldName(name) })
  const { id } = await anApplication({ name, pinCode: pin, udise })
  const { token } = await anOfficer('viewer')
  const body = await server.ask(getApplication, { id: String(id) }, { token })
  assert.deepEqual(valuesOf(body.likely, 'schId', 'same'), [
    [sameCode.id, ['udise']],
    [sameName.id, ['name', 'pin']],
  ])
})

test('a rejected applicant gets the reason by e-mail, and the application is closed', async () => {
  const { id, teacher } = await anApplication()
  const { token } = await anOfficer('operations')
  const reason = 'The pin code does not exist.'
  await server.ask(rejectApplication, { id, version: 1, reason }, { token })
  const [mail] = await mailsTo(server, teacher.email)
  assert.ok(mail?.text.includes(reason))
  await server.refuses('application.decided', approveApplication, { id, version: 2 }, { token })
})

test('decided applications are sorted by the day of the decision, the newest first', async () => {
  const name = `Nirnay Vidyalaya ${randomInt(1e9)}`
  const [first, second] = [await anApplication({ name }), await anApplication({ name })]
  const officer = await anOfficer('operations')
  for (const { id } of [second, first])
    await server.ask(rejectApplication, { id, version: 1, reason: 'No school' }, officer)
  await changeRows(
    'applications',
    { id: first.id },
    { decided_at: new Date(aDay.getTime() + 60_000), submitted_at: new Date(aDay.getTime() - 60_000) },
  )
  const body = await server.ask(listApplications, { state: 'rejected', search: name }, officer)
  assert.deepEqual(valuesOf(body.data, 'id'), [first.id, second.id])
})

test('a rejection without a reason is refused at its field', async () => {
  const { id } = await anApplication()
  const { token } = await anOfficer('operations')
  const refused = await server.call(rejectApplication, { body: { id, version: 1, reason: '  ' } }, { token })
  assert.equal(refused.status, 400)
  assert.deepEqual(refused.body.issues, [{ path: 'reason', message: 'Please enter a reason.' }])
})

test('of two officers who decide at once, one succeeds and the other is refused', async () => {
  const { id } = await anApplication()
  const [first, second] = [await anOfficer('operations'), await anOfficer('owner')]
  const answers = await Promise.all([
    server.call(approveApplication, { body: { id, version: 1 } }, first),
    server.call(rejectApplication, { body: { id, version: 1, reason: 'No' } }, second),
  ])
  assert.deepEqual(valuesOf(answers, 'status').sort(), [200, 409])
})

test("an approval with another school's code is refused and decides nothing", async () => {
  const school = await aSchool()
  const { id } = await anApplication()
  const { token } = await anOfficer('operations')
  await server.refuses(
    'application.code_taken',
    approveApplication,
    { id, version: 1, schCode: school.code },
    { token },
  )
  const row = await findRow('applications', { id }, ['state_of_review'])
  assert.equal(row.state_of_review, 'submitted')
})

test('an application with the UDISE code of a known school is not approved as a new one', async () => {
  const udise = String(randomInt(1e10, 1e11))
  const known = await aSchool()
  await changeRows('schools', { id: known.id }, { udise_code: udise })
  const { id } = await anApplication({ udise })
  const { token } = await anOfficer('operations')
  const refused = await server.call(approveApplication, { body: { id, version: 1 } }, { token })
  assert.deepEqual(
    [refused.status, refused.body.message],
    [400, 'Another school already has this UDISE code.'],
  )
})

test('the roles accounts, results and viewer see applications but cannot approve them', async () => {
  const { id } = await anApplication()
  for (const role of ['accounts', 'results', 'viewer'] as const) {
    const { token } = await anOfficer(role)
    await server.ask(listApplications, {}, { token })
    assert.equal((await server.call(approveApplication, { body: { id, version: 1 } }, { token })).status, 403)
  }
})

test('each decision leaves an audit line', async () => {
  const { id } = await anApplication()
  const officer = await anOfficer('operations')
  await server.ask(approveApplication, { id, version: 1 }, officer)
  const lines = await findRows('audit', { subject_kind: 'application', subject_id: String(id) })
  assert.deepEqual(valuesOf(lines, 'action', 'actor_id'), [['application.approved', officer.id]])
})

const question = 'Please send us the UDISE code.'

async function anApplicationWithQuestion() {
  const application = await anApplication()
  const officer = await anOfficer('operations')
  await server.ask(askBackApplication, { id: application.id, version: 1, question }, officer)
  return { ...application, officer }
}

const sendAnswer = (by: { token: string }, body: object) =>
  server.send(answerAskedBack, { body: { ...details, answer: '', ...body } }, by)
const details = {
  schName: 'Kalpanik Vidya Mandir',
  schAddress: '4 Udaharan Street',
  city: 'Namunapur',
  state: 'Karnataka',
  district: 'Namunapur',
  country: 'India',
  pinCode: '560099',
  mobile: '9000000001',
  udiseCode: '',
  affiliationNo: '',
}

test('a question reaches the applicant, whose answer returns the application to the queue', async () => {
  const { id, teacher, name, officer } = await anApplicationWithQuestion()
  const [mail] = await mailsTo(server, teacher.email)
  assert.ok(mail?.text.includes(question) && mail.text.includes('/school-detail'))
  const { userDetails } = await server.ask(me, {}, teacher)
  assert.deepEqual(
    [userDetails.state, userDetails.reason, userDetails.teacherId],
    ['asked', question, teacher.id],
  )
  const { application } = await server.ask(getOwnApplication, {}, teacher)
  assert.deepEqual([application?.id, application?.version, application?.schName], [id, 2, name])
  const inState = async (state: 'submitted' | 'asked') =>
    (await server.ask(listApplications, { state, search: name }, officer)).data
  assert.deepEqual([(await inState('submitted')).length, (await inState('asked')).length], [0, 1])
  const udiseCode = String(randomInt(1e10, 1e11))
  const answered = await sendAnswer(teacher, {
    id,
    version: 2,
    schName: name,
    udiseCode,
    answer: 'Here it is.',
  })
  assert.deepEqual([answered.status, answered.body.result], [200, 'success'])
  const [back] = await inState('submitted')
  assert.deepEqual(
    [back?.udiseCode, back?.question, back?.answer, back?.askedBy, back?.answeredAt !== null],
    [udiseCode, question, 'Here it is.', officer.name, true],
  )
  assert.equal((await server.ask(me, {}, teacher)).userDetails.state, 'pending')
  const lines = await auditLines(['action', 'change'], { subject_kind: 'application', subject_id: id })
  assert.deepEqual(valuesOf(lines, 'action', 'change'), [
    ['application.asked', { to: { question } }],
    [
      'application.answered',
      { from: { udise_code: '' }, to: { udise_code: udiseCode, answer: 'Here it is.' } },
    ],
  ])
})

test('an applicant withdraws an application that waits, and the form opens with its details; the office reads why', async () => {
  const { id, teacher, name } = await anApplication()
  const { userDetails } = await server.ask(withdrawApplication, {}, teacher)
  assert.deepEqual([userDetails.state, userDetails.reason, userDetails.teacherId], ['rejected', '', 0])
  const { application } = await server.ask(getOwnApplication, {}, teacher)
  assert.deepEqual([application?.schName, application?.remark], [name, ''])
  const decision = server.call(approveApplication, { body: { id, version: 1 } }, await anOfficer('owner'))
  assert.equal((await refused('application.decided', decision)).message, 'Withdrawn by the school.')
  await server.refuses('application.not_waiting', withdrawApplication, {}, teacher)
})

test('an application with an open question is answered, not withdrawn', async () => {
  const { teacher } = await anApplicationWithQuestion()
  await server.refuses('application.question_open', withdrawApplication, {}, teacher)
  assert.equal((await server.ask(me, {}, teacher)).userDetails.state, 'asked')
})

test('an account that sends and withdraws its school again and again has to wait after the tenth time in a day', async () => {
  const strict = await testServer({ clock: () => aDay, limitScale: 1 })
  const teacher = await aTeacher({ schoolId: null })
  for (let n = 0; n < 10; n++) {
    await strict.ask(saveSchoolDetails, details, teacher)
    await strict.ask(withdrawApplication, {}, teacher)
  }
  await strict.refuses('request.too_many', saveSchoolDetails, details, teacher)
  assert.equal((await findRows('applications', { user_id: teacher.id }, ['id'])).length, 10)
})

test('of an approval and a withdrawal at once exactly one succeeds', async () => {
  const [{ id, teacher }, officer] = [await anApplication(), await anOfficer('operations')]
  const answers = await Promise.all([
    server.call(approveApplication, { body: { id, version: 1 } }, officer),
    server.call(withdrawApplication, { body: {} }, teacher),
  ])
  assert.deepEqual(valuesOf(answers, 'status').sort(), [200, 409])
  assert.equal((await findRow('users', { id: teacher.id })).school_id !== null, answers[0].status === 200)
})

test('an application with an open question can still be approved, rejected or asked about again', async () => {
  const first = await anApplicationWithQuestion()
  await server.ask(approveApplication, { id: first.id, version: 2 }, first.officer)
  await refused(
    'application.not_asked',
    sendAnswer(first.teacher, { id: first.id, version: 2, answer: 'Late' }),
  )
  const second = await anApplicationWithQuestion()
  const again = { id: second.id, version: 2, question: 'And the affiliation number?' }
  await server.ask(askBackApplication, again, second.officer)
  assert.equal((await server.ask(getOwnApplication, {}, second.teacher)).application?.remark, again.question)
  await refused(
    'changed_meanwhile',
    sendAnswer(second.teacher, { id: second.id, version: 2, answer: 'To the first' }),
  )
  const rejected = { id: second.id, version: 3, reason: 'No school' }
  await server.ask(rejectApplication, rejected, second.officer)
  await server.refuses('application.decided', askBackApplication, { ...again, version: 4 }, second.officer)
})

test('an officer cannot decide on an application that was answered meanwhile without seeing the answer', async () => {
  const { id, teacher, officer } = await anApplicationWithQuestion()
  await sendAnswer(teacher, { id, version: 2, answer: 'Here it is.' })
  await server.refuses('changed_meanwhile', approveApplication, { id, version: 2 }, officer)
})

test('an answer is refused if it is empty, names an unknown state, or is by someone else', async () => {
  const { id, teacher, name } = await anApplicationWithQuestion()
  const nothing = await sendAnswer(teacher, { id, version: 2, schName: name })
  assert.deepEqual(nothing.body.issues, [
    { path: 'answer', message: 'Please answer, or correct what is missing.' },
  ])
  await refused('input.invalid', sendAnswer(teacher, { id, version: 2, state: 'Atlantis' }))
  const stranger = await aTeacher({ schoolId: null })
  assert.equal((await server.ask(getOwnApplication, {}, stranger)).application, null)
  assert.equal((await sendAnswer(stranger, { id, version: 2, answer: 'Mine' })).status, 404)
  await server.refuses('account.pending', saveSchoolDetails, details, teacher)
})

test('an officer needs a question and the right to decide to ask an applicant', async () => {
  const { id } = await anApplication()
  const ask = async (role: 'operations' | 'viewer', asked: string) =>
    server.send(askBackApplication, { body: { id, version: 1, question: asked } }, await anOfficer(role))
  assert.deepEqual((await ask('operations', ' ')).body.issues, [
    { path: 'question', message: 'Please write what is missing.' },
  ])
  assert.equal((await ask('viewer', question)).status, 403)
})

test('applications are exported with an audit line by officers who may export schools', async () => {
  const name = `=Udaharan Vidya Mandir ${randomInt(1e9)}`
  const { teacher } = await anApplication({ name })
  await anApplication({ name: `Misaal Shala ${randomInt(1e9)}` })
  const officer = await anOfficer('operations')
  const { text } = await takeCsv(server, exportApplications, { state: 'submitted', search: name }, officer)
  const lines = text.trim().split('\n')
  assert.equal(lines.length, 2, text)
  assert.ok(lines[1]?.includes(`,${teacher.email},`), text)
  assert.ok(lines[1]?.startsWith(`'${name},4 Udaharan Street,Namunapur,`), 'a name is never a formula')
  assert.deepEqual(await newestChange('application.exported'), {
    format: 'csv',
    applications: 1,
    filters: { state: 'submitted', search: name },
  })
  const viewer = await anOfficer('viewer')
  const refused = await takeCsv(server, exportApplications, { state: 'submitted', search: '' }, viewer)
  assert.equal(refused.status, 403)
})
