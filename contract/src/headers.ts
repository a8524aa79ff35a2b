/** A header of any answer: a token that replaces the caller's from the next call on. */
export const newTokenHeader = 'x-new-token'
/** A header of a page sent as an image: the number of pages in the file. */
export const pagesHeader = 'x-pages'
