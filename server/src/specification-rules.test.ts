import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { emailVerify } from '@podium/contract/accounts/calls-registration'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { aForm, aLinkedSchool, anAddress, aProvedBrowser } from '#test/accounts-factories'
import { aContact, aDay, aTeacher, eventOf, thisSeason } from '#test/factories'
import { type Credentials, type Fields, type RawCall, rawCall } from '#test/file-call'
import { aSchoolThatOwes, aSubmission } from '#test/payments-factories'
import { beforehand, testServer } from '#test/server'
import { aFamily, anEntry, aSchoolThatMayChoose, aVisitingFamily } from '#test/students-factories'
import { servedRoutes } from './platform/http/http.ts'
import { answerSchema } from './platform/http/openapi.ts'

/**
 * The validation rules of the specification (section 5), one by one, directly at the call: bad input is answered with
 * the sentence for its field, and nothing is written. `good` is valid input; each row spoils one field.
 */
const server = beforehand(() => testServer({ clock: () => aDay }))

interface Prepared {
  good: Fields
  sent?: Credentials
}

/** The field, the value sent, and the expected sentence. */
type Rule = readonly [field: string, value: unknown, message: string]

async function signedIn(good: Fields): Promise<Prepared> {
  await eventOf('M')
  return { good, sent: { token: (await aTeacher()).token } }
}

const post = (path: string): RawCall => ({ method: 'POST', path })
const get = (path: string): RawCall => ({ method: 'GET', path })
const signIn = { emailId: 'meera@school.example', password: 'Tamarind-kettle-42' }
const place = { city: 'Kalpanagar', state: 'Karnataka', country: 'India', pinCode: '560001' }
const invalidEmail = 'Invalid email-Id.'
const invalidMobile = 'Enter valid mobile no.'

