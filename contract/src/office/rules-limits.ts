/**
 * The limits that the office may move, each within bounds: those of security (docs/security.md) can be made stricter and never
 * looser than they are built in. Pure, without schemas.
 */
export const movableLimits = {
  /** Students of one file or grid; the most is what a process of 256 MB reads (T30) */
  importRows: { least: 100, most: 5_000, builtIn: 5_000 },
  /** Of a proof of payment or the evidence of a waiver, in MB (T28) */
  proofMegabytes: { least: 1, most: 5, builtIn: 5 },
  /** Wrong access codes of a family or a school before a wait of 15 minutes (T15) */
  codeTries: { least: 3, most: 5, builtIn: 5 },
  /** How long a one-time password works (T3) */
  otpMinutes: { least: 3, most: 10, builtIn: 10 },
  /** Minutes without use after which a session ends, of schools that do not stay signed in and of the office (T7) */
  idleMinutes: { least: 10, most: 30, builtIn: 30 },
  /** Days in which a colleague may follow an invitation */
  invitationDays: { least: 1, most: 14, builtIn: 7 },
} as const

export type LimitKey = keyof typeof movableLimits
export type FoundationLimits = Record<LimitKey, number>

export const limitKeys = Object.keys(movableLimits) as LimitKey[]

/** The limits that hold, from what is stored: what is missing is as built in, what is out of bounds is brought within. */
export function limitsFrom(stored: unknown): FoundationLimits {
  const kept = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<string, unknown>
  const limits = {} as FoundationLimits
  for (const key of limitKeys) {
    const { least, most, builtIn } = movableLimits[key]
    const value = kept[key]
    limits[key] =
      typeof value === 'number' && Number.isInteger(value) ? Math.min(most, Math.max(least, value)) : builtIn
  }
  return limits
}
