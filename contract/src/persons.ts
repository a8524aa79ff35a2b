import * as z from 'zod/mini'
import { text } from './fields.ts'
import { messages } from './messages.ts'
import { hasSeenLetter, isPersonsName } from './names.ts'

/**
 * The name of somebody to whom mails go, or who is named in them: what is typed for one can be no message to a stranger.
 * Words that a dot joins are parted, for programs that show mails would make a link of them.
 */
export function personsName(required: string) {
  return z.pipe(
    z.pipe(
      text(required, 100),
      z.string().check(
        z.refine((name) => name === '' || hasSeenLetter(name), required),
        z.refine((name) => !hasSeenLetter(name) || isPersonsName(name), messages.nameLetters),
      ),
    ),
    z.transform((name: string) =>
      name
        .replace(/\.(?=\p{L})/gu, '. ')
        .slice(0, 100)
        .trim(),
    ),
  )
}