const forms: { name: string; call: RawCall; prepare: () => Promise<Prepared>; rules: readonly Rule[] }[] = [
  {
    name: 'Login',
    call: post('Account/Login'),
    prepare: async () => ({ good: signIn }),
    rules: [
      ['emailId', '', 'Email-Id is required'],
      ['emailId', 'meera at school', invalidEmail],
      ['password', '', 'Password is required'],
    ],
  },
  {
    name: 'The access code of a school link',
    call: post('Account/VerifyAccessCode'),
    prepare: async () => {
      const { id, code } = await aLinkedSchool(server)
      return { good: { id, code } }
    },
    rules: [['code', ' ', 'Access Code is required']],
  },
  {
    name: 'Forgot password',
    call: get('Account/ForgotPassword'),
    prepare: async () => ({ good: { emailId: 'meera@school.example' } }),
    rules: [['emailId', '', 'Please enter email id']],
  },
  {
    name: "The registration's e-mail",
    call: get('Account/EmailVerify'),
    prepare: async () => ({ good: { EmailId: anAddress() } }),
    rules: [
      ['EmailId', '', 'Email-Id is required'],
      ['EmailId', 'meera@school', invalidEmail],
    ],
  },
  {
    name: "The registration's one-time password",
    call: get('Account/OTPVerify'),
    prepare: async () => {
      const cookies = new Map<string, string>()
      const EmailId = anAddress()
      await server.ask(emailVerify, { EmailId }, { cookies })
      return { good: { EmailId, otp: '123456' }, sent: { cookies } }
    },
    rules: [['otp', '', 'Otp is required']],
  },
  {
    name: 'Register',
    call: post('account/Register'),
    prepare: async () => {
      const emailId = anAddress()
      return { good: { ...aForm, emailId }, sent: { cookies: await aProvedBrowser(server, emailId) } }
    },
    rules: [
      ['userName', '', 'Name is required'],
      ['address', '', 'Address is required'],
      ['country', '', 'Country is required'],
      ['state', '', 'State is required'],
      ['city', '', 'City is required'],
      ['pinCode', '', 'Pin Code is required'],
      ['mobile', '', 'Mobile No is required'],
      ['mobile', '98765', invalidMobile],
      ['genderType', null, 'Gender is required'],
      ['genderType', 3, 'Gender is required'],
      ['password', '', 'Password is required'],
      ['rePassword', '', 'Re Enter Password is required'],
      ['designation', '', 'You are a required'],
      ['disclaimer', false, 'Please accept the terms and conditions'],
    ],
  },
  {
    name: 'School detail',
    call: post('Account/SaveSchoolDetails'),
    prepare: async () => {
      const { id: teacherId, token } = await aTeacher({ schoolId: null })
      const school = { schName: 'Udaharan Vidyalaya', schAddress: '1 Namuna Road', mobile: '9000000000' }
      return { good: { teacherId, ...school, ...place, district: 'Kalpanagar' }, sent: { token } }
    },
    rules: [
      ['schName', '', 'School name is required'],
      ['schAddress', '', 'Address is required'],
      ['city', '', 'City is required'],
      ['country', '', 'Country is required'],
      ['state', '', 'State is required'],
      ['district', '', 'District is required'],
      ['pinCode', '', 'Pin code is required'],
      ['mobile', '', 'Phone is required'],
    ],
  },
  {
    name: 'Student entry',
    call: post('ManageStudent/SaveStudentDetails'),
    prepare: () => signedIn(anEntry()),
    rules: [
      ['classId', 0, 'Class is required.'],
      ['section', '', 'Section is required.'],
      ['rollno', '', 'Roll No is required.'],
      ['rollno', 0, 'Roll No is required.'],
      ['rollno', 'one', 'Roll No is required.'],
      ['studentName', '', 'Student Name is required.'],
      ['subjectName', '', 'Subject is required.'],
      ['parentEmailId', 'asha@family', 'Enter valid E-mail.'],
      ['parentMobileNo', '987654321', invalidMobile],
      ['parentMobileNo', '9876543210123', invalidMobile],
      ['parentMobileNo', '98765x3210', invalidMobile],
    ],
  },
  {
    name: 'Payment',
    call: post('ManageSchool/Save_PaymentDetails'),
    prepare: async () => {
      const { token } = await aSchoolThatOwes()
      return { good: await aSubmission(server, token), sent: { token } }
    },
    rules: [
      ['paymentDate', '', 'Payment Date is required'],
      ['attechment', '', 'Attechment is required'],
      ['remarks', '', 'Remarks is required'],
      ['mode', undefined, 'Mode must be 3.'],
      ['mode', 2, 'Mode must be 3.'],
      ['payableAmount', undefined, 'Amount is required.'],
      ['individualRegIdList', [], 'Students are required.'],
    ],
  },
  {
    name: "The access code of a family's link",
    call: post('ManageStudent/VerifyAccessCode'),
    prepare: async () => {
      const { groupId, code } = await aFamily(server)
      return { good: { groupId, code } }
    },
    rules: [['code', '', 'Access Code is required']],
  },
  {
    name: 'Student self-edit',
    call: post('ManageStudent/Edit_StudentDetailsBy_GroupId'),
    prepare: async () => {
      const { groupId, id: individualRegId, token } = await aVisitingFamily(server)
      const student = { studentName: 'Ishita Namunawala', mobileNo: '9000000417', email: 'h@family.example' }
      return {
        good: { groupId, fYear: thisSeason, classId: 7, individualRegId, ...student },
        sent: { token },
      }
    },
    rules: [
      ['studentName', '', 'Student Name is required.'],
      ['mobileNo', '', 'Mobile number is required.'],
      ['mobileNo', '900000041', 'Enter a valid 10-digit mobile number.'],
      ['mobileNo', '90000004171', 'Enter a valid 10-digit mobile number.'],
      ['email', '', 'Enter a valid email address.'],
      ['email', 'hemant@family', 'Enter a valid email address.'],
    ],
  },
  {
    name: 'Add books',
    call: post('ManageBook/SaveBookOrder'),
    prepare: () =>
      signedIn({
        FYear: thisSeason,
        classId: 7,
        subjectName: 'Mathematics',
        bookCategory: 'Comprehensive Book',
        quantity: 3,
      }),
    rules: [
      ['classId', '', 'Class is required.'],
      ['subjectName', '', 'Subject is required.'],
      ['bookCategory', '', 'Subject is required.'],
      ['quantity', '', 'Quantity is required.'],
    ],
  },
  {
    name: 'Result search',
    call: post('ManageResult/Search_School_Result'),
    prepare: async () => {
      const { id } = await eventOf('M')
      const good = {
        examLevel: 1,
        fyear: thisSeason,
        eventYearId: id,
        eventLetter: 'M',
        classId: 0,
        action: '',
      }
      return signedIn(good)
    },
    rules: [
      ['eventYearId', 0, 'Subject is required'],
      ['eventYearId', undefined, 'Subject is required'],
      ['eventLetter', '', 'Subject is required'],
      ['fyear', '', 'Season is not valid.'],
      ['fyear', '2026-28', 'Season is not valid.'],
    ],
  },
  {
    name: 'Contact',
    call: post('ManageSchool/Save_ContactPerson'),
    prepare: () => signedIn(aContact),
    rules: [
      ['desgId', 0, 'Designation is required.'],
      ['titleId', 0, 'Title is required.'],
      ['name', '', 'Contact Name is required.'],
      ['email', '', 'E-mail is required.'],
      ['email', 'hema at school', 'Enter valid E-mail.'],
      ['altEmail', 'hema at school', 'Enter valid E-mail.'],
      ['mobile', '', invalidMobile],
      ['mobile', '123456789', invalidMobile],
      ['mobile', '1234567890123', invalidMobile],
      ['mobile', '98765x3210', invalidMobile],
      ['altmobile', '123456789', invalidMobile],
    ],
  },
]

