import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getColleagues } from '@podium/contract/accounts/calls'
import {
  answerOffer,
  inviteColleague,
  offerCoordination,
  removeColleague,
  resendInvitation,
  withdrawInvitation,
  withdrawOffer,
} from '@podium/contract/accounts/calls-invitations'
import {
  deleteBookOrder,
  getBookDetails,
  getBookOrder,
  getBookSummary,
  saveBookOrder,
} from '@podium/contract/books/calls'
import {
  dashboardSummary,
  deadlines,
  downloadForm,
  seasonTrack,
  studentsByClass,
  studentsBySubject,
} from '@podium/contract/dashboard/calls'
import type { Endpoint } from '@podium/contract/endpoint'
import {
  getExamDates,
  getOnlineExamSchedule,
  setExamDate,
  setExamDateGet,
} from '@podium/contract/exams/calls'
import { schoolPapers } from '@podium/contract/exams/calls-attendance'
import { editFamilyStudent, enrolmentTicket } from '@podium/contract/families/calls'
import { accountStatement, shareLedger } from '@podium/contract/ledger/calls-statement'
import { getNotices, readNotice } from '@podium/contract/notices/calls'
import { paymentProof, paymentReceipt, paymentSummary, savePayment } from '@podium/contract/payments/calls'
import { askWaiver, withdrawWaiver } from '@podium/contract/payments/calls-waivers'
import {
  askDataAsSchool,
  familyAskData,
  familyDataFile,
  withdrawDataRequest,
} from '@podium/contract/privacy/calls'
import { getTeacherQuestions, saveTeacherQuestion } from '@podium/contract/questions/calls'
import { explainResult, searchResults } from '@podium/contract/results/calls'
import {
  renewResultLink,
  schoolCertificate,
  schoolCertificates,
} from '@podium/contract/results/calls-certificates'
import { answerInvitations } from '@podium/contract/results/calls-next-level'
import { getContacts, getSchool, saveContact, setContactStatus } from '@podium/contract/schools/calls'
import { confirmReceipt, getOrder, getQuestionPaperStatus, trackOrder } from '@podium/contract/shipping/calls'
import {
  changeStudents,
  deleteStudent,
  deleteStudentPost,
  getParticipationFinalSummary,
  getParticipationSummary,
  getStudentByClassAndSchool,
  getStudentDetails,
  restoreStudent,
  saveStudentDetails,
} from '@podium/contract/students/calls'
import {
  carryOverOffer,
  confirmCarryOver,
  previewCarryOver,
} from '@podium/contract/students/calls-carry-over'
import { checkRows, enterRows, entryOffers } from '@podium/contract/students/calls-grid'
import {
  cancelImport,
  confirmImport,
  importStatus,
  importStudents,
  undoImport,
} from '@podium/contract/students/calls-import'
import { importFaults, previewImport, recheckImport } from '@podium/contract/students/calls-import-preview'
import { blankForm, printPaper, renewFamilyLink } from '@podium/contract/students/calls-print-lists'
import { getSignOffs, reopenList, signOffLists } from '@podium/contract/students/calls-sign-off'
import { aContact, aDay, aNoticeFor, aSchool, aTeacher, thisSeason } from '#test/factories'
import { anOrder, anOrderedBook, aPendingPayment, aProof, aSubmission } from '#test/payments-factories'
import { aNextLevelRound, aReleasedEvent } from '#test/results-factories'
import { addRow } from '#test/rows'
import { beforehand, testServer } from '#test/server'
import { aPacket } from '#test/shipping-factories'
import { aFamily, anEnteredStudent, anEntry, aVisitingFamily } from '#test/students-factories'

/** Own, foreign, missing: another school's records look as if they didn't exist; naming another school is refused. */
const server = beforehand(() => testServer({ clock: () => aDay }))

const aQuestion = {
  classId: 7,
  eventLetter: 'M',
  chapter: 'Chapter01',
  question: 'Which of these is a prime number?',
  option1: '51',
  option2: '53',
  option3: '55',
  option4: '57',
  answer: 2,
}

