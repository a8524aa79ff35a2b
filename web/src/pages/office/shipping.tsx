import { createRoute } from '@tanstack/react-router'
import { dueFilters, packetFilters } from '#features/shipping/filters.ts'
import { page } from '#shell/page.ts'
import { officePaths } from '#shell/paths.ts'
import { officeArea } from './areas.tsx'

const due = () => import('#features/shipping/orders/page.tsx')

export const bookOrders = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.bookOrders,
  validateSearch: dueFilters.validate,
  component: page(due, 'BookOrdersPage'),
})

export const questionPapers = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.questionPapers,
  validateSearch: dueFilters.validate,
  component: page(due, 'QuestionPapersDuePage'),
})

export const awardsDue = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.awardsDue,
  validateSearch: dueFilters.validate,
  component: page(due, 'AwardsDuePage'),
})

export const packets = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.packets,
  validateSearch: packetFilters.validate,
  component: page(() => import('#features/shipping/packets/page.tsx'), 'PacketsPage'),
})

export const packet = createRoute({
  getParentRoute: () => officeArea,
  path: officePaths.packet,
  component: page(() => import('#features/shipping/packets/packet-page.tsx'), 'PacketPage'),
})
