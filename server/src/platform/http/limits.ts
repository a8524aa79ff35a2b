import type { Pool } from 'pg'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Scope } from '../auth/scope.ts'
import { tokenHash } from '../auth/secrets.ts'
import { Refusal } from '../errors.ts'

interface Limit {
  /** How many tries within how many seconds */
  points: number
  seconds: number
}

/** Every limit of the product: exact over several instances, because the database counts (docs/security.md, T3, T5, T15, T16). */
export const limits = {
  // Of one address from one source, so that a stranger can't use up what its owner asks for; and of one from everywhere
  'otp.per-minute': { points: 1, seconds: 45 },
  'otp.per-email': { points: 5, seconds: 3600 },
  'otp.per-email-everywhere': { points: 15, seconds: 3600 },
  'otp.per-source': { points: 40, seconds: 3600 },
  'otp-check.per-source': { points: 60, seconds: 3600 },
  'sign-in.per-email': { points: 10, seconds: 900 },
  'sign-in.per-email-everywhere': { points: 100, seconds: 900 },
  'sign-in.per-source': { points: 100, seconds: 900 },
  'social.per-source': { points: 60, seconds: 900 },
  'reset.per-email': { points: 5, seconds: 3600 },
  'reset.per-email-everywhere': { points: 15, seconds: 3600 },
  'reset.per-source': { points: 20, seconds: 3600 },
  'reset-link.per-source': { points: 60, seconds: 3600 },
  'school-code.per-link': { points: 5, seconds: 900 },
  'school-code.per-link-everywhere': { points: 50, seconds: 900 },
  'school-code.per-source': { points: 60, seconds: 3600 },
  // Mails to addresses that somebody else names; links that open a school
  'invitation.per-school': { points: 30, seconds: 3600 },
  'invitation.per-email': { points: 5, seconds: 86_400 },
  'invitation.resend': { points: 3, seconds: 3600 },
  'invitation.per-source': { points: 60, seconds: 3600 },
  'school-link.per-source': { points: 120, seconds: 3600 },
  // Of one source wrong codes and links alone count
  'family-code.per-link': { points: 5, seconds: 900 },
  'family-code.per-link-everywhere': { points: 50, seconds: 900 },
  'family-code.per-source': { points: 20, seconds: 3600 },
  'family-view.per-source': { points: 120, seconds: 3600 },
  // Pages that a link or a printed number opens: many families share an address; who guesses has far fewer tries
  'result-page.per-source': { points: 1000, seconds: 3600 },
  'result-page-miss.per-source': { points: 30, seconds: 3600 },
  'certificate.per-source': { points: 600, seconds: 3600 },
  'certificate-miss.per-source': { points: 20, seconds: 3600 },
  // Each save can send a mail to the address before it and to the school
  'family-edit.per-link': { points: 20, seconds: 3600 },
  // Tickets and certificates, each of them a PDF to be drawn
  'family-document.per-link': { points: 60, seconds: 3600 },
  // As for schools: who tries from elsewhere does not lock the office out
  'office-sign-in.per-email': { points: 10, seconds: 900 },
  'office-sign-in.per-email-everywhere': { points: 100, seconds: 900 },
  // Reached only with the right password; a million codes, three of them right at any moment
  'office-code.per-staff': { points: 20, seconds: 3600 },
  // Asked of a living session. Apart from the sign-in, so that whoever holds a stolen session can't lock its officer out
  'office-confirm.per-staff': { points: 10, seconds: 900 },
  'office-confirm-code.per-staff': { points: 20, seconds: 3600 },
  // A masked number or address that is looked for whole: enough for who is called, too few to try out numbers
  'contact-search.per-staff': { points: 20, seconds: 3600 },
  // E-mails to many schools at once, and tests of them
  'mailing.per-staff': { points: 10, seconds: 3600 },
  'mailing-test.per-staff': { points: 30, seconds: 3600 },
  // Looking at a file takes a processor for up to seconds; the office shows a statement anew for each column it maps
  'sent-file.per-account': { points: 60, seconds: 3600 },
  'sent-file.per-staff': { points: 300, seconds: 3600 },
  // Each up to 100 MB on the disk before anything of it is looked at
  'large-upload.per-staff': { points: 20, seconds: 3600 },
  'office-sign-in.per-source': { points: 60, seconds: 900 },
} as const satisfies Record<string, Limit>

export type LimitName = keyof typeof limits

/** A place from which somebody has signed in is known as theirs for so long, in seconds. */
const knownFor = 30 * 86_400

/** What nobody does by hand in an hour. It is not refused: many real people together may come to it. It is told (docs/security.md, T3, T16, T20). */
export const alarms = {
  // One-time passwords mailed to all addresses together
  'one-time-passwords': { points: 200, seconds: 3600 },
  // Unknown links of families and wrong codes, from all sources together
  'family-guesses': { points: 100, seconds: 3600 },
  // Wrong passwords and codes of schools, from all sources together
  'sign-in-guesses': { points: 1000, seconds: 3600 },
  // Files that one officer takes along
  'files-of-officer': { points: 60, seconds: 3600 },
} as const satisfies Record<string, Limit>

export type AlarmName = keyof typeof alarms

