import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/accounts-invite.json'

/** Inviting people to a school, in the school's portal and in the office. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/accounts-invite.json'))
