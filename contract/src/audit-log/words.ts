/** `firstDateId`, `first_date_id` and `bank-line` as «First date id» and «Bank line». */
export const spaced = (code: string): string =>
  code
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]/g, ' ')
    .toLowerCase()
    .replace(/^./, (first) => first.toUpperCase())

type Codes<Line extends string> = Line extends `${infer One} ${infer Rest}` ? One | Codes<Rest> : Line

/** The words of codes that say in English what they mean; several on a line, with spaces between them. */
export const plain = <const Line extends string>(...lines: Line[]): { [Code in Codes<Line>]: string } =>
  Object.fromEntries(lines.flatMap((line) => line.split(' ')).map((code) => [code, spaced(code)])) as {
    [Code in Codes<Line>]: string
  }

/** The same of names of fields, by their names in small letters. */
export const plainFields = <const Line extends string>(
  ...lines: Line[]
): { [Name in Lowercase<Codes<Line>>]: string } =>
  Object.fromEntries(
    lines.flatMap((line) => line.split(' ')).map((name) => [name.toLowerCase(), spaced(name)]),
  ) as { [Name in Lowercase<Codes<Line>>]: string }
