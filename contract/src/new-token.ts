/** A header of any answer: the token that takes the place of the caller's, to be brought from the next call on. */
export const newTokenHeader = 'x-new-token'
