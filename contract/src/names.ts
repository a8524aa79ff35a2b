/** Takes no room and is no letter; joiners of Indian scripts are among them, which change how a name looks alone. */
const unseen = /\p{Default_Ignorable_Code_Point}/gu

/** Whether somebody can be called so: there is at least one letter that is seen. */
export const hasSeenLetter = (name: string): boolean => /\p{L}/u.test(name.replace(unseen, ''))

/**
 * A name without what people spell differently: what is not seen, case, Latin accents, dots, dashes, double spaces. Two
 * spellings of one name fold to the same text. Vowel signs of Indian scripts are letters and stay.
 */
export function foldName(name: string): string {
  return name
    .replace(unseen, '')
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
}

const personsSigns = /^(?:[\p{L}\p{M} .,'’‘`´()&\u2010-\u2013-]|\u200c|\u200d)*$/u

/** Whether somebody of a school or of the office can be called so: letters and the signs of names. */
export const isPersonsName = (name: string): boolean => personsSigns.test(name)
