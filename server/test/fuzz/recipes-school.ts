import { randomInt, randomUUID } from 'node:crypto'
import { aContact, aNoticeFor, aTeacher, thisSeason } from '../factories.ts'
import { anOrder, anOrderedBook, aProof, aSchoolThatOwes, aSubmission } from '../payments-factories.ts'
import { aClassThatSat, aFamilyOf, aReleasedEvent, searchBody } from '../results-factories.ts'
import { aPacket } from '../shipping-factories.ts'
import {
  aFamily,
  anEnteredStudent,
  anEntry,
  aSchoolThatMayChoose,
  aVisitingFamily,
  lastYear,
} from '../students-factories.ts'
import type { RecipeContext, Recipes } from './world.ts'

const FYear = thisSeason
const bytes = (text: string) => new TextEncoder().encode(text)

/** Returns a file of students that is valid except for one row. */
const aList = () => ({
  name: 'list.csv',
  bytes: bytes(
    [
      'Class,Section,Roll No,Student Name,Subjects',
      `7,A,${randomInt(1, 900_000)},Om Misaal,M`,
      `7,A,${randomInt(1, 900_000)},Asha Misaal,M`,
      '99,A,x,,',
    ].join('\n'),
  ),
})

/** Creates a list that a teacher has sent and that waits to be confirmed. */
async function anImport(ctx: RecipeContext) {
  const as = await aTeacher()
  const { importId, revision } = await ctx.done('POST ManageStudent/ImportStudents', {
    query: { FYear },
    file: aList(),
    as,
  })
  return { as, importId, revision }
}

async function aConfirmedImport(ctx: RecipeContext) {
  const { as, importId, revision } = await anImport(ctx)
  await ctx.done('POST ManageStudent/ConfirmImport', { body: { importId, revision }, as })
  await ctx.drained()
  return { as, importId }
}

async function entered(ctx: RecipeContext) {
  const as = await aTeacher({ coordinator: true })
  const { id } = await anEnteredStudent(ctx.server, as)
  return { as, studentId: id }
}

async function deleted(ctx: RecipeContext) {
  const { as, studentId } = await entered(ctx)
  await ctx.done('POST ManageStudent/Delete_Student', { body: { studentId }, as })
  return { as, studentId }
}

async function aPrint(ctx: RecipeContext, drained: boolean) {
  const { as } = await entered(ctx)
  const { printId } = await ctx.done('POST ManageStudent/PrintPaper', {
    body: { FYear, paper: 'class-list' },
    as,
  })
  if (drained) await ctx.drained()
  return { as, printId }
}

/** Creates a subject's list that may be signed off: which one, and how many students it has. */
async function aListToSign(ctx: RecipeContext) {
  const { as } = await entered(ctx)
  const { id } = await ctx.row<{ id: number }>('select max(id) as id from participations')
  return { as, body: { name: 'Meera Namunawala', lists: [{ eventManagementId: id, students: 1 }] } }
}

async function aRequestedWaiver(ctx: RecipeContext) {
  const { as, studentId } = await entered(ctx)
  const attechment = await aProof()
  const body = { studentId, reason: 'No income this year.', attechment, attechmentName: 'letter.png' }
  const { id } = await ctx.done('POST ManageStudent/AskWaiver', { body, as })
  return { as, body: { id, version: 1 } }
}

const gridRow = () => ({
  row: 1,
  cells: ['7', 'A', String(randomInt(1, 900_000)), 'Om Misaal', 'M', '', '', '', '', '', '', '', ''],
})

