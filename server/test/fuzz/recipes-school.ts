import { randomInt, randomUUID } from 'node:crypto'
import { aContact, aNoticeFor, aTeacher } from '../factories.ts'
import { anOrder, anOrderedBook, aSchoolThatOwes, aSubmission } from '../payments-factories.ts'
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
import { textFile } from './ask.ts'
import { questionToSend } from './recipes-plan.ts'
import type { RecipeContext, Recipes } from './world.ts'

/** Returns a file of students that is valid except for one row. */
const aList = () =>
  textFile(
    'list.csv',
    [
      'Class,Section,Roll No,Student Name,Subjects',
      `7,A,${randomInt(1, 900_000)},Om Misaal,M`,
      `7,A,${randomInt(1, 900_000)},Asha Misaal,M`,
      '99,A,x,,',
    ].join('\n'),
  )

/** Creates a list that a teacher has sent and that waits to be confirmed. */
async function anImport(ctx: RecipeContext) {
  const caller = await aTeacher()
  const { importId, revision } = await ctx.done('POST ManageStudent/ImportStudents', {
    upload: aList(),
    caller,
  })
  return { caller, importId, revision, cells: [{ row: 4, column: 1, text: '7' }] }
}

async function aConfirmedImport(ctx: RecipeContext) {
  const list = await anImport(ctx)
  await ctx.done('POST ManageStudent/ConfirmImport', list)
  await ctx.drained()
  return list
}

async function entered(ctx: RecipeContext) {
  const caller = await aTeacher({ coordinator: true })
  const { id: studentId } = await anEnteredStudent(ctx.server, caller)
  return { caller, studentId }
}

async function aClassList(ctx: RecipeContext) {
  return { caller: (await entered(ctx)).caller, paper: 'class-list' }
}

async function aPrint(ctx: RecipeContext) {
  const list = await aClassList(ctx)
  const { printId } = await ctx.done('POST ManageStudent/PrintPaper', list)
  return { caller: list.caller, printId }
}

async function aFinishedPrint(ctx: RecipeContext) {
  const print = await aPrint(ctx)
  await ctx.drained()
  return print
}

/** Creates a subject's list that may be signed off: which one, and how many students it has. */
async function aListToSign(ctx: RecipeContext) {
  const { caller } = await entered(ctx)
  const eventManagementId = await ctx.newest('participations')
  return { caller, name: 'Meera Namunawala', eventManagementId, lists: [{ eventManagementId, students: 1 }] }
}

async function aRequestForFamily(ctx: RecipeContext) {
  return { ...(await entered(ctx)), kind: 'correct', message: 'The mother said so today.' }
}

/** Returns a row typed into the grid, with its teacher. */
async function aRow() {
  const cells = ['7', 'A', String(randomInt(1, 900_000)), 'Om Misaal', 'M', ...Array(8).fill('')]
  return { caller: await aTeacher(), rows: [{ row: 1, cells }] }
}

