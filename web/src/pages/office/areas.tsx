import { createRootRoute, createRoute } from '@tanstack/react-router'
import { requireSignIn } from '#shell/guard.ts'
import { page } from '#shell/page.ts'
import { followSeason, seasonInAddress } from '#shell/season.ts'

export const root = createRootRoute({
  notFoundComponent: page(() => import('#shell/state-pages.tsx'), 'NotFoundPage'),
})

/** The frame of every office page. */
export const officeArea = createRoute({
  getParentRoute: () => root,
  id: 'office-area',
  ...seasonInAddress,
  beforeLoad: (opened) => {
    requireSignIn(opened)
    followSeason(opened)
  },
  component: page(() => import('./layout.tsx'), 'Layout'),
})

/** The pages of «Settings», beside their side tabs. */
export const settingsArea = createRoute({
  getParentRoute: () => officeArea,
  id: 'settings-area',
  component: page(() => import('./layout.tsx'), 'SettingsLayout'),
})