/** Counts the rows of every table, including the audit trail but not the rate limits. */
async function rowsOfAll(): Promise<unknown> {
  const { db } = server.deps
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_name <> 'rate_limits' order by table_name`.execute(db)
  const counts = rows.map(({ name }) => sql`select ${name} as name, count(*) as n from ${sql.table(name)}`)
  return (await sql`${sql.join(counts, sql` union all `)}`.execute(db)).rows
}

for (const { name, call, prepare, rules } of forms) {
  describe(name, () => {
    let prepared: Prepared
    let rowsBefore: unknown
    before(async () => {
      prepared = await prepare()
      rowsBefore = await rowsOfAll()
    })
    for (const [field, value, message] of rules) {
      test(`${field} ${JSON.stringify(value) ?? 'left out'} is refused with “${message}” [spec 5.2 9.9]`, async () => {
        const { good, sent } = prepared
        const { status, body } = await rawCall(server, call, { ...good, [field]: value }, sent)
        assert.equal(status, 400, JSON.stringify(body))
        assert.equal(body.result, 'error')
        assert.deepEqual(body.issues, [{ path: field, message }])
      })
    }
    test('a refused call has written nothing, not even a log entry [spec 5.2]', async () => {
      assert.deepEqual(await rowsOfAll(), rowsBefore)
    })
  })
}

test('an exam date left out is refused with “Please select Exam date.”, and nothing is written [spec 5.21]', async () => {
  const { subject, teacher } = await aSchoolThatMayChoose(server)
  const before = await rowsOfAll()
  const fields = { eventManagementId: subject.eventManagementId, examDateId: '' }
  for (const call of [get('ManageSchool/SetExamDate'), post('ManageSchool/SetExamDate')]) {
    const { body } = await rawCall(server, call, fields, teacher)
    assert.deepEqual([body.result, body.message], ['error', 'Please select Exam date.'])
  }
  assert.deepEqual(await rowsOfAll(), before)
})

test('each of these calls accepts valid input: only the rule refuses it', async () => {
  const answers: string[] = []
  for (const { name, call, prepare } of forms) {
    const { good, sent } = await prepare()
    const { body } = await rawCall(server, call, good, sent)
    if (body.code === 'input.invalid') answers.push(`${name}: ${JSON.stringify(body.issues)}`)
  }
  assert.deepEqual(answers, [])
})

test("a student's parents, their e-mail and their mobile may be left out [spec 5.14]", async () => {
  const { good, sent } = await signedIn(anEntry())
  const noParent = { parentName: '', parentEmailId: '', parentMobileNo: '' }
  const untouched = { parentName: null, parentEmailId: null, parentMobileNo: null }
  const call = post('ManageStudent/SaveStudentDetails')
  assert.equal((await rawCall(server, call, { ...good, ...noParent }, sent)).status, 200)
  assert.equal((await rawCall(server, call, { ...anEntry(), ...untouched }, sent)).status, 200)
})

test('a null field counts as left out, whether it is required or not [spec 5.22]', async () => {
  const { good, sent } = await signedIn(aContact)
  const save = (more: Fields) =>
    rawCall(server, post('ManageSchool/Save_ContactPerson'), { ...good, ...more }, sent)
  assert.equal((await save({ altEmail: null, altmobile: null })).status, 200)
  const { body } = await save({ name: null })
  assert.deepEqual(body.issues, [{ path: 'name', message: 'Contact Name is required.' }])
})

test('a value chosen from a list may be sent as digits', async () => {
  const { id } = await eventOf('M')
  const { token } = await aTeacher()
  const search = {
    fyear: thisSeason,
    eventYearId: String(id),
    eventLetter: 'M',
    examLevel: '1',
    classId: '0',
  }
  const books = { FYear: thisSeason, subjectName: 'Mathematics', bookCategory: 'cb', classId: '7' }
  for (const [path, fields] of Object.entries({
    'ManageResult/Search_School_Result': { ...search, action: '2' },
    'ManageSchool/Save_ContactPerson': { ...aContact, desgId: '1', titleId: '1' },
    'ManageStudent/GetBookDetails': books,
    'ManageStudent/GetStudentDetails': { fyear: thisSeason, classId: '7' },
    'ManageStudent/SaveStudentDetails': { ...anEntry(), classId: '7', rollno: '77' },
  })) {
    const { status, body } = await rawCall(server, post(path), fields, { token })
    assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`)
  }
})

