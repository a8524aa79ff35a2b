import { officeMe } from '@podium/contract/staff/calls'
import { ownSessions, staffList, staffSessions } from '@podium/contract/staff/calls-people'
import { defineWords } from '#shell/language/words.ts'
import type en from '#words/en/staff-people.json'

/** Everything that shows the office's staff and their sessions. */
export const staffCalls = [staffList, staffSessions, ownSessions, officeMe]

/** The words of the office's staff, the user's own account, and the page of an invitation. */
export const words = defineWords<typeof en>(import.meta.glob('#words/*/staff-people.json'))
