import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emailVerify } from '@podium/contract/accounts/calls-registration'
import { verifyPayment } from '@podium/contract/payments/calls-verification'
import {
  aForm,
  aLinkedSchool,
  anAccount,
  anAddress,
  aPassword,
  aProvedBrowser,
  codeFor,
} from '#test/accounts-factories'
import { aDay, anOfficer, aTeacher, eventOf, thisSeason } from '#test/factories'
import { type Credentials, type Fields, rawCall } from '#test/file-call'
import { aPendingPayment, aSchoolThatOwes, aStudent, aSubmission } from '#test/payments-factories'
import { anEvent, candidates, releaseRows } from '#test/results-factories'
import { addRow, findRow, valuesOf } from '#test/rows'
import { beforehand, testServer } from '#test/server'
import { aPacket } from '#test/shipping-factories'
import { anEnteredStudent, anEntry, aSchoolThatMayChoose, aVisitingFamily } from '#test/students-factories'
import { specifiedCalls } from '../../scripts/specification-calls.ts'

/** The calls of the specification (section 7) as a third-party program makes them: only by path and names. */
const server = beforehand(() => testServer({ clock: () => aDay }))

const FYear = thisSeason
/** Returns all values at a path like `data[].details[].total`; fails if a part of the path is missing. */
function valuesAt(body: unknown, path: string): unknown[] {
  return path.split('.').reduce<unknown[]>(
    (values, part) =>
      values.flatMap((value) => {
        const name = part.replace('[]', '')
        const inside = value as Fields
        assert.ok(
          inside !== null && Object.hasOwn(inside, name),
          `${path} is missing in ${JSON.stringify(value)}`,
        )
        if (!part.endsWith('[]')) return [inside[name]]
        const list = inside[name]
        assert.ok(Array.isArray(list) && list.length > 0, `${path}: ${name} has no row`)
        return list
      }),
    [body],
  )
}

/** Creates a school with students, books, money, parcels and exams, whose teacher signs in with a password. */
async function aBusySchool() {
  const { school, id } = await aPendingPayment(server)
  const officer = await anOfficer('accounts')
  await server.ask(verifyPayment, { id, version: 1 }, officer)
  const account = await anAccount(server, { schoolId: school.id })
  const teacher = await aTeacher({ schoolId: school.id })
  const online = await aStudent({ schoolId: school.id, letters: ['K'] })
  const hour = new Date('2026-12-10T04:30:00Z')
  await addRow('exam_schedules', {
    student_id: online.id,
    event_id: (await eventOf('K')).id,
    from_at: hour,
    to_at: new Date(hour.getTime() + 3_600_000),
  })
  await anEnteredStudent(server, teacher)
  const parcel = await aPacket({ schoolId: school.id })
  await aPacket({ schoolId: school.id, contents: 'papers' })
  return { school, account, teacher, parcel }
}

/** Requests a one-time password for a person and reads it. */
async function askedForACode() {
  const cookies = new Map<string, string>()
  const EmailId = anAddress()
  await server.ask(emailVerify, { EmailId }, { cookies })
  return { fields: { EmailId, otp: await codeFor(server, EmailId) }, sent: { cookies } }
}

async function registering() {
  const emailId = anAddress()
  return {
    fields: { ...aForm, emailId, schId: null },
    sent: { cookies: await aProvedBrowser(server, emailId) },
  }
}

async function withoutSchool() {
  const { id, token } = await aTeacher({ schoolId: null })
  const place = {
    city: 'Kalpanagar',
    state: 'Karnataka',
    district: 'Kalpanagar',
    country: 'India',
    pinCode: '560001',
  }
  const school = {
    schName: 'Udaharan Vidyalaya',
    schAddress: '1 Namuna Road',
    mobile: '9000000000',
    ...place,
  }
  return { fields: { teacherId: id, ...school, cityName: 'sent by others, and of no use' }, sent: { token } }
}

async function choosingADate() {
  const { subject, teacher } = await aSchoolThatMayChoose(server)
  const { eventManagementId, firstDateId } = subject
  return { fields: { eventManagementId, examDateId: firstDateId }, sent: { token: teacher.token } }
}

