import { argon2, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { Keys, PasswordCost } from './secrets.ts'
import { turns } from './turns.ts'

const derive = promisify(argon2)

/** Two hashes at a time and forty waiting: sign-ins must not starve everything else of the processor. */
const turn = turns(2, 40)

function peppered(keys: Keys, password: string): Buffer {
  return createHmac('sha256', keys.pepper).update(password.normalize('NFC')).digest()
}

async function hash(keys: Keys, password: string, { salt, cost }: Made): Promise<Buffer> {
  const message = peppered(keys, password)
  const end = await turn()
  try {
    return await derive('argon2id', { ...cost, message, nonce: salt, tagLength: 32 })
  } finally {
    end()
  }
}

/** How a hash was made: another cost than today's where it is stored with one. */
interface Made {
  salt: Buffer
  cost: PasswordCost
}

function stored({ salt, cost }: Made, tag: Buffer): string {
  const { memory, passes, parallelism } = cost
  return [
    'argon2id',
    memory,
    passes,
    parallelism,
    salt.toString('base64url'),
    tag.toString('base64url'),
  ].join('$')
}

function read(text: string): Made & { tag: Buffer } {
  const [, memory, passes, parallelism, salt = '', tag = ''] = text.split('$')
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64url'),
    tag: Buffer.from(tag, 'base64url'),
  }
}

/** A password as it is stored: algorithm, cost, salt and hash. */
export async function hashPassword(keys: Keys, password: string): Promise<string> {
  const made = { salt: randomBytes(16), cost: keys.passwordCost }
  return stored(made, await hash(keys, password, made))
}

/**
 * Whether this is the password behind the stored hash. With no hash (unknown e-mail, account without a password) it
 * works as long and answers false, so that time tells nothing.
 */
export async function isPassword(
  keys: Keys,
  password: string,
  kept: string | null | undefined,
): Promise<boolean> {
  const nobody = { salt: Buffer.alloc(16), cost: keys.passwordCost, tag: Buffer.alloc(32) }
  const made = kept == null ? nobody : read(kept)
  const computed = await hash(keys, password, made)
  return computed.length === made.tag.length && timingSafeEqual(computed, made.tag) && kept != null
}
