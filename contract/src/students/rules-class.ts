import { classes } from '../classes.ts'

const roman = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x', 'xi', 'xii']
const words = 'one two three four five six seven eight nine ten eleven twelve'.split(' ')
const littleInHindi = [
  ['नर्सरी', 15],
  ['एलकेजी', 13],
  ['यूकेजी', 14],
] as const

const classIds = new Map<string, number>([
  ...classes.map(({ classId, className }): [string, number] => [
    className.toLowerCase().replace(/\s/g, ''),
    classId,
  ]),
  ...roman.map((name, index): [string, number] => [name, index + 1]),
  ...words.map((name, index): [string, number] => [name, index + 1]),
  ['nur', 15],
  ['nry', 15],
  ['prenursery', 15],
  ['lowerkg', 13],
  ['lowerkindergarten', 13],
  ['kg1', 13],
  ['upperkg', 14],
  ['upperkindergarten', 14],
  ['kg2', 14],
  ...littleInHindi,
])

/** Returns the Hindi name of a class: `कक्षा 7`, `एलकेजी`. */
export const hindiClassName = (classId: number): string =>
  littleInHindi.find(([, id]) => id === classId)?.[0] ?? `कक्षा ${classId}`

/**
 * Reads a class as people write it: `7`, `07`, `7th`, `Class 7`, `Std. VII`, `L.K.G.`, `कक्षा ७`; undefined for
 * anything else. Not an id of a little-star class: 13 is no class in a spreadsheet.
 */
export function classIdOf(written: string): number | undefined {
  const bare = written
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[०-९]/g, (digit) => String(digit.charCodeAt(0) - 0x0966))
    .replace(/[\s._-]/g, '')
    .replace(/^(?:class|std|standard|grade|कक्षा)/, '')
  const number = /^0?(\d{1,2})(?:st|nd|rd|th)?$/.exec(bare)
  if (number) {
    const id = Number(number[1])
    return id >= 1 && id <= 12 ? id : undefined
  }
  return classIds.get(bare)
}
