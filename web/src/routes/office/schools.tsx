import { createRoute } from '@tanstack/react-router'
import { importFilters } from '#features/school-import/filters.ts'
import { letterFilters } from '#features/school-letters/filters.ts'
import { mergeFilters } from '#features/school-merge/filters.ts'
import { recordFilters, registerFilters } from '#features/school-register/filters.ts'
import { page } from '#shell/page.ts'
import { officePaths } from '#shell/paths.ts'
import { officeArea } from './areas.tsx'

export const schools = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.schools,
  validateSearch: registerFilters.validate,
  component: page(() => import('#features/school-register/list-page.tsx'), 'SchoolRegisterPage'),
})

export const school = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.school,
  validateSearch: recordFilters.validate,
  component: page(() => import('#features/school-register/record-page.tsx'), 'SchoolRecordPage'),
})

export const schoolMerge = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.schoolMerge,
  validateSearch: mergeFilters.validate,
  component: page(() => import('#features/school-merge/merge-page.tsx'), 'SchoolMergePage'),
})

export const schoolImport = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.schoolImport,
  validateSearch: importFilters.validate,
  component: page(() => import('#features/school-import/import-page.tsx'), 'SchoolImportPage'),
})

export const schoolLetters = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.schoolLetters,
  validateSearch: letterFilters.validate,
  component: page(() => import('#features/school-letters/letters-page.tsx'), 'LettersPage'),
})
