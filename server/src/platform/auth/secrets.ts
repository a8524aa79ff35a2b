import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

/** What one hash of a password takes by argon2id: KiB of memory, passes over it, lanes. */
export interface PasswordCost {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
export const fullPasswordCost: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 }

/** The keys of one SECRET, each derived from it for one use. */
export interface SecretKeys {
  /** Tells in the database with which SECRET something was made; says nothing about it */
  readonly id: string
  /** Pepper of passwords and codes */
  readonly pepper: Buffer
  /** Encrypts what must be read again: TOTP secrets, access codes */
  readonly seal: Buffer
}

/** Keys of one installation, what its new passwords cost to hash, and the keys that it had before its SECRET was changed. */
export interface Keys extends SecretKeys {
  readonly passwordCost: PasswordCost
  /** Checks and opens what the SECRET before has made; makes nothing new */
  readonly previous?: SecretKeys
}

function keysOf(secret: string): SecretKeys {
  const derive = (use: string, bytes: number) => Buffer.from(hkdfSync('sha256', secret, 'podium', use, bytes))
  return { id: derive('id', 6).toString('base64url'), pepper: derive('pepper', 32), seal: derive('seal', 32) }
}

export function deriveKeys(secret: string, passwordCost = fullPasswordCost, previous?: string): Keys {
  return { ...keysOf(secret), passwordCost, ...(previous !== undefined && { previous: keysOf(previous) }) }
}

/** The keys with which something that is stored may have been made, today's first. */
export function possibleKeys(keys: Keys): SecretKeys[] {
  return keys.previous ? [keys, keys.previous] : [keys]
}

/** A new opaque secret of 256 bits for tokens, as base64url. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** A new public id that can't be guessed: 128 bits, 22 characters. */
export function newId(): string {
  return randomBytes(16).toString('base64url')
}

/** How a token is named in the database: whoever reads the table can't use what it holds. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/** Keyed hash of a short code, bound to what it opens so that equal codes look different. */
export function codeHash(keys: SecretKeys, boundTo: string, code: string): string {
  return createHmac('sha256', keys.pepper).update(boundTo).update('\0').update(code).digest('base64url')
}

/** The hashes that a code may be stored under: with today's keys, and with those before. */
export function codeHashes(keys: Keys, boundTo: string, code: string): string[] {
  return possibleKeys(keys).map((made) => codeHash(made, boundTo, code))
}

/** Whether a stored hash is of this code; in constant time. */
export function isCode(keys: Keys, stored: string, boundTo: string, code: string): boolean {
  return codeHashes(keys, boundTo, code).filter((hash) => sameHash(stored, hash)).length > 0
}

/** Compares two hashes in constant time. */
export function sameHash(one: string, other: string): boolean {
  const a = Buffer.from(one)
  const b = Buffer.from(other)
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Whether an Authorization header brings this token, compared in constant time; never where none is set. */
export function bringsToken(authorization: string | undefined, token: string | undefined): boolean {
  const brought = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1] ?? ''
  return token !== undefined && sameHash(tokenHash(brought), tokenHash(token))
}

// Letters and digits that nobody mistakes for each other when read from paper.
const codeLetters = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'

/** A random code for paper, 31 letters to choose from. */
export function newCode(length: number): string {
  let code = ''
  while (code.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < 248 && code.length < length) code += codeLetters.charAt(byte % 31)
    }
  }
  return code
}

/** A one-time password of six digits. */
export function newDigits(length = 6): string {
  let digits = ''
  while (digits.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < 250 && digits.length < length) digits += byte % 10
    }
  }
  return digits
}

/** A code as a person typed it: capitals, no spaces or dashes. */
export function bareCode(typed: string): string {
  return typed.normalize('NFKC').toUpperCase().replace(/[\s-]/g, '')
}

/** Closes bytes so that only this installation opens them. */
export function sealBytes(keys: SecretKeys, plain: Buffer): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keys.seal, nonce)
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** Opens what `sealBytes` closed; throws when it was changed or sealed under another key. */
export function unsealBytes(keys: Keys, bytes: Buffer): Buffer {
  if (!keys.previous) return openedBy(keys, bytes)
  try {
    return openedBy(keys, bytes)
  } catch {
    return openedBy(keys.previous, bytes)
  }
}

function openedBy(keys: SecretKeys, bytes: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', keys.seal, bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()])
}

/** Closes a text; what comes out begins with the id of the keys, so that what another SECRET has sealed can be found. */
export function seal(keys: SecretKeys, plain: string): string {
  return `${keys.id}.${sealBytes(keys, Buffer.from(plain, 'utf8')).toString('base64url')}`
}

/** Opens what `seal` closed; throws when it was changed or sealed under another key. */
export function unseal(keys: Keys, sealed: string): string {
  // Without an id: sealed before ids were written.
  const bytes = sealed.slice(sealed.indexOf('.') + 1)
  return unsealBytes(keys, Buffer.from(bytes, 'base64url')).toString('utf8')
}

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