/** Calls of a school before it pays: students, lists, files of students, papers. */
export const enrolmentRecipes: Recipes = {
  'POST ManageStudent/SaveStudentDetails': async () => ({ ...anEntry(), caller: await aTeacher() }),
  'GET ManageStudent/Delete_Student': entered,
  'POST ManageStudent/Delete_Student': entered,
  'POST ManageStudent/RestoreStudent': async (ctx) => {
    const student = await entered(ctx)
    await ctx.done('POST ManageStudent/Delete_Student', student)
    return student
  },
  'POST ManageStudent/ChangeStudents': async (ctx) => {
    const { caller, studentId } = await entered(ctx)
    return { caller, students: [{ id: studentId, version: 1, section: 'B' }] }
  },
  'POST ManageStudent/CheckRows': aRow,
  'POST ManageStudent/EnterRows': async (ctx) => {
    const row = await aRow()
    const { regAmount, bookAmount } = await ctx.done('POST ManageStudent/CheckRows', row)
    return { ...row, regAmount, bookAmount }
  },
  'POST ManageStudent/ImportStudents': async () => ({ upload: aList(), caller: await aTeacher() }),
  'GET ManageStudent/ImportStatus': aConfirmedImport,
  'GET ManageStudent/PreviewImport': anImport,
  'GET ManageStudent/ImportFaults': anImport,
  'POST ManageStudent/RecheckImport': anImport,
  'POST ManageStudent/ConfirmImport': anImport,
  'POST ManageStudent/CancelImport': anImport,
  'POST ManageStudent/UndoImport': aConfirmedImport,
  'POST ManageStudent/ConfirmCarryOver': async (ctx) => {
    const caller = await aTeacher()
    await lastYear(caller, [{ name: `Asha Misaal ${randomUUID().slice(0, 4)}` }])
    const offer = await ctx.done('POST ManageStudent/PreviewCarryOver', { options: {}, caller })
    const rows = offer.rows as { studentId: number; regAmount: number; bookAmount: number }[]
    const sum = (name: 'regAmount' | 'bookAmount') => rows.reduce((all, row) => all + row[name], 0)
    const take = rows.map(({ studentId }) => studentId)
    const amounts = { regAmount: sum('regAmount'), bookAmount: sum('bookAmount') }
    return { options: {}, digest: offer.digest, take, ...amounts, caller }
  },
  'GET ManageStudent/PrintStatus': aFinishedPrint,
  'GET ManageStudent/PrintFile': aFinishedPrint,
  'POST ManageStudent/CancelPrint': aPrint,
  'POST ManageStudent/PrintPaper': aClassList,
  'POST ManageStudent/FamilySlips': async (ctx) => ({ caller: (await entered(ctx)).caller }),
  'POST ManageStudent/RenewFamilyLink': async ({ server }) => {
    const { teacher, id } = await aFamily(server)
    return { studentId: id, caller: teacher }
  },
  'POST ManageStudent/SignOffLists': aListToSign,
  'POST ManageStudent/ReopenList': async (ctx) => {
    const list = await aListToSign(ctx)
    await ctx.done('POST ManageStudent/SignOffLists', list)
    return list
  },
  'POST ManageStudent/AskForFamily': aRequestForFamily,
  'POST ManageStudent/WithdrawDataRequest': async (ctx) => {
    const request = await aRequestForFamily(ctx)
    const { id } = await ctx.done('POST ManageStudent/AskForFamily', request)
    return { id, caller: request.caller }
  },
}

async function aDateChoice({ server }: RecipeContext) {
  const { subject, teacher } = await aSchoolThatMayChoose(server)
  const { eventManagementId, firstDateId: examDateId } = subject
  return { eventManagementId, examDateId, caller: teacher }
}

async function aParcel() {
  const caller = await aTeacher()
  return { caller, PacketId: await aPacket(caller), counts: [], remark: '' }
}

const aContactToSave = async () => ({ ...aContact, caller: await aTeacher() })

/** Other calls of a school: money, books, parcels, dates, contacts. */
export const schoolRecipes: Recipes = {
  'POST ManageSchool/Save_PaymentDetails': async ({ server }) => {
    const { token } = await aSchoolThatOwes()
    return { ...(await aSubmission(server, token)), caller: { token } }
  },
  'POST ManageSchool/WithdrawPayment': async (ctx) => {
    const { token } = await aSchoolThatOwes()
    const caller = { token }
    const sent = { ...(await aSubmission(ctx.server, token)), caller }
    const { id } = await ctx.done('POST ManageSchool/Save_PaymentDetails', sent)
    return { id, caller }
  },
  'POST ManageSchool/Save_ContactPerson': aContactToSave,
  'POST ManageSchool/Set_ContactStatus': async (ctx) => {
    const contact = await aContactToSave()
    const { id } = await ctx.done('POST ManageSchool/Save_ContactPerson', contact)
    return { id, status: false, caller: contact.caller }
  },
  'GET ManageSchool/SetExamDate': aDateChoice,
  'POST ManageSchool/SetExamDate': aDateChoice,
  'GET ManageSchool/Get_Attendance_List': async () => {
    const { list, teacher: caller } = await aClassThatSat()
    return { ...list, caller }
  },
  'POST ManageSchool/Save_Attendance': async () => {
    const { list, teacher: caller, students } = await aClassThatSat()
    return { lists: [{ ...list, absent: [students[0]?.id ?? 0] }], caller }
  },
  'POST ManageSchool/ReadNotice': async () => {
    const caller = await aTeacher()
    return { id: await aNoticeFor(caller), caller }
  },
  'POST ManageSchool/Save_TeacherQuestion': async () => ({ ...questionToSend(), caller: await aTeacher() }),
  'POST ManageSchool/WithdrawQuestion': async (ctx) => {
    const caller = await aTeacher()
    const { id } = await ctx.done('POST ManageSchool/Save_TeacherQuestion', { ...questionToSend(), caller })
    return { id, caller }
  },
  'POST ManageBook/SaveBookOrder': async () => ({ ...anOrder(), caller: await aTeacher() }),
  'POST ManageBook/DeleteBookOrder': async ({ server }) => {
    const caller = await aTeacher()
    return { id: (await anOrderedBook(server, caller)).id, caller }
  },
  'GET ManageBook/TrackOrder': aParcel,
  'POST ManageBook/ConfirmReceipt': aParcel,
  'GET ManageSchool/GetSchool': ({ samples }) => ({ schCode: samples.school.schCode }),
}

