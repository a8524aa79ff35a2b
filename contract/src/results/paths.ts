/**
 * Where the calls of pages are that a family opens on a phone, without their schemas (see contract/src/families/paths.ts). The
 * endpoints are made from the same values.
 */
export const resultPaths = {
  publicResult: { method: 'GET', path: '/api/ManageResult/PublicResult' },
  verifyCertificate: { method: 'GET', path: '/api/ManageResult/VerifyCertificate' },
  familyResults: { method: 'GET', path: '/api/ManageResult/FamilyResults' },
  familyCertificate: { method: 'POST', path: '/api/ManageResult/FamilyCertificate' },
} as const
