import type { Pool } from 'pg'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Scope } from '../auth/scope.ts'
import { tokenHash } from '../auth/secrets.ts'
import { Refusal } from '../errors.ts'

interface Limit {
  /** How many attempts within how many seconds */
  points: number
  seconds: number
}

/**
 * All rate limits: exact across several instances, because the database counts (docs/security.md, T3, T5, T15, T16).
 */
export const limits = {
  // Per address and source, so that a stranger can't use up the owner's attempts; and per address from all sources
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
  // Mails to addresses that someone else enters; links that open a school
  'invitation.per-school': { points: 30, seconds: 3600 },
  // Per address and school, so that one school can't keep another or the office from inviting someone
  'invitation.per-email': { points: 5, seconds: 86_400 },
  'invitation.per-email-everywhere': { points: 15, seconds: 86_400 },
  // Also of offers to coordinate
  'invitation.resend': { points: 3, seconds: 3600 },
  'invitation.per-source': { points: 60, seconds: 3600 },
  'school-link.per-source': { points: 120, seconds: 3600 },
  // Per source, only wrong codes and links count
  'family-code.per-link': { points: 5, seconds: 900 },
  'family-code.per-link-everywhere': { points: 50, seconds: 900 },
  'family-code.per-source': { points: 20, seconds: 3600 },
  'family-view.per-source': { points: 120, seconds: 3600 },
  // Pages opened by a link or a printed number: many families share an address; wrong guesses have a much lower limit
  'result-page.per-source': { points: 1000, seconds: 3600 },
  'result-page-miss.per-source': { points: 30, seconds: 3600 },
  'certificate.per-source': { points: 600, seconds: 3600 },
  'certificate-miss.per-source': { points: 20, seconds: 3600 },
  // Each save can send a mail to the previous address and to the school
  'family-edit.per-link': { points: 20, seconds: 3600 },
  // Tickets and certificates, each generated as a PDF
  'family-document.per-link': { points: 60, seconds: 3600 },
  // As for schools: attempts from elsewhere don't lock the office out
  'office-sign-in.per-email': { points: 10, seconds: 900 },
  'office-sign-in.per-email-everywhere': { points: 100, seconds: 900 },
  // Reached only with the right password; of a million codes, three are valid at any moment
  'office-code.per-staff': { points: 20, seconds: 3600 },
  // Asked during a live session. Separate from the sign-in, so that the holder of a stolen session can't lock its
  // officer out
  'office-confirm.per-staff': { points: 10, seconds: 900 },
  'office-confirm-code.per-staff': { points: 20, seconds: 3600 },
  // Searching a masked number or address in full: enough for real calls, too few to try out numbers
  'contact-search.per-staff': { points: 20, seconds: 3600 },
  // E-mails to many schools at once, and test mails
  'mailing.per-staff': { points: 10, seconds: 3600 },
  'mailing-test.per-staff': { points: 30, seconds: 3600 },
  // What may be withdrawn and sent again: a school's details, which are e-mailed back; questions and families' requests,
  // which the office reads one by one
  'application.per-account': { points: 10, seconds: 86_400 },
  'form.per-account': { points: 60, seconds: 3600 },
  // Checking a file takes up to seconds of CPU; the office re-reads a statement for each column it maps
  'sent-file.per-account': { points: 60, seconds: 3600 },
  'sent-file.per-staff': { points: 300, seconds: 3600 },
  // Each writes up to 100 MB to disk before it is checked
  'large-upload.per-staff': { points: 20, seconds: 3600 },
  'office-sign-in.per-source': { points: 60, seconds: 900 },
} as const satisfies Record<string, Limit>

type LimitName = keyof typeof limits

/** How long a source counts as known after a sign-in, in seconds. */
const knownFor = 30 * 86_400

/**
 * More than anyone does by hand in an hour. Not refused, because many real people together may reach it, but reported
 * (docs/security.md, T3, T16, T20).
 */
export const alarms = {
  // One-time passwords mailed, to all addresses together
  'one-time-passwords': { points: 200, seconds: 3600 },
  // Families' unknown links and wrong codes, from all sources together
  'family-guesses': { points: 100, seconds: 3600 },
  // Schools' wrong passwords and codes, from all sources together
  'sign-in-guesses': { points: 1000, seconds: 3600 },
  // Files downloaded by one officer
  'files-of-officer': { points: 60, seconds: 3600 },
} as const satisfies Record<string, Limit>

export type AlarmName = keyof typeof alarms

