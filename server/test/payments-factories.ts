import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { saveBookOrder } from '@podium/contract/books/calls'
import { saveSeason } from '@podium/contract/catalogue/calls-seasons'
import type { BodyOf } from '@podium/contract/endpoint'
import { officeLedger } from '@podium/contract/ledger/calls'
import { accountStatement } from '@podium/contract/ledger/calls-statement'
import { paymentSummary, savePayment } from '@podium/contract/payments/calls'
import { officeWaivers } from '@podium/contract/payments/calls-waivers'
import type { PaymentKind } from '@podium/contract/payments/rules'
import type { Season } from '@podium/contract/season'
import sharp from 'sharp'
import { perDatabase, testDatabase } from './database.ts'
import { aDay, aSchool, aSeason, aTeacher, aWord, eventOf, thisSeason } from './factories.ts'
import { addRow, findRow } from './rows.ts'
import type { TestServer } from './server.ts'

async function db() {
  return (await testDatabase()).db
}

/** Creates the foundation and its two bank accounts, once for all tests of a file. */
export const aFoundation = perDatabase(makeFoundation)

async function makeFoundation(): Promise<void> {
  const database = await db()
  await database
    .insertInto('foundation')
    .values({
      id: 1,
      name: 'Podium Foundation',
      support_phone: '1800 000 0000',
      support_email: 'help@foundation.example',
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const account = {
    account_name: 'Podium Foundation',
    bank_name: 'Sahyadri Sample Bank',
    ifsc: 'SSBX0000417',
    valid_from: new Date('2024-04-01T00:00:00Z'),
  }
  await database
    .insertInto('bank_accounts')
    .values([
      { ...account, purpose: 'registration', account_no: '000012345678', upi_id: 'podium@samplebank' },
      { ...account, purpose: 'books', account_no: '000012345679', upi_id: 'podiumbooks@samplebank' },
    ])
    .execute()
}

interface StudentTraits {
  schoolId: number
  season?: Season
  classId?: number
  rollNo?: number
  name?: string
  /** Subject letters of Class 1 to 12; each costs ₹175, of which the school keeps ₹25 */
  letters?: string[]
  /** Number of Comprehensive Books at ₹220, of which the school keeps ₹20 */
  books?: number
  active?: boolean
}

let rollNo = 0

/** Creates a student with fees as the enrolment saves them. */
export async function aStudent(traits: StudentTraits) {
  const { season = thisSeason, classId = 7, letters = ['M'], books = 0 } = traits
  const name = traits.name ?? `Aarav Misaal ${aWord()}`
  const student = await addRow('students', {
    school_id: traits.schoolId,
    season: (await eventOf('M', season)).season,
    class_id: classId,
    section: 'A',
    roll_no: traits.rollNo ?? ++rollNo,
    name,
    name_key: name.toLowerCase(),
    subject_names: letters.join(','),
    letters: letters.join(','),
    active: traits.active ?? true,
    reg_amount: letters.length * 17_500,
    reg_retained: letters.length * 2_500,
    book_count: books,
    book_amount: books * 22_000,
    book_retained: books * 2_000,
    created_at: aDay,
    updated_at: aDay,
  })
  for (const letter of letters) {
    const event = await eventOf(letter, season)
    const common = {
      student_id: student.id,
      event_id: event.id,
      school_id: traits.schoolId,
      class_id: classId,
    }
    await addRow('enrolments', { ...common, fee: 17_500, retained: 2_500, created_at: aDay })
  }
  return student
}

/** Creates a teacher of a new school with this many students in Class 7, who each owe the fee of one subject. */
export async function aSchoolThatOwes(count = 2, traits: Partial<StudentTraits> = {}) {
  await aFoundation()
  const school = await aSchool()
  const teacher = await aTeacher({ schoolId: school.id })
  const students = []
  for (let n = 0; n < count; n++) students.push(await aStudent({ ...traits, schoolId: school.id }))
  return { school, teacher, token: teacher.token, students, ids: students.map((student) => student.id) }
}

/** Returns a small, unique picture as the dialog sends it. */
export async function aProof(): Promise<string> {
  const noise = Buffer.from(
    randomUUID()
      .repeat(12)
      .slice(0, 12 * 12 * 3),
  )
  const png = await sharp(noise, { raw: { width: 12, height: 12, channels: 3 } })
    .png()
    .toBuffer()
  return `data:image/png;base64,${png.toString('base64')}`
}

/** Returns what the dialog would send for the card of this kind as it is now. */
export async function aSubmission(
  server: TestServer,
  token: string,
  kind: PaymentKind = 'Registration Fee',
): Promise<BodyOf<typeof savePayment>> {
  const body = await server.ask(paymentSummary, { FYear: thisSeason }, { token })
  const item = body.dataList.find((item) => item.paymentFor === kind && item.paymentStatus_For_School === 0)
  if (!item) throw new Error(`nothing is due for ${kind}`)
  return {
    mode: 3,
    payableAmount: item.payableAmount,
    paymentDate: '2026-11-20',
    remarks: 'Transferred from the school account',
    attechment: await aProof(),
    attechmentName: 'slip.png',
    individualRegIdList: item.individualRegIdList,
    paymentFor: kind,
  }
}

/** Creates a pending payment of a new school. */
export async function aPendingPayment(
  server: TestServer,
  students = 2,
  traits: Partial<StudentTraits> & { kind?: PaymentKind; changes?: Partial<BodyOf<typeof savePayment>> } = {},
) {
  const { kind = 'Registration Fee', changes = {}, ...rest } = traits
  const world = await aSchoolThatOwes(students, rest)
  const submission = { ...(await aSubmission(server, world.token, kind)), ...changes }
  const { body } = await server.call(savePayment, { body: submission }, world)
  if (body.result !== 'success') throw new Error(body.message)
  return { ...world, id: body.id, payable: body.payableAmount, submission }
}

/** Returns an officer's approval of a waiver, with the amount shown in the office's queue. */
export async function yesToWaiver(server: TestServer, officer: { token: string }, id: number) {
  const query = { FYear: thisSeason, sort: 'amount' } as const
  const { data } = await server.ask(officeWaivers, query, officer)
  return { body: { id, version: 1, amount: data.find((row) => row.id === id)?.amount ?? 0 } }
}

/**
 * Sets the season's share by an owner's call for the rest of the test file; nothing else of the season changes except
 * `changes`.
 */
export async function setShare(server: TestServer, owner: { token: string }, share: object, changes = {}) {
  const row = await findRow('seasons', { label: thisSeason })
  const body = {
    FYear: thisSeason,
    version: row.version,
    feeDueOn: row.fee_due_on,
    resultsFrom: row.results_from,
    dateChoiceDays: row.date_choice_days,
    share,
    ...changes,
  }
  return server.call(saveSeason, { body: body as never }, owner)
}

type OrderBody = BodyOf<typeof saveBookOrder>

/** Returns an order of ten Comprehensive Books of Mathematics for Class 7: ₹220 each, of which the school keeps ₹20. */
export function anOrder(traits: Partial<OrderBody> = {}): OrderBody {
  return {
    FYear: thisSeason,
    classId: 7,
    subjectName: 'Mathematics',
    bookCategory: 'Comprehensive Book',
    quantity: 10,
    ...traits,
  }
}

/** Saves a line of the library order through a teacher's call. */
export async function anOrderedBook(
  server: TestServer,
  teacher: { token: string },
  traits: Partial<OrderBody> = {},
) {
  await aSeason()
  const { status, body } = await server.call(saveBookOrder, { body: anOrder(traits) }, teacher)
  if (status !== 200) throw new Error(`not ordered: ${JSON.stringify(body)}`)
  return body.data
}

/** Returns the office's row of a school in the season, if the ledger has one. */
export async function ledgerRow(server: TestServer, officer: { token: string }, schoolId: number) {
  const { code } = await findRow('schools', { id: schoolId })
  const query = { FYear: thisSeason, search: code }
  const body = await server.ask(officeLedger, query, officer)
  assert.equal(body.uncounted, 0, JSON.stringify(body))
  return body.data.find((row) => row.schoolId === schoolId)
}

/** Checks that the office's ledger of a school equals the sums of the school's own statement, to the paisa. */
export async function ledgerHolds(
  server: TestServer,
  officer: { token: string },
  teacher: { token: string; schoolId: number },
): Promise<void> {
  const { totals } = await server.ask(accountStatement, { FYear: thisSeason }, teacher)
  const row = await ledgerRow(server, officer, teacher.schoolId)
  const { beingVerified, ...same } = totals
  const expected = row ?? { ...totals, verifying: beingVerified }
  assert.deepEqual(
    { ...same, verifying: beingVerified },
    Object.fromEntries(
      [...Object.keys(same), 'verifying'].map((name) => [name, expected[name as keyof typeof expected]]),
    ),
  )
  // A school is left out only if it has no amounts.
  if (!row)
    assert.deepEqual(
      Object.values(totals).map(Math.abs),
      Object.values(totals).map(() => 0),
    )
}
