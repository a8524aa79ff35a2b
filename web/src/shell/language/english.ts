import { catalogueMessages } from '@podium/contract/catalogue/messages'
import { hindiNamesPath } from '@podium/contract/catalogue/paths'
import { classes } from '@podium/contract/classes'
import { messages } from '@podium/contract/messages'
import { sentences } from '@podium/contract/sentences'
import { hindiClassName } from '@podium/contract/students/rules-class'
import { transportDetails } from '../transport-words.ts'
import { beginnings } from './lookup.ts'

/**
 * What the server and the shared rules say in English, by the names of the files that have it in other languages. Only its
 * value goes into the web (`dataAlone` in vite.config.ts): with what makes it, a page in Hindi would load half the contract.
 */
export default {
  messages: { ...messages, ...catalogueMessages },
  sentences,
  transport: { ...beginnings, ...transportDetails },
  /** Where the names are that the office has given in Hindi. */
  hindiNames: hindiNamesPath,
  /** Classes have a name in Hindi that nobody writes. */
  hindiClasses: Object.fromEntries(classes.map((one) => [one.className, hindiClassName(one.classId)])),
}
