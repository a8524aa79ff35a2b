/** Where the family's calls about its children's data are, without their schemas (see contract/src/families/paths.ts). */
export const privacyPaths = {
  privacy: { method: 'GET', path: '/api/ManageStudent/Get_Privacy' },
  consent: { method: 'POST', path: '/api/ManageStudent/SetConsent' },
  askData: { method: 'POST', path: '/api/ManageStudent/AskAboutData' },
  dataFile: { method: 'GET', path: '/api/ManageStudent/Get_ChildData' },
} as const