/** Creates a school's released event: the search for its results, one of them, and how to print certificates. */
async function aReleasedSearch({ server }: RecipeContext) {
  const { event, teacher, idOf } = await aReleasedEvent(server)
  return { ...searchBody(event), resultId: idOf(0), as: 'classes', caller: teacher }
}

async function aCertificatesJob(ctx: RecipeContext) {
  const search = await aReleasedSearch(ctx)
  const { jobId } = await ctx.done('POST ManageResult/StartCertificates', search)
  return { jobId, caller: search.caller }
}

/** Calls about results as schools and families see them. */
export const resultRecipes: Recipes = {
  'POST ManageResult/Search_School_Result': aReleasedSearch,
  'POST ManageResult/ExportResults': aReleasedSearch,
  'POST ManageResult/Certificates': aReleasedSearch,
  'POST ManageResult/Certificate': aReleasedSearch,
  'POST ManageResult/RenewLink': aReleasedSearch,
  'POST ManageResult/StartCertificates': aReleasedSearch,
  'POST ManageResult/CancelCertificates': aCertificatesJob,
  'POST ManageResult/CertificateFile': async (ctx) => {
    const job = await aCertificatesJob(ctx)
    await ctx.drained()
    return { ...job, part: 1 }
  },
  'GET ManageResult/PublicResult': async (ctx) => {
    const { data } = await ctx.done('POST ManageResult/Search_School_Result', await aReleasedSearch(ctx))
    return { id: JSON.stringify(data).match(/[0-9a-z]{1,12}-[0-9a-f]{32}/)?.[0] }
  },
  'POST ManageResult/FamilyCertificate': async ({ server }) => {
    const { event, students, idOf } = await aReleasedEvent(server)
    const caller = await aFamilyOf(server, students.slice(0, 1), event.season)
    return { resultId: idOf(0), caller }
  },
  'POST ManageResult/Answer_Invitations': async (ctx) => {
    const { eventYearId, teacher: caller, asha } = await ctx.aSentRound()
    return { eventYearId, answers: [{ studentId: asha, answer: 'yes', note: '' }], caller }
  },
}

/** Creates a family that has opened its page, with a child. */
async function aFamilyVisit({ server }: RecipeContext) {
  const { token, id: individualRegId, groupId, mobile } = await aVisitingFamily(server)
  return { caller: { token }, individualRegId, groupId, mobileNo: mobile }
}

/** Calls of a family with its code. */
export const familyRecipes: Recipes = {
  'POST ManageStudent/VerifyAccessCode': async ({ server }) => {
    const { groupId, code } = await aFamily(server)
    return { groupId, code }
  },
  'POST ManageStudent/Edit_StudentDetailsBy_GroupId': async (ctx) => ({
    ...(await aFamilyVisit(ctx)),
    parents: 'Hemant Namunawala',
    email: 'hemant@family.example',
  }),
  'POST ManageStudent/CloseFamilyPage': aFamilyVisit,
  'POST ManageStudent/SetConsent': async (ctx) => {
    const { caller, individualRegId } = await aFamilyVisit(ctx)
    const { notice } = await ctx.done('GET ManageStudent/Get_Privacy', { caller })
    const { version } = notice as { version: string }
    return { individualRegId, noticeVersion: version, caller }
  },
  'POST ManageStudent/AskAboutData': async (ctx) => ({ ...(await aFamilyVisit(ctx)), kind: 'export' }),
  'GET ManageStudent/Get_ChildData': async (ctx) => {
    const { caller, individualRegId } = await aFamilyVisit(ctx)
    await ctx.done('POST ManageStudent/AskAboutData', { individualRegId, kind: 'export', caller })
    const id = await ctx.newest('data_requests')
    await ctx.done('POST office/privacy/check', { id, method: 'family-code' })
    await ctx.done('POST office/privacy/carryOut', { id, version: 2 })
    return { id, caller }
  },
}
