import { Secret, TOTP } from 'otpauth'

/** Time-based codes as every authenticator makes them: six digits, thirty seconds, SHA-1 (RFC 6238). */
function totp(secret: string, whose: { issuer: string; label: string }): TOTP {
  return new TOTP({
    ...whose,
    secret: Secret.fromBase32(secret),
    digits: 6,
    period: 30,
  })
}

/** A new secret of 160 bits, in base32 as people type it into an authenticator. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32
}

const nobody = { issuer: '', label: '' }

/** The address that an authenticator reads from a QR code; it lists the code under the issuer's name and the person's e-mail. */
export function totpUri(secret: string, issuer: string, email: string): string {
  return totp(secret, { issuer, label: email }).toString()
}

/**
 * The time step of a right code, the neighbours before and after included; undefined for a wrong one. The caller
 * takes a step only once, so that a code that was overheard is worth nothing.
 */
export function totpStep(secret: string, code: string, now: Date): number | undefined {
  const timestamp = now.getTime()
  const delta = totp(secret, nobody).validate({ token: code, timestamp, window: 1 })
  return delta === null ? undefined : Math.floor(timestamp / 30_000) + delta
}

/** The code of this moment, for the demo world's own page. */
export function totpCode(secret: string, now: Date): string {
  return totp(secret, nobody).generate({ timestamp: now.getTime() })
}