export interface Limits {
  /**
   * Counts one attempt; above the limit of `name`, or a lower `limit`, refuses with 429 and the seconds to wait. So
   * no setting can loosen a limit. Returns the attempts left.
   */
  take(name: LimitName, key: string, limit?: number): Promise<number>
  /** Gives back an attempt that was not at fault: mobile networks put thousands of families behind one address. */
  giveBack(name: LimitName, key: string): Promise<void>
  /** Counts a monitored event without ever refusing; true for the one that exceeds the limit, once per period. */
  passes(name: AlarmName, key: string): Promise<boolean>
  /** Clears a key's attempts, after a success. */
  forget(name: LimitName, key: string): Promise<void>
  /** Remembers for a month that someone has signed in, by address and source. */
  noteKnown(key: string): Promise<void>
  isKnown(key: string): Promise<boolean>
}

type SharedLimit = 'otp.per-email' | 'school-code.per-link' | 'family-code.per-link' | 'invitation.per-email'

/**
 * Counts a request for an address, or an attempt at a link, per source (for invitations, per school) and in total. Returns
 * the attempts left for this source. Above the source's limit nothing is added to the total, so locking others out takes many sources.
 */
export async function countAttempt(
  limits: Limits,
  name: SharedLimit,
  subject: string,
  source: string,
  limit?: number,
) {
  const remaining = await limits.take(name, `${subject} ${source}`, limit)
  await limits.take(`${name}-everywhere`, subject)
  return remaining
}

/** Gives back the attempts of a link at this source, after a correct code. */
export async function resetCodeAttempts(limits: Limits, name: SharedLimit, subject: string, source: string) {
  await limits.forget(name, `${subject} ${source}`)
  await limits.giveBack(`${name}-everywhere`, subject)
}

/** Passwords of school accounts, or of the office. */
type PasswordLimit = 'sign-in' | 'office-sign-in'

/**
 * Counts a password attempt for an address from a source. Attempts from elsewhere never lock a person out of a source
 * they have signed in from before.
 */
export async function countPassword(limits: Limits, kind: PasswordLimit, email: string, source: string) {
  const key = `${email} ${source}`
  await limits.take(`${kind}.per-email`, key)
  if (!(await limits.isKnown(`${kind} ${key}`))) await limits.take(`${kind}.per-email-everywhere`, email)
}

/** Counts a request for a reset link likewise: strangers' requests never keep it from a source of the person's own. */
export async function countReset(limits: Limits, email: string, source: string) {
  const key = `${email} ${source}`
  await limits.take('reset.per-email', key)
  if (!(await limits.isKnown(`sign-in ${key}`))) await limits.take('reset.per-email-everywhere', email)
}

/** Resets the count after a successful sign-in. */
export async function resetPasswordAttempts(
  limits: Limits,
  kind: PasswordLimit,
  email: string,
  source: string,
) {
  const key = `${email} ${source}`
  await limits.forget(`${kind}.per-email`, key)
  await limits.noteKnown(`${kind} ${key}`)
}

/**
 * The limiter prepares named statements, which belong to a session; behind a pooler the next query may run in another
 * one.
 */
function withoutNames(pool: Pick<Pool, 'query'>) {
  return { query: ({ text, values }: { text: string; values: unknown[] }) => pool.query(text, values) }
}

/**
 * Counts limits in the table `rate_limits`; while the database is away, each instance counts for itself. `scale`
 * multiplies all limits (tests).
 */
export function databaseLimits(pool: Pick<Pool, 'query'>, scale = 1): Limits {
  const all = { ...limits, ...alarms }
  const limiters = new Map<string, RateLimiterPostgres>()
  const limiter = (keyPrefix: string, { points, seconds: duration }: Limit) => {
    const options = { points, duration, keyPrefix }
    return new RateLimiterPostgres({
      ...options,
      storeClient: withoutNames(pool),
      storeType: 'client',
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout: false,
      insuranceLimiter: new RateLimiterMemory(options),
    })
  }
  for (const [name, { points, seconds }] of Object.entries(all) as Array<[string, Limit]>)
    limiters.set(name, limiter(name, { points: points * scale, seconds }))
  const knownSources = limiter('known', { points: 1, seconds: knownFor })
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
    async take(name, key, limit) {
      const result = await counted(name, key)
      const points = limits[name].points * scale
      const remaining = Math.min(points, (limit ?? points) * scale) - result.consumedPoints
      if (remaining >= 0) return remaining
      throw new Refusal('request.too_many', {
        retryAfter: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
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
      await knownSources.set(tokenHash(key), 1, knownFor)
    },
    async isKnown(key) {
      return (await knownSources.get(tokenHash(key))) !== null
    },
  }
}

/**
 * Counts an uploaded file; call it before any of the file is read. An officer acting for a school counts as an officer;
 * large files are only for the office.
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
