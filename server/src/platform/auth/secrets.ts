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

/** The cost of hashing a password with argon2id: KiB of memory, passes, lanes. */
export interface PasswordCost {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
export const fullPasswordCost: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 }

/** The keys derived from one SECRET, each for one use. */
export interface SecretKeys {
  /** Marks in the database which SECRET was used; reveals nothing about it */
  readonly id: string
  /** Pepper of passwords and codes */
  readonly pepper: Buffer
  /** Encrypts what must be readable again: TOTP secrets, access codes */
  readonly seal: Buffer
}

/** An installation's keys, the cost of its new password hashes, and its keys before the SECRET was changed. */
export interface Keys extends SecretKeys {
  readonly passwordCost: PasswordCost
  /** Checks and decrypts what was made with the previous SECRET; makes nothing new */
  readonly previous?: SecretKeys
}

function keysOf(secret: string): SecretKeys {
  const derive = (use: string, bytes: number) => Buffer.from(hkdfSync('sha256', secret, 'podium', use, bytes))
  return { id: derive('id', 6).toString('base64url'), pepper: derive('pepper', 32), seal: derive('seal', 32) }
}

export function deriveKeys(secret: string, passwordCost = fullPasswordCost, previous?: string): Keys {
  return { ...keysOf(secret), passwordCost, ...(previous !== undefined && { previous: keysOf(previous) }) }
}

/** Returns the keys a stored value may have been made with, the current ones first. */
export function possibleKeys(keys: Keys): SecretKeys[] {
  return keys.previous ? [keys, keys.previous] : [keys]
}

/** Returns a new opaque token of 256 bits, as base64url. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns a new public id that can't be guessed: 128 bits, 22 characters. */
export function newId(): string {
  return randomBytes(16).toString('base64url')
}

/** Hashes a token for storage, so that reading the table gives nobody a usable token. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/** Returns a keyed hash of a short code, bound to what it opens so that equal codes have different hashes. */
export function codeHash(keys: SecretKeys, boundTo: string, code: string): string {
  return createHmac('sha256', keys.pepper).update(boundTo).update('\0').update(code).digest('base64url')
}

/** Returns the hashes that a code may be stored under: with the current keys and the previous ones. */
export function codeHashes(keys: Keys, boundTo: string, code: string): string[] {
  return possibleKeys(keys).map((candidate) => codeHash(candidate, boundTo, code))
}

/** Whether a stored hash belongs to this code; compared in constant time. */
export function isCode(keys: Keys, stored: string, boundTo: string, code: string): boolean {
  return codeHashes(keys, boundTo, code).filter((hash) => sameHash(stored, hash)).length > 0
}

/** Compares two hashes in constant time. */
export function sameHash(first: string, second: string): boolean {
  const a = Buffer.from(first)
  const b = Buffer.from(second)
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Whether an Authorization header carries this token, compared in constant time; false if no token is set. */
export function hasBearerToken(authorization: string | undefined, token: string | undefined): boolean {
  const presented = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1] ?? ''
  return token !== undefined && sameHash(tokenHash(presented), tokenHash(token))
}

// Letters and digits that can't be mistaken for each other on paper.
const codeLetters = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'

/** Returns a random code for paper, from an alphabet of 31 characters. */
export function newCode(length: number): string {
  let code = ''
  while (code.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < 248 && code.length < length) code += codeLetters.charAt(byte % 31)
    }
  }
  return code
}

/** Returns a one-time password, of six digits by default. */
export function newDigits(length = 6): string {
  let digits = ''
  while (digits.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < 250 && digits.length < length) digits += byte % 10
    }
  }
  return digits
}

/** Normalises a code typed by a person: capitals, no spaces or dashes. */
export function normalizeCode(typed: string): string {
  return typed.normalize('NFKC').toUpperCase().replace(/[\s-]/g, '')
}

/** Encrypts bytes so that only this installation can decrypt them. */
export function sealBytes(keys: SecretKeys, plain: Buffer): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keys.seal, nonce)
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** Decrypts what `sealBytes` encrypted; throws if it was changed or sealed with another key. */
export function unsealBytes(keys: Keys, bytes: Buffer): Buffer {
  if (!keys.previous) return decryptWith(keys, bytes)
  try {
    return decryptWith(keys, bytes)
  } catch {
    return decryptWith(keys.previous, bytes)
  }
}

function decryptWith(keys: SecretKeys, bytes: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', keys.seal, bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()])
}

/**
 * Encrypts a text. The result begins with the id of the keys, so that values sealed with another SECRET can be found.
 */
export function seal(keys: SecretKeys, plain: string): string {
  return `${keys.id}.${sealBytes(keys, Buffer.from(plain, 'utf8')).toString('base64url')}`
}

/** Decrypts what `seal` encrypted; throws if it was changed or sealed with another key. */
export function unseal(keys: Keys, sealed: string): string {
  // Values sealed before ids were stored have none.
  const bytes = sealed.slice(sealed.indexOf('.') + 1)
  return unsealBytes(keys, Buffer.from(bytes, 'base64url')).toString('utf8')
}

/** Time-based codes as all authenticators generate them: six digits, thirty seconds, SHA-1 (RFC 6238). */
function makeTotp(secret: string, account: { issuer: string; label: string }): TOTP {
  return new TOTP({ ...account, secret: Secret.fromBase32(secret), digits: 6, period: 30 })
}

/** Returns a new secret of 160 bits, in base32 as people type it into an authenticator. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32
}

const nobody = { issuer: '', label: '' }

/**
 * Returns the address for an authenticator's QR code; it lists the code under the issuer's name and the person's
 * e-mail.
 */
export function totpUri(secret: string, issuer: string, email: string): string {
  return makeTotp(secret, { issuer, label: email }).toString()
}

/**
 * Returns the time step of a correct code, allowing one step either way; undefined for a wrong one. The caller accepts
 * a step only once, so that an overheard code is useless.
 */
export function totpStep(secret: string, code: string, now: Date): number | undefined {
  const timestamp = now.getTime()
  const delta = makeTotp(secret, nobody).validate({ token: code, timestamp, window: 1 })
  return delta === null ? undefined : Math.floor(timestamp / 30_000) + delta
}

/** Returns the current code, for the demo world's own page. */
export function totpCode(secret: string, now: Date): string {
  return makeTotp(secret, nobody).generate({ timestamp: now.getTime() })
}
