import { getColleagues } from '@podium/contract/colleagues'
import { getSignOffs } from '@podium/contract/signoff'

/** Whatever shows the people of the school; who coordinates decides about signing lists off. */
export const shownOfColleagues = [getColleagues, getSignOffs]
