/**
 * Where the family's calls are, without their schemas: its page calls by these alone, so that the schema library is not
 * part of what a phone downloads first. The endpoints are made from the same values.
 */
export const familyPaths = {
  students: { method: 'GET', path: '/api/ManageStudent/GET_StudentDetailsBy_GroupId' },
  verify: { method: 'POST', path: '/api/ManageStudent/VerifyAccessCode' },
  edit: { method: 'POST', path: '/api/ManageStudent/Edit_StudentDetailsBy_GroupId' },
  ticket: { method: 'GET', path: '/api/ManageStudent/Get_EnrollmentTicket' },
  close: { method: 'POST', path: '/api/ManageStudent/CloseFamilyPage' },
} as const
