/**
 * A name without what people spell differently: case, Latin accents, dots, dashes, double spaces. Two spellings of one
 * name fold to the same text. Vowel signs of Indian scripts are letters and stay.
 */
export function foldName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
}