/** Calls of a school before it pays: students, lists, files of students, papers. */
export const enrolmentRecipes: Recipes = {
  'POST ManageStudent/SaveStudentDetails': async () => ({ body: anEntry(), as: await aTeacher() }),
  'GET ManageStudent/Delete_Student': async (ctx) => {
    const { as, studentId } = await entered(ctx)
    return { query: { studentId }, as }
  },
  'POST ManageStudent/Delete_Student': async (ctx) => {
    const { as, studentId } = await entered(ctx)
    return { body: { studentId }, as }
  },
  'POST ManageStudent/RestoreStudent': async (ctx) => {
    const { as, studentId } = await deleted(ctx)
    return { body: { studentId }, as }
  },
  'POST ManageStudent/ChangeStudents': async (ctx) => {
    const { as, studentId } = await entered(ctx)
    return { body: { FYear, students: [{ id: studentId, version: 1, section: 'B' }] }, as }
  },
  'POST ManageStudent/CheckRows': async () => ({ body: { FYear, rows: [gridRow()] }, as: await aTeacher() }),
  'POST ManageStudent/EnterRows': async (ctx) => {
    const as = await aTeacher()
    const rows = [gridRow()]
    const checked = await ctx.done('POST ManageStudent/CheckRows', { body: { FYear, rows }, as })
    return { body: { FYear, rows, regAmount: checked.regAmount, bookAmount: checked.bookAmount }, as }
  },
  'POST ManageStudent/ImportStudents': async () => ({
    query: { FYear },
    file: aList(),
    as: await aTeacher(),
  }),
  'GET ManageStudent/ImportStatus': async (ctx) => {
    const { as, importId } = await aConfirmedImport(ctx)
    return { query: { importId }, as }
  },
  'GET ManageStudent/PreviewImport': async (ctx) => {
    const { as, importId } = await anImport(ctx)
    return { query: { importId }, as }
  },
  'GET ManageStudent/ImportFaults': async (ctx) => {
    const { as, importId } = await anImport(ctx)
    return { query: { importId }, as }
  },
  'POST ManageStudent/RecheckImport': async (ctx) => {
    const { as, importId, revision } = await anImport(ctx)
    return { body: { importId, revision, cells: [{ row: 4, column: 1, text: '7' }] }, as }
  },
  'POST ManageStudent/ConfirmImport': async (ctx) => {
    const { as, importId, revision } = await anImport(ctx)
    return { body: { importId, revision }, as }
  },
  'POST ManageStudent/CancelImport': async (ctx) => {
    const { as, importId } = await anImport(ctx)
    return { body: { importId }, as }
  },
  'POST ManageStudent/UndoImport': async (ctx) => {
    const { as, importId } = await aConfirmedImport(ctx)
    return { body: { importId }, as }
  },
  'POST ManageStudent/ConfirmCarryOver': async (ctx) => {
    const as = await aTeacher()
    await lastYear(as, [{ name: `Asha Misaal ${randomUUID().slice(0, 4)}` }])
    const offer = await ctx.done('POST ManageStudent/PreviewCarryOver', { body: { FYear, options: {} }, as })
    const rows = offer.rows as { studentId: number; regAmount: number; bookAmount: number }[]
    const sum = (name: 'regAmount' | 'bookAmount') => rows.reduce((all, row) => all + row[name], 0)
    const take = rows.map(({ studentId }) => studentId)
    const amounts = { regAmount: sum('regAmount'), bookAmount: sum('bookAmount') }
    return { body: { FYear, options: {}, digest: offer.digest, take, ...amounts }, as }
  },
  'GET ManageStudent/PrintStatus': async (ctx) => {
    const { as, printId } = await aPrint(ctx, true)
    return { query: { printId }, as }
  },
  'GET ManageStudent/PrintFile': async (ctx) => {
    const { as, printId } = await aPrint(ctx, true)
    return { query: { printId }, as }
  },
  'POST ManageStudent/CancelPrint': async (ctx) => {
    const { as, printId } = await aPrint(ctx, false)
    return { body: { printId }, as }
  },
  'POST ManageStudent/PrintPaper': async (ctx) => ({
    body: { FYear, paper: 'class-list' },
    as: (await entered(ctx)).as,
  }),
  'POST ManageStudent/FamilySlips': async (ctx) => ({ body: { FYear }, as: (await entered(ctx)).as }),
  'POST ManageStudent/RenewFamilyLink': async (ctx) => {
    const { teacher, id } = await aFamily(ctx.server)
    return { body: { studentId: id }, as: teacher }
  },
  'POST ManageStudent/SignOffLists': aListToSign,
  'POST ManageStudent/ReopenList': async (ctx) => {
    const { as, body } = await aListToSign(ctx)
    await ctx.done('POST ManageStudent/SignOffLists', { body, as })
    return { body: { eventManagementId: body.lists[0]?.eventManagementId, reason: 'One more child' }, as }
  },
  'POST ManageStudent/AskWaiver': async (ctx) => {
    const { as, studentId } = await entered(ctx)
    const attechment = await aProof()
    return {
      body: { studentId, reason: 'No income this year.', attechment, attechmentName: 'letter.png' },
      as,
    }
  },
  'POST ManageStudent/WithdrawWaiver': aRequestedWaiver,
  'POST ManageStudent/AskForFamily': async (ctx) => {
    const { as, studentId } = await entered(ctx)
    return { body: { studentId, kind: 'correct', words: 'The mother said so today.', contact: '' }, as }
  },
  'POST ManageStudent/WithdrawDataRequest': async (ctx) => {
    const { as, studentId } = await entered(ctx)
    const body = { studentId, kind: 'correct', words: 'The mother said so today.', contact: '' }
    const { id } = await ctx.done('POST ManageStudent/AskForFamily', { body, as })
    return { body: { id, version: 1 }, as }
  },
}

