import { readDraft, writeDraft } from '#shell/session.ts'
import type { emptyValues } from './register-values.ts'

/** An unfinished registration, stored in this tab, so that a reload or a look at the e-mails loses nothing. */
interface SavedRegistration {
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
const lifetimeMs = 30 * 60_000

const key = 'register'

/**
 * Returns the registration stored for this link, or without one. Its shape is checked: an earlier version of the app
 * may have stored it.
 */
export function savedRegistration(id: string | undefined): SavedRegistration | undefined {
  const saved = readDraft(key) as (Partial<SavedRegistration> & { until?: number }) | null | undefined
  if (!saved) return undefined
  const lives = (saved.until ?? 0) > Date.now()
  if (!lives) forgetRegistration()
  return lives && saved.id === id && (saved.at === 'otp' || saved.at === 'form')
    ? (saved as SavedRegistration)
    : undefined
}

export const saveRegistration = (registration: SavedRegistration) =>
  writeDraft(key, { ...registration, until: Date.now() + lifetimeMs })

export function forgetRegistration(): void {
  writeDraft(key, undefined)
}
