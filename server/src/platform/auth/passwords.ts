import { argon2, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { concurrencyLimit, withSlot } from '../concurrency-limit.ts'
import { type Keys, type PasswordCost, possibleKeys, type SecretKeys } from './secrets.ts'

// The 10,000 most used passwords of eight or more characters, from the zxcvbn-ts project (MIT licence).
const file = join(import.meta.dirname, 'common-passwords.txt')
let common: Set<string> | undefined

/** Words that an attacker would try first on this portal. */
const portalWords = [
  'podium',
  'school',
  'olympiad',
  'student',
  'teacher',
  'principal',
  'exam',
  'password',
  'india',
]

const lettersOnly = (text: string) => text.replace(/[^\p{L}]+/gu, '')

/**
 * Whether a password would be among the first guesses: a common one, with or without digits and symbols at its ends, or
 * little more than a word of this portal, the person's name or their address (`context`).
 */
export function isCommonPassword(password: string, context: readonly string[] = []): boolean {
  common ??= new Set(readFileSync(file, 'utf8').trim().split('\n'))
  const typed = password.normalize('NFC').toLowerCase()
  const core = typed.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  if (common.has(typed) || common.has(core) || new Set(typed).size < 4) return true
  const words = [...portalWords, ...context.flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{M}]+/u))]
  let rest = lettersOnly(typed)
  const named = words.filter((word) => word.length >= 4 && rest.includes(word))
  for (const word of named.sort((a, b) => b.length - a.length)) rest = rest.replaceAll(word, '')
  return named.length > 0 && rest.length < 4
}

const derive = promisify(argon2)

/** Two hashes at a time and forty waiting, so that sign-ins don't starve everything else of CPU. */
const acquireSlot = concurrencyLimit(2, 40)

function pepper(keys: SecretKeys, password: string): Buffer {
  return createHmac('sha256', keys.pepper).update(password.normalize('NFC')).digest()
}

async function hash(keys: SecretKeys, password: string, { salt, cost }: HashParameters): Promise<Buffer> {
  const message = pepper(keys, password)
  return withSlot(acquireSlot, () => derive('argon2id', { ...cost, message, nonce: salt, tagLength: 32 }))
}

/** How a hash was made; a stored hash may have a cost other than today's. */
interface HashParameters {
  salt: Buffer
  cost: PasswordCost
}

/** Ends with the id of its keys; hashes from before ids were stored end with the hash itself. */
function formatHash({ id }: SecretKeys, { salt, cost }: HashParameters, tag: Buffer): string {
  const { memory, passes, parallelism } = cost
  return [
    'argon2id',
    memory,
    passes,
    parallelism,
    salt.toString('base64url'),
    tag.toString('base64url'),
    id,
  ].join('$')
}

function parseHash(text: string): HashParameters & { tag: Buffer } {
  const [, memory, passes, parallelism, salt = '', tag = ''] = text.split('$')
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64url'),
    tag: Buffer.from(tag, 'base64url'),
  }
}

/** Hashes a password for storage: algorithm, cost, salt, hash and the id of the keys. */
export async function hashPassword(keys: Keys, password: string): Promise<string> {
  const parameters = { salt: randomBytes(16), cost: keys.passwordCost }
  return formatHash(keys, parameters, await hash(keys, password, parameters))
}

/**
 * Whether this is the password of the stored hash. Without a hash (unknown e-mail, account without a password) it takes
 * the same time and returns false, so that timing reveals nothing.
 */
export async function isPassword(
  keys: Keys,
  password: string,
  storedHash: string | null | undefined,
): Promise<boolean> {
  const dummy = { salt: Buffer.alloc(16), cost: keys.passwordCost, tag: Buffer.alloc(32) }
  const parsed = storedHash == null ? dummy : parseHash(storedHash)
  // A missing hash and a wrong password are both tried with all keys.
  for (const candidateKeys of possibleKeys(keys)) {
    const computed = await hash(candidateKeys, password, parsed)
    if (computed.length === parsed.tag.length && timingSafeEqual(computed, parsed.tag))
      return storedHash != null
  }
  return false
}

/**
 * Rehashes a correct password if its stored hash depends on the previous SECRET; the caller, who has just verified the
 * password, stores the result. Undefined if nothing needs to change.
 */
export async function rehashPassword(
  keys: Keys,
  password: string,
  storedHash: string,
): Promise<string | undefined> {
  return keys.previous && !storedHash.endsWith(`$${keys.id}`) ? hashPassword(keys, password) : undefined
}
