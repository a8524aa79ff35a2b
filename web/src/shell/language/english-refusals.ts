import { errors } from '@podium/contract/errors'

/** English error messages by code: half of what the server says, and not needed when a page starts. */
export default Object.fromEntries(Object.entries(errors).map(([code, { sentence }]) => [code, sentence]))