/** Invites a school's student to the next level and notifies the school. Returns the student's id. */
async function anInvitation({ event, setId, students, school }: Awaited<ReturnType<typeof aReleasedEvent>>) {
  const studentId = students[0]?.id ?? 0
  await aNextLevelRound(event, setId)
  await addRow('next_level_invitations', {
    event_id: event.id,
    student_id: studentId,
    school_id: school.id,
    class_id: 7,
    found_by: '',
    wanted: true,
    decided_at: aDay,
    notice: 'invited',
  })
  return studentId
}

type Input = { query?: object; body?: unknown }
const FYear = thisSeason

test("another school's data are answered like data that do not exist [spec 6.4]", async () => {
  const owner = await aTeacher()
  const student = await anEnteredStudent(server, owner)
  const ordered = await anOrderedBook(server, owner)
  const payment = await aPendingPayment(server)
  const uploaded = await server.ask(
    importStudents,
    { FYear },
    {
      token: owner.token,
      file: {
        name: 'list.csv',
        bytes: new TextEncoder().encode('Class,Section,Roll No,Student Name,Subjects\n7,A,1,Om Misaal,M\n'),
      },
    },
  )
  const ownContact = await server.ask(saveContact, aContact, owner)

  const aWaiver = { reason: 'No income this year.', attechment: await aProof(), attechmentName: 'letter.png' }
  const ownWaiver = await server.ask(
    askWaiver,
    { ...aWaiver, studentId: (await anEnteredStudent(server, owner)).id },
    owner,
  )
  const aRequest = { kind: 'correct', message: 'The mother said so today.', contact: '' } as const
  const ownRequest = await server.ask(
    askDataAsSchool,
    { ...aRequest, studentId: (await anEnteredStudent(server, owner)).id },
    owner,
  )

  const dates = await server.ask(getExamDates, { FYear }, owner)
  const [subject] = dates.data
  assert.ok(subject?.firstDateId)
  const examDateId = subject.firstDateId

  const coordinator = await aTeacher({ schoolId: owner.schoolId, coordinator: true })
  const colleague = { name: 'Tara Kalpanik', emailId: 'tara@colleagues.example' }
  const invited = await server.ask(inviteColleague, colleague, coordinator)
  await server.ask(offerCoordination, { id: owner.id }, coordinator)
  const { offer } = await server.ask(getColleagues, {}, owner)
  assert.ok(offer)

  const released = await aReleasedEvent(server)
  const resultId = released.idOf(0)
  const invitedId = await anInvitation(released)
  const answers = [{ studentId: invitedId, answer: 'yes' as const, note: '' }]

  const rows: Array<
    [Endpoint, foreign: number | string, missing: number | string, input: (id: number | string) => Input]
  > = [
    [removeColleague, owner.id, 999_999_999, (id) => ({ body: { id, version: 1 } })],
    [offerCoordination, owner.id, 999_999_999, (id) => ({ body: { id } })],
    [resendInvitation, invited.id, 999_999_999, (id) => ({ body: { id } })],
    [withdrawInvitation, invited.id, 999_999_999, (id) => ({ body: { id } })],
    [withdrawOffer, offer.id, 999_999_999, (id) => ({ body: { id } })],
    [answerOffer, offer.id, 999_999_999, (id) => ({ body: { id, accept: true } })],
    [deleteStudent, student.id, 999_999_999, (id) => ({ query: { studentId: id } })],
    [deleteStudentPost, student.id, 999_999_999, (id) => ({ body: { studentId: id } })],
    [restoreStudent, student.id, 999_999_999, (id) => ({ body: { studentId: id } })],
    [
      changeStudents,
      student.id,
      999_999_999,
      (id) => ({ body: { FYear, students: [{ id, version: 1, section: 'B' }] } }),
    ],
    [renewFamilyLink, student.id, 999_999_999, (id) => ({ body: { studentId: id } })],
    [askWaiver, student.id, 999_999_999, (id) => ({ body: { ...aWaiver, studentId: id } })],
    [askDataAsSchool, student.id, 999_999_999, (id) => ({ body: { ...aRequest, studentId: id } })],
    [withdrawDataRequest, ownRequest.id, 999_999_999, (id) => ({ body: { id, version: 1 } })],
    [withdrawWaiver, ownWaiver.id, 999_999_999, (id) => ({ body: { id, version: 1 } })],
    [saveStudentDetails, student.id, 999_999_999, (id) => ({ body: { ...anEntry(), id, version: 1 } })],
    [paymentProof, payment.id, 999_999_999, (id) => ({ query: { id } })],
    [paymentReceipt, payment.id, 999_999_999, (id) => ({ query: { id } })],
    [saveContact, ownContact.id, 999_999_999, (id) => ({ body: { ...aContact, id } })],
    [setContactStatus, ownContact.id, 999_999_999, (id) => ({ body: { id, status: false } })],
    [confirmImport, uploaded.importId, 'A'.repeat(22), (id) => ({ body: { importId: id } })],
    [cancelImport, uploaded.importId, 'A'.repeat(22), (id) => ({ body: { importId: id } })],
    [undoImport, uploaded.importId, 'A'.repeat(22), (id) => ({ body: { importId: id } })],
    [importStatus, uploaded.importId, 'A'.repeat(22), (id) => ({ query: { importId: id } })],
    [previewImport, uploaded.importId, 'A'.repeat(22), (id) => ({ query: { importId: id } })],
    [recheckImport, uploaded.importId, 'A'.repeat(22), (id) => ({ body: { importId: id, revision: 0 } })],
    [importFaults, uploaded.importId, 'A'.repeat(22), (id) => ({ query: { importId: id } })],
    [
      setExamDateGet,
      subject.eventManagementId,
      999_999_999,
      (id) => ({ query: { eventManagementId: id, examDateId } }),
    ],
    [
      setExamDate,
      subject.eventManagementId,
      999_999_999,
      (id) => ({ body: { eventManagementId: id, examDateId } }),
    ],
    [
      signOffLists,
      subject.eventManagementId,
      999_999_999,
      (id) => ({
        body: { name: 'Meera Namunawala', lists: [{ eventManagementId: id as number, students: 1 }] },
      }),
    ],
    [
      reopenList,
      subject.eventManagementId,
      999_999_999,
      (id) => ({ body: { eventManagementId: id, reason: 'x' } }),
    ],
    [
      schoolPapers,
      subject.eventManagementId,
      999_999_999,
      (id) => ({ body: { eventManagementId: id, kind: 'admit' } }),
    ],
    [saveBookOrder, ordered.id, 999_999_999, (id) => ({ body: { ...anOrder(), id, version: 1 } })],
    [deleteBookOrder, ordered.id, 999_999_999, (id) => ({ body: { id } })],
    [trackOrder, await aPacket(owner), 999_999_999, (id) => ({ query: { PacketId: id } })],
    [
      confirmReceipt,
      await aPacket(owner),
      999_999_999,
      (id) => ({ body: { PacketId: id, counts: [], remark: '' } }),
    ],
    [readNotice, await aNoticeFor(owner), 999_999_999, (id) => ({ body: { id } })],
    [explainResult, resultId, '999999-999999', (id) => ({ query: { resultId: id } })],
    [schoolCertificate, resultId, '999999-999999', (id) => ({ body: { resultId: id } })],
    [renewResultLink, resultId, '999999-999999', (id) => ({ body: { resultId: id } })],
    [answerInvitations, released.event.id, 999_999_999, (id) => ({ body: { eventYearId: id, answers } })],
  ]
  // A coordinator, so that no other rule refuses first
  const stranger = await aTeacher({ coordinator: true })
  for (const [endpoint, foreign, missing, input] of rows) {
    const foreignAnswer = await server.send(endpoint, input(foreign), stranger)
    const missingAnswer = await server.send(endpoint, input(missing), stranger)
    assert.equal(
      foreignAnswer.status,
      404,
      `${endpoint.method} ${endpoint.path}: ${JSON.stringify(foreignAnswer.body)}`,
    )
    assert.deepEqual(foreignAnswer.body, missingAnswer.body, endpoint.path)
  }
  const own = await server.ask(
    answerInvitations,
    { eventYearId: released.event.id, answers },
    released.teacher,
  )
  assert.equal(own.answered, 1, 'the school itself can answer')
})

