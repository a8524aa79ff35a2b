import { createRoute, redirect } from '@tanstack/react-router'
import { resultFilters } from '#features/results/filters.ts'
import { page } from '#shell/page.ts'
import { paths } from '#shell/paths.ts'
import { schoolArea } from './areas.tsx'

const pages = () => import('#features/results/results-pages.tsx')

export const resultIndex = createRoute({
  getParentRoute: () => schoolArea,
  path: '/result',
  beforeLoad: () => {
    throw redirect({ to: paths.viewResult, replace: true })
  },
})

export const viewResult = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.viewResult,
  validateSearch: resultFilters.validate,
  component: page(pages, 'ViewResultPage'),
})

export const medalList = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.medalList,
  validateSearch: resultFilters.validate,
  component: page(pages, 'MedalListPage'),
})

export const awards = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.awards,
  validateSearch: resultFilters.validate,
  component: page(pages, 'AwardsPage'),
})

export const prizes = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.prizes,
  validateSearch: resultFilters.validate,
  component: page(pages, 'PrizesPage'),
})

export const nextLevel = createRoute({
  getParentRoute: () => schoolArea,
  path: paths.nextLevel,
  component: page(() => import('#features/results/next-level/school-page.tsx'), 'SchoolInvitationsPage'),
})
