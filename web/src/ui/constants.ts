/** The numbers of the specification that the kit keeps (sections 2.9 and 9). */

/** How long a message of success stays, in ms; it waits while it is pointed at. */
export const toastMs = 2000
/** At most so many chosen ones are shown in a list of several; the rest is a number. */
export const mostChips = 10
/** QR codes: the side on screen in px, and the level of error correction. */
export const qrSide = 200
export const qrLevel = 'M'