const gridRows = [{ row: 1, cells: Array<string>(13).fill('') }]

test("a call that names another school is refused with 403, and one's own school may be named [spec 6.4]", async () => {
  const payment = await aPendingPayment(server)
  const teacher = await aTeacher({ schoolId: payment.school.id })
  const other = await aSchool()
  const filter = { fyear: FYear, schId: other.id, classId: 0, section: '', studentName: '', subjectName: '' }
  const submission = {
    mode: 3,
    payableAmount: 1,
    paymentDate: '2026-11-20',
    remarks: 'x',
    attechment: 'data:,',
    individualRegIdList: [1],
  }
  const rows: Array<[Endpoint, (id: number, code: string) => Input]> = [
    [dashboardSummary, (schId) => ({ query: { FYear, schId } })],
    [seasonTrack, (schId) => ({ query: { FYear, schId } })],
    [studentsByClass, (schId) => ({ query: { FYear, schId } })],
    [deadlines, (schId) => ({ query: { FYear, schId } })],
    [studentsBySubject, (schId) => ({ query: { FYear, schId } })],
    [downloadForm, (schId) => ({ query: { FYear, schId, form: 'school' } })],
    [getSchool, (_id, schCode) => ({ query: { schCode } })],
    [schoolPapers, (schId) => ({ body: { schId, eventManagementId: 1, kind: 'admit' } })],
    [getExamDates, (_id, schCode) => ({ query: { FYear, schCode } })],
    [blankForm, (schId) => ({ query: { FYear, schId, classId: '7', language: 'en' } })],
    [printPaper, (schId) => ({ body: { FYear, schId, paper: 'class-list' } })],
    [getSignOffs, (schId) => ({ query: { FYear, schId } })],
    [getContacts, (schId) => ({ query: { FYear, schId } })],
    [getOrder, (SchId) => ({ query: { FYear, SchId } })],
    [getQuestionPaperStatus, (SchId) => ({ query: { FYear, SchId } })],
    [getOnlineExamSchedule, (SchId) => ({ query: { FYear, SchId } })],
    [getTeacherQuestions, (schId) => ({ query: { FYear, schId } })],
    [saveTeacherQuestion, (schId) => ({ body: { ...aQuestion, FYear, schId } })],
    [getNotices, (schId) => ({ query: { FYear, schId } })],
    [readNotice, (schId) => ({ body: { id: 1, schId } })],
    [accountStatement, (schId) => ({ query: { FYear, schId } })],
    [shareLedger, (schId) => ({ query: { FYear, schId } })],
    [paymentSummary, (schId) => ({ query: { FYear, schId } })],
    [getParticipationSummary, (schId) => ({ query: { FYear, schId } })],
    [getParticipationFinalSummary, (_id, schId) => ({ query: { FYear, schId } })],
    [getBookSummary, (schId) => ({ query: { Fyear: FYear, schId } })],
    [
      getBookDetails,
      (schId) => ({ body: { FYear, schId, subjectName: 'Mathematics', bookCategory: 'cb', classId: 7 } }),
    ],
    [getBookOrder, (SchId) => ({ query: { FYear, SchId } })],
    [saveBookOrder, (SchId) => ({ body: { ...anOrder(), SchId } })],
    [deleteBookOrder, (SchId) => ({ body: { id: 1, SchId } })],
    [getStudentDetails, (schId) => ({ body: { ...filter, schId } })],
    [
      getStudentByClassAndSchool,
      (_id, schoolCode) => ({
        body: { Fyear: FYear, eventLetter: 'M', schoolCode, classCode: '7', subjectName: 'Mathematics' },
      }),
    ],
    [changeStudents, (schId) => ({ body: { FYear, schId, students: [{ id: 1, version: 1 }] } })],
    [carryOverOffer, (schId) => ({ query: { FYear, schId } })],
    [previewCarryOver, (schId) => ({ body: { FYear, schId } })],
    [
      confirmCarryOver,
      (schId) => ({ body: { FYear, schId, digest: '', take: [], regAmount: 0, bookAmount: 0 } }),
    ],
    [entryOffers, (schId) => ({ query: { FYear, schId } })],
    [checkRows, (schId) => ({ body: { FYear, schId, rows: gridRows } })],
    [enterRows, (schId) => ({ body: { FYear, schId, rows: gridRows, regAmount: 0, bookAmount: 0 } })],
    [saveStudentDetails, (_id, schCode) => ({ body: { ...anEntry(), schCode } })],
    [savePayment, (schId) => ({ body: { ...submission, schId } })],
    [
      schoolCertificates,
      (_id, schCode) => ({
        body: { schCode, examLevel: 1, fyear: FYear, eventYearId: 1, eventLetter: 'M', classId: 0 },
      }),
    ],
    [
      searchResults,
      (_id, schCode) => ({
        body: { schCode, examLevel: 1, fyear: FYear, eventYearId: 1, eventLetter: 'M', classId: 0 },
      }),
    ],
  ]
  for (const [endpoint, input] of rows) {
    const name = `${endpoint.method} ${endpoint.path}`
    const foreign = await server.send(endpoint, input(other.id, other.code), teacher)
    assert.deepEqual([foreign.status, foreign.body.code], [403, 'access.other_school'], name)
    if (endpoint.answers === 'file') continue
    const own = await server.send(endpoint, input(payment.school.id, payment.school.code), teacher)
    assert.notEqual(own.body.code, 'access.other_school', name)
  }
})

