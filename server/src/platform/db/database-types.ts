import pg from 'pg'

/**
 * Reads an int8 as a JavaScript number. Ids, counts and paise all stay far below 2^53; a value that does not
 * is refused with a RangeError, since a silently rounded amount of money would be worse than an error.
 */
export function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 ${text} does not fit a JavaScript number`)
  return value
}

const { builtins } = pg.types
/** The typings list the scalar types alone; arrays are numbers like any other. */
const getTypeParser: (oid: number, format: 'text' | 'binary') => (text: string) => never =
  pg.types.getTypeParser
const textArray = 1009

const own = new Map<number, (text: string) => unknown>([
  [builtins.INT8, parseInt8],
  [builtins.NUMERIC, Number],
  // A calendar day has no time zone: as a Date it would shift by one east or west of UTC.
  [builtins.DATE, (text) => text],
  // int8[] and numeric[] and date[]: the arrays follow their elements.
  [1016, (text) => mapArray(text, parseInt8)],
  [1231, (text) => mapArray(text, Number)],
  [1182, (text) => mapArray(text, (item) => item)],
])

/** The driver's own reader of text[], whose elements are then read as their own type; null stays null. */
const splitArray: (text: string) => unknown[] = getTypeParser(textArray, 'text')

function mapArray(text: string, parse: (item: string) => unknown): unknown[] {
  return splitArray(text).map((item) => (typeof item === 'string' ? parse(item) : item))
}

/**
 * How values of the database become values of the program, for the `types` setting of `pg`: int8 and numeric →
 * number, date → 'YYYY-MM-DD', timestamptz → Date, json and jsonb parsed. All else as `pg` has it.
 */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && own.get(oid)) || getTypeParser(oid, format ?? 'text'),
}
