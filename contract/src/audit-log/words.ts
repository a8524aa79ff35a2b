/** Returns `firstDateId`, `first_date_id` or `bank-line` as “First date id”, “Bank line”. */
export const spaced = (code: string): string =>
  code
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]/g, ' ')
    .toLowerCase()
    .replace(/^./, (first) => first.toUpperCase())

type Codes<Line extends string> = Line extends `${infer One} ${infer Rest}` ? One | Codes<Rest> : Line

/** Returns the words of codes that are plain English themselves; several codes a line, separated by spaces. */
export const plain = <const Line extends string>(...lines: Line[]): { [Code in Codes<Line>]: string } =>
  Object.fromEntries(lines.flatMap((line) => line.split(' ')).map((code) => [code, spaced(code)])) as {
    [Code in Codes<Line>]: string
  }

/** Like `plain`, for names of fields, keyed in lower case. */
export const plainFields = <const Line extends string>(
  ...lines: Line[]
): { [Name in Lowercase<Codes<Line>>]: string } =>
  Object.fromEntries(
    lines.flatMap((line) => line.split(' ')).map((name) => [name.toLowerCase(), spaced(name)]),
  ) as { [Name in Lowercase<Codes<Line>>]: string }