test("a payment for another school's students is refused and covers no one", async () => {
  const victim = await aPendingPayment(server)
  const { token } = await aPendingPayment(server)
  const mine = await aTeacher()
  await anEnteredStudent(server, mine)
  const submission = await aSubmission(server, mine.token)
  const stolen = { ...submission, individualRegIdList: victim.ids }
  const refused = await server.send(savePayment, { body: stolen }, mine)
  assert.ok(refused.status >= 400 && refused.status < 500, JSON.stringify(refused.body))
  assert.ok(token)
})

test("a family gets another family's child as if unknown, and another link is refused", async () => {
  const family = await aVisitingFamily(server)
  const foreign = await aFamily(server, [{}], family.teacher)
  const edited = (individualRegId: number, groupId = family.groupId) => ({
    groupId,
    fYear: FYear,
    classId: 7,
    individualRegId,
    studentName: 'Ishita Namunawala',
    mobileNo: family.mobile,
    email: 'hemant@family.example',
  })
  const rows: Array<[Endpoint, (id: number) => Input]> = [
    [enrolmentTicket, (id) => ({ query: { individualRegId: id } })],
    [editFamilyStudent, (id) => ({ body: edited(id) })],
    [familyAskData, (id) => ({ body: { individualRegId: id, kind: 'export', message: '' } })],
    [familyDataFile, (id) => ({ query: { id } })],
  ]
  for (const [endpoint, input] of rows) {
    const foreignAnswer = await server.send(endpoint, input(foreign.id), family)
    const missingAnswer = await server.send(endpoint, input(999_999_999), family)
    assert.equal(foreignAnswer.status, 404, endpoint.path)
    assert.deepEqual(foreignAnswer.body, missingAnswer.body, endpoint.path)
  }
  for (const groupId of [foreign.groupId, 'nobodys-link']) {
    await server.refuses('access.denied', editFamilyStudent, edited(family.id, groupId), family)
  }
})
