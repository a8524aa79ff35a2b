/**
 * The route table of the specification (section 2.1), transcribed: who may open an address, and where it leads.
 * Compared with the product by check-specification.ts.
 */

/** `gate` and `family` are entries of their own; the others are pages of the school portal. */
export type Access = 'gate' | 'family' | 'public' | 'signed in' | 'school' | 'school or teacher'

export interface SpecifiedRoute {
  path: string
  access: Access
  /** The address of a default redirect */
  leadsTo?: string
}

const gate = ['/', '/login', '/login?id=a-link', '/register', '/register?id=a-link']

const school = [
  '/School/Details',
  '/School/examdate',
  '/School/contact-details',
  '/student/entry',
  '/student/summery',
  '/student/UploadForm',
  '/student/finalsummery',
  '/books/order',
  '/books/summary',
  '/result/viewresult',
  '/result/medalist',
  '/result/award',
  '/result/prize',
  '/Importantlink/trackorder',
  '/Importantlink/teacherquestion',
  '/Importantlink/QuctionStatus',
  '/Importantlink/examScheduleStatus',
]

/** Default redirects, and the top-level areas with their first pages. */
const redirects = {
  '/School': '/School/Details',
  '/manage-student': '/student/entry',
  '/manage-student/student/entry': '/student/entry',
  '/manage-student/student/finalsummery': '/student/finalsummery',
  '/manage-book': '/books/order',
  '/manage-book/books/summary': '/books/summary',
  '/books': '/books/order',
  '/manage-result': '/result/viewresult',
  '/manage-result/result/prize': '/result/prize',
  '/result': '/result/viewresult',
  '/importaant-link/Importantlink/trackorder': '/Importantlink/trackorder',
}

const toPayments = { access: 'school or teacher', leadsTo: '/Importantlink/managepayment' } as const

export const specifiedRoutes: readonly SpecifiedRoute[] = [
  ...gate.map((path) => ({ path, access: 'gate' as const })),
  { path: '/student?id=a-link', access: 'family' },
  { path: '/school-detail', access: 'public' },
  { path: '/dashboard', access: 'signed in' },
  { path: '/shared', access: 'signed in', leadsTo: '/dashboard' },
  ...school.map((path) => ({ path, access: 'school' as const })),
  ...Object.entries(redirects).map(([path, leadsTo]) => ({ path, leadsTo, access: 'school' as const })),
  { path: '/Importantlink/managepayment', access: 'school or teacher' },
  { path: '/Importantlink', ...toPayments },
  { path: '/importaant-link', ...toPayments },
]