async function withResults() {
  const teacher = await aTeacher()
  const event = await anEvent()
  const [student] = await candidates(event, [{ schoolId: teacher.schoolId }])
  await releaseRows(server, event, [{ roll: student?.roll ?? '', marks: [1, 1, 9] }])
  const { code: schCode } = await findRow('schools', { id: teacher.schoolId })
  const fields = {
    schCode,
    examLevel: 1,
    fyear: event.season,
    eventYearId: event.id,
    eventLetter: 'M',
    classId: 0,
  }
  return { fields: { ...fields, action: '' }, sent: { token: teacher.token } }
}

interface Prepared {
  fields: Fields
  sent?: Credentials
}
type Busy = Awaited<ReturnType<typeof aBusySchool>>

/** Returns each call's input and caller; fields are spelt as in section 7. */
function callsOf({ school, account, teacher, parcel }: Busy): Record<string, () => Promise<Prepared>> {
  const ofSchool = (fields: Fields) => async () => ({ fields, sent: { token: teacher.token } })
  const schId = school.id
  const contact = { id: 0, desgId: 1, schId, fyear: FYear, titleId: 1, name: 'Hema Misaal' }
  const reach = { email: 'hema@school.example', altEmail: '', mobile: '9000000417', altmobile: '' }
  const social = { socialMedia: '', name: '', photoUrl: '', schId: null, address: '', city: '', state: '' }
  return {
    'Account/GetCountry': async () => ({ fields: {} }),
    'Account/GetState': async () => ({ fields: { countryId: 1 } }),
    'Account/SaveSchoolDetails': withoutSchool,
    'ManageSchool/Get_DashBoard_Summary': ofSchool({ FYear, schId }),
    'ManageSchool/GetOlympiadDate': ofSchool({ FYear }),
    'Account/Login': async () => ({
      fields: {
        emailId: account.email,
        password: aPassword,
        socialMediaDetails: { ...social, pinCode: '', country: '' },
      },
    }),
    'Account/ForgotPassword': async () => ({ fields: { emailId: account.email } }),
    'Account/GET_USER_DETAILS_BY_UID': async () => ({ fields: { GUID: (await aLinkedSchool(server)).id } }),
    'Account/EmailVerify': async () => ({ fields: { EmailId: anAddress() } }),
    'Account/OTPVerify': askedForACode,
    'account/Register': registering,
    'ManageStudent/GET_StudentDetailsBy_GroupId': async () => {
      const { groupId, token } = await aVisitingFamily(server)
      return { fields: { GroupId: groupId, FYear }, sent: { token } }
    },
    'ManageStudent/Edit_StudentDetailsBy_GroupId': async () => {
      const { groupId, token, id, mobile } = await aVisitingFamily(server)
      const names = { studentName: 'Ishita Namunawala', parents: 'Hemant Namunawala' }
      const reach = { mobileNo: mobile, email: 'hemant@family.example' }
      return {
        fields: { groupId, fYear: FYear, ...names, ...reach, classId: 7, individualRegId: id },
        sent: { token },
      }
    },
    'ManageSchool/Get_DashBoard_Summary_For_Payment': ofSchool({ FYear, schId }),
    'ManageSchool/Save_PaymentDetails': async () => {
      const { token } = await aSchoolThatOwes()
      const { mode, payableAmount, paymentDate, remarks, attechment, individualRegIdList } =
        await aSubmission(server, token)
      const fields = { mode, payableAmount, paymentDate, remarks, attechment, individualRegIdList }
      return { fields, sent: { token } }
    },
    'ManageBook/GetOrder': ofSchool({ SchId: schId, FYear }),
    'ManageBook/TrackOrder': ofSchool({ PacketId: parcel }),
    'ManageBook/Get_QuestionPaperStatus': ofSchool({ SchId: schId, FYear }),
    'ManageSchool/GET_OnlineExamSchedule': ofSchool({ FYear, SchId: schId }),
    'ManageStudent/GetBookDetails': ofSchool({
      FYear,
      schId,
      subjectName: 'Mathematics',
      bookCategory: 'Comprehensive Book',
      classId: 7,
    }),
    'ManageStudent/GetBook_Summary': ofSchool({ Fyear: FYear, schId }),
    'ManageResult/Get_Event_For_Result': ofSchool({ FYear }),
    'ManageResult/Search_School_Result': withResults,
    'ManageSchool/GetSchool': ofSchool({ schCode: school.code }),
    'ManageSchool/GetParticipateSubjectForChangeExamDate': ofSchool({ FYear, schCode: school.code }),
    'ManageSchool/SetExamDate': choosingADate,
    'ManageSchool/Save_ContactPerson': ofSchool({ ...contact, ...reach }),
    'ManageSchool/Get_Designation': ofSchool({}),
    'ManageSchool/Get_Title': ofSchool({}),
    'ManageSchool/Get_ContactPerson': ofSchool({ FYear, schId, status: true }),
    'ManageStudent/SaveStudentDetails': ofSchool({
      ...anEntry(),
      bookRegId: 0,
      schCode: school.code,
      currency: 'INR',
      selectedItems: ['Mathematics', 'Science'],
    }),
    'account/GetSubject': ofSchool({ FYear, classId: 7 }),
    'account/GetBook': ofSchool({ classId: 7 }),
    'ManageStudent/GetStudentDetails': ofSchool({
      fyear: FYear,
      schId,
      classId: 7,
      section: '',
      studentName: '',
      subjectName: 'Mathematics',
    }),
    'ManageStudent/Delete_Student': async () => {
      const { id } = await anEnteredStudent(server, teacher)
      return { fields: { studentId: id }, sent: { token: teacher.token } }
    },
    'ManageStudent/GetParticipation_Summary': ofSchool({ Fyear: FYear, schId }),
    'ManageStudent/GetParticipation_Final_Summary': ofSchool({ Fyear: FYear, schId: school.code }),
    'ManageStudent/Get_Student_By_Class_And_School': ofSchool({
      Fyear: FYear,
      eventLetter: 'M',
      schoolCode: school.code,
      classCode: '7',
      subjectName: 'Mathematics',
    }),
  }
}

