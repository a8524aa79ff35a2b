import type { UserDetails } from '@podium/contract/accounts/calls'

/** The steps of an account that leave a proof with the browser, as a ticket in a cookie that scripts can't read. */
export type TicketKind = 'otp' | 'email' | 'school' | 'reset' | 'social' | 'flow'

/** Of a one-time password: what holds where the office has not made it shorter. */
const minutes: Record<TicketKind, number> = { otp: 10, email: 30, school: 30, reset: 30, social: 5, flow: 15 }

/** How long a proof lasts, in seconds (docs/security.md, T2, T3). */
export function ticketSeconds(kind: TicketKind): number {
  return minutes[kind] * 60
}

/** The cookie's name; under https the prefix binds it to this host and to secure transport. */
export function ticketCookie(kind: TicketKind, secure: boolean): string {
  return `${secure ? '__Host-' : ''}podium-${kind}`
}

/** How often a one-time password may be guessed. */
export const otpTries = 5

/** Seconds after which another one-time password may be asked for; as the limit `otp.per-minute`. */
export const resendSeconds = 45

export const providerNames = { google: 'Google', facebook: 'Facebook' } as const

/** The role id of the session (specification, section 3). */
export function roleIdOf(state: UserDetails['state'], coordinator: boolean): number {
  if (state === 'school') return coordinator ? 1 : 2
  return state === 'pending' || state === 'asked' ? 3 : 4
}

const openToAll = ['/dashboard', '/school-detail']
const paymentPage = '/Importantlink/managepayment'
const ofSchools = [
  '/School/Details',
  '/School/examdate',
  '/School/contact-details',
  '/student/entry',
  '/student/summery',
  '/student/finalsummery',
  '/student/UploadForm',
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

/** Which pages somebody may open (specification, sections 2.1 and 6). What the calls allow is decided by each of them. */
export function formPermissionsOf(state: UserDetails['state']): UserDetails['formPermissions'] {
  const school = state === 'school'
  return [
    ...openToAll.map((route) => ({ route, allowed: true })),
    { route: paymentPage, allowed: school || state === 'pending' || state === 'asked' },
    ...ofSchools.map((route) => ({ route, allowed: school })),
  ]
}
