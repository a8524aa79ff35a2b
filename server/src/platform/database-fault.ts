const unreachable = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ECONNRESET']
const refused: Readonly<Record<string, string>> = {
  '28P01': 'The database refuses the user or the password of DATABASE_URL.',
  '28000': 'The database refuses the user of DATABASE_URL.',
  '3D000': 'There is no database of the name in DATABASE_URL.',
}

/** Why a PostgreSQL could not be reached, as one line for the operator; undefined for another error. */
export function databaseFault(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error ? String(error.code) : ''
  if (unreachable.includes(code) || /timeout exceeded when trying to connect/.test(error.message))
    return `The database can't be reached${code && ` (${code})`}: check DATABASE_URL, and that it runs.`
  return refused[code]
}
