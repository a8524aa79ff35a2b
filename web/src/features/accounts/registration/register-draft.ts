import { readDraft, writeDraft } from '#shell/session.ts'
import type { emptyValues } from './register-values.ts'

/** An unfinished registration, stored in this tab, so that a reload or a look at the e-mails loses nothing. */
interface Kept {
  /** The school link it started from */
  id: string | undefined
  at: 'otp' | 'form'
  email: string
  name: string
  /** When another one-time password can be requested (epoch, in milliseconds) */
  resendAt?: number
  /** The form's values, without the passwords */
  values?: Partial<typeof emptyValues>
}

/** As long as the proof of an address is valid; later users of the same computer start afresh. */
const keptMs = 30 * 60_000

const key = 'register'

/**
 * Returns the registration stored for this link, or without one. Its shape is checked: an earlier version of the app
 * may have stored it.
 */
export function savedRegistration(id: string | undefined): Kept | undefined {
  const kept = readDraft(key) as (Partial<Kept> & { until?: number }) | null | undefined
  if (!kept) return undefined
  const lives = (kept.until ?? 0) > Date.now()
  if (!lives) forgetRegistration()
  return lives && kept.id === id && (kept.at === 'otp' || kept.at === 'form') ? (kept as Kept) : undefined
}

export const keepRegistration = (kept: Kept) => writeDraft(key, { ...kept, until: Date.now() + keptMs })

export function forgetRegistration(): void {
  writeDraft(key, undefined)
}
