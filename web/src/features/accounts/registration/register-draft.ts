import { readDraft, writeDraft } from '#shell/session.ts'
import type { emptyValues } from './register-values.ts'

/** A registration under way, as this tab keeps it until it is done or begun anew: a reload, or a look at the mails, loses nothing. */
interface Kept {
  /** The school link it came by */
  id: string | undefined
  at: 'otp' | 'form'
  email: string
  name: string
  /** From when on (milliseconds) another one-time password may be asked for */
  resendAt?: number
  /** What was typed into the form, but for the passwords */
  values?: Partial<typeof emptyValues>
}

/** As long as the proof of an address lasts: who comes to the same computer later begins anew. */
const keptMs = 30 * 60_000

const key = 'register'

/** What is kept of the registration by this link, or without one. It is our own, but of an earlier program perhaps. */
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
