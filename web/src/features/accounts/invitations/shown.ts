import { getColleagues } from '@podium/contract/accounts/calls-invitations'
import { getSignOffs } from '@podium/contract/students/calls-sign-off'

/** Whatever shows the people of the school; who coordinates decides about signing lists off. */
export const shownOfColleagues = [getColleagues, getSignOffs]
