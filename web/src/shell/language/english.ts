import { hindiNamesPath } from '@podium/contract/catalogue/paths'
import { classes } from '@podium/contract/classes'
import { messages } from '@podium/contract/messages'
import { officeMessages } from '@podium/contract/office/messages'
import { sentences } from '@podium/contract/sentences'
import { hindiClassName } from '@podium/contract/students/rules-class'
import { transportDetails } from '../transport-words.ts'
import { failurePrefixes } from './lookup.ts'

/**
 * English sentences of the server and the shared rules, by the names of the files with their translations. Only their
 * values are bundled (`dataAlone` in vite.config.ts); else a Hindi page would load half the contract.
 */
export default {
  messages: { ...messages, ...officeMessages },
  sentences,
  transport: { ...failurePrefixes, ...transportDetails },
  /** The call that returns the office's Hindi names. */
  hindiNames: hindiNamesPath,
  /** Hindi class names, which no one has to enter. */
  hindiClasses: Object.fromEntries(
    classes.map((schoolClass) => [schoolClass.className, hindiClassName(schoolClass.classId)]),
  ),
}