async function aDateChoice(ctx: RecipeContext) {
  const { subject, teacher } = await aSchoolThatMayChoose(ctx.server)
  const { eventManagementId, firstDateId } = subject
  return { fields: { eventManagementId, examDateId: firstDateId }, as: teacher }
}

async function aParcel() {
  const as = await aTeacher()
  return { as, PacketId: await aPacket({ schoolId: as.schoolId, way: ['Packed', 'Dispatched'] }) }
}

/** Other calls of a school: money, books, parcels, dates, contacts. */
export const schoolRecipes: Recipes = {
  'POST ManageSchool/Save_PaymentDetails': async (ctx) => {
    const as = await aSchoolThatOwes()
    return { body: await aSubmission(ctx.server, as.token), as: { token: as.token } }
  },
  'POST ManageSchool/Save_ContactPerson': async () => ({ body: aContact, as: await aTeacher() }),
  'POST ManageSchool/Set_ContactStatus': async (ctx) => {
    const as = await aTeacher()
    const { id } = await ctx.done('POST ManageSchool/Save_ContactPerson', { body: aContact, as })
    return { body: { id, status: false }, as }
  },
  'GET ManageSchool/SetExamDate': async (ctx) => {
    const { fields, as } = await aDateChoice(ctx)
    return { query: fields, as }
  },
  'POST ManageSchool/SetExamDate': async (ctx) => {
    const { fields, as } = await aDateChoice(ctx)
    return { body: fields, as }
  },
  'GET ManageSchool/Get_Attendance_List': async () => {
    const { list, teacher } = await aClassThatSat()
    return { query: { eventManagementId: list.eventManagementId, classId: list.classId }, as: teacher }
  },
  'POST ManageSchool/Save_Attendance': async () => {
    const { list, teacher, students } = await aClassThatSat()
    return { body: { lists: [{ ...list, absent: [students[0]?.id ?? 0] }] }, as: teacher }
  },
  'POST ManageSchool/ReadNotice': async () => {
    const as = await aTeacher()
    return { body: { id: await aNoticeFor(as) }, as }
  },
  'POST ManageSchool/Save_TeacherQuestion': async () => ({
    body: {
      FYear,
      classId: 7,
      eventLetter: 'M',
      chapter: 'Chapter01',
      question: `Which of these is prime? ${randomUUID()}`,
      option1: '51',
      option2: '53',
      option3: '55',
      option4: '57',
      answer: 2,
    },
    as: await aTeacher(),
  }),
  'POST ManageBook/SaveBookOrder': async () => ({ body: anOrder(), as: await aTeacher() }),
  'POST ManageBook/DeleteBookOrder': async (ctx) => {
    const as = await aTeacher()
    return { body: { id: (await anOrderedBook(ctx.server, as)).id }, as }
  },
  'GET ManageBook/TrackOrder': async () => {
    const { as, PacketId } = await aParcel()
    return { query: { PacketId }, as }
  },
  'POST ManageBook/ConfirmReceipt': async () => {
    const { as, PacketId } = await aParcel()
    return { body: { PacketId, counts: [], remark: '' }, as }
  },
  'GET ManageSchool/GetSchool': ({ samples }) => ({ query: { schCode: samples.school.schCode } }),
}

/** Creates a school's released event and the query for its results. */
async function aReleasedSearch(ctx: RecipeContext) {
  const { event, teacher, idOf, students } = await aReleasedEvent(ctx.server)
  return { body: searchBody(event), event, as: teacher, resultId: idOf(0), students }
}

async function aCertificatesJob(ctx: RecipeContext) {
  const { body, as } = await aReleasedSearch(ctx)
  const { jobId } = await ctx.done('POST ManageResult/StartCertificates', {
    body: { ...body, as: 'classes' },
    as,
  })
  return { jobId, as }
}

async function aFamilyWithResults(ctx: RecipeContext) {
  const { event, students, resultId } = await aReleasedSearch(ctx)
  const child = students[0]
  if (!child) throw new Error('nobody has results')
  return { resultId, as: await aFamilyOf(ctx.server, [child], event.season) }
}

