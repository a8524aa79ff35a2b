import { officeMe } from '@podium/contract/staff'
import { ownSessions, staffList, staffSessions } from '@podium/contract/staff-people'

/** Whatever shows the office's people and their sessions. */
export const shownOfStaff = [staffList, staffSessions, ownSessions, officeMe]
