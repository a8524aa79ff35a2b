import { argon2, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { Keys } from './secrets.ts'
import { turns } from './turns.ts'

const derive = promisify(argon2)
// OWASP's first choice for argon2id: 19 MiB, two passes, one lane.
const cost = { memory: 19_456, passes: 2, parallelism: 1 }

/** Two hashes at a time and forty waiting: sign-ins must not starve everything else of the processor. */
const turn = turns(2, 40)

function peppered(keys: Keys, password: string): Buffer {
  return createHmac('sha256', keys.pepper).update(password.normalize('NFC')).digest()
}

async function hash(keys: Keys, password: string, nonce: Buffer): Promise<Buffer> {
  const message = peppered(keys, password)
  const end = await turn()
  try {
    return await derive('argon2id', { ...cost, message, nonce, tagLength: 32 })
  } finally {
    end()
  }
}

/** A password as it is stored: algorithm, cost, salt and hash. */
export async function hashPassword(keys: Keys, password: string): Promise<string> {
  const salt = randomBytes(16)
  const tag = await hash(keys, password, salt)
  return `argon2id$19456$2$1$${salt.toString('base64url')}$${tag.toString('base64url')}`
}

const nobody = `argon2id$19456$2$1$${Buffer.alloc(16).toString('base64url')}$${Buffer.alloc(32).toString('base64url')}`

/**
 * Whether this is the password behind the stored hash. With no hash (unknown e-mail, account without a password) it
 * works as long and answers false, so that time tells nothing.
 */
export async function isPassword(
  keys: Keys,
  password: string,
  stored: string | null | undefined,
): Promise<boolean> {
  const [, , , , salt = '', tag = ''] = (stored ?? nobody).split('$')
  const computed = await hash(keys, password, Buffer.from(salt, 'base64url'))
  const expected = Buffer.from(tag, 'base64url')
  return computed.length === expected.length && timingSafeEqual(computed, expected) && stored != null
}
