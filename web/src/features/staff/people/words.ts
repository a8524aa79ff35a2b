import { officeMe } from '@podium/contract/staff/calls'
import { ownSessions, staffList, staffSessions } from '@podium/contract/staff/calls-people'
import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/staff-people.json'

/** Whatever shows the office's people and their sessions. */
export const shownOfStaff = [staffList, staffSessions, ownSessions, officeMe]

/** The words of the office's people, of one's own account there, and of the page that an invitation opens. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/staff-people.json'))
