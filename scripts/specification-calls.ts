/**
 * The calls of the specification (section 7) with the fields of its entities (section 3), transcribed.
 * server/src/specification-calls.test.ts compares them with the OpenAPI document and with real answers.
 */
interface SpecifiedCall {
  method: 'GET' | 'POST'
  /** As spelt in the table, below /api/ */
  path: string
  /** Names in the query, or in the body of a POST */
  asks?: readonly string[]
  /** Names in the answer; `data[].x` is a field of a row */
  answers?: readonly string[]
}

const words = (text: string) => text.trim().split(/\s+/)
const rows = (list: string, text: string) => words(text).map((name) => `${list}[].${name}`)

const bookFields =
  'className studentName section rollNo cb pyqp genex tb wb currency regAmount bookAmount status'
const orders = rows('data', 'packetId customerName address city state country pincode phoneNo creationDate')
const contact = 'id desgId schId fyear titleId'

export const specifiedCalls: readonly SpecifiedCall[] = [
  { method: 'GET', path: 'Account/GetCountry', answers: ['data[].countryName'] },
  { method: 'GET', path: 'Account/GetState', asks: ['countryId'], answers: ['data[].stateName'] },
  {
    method: 'POST',
    path: 'Account/SaveSchoolDetails',
    asks: words('teacherId schName schAddress city state district country pinCode mobile'),
  },
  {
    method: 'GET',
    path: 'ManageSchool/Get_DashBoard_Summary',
    asks: ['FYear', 'schId'],
    answers: ['totalStudent', 'totalBook'],
  },
  {
    method: 'GET',
    path: 'ManageSchool/GetOlympiadDate',
    asks: ['FYear'],
    answers: rows('data', 'eventName firstDate secondDate examMode'),
  },
  {
    method: 'POST',
    path: 'Account/Login',
    asks: ['emailId', 'password', 'socialMediaDetails'],
    answers: words(
      'token userDetails.userId userDetails.schId userDetails.teacherId userDetails.schCode userDetails.userName',
    ),
  },
  { method: 'GET', path: 'Account/ForgotPassword', asks: ['emailId'] },
  {
    method: 'GET',
    path: 'Account/GET_USER_DETAILS_BY_UID',
    asks: ['GUID'],
    answers: rows('data', 'id schName schAddress cityName stateName schPinCode countryName accessCode'),
  },
  { method: 'GET', path: 'Account/EmailVerify', asks: ['EmailId'] },
  { method: 'GET', path: 'Account/OTPVerify', asks: ['EmailId', 'otp'] },
  {
    method: 'POST',
    path: 'account/Register',
    asks: words(
      'emailId userName address city state country pinCode mobile password rePassword disclaimer genderType designation schId',
    ),
  },
  {
    method: 'GET',
    path: 'ManageStudent/GET_StudentDetailsBy_GroupId',
    asks: ['GroupId', 'FYear'],
    answers: rows('data', 'studentName m_F_Name mobileNo email class individualRegId authenticationCode'),
  },
  {
    method: 'POST',
    path: 'ManageStudent/Edit_StudentDetailsBy_GroupId',
    asks: words('groupId fYear studentName parents mobileNo email classId individualRegId'),
  },
  {
    method: 'GET',
    path: 'ManageSchool/Get_DashBoard_Summary_For_Payment',
    asks: ['FYear', 'schId'],
    answers: [
      ...rows(
        'dataList',
        'paymentFor paymentStatus payableAmount accountName bankName accountNo ifsc paymentStatus_For_School individualRegIdList',
      ),
      ...rows('paidList', 'receiptNo payment paymentDate remarks paymentStatus attechment creationDate'),
    ],
  },
  {
    method: 'POST',
    path: 'ManageSchool/Save_PaymentDetails',
    asks: words('mode payableAmount paymentDate remarks attechment individualRegIdList'),
  },
  { method: 'GET', path: 'ManageBook/GetOrder', asks: ['SchId', 'FYear'], answers: orders },
  {
    method: 'GET',
    path: 'ManageBook/TrackOrder',
    asks: ['PacketId'],
    answers: [
      ...rows('trackDetails', 'orderStatus remarks creationDate'),
      ...words('courierDetails.courierName courierDetails.consignmentNo courierDetails.courierLink'),
    ],
  },
  { method: 'GET', path: 'ManageBook/Get_QuestionPaperStatus', asks: ['SchId', 'FYear'], answers: orders },
  {
    method: 'GET',
    path: 'ManageSchool/GET_OnlineExamSchedule',
    asks: ['FYear', 'SchId'],
    answers: rows(
      'data',
      'StudentName M_F_Name Email EventLetter ExamSchedule_From ExamSchedule_To ExamStatus ScheduleStatus',
    ),
  },
  {
    method: 'POST',
    path: 'ManageStudent/GetBookDetails',
    asks: words('FYear schId subjectName bookCategory classId'),
    answers: rows('data', `${bookFields} subjectName`),
  },
  {
    method: 'GET',
    path: 'ManageStudent/GetBook_Summary',
    asks: ['Fyear', 'schId'],
    answers: [
      ...rows('data', 'subjectName totalBooks'),
      ...rows('data[].details', 'classCode classId bookCategory total'),
    ],
  },
  {
    method: 'GET',
    path: 'ManageResult/Get_Event_For_Result',
    asks: ['FYear'],
    answers: rows('data', 'eventYearId subjectName eventLetter'),
  },
  {
    method: 'POST',
    path: 'ManageResult/Search_School_Result',
    asks: words('schCode examLevel fyear eventYearId eventLetter classId action'),
    answers: rows(
      'data',
      'eventYearId className nioRollNo studentName accessCode rawMarks marks finalClassRank finalStateRank zonalRank finalOlympiadRank medalNew prize_Amount_Msg couponLink level2 level3',
    ),
  },
  {
    method: 'GET',
    path: 'ManageSchool/GetSchool',
    asks: ['schCode'],
    answers: rows(
      'data',
      'schCode schName schEmail schAddress schAffiliationNo schGroupId cityName districtName stateName countryName landLineNo schFaxNo schWebSite schPhoneNo whatsAppNo',
    ),
  },
  {
    method: 'GET',
    path: 'ManageSchool/GetParticipateSubjectForChangeExamDate',
    asks: ['FYear', 'schCode'],
    answers: rows(
      'data',
      'eventManagementId subjectName examDate examDateId firstDateId firstDate secondDateId secondDate',
    ),
  },
  { method: 'GET', path: 'ManageSchool/SetExamDate', asks: ['eventManagementId', 'examDateId'] },
  {
    method: 'POST',
    path: 'ManageSchool/Save_ContactPerson',
    asks: words(`${contact} name email altEmail mobile altmobile`),
  },
  { method: 'GET', path: 'ManageSchool/Get_Designation', answers: rows('data', 'id name') },
  { method: 'GET', path: 'ManageSchool/Get_Title', answers: rows('data', 'id name') },
  {
    method: 'GET',
    path: 'ManageSchool/Get_ContactPerson',
    asks: ['FYear', 'schId', 'status'],
    answers: rows('data', `${contact} name contactName email contactEmail altEmail mobile altmobile status`),
  },
  {
    method: 'POST',
    path: 'ManageStudent/SaveStudentDetails',
    asks: words(
      'id bookRegId schCode classId section rollno studentName parentName parentEmailId parentMobileNo subjectName cb pyqp geneX tb wb currency regAmount bookAmount school_Expenses book_school_Expenses selectedItems',
    ),
  },
  {
    method: 'GET',
    path: 'account/GetSubject',
    asks: ['FYear', 'classId'],
    answers: rows('data', 'subjectName eventFee retainFee'),
  },
  {
    method: 'GET',
    path: 'account/GetBook',
    asks: ['classId'],
    answers: rows('data', 'subjectName cb pyqp geneX tb wb retainFee'),
  },
  {
    method: 'POST',
    path: 'ManageStudent/GetStudentDetails',
    asks: words('fyear schId classId section studentName subjectName'),
    answers: rows(
      'data',
      'id className studentName section rollNo subjectName cb pyqp genex tb wb currency regAmount bookAmount status paymentStatus',
    ),
  },
  { method: 'GET', path: 'ManageStudent/Delete_Student', asks: ['studentId'] },
  {
    method: 'GET',
    path: 'ManageStudent/GetParticipation_Summary',
    asks: ['Fyear', 'schId'],
    answers: [
      ...rows('data', 'subjectName totalStudent'),
      ...rows('data[].details', 'classCode totalStudent'),
    ],
  },
  {
    method: 'GET',
    path: 'ManageStudent/GetParticipation_Final_Summary',
    asks: ['Fyear', 'schId'],
    answers: [
      ...rows('data', 'subjectName totalStudent eventLetter'),
      ...rows('data[].details', 'classCode studentCount'),
    ],
  },
  {
    method: 'POST',
    path: 'ManageStudent/Get_Student_By_Class_And_School',
    asks: words('Fyear eventLetter schoolCode classCode subjectName'),
    answers: rows('data', 'studentName section mobileNo email'),
  },
]
