import { errors } from '@podium/contract/errors'

/** Why calls are refused, in English by their codes: half of what the server says, and nothing that a page needs at first. */
export default Object.fromEntries(Object.entries(errors).map(([code, { sentence }]) => [code, sentence]))
