/**
 * Returns `firstDateId`, `first_date_id` or `bank-line` as “First date id”, “Bank line”: for codes of earlier versions,
 * which `words-*.en.json` no longer has.
 */
export const codeAsWords = (code: string): string =>
  code
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]/g, ' ')
    .toLowerCase()
    .replace(/^./, (first) => first.toUpperCase())