export interface Limits {
  /**
   * Counts one try; over the limit, or over `most` where that is less, it refuses with 429 and the seconds to wait. So
   * nothing that is set can make a limit looser. Gives the tries that are left.
   */
  take(name: LimitName, key: string, most?: number): Promise<number>
  /** Takes one try back that was no fault: mobile networks put thousands of families behind one address. */
  giveBack(name: LimitName, key: string): Promise<void>
  /** Counts what is watched and never refused; true for the one that goes over, once within its time. */
  passes(name: AlarmName, key: string): Promise<boolean>
  /** Forgets the tries of a key, after a success. */
  forget(name: LimitName, key: string): Promise<void>
  /** Keeps for a month that somebody has come in, by address and place. */
  noteKnown(key: string): Promise<void>
  isKnown(key: string): Promise<boolean>
}

type Shared = 'otp.per-email' | 'reset.per-email' | 'school-code.per-link' | 'family-code.per-link'

/**
 * Counts what is asked for an address, or tried at a link, from a place and from everywhere, and gives the tries that are
 * left at that place. Over the limit of the place nothing more is counted of everywhere: to lock others out takes many places.
 */
export async function countFrom(limits: Limits, name: Shared, of: string, source: string, most?: number) {
  const left = await limits.take(name, `${of} ${source}`, most)
  await limits.take(`${name}-everywhere`, of)
  return left
}

/** The code of a link was right: its tries at this place are given back. */
export async function codeWasRight(limits: Limits, name: Shared, of: string, source: string) {
  await limits.forget(name, `${of} ${source}`)
  await limits.giveBack(`${name}-everywhere`, of)
}

/** Passwords of schools' people, or of the office. */
type Passwords = 'sign-in' | 'office-sign-in'

/**
 * Counts a password that is tried for an address from a place. What others try from elsewhere locks nobody out of a place
 * from which they have come in before.
 */
export async function countPassword(limits: Limits, of: Passwords, email: string, source: string) {
  const key = `${email} ${source}`
  await limits.take(`${of}.per-email`, key)
  if (!(await limits.isKnown(`${of} ${key}`))) await limits.take(`${of}.per-email-everywhere`, email)
}

/** The one who has tried it has come in. */
export async function passwordWasRight(limits: Limits, of: Passwords, email: string, source: string) {
  const key = `${email} ${source}`
  await limits.forget(`${of}.per-email`, key)
  await limits.noteKnown(`${of} ${key}`)
}

interface Statement {
  text: string
  values: unknown[]
}

/** The limiter names its statements for a session of its own; behind a pooler the next one may be another's. */
function unnamed(pool: Pick<Pool, 'query'>) {
  return { query: ({ text, values }: Statement) => pool.query(text, values) }
}

/** Limits counted in the table `rate_limits`; while the database is away each instance counts for itself. `scale` multiplies all (tests). */
export function databaseLimits(pool: Pick<Pool, 'query'>, scale = 1): Limits {
  const all = { ...limits, ...alarms }
  const limiters = new Map<string, RateLimiterPostgres>()
  const limiter = (keyPrefix: string, { points, seconds: duration }: Limit) => {
    const options = { points, duration, keyPrefix }
    return new RateLimiterPostgres({
      ...options,
      storeClient: unnamed(pool),
      storeType: 'client',
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout: false,
      insuranceLimiter: new RateLimiterMemory(options),
    })
  }
  for (const [name, { points, seconds }] of Object.entries(all) as Array<[string, Limit]>)
    limiters.set(name, limiter(name, { points: points * scale, seconds }))
  const known = limiter('known', { points: 1, seconds: knownFor })
  const limiterOf = (name: LimitName | AlarmName) => {
    const limiter = limiters.get(name)
    if (!limiter) throw new Error(`no limit is called ${name}`)
    return limiter
  }
  const counted = (name: LimitName | AlarmName, key: string) =>
    limiterOf(name)
      .consume(tokenHash(key))
      .catch((thrown: unknown) => {
        if (thrown instanceof RateLimiterRes) return thrown
        throw thrown
      })
  return {
    async passes(name, key) {
      return (await counted(name, key)).consumedPoints === alarms[name].points * scale + 1
    },
    async take(name, key, most) {
      const tried = await counted(name, key)
      const points = limits[name].points * scale
      const left = Math.min(points, (most ?? points) * scale) - tried.consumedPoints
      if (left >= 0) return left
      throw new Refusal('request.too_many', {
        retryAfter: Math.max(1, Math.ceil(tried.msBeforeNext / 1000)),
        facts: { limit: name },
      })
    },
    async giveBack(name, key) {
      await limiterOf(name).reward(tokenHash(key))
    },
    async forget(name, key) {
      await limiterOf(name).delete(tokenHash(key))
    },
    async noteKnown(key) {
      await known.set(tokenHash(key), 1, knownFor)
    },
    async isKnown(key) {
      return (await known.get(tokenHash(key))) !== null
    },
  }
}

/**
 * Counts a file that somebody sends; to be asked before anything of it is looked at. An officer counts as one in a school
 * too; large ones are the office's alone.
 */
export async function countSentFile(limits: Limits, scope: Scope | undefined, large: boolean): Promise<void> {
  const staffId =
    scope?.kind === 'office' ? scope.staffId : scope?.kind === 'school' ? scope.acting?.staffId : undefined
  if (large && scope?.kind !== 'office') throw new Refusal('access.denied')
  if (large) await limits.take('large-upload.per-staff', String(staffId))
  if (staffId !== undefined) {
    await limits.take('sent-file.per-staff', String(staffId))
    return
  }
  if (scope?.kind !== 'school') throw new Refusal('access.denied')
  await limits.take('sent-file.per-account', String(scope.userId))
}
