/** The steps of an account that leave a proof with the browser, as a ticket in a cookie that scripts can't read. */
export type TicketKind = 'otp' | 'email' | 'school' | 'reset' | 'social' | 'flow'

/** Of a one-time password: what holds where the office has not made it shorter. */
const minutes: Record<TicketKind, number> = { otp: 10, email: 30, school: 30, reset: 30, social: 5, flow: 15 }

/** How long a proof lasts, in seconds (threats.md, T2, T3). */
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
