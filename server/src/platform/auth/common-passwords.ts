import { readFileSync } from 'node:fs'
import { join } from 'node:path'

// The 10,000 most used passwords of eight characters and more, from the zxcvbn-ts project (MIT licence).
const file = join(import.meta.dirname, 'common-passwords.txt')
let common: Set<string> | undefined

/** Words that anybody would try first at this portal. */
const ofThisPlace = [
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
 * Whether a password is among the first that somebody would try: a common one, with or without figures and signs at
 * its ends; or hardly more than a word of this place, the person's name or their address (`context`).
 */
export function isCommonPassword(password: string, context: readonly string[] = []): boolean {
  common ??= new Set(readFileSync(file, 'utf8').trim().split('\n'))
  const typed = password.normalize('NFC').toLowerCase()
  const core = typed.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  if (common.has(typed) || common.has(core) || new Set(typed).size < 4) return true
  const words = [...ofThisPlace, ...context.flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{M}]+/u))]
  let rest = lettersOnly(typed)
  const named = words.filter((word) => word.length >= 4 && rest.includes(word))
  for (const word of named.sort((a, b) => b.length - a.length)) rest = rest.replaceAll(word, '')
  return named.length > 0 && rest.length < 4
}
