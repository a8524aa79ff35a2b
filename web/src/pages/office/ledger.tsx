import { createRoute } from '@tanstack/react-router'
import { closingFilters, creditFilters, ledgerFilters, receiptFilters } from '#features/ledger/filters.ts'
import { page } from '#shell/page.ts'
import { officePaths } from '#shell/paths.ts'
import { officeArea, settingsArea } from './areas.tsx'

const getParentRoute = () => officeArea

export const receipts = createRoute({
  getParentRoute,
  path: officePaths.receipts,
  validateSearch: receiptFilters.validate,
  component: page(() => import('#features/payments/receipts/page.tsx'), 'ReceiptsPage'),
})

export const credits = createRoute({
  getParentRoute,
  path: officePaths.credits,
  validateSearch: creditFilters.validate,
  component: page(() => import('#features/bank/credits/page.tsx'), 'CreditsPage'),
})

export const ledger = createRoute({
  getParentRoute,
  path: officePaths.ledger,
  validateSearch: ledgerFilters.validate,
  component: page(() => import('#features/ledger/page.tsx'), 'LedgerPage'),
})

export const closing = createRoute({
  getParentRoute,
  path: officePaths.closing,
  validateSearch: closingFilters.validate,
  component: page(() => import('#features/ledger/closing/page.tsx'), 'ClosingPage'),
})

export const bankAccounts = createRoute({
  getParentRoute: () => settingsArea,
  path: officePaths.bankAccounts,
  component: page(() => import('#features/payments/accounts/page.tsx'), 'AccountsPage'),
})
