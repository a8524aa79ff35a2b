/** Paths of the calls of pages that a family opens on a phone: those load no schemas (docs/web.md, budgets). */
export const resultPaths = {
  publicResult: '/api/ManageResult/PublicResult',
  verifyCertificate: '/api/ManageResult/VerifyCertificate',
  familyResults: '/api/ManageResult/FamilyResults',
  familyCertificate: '/api/ManageResult/FamilyCertificate',
} as const