/** Calls about results as schools and families see them. */
export const resultRecipes: Recipes = {
  'POST ManageResult/Search_School_Result': aReleasedSearch,
  'POST ManageResult/ExportResults': async (ctx) => {
    const { body, as } = await aReleasedSearch(ctx)
    return { body: { ...body, format: 'csv' }, as }
  },
  'POST ManageResult/Certificates': aReleasedSearch,
  'POST ManageResult/Certificate': async (ctx) => {
    const { resultId, as } = await aReleasedSearch(ctx)
    return { body: { resultId }, as }
  },
  'POST ManageResult/RenewLink': async (ctx) => {
    const { resultId, as } = await aReleasedSearch(ctx)
    return { body: { resultId }, as }
  },
  'POST ManageResult/StartCertificates': async (ctx) => {
    const { body, as } = await aReleasedSearch(ctx)
    return { body: { ...body, as: 'classes' }, as }
  },
  'POST ManageResult/CancelCertificates': async (ctx) => {
    const { jobId, as } = await aCertificatesJob(ctx)
    return { body: { jobId }, as }
  },
  'POST ManageResult/CertificateFile': async (ctx) => {
    const { jobId, as } = await aCertificatesJob(ctx)
    await ctx.drained()
    return { body: { jobId, part: 1 }, as }
  },
  'GET ManageResult/PublicResult': async (ctx) => {
    const { body, as } = await aReleasedSearch(ctx)
    const { data } = await ctx.done('POST ManageResult/Search_School_Result', { body, as })
    const link = JSON.stringify(data).match(/[0-9a-z]{1,12}-[0-9a-f]{32}/)?.[0]
    return { query: { id: link } }
  },
  'POST ManageResult/FamilyCertificate': async (ctx) => {
    const { resultId, as } = await aFamilyWithResults(ctx)
    return { body: { resultId }, as }
  },
  'POST ManageResult/Answer_Invitations': async (ctx) => {
    const { eventYearId, teacher, asha } = await ctx.aSentRound()
    return { body: { eventYearId, answers: [{ studentId: asha, answer: 'yes', note: '' }] }, as: teacher }
  },
}

async function aFamilyVisit(ctx: RecipeContext) {
  const { token, id, groupId, mobile } = await aVisitingFamily(ctx.server)
  return { as: { token }, id, groupId, mobile }
}

/** Calls of a family with its code. */
export const familyRecipes: Recipes = {
  'POST ManageStudent/VerifyAccessCode': async (ctx) => {
    const { groupId, code } = await aFamily(ctx.server)
    return { body: { groupId, code } }
  },
  'POST ManageStudent/Edit_StudentDetailsBy_GroupId': async (ctx) => {
    const { as, id, groupId, mobile } = await aFamilyVisit(ctx)
    const names = { studentName: 'Ishita Namunawala', parents: 'Hemant Namunawala' }
    const reach = { mobileNo: mobile, email: 'hemant@family.example' }
    return { body: { groupId, fYear: FYear, classId: 7, individualRegId: id, ...names, ...reach }, as }
  },
  'POST ManageStudent/CloseFamilyPage': async (ctx) => ({ as: (await aFamilyVisit(ctx)).as }),
  'POST ManageStudent/SetConsent': async (ctx) => {
    const { as, id } = await aFamilyVisit(ctx)
    const page = await ctx.done('GET ManageStudent/Get_Privacy', { query: { language: 'en' }, as })
    const { version } = page.notice as { version: string }
    return { body: { individualRegId: id, given: true, noticeVersion: version, language: 'en' }, as }
  },
  'POST ManageStudent/AskAboutData': async (ctx) => {
    const { as, id } = await aFamilyVisit(ctx)
    return { body: { individualRegId: id, kind: 'export', words: 'Please send me all.' }, as }
  },
  'GET ManageStudent/Get_ChildData': async (ctx) => {
    const { as, id: individualRegId } = await aFamilyVisit(ctx)
    await ctx.done('POST ManageStudent/AskAboutData', {
      body: { individualRegId, kind: 'export', words: '' },
      as,
    })
    const { id } = await ctx.row<{ id: number }>('select max(id) as id from data_requests')
    const check = { id, version: 1, method: 'family-code', note: 'Asked behind the code.' }
    await ctx.done('POST office/privacy/check', { body: check })
    await ctx.done('POST office/privacy/carryOut', { body: { id, version: 2 } })
    return { query: { id }, as }
  },
}
