/** Invisible characters; joiners of Indian scripts are among them, which only change how a name looks. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu

/** Whether a name has at least one visible letter. */
export const hasVisibleLetter = (name: string): boolean => /\p{L}/u.test(name.replace(invisible, ''))

/**
 * Folds a name for comparing: ignores invisible characters, case, Latin accents, dots, dashes and double spaces, so
 * that spellings of one name become the same text. Vowel signs of Indian scripts are letters and stay.
 */
export function foldName(name: string): string {
  return name
    .replace(invisible, '')
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
}

const personsSigns = /^(?:[\p{L}\p{M} .,'’‘`´()&\u2010-\u2013-]|\u200c|\u200d)*$/u

/** Whether a text can be the name of a user: letters and the signs of names only. */
export const isPersonsName = (name: string): boolean => personsSigns.test(name)