test('the mobile of a contact and of a parent may have ten, eleven or twelve digits [spec 5.14 9.1]', async () => {
  const { token } = await aTeacher()
  await eventOf('M')
  for (const digits of ['9000000417', '08012345678', '918012345678']) {
    const saved = await rawCall(
      server,
      post('ManageSchool/Save_ContactPerson'),
      { ...aContact, mobile: digits, altmobile: digits },
      { token },
    )
    assert.equal(saved.status, 200, JSON.stringify(saved.body))
    const entry = anEntry({ parentMobileNo: digits })
    const entered = await rawCall(server, post('ManageStudent/SaveStudentDetails'), entry, { token })
    assert.equal(entered.status, 200, JSON.stringify(entered.body))
  }
})

/** Rules for the input and answer of every call (docs/security.md, T21, T22). */
const routes = () => servedRoutes(server.app)

interface Shape {
  type?: string
  properties?: Record<string, Shape>
  additionalProperties?: boolean | Shape
  items?: Shape | Shape[]
  anyOf?: Shape[]
  oneOf?: Shape[]
  allOf?: Shape[]
  propertyNames?: Shape
}

/** Returns the places below `path` where a shape allows undeclared fields. */
function openAt(shape: Shape, path: string): string[] {
  const open =
    shape.type === 'object' &&
    shape.additionalProperties !== false &&
    // A map: its keys have a rule, its values a shape
    !(typeof shape.additionalProperties === 'object' && shape.propertyNames)
  const inside = Object.entries(shape.properties ?? {}).flatMap(([name, property]) =>
    openAt(property, `${path}.${name}`),
  )
  const parts = [shape.items ?? [], shape.anyOf ?? [], shape.oneOf ?? [], shape.allOf ?? []].flat()
  return [...(open ? [path] : []), ...inside, ...parts.flatMap((part) => openAt(part, `${path}[]`))]
}

const shapeOf = (schema: z.ZodMiniType) =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape

test('an object that accepts undeclared fields is detected, at any depth', () => {
  const loose = z.strictObject({ rows: z.array(z.object({ name: z.string() })) })
  assert.deepEqual(openAt(shapeOf(loose), 'body'), ['body.rows[]'])
  assert.deepEqual(openAt(shapeOf(z.strictObject({ name: z.string() })), 'body'), [])
})

test('no call accepts a field that its contract does not declare, in its query or at any depth of its body', () => {
  assert.ok(routes().length > 400)
  const open = routes().flatMap(({ endpoint: { method, path, query, body } }) =>
    [...openAt(shapeOf(query), 'query'), ...openAt(shapeOf(body), 'body')].map(
      (place) => `${method} ${path}: ${place}`,
    ),
  )
  assert.deepEqual(open, [])
})

test('no answer contains a field that its contract does not declare: the serializer never lets others pass', () => {
  /** The serialiser drops undeclared fields, unless a shape allows them. */
  const passing = (shape: Shape, path: string): string[] => {
    const { additionalProperties: more } = shape
    const open = more === true || (typeof more === 'object' && Object.keys(more).length === 0)
    const inside = Object.entries(shape.properties ?? {}).flatMap(([name, property]) =>
      passing(property, `${path}.${name}`),
    )
    const parts = [shape.items ?? [], shape.anyOf ?? [], shape.oneOf ?? [], shape.allOf ?? []].flat()
    return [...(open ? [path] : []), ...inside, ...parts.flatMap((part) => passing(part, `${path}[]`))]
  }
  assert.deepEqual(passing(shapeOf(z.looseObject({ name: z.string() })), 'answer'), ['answer'])
  const open = routes().flatMap(({ endpoint }) =>
    passing(answerSchema(endpoint) as Shape, 'answer').map(
      (place) => `${endpoint.method} ${endpoint.path}: ${place}`,
    ),
  )
  assert.deepEqual(open, [])
})
