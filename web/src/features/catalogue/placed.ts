import { CallError } from '#shell/call.ts'

/**
 * The place in the form of a fault that the server names by the place in what was sent: lines that were left out are
 * not counted there.
 */
function placeInForm(list: string, path: string, sent: readonly boolean[]): string {
  const found = new RegExp(`^${list}\\.(\\d+)(\\..*)$`).exec(path)
  if (!found) return path
  const places = [...sent.keys()].filter((index) => sent[index])
  return `${list}.${places[Number(found[1])] ?? 0}${found[2]}`
}

/** A refusal with its faults at their places in the form: `sent` says which lines of `list` were sent. */
export function placed(list: string, cause: unknown, sent: readonly boolean[]): unknown {
  if (!(cause instanceof CallError)) return cause
  const issues = cause.issues.map(({ path, message }) => ({ path: placeInForm(list, path, sent), message }))
  return new CallError(cause.message, cause.status, cause.code, issues, cause.id)
}
