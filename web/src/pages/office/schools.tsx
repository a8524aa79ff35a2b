import { createRoute } from '@tanstack/react-router'
import { importFilters } from '#features/schools/import/filters.ts'
import { letterFilters } from '#features/schools/letters/filters.ts'
import { mergeFilters } from '#features/schools/merge/filters.ts'
import { recordFilters, registerFilters } from '#features/schools/register/filters.ts'
import { page } from '#shell/page.ts'
import { officePaths } from '#shell/paths.ts'
import { officeArea } from './areas.tsx'

export const schools = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.schools,
  validateSearch: registerFilters.validate,
  component: page(() => import('#features/schools/register/page.tsx'), 'SchoolRegisterPage'),
})

export const school = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.school,
  validateSearch: recordFilters.validate,
  component: page(() => import('#features/schools/register/record-page.tsx'), 'SchoolRecordPage'),
})

export const schoolMerge = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.schoolMerge,
  validateSearch: mergeFilters.validate,
  component: page(() => import('#features/schools/merge/page.tsx'), 'SchoolMergePage'),
})

export const schoolImport = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.schoolImport,
  validateSearch: importFilters.validate,
  component: page(() => import('#features/schools/import/page.tsx'), 'SchoolImportPage'),
})

export const schoolLetters = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.schoolLetters,
  validateSearch: letterFilters.validate,
  component: page(() => import('#features/schools/letters/page.tsx'), 'LettersPage'),
})
