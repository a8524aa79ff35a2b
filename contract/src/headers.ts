/** A header of any answer: the token that takes the place of the caller's, to be brought from the next call on. */
export const newTokenHeader = 'x-new-token'
/** A header of a page that is shown as a picture: how many pages the whole has. */
export const pagesHeader = 'x-pages'
