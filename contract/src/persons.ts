import * as z from 'zod/mini'
import { cutText, text } from './fields.ts'
import { messages } from './messages.ts'
import { hasVisibleLetter, isPersonsName } from './names.ts'

/**
 * The name of a person whom e-mails go to or name. What is typed here must not work as a message to a stranger, so
 * words joined by a dot are separated; mail programs would make a link of them.
 */
export function personsName(required: string) {
  return z.pipe(
    z.pipe(
      text(required, 100),
      z.string().check(
        z.refine((name) => name === '' || hasVisibleLetter(name), required),
        z.refine((name) => !hasVisibleLetter(name) || isPersonsName(name), messages.nameLetters),
      ),
    ),
    z.transform((name: string) => cutText(name.replace(/\.(?=\p{L})/gu, '. '), 100).trim()),
  )
}
