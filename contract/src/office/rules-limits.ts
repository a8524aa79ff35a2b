/**
 * Limits the office may change, within bounds. Security limits (docs/security.md) can be made stricter than built in,
 * never looser. Pure, without schemas.
 */
export const adjustableLimits = {
  /** Students in one file or grid; the maximum is what a process of 256 MB can read (T30) */
  importRows: { least: 100, most: 5_000, builtIn: 5_000 },
  /** Size of a payment proof or of the evidence for a waiver, in MB (T28) */
  proofMegabytes: { least: 1, most: 5, builtIn: 5 },
  /** Wrong access codes of a family or a school before a wait of 15 minutes (T15) */
  codeTries: { least: 3, most: 5, builtIn: 5 },
  /** How long a one-time password works (T3) */
  otpMinutes: { least: 3, most: 10, builtIn: 10 },
  /** Idle minutes before a session ends, for schools that do not stay signed in and for the office (T7) */
  idleMinutes: { least: 10, most: 30, builtIn: 30 },
  /** Days for which an invitation is valid */
  invitationDays: { least: 1, most: 14, builtIn: 7 },
} as const

export type LimitKey = keyof typeof adjustableLimits
export type FoundationLimits = Record<LimitKey, number>

export const limitKeys = Object.keys(adjustableLimits) as LimitKey[]

/** Returns the limits in force: a missing one is as built in, one out of bounds is clamped. */
export function limitsFrom(stored: unknown): FoundationLimits {
  const values = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<string, unknown>
  const limits = {} as FoundationLimits
  for (const key of limitKeys) {
    const { least, most, builtIn } = adjustableLimits[key]
    const value = values[key]
    limits[key] =
      typeof value === 'number' && Number.isInteger(value) ? Math.min(most, Math.max(least, value)) : builtIn
  }
  return limits
}
