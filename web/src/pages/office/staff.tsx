import { createRoute } from '@tanstack/react-router'
import { peopleFilters } from '#features/staff/people/filters.ts'
import { officePaths } from '#shell/paths.ts'
import { page } from '#shell/router.ts'
import { officeArea, root, settingsArea } from './areas.tsx'

export const staff = createRoute({
  getParentRoute: () => settingsArea,
  path: officePaths.staff,
  validateSearch: peopleFilters.validate,
  component: page(() => import('#features/staff/people/page.tsx'), 'PeoplePage'),
})

export const account = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.account,
  component: page(() => import('#features/staff/account-page.tsx'), 'AccountPage'),
})

export const join = createRoute({
  getParentRoute: () => root,
  path: officePaths.join,
  validateSearch: ({ token }: Record<string, unknown>): { token?: string } =>
    token === undefined ? {} : { token: String(token) },
  component: page(() => import('#features/staff/join-page.tsx'), 'JoinPage'),
})