/** The server computes the amounts of a student's entry: a client need not send them. */
const computed = ['regAmount', 'bookAmount', 'school_Expenses', 'book_school_Expenses']
const optional = [
  ...computed,
  'id',
  'parentName',
  'parentEmailId',
  'parentMobileNo',
  'pyqp',
  'geneX',
  'tb',
  'wb',
]
const isAsked = (name: string, fields: Fields) => optional.includes(name) || name in fields

interface Operation {
  parameters?: { name: string }[]
  requestBody?: { content: { 'application/json': { schema: { properties?: object } } } }
}

/** Paths and names are matched case-insensitively, as the product does. */
const folded = (names: Iterable<string>) => new Set([...names].map((name) => name.toLowerCase()))

test('every call of the specification is in the OpenAPI document, with its parameters', async () => {
  const document = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Operation>>
  }
  const paths = new Map(Object.entries(document.paths).map(([path, calls]) => [path.toLowerCase(), calls]))
  const missing = specifiedCalls.flatMap(({ method, path, asks = [] }) => {
    const call = paths.get(`/api/${path}`.toLowerCase())?.[method.toLowerCase()]
    if (!call) return [`${method} ${path}`]
    const body = call.requestBody?.content['application/json'].schema.properties
    const declared = folded([...(call.parameters ?? []).map(({ name }) => name), ...Object.keys(body ?? {})])
    return asks.filter((name) => !declared.has(name.toLowerCase())).map((name) => `${path}: ${name}`)
  })
  assert.deepEqual(missing, [])
})

test('every call of the specification answers from real data with the named fields', async () => {
  const prepared = callsOf(await aBusySchool())
  assert.deepEqual(
    valuesOf(specifiedCalls, 'path').filter((path) => !(path in prepared)),
    [],
  )
  for (const call of specifiedCalls) {
    const { fields, sent } = (await prepared[call.path]?.()) ?? assert.fail(call.path)
    for (const name of call.asks ?? []) assert.ok(isAsked(name, fields), `${call.path} is not asked ${name}`)
    const { status, body } = await rawCall(server, call, fields, sent)
    assert.equal(status, 200, `${call.path}: ${JSON.stringify(body)}`)
    assert.deepEqual([body.result, typeof body.message], ['success', 'string'], call.path)
    for (const path of call.answers ?? []) valuesAt(body, path)
  }
})
