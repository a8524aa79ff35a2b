import { officeMe } from '@podium/contract/staff/calls'
import { ownSessions, staffList, staffSessions } from '@podium/contract/staff/calls-people'

/** Whatever shows the office's people and their sessions. */
export const shownOfStaff = [staffList, staffSessions, ownSessions, officeMe]
