import type { Door } from '../src/platform/gate.ts'

/** The office's calls about children, and waivers; a part of doors.ts. */
export const studentDoors: Record<string, Door> = {
  'POST /api/ManageStudent/AskWaiver': 'school',
  'GET /api/ManageStudent/GetWaivers': 'school',
  'POST /api/ManageStudent/WithdrawWaiver': 'school',
  'GET /api/ManageStudent/GetDataRequests': 'school',
  'POST /api/ManageStudent/AskForFamily': 'school',
  'POST /api/ManageStudent/WithdrawDataRequest': 'school',
  'GET /api/office/waivers/list': 'office:waivers.read',
  'GET /api/office/waivers/evidence': 'office:waivers.read',
  'POST /api/office/waivers/ask': 'office:waivers.ask',
  'POST /api/office/waivers/approve': 'office:waivers.decide',
  'POST /api/office/waivers/decline': 'office:waivers.decide',
  'GET /api/office/students/list': 'office:students.read',
  'GET /api/office/students/subjects': 'office:students.read',
  'POST /api/office/students/export': 'office:students.export',
  'GET /api/office/students/one': 'office:students.read',
  'POST /api/office/students/contact': 'office:students.contact',
  'POST /api/office/students/correct': 'office:students.write',
  'POST /api/office/students/cancel': 'office:students.write',
  'GET /api/office/students/movePreview': 'office:students.write',
  'POST /api/office/students/move': 'office:students.write',
  'POST /api/office/students/familyCode': 'office:students.codes',
  'POST /api/office/students/familyMail': 'office:students.codes',
  'POST /api/office/students/familyRenew': 'office:students.codes',
  'POST /api/office/students/familyRevoke': 'office:students.codes',
}
