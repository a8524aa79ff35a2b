import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newToken } from './auth/secrets.ts'
import { SettingError } from './setting-error.ts'

const shortestSecret = 32
const fewestLetters = 10
const howToMake = 'use at least 32 random characters, such as those of `openssl rand -base64 33`'

/** The secret of an installation that has none set: made once and kept in the data folder. Production must bring its own. */
export function secretOf(given: string | undefined, production: boolean, dataDir: string): string {
  if (given) {
    if (given.length < shortestSecret) throw new SettingError(`SECRET is too short: ${howToMake}`)
    if (isGuessable(given)) throw new SettingError(`SECRET is easy to guess: ${howToMake}`)
    return given
  }
  if (production)
    throw new SettingError('SECRET is missing: set it to at least 32 random characters and keep it')
  const file = join(dataDir, 'secret')
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    writeFileSync(file, newToken(), { mode: 0o600 })
  }
  // Restored from a backup, it may have become readable for everybody on this machine.
  if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600)
  const kept = readFileSync(file, 'utf8').trim()
  // Broken off while it was written: keys made from nothing could be made by anybody.
  if (kept.length < shortestSecret)
    throw new SettingError(
      `The secret in ${file} is too short: put back the one of a backup, or delete the file to get a new one`,
    )
  return kept
}

/** The secret that an installation had before; however weak it was, that may be why it was changed. */
export function previousSecret(given: string | undefined, secret: string): string | undefined {
  if (!given) return undefined
  if (given === secret)
    throw new SettingError('SECRET_PREVIOUS is the same as SECRET: set SECRET to a new one, or take it away')
  return given
}

/** Too few different characters, one part over and over, or mostly neighbours in the alphabet. */
function isGuessable(secret: string): boolean {
  const letters = [...secret]
  if (new Set(letters).size < fewestLetters) return true
  const repeats = (part: number) => secret.startsWith(secret.slice(part))
  for (let part = 1; part <= secret.length / 2; part++) if (repeats(part)) return true
  const codes = letters.map((letter) => letter.codePointAt(0) ?? 0)
  const neighbours = codes.filter((code, at) => at > 0 && Math.abs(code - (codes[at - 1] ?? 0)) <= 1)
  return neighbours.length > letters.length / 2
}
